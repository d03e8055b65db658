"""Images in all forms, and what is no image."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CROSS, ROOT, draw_plus, draw_square
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

import sprig

PLUS = draw_plus()


def network(x: Any, **options: Any) -> str:
    """What a model sees of an image; equal images give equal text."""
    return sprig.Model(**options).extract(x).json()


def test_arrays_of_all_types_are_the_same_image() -> None:
    expected = network(PLUS)
    for same in (
        PLUS / 255,
        (PLUS / 255).astype(np.float32),
        (PLUS / 255).astype(np.float16),
        PLUS.astype(np.int64),
        PLUS.astype(np.uint16),
        PLUS.astype(">i4"),
        PLUS > 0,
        PLUS.reshape(-1),
        PLUS[:, :, np.newaxis],
        np.repeat(PLUS[:, :, np.newaxis], 3, axis=2),
        np.asfortranarray(PLUS),
        np.repeat(np.repeat(PLUS, 2, axis=0), 2, axis=1)[::2, ::2],
        PLUS[::-1, ::-1][::-1, ::-1],
        PLUS.tolist(),
        tuple(map(tuple, PLUS.tolist())),
        memoryview(PLUS),
        Image.fromarray(PLUS),
        Image.fromarray(PLUS).convert("RGB"),
        Image.fromarray(PLUS > 0),
    ):
        assert network(same) == expected, type(same)


def test_read_only_arrays_are_read() -> None:
    frozen = PLUS.copy()
    frozen.flags.writeable = False
    assert network(frozen) == network(PLUS)


def test_an_image_need_not_be_square() -> None:
    wide = np.zeros((20, 40), np.uint8)
    wide[8:12, 4:36] = 255
    assert network(wide) == network(wide.tolist())
    assert network(wide) != network(wide.T)


def test_transparency_is_paper() -> None:
    pixels = np.zeros((28, 28, 4), np.uint8)
    pixels[..., 3] = PLUS
    assert network(pixels) == network(Image.fromarray(pixels)) == network(PLUS)  # black on nothing
    pixels[..., :3] = 255
    assert network(pixels) == network(PLUS)  # white on nothing
    assert network(np.stack([PLUS, PLUS], axis=2)) == network(PLUS)  # grey levels and their opacity


def test_small_dark_ink_is_seen_as_ink() -> None:
    assert network(255 - PLUS) == network(PLUS)
    assert network(255 - PLUS, ink="dark") == network(PLUS)
    assert network(255 - PLUS, ink="light") != network(PLUS)
    assert network(PLUS, ink="dark") != network(PLUS)
    colours = np.repeat(255 - PLUS[:, :, np.newaxis], 3, axis=2)
    assert network(colours) == network(PLUS)


def test_large_images_are_pictures() -> None:
    large = np.repeat(np.repeat(PLUS, 4, axis=0), 4, axis=1)
    shaded = (255 - large * 0.8 - np.linspace(0, 45, 112)).astype(np.uint8)  # dark ink, light from one side
    as_they_are = network(large, normalise=False)
    assert network(large) == network(large, normalise=True) != as_they_are
    model = sprig.Model()
    model.learn(shaded, "plus")
    model.learn(np.pad(np.full((60, 60), 40, np.uint8), 30, constant_values=220), "square")
    assert model.predict(large) == "plus"
    assert model.predict(draw_square(120, 30)) == "square"
    assert model.predict(Image.fromarray(large)) == "plus"


def test_small_images_can_be_pictures() -> None:
    model = sprig.Model(normalise=True)
    model.learn(PLUS, "plus")
    model.learn(draw_square(), "square")
    assert model.predict(255 - PLUS) == "plus"


def test_files_are_pictures(tmp_path: Path) -> None:
    model = sprig.Model()
    for path in sorted((ROOT / "examples" / "shapes").glob("*/*.png")):
        model.learn(path, path.parent.name)
    for path in sorted((ROOT / "examples" / "new").glob("*.png")):
        assert model.predict(str(path)) == path.stem
        with Image.open(path) as image:
            assert max(image.size) >= 64
            assert model.extract(image).json() == model.extract(path).json()
    one = next((ROOT / "examples" / "new").glob("*.png"))
    assert model.extract(one.read_bytes()).json() == model.extract(one).json()
    odd = tmp_path / "name with ümlaut.png"
    odd.write_bytes(one.read_bytes())
    assert model.extract(odd).json() == model.extract(one).json()


def test_photographs_are_turned_upright(tmp_path: Path) -> None:
    flag = np.full((120, 90), 255, np.uint8)
    flag[20:100, 20:26] = flag[20:50, 20:60] = 0
    path = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(np.rot90(flag)).save(path, exif=exif, quality=95)
    model = sprig.Model()
    with Image.open(path) as image:
        assert model.extract(image).json() == model.extract(path).json()
    model.learn(flag, "upright")
    model.learn(np.rot90(flag), "turned")
    assert model.predict(path) == "upright"


def test_strokes_in_all_forms() -> None:
    expected = network(CROSS)
    assert network([[(x, y, 5 * i) for i, (x, y) in enumerate(stroke)] for stroke in CROSS]) == expected
    assert network([np.array(stroke) for stroke in CROSS]) == expected
    assert network([np.array(stroke, dtype=np.float32) for stroke in CROSS]) == expected
    assert network(tuple(tuple(stroke) for stroke in CROSS)) == expected
    assert network([[[x, y] for x, y in stroke] for stroke in CROSS]) == expected
    assert network([CROSS[0], [(5, 5)]])  # a dot


def test_batches_in_all_forms() -> None:
    images = np.stack([draw_square(), PLUS])
    model = sprig.Model()
    model.learn_many(images, ["square", "plus"])
    expected = ["square", "plus"]
    for same in (
        images,
        images / 255,
        images.reshape(2, -1),
        np.asfortranarray(images),
        list(images),
        iter(images),
        [Image.fromarray(image) for image in images],
        np.array([None, None], dtype=object),
    ):
        if isinstance(same, np.ndarray) and same.dtype == object:
            same[:] = list(images)
        assert model.predict_many(same).tolist() == expected
    assert model.predict_many([]).tolist() == []
    assert model.predict_many(np.zeros((0, 28, 28), np.uint8)).tolist() == []
    assert model.answer_many([]) == []
    assert model.predict_proba_many([]).shape == (0, 2)
    colours = np.repeat(images[..., np.newaxis], 3, axis=3)
    assert model.predict_many(colours).tolist() == expected


def test_tables_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    images = np.stack([draw_square(), PLUS]).reshape(2, -1)
    model = sprig.Model()
    model.learn_many(pandas.DataFrame(images), pandas.Series(["square", "plus"]))
    assert model.predict_many(pandas.DataFrame(images)).tolist() == ["square", "plus"]


@pytest.mark.parametrize(
    ("x", "kind", "sentence"),
    [
        (np.zeros((2, 3, 4, 5), np.uint8), ValueError, "(2, 3, 4, 5)"),
        (np.zeros((3, 28, 28), np.uint8), ValueError, "(3, 28, 28)"),
        (np.zeros((0, 28), np.uint8), ValueError, "empty"),
        (np.zeros(0), ValueError, "empty"),
        (np.zeros(783, np.uint8), ValueError, "783"),
        (np.uint8(3), ValueError, "()"),
        (np.full((8, 8), np.nan), ValueError, "NaN"),
        (np.full((8, 8), np.inf), ValueError, "inf"),
        (np.full((8, 8), -0.5), ValueError, "-0.5"),
        (np.full((8, 8), 200.0), ValueError, "divide by"),
        (np.full((8, 8), -1), ValueError, "-1"),
        (np.full((8, 8), 256), ValueError, "256"),
        (np.full((8, 8), None), TypeError, "object"),
        (np.full((8, 8), "a"), TypeError, "pixels are numbers"),
        (np.zeros((8, 8), complex), TypeError, "complex"),
        (np.zeros((8, 8), "datetime64[s]"), TypeError, "datetime"),
        ([[1, 2], [3]], ValueError, "different lengths"),
        ([[(1, 2), (3,)]], ValueError, "stroke"),
        ([[(1, 2), ("a", "b")]], ValueError, "stroke"),
        ([[(1, 2, 3, 4)]], ValueError, "stroke"),
        ([[(float("nan"), 2), (1, 1)]], ValueError, "stroke"),
        ([[(float("inf"), 2), (1, 1)]], ValueError, "stroke"),
        ([], ValueError, ""),
        ([[]], ValueError, ""),
        ({}, TypeError, "dict"),
        (None, TypeError, "NoneType"),
        (17, TypeError, "int"),
        (b"no picture", sprig.InvalidError, "picture"),
        (b"", sprig.InvalidError, "picture"),
        (object(), TypeError, "object"),
        (np.full((300, 300), 128, np.uint8), sprig.InvalidError, "ink"),
        ("no-such-picture.png", sprig.Error, "no-such-picture.png"),
        (Path("no-such-picture.png"), sprig.Error, "no-such-picture.png"),
        ("with\0zero.png", ValueError, ""),
    ],
    ids=lambda value: None if isinstance(value, (str, type)) else type(value).__name__,
)
def test_refuses_what_is_no_image(x: Any, kind: type[Exception], sentence: str, shapes: sprig.Model) -> None:
    before = shapes.digest
    for use in (
        shapes.predict,
        shapes.answer,
        shapes.explain,
        shapes.extract,
        lambda image: shapes.learn(image, "new"),
        lambda image: shapes.learn_many([image], ["new"]),
    ):
        with pytest.raises(kind) as caught:
            use(x)
        assert sentence in str(caught.value)
    assert shapes.digest == before
    assert "new" not in shapes.classes


def test_names_the_image_of_a_batch(shapes: sprig.Model, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="image 2 "):
        shapes.predict_many([CROSS, CROSS, np.zeros((0, 3), np.uint8)])
    with pytest.raises(sprig.Error, match=r"image 1: .*missing\.png"):
        shapes.predict_many([CROSS, tmp_path / "missing.png"])
    with pytest.raises(sprig.Error, match="image 1: "):
        shapes.learn_many([CROSS, np.zeros((200, 200), np.uint8)], ["first", "second"])
    assert "first" in shapes.classes and "second" not in shapes.classes  # what came before it was learned


@pytest.mark.parametrize("batch", ["a/path.png", 17, None, np.zeros(784, np.uint8), np.float64(3)])
def test_refuses_what_is_no_batch(batch: Any, shapes: sprig.Model) -> None:
    with pytest.raises((TypeError, ValueError)):
        shapes.predict_many(batch)


def test_refuses_damaged_pictures(shapes: sprig.Model, tmp_path: Path) -> None:
    whole = next((ROOT / "examples" / "new").glob("*.png")).read_bytes()
    for name, content in (("cut.png", whole[: len(whole) // 2]), ("text.png", b"hello"), ("empty.png", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(sprig.Error, match=name):
            shapes.predict(tmp_path / name)


SHARED = sprig.Model()
SHARED.learn(PLUS, "plus")
SHARED.learn(draw_square(), "square")

dtypes = st.one_of(
    hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.floating_dtypes(), hnp.boolean_dtypes(),
    hnp.complex_number_dtypes(), hnp.unicode_string_dtypes(), hnp.datetime64_dtypes(),
)  # fmt: skip


@given(dtypes.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=12))))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_array_is_answered_or_refused(x: Any) -> None:
    for use in (SHARED.answer, lambda image: SHARED.predict_many([image])):
        try:
            use(x)
        except (ValueError, TypeError) as error:
            assert str(error)


@given(st.integers(1, 40), st.integers(1, 40), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_bytes_and_floats_are_the_same(height: int, width: int, random: Any) -> None:
    image = np.array([[random.choice((0, 40, 200, 255)) for _ in range(width)] for _ in range(height)], np.uint8)
    try:
        expected = SHARED.answer(image).ranking
    except sprig.Error as error:
        with pytest.raises(sprig.Error, match=str(error)):
            SHARED.answer(image / 255)
        return
    assert SHARED.answer(image / 255).ranking == expected
    assert SHARED.answer(np.asfortranarray(image)).ranking == expected


points = st.tuples(st.floats(allow_nan=True, allow_infinity=True), st.floats(allow_nan=True, allow_infinity=True))


@given(st.lists(st.lists(points, max_size=5), max_size=4))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_strokes_are_answered_or_refused(strokes: Any) -> None:
    try:
        SHARED.answer(strokes)
    except (ValueError, TypeError) as error:
        assert str(error)


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(max_size=3), st.lists, max_leaves=12))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_object_is_answered_or_refused(x: Any) -> None:
    for use in (SHARED.predict, SHARED.predict_many):
        try:
            use(x)
        except (ValueError, TypeError, sprig.Error) as error:
            assert str(error)
