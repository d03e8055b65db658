"""The classifier of River: the library's own checks, and what its users do with it."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

pytest.importorskip("river")

from conftest import CROSS, SQUARE
from river import checks, compose, evaluate, metrics, preprocessing
from sklearn.datasets import load_digits

import sprig
from sprig.river import SprigClassifier

IMAGES = load_digits().images
LABELS = load_digits().target

#: These leave out or shuffle features at random, which is another image.
WITHOUT_FIXED_PIXELS = {"check_emerging_features", "check_disappearing_features", "check_shuffle_features_no_impact"}

CHECKS = list(checks.yield_checks(SprigClassifier()))


def _name(check: Any) -> str:
    return getattr(check, "__name__", None) or check.func.__name__


def test_the_checks_are_found() -> None:
    names = {_name(check) for check in CHECKS}
    assert len(CHECKS) >= 15
    assert {"check_learn_one", "check_pickling", "check_predict_proba_one"} <= names


@pytest.mark.parametrize("check", CHECKS, ids=_name)
def test_passes_the_checks_of_river(check: Any) -> None:
    if _name(check) in SprigClassifier()._unit_test_skips():
        pytest.fail(f"{_name(check)} is declared as skipped")
    check(SprigClassifier())


@pytest.mark.parametrize("params", list(SprigClassifier._unit_test_params()))
def test_passes_the_checks_for_estimators(params: Any) -> None:
    checks.check_estimator(SprigClassifier(**params))


def test_recognises_digits_one_by_one() -> None:
    model, accuracy = SprigClassifier(), metrics.Accuracy()
    assert model.predict_one({"image": IMAGES[0] / 16}) is None
    assert model.predict_proba_one({"image": IMAGES[0] / 16}) == {}
    for image, label in zip(IMAGES[:400] / 16, LABELS):
        accuracy.update(label, model.predict_one({"image": image}))
        model.learn_one({"image": image}, label)
    assert accuracy.get() > 0.8
    probabilities = model.predict_proba_one({"image": IMAGES[500] / 16})
    assert set(probabilities) == set(range(10))
    assert sum(probabilities.values()) == pytest.approx(1)
    assert max(probabilities, key=lambda label: probabilities[label]) == model.predict_one({"image": IMAGES[500] / 16})
    assert "class" in model.debug_one({"image": IMAGES[500] / 16})
    assert model.explain_one({"image": IMAGES[500] / 16}).svg.startswith("<svg")


def test_pixels_by_name_are_an_image() -> None:
    by_image, by_name = SprigClassifier(), SprigClassifier()
    for image, label in zip(IMAGES[:50], LABELS):
        by_image.learn_one({"image": image / image.max()}, label)
        names = {f"pixel{i}": value for i, value in enumerate(image.reshape(-1))}
        by_name.learn_one(dict(reversed(names.items())), label)  # in any order
    assert by_name.model.to_bytes() == by_image.model.to_bytes()


def test_takes_images_of_any_form() -> None:
    model = SprigClassifier()
    model.learn_one({"image": CROSS}, "cross")
    model.learn_one({"image": SQUARE}, 4)
    assert model.predict_one({"image": SQUARE}) == 4
    with pytest.raises(ValueError):
        model.predict_one({"image": np.full((3, 3), np.nan)})


def test_features_that_come_later_keep_the_others() -> None:
    model = SprigClassifier()
    first = {f"p{i}": float(value) for i, value in enumerate(IMAGES[0].reshape(-1))}
    model.learn_one(first, 0)
    assert model.predict_one({**first, "new": 1.0}) == 0
    assert model.predict_one({name: value for name, value in first.items() if value}) == 0
    model.learn_one({**first, "new": 1.0}, 0)
    assert model.predict_one(first) == 0
    assert model.predict_one({}) in (0, None)


def test_works_with_the_tools_of_river() -> None:
    stream = [({i: v for i, v in enumerate(image.reshape(-1))}, int(label)) for image, label in zip(IMAGES, LABELS)]
    pipeline = compose.Pipeline(preprocessing.MinMaxScaler(), SprigClassifier(preset="fast"))
    assert evaluate.progressive_val_score(stream[:300], pipeline, metrics.Accuracy()).get() > 0.6
    copied = copy.deepcopy(pipeline)
    assert copied.predict_one(stream[301][0]) == pipeline.predict_one(stream[301][0])
    stored = pickle.loads(pickle.dumps(pipeline["SprigClassifier"]))
    assert isinstance(stored.model, sprig.Model)
    assert stored.model.to_bytes() == pipeline["SprigClassifier"].model.to_bytes()
