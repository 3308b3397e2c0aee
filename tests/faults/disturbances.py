"""Disturbances from within the job: what a process does to itself at a record or at a step of a commit.

Each happens once in a run: a file marks it as done before it happens.
"""

from __future__ import annotations

import errno
import functools
import importlib
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pystream.engine.epoch import Epoch

__all__ = [
    "CONNECTOR_STEPS",
    "SAVEPOINT_STEPS",
    "STEPS",
    "WORKER_STEPS",
    "AtRecord",
    "AtStep",
    "Disturbance",
    "InjectedError",
    "files_of",
    "install",
]

STEPS = {
    "the epoch is logged": ("pystream.hosts.unbounded.epoch_log", "EpochLog.write"),
    "the epoch has run": ("pystream.hosts.unbounded.epochs", "Epochs.complete"),
    "a part file is closed": ("pystream.engine.connectors.file_sink", "SegmentWriter.finish"),
    "a commit of files is prepared": ("pystream.engine.connectors.file_commits", "FilesCommitter.prepare"),
    "files are committed": ("pystream.engine.connectors.file_commits", "FilesCommitter.commit"),
    "a file is moved into place": ("pystream.engine.connectors.file_commits", "move_into_place"),
    "all commits are prepared": ("pystream.hosts.unbounded.commits", "SinkCommits.prepare"),
    "all sinks are committed": ("pystream.hosts.unbounded.commits", "SinkCommits.commit"),
    "state is saved": ("pystream.hosts.unbounded.savepoint_files", "SavepointFiles.write"),
    "positions are saved": ("pystream.hosts.unbounded.savepoint_files", "SavepointFiles.write_positions"),
    "a savepoint is completed": ("pystream.hosts.unbounded.savepoint", "SavepointMetadata.write"),
}
"""The steps of the commit protocol, each a module and the function in it that takes the step."""

_KAFKA = "pystream.engine.connectors.kafka"
_JDBC = "pystream.engine.connectors.jdbc"
CONNECTOR_STEPS = {
    "offsets are polled": (f"{_KAFKA}.enumerator", "KafkaEnumerator.poll"),
    "offsets are committed": (f"{_KAFKA}.cluster", "Cluster.commit"),
    "partitions are looked for": (f"{_KAFKA}.enumerator", "KafkaEnumerator._discover"),
    "a record is produced": (f"{_KAFKA}.producer", "RecordProducer.write"),
    "records are delivered": (f"{_KAFKA}.sink", "KafkaWriter.finish"),
    "records are staged": (f"{_KAFKA}.transactions", "StagingWriter.finish"),
    "a transaction is begun": (f"{_KAFKA}.transactions", "TransactionCommitter.commit"),
    "a transaction is written": (f"{_KAFKA}.transactions", "TransactionCommitter._write"),
    "rows are executed": (f"{_JDBC}.batches", "Batches.run"),
    "rows are flushed": (f"{_JDBC}.sink", "JdbcWriter.finish"),
}
"""The steps of the connectors of Kafka and databases."""

WORKER_STEPS = frozenset({"a part file is closed", "state is saved"})
"""The steps that workers take; the driver takes the others."""

SAVEPOINT_STEPS = frozenset({"state is saved", "positions are saved", "a savepoint is completed"})
"""The steps that are taken only for savepoints."""

_SECONDS_TO_DELIVER = 10.0


@dataclass(frozen=True, slots=True)
class AtRecord:
    """A disturbance when a record reaches a place of the program.

    Attributes:
        number: number of the record.
        place: ``source`` or ``keyed``.
        action: ``raise``, ``kill worker`` or ``kill both``.
    """

    number: int
    place: str
    action: str

    @property
    def name(self) -> str:
        """The name of its mark."""
        return f"record-{self.number}-at-{self.place}"


