"""Streams of images, drawn as the program `sprig-lab` draws them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core

#: The number of holes of the digits that the paper's filter asks for; the others may have any.
HOLES = {"0": 1, "6": 1, "8": 2, "9": 1}


class Stream:
    """The class-incremental stream: in every cycle a block of new images of each class, in a fixed order.

    The images of each class are shuffled by seed. The first ones are the stream, the next ones are held out. The same
    data, pool and seed give the same stream as in the program `sprig-lab`.

    Parameters
    ----------
    images
        Array of bytes with an image in each row, or a sequence of images.
    labels
        The class of each image.
    seed
        Which images are drawn, and their order.
    cycles, per_block
        The number of cycles, and of images of a class in each.
    held_out
        The number of images of each class that accuracy is measured on.
    pool
        The indices of the images to draw from; by default all.
    classes
        The classes in the order in which they are taught; by default sorted.
    """

    def __init__(
        self,
        images: Any,
        labels: Iterable[Any],
        *,
        seed: int = 0,
        cycles: int = 20,
        per_block: int = 5,
        held_out: int = 20,
        pool: Iterable[int] | None = None,
        classes: Sequence[Any] | None = None,
    ) -> None:
        for name, number in (("cycles", cycles), ("per_block", per_block), ("held_out", held_out)):
            if number < 1:
                raise ValueError(f"{name} is {number}; it must be at least 1")
        self.images = images
        self.labels = np.asarray(labels)
        if len(self.labels) != len(images):
            raise ValueError(f"there are {len(images)} images and {len(self.labels)} labels")
        self.seed = seed
        self.cycles = cycles
        self.per_block = per_block
        self.classes: list[Any] = np.unique(self.labels).tolist() if classes is None else list(classes)
        if len(self.classes) == 0:
            raise ValueError("there are no images, so there is no stream")
        chosen = np.arange(len(self.labels)) if pool is None else np.asarray(list(pool), dtype=np.intp)
        taught, tested = [], []
        for label in self.classes:
            of_class = chosen[self.labels[chosen] == label]
            needed = cycles * per_block + held_out
            if len(of_class) < needed:
                raise ValueError(
                    f"the pool has {len(of_class)} images of class {label}, but {needed} are needed: "
                    f"{cycles * per_block} for the stream and {held_out} held out"
                )
            order = _core.shuffled(of_class.tolist(), seed, "the order of a pool")
            taught.append(order[: cycles * per_block])
            tested.append(order[cycles * per_block : needed])
        #: The indices of the images of the stream, by cycle, block and place in the block.
        self.taught: npt.NDArray[np.intp] = np.array(taught).reshape(len(taught), cycles, per_block).swapaxes(0, 1)
        #: The indices of the held-out images, by class.
        self.held_out: npt.NDArray[np.intp] = np.array(tested)

    def __len__(self) -> int:
        """The number of images that are taught."""
        return int(self.taught.size)

    def blocks(self) -> Iterator[tuple[int, int, npt.NDArray[np.intp]]]:
        """Each block of each cycle, with the indices of its images."""
        for cycle, blocks in enumerate(self.taught):
            for block, indices in enumerate(blocks):
                yield cycle, block, indices

    def order(self) -> npt.NDArray[np.intp]:
        """The indices of all images in the order in which they are taught."""
        return self.taught.reshape(-1)


def paper_filter(images: Any, labels: Iterable[Any], holes: Mapping[str, int] = HOLES) -> npt.NDArray[np.intp]:
    """The indices of the images that the paper's filter keeps.

    An image must have one connected component, and as many holes as `holes` asks for its label.
    """
    kept = []
    for index, (image, label) in enumerate(zip(images, labels)):
        components, found = _core.topology(image)
        if components == 1 and found == holes.get(str(label), found):
            kept.append(index)
    return np.array(kept, dtype=np.intp)
