"""What a model does: lessons, answers, explanations, changes, copies."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CROSS, SHAPES, SQUARE, ZIGZAG, draw_plus, draw_square

import sprig

HOUSE = [[(0, 10), (0, 4), (5, 0), (10, 4), (10, 10), (0, 10)]]


def test_starts_empty() -> None:
    model = sprig.Model()
    assert model.classes == []
    assert model.samples == {}
    assert model.units() == []
    assert model.predict(CROSS) is None
    assert model.predict_many([CROSS, SQUARE]).tolist() == [None, None]
    assert model.predict_proba(CROSS) == {}
    assert model.top(CROSS) == []
    answer = model.answer(CROSS)
    assert answer.label is None and answer.ranking == []
    assert "None" in repr(answer)
    assert model.explain(CROSS).label is None
    assert "0 images learned" in repr(model)


def test_learns_from_one_drawing_each(shapes: sprig.Model) -> None:
    for label, strokes in SHAPES.items():
        moved = [[(3 * x + 5, 3 * y + 40) for x, y in stroke] for stroke in strokes]
        assert shapes.predict(moved) == label
    assert shapes.classes == ["cross", "square", "zigzag"]
    assert shapes.samples == {"cross": 1, "square": 1, "zigzag": 1}
    assert shapes.facts["lessons"] == 3


def test_answer_has_all_that_is_known(shapes: sprig.Model) -> None:
    answer = shapes.answer(SQUARE)
    assert answer.label == "square"
    assert answer.ranking[0][0] == "square"
    assert {label for label, _, _ in answer.ranking} == set(SHAPES)
    probabilities = [probability for _, probability, _ in answer.ranking]
    scores = [score for _, _, score in answer.ranking]
    assert probabilities == sorted(probabilities, reverse=True)
    assert scores == sorted(scores, reverse=True)
    assert sum(probabilities) == pytest.approx(1)
    assert answer.probability == probabilities[0]
    assert answer.margin == pytest.approx(scores[0] - scores[1])
    assert answer.known is not None and 0 <= answer.known <= 1
    assert answer.fit is not None
    assert shapes.top(SQUARE, 2) == answer.top(2) == [(label, p) for label, p, _ in answer.ranking[:2]]
    assert len(shapes.top(SQUARE, 50)) == 3
    assert shapes.predict_proba(SQUARE) == {label: p for label, p, _ in answer.ranking}


def test_knows_what_it_does_not_know(ten_digits: sprig.Model, digits: Any) -> None:
    images, _ = digits
    known = [ten_digits.answer(image).known for image in images[1500:1520]]
    unknown = ten_digits.answer(HOUSE).known
    assert unknown is not None and all(one is not None for one in known)
    assert unknown < 0.1 < np.median(np.array(known, dtype=float))


def test_batches_equal_single_calls(ten_digits: sprig.Model, digits: Any) -> None:
    images, labels = digits
    some = images[1500:1560]
    single = [ten_digits.predict(image) for image in some]
    answers = [ten_digits.answer(image) for image in some]
    for threads in (1, 2, 5):
        assert ten_digits.predict_many(some, threads=threads).tolist() == single
        together = ten_digits.answer_many(some, threads=threads)
        assert [one.ranking for one in together] == [one.ranking for one in answers]
    table = ten_digits.predict_proba_many(some)
    assert table.shape == (60, 10)
    assert np.allclose(table.sum(axis=1), 1)
    for row, answer in zip(table, answers):
        assert {c: p for c, p in zip(ten_digits.classes, row)} == {label: p for label, p, _ in answer.ranking}
    score = ten_digits.score(some, labels[1500:1560])
    assert score == np.mean(np.array(single) == labels[1500:1560])
    assessment = ten_digits.test(some, labels[1500:1560])
    assert assessment["images"] == 60
    assert assessment["accuracy"] == pytest.approx(score)


def test_learns_batches_as_single_images(digits: Any) -> None:
    images, labels = digits
    one_by_one = sprig.Model()
    for image, label in zip(images[:60], labels[:60]):
        one_by_one.learn(image, label)
    for threads in (1, 3):
        batch = sprig.Model()
        batch.learn_many(images[:60], labels[:60], threads=threads)
        assert batch.digest == one_by_one.digest
        assert batch.to_bytes() == one_by_one.to_bytes()
    mixed = sprig.Model()
    mixed.learn_many(list(images[:30]) + [image / 255 for image in images[30:60]], labels[:60].tolist())
    assert mixed.digest == one_by_one.digest


def test_shows_progress(digits: Any) -> None:
    images, labels = digits
    calls: list[tuple[int, int]] = []
    model = sprig.Model()
    model.learn_many(images[:40], labels[:40], progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (40, 40)
    assert calls == sorted(calls)
    model.predict_many(images[:40], progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (40, 40)


def test_undoes_lessons(shapes: sprig.Model) -> None:
    before, classes = shapes.digest, shapes.classes
    shapes.learn(HOUSE, "house")
    assert shapes.classes == [*classes, "house"]
    assert shapes.digest != before
    shapes.undo()
    assert shapes.digest == before
    assert shapes.classes == classes
    for _ in range(3):
        shapes.undo()
    assert shapes.classes == []
    with pytest.raises(sprig.InvalidError, match="undo"):
        shapes.undo()


def test_undo_can_be_limited() -> None:
    model = sprig.Model(undo=1)
    model.learn(CROSS, "cross")
    model.learn(SQUARE, "square")
    model.undo()
    with pytest.raises(sprig.Error):
        model.undo()
    assert model.classes == ["cross"]


def test_changes_classes(shapes: sprig.Model) -> None:
    score = dict((label, s) for label, _, s in shapes.answer(CROSS).ranking)
    shapes.rename("cross", "x")
    assert shapes.predict(CROSS) == "x"
    shapes.forget("zigzag")
    assert set(shapes.classes) == {"x", "square"}
    after = dict((label, s) for label, _, s in shapes.answer(CROSS).ranking)
    assert after == {"x": score["cross"], "square": score["square"]}  # to the last bit
    shapes.add_class("empty")
    assert shapes.samples["empty"] == 0


def test_merges_models(shapes: sprig.Model) -> None:
    other = sprig.Model()
    other.learn(HOUSE, "house")
    shapes.merge(other)
    together = sprig.Model()
    for label, strokes in {**SHAPES, "house": HOUSE}.items():
        together.learn(strokes, label)
    assert shapes.to_bytes() == together.to_bytes()
    assert other.classes == ["house"]
    with pytest.raises(sprig.InvalidError):
        shapes.merge(other)  # the class is in both now
    assert shapes.to_bytes() == together.to_bytes()


def test_merges_with_itself_are_refused(shapes: sprig.Model) -> None:
    with pytest.raises(sprig.InvalidError):
        shapes.merge(shapes)


def test_explains(shapes: sprig.Model) -> None:
    why = shapes.explain(SQUARE, versus="cross")
    assert why.label == "square" and why.versus == "cross"
    assert "square" in why.text and "cross" in why.text
    assert why.svg.startswith("<svg") and why.svg in why._repr_html_()
    assert repr(why) == why.text.rstrip("\n")
    values = why.values
    assert values["answer"] == "square"
    leads = [element.lead for element in why.elements]
    assert leads == sorted(leads, reverse=True)
    assert len(leads) == len(shapes.extract(SQUARE))
    assert sum(element.decisive for element in why.elements) == len(values["decisive"]) > 0


def test_explains_all_that_was_learned(shapes: sprig.Model) -> None:
    everything = shapes.explain_global()
    assert "square" in str(everything)
    drawing = shapes.draw()
    assert drawing._repr_svg_() == drawing.svg
    assert drawing.svg.startswith("<svg")
    assert drawing.svg in shapes._repr_html_()


def test_writes_drawings(shapes: sprig.Model, tmp_path: Path) -> None:
    path = tmp_path / "why.svg"
    why = shapes.explain(SQUARE)
    why.save(path)
    assert path.read_text(encoding="utf-8") == why.svg
    shapes.draw().save(str(path))
    assert path.read_text(encoding="utf-8") == shapes.draw().svg
    assert [one.name for one in tmp_path.iterdir()] == ["why.svg"]
    with pytest.raises(sprig.Error, match="none/why.svg"):
        why.save(tmp_path / "none" / "why.svg")


def test_has_units(shapes: sprig.Model) -> None:
    units = shapes.units()
    assert sorted(unit.label for unit in units) == ["cross", "square", "zigzag"]
    for unit in units:
        assert unit.samples == 1 and unit.positive and unit.depth == 1 and unit.target is None
        assert unit.positions.shape == unit.spread.shape == (len(unit), 2)
        assert unit.presence.shape == (len(unit),)
        assert len(unit.types) == len(unit) > 0
        assert (unit.presence > 0).all() and (unit.spread > 0).all()
        assert unit._repr_svg_().startswith("<svg")
        assert unit.label in repr(unit)
    assert {unit_id for _, _, unit_id in shapes.events()} == {unit.id for unit in units}


def test_extracts_networks(shapes: sprig.Model) -> None:
    network = shapes.extract(SQUARE)
    assert network.positions.shape == (len(network), 2)
    assert len(network.types) == len(network)
    assert all(len(values) == len(network) for values in network.attributes.values())
    assert '"nodes"' in network.json()


@pytest.mark.parametrize(
    "copied",
    [
        lambda model: model.copy(),
        copy.copy,
        copy.deepcopy,
        lambda model: pickle.loads(pickle.dumps(model)),
        lambda model: sprig.Model.from_bytes(model.to_bytes()),
    ],
)
def test_copies_are_independent(shapes: sprig.Model, copied: Any) -> None:
    other = copied(shapes)
    assert type(other) is sprig.Model
    assert other.to_bytes() == shapes.to_bytes()
    assert other.answer(CROSS).ranking == shapes.answer(CROSS).ranking
    before = shapes.digest
    other.learn(HOUSE, "house")
    assert shapes.digest == before
    assert "house" not in shapes.classes


def test_copies_read_images_as_their_origin() -> None:
    dark = sprig.Model(ink="dark")
    dark.learn(255 - draw_square(), "square")
    dark.learn(255 - draw_plus(), "plus")
    for other in (pickle.loads(pickle.dumps(dark)), dark.copy()):
        assert other.predict(255 - draw_plus()) == "plus"
        assert other.answer(255 - draw_plus()).ranking == dark.answer(255 - draw_plus()).ranking


class Named(sprig.Model):
    """A subclass, as users make them."""


def test_copies_keep_the_class() -> None:
    model = Named()
    model.learn(CROSS, "cross")
    assert type(model.copy()) is Named
    assert type(pickle.loads(pickle.dumps(model))) is Named
    assert type(Named.from_bytes(model.to_bytes())) is Named


def test_has_settings() -> None:
    assert sprig.Model().facts["preset"] == "default"
    fast = sprig.Model(preset="fast")
    assert fast.facts["preset"] == "fast"
    changed = sprig.Model(settings={"join_threshold": 2.5, "deskew": False})
    assert changed.facts["parameters"]["join_threshold"] == 2.5
    modeller = sprig.Model(learner="modeller", seed=3)
    modeller.learn(draw_square(), "square")
    modeller.learn(draw_plus(), "plus")
    assert modeller.facts["learner"] == "modeller"
    assert modeller.predict(draw_plus()) == "plus"


def test_recognises_any_pose() -> None:
    flag = [[(0, 0), (0, 20)], [(0, 0), (9, 4), (0, 8)]]
    mirrored = [[(-x, y) for x, y in stroke] for stroke in flag]
    free = sprig.Model(free_pose=True)
    assert free.free_pose and not sprig.Model().free_pose
    free.learn(flag, "flag")
    free.learn(SQUARE, "square")
    turned = [[(-y, x) for x, y in stroke] for stroke in mirrored]
    assert free.predict(turned) == "flag"
    assert sprig.Model.from_bytes(free.to_bytes()).free_pose


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"preset": "best of all"}, "best of all"),
        ({"learner": "nobody"}, "nobody"),
        ({"settings": {"no_such_thing": 1}}, "no_such_thing"),
        ({"ink": "red"}, "red"),
        ({"learner": "modeller", "free_pose": True}, "pose"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, "2**64"),
        ({"undo": -1}, "undo is -1"),
    ],
)
def test_refuses_unknown_options(options: dict[str, Any], sentence: str, raises_in: Any) -> None:
    assert sentence in raises_in(ValueError, sprig.Model, **options)


def test_refuses_what_is_no_label(shapes: sprig.Model, raises_in: Any) -> None:
    before = shapes.digest
    assert "str(label)" in raises_in(TypeError, shapes.learn, CROSS, 7)
    assert "str(label)" in raises_in(TypeError, shapes.learn, CROSS, None)
    assert "str(label)" in raises_in(TypeError, shapes.learn_many, [CROSS], [7])
    assert "one string" in raises_in(TypeError, shapes.learn_many, [CROSS], "cross")
    assert "2 images and 1 labels" in raises_in(ValueError, shapes.learn_many, [CROSS, SQUARE], ["cross"])
    assert "2 images and 1 labels" in raises_in(ValueError, shapes.score, [CROSS, SQUARE], ["cross"])
    assert "2 images and 1 labels" in raises_in(ValueError, shapes.test, [CROSS, SQUARE], ["cross"])
    assert "half of a character" in raises_in(ValueError, shapes.learn_many, [CROSS], ["half \ud800"])
    assert "not with str" in raises_in(TypeError, shapes.merge, "other")
    raises_in(sprig.InvalidError, shapes.learn, CROSS, "")
    raises_in(ValueError, shapes.learn, CROSS, "half \ud800")
    assert shapes.digest == before


def test_labels_may_be_any_text() -> None:
    model = sprig.Model()
    for label, strokes in zip(["Kreuz ✗", "方", np.str_("zigzag")], [CROSS, SQUARE, ZIGZAG]):
        model.learn(strokes, label)
    assert model.predict(SQUARE) == "方"
    assert type(model.predict(ZIGZAG)) is str
    assert sorted(pickle.loads(pickle.dumps(model)).classes) == sorted(model.classes)  # bytes sort the classes


def test_refuses_unknown_classes(shapes: sprig.Model, raises_in: Any) -> None:
    assert "star" in raises_in(sprig.InvalidError, shapes.explain, CROSS, versus="star")
    assert "star" in raises_in(sprig.InvalidError, shapes.rename, "star", "x")
    assert "star" in raises_in(sprig.InvalidError, shapes.forget, "star")
    assert "square" in raises_in(sprig.InvalidError, shapes.rename, "cross", "square")
    assert "at least 1" in raises_in(ValueError, shapes.top, CROSS, 0)
    assert "whole number" in raises_in(TypeError, shapes.top, CROSS, 1.5)
    assert "at least 1" in raises_in(ValueError, shapes.predict_many, [CROSS], threads=0)
    raises_in(ValueError, shapes.score, [], [])
