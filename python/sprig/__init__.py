"""Learns to recognise shapes continually: one image at a time, each seen once, nothing stored, nothing forgotten.

>>> import numpy as np
>>> import sprig
>>> square, cross = np.zeros((2, 28, 28), np.uint8)
>>> square[6:22, 6:22] = 255
>>> cross[12:16, 4:24] = cross[4:24, 12:16] = 255
>>> model = sprig.Model()
>>> model.learn(square, "square")
>>> model.learn(cross, "cross")
>>> model.predict(np.roll(cross, 2, axis=0))
'cross'
"""

import os

from . import _core
from ._core import Answer, Error, InvalidError, Network
from ._model import Drawing, Element, Explanation, Model, Unit, load_dataset, topology

__version__: str = _core.version
__all__ = [
    "Answer",
    "Drawing",
    "Element",
    "Error",
    "Explanation",
    "InvalidError",
    "Model",
    "Network",
    "Unit",
    "__version__",
    "load_dataset",
    "topology",
]

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_core.after_fork_in_child)
