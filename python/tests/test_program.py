"""The package and the programs in C++ are the same: digests, answers, streams, measures."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import ROOT

import sprig
from sprig import lab


def call(program: "str | list[str]", *words: object) -> str:
    command = [program] if isinstance(program, str) else program
    return subprocess.run([*command, *map(str, words)], capture_output=True, text=True, check=True).stdout


def installed() -> list[str]:
    """The program that pip installed beside the interpreter."""
    script = Path(sys.executable).with_name("sprig")
    return [str(script)] if script.exists() else [sys.executable, "-m", "sprig._program"]


@pytest.mark.parametrize("settings", [{}, {"preset": "fast"}, {"free_pose": True}, {"learner": "modeller", "seed": 7}])
def test_models_equal_those_of_the_program(program: str, tmp_path: Path, digits: Any, settings: Any) -> None:
    images, labels = digits
    model = sprig.Model(**settings)
    model.learn_many(images[:100], labels[:100])
    words = [
        word
        for key, value in settings.items()
        for word in ((f"--{key.replace('_', '-')}",) if value is True else (f"--{key}", value))
    ]
    path = tmp_path / "digits.sprig"
    call(program, "learn", path, "mnist:train:0-99", *words)
    theirs = sprig.Model.load(path)
    assert theirs.digest == model.digest
    assert theirs.to_bytes() == model.to_bytes()
    call(program, "export", path, "--to", "bytes", "-o", tmp_path / "digits.bytes")
    assert (tmp_path / "digits.bytes").read_bytes() == model.to_bytes()
    told = json.loads(call(program, "predict", path, "mnist:train:500", "--json"))
    answer = model.answer(images[500])
    assert answer.label is not None and answer.label in json.dumps(told)
    ours = tmp_path / "ours.sprig"
    model.save(ours)
    assert model.digest in call(program, "verify", ours)


def test_pictures_and_strokes_equal_those_of_the_program(program: str, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures.sprig"
    shapes = ROOT / "examples" / "shapes"
    call(program, "learn", pictures, f"dir:{shapes}")
    model = sprig.Model()
    assert len(list(shapes.glob("*/*.png"))) > 5
    for path in sorted(shapes.glob("*/*.png")):
        model.learn(path, path.parent.name)
    assert sprig.Model.load(pictures).to_bytes() == model.to_bytes()

    gestures = tmp_path / "gestures.sprig"
    lines = (ROOT / "examples" / "gestures.jsonl").read_text(encoding="utf-8").splitlines()
    call(program, "learn", gestures, f"strokes:{ROOT / 'examples' / 'gestures.jsonl'}")
    model = sprig.Model()
    for drawing in map(json.loads, lines):
        model.learn(drawing["strokes"], drawing["label"])
    assert sprig.Model.load(gestures).to_bytes() == model.to_bytes()


def test_the_installed_program_is_the_same(program: str, tmp_path: Path) -> None:
    assert call(installed(), "--version") == call(program, "--version")
    assert call(installed(), "learn", "--help") == call(program, "learn", "--help")
    call(installed(), "learn", tmp_path / "m.sprig", "mnist:train:0-9")
    assert sum(sprig.Model.load(tmp_path / "m.sprig").samples.values()) == 10
    failed = subprocess.run([*installed(), "predict", "missing.sprig", "x.png"], capture_output=True, text=True, check=False)
    assert failed.returncode == subprocess.run([program, "predict", "missing.sprig", "x.png"], check=False,
                                               capture_output=True).returncode  # fmt: skip
    assert "missing.sprig" in failed.stderr and "Traceback" not in failed.stderr


def test_streams_and_measures_equal_those_of_the_lab(lab_program: str, tmp_path: Path) -> None:
    call(lab_program, "run", "headline", "--learner", "constellation", "--pool", "train", "--seeds", "3", "--cycles", "2",
         "--out", tmp_path)  # fmt: skip
    images, labels = sprig.load_dataset("mnist:train")
    stream = lab.Stream(images, labels, seed=3, cycles=2, pool=lab.paper_filter(images, labels))
    run = lab.run(sprig.Model(), stream)
    measures = run.measures()
    with open(next(tmp_path.rglob("seeds.csv")), encoding="utf-8") as file:
        theirs = next(csv.DictReader(file))
    compared = [name for name in measures if name in theirs]
    assert len(compared) >= 10
    for name in compared:
        assert measures[name] == pytest.approx(float(theirs[name]), abs=1e-9), name
    assert np.isfinite(run.accuracy).all()
