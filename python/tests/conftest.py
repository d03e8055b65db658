"""Fixtures of all tests: shapes that are drawn here, digits of MNIST, and the programs."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import sprig

ROOT = Path(__file__).resolve().parents[2]
Strokes = list[list[tuple[float, float]]]

CROSS: Strokes = [[(0, 0), (10, 10)], [(0, 10), (10, 0)]]
SQUARE: Strokes = [[(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]]
ZIGZAG: Strokes = [[(0, 0), (10, 0), (0, 10), (10, 10)]]
SHAPES = {"cross": CROSS, "square": SQUARE, "zigzag": ZIGZAG}


@pytest.fixture
def shapes() -> sprig.Model:
    """A model of three shapes with one lesson each."""
    model = sprig.Model()
    for label, strokes in SHAPES.items():
        model.learn(strokes, label)
    return model


def draw_square(side: int = 28, margin: int = 7) -> npt.NDArray[np.uint8]:
    image = np.zeros((side, side), np.uint8)
    image[margin:-margin, margin:-margin] = 255
    return image


def draw_plus(side: int = 28, margin: int = 4, half: int = 2) -> npt.NDArray[np.uint8]:
    image = np.zeros((side, side), np.uint8)
    middle = side // 2
    image[middle - half : middle + half, margin:-margin] = 255
    image[margin:-margin, middle - half : middle + half] = 255
    return image


@pytest.fixture(scope="session")
def digits() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.str_]]:
    """The first 2,000 images of MNIST with their labels."""
    try:
        return sprig.load_dataset("mnist:train:0-1999")
    except sprig.Error:
        if os.environ.get("CI"):
            raise
        pytest.skip("MNIST is not installed: sprig data get mnist")


@pytest.fixture(scope="session")
def ten_digits(digits: Any) -> sprig.Model:
    """A model of the ten digits, which tests do not change."""
    images, labels = digits
    model = sprig.Model()
    model.learn_many(images[:1000], labels[:1000])
    return model


def _program(variable: str, name: str) -> str:
    found = os.environ.get(variable) or shutil.which(name)
    if not found or not Path(found).exists():
        pytest.skip(f"the program {name} is not there: make build, or set {variable}")
    return found


@pytest.fixture(scope="session")
def program() -> str:
    """The program in C++, built by `make build`."""
    return _program("SPRIG_PROGRAM", "sprig")


@pytest.fixture(scope="session")
def lab_program() -> str:
    return _program("SPRIG_LAB_PROGRAM", "sprig-lab")


@pytest.fixture
def raises_in() -> Callable[..., str]:
    """Calls a function that must fail, and returns the sentence of the exception."""

    def call(kind: type[Exception], function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
        with pytest.raises(kind) as caught:
            function(*arguments, **options)
        text = str(caught.value)
        assert text and "\n" not in text
        return text

    return call
