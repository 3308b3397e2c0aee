"""SavepointFiles: the state of operators in a savepoint, in files that tasks of any parallelism read."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pystream.engine.connectors.storage import storage_of
from pystream.engine.state.keyed_pages import OWN_PAGE
from pystream.engine.task.task_state import StatePart
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import read_checked, write_checked
from typeinfo.pickling import dumps

__all__ = ["SavedOperator", "SavepointFiles"]

_POSITIONS = "_positions"
_OPERATORS = "operators"
_TASK = ""


@dataclass(frozen=True, slots=True)
class SavedOperator:
    """The state of an operator that one subtask has saved.

    Attributes:
        uid: the operator.
        key_groups: number of key groups with state.
        keys: number of keys with state or timers.
        size: in bytes.
        states: name, kind and type of each of its states, as text.
    """

    uid: str
    key_groups: int
    keys: int
    size: int
    states: tuple[tuple[str, str, str], ...] = ()


class SavepointFiles:
    """Write and read the files of a savepoint, apart from its description.

    There is a file for each operator and subtask; each also holds the times of its task.

    Args:
        location: location of the savepoint.
    """

    def __init__(self, location: str) -> None:
        self._storage, self._path = storage_of(location)

    def write(self, task: str, subtask: int, parts: Iterable[StatePart]) -> list[SavedOperator]:
        """Write the state of a subtask.

        Args:
            task: identifies its task within the job.
            subtask: its index.
            parts: its state.

        Returns:
            What was written of each operator, without its states.

        Raises:
            CheckpointError: it cannot be written.
        """
        by_uid: dict[str, list[StatePart]] = {}
        for part in parts:
            by_uid.setdefault(part.uid, []).append(part)
        times = by_uid.pop(_TASK, [])
        for uid, own in by_uid.items():
            directory = self._directory(uid)
            try:
                self._storage.make_directory(directory)
            except OSError as error:
                raise CheckpointError(f"cannot write a savepoint to {directory}: {error}") from error
            content = pickle.dumps([*times, *own], pickle.HIGHEST_PROTOCOL)
            write_checked(self._storage, f"{directory}/{quote(task, safe='')}.{subtask}", content)
        return [
            SavedOperator(
                uid,
                key_groups=sum(part.group != OWN_PAGE for part in own),
                keys=sum(part.keys for part in own),
                size=sum(len(part.content) for part in own),
            )
            for uid, own in by_uid.items()
        ]

    def parts(self, uids: Iterable[str]) -> Iterator[StatePart]:
        """Yield the state of operators, of all subtasks that wrote it.

        Raises:
            CheckpointError: a file is damaged, or cannot be read.
        """
        for uid in uids:
            directory = self._directory(uid)
            for name in sorted(self._storage.names(directory)):
                content = read_checked(self._storage, f"{directory}/{name}")
                if content is not None:
                    yield from pickle.loads(content)

    def write_positions(self, positions: Mapping[str, Any]) -> None:
        """Write the positions of sources, by uid.

        Raises:
            CheckpointError: they cannot be written.
        """
        try:
            self._storage.make_directory(self._path)
        except OSError as error:
            raise CheckpointError(f"cannot write a savepoint to {self._path}: {error}") from error
        pickled = {uid: dumps(position) for uid, position in positions.items()}
        write_checked(self._storage, f"{self._path}/{_POSITIONS}", pickle.dumps(pickled))

    def position(self, uid: str) -> Any | None:
        """Return the position of a source, ``None`` if the savepoint has none.

        Raises:
            CheckpointError: the file is missing or damaged.
        """
        content = read_checked(self._storage, f"{self._path}/{_POSITIONS}")
        if content is None:
            raise CheckpointError(f"{self._path}/{_POSITIONS} is missing; use another savepoint")
        pickled = pickle.loads(content).get(uid)
        return None if pickled is None else pickle.loads(pickled)

    def _directory(self, uid: str) -> str:
        return f"{self._path}/{_OPERATORS}/{quote(uid, safe='')}"
