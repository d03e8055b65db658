"""The measures of docs/protocol.md, as functions of an accuracy matrix.

The matrix has an axis for cycles, one for blocks and one for classes: `a[t, b, c]` is the accuracy on held-out images
of class c after block b of cycle t, and block c teaches class c. Where nothing was evaluated it has NaN, and measures
that need it are None.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]

EARLY_CYCLES = 3


def _or_none(value: "float | np.floating") -> float | None:
    return None if np.isnan(value) else float(value)


def accuracy_final(a: Matrix) -> float | None:
    """The accuracy after the last block: the mean over classes."""
    return _or_none(a[-1, -1].mean())


def early(a: Matrix) -> float | None:
    """The mean accuracy at the ends of the first three cycles."""
    return _or_none(a[:EARLY_CYCLES, -1].mean())


def within_cycle_retention(
    a: Matrix, cycles: int | None = None, threshold: float = 0.3
) -> tuple[float, float] | tuple[None, None]:
    """The share of a class's accuracy right after its block that is left at the end of the cycle, and at worst.

    It is the mean over the first `cycles` cycles, and over the classes that were above the threshold after their block;
    a share is at most 1.
    """
    if np.isnan(a).any():
        return None, None
    ends, worsts = [], []
    for cycle in a[:cycles]:
        for c in range(len(cycle)):
            learned = cycle[c, c]
            if learned > threshold:
                ends.append(min(cycle[-1, c] / learned, 1.0))
                worsts.append(min(cycle[c:, c].min() / learned, 1.0))
    return (float(np.mean(ends)), float(np.mean(worsts))) if ends else (None, None)


def retention_loss(a: Matrix) -> float | None:
    """Of each class the highest accuracy at any time minus the final one: the mean over classes."""
    checkpoints = a.reshape(-1, a.shape[2])
    return _or_none((checkpoints.max(axis=0) - checkpoints[-1]).mean())


def average_forgetting(a: Matrix) -> float | None:
    """Chaudhry and others (2018), with the blocks as experiences."""
    checkpoints = a.reshape(-1, a.shape[2])
    if a.shape[2] < 2:
        return None
    return _or_none((checkpoints[:-1].max(axis=0) - checkpoints[-1])[:-1].mean())


def backward_transfer(a: Matrix) -> float | None:
    """Lopez-Paz and Ranzato (2017): final accuracies minus those right after the first block of each class."""
    if a.shape[2] < 2 or np.isnan(a).any():
        return None
    return _or_none((a[-1, -1] - np.diagonal(a[0]))[:-1].mean())


def anytime_accuracy(a: Matrix) -> float | None:
    """Caccia and others (2022): the mean over all blocks of the accuracy on the classes seen so far."""
    means = [a[t, b, : b + 1 if t == 0 else None].mean() for t in range(a.shape[0]) for b in range(a.shape[1])]
    return _or_none(np.mean(means))


#: By name, in the order of the tables.
ALL: dict[str, Callable[[Matrix], float | None]] = {
    "accuracy_final": accuracy_final,
    "early": early,
    "wcr_end": lambda a: within_cycle_retention(a, EARLY_CYCLES)[0],
    "wcr_worst": lambda a: within_cycle_retention(a, EARLY_CYCLES)[1],
    "wcr_end_all": lambda a: within_cycle_retention(a)[0],
    "wcr_worst_all": lambda a: within_cycle_retention(a)[1],
    "retention_loss": retention_loss,
    "average_forgetting": average_forgetting,
    "backward_transfer": backward_transfer,
    "anytime_accuracy": anytime_accuracy,
}
