"""Prints the speed of the package beside the C++ library and other Python packages, all in one run.

    speed.py MODEL_SPEED [ROUNDS]

MODEL_SPEED is the program bench/model_speed, which does the same work in C++. All learn the first 1,000 digits of
mnist:train one by one, as they would in a stream, and are asked about the 10,000 of mnist:t10k (the slow ones about the
first 1,000) as a batch, if they take batches. Of several rounds the best counts, and rounds of all alternate, so that
other work on the machine harms none more than another.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from river import naive_bayes, neighbors
from sklearn.linear_model import SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier

import sprig

LEARNED, ASKED = 1000, 10000
THREADS = 2
IMAGES, LABELS = sprig.load_dataset(f"mnist:train:0-{LEARNED - 1}")
TEST_IMAGES, TEST_LABELS = sprig.load_dataset(f"mnist:t10k:0-{ASKED - 1}")
ROWS, TEST_ROWS = IMAGES.reshape(LEARNED, -1) / 255.0, TEST_IMAGES.reshape(ASKED, -1) / 255.0

Round = tuple[float, float, float]  # seconds per lesson and per answer, accuracy


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def sprig_round() -> Round:
    model = sprig.Model()

    def learn() -> None:
        for image, label in zip(IMAGES, LABELS):
            model.learn(image, label)

    learning, _ = timed(learn)
    deciding, answers = timed(lambda: model.predict_many(TEST_IMAGES, threads=THREADS))
    return learning / LEARNED, deciding / ASKED, float(np.mean(answers == TEST_LABELS))


def cpp_round(program: str) -> Round:
    out = subprocess.run([program, str(LEARNED), str(ASKED), str(THREADS), "1"], capture_output=True, text=True, check=True)
    learning, deciding = map(float, out.stdout.split())
    return learning / LEARNED, deciding / ASKED, float("nan")


def sklearn_round(make: Callable[[], Any]) -> Round:
    classifier, classes = make(), np.unique(LABELS)

    def learn() -> None:
        for row, label in zip(ROWS, LABELS):
            classifier.partial_fit(row.reshape(1, -1), [label], classes=classes)

    learning, _ = timed(learn)
    deciding, answers = timed(lambda: classifier.predict(TEST_ROWS))
    return learning / LEARNED, deciding / ASKED, float(np.mean(answers == TEST_LABELS))


def neighbours_round() -> Round:
    """It has no partial_fit: a lesson stores the image, and the answer is computed from all of them."""
    learning, stored = timed(lambda: [row.copy() for row in ROWS])
    classifier = KNeighborsClassifier(1)

    def answer() -> Any:
        return classifier.fit(np.array(stored), LABELS).predict(TEST_ROWS)

    deciding, answers = timed(answer)
    return learning / LEARNED, deciding / ASKED, float(np.mean(answers == TEST_LABELS))


def river_round(make: Callable[[], Any], asked: int) -> Round:
    classifier = make()
    samples = [dict(enumerate(row.tolist())) for row in ROWS]
    test = [dict(enumerate(row.tolist())) for row in TEST_ROWS[:asked]]

    def learn() -> None:
        for sample, label in zip(samples, LABELS.tolist()):
            classifier.learn_one(sample, label)

    learning, _ = timed(learn)
    deciding, answers = timed(lambda: [classifier.predict_one(sample) for sample in test])
    return learning / LEARNED, deciding / asked, float(np.mean(np.array(answers) == TEST_LABELS[:asked]))


def main() -> None:
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    fast: dict[str, Callable[[], Round]] = {
        "sprig, from C++": lambda: cpp_round(program),
        "sprig, from Python": sprig_round,
        "SGDClassifier": lambda: sklearn_round(lambda: SGDClassifier(random_state=0)),
        "MLPClassifier": lambda: sklearn_round(lambda: MLPClassifier(random_state=0)),
        "KNeighborsClassifier(1)": neighbours_round,
    }
    slow: dict[str, Callable[[], Round]] = {
        "River: GaussianNB": lambda: river_round(naive_bayes.GaussianNB, 200),
        "River: KNNClassifier": lambda: river_round(neighbors.KNNClassifier, 200),
    }
    results: dict[str, list[Round]] = {name: [] for name in fast | slow}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for name, work in (fast | slow if number == 0 else fast).items():
            results[name].append(work())
    base_learn, base_ask = (min(r[i] for r in results["sprig, from C++"]) for i in (0, 1))
    print(f"| {'learner':23} | lessons/s | of C++ | answers/s | of C++ | accuracy |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, found in results.items():
        learn, ask = (min(r[i] for r in found) for i in (0, 1))
        accuracy = "" if np.isnan(found[0][2]) else f"{found[0][2]:.3f}"
        print(
            f"| {name:23} | {1 / learn:,.0f} | {base_learn / learn:.3g} | {1 / ask:,.0f} | {base_ask / ask:.3g} "
            f"| {accuracy} |"
        )
    print(f"\n{LEARNED} lessons one by one; {ASKED} answers as a batch, Sprig with {THREADS} threads; best of {rounds}.")


if __name__ == "__main__":
    main()
