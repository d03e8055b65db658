"""Sprig as a classifier of River."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from river import base

from ._adapters import Labels, images_of
from ._model import Explanation, Model

__all__ = ["SprigClassifier"]


class SprigClassifier(base.Classifier):
    """A recogniser of shapes that learns one image at a time, with any labels.

    The features are the pixels of an image, `{"image": array}` with an image as for `sprig.Model`, or numbers with any
    names. Numbers are laid out as an image in the sorted order of the first sample's names, in the smallest square
    that holds them, and scaled to their own range. Names that come later are added behind, and what a sample lacks is
    the least of its numbers.

    Parameters
    ----------
    preset, learner, free_pose, ink, normalise
        As for `sprig.Model`.

    Examples
    --------
    >>> from river import metrics
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model, accuracy = SprigClassifier(), metrics.Accuracy()
    >>> for image, label in zip(X.reshape(-1, 8, 8)[:500] / 16, y):
    ...     accuracy.update(label, model.predict_one({"image": image}))
    ...     model.learn_one({"image": image}, label)
    >>> accuracy.get() > 0.85
    True
    """

    def __init__(
        self,
        preset: str = "default",
        learner: str = "constellation",
        free_pose: bool = False,
        ink: str = "auto",
        normalise: bool | None = None,
    ) -> None:
        self.preset = preset
        self.learner = learner
        self.free_pose = free_pose
        self.ink = ink
        self.normalise = normalise
        self.model = Model(None, preset, learner, free_pose, ink=ink, normalise=normalise)
        self._labels = Labels()
        self._places: dict[Hashable, int] = {}  # of the features in the image

    @property
    def _multiclass(self) -> bool:
        return True

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {"preset": "default"}

    def _image(self, x: dict[Any, Any]) -> Any:
        if "image" in x and len(x) == 1:
            return x["image"]
        new = [name for name in x if name not in self._places]
        row = np.full(len(self._places) + len(new), min((float(value) for value in x.values()), default=0.0))
        places = self._places
        if new:
            places = places | {name: len(places) + i for i, name in enumerate(sorted(new, key=_sort_key))}
        for name, value in x.items():
            row[places[name]] = value
        return images_of(row[np.newaxis])[0]

    def learn_one(self, x: dict[Any, Any], y: Any) -> None:
        """Learn an image and its label."""
        image = self._image(x)
        self.model.learn(image, self._labels.name(y))
        if not ("image" in x and len(x) == 1):
            for name in sorted((name for name in x if name not in self._places), key=_sort_key):
                self._places[name] = len(self._places)

    def predict_one(self, x: dict[Any, Any], **_: Any) -> Any:
        """The label of an image; None before the first lesson."""
        name = self.model.predict(self._image(x))
        return None if name is None else self._labels[name]

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        """The probability of each label."""
        return {self._labels[name]: p for name, p in self.model.predict_proba(self._image(x)).items()}

    def explain_one(self, x: dict[Any, Any]) -> Explanation:
        """Why the model gives its answer for an image."""
        return self.model.explain(self._image(x))

    def debug_one(self, x: dict[Any, Any]) -> str:
        """Why the model gives its answer for an image, in a few sentences."""
        return self.explain_one(x).text


def _sort_key(name: Hashable) -> tuple[str, Any]:
    """Numbers in their order, also as text at the end of names: pixel2 before pixel10."""
    text = str(name)
    digits = len(text) - len(text.rstrip("0123456789"))
    return (text, -1) if digits == 0 else (text[:-digits], int(text[-digits:]))
