"""Client libraries of connectors."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from pystream.engine.connectors.packages import client_library
from pystream.errors import DependencyError


def test_a_program_of_the_name_of_a_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "library_of_a_queue.py"
    program.write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    assert client_library("library_of_a_queue", "queue").__file__ == str(program)
    main = ModuleType("__main__")
    main.__file__ = str(program)
    monkeypatch.setitem(sys.modules, "__main__", main)
    with pytest.raises(DependencyError, match=r"library_of_a_queue\.py hides: rename the file"):
        client_library("library_of_a_queue", "queue")
