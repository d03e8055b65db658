"""Brings images in other forms than arrays of bytes into one of three: an array of bytes, a path, or a list of strokes.

The module in C++ calls `plain` and `plain_batch` for everything that it cannot read in place.
"""

import os
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]


def plain(x: Any, name: str = "the image") -> "Bytes | str | list[npt.NDArray[np.float64]]":
    """One image as an array of bytes, a path, or a list of strokes."""
    if isinstance(x, np.ndarray):
        return grey_bytes(x, name)
    if isinstance(x, (str, os.PathLike)):
        return os.fsdecode(x)
    if _is_pil(x):
        return _pil_bytes(x)
    if isinstance(x, (list, tuple)):
        return _strokes(x, name) if _has_points(x) else grey_bytes(_as_array(x, name), name)
    if hasattr(x, "__array__") or hasattr(x, "__dlpack__") or hasattr(x, "__array_interface__"):
        return grey_bytes(_as_array(x, name), name)
    raise TypeError(f"{name} is of type {type(x).__name__}; an image is an array, a PIL image, a path, the content of a file, or a list of strokes")


def plain_batch(images: Any) -> "Bytes | list[Any]":
    """Images as an array of bytes with an image in each row, or as a list."""
    if isinstance(images, (str, os.PathLike)):
        raise TypeError("images is one path; a batch is an array with an image in each row, or a sequence of images")
    if not isinstance(images, np.ndarray) and hasattr(images, "to_numpy"):  # a pandas table
        images = images.to_numpy()
    if isinstance(images, np.ndarray):
        if images.dtype == object:
            return list(images)
        if images.ndim < 2:
            raise ValueError("images has one dimension; a batch is an array with an image in each row")
        return grey_bytes(images, "images")
    try:
        return list(images)
    except TypeError:
        raise TypeError(
            f"images is of type {type(images).__name__}; a batch is an array with an image in each row, "
            "or a sequence of images"
        ) from None


def grey_bytes(x: npt.NDArray[Any], name: str) -> Bytes:
    """An array of bytes with the same shape: floats from 0 to 1 become 0 to 255."""
    kind = x.dtype.kind
    if x.dtype == np.uint8:
        return np.ascontiguousarray(x)
    if kind == "b":
        return np.ascontiguousarray(x).astype(np.uint8) * np.uint8(255)
    if kind not in "iuf":
        raise TypeError(f"{name} has elements of type {x.dtype}; pixels are numbers")
    if x.size == 0:
        return np.zeros(x.shape, np.uint8)
    low, high = x.min(), x.max()
    if kind == "f":
        if np.isnan(low) or np.isnan(high):
            raise ValueError(f"{name} has a pixel that is not a number (NaN)")
        if low < 0 or high > 1:
            raise ValueError(
                f"{name} has pixels from {low:g} to {high:g}; floats must be from 0 to 1, whole numbers from 0 to 255: "
                "divide by the greatest value, or use astype('uint8')"
            )
        return np.rint(np.ascontiguousarray(x) * 255.0).astype(np.uint8)
    if low < 0 or high > 255:
        raise ValueError(f"{name} has pixels from {low} to {high}; whole numbers must be from 0 to 255")
    return np.ascontiguousarray(x).astype(np.uint8)


def _as_array(x: Any, name: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(x)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths") from None


def _is_pil(x: Any) -> bool:
    image = sys.modules.get("PIL.Image")  # whoever has such an image has loaded its module
    return image is not None and isinstance(x, image.Image)


def _pil_bytes(x: Any) -> Bytes:
    from PIL import ImageOps

    x = ImageOps.exif_transpose(x)
    if x.mode == "1":
        x = x.convert("L")
    elif x.mode == "P" or (x.mode not in ("L", "LA", "RGB", "RGBA") and "transparency" in x.info):
        x = x.convert("RGBA")
    elif x.mode not in ("L", "LA", "RGB", "RGBA"):
        x = x.convert("RGB")
    return np.ascontiguousarray(np.asarray(x))


def _has_points(x: "list[Any] | tuple[Any, ...]") -> bool:
    """Whether a list is one of strokes, which have points, and not of rows, which have numbers."""
    if len(x) == 0 or not isinstance(x[0], (list, tuple, np.ndarray)):
        return False
    first = x[0]
    return len(first) > 0 and isinstance(first[0], (list, tuple, np.ndarray))


def _strokes(x: "list[Any] | tuple[Any, ...]", name: str) -> "list[npt.NDArray[np.float64]]":
    strokes = []
    for stroke in x:
        try:
            points = np.asarray(stroke, dtype=np.float64)
        except (TypeError, ValueError):
            points = np.empty(0)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise ValueError(f"{name} has a stroke that is not a list of points (x, y) or (x, y, time)")
        strokes.append(points)
    return strokes
