"""The wheel as users get it: content, size, tag, and a new environment with nothing but NumPy."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

WHEEL = os.environ.get("SPRIG_WHEEL")
pytestmark = pytest.mark.skipif(not WHEEL, reason="SPRIG_WHEEL does not name a wheel; scripts/python test sets it")


@pytest.fixture(scope="module")
def wheel() -> Path:
    return Path(str(WHEEL))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The interpreter of a new virtual environment, with the wheel and NumPy."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    venv.create(folder, with_pip=True)
    found = folder / "bin" / "python"
    subprocess.run([found, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel], check=True)
    return found


def test_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 2_500_000


def test_has_what_it_should_have(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for end in ("sprig/py.typed", "sprig/_core.pyi", "sprig/lab/__init__.py", "licenses/LICENSE", "python/NOTICE"):
        assert any(name.endswith(end) for name in names), end
    notices = {Path(name).stem for name in names if "/third-party/" in name}
    assert {"nanobind", "libsqlite3-0", "libpng16-16", "libjpeg62-turbo", "libexif12", "zlib1g", "libfmt9",
            "libcli11-dev", "libstb-dev", "nlohmann-json3-dev", "librandom123-dev"} <= notices  # fmt: skip
    libraries = {Path(name).name.split("-")[0] for name in names if ".libs/" in name and name.count(".so")}
    notice = (ROOT / "python" / "NOTICE").read_text(encoding="utf-8").lower()
    for library in libraries:
        assert {"libsqlite3": "sqlite", "libpng16": "libpng", "libjpeg": "libjpeg", "libexif": "libexif",
                "libfmt": "{fmt}"}[library] in notice  # fmt: skip
    assert not [name for name in names if name.startswith(("src/", "include/", "lib/"))]


def test_runs_on_other_linux_systems(wheel: Path) -> None:
    """auditwheel named the oldest C library that it runs with."""
    tags = re.fullmatch(r"sprig_shapes-[0-9.]+-(cp\d+)-(cp\d+|abi3)-manylinux_2_(\d+)_\w+\.whl", wheel.name)
    assert tags, wheel.name
    assert int(tags[3]) <= 36  # Debian 12's
    assert tags[2] == ("abi3" if sys.version_info >= (3, 12) else tags[1])


def test_needs_numpy_only(python: Path) -> None:
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import sprig\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new - set(sys.stdlib_module_names)))\n"
        "model = sprig.Model(); model.learn([[(0, 0), (1, 1)]], 'line'); print(model.predict([[(0, 0), (5, 5)]]))"
    )
    out = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "['numpy', 'sprig']\nline\n"  # parts of NumPy that it loads when they are used
    listed = subprocess.run([python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True).stdout
    assert {line.split("==")[0].lower() for line in listed.split()} <= {"pip", "setuptools", "wheel", "numpy", "sprig-shapes"}


def test_the_example_of_the_readme_runs(python: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    code = "".join(re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    assert "import sprig" in code
    done = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("circle\n")
    assert (tmp_path / "why.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_adapters_say_what_is_missing(python: Path) -> None:
    for name in ("sklearn", "river"):
        done = subprocess.run([python, "-c", f"import sprig.{name}"], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert f"No module named '{name}'" in done.stderr


def test_the_program_is_installed(python: Path, tmp_path: Path) -> None:
    program = python.with_name("sprig")
    out = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"sprig \d+\.\d+\.\d+.*\n", out)
    pictures = ROOT / "examples" / "shapes"
    subprocess.run([program, "learn", tmp_path / "shapes.sprig", f"dir:{pictures}"], check=True, capture_output=True)
    out = subprocess.run([program, "predict", tmp_path / "shapes.sprig", ROOT / "examples" / "new" / "house.png"],
                         check=True, capture_output=True, text=True).stdout  # fmt: skip
    assert "house" in out
