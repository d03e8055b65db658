"""The Python examples of the documents run as printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/python.md", "python/README.md"]


def blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: Path) -> None:
    """All examples of a page run in order, in a folder that has only the pictures of the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    code = "\n".join(blocks(page))
    if "mnist:" in code and not _has_mnist():
        pytest.skip("MNIST is not installed: sprig data get mnist")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for expected in re.findall(r"print\(.*\)\s+# (\w+)$", code, re.MULTILINE):
        assert f"{expected}\n" in done.stdout


def test_examples_are_found() -> None:
    assert all(blocks(page) for page in PAGES)


def _has_mnist() -> bool:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (cache / "sprig" / "mnist").is_dir()
