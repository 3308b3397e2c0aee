"""State holds elements as they are, whether a type is inferred for them, and whether they fit it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pystream.cli import main
from pystream.common import Configuration, JobClient, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    FilterFunction,
    KeyedProcessFunction,
    ProcessWindowFunction,
)
from pystream.datastream.connectors import DataGeneratorSource, RateLimiterStrategy
from pystream.datastream.state import ListStateDescriptor
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.testing import local_environment
from tests.behaviour.test_unbounded_savepoints import has_read, stopped, wait_until

RESULTS: list[tuple[str, str]] = []
SIZE = 20


class Text(str):
    """A string of a class of its own."""

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"


def value_of(number: int) -> int:
    """Return a number; for some, what its annotation does not allow."""
    unlike: dict[int, Any] = {2: 2**70 + number, 5: None, 8: True, 11: Text("t"), 14: 1.5}
    return unlike.get(number % 17, number)


class ItsTime(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        time: int = value[2]
        return time


class Previous(KeyedProcessFunction):
    """Emits the last three values of a key."""

    def open(self, runtime_context: Any) -> None:
        descriptor = ListStateDescriptor("values", Types.PICKLED_BYTE_ARRAY())
        self.values = runtime_context.get_list_state(descriptor)

    def process_element(self, value, ctx):
        before = [*self.values.get(), value[1]][-3:]
        self.values.update(before)
        yield value[0], before


class Contents(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().end, [value for _, value, _ in elements]


def last(one: Any, other: Any) -> Any:
    return other[0], other[1], one[2]


class Keep(FilterFunction[Any]):
    """Records elements and lets none pass."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def filter(self, value: Any) -> bool:
        RESULTS.append((self.kind, repr(value)))
        return False


def started(directory: Path, *, infer: bool, savepoint: str = "") -> JobClient:
    """Run a job with the state of a fold, of a function and of windows."""
    RESULTS.clear()
    options = {
        "execution.checkpointing.dir": str(directory / "jobs"),
        "execution.checkpointing.savepoint-dir": str(directory / "savepoints"),
        "pystream.infer-types": str(infer).lower(),
        **({"execution.savepoint.path": savepoint} if savepoint else {}),
    }
    env = local_environment(Configuration.from_dict(options))
    source = DataGeneratorSource(
        lambda number: number,
        DataGeneratorSource.UNBOUNDED,
        RateLimiterStrategy.per_second(1000),
        type_info=Types.LONG(),
    )
    numbers = env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").uid("numbers")
    elements = numbers.map(lambda n: (f"key {n % 3}", value_of(n), n)).uid("map")
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(ItsTime())
    keyed = elements.assign_timestamps_and_watermarks(strategy).uid("times").key_by(lambda e: e[0])
    windows = keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(SIZE)))
    for kind, stream in {
        "fold": keyed.reduce(last),
        "function": keyed.process(Previous()),
        "contents": windows.process(Contents()),
        "folded window": windows.reduce(last),
    }.items():
        assert ("(inferred)" in str(stream.get_type())) is infer, kind
        stream.uid(kind).filter(Keep(kind)).print()
    return env.execute_async("job")


def model(count: int) -> Counter[tuple[str, str]]:
    """Return the results for a number of elements, of which all windows are complete."""
    found: Counter[tuple[str, str]] = Counter()
    by_key: dict[str, list[tuple[Any, int]]] = {}
    windows: dict[tuple[str, int], list[tuple[Any, int]]] = {}
    for number in range(count):
        key, value = f"key {number % 3}", value_of(number)
        values = by_key.setdefault(key, [])
        values.append((value, number))
        found["fold", repr((key, value, values[0][1]))] += 1
        found["function", repr((key, [value for value, _ in values[-3:]]))] += 1
        windows.setdefault((key, number // SIZE * SIZE + SIZE), []).append((value, number))
    for (key, end), contents in windows.items():
        found["contents", repr((key, end, [value for value, _ in contents]))] += 1
        found["folded window", repr((key, contents[-1][0], contents[0][1]))] += 1
    return found


def shown(savepoint: str, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """Return the types of all states of a savepoint."""
    capsys.readouterr()
    assert main(["savepoint", savepoint, "--json"]) == 0
    operators = [each["operator"] for each in json.loads(capsys.readouterr().out)["operators"]]
    return [(operator["uid"], operator["states"]) for operator in operators if operator["states"]]


@pytest.mark.parametrize("infer", [True, False])
def test_a_savepoint_resumes_with_and_without_inference(
    tmp_path: Path, infer: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    client = started(tmp_path, infer=infer)
    wait_until(lambda: has_read(client, 50))
    savepoint = stopped(client)
    types, before = shown(savepoint, capsys), list(RESULTS)
    assert {operator for operator, *_ in types} >= {"fold", "function", "contents", "folded window"}, types
    client = started(tmp_path, infer=not infer, savepoint=savepoint)
    wait_until(lambda: has_read(client, 50))
    assert shown(stopped(client, drain=True), capsys) == types
    found = before + RESULTS
    count = sum(kind == "fold" for kind, _ in found)
    assert len(before) > 100
    assert count > 100
    assert Counter(found) == model(count)
