"""Functions whose calls only start are refused where they are given to an operator."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache, partial
from typing import Any

import pytest

from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
from pystream.datastream import DataStream
from pystream.datastream.functions import (
    FilterFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ProcessFunction,
    ReduceFunction,
)
from pystream.errors import PlanTypeError
from pystream.testing import local_environment


async def awaited(*values: Any) -> bool:
    return False


def yielding(*values: Any) -> Iterator[bool]:
    yield False


async def both(*values: Any) -> AsyncIterator[bool]:
    yield False


class Keep(FilterFunction[Any]):
    filter = awaited  # type: ignore[assignment]


class Key(KeySelector[Any, Any]):
    get_key = yielding


class Stamp(TimestampAssigner[Any]):
    extract_timestamp = awaited  # type: ignore[assignment]


class Opened(MapFunction[Any, Any]):
    async def open(self, runtime_context: Any) -> None:  # type: ignore[override]
        """Never run."""

    def map(self, value: Any) -> Any:
        return value


class Timed(KeyedProcessFunction[Any, Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value

    on_timer = awaited  # type: ignore[assignment]


class Closed(ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value

    close = yielding  # type: ignore[assignment]


class Sum(ReduceFunction[Any]):
    reduce = awaited


class Called:
    async def __call__(self, *values: Any) -> bool:
        return False


class Yielding:
    def __call__(self, *values: Any) -> Iterator[bool]:
        yield False


def keyed(stream: DataStream[Any]) -> Any:
    return stream.key_by(abs)


def stamped(stream: DataStream[Any], assigner: Any) -> Any:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    return stream.assign_timestamps_and_watermarks(strategy)


@pytest.mark.parametrize(
    "function",
    [awaited, yielding, both, partial(awaited, 1), cache(awaited), cache(yielding), Called(), Yielding()],
)
@pytest.mark.parametrize(
    "use",
    [
        lambda stream, f: stream.filter(f),
        lambda stream, f: stream.map(f),
        lambda stream, f: stream.key_by(f),
        lambda stream, f: keyed(stream).reduce(f),
        lambda stream, f: stream.partition_custom(f, abs),
        lambda stream, f: stream.partition_custom(lambda key, n: 0, f),
        lambda stream, f: keyed(stream).count_window(2).reduce(f),
        stamped,
    ],
)
def test_a_function_that_returns_a_value_must_run(use: Callable[..., Any], function: Any) -> None:
    with pytest.raises(PlanTypeError, match=r"is asynchronous|is a generator"):
        use(local_environment().from_collection([1, 2]), function)


@pytest.mark.parametrize(
    ("use", "method"),
    [
        (lambda stream: stream.filter(Keep()), "filter of Keep"),
        (lambda stream: stream.key_by(Key()), "get_key of Key"),
        (lambda stream: stamped(stream, Stamp()), "extract_timestamp of Stamp"),
        (lambda stream: stream.map(Opened()), "open of Opened"),
        (lambda stream: keyed(stream).process(Timed()), "on_timer of Timed"),
        (lambda stream: stream.process(Closed()), "close of Closed"),
        (lambda stream: keyed(stream).reduce(Sum()), "reduce of Sum"),
    ],
)
def test_a_method_of_a_function_object_must_run(use: Callable[..., Any], method: str) -> None:
    with pytest.raises(PlanTypeError, match=method):
        use(local_environment().from_collection([1, 2]))


def test_functions_of_many_results_may_be_generators() -> None:
    stream = local_environment().from_collection([1])
    assert stream.flat_map(yielding).take(1) == [False]
    with pytest.raises(PlanTypeError, match="is asynchronous"):
        stream.flat_map(both)  # type: ignore[arg-type]
