"""The classifier of scikit-learn: the library's own checks, and what its users do with it."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sprig

pytest.importorskip("sklearn")

from conftest import ROOT
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from sprig.sklearn import SprigClassifier

#: What cannot hold for a recogniser of images. docs/python.md lists the same checks with the reasons.
EXPECTED_FAILURES = {
    "check_classifiers_train": "a point with two coordinates is an image of two pixels, which has no shape",
}

X, Y = load_digits(return_X_y=True)


def test_passes_the_checks_of_scikit_learn() -> None:
    results = check_estimator(SprigClassifier(), expected_failed_checks=EXPECTED_FAILURES, on_fail=None, on_skip=None)
    failed = [f"{one['check_name']}: {one['exception']!r}" for one in results if one["status"] == "failed"]
    assert not failed, "\n".join(failed)
    expected = {one["check_name"] for one in results if one["status"] == "xfail"}
    assert expected == set(EXPECTED_FAILURES), "a check that is expected to fail passes: remove it from the list"
    passed = [one for one in results if one["status"] == "passed"]
    skipped = [one for one in results if one["status"] == "skipped"]
    assert len(passed) >= 0.8 * len(results) and len(results) >= 40
    assert len(skipped) <= 5, [one["check_name"] for one in skipped]
    assert len(results) == len(list(estimator_checks_generator(SprigClassifier())))


def test_the_document_lists_the_expected_failures() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in EXPECTED_FAILURES)
    assert text.count("| `check_") == len(EXPECTED_FAILURES)


def test_recognises_digits() -> None:
    classifier = SprigClassifier().fit(X[:1000], Y[:1000])
    assert classifier.score(X[1000:], Y[1000:]) > 0.9
    assert classifier.classes_.tolist() == list(range(10))
    answers = classifier.predict(X[1000:1050])
    assert answers.dtype == Y.dtype
    probabilities = classifier.predict_proba(X[1000:1050])
    scores = classifier.decision_function(X[1000:1050])
    assert probabilities.shape == scores.shape == (50, 10)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert (classifier.classes_[probabilities.argmax(axis=1)] == answers).all()
    assert (classifier.classes_[scores.argmax(axis=1)] == answers).all()


def test_the_model_is_the_same_as_without_the_adapter() -> None:
    images = (X[:100] / 16 * 255).round().astype(np.uint8)
    classifier = SprigClassifier().fit(images, Y[:100])
    model = sprig.Model()
    model.learn_many(images, [str(label) for label in Y[:100]])
    assert classifier.model_.to_bytes() == model.to_bytes()


def test_learns_in_parts_with_new_classes() -> None:
    order = np.argsort(Y, kind="stable")
    whole = SprigClassifier().fit(X[order], Y[order])
    parts = SprigClassifier()
    for digit in range(10):
        chosen = order[Y[order] == digit]
        parts.partial_fit(X[chosen], Y[chosen])
        assert parts.classes_.tolist() == list(range(digit + 1))
    assert parts.model_.to_bytes() == whole.model_.to_bytes()
    assert (parts.predict(X) == whole.predict(X)).all()
    announced = SprigClassifier().partial_fit(X[:10], Y[:10], classes=range(12))
    assert announced.classes_.tolist() == list(range(12))
    assert announced.predict_proba(X[:3]).shape == (3, 12)


@pytest.mark.parametrize(
    "labels", [["no", "yes"], [False, True], [-1.0, 1.0], [2**40, 3], [np.str_("a"), np.str_("b")], ["", " "]]
)
def test_labels_of_any_type(labels: list[Any]) -> None:
    y = np.array([labels[int(one >= 5)] for one in Y[:200]])
    classifier = SprigClassifier().fit(X[:200], y)
    answers = classifier.predict(X[:200])
    assert answers.dtype == y.dtype
    assert np.mean(answers == y) > 0.8
    assert classifier.decision_function(X[:5]).shape == (5,)  # of two classes


def test_works_with_the_tools_of_scikit_learn() -> None:
    some = np.arange(0, 1797, 6)
    pipeline = make_pipeline(MinMaxScaler(), SprigClassifier(threads=1))
    assert cross_val_score(pipeline, X[some], Y[some], cv=3, n_jobs=2).mean() > 0.75
    search = GridSearchCV(SprigClassifier(threads=1), {"preset": ["default", "fast"]}, cv=2, n_jobs=2)
    search.fit(X[some], Y[some])
    assert search.best_params_["preset"] in ("default", "fast")
    assert clone(search.best_estimator_).get_params() == search.best_estimator_.get_params()


def test_fitted_classifiers_travel() -> None:
    classifier = SprigClassifier().fit(X[:200], Y[:200])
    expected = classifier.predict(X[200:260]).tolist()
    assert pickle.loads(pickle.dumps(classifier)).predict(X[200:260]).tolist() == expected
    parts = Parallel(n_jobs=2)(delayed(classifier.predict)(X[i : i + 20]) for i in (200, 220, 240))
    assert np.concatenate(parts).tolist() == expected


def test_images_of_any_shape() -> None:
    images = X.reshape(-1, 8, 8)
    wide = np.pad(images, ((0, 0), (0, 0), (4, 0)))
    by_shape = SprigClassifier(image_shape=(8, 12)).fit(wide.reshape(len(wide), -1)[:100], Y[:100])
    by_axes = SprigClassifier().fit(wide[:100], Y[:100])
    assert by_shape.model_.to_bytes() == by_axes.model_.to_bytes()
    with pytest.raises(ValueError, match="96 numbers"):
        SprigClassifier(image_shape=(2, 2)).fit(wide.reshape(len(wide), -1)[:10], Y[:10])


def test_refuses_bad_input(tmp_path: Path) -> None:
    with pytest.raises(sprig.InvalidError, match="fastest"):
        SprigClassifier(preset="fastest").fit(X[:10], Y[:10])
    classifier = SprigClassifier().fit(X[:100], Y[:100])
    before = classifier.model_.digest
    damaged = X[:3].copy()
    damaged[1, 5] = np.nan
    for bad in (damaged, X[:3, :60], [["a"] * 64]):
        with pytest.raises(ValueError):
            classifier.predict(bad)
        with pytest.raises(ValueError):
            classifier.partial_fit(bad, Y[: len(bad)])
    assert classifier.model_.digest == before
