"""EpochLog: the input of each epoch of a job, stored before the epoch runs."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, Protocol

from pystream.engine.connectors.storage import Storage, storage_of
from pystream.engine.epoch import Epoch
from pystream.engine.stored_data import DataError, dump_data, load_data
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import (
    UnusableFileError,
    data_of,
    read_checked,
    remedied,
    write_checked,
)
from pystream.hosts.unbounded.lost_state import REMEDY, StateLostError

__all__ = ["EpochLog", "Positioned"]

_LOG = logging.getLogger(__name__)
_FILE = re.compile(r"(\d+)\.(epoch|positions)")
_EPOCHS_BETWEEN_SNAPSHOTS = 100
_NONE = -1


class Positioned(Protocol):
    """Interface of objects with a position to resume from, such as a ``SplitEnumerator``."""

    def snapshot(self) -> Any:
        """Return the position; picklable."""
        ...


class EpochLog:
    """The log of the epochs of a job, in a directory of its own.

    The file of an epoch has the splits to read, and the change of the position of each source. At intervals,
    another file holds the whole positions, from which, with the changes since, a source resumes.
    Workers only `read`. Everything else is for the process that runs the job, which calls `recover` first.

    Args:
        directory: its location; created by the first `write`.
        job_id: the id of the job.
        interval: number of epochs after which the whole positions are stored again.
    """

    def __init__(self, directory: str, job_id: str, *, interval: int = _EPOCHS_BETWEEN_SNAPSHOTS) -> None:
        self._location = directory
        self._job_id = job_id
        self._interval = interval
        self._opened: tuple[Storage, str] | None = None
        self._first = 0  # number of the oldest epoch in the directory
        self._last = _NONE
        self._snapshots: list[int] = []  # numbers of the epochs after which positions are stored, ascending
        self._is_due = True

    def known(self) -> tuple[int, str]:
        """Return the number of the last epoch that the log shows to be committed, and the file that shows it.

        Raises:
            CheckpointError: the log cannot be read.
        """
        last = max(self._numbers()[0], default=_NONE)
        return max(last - 1, _NONE), self._path(last, "epoch")

    def recover(self, committed: int) -> int:
        """Prepare to continue the log; called once, before all methods but `read`.

        An epoch that is not committed, and damaged, is removed with those after it: none of its output is
        visible, so another may take its place. One that is repeated writes no savepoint: whoever asked for
        that has seen it fail.

        Args:
            committed: number of the last committed epoch, -1 for none.

        Returns:
            The number of the last epoch of the log, -1 for none.

        Raises:
            StateLostError: the log ends before ``committed``, or starts too late after it.
            CheckpointError: it cannot be read.
        """
        epochs, snapshots = self._numbers()
        if committed + 1 < min(epochs, default=0):
            raise StateLostError(
                f"the state after epoch {min(epochs) - 1} is missing, but {self._storage()[1]} "
                f"continues from it; {REMEDY}"
            )
        if committed >= 0 and committed not in epochs:
            raise StateLostError(
                f"{self._path(committed, 'epoch')} is missing, but epoch {committed} is committed; {REMEDY}"
            )
        last = committed
        while last + 1 in epochs:
            try:
                self._drop_savepoint(last + 1)
            except UnusableFileError as error:
                _LOG.warning("%s; epoch %d was not committed: its input is planned again", error, last + 1)
                break
            last += 1
        self._remove(sorted((number for number in epochs | snapshots if number > last), reverse=True))
        self._last = last
        self._first = min(epochs | snapshots, default=0)
        self._snapshots = sorted(number for number in snapshots if number <= last)
        return last

    def write(self, epoch: Epoch, changes: Mapping[str, Any], sources: Mapping[str, Positioned]) -> None:
        """Store an epoch durably, before it runs.

        Args:
            epoch: the epoch; its number follows that of the last one.
            changes: the ``change`` of each source polled for it, by uid.
            sources: the enumerators of all sources, ended ones included, after these changes, by uid.

        Raises:
            CheckpointError: it cannot be written.
        """
        number = epoch.number
        storage, directory = self._storage()
        if self._last < 0:
            try:
                storage.make_directory(directory, private=True)
            except OSError as error:
                raise CheckpointError(f"cannot create {directory}: {error}") from error
            self._first = number
        if self._is_due:
            snapshot = {uid: dump_data(source.snapshot()) for uid, source in sources.items()}
            write_checked(storage, self._path(number, "positions"), dump_data(snapshot), self._job_id)
        self._store(number, epoch, {uid: dump_data(change) for uid, change in changes.items()})
        if self._is_due:
            self._snapshots.append(number)
        self._last = number
        self._is_due = number + 1 >= self._snapshots[-1] + self._interval

    def read(self, number: int) -> Epoch:
        """Return an epoch of the log.

        Raises:
            CheckpointError: it is missing, or cannot be read.
        """
        with remedied():
            epoch = self._epoch(number)
            if epoch is None:
                raise UnusableFileError(f"{self._path(number, 'epoch')} is missing")
            return epoch

    def position(self, uid: str) -> tuple[Any | None, list[Any]]:
        """Return the position of a source after the last epoch: a snapshot, and the changes since.

        The arguments of ``UnboundedSource.enumerator``. A damaged snapshot is replaced by the one before.

        Raises:
            CheckpointError: a record is missing or damaged.
        """
        with remedied():
            start, snapshot = self._last_snapshot()
            changes = []
            for number in range(start + 1, self._last + 1):
                record = self._load(number, "epoch")
                if record is None:
                    raise UnusableFileError(f"{self._path(number, 'epoch')} is missing")
                if uid in record[1]:
                    changes.append(self._loaded(record[1][uid], number, "epoch"))
            position = self._loaded(snapshot[uid], start, "positions") if uid in snapshot else None
            return position, changes

    def trim(self, committed: int) -> None:
        """Remove the records of committed epochs that no position needs.

        The two last snapshots of positions are kept, with the epochs since.

        Args:
            committed: number of the last epoch that will not be repeated.

        Raises:
            CheckpointError: a record cannot be removed.
        """
        settled = [number for number in self._snapshots if number <= committed]
        if len(settled) < 2 or settled[-2] <= self._first:
            return
        first = settled[-2]
        self._remove(range(self._first, first))
        self._first = first
        self._snapshots = [number for number in self._snapshots if number >= first]

    def _epoch(self, number: int) -> Epoch | None:
        record = self._load(number, "epoch")
        return None if record is None else Epoch(**self._loaded(record[0], number, "epoch"))

    def _drop_savepoint(self, number: int) -> None:
        """Let an epoch that is repeated write no savepoint, and not end event time for one."""
        epoch, record = self._epoch(number), self._load(number, "epoch")
        if epoch is not None and (epoch.savepoint or epoch.drains):
            self._store(number, replace(epoch, savepoint="", drains=False), record[1])

    def _store(self, number: int, epoch: Epoch, changes: Mapping[str, bytes]) -> None:
        described = {field.name: getattr(epoch, field.name) for field in fields(epoch)}
        content = dump_data((dump_data(described), dict(changes)))
        write_checked(self._storage()[0], self._path(number, "epoch"), content, self._job_id)

    def _last_snapshot(self) -> tuple[int, dict[str, bytes]]:
        """Return the number of the epoch of the last readable snapshot, and the snapshot by uid."""
        damage: UnusableFileError | None = None
        for number in reversed(self._snapshots):
            try:
                snapshot = self._load(number, "positions")
            except UnusableFileError as error:
                _LOG.warning("%s; the positions before it are used", error)
                damage = damage or error
            else:
                if snapshot is not None:
                    self._snapshots = [each for each in self._snapshots if each <= number]
                    return number, snapshot
        if damage is not None:
            raise damage
        if self._last >= 0:
            raise UnusableFileError(f"{self._path(self._first, 'positions')} is missing")
        return _NONE, {}

    def _numbers(self) -> tuple[set[int], set[int]]:
        """Return the numbers of the epochs in the directory, and those of the snapshots."""
        storage, directory = self._storage()
        try:
            found = [match for name in storage.names(directory) if (match := _FILE.fullmatch(name))]
        except OSError as error:
            raise CheckpointError(f"cannot list {directory}: {error}") from error
        epochs = {int(match[1]) for match in found if match[2] == "epoch"}
        return epochs, {int(match[1]) for match in found if match[2] == "positions"}

    def _load(self, number: int, kind: str) -> Any:
        """Return what a file holds, ``None`` if it does not exist."""
        content = read_checked(self._storage()[0], self._path(number, kind), self._job_id)
        return None if content is None else data_of(content, self._path(number, kind))

    def _loaded(self, pickled: bytes, number: int, kind: str) -> Any:
        """Load a value of a source."""
        try:
            return load_data(pickled)
        except DataError as error:
            raise UnusableFileError(
                f"{self._path(number, kind)} refers to something that this program does not have: "
                f"{error}; resume the job with the program that wrote it"
            ) from error

    def _remove(self, numbers: Iterable[int]) -> None:
        storage, _ = self._storage()
        try:
            for number in numbers:
                storage.remove(self._path(number, "epoch"))
                storage.remove(self._path(number, "positions"))
        except OSError as error:
            raise CheckpointError(f"cannot remove an epoch from {self._storage()[1]}: {error}") from error

    def _path(self, number: int, kind: str) -> str:
        return f"{self._storage()[1]}/{number}.{kind}"

    def _storage(self) -> tuple[Storage, str]:
        if self._opened is None:
            self._opened = storage_of(self._location)
        return self._opened
