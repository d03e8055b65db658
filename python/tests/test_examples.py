"""The examples for CapyMOA and Avalanche, with stand-ins that have the parts of their interfaces that the examples use.

The libraries themselves are not installed in the tests.
"""

import importlib.util
import sys
import types
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Schema:
    """As capymoa.stream.Schema: labels and their indices."""

    def __init__(self, labels: list[str]) -> None:
        self._labels = labels

    def get_value_for_index(self, index: int) -> str | None:
        return None if index < 0 else self._labels[index]

    def get_index_for_label(self, label: str) -> int:
        return self._labels.index(label)

    def get_label_values(self) -> list[str]:
        return self._labels


def test_capymoa(monkeypatch: pytest.MonkeyPatch, digits: Any) -> None:
    class Classifier:
        """As capymoa.base.Classifier."""

        def __init__(self, schema: Any, random_seed: int = 1) -> None:
            self.schema, self.random_seed = schema, random_seed

    base = types.ModuleType("capymoa.base")
    base.Classifier = Classifier  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "capymoa", types.ModuleType("capymoa"))
    monkeypatch.setitem(sys.modules, "capymoa.base", base)
    images, labels = digits
    schema = Schema([str(digit) for digit in range(10)])
    learner = _load("capymoa_learner").SprigLearner(schema)
    instances = [
        types.SimpleNamespace(x=image.reshape(-1).astype(float), y_index=schema.get_index_for_label(label))
        for image, label in zip(images[:150], labels)
    ]
    assert learner.predict_proba(instances[0]) is None
    assert learner.predict(instances[0]) is None
    for instance in instances[:100]:
        learner.train(instance)
    learner.train(types.SimpleNamespace(x=instances[0].x, y_index=-1))  # has no label
    assert sum(learner.model.samples.values()) == 100
    answers = [learner.predict(instance) for instance in instances[100:]]
    assert np.mean([answer == one.y_index for answer, one in zip(answers, instances[100:])]) > 0.7
    probabilities = learner.predict_proba(instances[120])
    assert probabilities.shape == (10,) and probabilities.sum() == pytest.approx(1)
    assert probabilities.argmax() == answers[20]


class Dataset:
    """As an AvalancheDataset: image, target, task label."""

    def __init__(self, images: Any, labels: Any) -> None:
        self._samples = list(zip(images, labels))

    def train(self) -> "Dataset":
        return self

    eval = train

    def __len__(self) -> int:
        return len(self._samples)

    def __getitem__(self, index: int) -> tuple[Any, int, int]:
        image, label = self._samples[index]
        return image, int(label), 0


def test_avalanche(digits: Any) -> None:
    images, labels = digits
    numbers = labels.astype(int)

    def experience(name: str, classes: list[int], part: slice, number: int) -> Any:
        chosen = np.isin(numbers[part], classes)
        return types.SimpleNamespace(
            dataset=Dataset(images[part][chosen], numbers[part][chosen]),
            origin_stream=types.SimpleNamespace(name=name),
            current_experience=number,
        )

    pairs = [[0, 1], [2, 3]]
    strategy = _load("avalanche_strategy").SprigStrategy()
    for number, classes in enumerate(pairs):
        strategy.train(experience("train", classes, slice(0, 300), number))
    test = [experience("test", classes, slice(300, 500), number) for number, classes in enumerate(pairs)]
    results = strategy.eval(test)
    assert set(results) == {
        "Top1_Acc_Exp/eval_phase/test_stream/Task000/Exp000",
        "Top1_Acc_Exp/eval_phase/test_stream/Task000/Exp001",
        "Top1_Acc_Stream/eval_phase/test_stream/Task000",
    }
    assert min(results.values()) > 0.9  # the first classes are not forgotten
