"""Sprig as a classifier of scikit-learn."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._adapters import Labels, images_of
from ._model import Model

__all__ = ["SprigClassifier"]


class SprigClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A recogniser of shapes that learns one image at a time, with any labels.

    Each row of X is an image: `image_shape` gives its height and width, by default those of the smallest square that
    holds the row. X may also have the images' rows and columns as its second and third axes. Bytes are used as they
    are; other rows are scaled to their own range. `partial_fit` accepts new classes at any time.

    Parameters
    ----------
    preset, learner, free_pose, ink, normalise
        As for `sprig.Model`.
    image_shape
        Height and width of the images.
    threads
        Number of threads, by default one for each core. It does not change the results.

    Attributes
    ----------
    classes_
        The labels, sorted.
    model_
        The `sprig.Model`. Its classes are the labels as text.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> classifier = SprigClassifier().fit(X[:1000], y[:1000])
    >>> bool(classifier.score(X[1000:], y[1000:]) > 0.9)
    True
    """

    def __init__(
        self,
        preset: str = "default",
        learner: str = "constellation",
        free_pose: bool = False,
        *,
        ink: str = "auto",
        normalise: bool | None = None,
        image_shape: tuple[int, int] | None = None,
        threads: int | None = None,
    ) -> None:
        self.preset = preset
        self.learner = learner
        self.free_pose = free_pose
        self.ink = ink
        self.normalise = normalise
        self.image_shape = image_shape
        self.threads = threads

    def fit(self, X: Any, y: Any) -> "SprigClassifier":
        """Learn a data set, row by row, with a new model."""
        return self._learn(X, y, reset=True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> "SprigClassifier":
        """Learn more rows. `classes` may announce labels; labels that are new are added in any case."""
        return self._learn(X, y, reset=not hasattr(self, "model_"), announced=classes)

    def _learn(self, X: Any, y: Any, *, reset: bool, announced: Any = None) -> "SprigClassifier":
        X, y = validate_data(self, X, y, reset=reset, dtype="numeric", allow_nd=True)
        check_classification_targets(y)
        images = images_of(X, self.image_shape)
        if reset:
            self.model_ = self._new_model()
            self._labels = Labels()
            self.classes_ = np.unique(y)[:0]
        # Added in sorted order, so that of equal scores the first column's class is the answer.
        new = np.union1d(np.unique(y), np.asarray(self.classes_[:0] if announced is None else announced))
        for label in new.tolist():
            if label not in self._labels:
                self.model_.add_class(self._labels.name(label))
        self.classes_ = np.union1d(self.classes_, new)
        self._columns = {self._labels.name(label): column for column, label in enumerate(self.classes_.tolist())}
        self.model_.learn_many(images, [self._labels.name(label) for label in y.tolist()], threads=self.threads)
        return self

    def _new_model(self) -> Model:
        return Model(None, self.preset, self.learner, self.free_pose, ink=self.ink, normalise=self.normalise)

    def _images(self, X: Any) -> npt.NDArray[np.uint8]:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype="numeric", allow_nd=True)
        return images_of(X, self.image_shape)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The labels of rows."""
        images = self._images(X)
        names = self.model_.predict_many(images, threads=self.threads)
        return self.classes_[[self._columns[name] for name in names]]

    def _table(self, X: Any, *, scores: bool) -> npt.NDArray[np.float64]:
        images = self._images(X)
        answers = self.model_.answer_many(images, threads=self.threads)
        table = np.empty((len(answers), len(self.classes_)))
        for row, answer in zip(table, answers):
            for name, probability, score in answer.ranking:
                row[self._columns[name]] = score if scores else probability
        return table

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The probabilities of the classes for rows, in the order of `classes_`."""
        return self._table(X, scores=False)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The scores of the classes for rows; of two classes, the lead of the second."""
        scores = self._table(X, scores=True)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
