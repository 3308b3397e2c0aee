"""Small files of remote file systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyarrow.fs import LocalFileSystem

from pystream.engine.connectors.storage import RenamingStorage


class Full:
    """A file system that has no room left for the content of a file."""

    def __init__(self) -> None:
        self._files = LocalFileSystem()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def open_output_stream(self, path: str, compression: str | None) -> Any:
        self._files.open_output_stream(path).close()
        raise OSError("no space left")


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path, temporary = f"{tmp_path}/file", f"{tmp_path}/.file"
    RenamingStorage(LocalFileSystem()).replace(path, b"old", temporary)
    full: Any = Full()
    with pytest.raises(OSError, match="no space left"):
        RenamingStorage(full).replace(path, b"new", temporary)
    assert RenamingStorage(full).read(path) == b"old"


def test_a_temporary_file_that_is_removed_meanwhile_is_written_again(tmp_path: Path) -> None:
    class Cleaned(RenamingStorage):
        moves = 0

        def move(self, source: str, target: str) -> None:
            self.moves += 1
            if self.moves == 1:
                self.remove(source)
            super().move(source, target)

    storage = Cleaned(LocalFileSystem())
    assert storage.replace(f"{tmp_path}/file", b"new", f"{tmp_path}/.file") is None
    assert storage.read(f"{tmp_path}/file") == b"new"
    assert storage.moves == 2
