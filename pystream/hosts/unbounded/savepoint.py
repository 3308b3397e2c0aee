"""SavepointMetadata: the content of a savepoint, described by its file ``_metadata``."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Self

from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.storage import storage_of
from pystream.engine.state.evolution import StateHistory
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import write_durably
from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity, StateInfo
from pystream.hosts.unbounded.savepoint_files import TAKE_ANOTHER, SavedFile, SavedOperator

__all__ = ["METADATA", "OperatorState", "SavepointMetadata", "new_savepoint_location", "savepoint_path"]

METADATA = "_metadata"
_FORMAT = 3


def new_savepoint_location(directory: str, job_id: str) -> str:
    """Return the location of a new savepoint of a job in a directory of savepoints."""
    return f"{absolute_location(directory).rstrip('/')}/savepoint-{job_id[:6]}-{uuid.uuid4().hex[:12]}"


def savepoint_path(location: str) -> str:
    """Return the absolute location of a savepoint, given that or the one of the description in it."""
    return absolute_location(location).rstrip("/").removesuffix(f"/{METADATA}")


@dataclass(frozen=True, slots=True)
class OperatorState:
    """The state of an operator in a savepoint.

    Attributes:
        operator: the operator.
        subtasks: number of files, one per subtask, with its pages.
        key_groups: number of key groups with state.
        keys: number of keys with state; ``None`` for an operator without keys.
        size: size of the pages in bytes.
    """

    operator: OperatorIdentity
    subtasks: int
    key_groups: int
    keys: int | None
    size: int

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the state that ``asdict`` described."""
        return cls(**{**value, "operator": OperatorIdentity.of_json(value["operator"])})


@dataclass(frozen=True, slots=True)
class SavepointMetadata:
    """The description of a complete savepoint.

    Attributes:
        job_id: the hexadecimal id of the job.
        job_name: its name.
        created: the time of completion in ISO 8601.
        epoch: number of the last epoch whose effects are in it.
        operators: the state of its operators.
        files: the files that it consists of, apart from this description.
    """

    job_id: str
    job_name: str
    created: str
    epoch: int
    operators: tuple[OperatorState, ...]
    files: tuple[SavedFile, ...]

    @classmethod
    def of(
        cls,
        job_id: str,
        epoch: int,
        identity: JobIdentity,
        saved: Iterable[SavedOperator],
        types: Mapping[str, StateHistory],
        files: Iterable[SavedFile],
    ) -> Self:
        """Return the description of a savepoint that is being completed.

        Args:
            job_id: the hexadecimal id of the job.
            epoch: number of the last epoch whose effects are in it.
            identity: the operators of the job.
            saved: what each subtask has written of each operator.
            types: the types of the states of each operator, by uid.
            files: the files, apart from those of operators.
        """
        by_uid: dict[str, list[SavedOperator]] = {}
        for each in saved:
            by_uid.setdefault(each.uid, []).append(each)
        operators = (
            _state(operator, by_uid.get(operator.uid, []), types.get(operator.uid, {}))
            for operator in identity.operators
        )
        created = datetime.now(UTC).isoformat(timespec="seconds")
        of_operators = (each.file for own in by_uid.values() for each in own)
        return cls(job_id, identity.name, created, epoch, tuple(operators), (*files, *of_operators))

    @property
    def identity(self) -> JobIdentity:
        """The operators of the job that wrote it."""
        return JobIdentity(self.job_name, tuple(state.operator for state in self.operators))

    @classmethod
    def read(cls, location: str) -> Self:
        """Return the description of a savepoint.

        Args:
            location: that of the savepoint's directory, or of the description in it.

        Raises:
            CheckpointError: it does not exist, is incomplete or damaged.
            ConnectorError: no file system is known for the location.
        """
        storage, path = storage_of(savepoint_path(location))
        try:
            data = storage.read(f"{path}/{METADATA}")
            exists = bool(storage.names(path))
        except OSError as error:
            raise CheckpointError(f"cannot read savepoint {location}: {error}") from error
        if not exists:
            raise CheckpointError(f"savepoint {location} does not exist")
        if data is None:
            raise CheckpointError(
                f"savepoint {location} is incomplete: it has no file {METADATA}, which is written last; use "
                "another one"
            )
        try:
            return cls._of_json(json.loads(data))
        except _FormatError as error:
            raise CheckpointError(f"savepoint {location} has {error}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CheckpointError(
                f"savepoint {location} is damaged: {METADATA} cannot be read "
                f"({type(error).__name__}: {error}); use another one"
            ) from error

    def write(self, location: str) -> None:
        """Complete a savepoint, whose other files are durable.

        Args:
            location: that of its directory, which exists.

        Raises:
            CheckpointError: it cannot be written.
        """
        storage, path = storage_of(absolute_location(location))
        write_durably(storage, f"{path.rstrip('/')}/{METADATA}", self.to_json().encode(), then=TAKE_ANOTHER)

    def to_json(self) -> str:
        """Return the description as JSON."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=2, ensure_ascii=False)

    @classmethod
    def _of_json(cls, value: dict[str, Any]) -> Self:
        version = value.pop("format")
        if version != _FORMAT:
            raise _FormatError(f"format {version}, but this version of pystream reads format {_FORMAT}")
        operators = tuple(map(OperatorState.of_json, value["operators"]))
        files = tuple(SavedFile(**file) for file in value["files"])
        return cls(**{**value, "operators": operators, "files": files})


def _state(operator: OperatorIdentity, saved: Sequence[SavedOperator], types: StateHistory) -> OperatorState:
    states = {state.name: state for state in operator.states}
    states |= {name: StateInfo.of(name, history[-1]) for name, history in types.items()}
    return OperatorState(
        replace(operator, states=tuple(states.values())),
        subtasks=len(saved),
        key_groups=sum(each.key_groups for each in saved),
        keys=sum(each.keys for each in saved) if operator.key_type else None,
        size=sum(each.size for each in saved),
    )


class _FormatError(Exception):
    """The savepoint has the format of another version of pystream."""
