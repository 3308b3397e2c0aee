"""SavepointFiles: writes the state of operators to a savepoint, for tasks of any parallelism to read."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pystream.engine.connectors.storage import storage_of
from pystream.engine.state.evolution import StateHistory
from pystream.engine.state.keyed_pages import OWN_PAGE
from pystream.engine.stored_data import dump_data
from pystream.engine.task.task_state import StatePart
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import write_checked
from typeinfo.pickling import dump_state

__all__ = [
    "OPERATORS",
    "POSITIONS",
    "SAVEPOINT",
    "TAKE_ANOTHER",
    "TYPES",
    "SavedFile",
    "SavedOperator",
    "SavepointFiles",
    "directory_of",
]

POSITIONS, TYPES, OPERATORS = "_positions", "_types", "operators"
TAKE_ANOTHER = "take another savepoint"
SAVEPOINT = "savepoint"
"""The owner of the files of all savepoints; their description tells them apart by checksums."""

_TASK = ""


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file of a savepoint.

    Attributes:
        path: its path in the savepoint.
        size: the size of its content in bytes.
        checksum: the CRC-32 of its content.
    """

    path: str
    size: int
    checksum: int


@dataclass(frozen=True, slots=True)
class SavedOperator:
    """The state of an operator that one subtask has saved.

    Attributes:
        uid: the operator.
        key_groups: number of key groups with state.
        keys: number of keys with state or timers.
        size: in bytes.
        file: the file that holds it.
        types: the pickled ``StateHistory`` of its states.
    """

    uid: str
    key_groups: int
    keys: int
    size: int
    file: SavedFile
    types: bytes


class SavepointFiles:
    """Write the files of a savepoint, apart from its description.

    There is a file for each operator and subtask; each also holds the times of its task.

    Args:
        location: location of the savepoint.
    """

    def __init__(self, location: str) -> None:
        self._storage, self._path = storage_of(location)

    def check_location(self) -> None:
        """Check that the savepoint can be written, as far as can be told beforehand.

        Raises:
            CheckpointError: it cannot.
        """
        obstacle = self._storage.obstacle(self._path)
        if obstacle is not None:
            raise CheckpointError(
                f"cannot write a savepoint to {self._path}: {obstacle}; use another directory of savepoints"
            )

    def write(
        self, task: str, subtask: int, parts: Iterable[StatePart], types: Mapping[str, StateHistory]
    ) -> list[SavedOperator]:
        """Write the state of a subtask.

        Args:
            task: identifies its task within the job.
            subtask: its index.
            parts: its state.
            types: the types of the states of each operator.

        Raises:
            CheckpointError: it cannot be written.
        """
        by_uid: dict[str, list[StatePart]] = {}
        for part in parts:
            by_uid.setdefault(part.uid, []).append(part)
        times = by_uid.pop(_TASK, [])
        return [
            SavedOperator(
                uid,
                key_groups=sum(part.group != OWN_PAGE for part in own),
                keys=sum(part.keys for part in own),
                size=sum(len(part.content) for part in own),
                file=self._write(directory_of(uid), f"{quote(task, safe='')}.{subtask}", [*times, *own]),
                types=dump_state(types.get(uid, {})),
            )
            for uid, own in by_uid.items()
        ]

    def write_positions(self, positions: Mapping[str, Any]) -> SavedFile:
        """Write the positions of sources, by uid.

        Raises:
            CheckpointError: they cannot be written.
        """
        return self._write("", POSITIONS, {uid: dump_data(position) for uid, position in positions.items()})

    def write_types(self, types: Mapping[str, StateHistory]) -> SavedFile:
        """Write the types of the states of each operator, by uid.

        Raises:
            CheckpointError: they cannot be written.
        """
        return self._write("", TYPES, {uid: dump_state(history) for uid, history in types.items()})

    def discard(self) -> None:
        """Remove what was written, after a failure, if that is possible."""
        with suppress(OSError):
            self._storage.remove_tree(self._path)

    def _write(self, directory: str, name: str, value: Any) -> SavedFile:
        within = f"{self._path}/{directory}".rstrip("/")
        try:
            self._storage.make_directory(within, private=True)
        except OSError as error:
            raise CheckpointError(
                f"cannot write a savepoint to {within}: {error}; fix the cause, then {TAKE_ANOTHER}"
            ) from error
        content = dump_data(value)
        write_checked(self._storage, f"{within}/{name}", content, SAVEPOINT, then=TAKE_ANOTHER)
        return SavedFile(f"{directory}/{name}".lstrip("/"), len(content), zlib.crc32(content))


def directory_of(uid: str) -> str:
    """Return the directory of an operator in a savepoint."""
    return f"{OPERATORS}/{quote(uid, safe='')}"
