"""SavepointReader: reads a savepoint, and notices lost, damaged and foreign files."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pystream.engine.connectors.storage import storage_of
from pystream.engine.task.task_state import StatePart
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import UnusableFileError, data_of, read_checked
from pystream.hosts.unbounded.savepoint import SavepointMetadata, savepoint_path
from pystream.hosts.unbounded.savepoint_files import (
    OPERATORS,
    POSITIONS,
    SAVEPOINT,
    TYPES,
    SavedFile,
    directory_of,
)
from pystream.hosts.unbounded.trust import check_trust

__all__ = ["SavepointReader"]


class SavepointReader:
    """Read the files that the description of a savepoint lists.

    Args:
        location: location of the savepoint, or of the description in it.

    Attributes:
        location: the location.
        metadata: its description.

    Raises:
        CheckpointError: it does not exist, is incomplete, or its description is damaged.
        ConnectorError: no file system is known for the location.
    """

    def __init__(self, location: str) -> None:
        self.location = location
        self.metadata: SavepointMetadata = SavepointMetadata.read(location)
        self._storage, self._path = storage_of(savepoint_path(location))
        self._files = {file.path: file for file in self.metadata.files}

    def verify(self) -> None:
        """Read all files, to check that they are those that were written.

        Raises:
            CheckpointError: a file is missing, damaged, of another savepoint, or in excess.
        """
        try:
            check_trust(self._storage, self._path)
        except OSError as error:
            raise CheckpointError(f"cannot read savepoint {self.location}: {error}") from error
        for file in self._files.values():
            self._read(file)
        found = (f"{OPERATORS}/{name}" for name in self._storage.files_below(f"{self._path}/{OPERATORS}"))
        for path in sorted(found):
            if path not in self._files and not path.rpartition("/")[2].startswith("."):
                raise CheckpointError(f"{self._path}/{path} is not part of the savepoint: remove it")

    def parts(self, uids: Iterable[str]) -> Iterator[StatePart]:
        """Yield the state of operators, of all subtasks that wrote it.

        Raises:
            CheckpointError: a file is missing or damaged, or cannot be read.
        """
        for uid in uids:
            for path, file in self._files.items():
                if path.rpartition("/")[0] == directory_of(uid):
                    yield from self._data(file)

    def types(self) -> Mapping[str, bytes]:
        """Return the pickled types of the states of each operator, by uid.

        Raises:
            CheckpointError: the file is missing or damaged.
        """
        types: Mapping[str, bytes] = self._data(self._files[TYPES])
        return types

    def position(self, uid: str) -> Any | None:
        """Return the position of a source, ``None`` if the savepoint has none.

        Raises:
            CheckpointError: the file is missing or damaged.
        """
        file = self._files[POSITIONS]
        stored = self._data(file).get(uid)
        return None if stored is None else data_of(stored, f"{self._path}/{file.path}")

    def _data(self, file: SavedFile) -> Any:
        return data_of(self._read(file), f"{self._path}/{file.path}")

    def _read(self, file: SavedFile) -> bytes:
        path = f"{self._path}/{file.path}"
        try:
            content = read_checked(self._storage, path, SAVEPOINT)
        except UnusableFileError as error:
            raise UnusableFileError(f"{error}; {_REMEDY}") from error.__cause__
        if content is None:
            raise UnusableFileError(f"{path} is missing; {_REMEDY}")
        if (len(content), zlib.crc32(content)) != (file.size, file.checksum):
            raise UnusableFileError(f"{path} is not the file that this savepoint was written with; {_REMEDY}")
        return content


_REMEDY = "restore it, or use another savepoint"
