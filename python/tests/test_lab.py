"""The protocol: streams, measures, tables and charts."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sprig
from sprig import lab
from sprig.lab import measures


class LastLabel:
    """Forgets everything but the last class."""

    def __init__(self) -> None:
        self.label: Any = None

    def learn_one(self, x: Any, y: Any) -> None:
        self.label = y

    def predict_one(self, x: Any) -> Any:
        return self.label


IMAGES = np.arange(90 * 16, dtype=np.int64).reshape(90, 4, 4).astype(np.uint8)
LABELS = np.repeat(["a", "b", "c"], 30)
SETTINGS = {"cycles": 3, "per_block": 4, "held_out": 6}


def test_streams_teach_each_image_once() -> None:
    stream = lab.Stream(IMAGES, LABELS, seed=1, **SETTINGS)
    assert len(stream) == 36
    order = stream.order()
    assert len(set(order) | set(stream.held_out.reshape(-1))) == 36 + 18
    for cycle, block, indices in stream.blocks():
        assert len(indices) == 4
        assert set(LABELS[indices]) == {stream.classes[block]}
    assert len(list(stream.blocks())) == 9
    again = lab.Stream(IMAGES, LABELS, seed=1, **SETTINGS)
    assert (again.order() == order).all()
    assert (lab.Stream(IMAGES, LABELS, seed=2, **SETTINGS).order() != order).any()


def test_a_longer_stream_starts_like_a_shorter_one() -> None:
    short = lab.Stream(IMAGES, LABELS, cycles=2, per_block=4, held_out=6)
    long = lab.Stream(IMAGES, LABELS, cycles=3, per_block=4, held_out=6)
    assert (long.order()[:24] == short.order()).all()


def test_streams_draw_from_a_pool() -> None:
    pool = np.flatnonzero(np.arange(90) % 2 == 0)
    stream = lab.Stream(IMAGES, LABELS, pool=pool, cycles=2, per_block=3, held_out=4, classes=["c", "a"])
    assert set(stream.order()) <= set(pool)
    assert set(LABELS[stream.order()]) == {"a", "c"}
    assert LABELS[stream.order()[0]] == "c"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"cycles": 0}, "cycles is 0"),
        ({"held_out": -1}, "held_out is -1"),
        ({"cycles": 20}, "the pool has 30 images of class a, but 86 are needed"),
        ({"labels": LABELS[:10]}, "90 images and 10 labels"),
        ({"labels": np.array([], dtype=str), "images": IMAGES[:0]}, "no images"),
    ],
)
def test_refuses_impossible_streams(change: dict[str, Any], sentence: str) -> None:
    options = {"images": IMAGES, "labels": LABELS, **SETTINGS, **change}
    images, labels = options.pop("images"), options.pop("labels")
    with pytest.raises(ValueError, match=sentence):
        lab.Stream(images, labels, **options)


def test_a_forgetful_learner_has_the_measures_of_one() -> None:
    run = lab.run(LastLabel(), lab.Stream(IMAGES, LABELS, **SETTINGS))
    found = run.measures()
    assert found["accuracy_final"] == pytest.approx(1 / 3)
    assert found["retention_loss"] == pytest.approx(2 / 3)
    assert found["average_forgetting"] == pytest.approx(1)
    assert found["backward_transfer"] == pytest.approx(-1)
    assert found["wcr_end"] == pytest.approx(1 / 3)
    assert found["prequential_accuracy"] == pytest.approx(27 / 36)
    assert run.accuracy.shape == (3, 3, 3)
    assert run.images_per_second > 0


def test_measures_of_a_matrix_done_by_hand() -> None:
    a = np.array([[[0.8, 0.0], [0.4, 1.0]], [[0.9, 0.5], [0.6, 0.7]]])
    assert measures.accuracy_final(a) == pytest.approx(0.65)
    assert measures.early(a) == pytest.approx((0.7 + 0.65) / 2)
    end, worst = measures.within_cycle_retention(a)
    assert end == pytest.approx((0.4 / 0.8 + 1 + 0.6 / 0.9 + 1) / 4)
    assert worst == pytest.approx((0.4 / 0.8 + 1 + 0.6 / 0.9 + 1) / 4)
    assert measures.retention_loss(a) == pytest.approx(((0.9 - 0.6) + (1.0 - 0.7)) / 2)
    assert measures.average_forgetting(a) == pytest.approx(0.9 - 0.6)
    assert measures.backward_transfer(a) == pytest.approx(0.6 - 0.8)
    assert measures.anytime_accuracy(a) == pytest.approx((0.8 + 0.7 + 0.7 + 0.65) / 4)


def test_measures_that_were_not_evaluated_are_none() -> None:
    stream = lab.Stream(IMAGES, LABELS, **SETTINGS)
    found = lab.run(LastLabel(), stream, evaluate="final", prequential=False).measures()
    assert found["accuracy_final"] == pytest.approx(1 / 3)
    assert found["early"] is None and found["wcr_end"] is None and found["prequential_accuracy"] is None
    cycles = lab.run(LastLabel(), stream, evaluate="cycles").measures()
    assert cycles["early"] is not None and cycles["average_forgetting"] is None
    with pytest.raises(ValueError, match="evaluate"):
        lab.run(LastLabel(), stream, evaluate="sometimes")


def test_learners_of_all_kinds(digits: Any) -> None:
    images, labels = digits
    sklearn = pytest.importorskip("sklearn.naive_bayes")
    river = pytest.importorskip("river.tree")
    results = lab.compare(
        {
            "Sprig": sprig.Model,
            "fast": lambda: sprig.Model(preset="fast"),
            "naive Bayes": lambda: sklearn.BernoulliNB(binarize=0.5),
            "tree": river.HoeffdingTreeClassifier,
            "last": LastLabel,
        },
        images,
        labels,
        seeds=[0, 1],
        cycles=1,
        per_block=4,
        held_out=5,
        evaluate="cycles",
    )
    assert len(results) == 10
    final = {row["learner"]: row["accuracy_final"] for row in results.rows() if row["seed"] == 0}
    assert final["Sprig"] > final["last"] == pytest.approx(0.1)
    assert final["Sprig"] > 0.7
    assert repr(results) == "<Results: 10 runs of Sprig, fast, naive Bayes, tree, last>"


def test_refuses_what_is_no_learner() -> None:
    with pytest.raises(TypeError, match="learn_one"):
        lab.run(object(), lab.Stream(IMAGES, LABELS, **SETTINGS))


def test_results_are_tables_files_and_charts(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    results = lab.compare({"a": LastLabel, "b": LastLabel}, IMAGES, LABELS, seeds=[0, 1], **SETTINGS)
    text = str(results)
    assert "accuracy_final" in text and "0.3333" in text
    assert len({len(line) for line in text.splitlines()}) == 1  # columns are aligned
    assert pandas.DataFrame(results.rows()).groupby("learner")["accuracy_final"].mean()["a"] == pytest.approx(1 / 3)
    results.save(tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["evaluations.csv", "measures.csv", "runs.csv"]
    with open(tmp_path / "evaluations.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 9 * 3
    assert {row["class"] for row in rows} == {"a", "b", "c"}
    with pytest.raises(ValueError):
        lab.Results([])
    pytest.importorskip("matplotlib")
    figure = results.plot()
    assert len(figure.axes) == 3
    figure.savefig(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 5000
