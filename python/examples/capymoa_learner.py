"""Sprig as a classifier of CapyMOA (https://capymoa.org), for its evaluations and its online continual learning.

The features of an instance are the pixels of an image, row by row. Without a class of one's own, CapyMOA's wrapper for
scikit-learn does it, too:

    from capymoa.base import SKClassifier
    from sprig.sklearn import SprigClassifier

    learner = SKClassifier(SprigClassifier(), schema)
"""

from typing import Any

import numpy as np
from capymoa.base import Classifier

import sprig


class SprigLearner(Classifier):
    """A recogniser of shapes. `image_shape` is the images' height and width, by default those of a square."""

    def __init__(
        self,
        schema: Any,
        random_seed: int = 1,
        image_shape: tuple[int, int] | None = None,
        preset: str = "default",
        free_pose: bool = False,
    ) -> None:
        super().__init__(schema, random_seed)  # the seed has no effect: this learner uses no random numbers
        self.image_shape = image_shape
        self.model = sprig.Model(preset=preset, free_pose=free_pose)

    def _image(self, instance: Any) -> Any:
        x = np.asarray(instance.x, dtype=np.float64)
        low, high = x.min(), x.max()
        x = np.zeros_like(x) if low == high else (x - low) / (high - low)  # streams scale their pixels in many ways
        return x if self.image_shape is None else x.reshape(self.image_shape)

    def train(self, instance: Any) -> None:
        label = self.schema.get_value_for_index(instance.y_index)
        if label is not None:  # instances may have no label
            self.model.learn(self._image(instance), label)

    def predict(self, instance: Any) -> int | None:
        label = self.model.predict(self._image(instance))
        return None if label is None else self.schema.get_index_for_label(label)

    def predict_proba(self, instance: Any) -> Any:
        if not self.model.classes:
            return None
        probabilities = self.model.predict_proba(self._image(instance))
        return np.array([probabilities.get(label, 0.0) for label in self.schema.get_label_values()])


def main() -> None:
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import NumpyStream

    images, labels = sprig.load_dataset("mnist:train:0-1999")
    stream = NumpyStream(images.reshape(len(images), -1), labels.astype(int), dataset_name="MNIST")
    learner = SprigLearner(stream.get_schema())
    results = prequential_evaluation(stream, learner)
    print(f"accuracy of predicting each image before learning it: {results.cumulative.accuracy():.1f} %")
    print(learner.model)


if __name__ == "__main__":
    main()
