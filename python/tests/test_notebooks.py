"""The notebooks run from start to end, and say what their text says."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


def _outputs(notebook: Any) -> str:
    return "\n".join(
        output.get("text", "") + "".join(output.get("data", {}).get(kind, "") for kind in ("text/plain", "text/html"))
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )


@pytest.mark.skipif(
    "SPRIG_SANITIZED" in os.environ, reason="it takes minutes, and the other tests reach the same code in C++"
)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path: Path, digits: Any) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": path.parent}})
    client.execute()
    shown = _outputs(notebook)
    expected = {
        "first_steps": ["'cross'", "the same model:   True", "house"],
        "comparison": ["Sprig", "River: 1-NN", "accuracy_final"],
        "looking_inside": ["classes with changed scores: ['8']", "accuracy on 500 other images: 0.9"],
    }[path.stem]
    for text in expected:
        assert text in shown, shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_stored_as_it_should_be(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.from_dict(notebook))
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|work|tmp)/", text)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    assert len(text) < 400_000


def test_all_three_are_there() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["comparison", "first_steps", "looking_inside"]
