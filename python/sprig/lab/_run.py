"""Runs learners along a stream."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import measures
from ._learners import adapt
from ._stream import Stream

Progress = Callable[[int, int], None]
EVALUATE = ("blocks", "cycles", "final")


@dataclass
class Run:
    """One learner along one stream."""

    learner: str
    seed: int
    classes: list[Any]
    accuracy: npt.NDArray[np.float64]  #: by cycle, block and class; NaN where nothing was evaluated
    prequential: npt.NDArray[np.bool_]  #: for each image, whether it was recognised just before it was learned
    seconds_learning: float = 0.0
    seconds_predicting: float = 0.0
    predictions: int = 0
    details: dict[str, Any] = field(default_factory=dict)  #: for what the caller wants to keep

    def measures(self) -> dict[str, float | None]:
        """All measures by name; None where an evaluation is missing."""
        values = {name: measure(self.accuracy) for name, measure in measures.ALL.items()}
        values["prequential_accuracy"] = float(self.prequential.mean()) if self.prequential.size else None
        return values

    @property
    def images_per_second(self) -> float:
        """Lessons and predictions per second of the learner's own time."""
        seconds = self.seconds_learning + self.seconds_predicting
        return (self.prequential.size + self.predictions) / seconds if seconds > 0 else float("nan")


def run(
    learner: Any,
    stream: Stream,
    *,
    name: str | None = None,
    evaluate: str = "blocks",
    prequential: bool = True,
    progress: Progress | None = None,
) -> Run:
    """Run a new learner along a stream.

    `evaluate` says after which blocks the held-out images are tested: all ('blocks'), the last of every cycle
    ('cycles') or the last one ('final'). With `prequential`, each image is predicted before it is learned. `progress`
    is called with the numbers of images learned and in all.
    """
    if evaluate not in EVALUATE:
        raise ValueError(f"evaluate is 'blocks', 'cycles' or 'final', not {evaluate!r}")
    # The learner may be asked before it has learned anything, and about classes that it has not seen.
    adapted: Any = adapt(learner, stream.classes)
    classes = stream.classes
    blocks = len(classes)
    result = Run(
        name or type(learner).__name__,
        stream.seed,
        classes,
        np.full((stream.cycles, blocks, blocks), np.nan),
        np.zeros(len(stream) if prequential else 0, dtype=np.bool_),
    )
    learned = 0
    for cycle, block, indices in stream.blocks():
        for index in indices:
            image = stream.images[index]
            if prequential:
                start = time.perf_counter()
                result.prequential[learned] = adapted.predict_one(image) == classes[block]
                result.seconds_predicting += time.perf_counter() - start
                result.predictions += 1
            start = time.perf_counter()
            adapted.learn_one(image, classes[block])
            result.seconds_learning += time.perf_counter() - start
            learned += 1
        is_last = block + 1 == blocks
        if evaluate == "blocks" or (is_last and (evaluate == "cycles" or cycle + 1 == stream.cycles)):
            result.accuracy[cycle, block] = _accuracies(adapted, stream, result)
        if progress is not None:
            progress(learned, len(stream))
    return result


def _accuracies(learner: Any, stream: Stream, result: Run) -> list[float]:
    by_class = []
    for label, indices in zip(stream.classes, stream.held_out):
        start = time.perf_counter()
        if hasattr(learner, "predict_many"):
            images = stream.images
            answers = learner.predict_many(
                images[indices] if isinstance(images, np.ndarray) else [images[i] for i in indices]
            )
        else:
            answers = [learner.predict_one(stream.images[i]) for i in indices]
        result.seconds_predicting += time.perf_counter() - start
        result.predictions += len(indices)
        by_class.append(sum(bool(answer == label) for answer in answers) / len(indices))
    return by_class
