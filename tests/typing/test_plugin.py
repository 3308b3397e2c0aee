"""The mypy plugins across modules, with and without the cache."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DECLARATION = """
from typeinfo import Types

point = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.{y}()])
pair = Types.TUPLE([Types.INT(), Types.STRING()])
"""

USE = """
from typing import TypeVar

from declaration import pair, point
from typeinfo import TypeInformation

T = TypeVar("T")

def element(type_info: TypeInformation[T]) -> T: ...

reveal_type(element(point).y)
reveal_type(element(pair))
"""

CONFIG = """
[mypy]
plugins = {plugin}
disable_error_code = empty-body
"""


@pytest.fixture(params=["typeinfo.mypy_plugin", "pystream.mypy_plugin"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "mypy.ini").write_text(CONFIG.format(plugin=request.param))
    (tmp_path / "declaration.py").write_text(DECLARATION.format(y="DOUBLE"))
    (tmp_path / "use.py").write_text(USE)
    return tmp_path


def revealed(project: Path) -> list[str]:
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "use.py"], capture_output=True, text=True, cwd=project, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return [line.split('"')[1] for line in result.stdout.splitlines() if "Revealed type" in line]


def test_exact_types_survive_the_cache(project: Path) -> None:
    cold = revealed(project)
    (project / "use.py").write_text(USE + "\n")
    warm = revealed(project)
    assert cold == warm == ["float", "tuple[int, str]"]


def test_a_changed_declaration_reaches_its_users(project: Path) -> None:
    revealed(project)
    # One line longer, because mypy considers a file of the same size and second unchanged.
    (project / "declaration.py").write_text(DECLARATION.format(y="STRING") + "\n")
    assert revealed(project) == ["str", "tuple[int, str]"]
