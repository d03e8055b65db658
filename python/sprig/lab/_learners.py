"""Brings learners of other libraries into one form: `learn_one(x, y)` and `predict_one(x)` of images."""

import sys
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from .._model import Model


class Learner(Protocol):
    """What the protocol asks of a learner. `x` is an image, `y` its class."""

    def learn_one(self, x: Any, y: Any) -> None: ...

    def predict_one(self, x: Any) -> Any: ...


class _Sprig:
    """Sprig itself: the classes are announced, as in `sprig-lab`."""

    def __init__(self, model: Model, classes: Sequence[Any]) -> None:
        self._model = model
        self._labels = {str(label): label for label in classes}
        for name in self._labels:
            model.add_class(name)

    def learn_one(self, x: Any, y: Any) -> None:
        self._model.learn(x, str(y))

    def predict_one(self, x: Any) -> Any:
        return self._labels[self._model.predict(x) or ""]

    def predict_many(self, x: Any) -> list[Any]:
        return [self._labels[name] for name in self._model.predict_many(x)]


class _Sklearn:
    """A classifier of scikit-learn with `partial_fit`: pixels from 0 to 1 in a row, one row at a time."""

    def __init__(self, classifier: Any, classes: Sequence[Any]) -> None:
        self._classifier = classifier
        self._classes: Any = np.asarray(classes)
        self._fitted = False

    def learn_one(self, x: Any, y: Any) -> None:
        row = np.asarray(x).reshape(1, -1) / 255.0
        if self._fitted:
            self._classifier.partial_fit(row, [y])
        else:
            self._classifier.partial_fit(row, [y], classes=np.sort(self._classes))
        self._fitted = True

    def predict_one(self, x: Any) -> Any:
        return self.predict_many(np.asarray(x)[np.newaxis])[0]

    def predict_many(self, x: Any) -> list[Any]:
        if not self._fitted:
            return [None] * len(x)
        rows = np.asarray(x).reshape(len(x), -1) / 255.0
        return list(self._classifier.predict(rows).tolist())


class _River:
    """A classifier of River: pixels from 0 to 1 by their position."""

    def __init__(self, classifier: Any) -> None:
        self._classifier = classifier

    @staticmethod
    def _features(x: Any) -> dict[int, float]:
        return dict(enumerate((np.asarray(x).reshape(-1) / 255.0).tolist()))

    def learn_one(self, x: Any, y: Any) -> None:
        self._classifier.learn_one(self._features(x), y)

    def predict_one(self, x: Any) -> Any:
        return self._classifier.predict_one(self._features(x))


def adapt(learner: Any, classes: Sequence[Any]) -> Learner:
    """A learner of images, made of a `sprig.Model` or a classifier of scikit-learn or River; others are returned."""
    if isinstance(learner, Model):
        return _Sprig(learner, classes)
    river = sys.modules.get("river.base")
    if river is not None and isinstance(learner, river.Classifier):
        return _River(learner)
    if hasattr(learner, "partial_fit") and hasattr(learner, "predict"):
        return _Sklearn(learner, classes)
    for name in ("learn_one", "predict_one"):
        if not callable(getattr(learner, name, None)):
            raise TypeError(f"{type(learner).__name__} has no function {name}, so it is not a learner")
    return learner  # type: ignore[no-any-return]
