"""Files of a program are staged privately, unchanged, until the program ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pystream.hosts.shipping import ship
from pystream.plan.dependencies import Dependencies

ROOT = Path(__file__).parents[3]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "helper_module.py"
    path.write_text("answer = 42\n")
    return path


def staged(module: Path) -> Path:
    (folder,) = ship(Dependencies(files=[module])).environment.python_path
    return Path(folder) / module.name


def test_files_are_staged_once_in_a_private_directory(module: Path) -> None:
    path = staged(module)
    assert path.read_text() == "answer = 42\n"
    assert staged(module) == path
    root = path.relative_to(tempfile.gettempdir()).parts[0]
    assert Path(tempfile.gettempdir(), root).stat().st_mode & 0o777 == 0o700


def test_other_content_is_staged_elsewhere(module: Path) -> None:
    first = staged(module)
    module.write_text("answer = 43\n")
    assert staged(module).read_text() == "answer = 43\n"
    assert first.read_text() == "answer = 42\n"


@pytest.mark.parametrize("damage", ["removed", "changed"])
def test_removed_or_changed_files_are_staged_again(module: Path, damage: str) -> None:
    if damage == "removed":
        staged(module).unlink()
    else:
        staged(module).write_text("answer = 'wrong'\n")
    assert staged(module).read_text() == "answer = 42\n"


def test_files_are_staged_in_a_new_directory(module: Path) -> None:
    before = {path.name for path in Path(tempfile.gettempdir()).iterdir()}
    module.write_text("answer = 'never staged before'\n")
    root = staged(module).relative_to(tempfile.gettempdir()).parts[0]
    assert root not in before


def test_staged_files_are_removed_when_the_program_ends(module: Path, tmp_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    program = (
        "import sys; from pathlib import Path; from pystream.plan.dependencies import Dependencies;"
        "from pystream.hosts.shipping import ship; from tempfile import gettempdir;"
        "ship(Dependencies(files=[Path(sys.argv[1])])); print(len(list(Path(gettempdir()).iterdir())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(module)],
        env=os.environ | {"TMPDIR": str(place), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("name", ["../../outside", "/absolute", "..", "a/b", "", "nul\0", "plain"])
def test_the_name_of_a_cached_file_does_not_lead_out_of_the_directory(module: Path, name: str) -> None:
    dependencies = Dependencies()
    dependencies.register_cached_file(str(module), "another")
    dependencies.register_cached_file(str(module), name)
    path = Path(ship(dependencies).cached_files[name])
    assert path.read_text() == "answer = 42\n"
    assert path.resolve().relative_to(Path(tempfile.gettempdir()).resolve()).parts[1] == "cached"
    assert path.name == module.name
