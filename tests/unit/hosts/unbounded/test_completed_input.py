"""When sources are told that their input is processed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pystream.common import Configuration, RestartStrategies, Types, WatermarkStrategy
from pystream.datastream.connectors import (
    Committer,
    CommitterInitContext,
    CommittingSinkWriter,
    Source,
    TwoPhaseCommittingSink,
    WriterInitContext,
)
from pystream.engine.connectors.interfaces import Poll
from pystream.errors import SinkError
from pystream.kinds import SourceColumns
from pystream.testing import local_environment
from typeinfo.info import TypeInformation

happened: list[str] = []


class Failures:
    """What fails, each once."""

    left: ClassVar[set[str]] = set()

    @classmethod
    def check(cls, event: str) -> None:
        if event in cls.left:
            cls.left.remove(event)
            raise ValueError(f"failure of {event}")


@pytest.fixture(autouse=True)
def _nothing_has_happened() -> None:
    happened.clear()
    Failures.left.clear()


@dataclass(frozen=True)
class NumbersInput:
    """The numbers below an end, one an epoch."""

    end: int
    first_limit = 1
    is_bounded = False
    columns = SourceColumns.NONE

    def enumerator(
        self, parallelism: int, position: int | None = None, changes: Sequence[int] = ()
    ) -> NumbersEnumerator:
        return NumbersEnumerator([position or 0, *changes][-1], self.end)

    def read(self, split: int) -> Iterator[list[int]]:
        yield [split]


class NumbersEnumerator:
    def __init__(self, number: int, end: int) -> None:
        self._number = number
        self._end = end
        happened.append(f"open at {number}")

    @property
    def is_ended(self) -> bool:
        return self._number == self._end

    def poll(self, now: int, limit: int) -> Poll | None:
        self._number += 1
        happened.append(f"poll {self._number}")
        return Poll([[self._number]], 1, self._number)

    def next_poll(self, now: int) -> int | None:
        return None if self.is_ended else now

    def backlog(self, now: int) -> None:
        pass

    def snapshot(self) -> int:
        return self._number

    def completed(self) -> None:
        happened.append(f"completed {self._number}")

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Numbers(Source[int]):
    end: int

    def is_bounded(self) -> bool:
        return False

    def get_produced_type(self) -> TypeInformation[int]:
        return Types.INT()

    def reader(self) -> NumbersInput:
        return NumbersInput(self.end)


class Pending(CommittingSinkWriter[int, int]):
    def __init__(self) -> None:
        self._values: list[int] = []

    def write(self, element: int, context: Any) -> None:
        self._values.append(element)

    def prepare_commit(self) -> list[int]:
        values, self._values = self._values, []
        return values


class Noted(Committer[int]):
    def commit(self, checkpoint_id: int, committables: Sequence[int]) -> None:
        for number in committables:
            Failures.check(f"commit {number}")
            happened.append(f"commit {number}")


class NotingSink(TwoPhaseCommittingSink[int, int]):
    def create_writer(self, context: WriterInitContext) -> Pending:
        return Pending()

    def create_committer(self, context: CommitterInitContext) -> Noted:
        return Noted()


def checked(number: int) -> int:
    Failures.check(f"run {number}")
    return number


def run(directory: Path, end: int, *, restarts: int = 0, resume: bool = False) -> None:
    configuration = Configuration()
    configuration.set_string("execution.checkpointing.dir", str(directory))
    configuration.set_string("pystream.resume", str(resume).lower())
    env = local_environment(configuration).set_parallelism(1)
    env.set_restart_strategy(RestartStrategies.fixed_delay_restart(restarts, 0))
    numbers = env.from_source(Numbers(end), WatermarkStrategy.no_watermarks(), "numbers")
    numbers.map(checked, Types.INT()).sink_to(NotingSink())
    env.execute("numbers")


def test_input_is_completed_once_its_epoch_is_committed(tmp_path: Path) -> None:
    run(tmp_path, 2)
    assert happened == [
        *("open at 0", "completed 0"),
        *("poll 1", "commit 1", "completed 1"),
        *("poll 2", "commit 2", "completed 2"),
    ]


def test_input_of_an_epoch_that_is_to_be_repeated_is_not_completed(tmp_path: Path) -> None:
    Failures.left.add("run 1")
    run(tmp_path, 1, restarts=1)
    assert happened == [
        *("open at 0", "completed 0"),
        "poll 1",
        "open at 1",
        *("commit 1", "completed 1"),
        "completed 1",  # the last epoch, without input
    ]


def test_a_resumed_job_completes_the_input_of_an_epoch_that_was_committed(tmp_path: Path) -> None:
    Failures.left.add("commit 1")
    with pytest.raises(SinkError, match="failure of commit 1"):
        run(tmp_path, 1)
    assert happened == ["open at 0", "completed 0", "poll 1"]
    happened.clear()
    run(tmp_path, 1, resume=True)
    assert happened == ["commit 1", "open at 1", "completed 1", "completed 1"]
