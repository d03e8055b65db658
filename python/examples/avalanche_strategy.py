"""Sprig in Avalanche (https://avalanche.continualai.org): it learns the experiences of a benchmark.

Sprig is no network of PyTorch, so this strategy has no optimiser and no plugins. It has `train` and `eval` as Avalanche's
strategies do, and the results have the names of Avalanche's metrics.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import sprig


class SprigStrategy:
    """Learns the images of each experience one at a time, each once."""

    def __init__(self, model: sprig.Model | None = None) -> None:
        self.model = sprig.Model() if model is None else model

    def train(self, experiences: Any) -> None:
        """Learn an experience, or several in their order."""
        for experience in _as_iterable(experiences):
            for image, label in _samples(experience.dataset.train()):
                self.model.learn(image, label)

    def eval(self, experiences: Any) -> dict[str, float]:
        """The accuracy on each experience and on all of them."""
        results, right, total = {}, 0, 0
        for experience in _as_iterable(experiences):
            found = [self.model.predict(image) == label for image, label in _samples(experience.dataset.eval())]
            where = f"eval_phase/{experience.origin_stream.name}_stream/Task000"
            results[f"Top1_Acc_Exp/{where}/Exp{experience.current_experience:03}"] = sum(found) / len(found)
            right, total = right + sum(found), total + len(found)
            results[f"Top1_Acc_Stream/{where}"] = right / total
        return results


def _as_iterable(experiences: Any) -> Iterable[Any]:
    return experiences if isinstance(experiences, Iterable) else [experiences]


def _samples(dataset: Any) -> Iterator[tuple[Any, str]]:
    for index in range(len(dataset)):
        x, y, *_ = dataset[index]  # the third is the task label, which Sprig does not need
        yield _image(x), str(int(y))


def _image(x: Any) -> Any:
    """A tensor has its channels first; Sprig wants them last, or none."""
    if not hasattr(x, "numpy"):
        return x  # a PIL image, or an array of rows and columns
    x = np.moveaxis(np.atleast_3d(x.numpy()), 0, -1) if x.ndim == 3 else x.numpy()
    return x[..., 0] if x.ndim == 3 and x.shape[-1] == 1 else x


def main() -> None:
    from avalanche.benchmarks.classic import SplitMNIST

    # Without transforms, pixels are from 0 to 1. Avalanche's default is to normalise them, which Sprig refuses.
    benchmark = SplitMNIST(n_experiences=5, seed=1, train_transform=None, eval_transform=None)
    strategy = SprigStrategy()
    for experience in benchmark.train_stream:
        strategy.train(experience)
        print("learned", sorted(experience.classes_in_this_experience))
        for name, accuracy in strategy.eval(benchmark.test_stream).items():
            print(f"  {name}: {accuracy:.3f}")


if __name__ == "__main__":
    main()
