"""The model, and the values that it returns."""

import atexit
import html
import json
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core

Path = str | os.PathLike[str]
Progress = Callable[[int, int], None]


class Drawing:
    """A drawing: SVG text that a notebook shows."""

    def __init__(self, svg: str) -> None:
        self.svg = svg  #: the drawing as SVG text

    def save(self, path: Path) -> None:
        """Write the drawing to an SVG file."""
        _write(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing: {len(self.svg)} characters of SVG>"


class Element(NamedTuple):
    """A point of the image, and how much it contributes to the answer."""

    x: float  #: in the coordinates of the network: from the ink's centre, in units of its size
    y: float  #: grows downwards
    type: str  #: such as 'x-max-convex': where the contour turns
    lead: float  #: how much the lead of the answer falls without it; negative: it speaks for the other class
    decisive: bool  #: whether it is one of the few points that decide


class Explanation:
    """Why a model gave its answer for an image, and what would change it."""

    def __init__(self, values: _core.Explanation) -> None:
        self._values = values

    @property
    def text(self) -> str:
        """A few sentences: the answer, the reasons for it, and what would change it."""
        return self._values.text()

    @property
    def svg(self) -> str:
        """The explanation as a drawing, in SVG text."""
        return self._values.svg()

    @property
    def values(self) -> dict[str, Any]:
        """Everything that is known, as nested dictionaries; docs/method.md lists the keys."""
        return json.loads(self._values.json())  # type: ignore[no-any-return]

    @property
    def label(self) -> str | None:
        """The answer; None if the model has no classes."""
        return self.values["answer"]  # type: ignore[no-any-return]

    @property
    def versus(self) -> str | None:
        """The class that the answer is compared with; None if there is no other."""
        return self.values["compared_with"]  # type: ignore[no-any-return]

    @property
    def elements(self) -> list[Element]:
        """The points of the image, those that contribute most to the lead of the answer first."""
        values = self.values
        decisive = set(values["decisive"])
        return [
            Element(one["at"][0], one["at"][1], one["type"], one["decides"], one["node"] in decisive)
            for one in values["elements"]
        ]

    def save(self, path: Path) -> None:
        """Write the drawing to an SVG file."""
        _write(path, self.svg)

    def _repr_html_(self) -> str:
        return f"{self.svg}<pre>{html.escape(self.text)}</pre>"

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


class Unit:
    """A learned variant of a class: what a model knows is a list of these."""

    def __init__(self, values: _core.Unit) -> None:
        self._values = values

    @property
    def id(self) -> str:
        """A permanent name: equal histories give equal names."""
        return self._values.id

    @property
    def label(self) -> str:
        """The class."""
        return self._values.label

    @property
    def samples(self) -> int:
        """The number of images that it was found in while learning."""
        return self._values.samples

    @property
    def positive(self) -> bool:
        """Whether it is evidence for its class; Constellation has no others."""
        return self._values.positive

    @property
    def depth(self) -> int:
        """1 if it is about a class; 2 if it is about such a unit, and so on."""
        return self._values.depth

    @property
    def target(self) -> str | None:
        """The id of the unit that it is about; None: its class."""
        return self._values.target

    @property
    def positions(self) -> npt.NDArray[np.float64]:
        """The mean positions of its points, one row for each."""
        return self._values.positions

    @property
    def spread(self) -> npt.NDArray[np.float64]:
        """The standard deviations of the positions."""
        return self._values.spread

    @property
    def presence(self) -> npt.NDArray[np.float64]:
        """For each point, the probability that an image of the class has it."""
        return self._values.presence

    @property
    def types(self) -> list[str]:
        """For each point, its type, such as 'x-max-convex'."""
        return self._values.types

    @property
    def svg(self) -> str:
        """The unit as a drawing, in SVG text."""
        return self._values.svg()

    def __len__(self) -> int:
        return len(self._values)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return repr(self._values)


class Model:
    """A recogniser of shapes that learns one image at a time.

    An image is one of:

    - an array with rows and columns, or a flat one of a square image, with whole numbers from 0 to 255 or floats from
      0 to 1; a third axis has 3 or 4 colour channels;
    - a PIL image;
    - the path of a PNG, JPEG, BMP, PGM or PPM file, or its content as bytes;
    - pen strokes: a list of strokes, each a list of points (x, y) or (x, y, time).

    How arrays and PIL images are read: if both sides are shorter than 64 px, as they are, and bright pixels are ink,
    as in MNIST; if three quarters of the border are bright, dark pixels are ink. Larger ones are pictures, as files
    are: the light is evened out, ink is what stands out from the background, and it is scaled to the size that the
    model needs.

    Parameters
    ----------
    path
        The file of the model. It is opened, or created by the first lesson, and every lesson is in it when `learn`
        returns. None: the model is in memory only.
    preset, learner
        Of a new model. 'default' is the learner's own default. A file must match other choices than these.
    free_pose
        Whether a new model recognises shapes that are turned, mirrored or upside down.
    ink
        'auto': as above. 'light': bright pixels are ink in all images. 'dark': dark ones.
    normalise
        True: treat arrays of all sizes as pictures. False: read them all as they are.
    settings
        Parameters that override the preset's; docs/method.md describes them.
    seed
        Of the Modeller, which uses random numbers.
    durable
        Wait for the disk at every lesson, so that lessons survive a power failure.
    undo
        How many lessons can be undone.
    budget
        How many units an answer looks at, those that are most like the image. 0: all. Makes models of
        thousands of classes faster; the answer is nearly always the same.

    Examples
    --------
    >>> model = Model()
    >>> model.learn([[(0, 0), (10, 10)], [(0, 10), (10, 0)]], "cross")
    >>> model.learn([[(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]], "square")
    >>> model.predict([[(2, 1), (30, 28)], [(1, 29), (31, 2)]])
    'cross'
    """

    def __init__(
        self,
        path: Path | None = None,
        preset: str = "default",
        learner: str = "constellation",
        free_pose: bool = False,
        *,
        ink: str = "auto",
        normalise: bool | None = None,
        settings: Mapping[str, object] | None = None,
        seed: int | None = None,
        durable: bool = False,
        undo: int = 20,
        budget: int = 0,
    ) -> None:
        source = _core.Source.nothing() if path is None else _core.Source.file(os.fsdecode(path))
        # A file keeps its own learner and preset, so the defaults ask for nothing.
        self._start(
            source,
            {
                "learner": "" if learner == "constellation" else learner,
                "preset": "" if preset == "default" else preset,
                "settings": dict(settings or {}),
                "free_pose": bool(free_pose),
                "seed": None if seed is None else _count(seed, "seed", least=0),
                "durable": bool(durable),
                "undo": _count(undo, "undo", least=0),
                "budget": _count(budget, "budget", least=0),
                "ink": ink,
                "normalise": normalise,
            },
        )
        if path is not None:
            _models_with_files.add(self)

    @classmethod
    def load(
        cls, path: Path, *, ink: str = "auto", normalise: bool | None = None, budget: int = 0
    ) -> "Model":
        """Read a model file, or a file of `to_bytes`, into memory. Changes are not written to the file."""
        source = _core.Source.copy_of_file(os.fsdecode(path))
        return cls._from(source, ink=ink, normalise=normalise, budget=_count(budget, "budget", least=0))

    @classmethod
    def from_bytes(
        cls, data: bytes, *, ink: str = "auto", normalise: bool | None = None, budget: int = 0
    ) -> "Model":
        """Make a model of what `to_bytes` returned."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a model is made of bytes, not of {type(data).__name__}; `load` takes a path")
        source = _core.Source.content(bytes(data))
        return cls._from(source, ink=ink, normalise=normalise, budget=_count(budget, "budget", least=0))

    @classmethod
    def _from(cls, source: _core.Source, **options: Any) -> "Model":
        model = cls.__new__(cls)
        defaults = {
            "learner": "",
            "preset": "",
            "settings": {},
            "free_pose": False,
            "seed": None,
            "durable": False,
            "undo": 20,
            "budget": 0,
            "ink": "auto",
            "normalise": None,
        }
        model._start(source, defaults | options)
        return model

    def _start(self, source: _core.Source, options: dict[str, Any]) -> None:
        self._core = _core.Model(source, _core.Options(**options))
        self._reading = {key: options[key] for key in ("ink", "normalise", "budget")}

    # Learning

    def learn(self, x: Any, label: str) -> None:
        """Learn one image. A new label adds a class."""
        self._core.learn(x, _label(label))

    def learn_many(
        self, X: Any, y: Iterable[str], *, threads: int | None = None, progress: Progress | None = None
    ) -> None:
        """Learn images in their order, which gives the same model as `learn` for each.

        `threads` is the number of threads that prepare images, by default one for each core; the result does not
        depend on it. `progress` is called with the numbers of images learned and in all, a few times per second. If
        an image cannot be used or the work is interrupted, the images before it remain learned.
        """
        self._core.learn_many(X, _labels(y), _threads(threads), progress)

    def add_class(self, label: str) -> None:
        """Add a class before its first image."""
        self._core.add_class(_label(label))

    def undo(self) -> None:
        """Undo the last lesson."""
        self._core.undo()

    def rename(self, label: str, new_label: str) -> None:
        """Rename a class. Earlier lessons cannot be undone then."""
        self._core.rename(_label(label), _label(new_label))

    def forget(self, label: str) -> None:
        """Remove a class. Earlier lessons cannot be undone then."""
        self._core.forget(_label(label))

    def merge(self, other: "Model") -> None:
        """Add all classes of another model. The result equals learning both streams."""
        if not isinstance(other, Model):
            raise TypeError(f"a model is merged with another model, not with {type(other).__name__}")
        self._core.merge(other._core)

    # Answers

    def predict(self, x: Any) -> str | None:
        """The class of an image; None if the model has no classes."""
        return self._core.decide(x) or None

    def predict_many(
        self, X: Any, *, threads: int | None = None, progress: Progress | None = None
    ) -> npt.NDArray[Any]:
        """The classes of images, as an array of strings (of None, if the model has no classes)."""
        labels = self._core.decide_many(X, _threads(threads), progress)
        if "" in labels:
            return np.full(len(labels), None, dtype=object)
        return np.array(labels, dtype=np.str_)

    def answer(self, x: Any) -> _core.Answer:
        """The answer for an image with its probability, how well it fits, and all other classes."""
        return self._core.predict(x)

    def answer_many(
        self, X: Any, *, threads: int | None = None, progress: Progress | None = None
    ) -> list[_core.Answer]:
        """The answers for images."""
        return self._core.predict_many(X, _threads(threads), progress)

    def predict_proba(self, x: Any) -> dict[str, float]:
        """The probability of each class for an image."""
        return {label: probability for label, probability in self.answer(x).top(len(self.classes))}

    def predict_proba_many(
        self, X: Any, *, threads: int | None = None, progress: Progress | None = None
    ) -> npt.NDArray[np.float64]:
        """The probabilities for images: a row for each, with a column for each of `classes`."""
        columns = {label: column for column, label in enumerate(self.classes)}
        answers = self.answer_many(X, threads=threads, progress=progress)
        result = np.zeros((len(answers), len(columns)))
        for row, answer in zip(result, answers):
            for label, probability, _ in answer.ranking:
                row[columns[label]] = probability
        return result

    def top(self, x: Any, k: int = 3) -> list[tuple[str, float]]:
        """The k most likely classes of an image with their probabilities, most likely first."""
        return self.answer(x).top(_count(k, "k"))

    def explain(self, x: Any, versus: str | None = None) -> Explanation:
        """Why the model gives its answer for an image, compared with the class `versus` (default: the second best)."""
        return Explanation(self._core.explain(x, None if versus is None else _label(versus)))

    def test(self, X: Any, y: Iterable[str], *, threads: int | None = None) -> dict[str, Any]:
        """Assess the model on labelled images: accuracy, calibration, results by class, confusion."""
        return json.loads(self._core.test(X, _labels(y), _threads(threads)))  # type: ignore[no-any-return]

    def score(self, X: Any, y: Iterable[str], *, threads: int | None = None) -> float:
        """The share of images that are recognised."""
        truth = np.array(_labels(y), dtype=object)
        answers = self.predict_many(X, threads=threads)
        if len(truth) != len(answers):
            raise ValueError(f"there are {len(answers)} images and {len(truth)} labels")
        if len(truth) == 0:
            raise ValueError("there are no images, so there is no accuracy")
        return float(np.mean(answers == truth))

    def extract(self, x: Any) -> _core.Network:
        """The network that the model makes of an image: the points where its contours turn, and their relations."""
        return self._core.extract(x)

    # What was learned

    @property
    def classes(self) -> list[str]:
        """The classes in order of arrival."""
        return self._core.classes()

    @property
    def samples(self) -> dict[str, int]:
        """The number of images learned of each class."""
        return dict(zip(self._core.classes(), self._core.samples()))

    @property
    def digest(self) -> str:
        """A digest of what was learned: equal histories give equal digests, as in the program."""
        return self._core.digest()

    @property
    def free_pose(self) -> bool:
        """Whether shapes are recognised in any pose."""
        return bool(self.facts["free_pose"])

    @property
    def facts(self) -> dict[str, Any]:
        """The learner, its preset and parameters, and the numbers of lessons learned and that can be undone."""
        facts: dict[str, Any] = self._core.facts()
        facts["parameters"] = json.loads(facts["parameters"])
        facts["front_end"] = json.loads(facts["front_end"])
        facts["bytes"] = self._core.size_in_bytes()
        return facts

    def units(self) -> list[Unit]:
        """Everything that was learned: the variants of each class."""
        return [Unit(unit) for unit in self._core.units()]

    def events(self) -> list[tuple[int, str, str]]:
        """The latest changes of structure, oldest first: the lesson, what happened, and the id of the unit."""
        return self._core.events()

    def explain_global(self) -> dict[str, Any]:
        """What was learned, as nested dictionaries; docs/method.md lists the keys."""
        return json.loads(self._core.explain_global())  # type: ignore[no-any-return]

    def draw(self) -> Drawing:
        """A drawing of everything that was learned."""
        return Drawing(self._core.draw())

    # Storage

    def save(self, path: Path) -> None:
        """Write a copy to a new model file."""
        self._core.save(os.fsdecode(path))

    def to_bytes(self) -> bytes:
        """What was learned in a compact form. Equal content gives equal bytes on every machine."""
        return self._core.to_bytes()

    def close(self) -> None:
        """Close the file. The model can still be asked, but not changed."""
        self._core.close()

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def copy(self) -> "Model":
        """An independent copy in memory, without the lessons that can be undone."""
        return type(self)._from(_core.Source.content(self.to_bytes()), **self._reading)

    def __copy__(self) -> "Model":
        return self.copy()

    def __deepcopy__(self, _: object) -> "Model":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (type(self), self.to_bytes(), self._reading)

    def __repr__(self) -> str:
        facts = self.facts
        classes, lessons = self.classes, sum(self._core.samples())
        shown = ", ".join(classes[:8]) + (", ..." if len(classes) > 8 else "")
        return (
            f"<sprig.Model: {facts['learner']}, preset {facts['preset'] or 'unknown'}; {lessons} images learned; "
            f"{len(classes)} classes{': ' if shown else ''}{shown}>"
        )

    def _repr_html_(self) -> str:
        text = f"<p>{html.escape(repr(self))}</p>"
        return text + self.draw().svg if self._core.units() else text


def load_dataset(address: str) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.str_]]:
    """Images of one size and their labels, from an address as in the program, such as 'mnist:train:0-999'.

    MNIST must have been downloaded before, by the program: `sprig data get mnist`.
    """
    images, labels = _core.load(address)
    return images, np.array(labels, dtype=np.str_)


def topology(x: Any) -> tuple[int, int]:
    """The numbers of connected components and holes of an array, as the paper's front end counts them."""
    components, holes = _core.topology(x)
    return components, holes


_models_with_files: "weakref.WeakSet[Model]" = weakref.WeakSet()


@atexit.register
def _close_files() -> None:
    """Close the files that are still open when Python ends, because it does not destroy all objects."""
    for model in list(_models_with_files):
        try:
            model.close()
        except _core.Error:
            pass  # every lesson is in the file; the next opening completes what closing could not


def _unpickle(cls: type[Model], data: bytes, reading: dict[str, Any]) -> Model:
    return cls._from(_core.Source.content(data), **reading)


def _label(label: Any) -> str:
    if isinstance(label, str):
        if not label.isascii():
            _require_text(label)
        return str(label)  # a plain one: NumPy's strings are a subclass
    raise TypeError(
        f"a label is a string, not {type(label).__name__}: use str(label); "
        "sprig.sklearn.SprigClassifier takes labels of any type"
    )


def _require_text(label: str) -> None:
    try:
        label.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the label {label!r} is no text: it has half of a character") from None


def _labels(y: Iterable[Any]) -> list[str]:
    if isinstance(y, str):
        raise TypeError("y is one string; it must be a sequence of labels")
    if hasattr(y, "tolist"):  # an array or a pandas column: converted as a whole
        y = y.tolist()
    if not isinstance(y, Sequence):
        y = list(y)
    for label in y:
        if type(label) is not str or not label.isascii():
            return [_label(one) for one in y]
    return list(y)


def _count(number: Any, name: str, least: int = 1) -> int:
    try:
        value = int(number.__index__())
    except AttributeError:
        raise TypeError(f"{name} is a whole number, not {type(number).__name__}") from None
    if not least <= value < 2**64:
        raise ValueError(f"{name} is {value}; it must be at least {least}, and less than 2**64")
    return value


def _threads(threads: int | None) -> int:
    if threads is not None:
        return min(_count(threads, "threads"), 1024)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    _core.write_file(os.fsdecode(path), text)
