"""Models in files: durability, two writers, closed models, forks, threads, interrupts, damage."""

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import CROSS, SHAPES, SQUARE, ZIGZAG

import sprig


def run(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        **options,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shapes.sprig"


def test_lessons_are_in_the_file(path: Path) -> None:
    with sprig.Model(path) as model:
        assert not path.exists()  # the first lesson creates it
        for label, strokes in SHAPES.items():
            model.learn(strokes, label)
        digest = model.digest
    with sprig.Model(str(path)) as model:
        assert model.digest == digest
        model.undo()
        assert model.classes == ["cross", "square"]
    assert sprig.Model.load(path).classes == ["cross", "square"]
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_loaded_models_do_not_change_the_file(path: Path, shapes: sprig.Model) -> None:
    shapes.save(path)
    content = path.read_bytes()
    model = sprig.Model.load(path)
    assert model.to_bytes() == shapes.to_bytes()
    model.forget("cross")
    assert path.read_bytes() == content
    with pytest.raises(sprig.Error, match="exists"):
        shapes.save(path)
    assert path.read_bytes() == content


def test_loads_bytes_from_files(path: Path, shapes: sprig.Model) -> None:
    path.write_bytes(shapes.to_bytes())
    assert sprig.Model.load(path).to_bytes() == shapes.to_bytes()


def test_closed_models_answer_but_do_not_learn(path: Path, raises_in: Any) -> None:
    model = sprig.Model(path)
    model.learn(CROSS, "cross")
    model.close()
    model.close()
    assert model.predict(CROSS) == "cross"
    assert model.copy().classes == ["cross"]
    digest = model.digest
    for change in (
        lambda: model.learn(SQUARE, "square"),
        lambda: model.learn_many([SQUARE], ["square"]),
        model.undo,
        lambda: model.rename("cross", "x"),
        lambda: model.forget("cross"),
        lambda: model.add_class("new"),
    ):
        assert "closed" in raises_in(sprig.Error, change)
    assert model.digest == digest
    assert sprig.Model.load(path).digest == digest


def test_files_have_one_writer(path: Path, raises_in: Any) -> None:
    with sprig.Model(path) as model:
        model.learn(CROSS, "cross")
        sentence = raises_in(sprig.Error, sprig.Model, path)
        assert path.name in sentence
        other = run("import sys, sprig; sprig.Model(sys.argv[1]).learn([[(0, 0), (1, 1)]], 'line')", path)
        assert other.returncode != 0 and path.name in other.stderr
        assert run("import sys, sprig; print(sprig.Model.load(sys.argv[1]).classes)", path).stdout == "['cross']\n"
        model.learn(SQUARE, "square")
    assert sprig.Model.load(path).classes == ["cross", "square"]


def test_files_keep_their_learner(path: Path, raises_in: Any) -> None:
    with sprig.Model(path, preset="fast") as model:
        model.learn(CROSS, "cross")
    with sprig.Model(path) as model:  # the defaults ask for nothing
        assert model.facts["preset"] == "fast"
    assert "modeller" in raises_in(sprig.InvalidError, sprig.Model, path, learner="modeller")
    raises_in(sprig.InvalidError, sprig.Model, path, free_pose=True)


def test_open_files_are_closed_at_exit(path: Path) -> None:
    done = run(
        """
        import sys, sprig
        model = sprig.Model(sys.argv[1])
        model.learn([[(0, 0), (10, 10)], [(0, 10), (10, 0)]], "cross")
        """,
        path,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert [one.name for one in path.parent.iterdir()] == [path.name]  # no journal is left


def test_learned_lessons_survive_a_kill(path: Path) -> None:
    done = run(
        """
        import os, signal, sys, sprig
        model = sprig.Model(sys.argv[1])
        model.learn([[(0, 0), (10, 10)], [(0, 10), (10, 0)]], "cross")
        model.learn([[(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]], "square")
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        path,
    )
    assert done.returncode == -signal.SIGKILL
    with sprig.Model(path) as model:
        assert model.classes == ["cross", "square"]


@pytest.mark.parametrize("name", ["missing/shapes.sprig", "folder"])
def test_refuses_impossible_paths(tmp_path: Path, name: str, raises_in: Any) -> None:
    (tmp_path / "folder").mkdir()

    def use() -> None:
        sprig.Model(tmp_path / name).learn(CROSS, "cross")

    assert name.split("/")[0] in raises_in(sprig.Error, use)


def test_refuses_damaged_files(path: Path, shapes: sprig.Model, raises_in: Any) -> None:
    assert path.name in raises_in(sprig.Error, sprig.Model.load, path)
    shapes.save(path)
    content = bytearray(path.read_bytes())
    path.write_text("no model")
    for make in (sprig.Model, sprig.Model.load):
        assert path.name in raises_in(sprig.InvalidError, make, path)
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    assert path.name in raises_in(sprig.Error, sprig.Model.load, path)


def test_refuses_damaged_bytes(shapes: sprig.Model, raises_in: Any) -> None:
    good = shapes.to_bytes()
    raises_in(sprig.InvalidError, sprig.Model.from_bytes, b"")
    assert "not of str" in raises_in(TypeError, sprig.Model.from_bytes, "text")
    assert sprig.Model.from_bytes(memoryview(good)).to_bytes() == good
    step = max(1, len(good) // 200)
    for place in range(0, len(good), step):
        damaged = bytearray(good)
        damaged[place] ^= 0x20
        raises_in(sprig.InvalidError, sprig.Model.from_bytes, bytes(damaged))
        raises_in(sprig.InvalidError, sprig.Model.from_bytes, good[:place])
    pickled = pickle.dumps(shapes)
    assert good in pickled
    place = pickled.index(good) + len(good) // 2
    raises_in(sprig.InvalidError, pickle.loads, pickled[:place] + bytes([pickled[place] ^ 1]) + pickled[place + 1 :])


def test_threads_learn_and_ask_at_the_same_time(path: Path, digits: Any) -> None:
    images, labels = digits
    failures: list[BaseException] = []
    with sprig.Model(path, preset="fast") as model:
        learned = threading.Event()

        def guarded(work: Any) -> threading.Thread:
            def call() -> None:
                try:
                    work()
                except BaseException as error:  # shown below
                    failures.append(error)

            thread = threading.Thread(target=call)
            thread.start()
            return thread

        def teach(part: slice) -> None:
            for image, label in zip(images[part], labels[part]):
                model.learn(image, label)

        def ask() -> None:
            while not learned.is_set():
                answer = model.answer(images[1000])
                assert not answer.ranking or abs(sum(p for _, p, _ in answer.ranking) - 1) < 1e-9
                model.predict_many(images[1000:1008])
                model.units()

        asking = [guarded(ask) for _ in range(2)]
        teaching = [guarded(lambda part=slice(start, 60, 2): teach(part)) for start in (0, 1)]
        teaching.append(guarded(lambda: model.learn_many(images[60:90], labels[60:90])))
        for thread in teaching:
            thread.join()
        learned.set()
        for thread in asking:
            thread.join()
        assert not failures
        assert sum(model.samples.values()) == 90
    assert sum(sprig.Model.load(path).samples.values()) == 90


def test_the_interpreter_is_free_during_work(digits: Any) -> None:
    images, _ = digits
    model = sprig.Model()
    model.learn_many(images[:100], digits[1][:100])
    counted = 0
    done = threading.Event()

    def work() -> None:
        model.predict_many(np.concatenate([images] * 2), threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20  # with the lock held, the loop would have stood still


def test_two_models_merge_in_both_directions_at_once() -> None:
    first, second = sprig.Model(), sprig.Model()
    first.learn(CROSS, "cross")
    second.learn(SQUARE, "square")
    results: list[str] = []

    def merge(into: sprig.Model, other: sprig.Model) -> None:
        try:
            into.merge(other)
            results.append("merged")
        except sprig.Error:
            results.append("refused")

    threads = [threading.Thread(target=merge, args=pair) for pair in ((first, second), (second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(results) == 2
    assert sorted(results) == ["merged", "refused"]  # the second has classes that are in both models
    assert {len(first.classes), len(second.classes)} == {1, 2}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_read_and_do_not_change(path: Path) -> None:
    with sprig.Model(path) as model:
        for label, strokes in SHAPES.items():
            model.learn(strokes, label)
        model.predict_many([CROSS] * 50, threads=4)  # threads have run before the fork
        digest = model.digest
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            found: dict[str, Any] = {}
            try:
                found["answer"] = model.predict_many([SQUARE] * 50, threads=4).tolist()
                found["digest"] = model.digest
                try:
                    model.learn(ZIGZAG, "new")
                except sprig.Error as error:
                    found["refused"] = str(error)
                other = model.copy()
                other.learn(ZIGZAG, "new")
                found["copy"] = other.classes
            finally:
                os.write(write, json.dumps(found).encode())
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            found = json.loads(pipe.read())
        assert os.waitpid(child, 0)[1] == 0
        assert found["answer"] == ["square"] * 50
        assert found["digest"] == digest
        assert "forked" in found["refused"]
        assert set(found["copy"]) == {*SHAPES, "new"}
        model.learn(CROSS, "cross")  # the file is still this process's own
    assert sprig.Model.load(path).samples["cross"] == 2


def _in_process(model: sprig.Model, strokes: Any) -> "str | None":
    return model.predict(strokes)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes_get_models(shapes: sprig.Model, method: str) -> None:
    shapes.predict_many([CROSS] * 20, threads=3)
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.starmap(_in_process, [(shapes, strokes) for strokes in SHAPES.values()])
    assert answers == list(SHAPES)


@pytest.mark.parametrize("work", ["learn_many(images, labels)", "predict_many(images)", "answer_many(images)"])
def test_interrupts_end_long_batches(work: str, path: Path) -> None:
    code = f"""
        import signal, sys, sprig
        import numpy as np
        # Ignored if the tests were started in the background.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        images = np.zeros((400000, 28, 28), np.uint8)
        images[:, 8:20, 8:20] = 255
        labels = ["square"] * len(images)
        model = sprig.Model(sys.argv[1])
        model.learn(images[0], "square")
        print("ready", flush=True)
        try:
            model.{work}
        except KeyboardInterrupt:
            print("interrupted", sum(model.samples.values()), flush=True)
            model.learn(images[0], "square")
            print(sum(model.samples.values()))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    words = out.split()
    assert words[0] == "interrupted"
    assert 1 <= int(words[1]) < 400000
    assert int(words[2]) == int(words[1]) + 1
    assert sum(sprig.Model.load(path).samples.values()) == int(words[2])


def test_progress_may_end_the_work(shapes: sprig.Model) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        shapes.predict_many([CROSS] * 100, progress=stop)
    with pytest.raises(Enough):
        shapes.learn_many([CROSS] * 100, ["cross"] * 100, progress=stop)
    assert 1 <= shapes.samples["cross"] <= 101
    assert shapes.predict(CROSS) == "cross"
