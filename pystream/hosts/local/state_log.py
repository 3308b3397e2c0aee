"""StateLog: the state of an unbounded job on the local host, stored durably after each epoch."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pystream.engine.connectors.storage import storage_of
from pystream.engine.stored_data import dump_data
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.checked_file import (
    UnusableFileError,
    data_of,
    read_checked,
    remedied,
    write_checked,
)

__all__ = ["Address", "Changes", "EpochPages", "Pages", "StateLog"]

_LOG = logging.getLogger(__name__)
_FILE = re.compile(r"(\d+)\.(changes|state)")
_LEAST_CHANGES = 1 << 20  # bytes of changes before the full state is written again
_MOST_EPOCHS = 1_000

Address: TypeAlias = "tuple[int, int]"
"""A subtask: its chain id and index."""

Pages: TypeAlias = "dict[tuple[str, int], bytes]"
"""The pages of a subtask by owner and number."""

Changes: TypeAlias = "Mapping[Address, Mapping[tuple[str, int], bytes | None]]"
"""The pages of each subtask that an epoch has changed; ``None`` for those it has removed."""


class EpochPages:
    """The pages of one subtask, with the changes of the current epoch kept apart.

    Args:
        pages: the pages at the start of the epoch, which stay as they are.

    Attributes:
        changes: the pages that the epoch has changed; ``None`` for those it has removed.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.changes: dict[tuple[str, int], bytes | None] = {}

    def get(self, owner: str, page: int) -> bytes | None:
        """Return the content of a page, ``None`` if there is none."""
        key = owner, page
        return self.changes[key] if key in self.changes else self._pages.get(key)

    def get_all(self, owner: str) -> Mapping[int, bytes]:
        """Return all pages of an owner by number."""
        pages = {**self._pages, **self.changes}
        return {page: content for (of, page), content in pages.items() if of == owner and content is not None}

    def put(self, owner: str, page: int, content: bytes) -> None:
        """Store a page."""
        self.changes[owner, page] = content

    def remove(self, owner: str, page: int) -> None:
        """Remove a page, if it exists."""
        self.changes[owner, page] = None


class StateLog:
    """The pages of all subtasks after the last epoch, in memory and in a log.

    The changes of each epoch are one file, whose appearance commits the epoch. Once these files outgrow the
    state, it is written as a whole; the files that neither of the two last whole states needs are removed.

    Args:
        directory: location of a directory of its own, created by the first epoch; ``None`` to keep the state
            only in memory.
        job_id: the id of the job.

    Attributes:
        pages: the pages of each subtask.
    """

    def __init__(self, directory: str | None, job_id: str) -> None:
        self._job_id = job_id
        self.pages: dict[Address, Pages] = {}
        self._last = -1
        self._size = 0  # of all pages
        self._changed = 0  # size of the changes since the last full state
        self._whole: list[int] = []  # epochs after which the full state is stored, ascending
        self._first = 0  # number of the oldest epoch in the directory
        self._files = None if directory is None else storage_of(directory)

    def recover(self) -> int:
        """Read the state, after a start or a failure; return the number of the last epoch, -1 for none.

        Raises:
            CheckpointError: a file is damaged or missing, and cannot be replaced by others.
        """
        if self._files is None:
            return self._last
        changes, whole = self._numbers()
        self._last = max(changes | whole, default=-1)
        self._first = min(changes | whole, default=0)
        with remedied():
            base = self._read_whole(whole, first=min(changes, default=0))
            self._changed = 0
            for number in range(base + 1, self._last + 1):
                content = self._read(number, "changes")
                self._changed += len(content)
                self._apply(data_of(content, self._path(number, "changes")))
        self._whole = sorted(number for number in whole if number <= base)
        return self._last

    def commit(self, epoch: int, changes: Changes) -> None:
        """Commit an epoch with its changes.

        Args:
            epoch: its number, which follows that of the last one.
            changes: the pages that it has changed.

        Raises:
            CheckpointError: they cannot be written; ``recover`` says whether the epoch is committed.
        """
        if self._files is not None:
            if self._last < 0:
                self._make_directory()
            self._changed += self._write(epoch, "changes", changes)
        self._apply(changes)
        self._last = epoch
        if self._files is not None and self._is_due():
            self._write(epoch, "state", self.pages)
            self._whole.append(epoch)
            self._changed = 0
            self._trim()

    def _is_due(self) -> bool:
        """Return whether it is time to write the full state."""
        epochs = self._last - (self._whole[-1] if self._whole else -1)
        return self._changed >= max(self._size, _LEAST_CHANGES) or epochs >= _MOST_EPOCHS

    def _apply(self, changes: Changes) -> None:
        for address, changed in changes.items():
            pages = self.pages.setdefault(address, {})
            for key, content in changed.items():
                self._size -= len(pages.pop(key, b""))
                if content is not None:
                    pages[key] = content
                    self._size += len(content)

    def _read_whole(self, whole: Iterable[int], first: int) -> int:
        """Read the last undamaged full state, and return the number of its epoch; -1 for the start."""
        damage: UnusableFileError | None = None
        self.pages, self._size = {}, 0
        for number in sorted(whole, reverse=True):
            try:
                self._apply(data_of(self._read(number, "state"), self._path(number, "state")))
            except UnusableFileError as error:
                _LOG.warning("%s; the state before it is used, with the changes since", error)
                damage = damage or error
            else:
                return number
        if damage is not None and first > 0:
            raise damage
        return -1

    def _trim(self) -> None:
        """Remove the files that neither of the last two full states needs."""
        if len(self._whole) < 2:
            return
        former = self._whole[-2]
        assert self._files is not None
        storage, directory = self._files
        try:
            for number in range(self._first, former + 1):
                storage.remove(self._path(number, "changes"))
                if number < former:
                    storage.remove(self._path(number, "state"))
        except OSError as error:
            raise CheckpointError(f"cannot remove a file from {directory}: {error}") from error
        self._first = former
        self._whole = self._whole[-2:]

    def _numbers(self) -> tuple[set[int], set[int]]:
        """Return the epochs with a file of changes, and with the full state; remove incomplete files."""
        assert self._files is not None
        storage, directory = self._files
        found: dict[str, set[int]] = {"changes": set(), "state": set()}
        try:
            for name in storage.names(directory):
                match = _FILE.fullmatch(name)
                if match is None:
                    storage.remove(f"{directory}/{name}")
                else:
                    found[match[2]].add(int(match[1]))
        except OSError as error:
            raise CheckpointError(f"cannot read {directory}: {error}") from error
        return found["changes"], found["state"]

    def _make_directory(self) -> None:
        assert self._files is not None
        storage, directory = self._files
        try:
            storage.make_directory(directory, private=True)
        except OSError as error:
            raise CheckpointError(f"cannot create {directory}: {error}") from error

    def _read(self, number: int, kind: str) -> bytes:
        assert self._files is not None
        path = self._path(number, kind)
        content = read_checked(self._files[0], path, self._job_id)
        if content is None:
            raise UnusableFileError(f"{path} is missing")
        return content

    def _write(self, number: int, kind: str, changes: Changes) -> int:
        """Write a file, and return its size."""
        assert self._files is not None
        content = dump_data({a: dict(c) for a, c in changes.items()})
        write_checked(self._files[0], self._path(number, kind), content, self._job_id)
        return len(content)

    def _path(self, number: int, kind: str) -> str:
        assert self._files is not None
        return f"{self._files[1]}/{number}.{kind}"