@dataclass(frozen=True, slots=True)
class AtStep:
    """A disturbance at a step of the commit protocol.

    Attributes:
        step: one of ``STEPS`` or ``CONNECTOR_STEPS``.
        is_after: whether the step has been taken before.
        count: the first call of the step in its process at which it may happen, from 1.
        action: ``kill``, ``raise``, ``no space`` for an error as of a full disk, ``hide input`` to rename
            all input files, ``grow input`` to append a line to those of the epoch, ``pause`` until the
            harness continues the process, ``kill`` with the name of a server, or for a producer's step
            ``deliver and kill`` or ``deliver and pause``.
    """

    step: str
    is_after: bool
    count: int
    action: str

    @property
    def name(self) -> str:
        """The name of its mark."""
        return f"step-{self.step.replace(' ', '-')}"


Disturbance = AtRecord | AtStep


class InjectedError(Exception):
    """The error of a disturbance."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The files that mark disturbances as done.

    Attributes:
        directory: their directory, which also holds the process id of the driver and the path of the input.
    """

    directory: Path

    def is_first(self, name: str) -> bool:
        """Mark a disturbance as done; return whether it was not before."""
        try:
            (self.directory / name).open("x").close()
        except FileExistsError:
            return False
        return True

    def disturb(self, name: str, action: str, arguments: Sequence[Any] = ()) -> None:
        """Take an action, unless it was taken before, or is about the input of an epoch that has none.

        Args:
            name: the name of the disturbance.
            action: the action.
            arguments: those of the function of the step.

        Raises:
            InjectedError: the action is to fail.
            OSError: the action is to fail for lack of space.
        """
        files = files_of(arguments[1]) if action.endswith(" input") else set()
        if (action.endswith(" input") and not files) or not self.is_first(name):
            return
        if action.startswith("deliver and "):
            arguments[0].client.flush(_SECONDS_TO_DELIVER)
            action = action.removeprefix("deliver and ")
        match action:
            case "pause":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "kill broker" | "kill database":
                name = action.removeprefix("kill ")
                os.killpg(int((self.directory / f"{name}.pid").read_text()), signal.SIGKILL)
            case "raise":
                raise InjectedError(name)
            case "no space":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
            case "kill worker" | "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "kill both":
                os.kill(int((self.directory / "driver.pid").read_text()), signal.SIGKILL)
                os.kill(os.getpid(), signal.SIGKILL)
            case "hide input":
                for path in Path((self.directory / "input").read_text()).glob("[!.]*"):
                    path.rename(path.with_name(f".{path.name}"))
            case "grow input":
                for path in files:
                    with path.open("a") as file:
                        file.write("0,user-0,0,0\n")


def files_of(epoch: Epoch) -> set[Path]:
    """Return the files to read in an epoch."""
    splits = (split for parts in epoch.splits.values() for part in parts for split in part)
    return {Path(split.file.path) for split in splits}


def install(disturbances: Sequence[Disturbance], marks: Marks) -> None:
    """Wrap the functions of the steps to disturb, once per process.

    Raises:
        AttributeError: a step has no such function any more.
    """
    for disturbance in disturbances:
        if isinstance(disturbance, AtStep):
            owner, name, function = resolve(disturbance.step)
            if not hasattr(function, "disturbs"):
                setattr(owner, name, _disturbed(function, disturbance, marks))


def resolve(step: str) -> tuple[Any, str, Callable[..., Any]]:
    """Return the owner of the function of a step, its name there and the function."""
    module, path = {**STEPS, **CONNECTOR_STEPS}[step]
    *owners, name = path.split(".")
    owner: Any = importlib.import_module(module)
    for each in owners:
        owner = getattr(owner, each)
    return owner, name, getattr(owner, name)


def _disturbed(function: Callable[..., Any], at: AtStep, marks: Marks) -> Callable[..., Any]:
    calls = 0

    @functools.wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= at.count and not at.is_after:
            marks.disturb(at.name, at.action, args)
        result = function(*args, **kwargs)
        if calls >= at.count and at.is_after:
            marks.disturb(at.name, at.action, args)
        return result

    step.disturbs = at  # type: ignore[attr-defined]
    return step
