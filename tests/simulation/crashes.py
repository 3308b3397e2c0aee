"""Crashes at chosen steps of a job: a failure of the engine or a function, or the end of the process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from pystream.engine.connectors.storage import LocalStorage
from pystream.engine.task.task import Task
from pystream.hosts.local.state_log import EpochPages, StateLog
from pystream.hosts.unbounded.commits import SinkCommits
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.hosts.unbounded.epoch_log import EpochLog

__all__ = ["CrashError", "Crashes", "Killed", "crashing", "step"]

_STEPS = (
    (Task, "restore"),
    (Task, "take"),
    (Task, "save"),
    (EpochPages, "put"),
    (EpochLog, "write"),
    (EpochLog, "recover"),
    (EpochLog, "trim"),
    (SinkCommits, "prepare"),
    (SinkCommits, "commit"),
    (SinkCommits, "recover"),
    (StateLog, "commit"),
    (StateLog, "recover"),
    (Deliveries, "hold"),
    (LocalStorage, "replace"),
    (LocalStorage, "remove"),
)


class CrashError(Exception):
    """A failure, after which the job restarts."""


class Killed(BaseException):
    """The process is dead."""


class Crashes:
    """Counts the steps of a job, and crashes it at some of them.

    Args:
        at: the numbers of these steps, counted through all restarts.
        kills: whether the process dies; otherwise the job fails and is restarted in it.
    """

    def __init__(self, at: Collection[int] = (), *, kills: bool = False) -> None:
        self._at = set(at)
        self.kills = kills
        self.steps = 0
        self.is_dead = False
        self.struck: list[str] = []

    def __repr__(self) -> str:
        return f"Crashes({sorted(self._at)}, kills={self.kills}) that struck at {self.struck}"

    def step(self, name: str) -> None:
        """Count a step, and crash if it is the time for it."""
        if self.is_dead:
            raise Killed
        self.steps += 1
        if self.steps in self._at:
            self.struck.append(name)
            self.is_dead = self.kills
            raise Killed if self.kills else CrashError(f"before {name}")


_active: list[Crashes] = []


def step(name: str) -> None:
    """Count a step of the job that runs."""
    if _active:
        _active[-1].step(name)


@contextmanager
def crashing(crashes: Crashes) -> Iterator[None]:
    """Let a job that runs in the block crash."""
    with ExitStack() as stack:
        for owner, name in _STEPS:
            stack.enter_context(patch.object(owner, name, _around(owner, name)))
        _active.append(crashes)
        stack.callback(_active.pop)
        yield


def _around(owner: type, name: str) -> Callable[..., Any]:
    function = getattr(owner, name)
    label = f"{owner.__name__}.{name}"

    def call(*arguments: Any, **options: Any) -> Any:
        step(label)
        result = function(*arguments, **options)
        step(f"the return of {label}")
        return result

    return call
