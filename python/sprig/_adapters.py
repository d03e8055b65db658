"""What the adapters to other libraries share: rows of numbers laid out as images, and labels of any type."""

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt


def images_of(rows: npt.NDArray[Any], shape: tuple[int, int] | None = None) -> npt.NDArray[np.uint8]:
    """An image for each row, of the given shape or the smallest square that holds the row.

    A row of bytes is used as it is; any other is scaled to its own range, so that its least number is 0 and its greatest
    255. What the row does not fill is 0.
    """
    rows = np.asarray(rows)
    if rows.ndim > 2:  # images already
        shape = shape or rows.shape[1:3]
        rows = rows.reshape(len(rows), -1)
    length = rows.shape[1]
    height, width = shape or square(length)
    if height * width < length:
        raise ValueError(f"a row has {length} numbers, and an image of {height} x {width} px holds {height * width}")
    images = np.zeros((len(rows), height * width), np.uint8)
    images[:, :length] = rows if rows.dtype == np.uint8 else _bytes(rows)
    return images.reshape(len(rows), height, width)


def square(length: int) -> tuple[int, int]:
    """The height and width of the smallest square that holds this number of pixels."""
    side = math.isqrt(max(length, 1) - 1) + 1
    return side, side


def _bytes(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    result = np.empty(rows.shape, np.uint8)
    for begin in range(0, len(rows), 1024):  # a part at a time, which needs less memory
        part = rows[begin : begin + 1024].astype(np.float64)
        # Halved, so that the range of the largest numbers is finite.
        low = part.min(axis=1, keepdims=True) / 2
        extent = part.max(axis=1, keepdims=True) / 2 - low
        extent[extent == 0] = 1
        result[begin : begin + 1024] = np.rint((part / 2 - low) / extent * 255)
    return result


class Labels:
    """Labels of any type, and the names that a model has for them."""

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self._labels: dict[str, Any] = {}

    def __contains__(self, label: Hashable) -> bool:
        return label in self._names

    def __getitem__(self, name: str) -> Any:
        """The label with this name."""
        return self._labels[name]

    def name(self, label: Hashable) -> str:
        """The name of a label: its text, if no other label has the same."""
        if label not in self._names:
            name = str(label) or repr(label)
            while name in self._labels:
                name = f"{name} ({type(label).__name__})"
            self._names[label] = name
            self._labels[name] = label
        return self._names[label]
