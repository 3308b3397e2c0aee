"""Key selectors and partitioners are opened and closed in every subtask that calls them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pystream.common import Types, WatermarkStrategy
from pystream.common.time import Time
from pystream.datastream import DataStream, KeySelector, Partitioner, StreamExecutionEnvironment
from pystream.datastream.functions import RuntimeContext
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import JobExecutionError


class Recorded:
    """Records in a file when it is opened, called and closed."""

    def __init__(self, notes: Path) -> None:
        self.notes = notes
        self.is_open = False

    def open(self, runtime_context: RuntimeContext) -> None:
        assert runtime_context.get_number_of_parallel_subtasks() == 1
        self.is_open = True
        self._record("open")

    def close(self) -> None:
        self._record("close")

    def _record(self, text: str) -> None:
        with self.notes.open("a") as file:
            file.write(f"{text} {type(self).__name__}\n")


class Key(Recorded, KeySelector[int, int]):
    def get_key(self, value: int) -> int:
        assert self.is_open
        return value % 2


class Keys(Recorded, KeySelector[Any, Any]):
    def get_key(self, value: pd.Series) -> pd.Series:
        assert self.is_open
        return value % 2


class Target(Recorded, Partitioner[int]):
    def partition(self, key: int, num_partitions: int) -> int:
        assert self.is_open
        return key % num_partitions


class Broken(Key):
    def open(self, runtime_context: RuntimeContext) -> None:
        raise ConnectionError("no server")


def timed(numbers: DataStream[int]) -> DataStream[int]:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda n, _: n)
    return numbers.assign_timestamps_and_watermarks(strategy)


PROGRAMS: dict[str, tuple[Callable[[DataStream[int], Path], DataStream[Any]], list[str]]] = {
    "key_by": (lambda s, notes: s.key_by(Key(notes), Types.LONG()).reduce(lambda a, b: a + b), ["Key"] * 2),
    "batches": (
        lambda s, notes: s.key_by(Keys(notes), Types.LONG()).reduce(lambda a, b: a + b),
        ["Keys"] * 2,
    ),
    "partition_custom": (
        lambda s, notes: s.partition_custom(Target(notes), Key(notes)).map(lambda n: n, Types.LONG()),
        ["Key", "Target"],
    ),
    "join": (
        lambda s, notes: (
            timed(s)
            .join(timed(s))
            .where(Key(notes))
            .equal_to(Key(notes))
            .window(TumblingEventTimeWindows.of(Time.seconds(1)))
            .apply(lambda a, b: (a, b))
        ),
        ["Key"] * 6,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_selectors_and_partitioners_are_opened_first_and_closed_last(
    env: StreamExecutionEnvironment, tmp_path: Path, name: str
) -> None:
    program, expected = PROGRAMS[name]
    notes = tmp_path / "notes"
    assert program(env.from_collection([1, 2, 3], Types.LONG()), notes).execute_and_collect(limit=100)
    lines = notes.read_text().splitlines()
    assert sorted(line for line in lines if line.startswith("open")) == [f"open {cls}" for cls in expected]
    assert sorted(line for line in lines if line.startswith("close")) == [f"close {cls}" for cls in expected]


def test_a_selector_or_partitioner_that_cannot_be_opened_is_named(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    keyed = env.from_collection([1], Types.LONG()).key_by(Broken(tmp_path / "notes"), Types.LONG())
    with pytest.raises(JobExecutionError, match=r"'Hash'.*ConnectionError: no server"):
        keyed.reduce(lambda a, b: a).execute_and_collect(limit=1)
