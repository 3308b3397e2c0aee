"""Evictors, and window functions after an eviction."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common.time import Time
from pystream.engine.windows.builtin_triggers import CountTrigger, EventTimeTrigger
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.evictors import (
    CountEvictor,
    DeltaEvictor,
    Evictor,
    TimeEvictor,
    TimestampedValue,
)
from pystream.engine.windows.nesting_triggers import PurgingTrigger
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import GlobalWindows, TumblingEventTimeWindows
from tests.unit.engine.windows.driving import Driver, gather, plan

END = 2**63 - 1


def stamped(*pairs: tuple[Any, int]) -> list[TimestampedValue]:
    return [TimestampedValue(value, timestamp) for value, timestamp in pairs]


def evicted(evictor: Any, elements: list[TimestampedValue]) -> tuple[list[Any], list[Any]]:
    """Return the elements that evict_before leaves, and those that evict_after leaves."""
    before, after = list(elements), list(elements)
    evictor.evict_before(before, len(before), None, None)
    evictor.evict_after(after, len(after), None, None)
    return [element.value for element in before], [element.value for element in after]


def test_count() -> None:
    elements = stamped(("a", 1), ("b", 2), ("c", 3))
    assert evicted(CountEvictor.of(2), elements) == (["b", "c"], ["a", "b", "c"])
    assert evicted(CountEvictor.of(2, True), elements) == (["a", "b", "c"], ["b", "c"])
    assert evicted(CountEvictor(3), elements)[0] == evicted(CountEvictor(9), elements)[0] == ["a", "b", "c"]


def test_time() -> None:
    elements = stamped(("a", 9), ("b", 1), ("c", 4), ("d", 5))
    assert evicted(TimeEvictor.of(Time.milliseconds(5)), elements) == (["a", "d"], ["a", "b", "c", "d"])
    assert evicted(TimeEvictor(5, True), elements) == (["a", "b", "c", "d"], ["a", "d"])


def test_time_without_timestamps() -> None:
    elements = stamped(("a", -(2**63)), ("b", -(2**63)))
    assert not elements[0].has_timestamp()
    assert evicted(TimeEvictor(1), elements)[0] == ["a", "b"]


def test_delta() -> None:
    elements = stamped((1, 0), (6, 0), (5, 0), (10, 0))
    assert evicted(DeltaEvictor.of(5, lambda one, last: last - one), elements) == ([6, 10], [1, 6, 5, 10])
    assert evicted(DeltaEvictor(5, lambda one, last: last - one, True), elements)[1] == [6, 10]


@pytest.mark.parametrize("evictor", [CountEvictor(1), TimeEvictor(1), DeltaEvictor(1, lambda a, b: 0)])
def test_nothing_to_evict(evictor: Any) -> None:
    assert evicted(evictor, []) == ([], [])


def test_checks() -> None:
    anything: Any = "3"
    with pytest.raises(WindowError, match="greater than 0"):
        CountEvictor(0)
    with pytest.raises(WindowTypeError, match="takes an int"):
        TimeEvictor(anything)
    with pytest.raises(WindowTypeError, match="Time or a Duration"):
        TimeEvictor.of(anything)


def test_text() -> None:
    assert repr(CountEvictor(2)) == "CountEvictor(2, False)"
    assert repr(TimeEvictor(2, True)) == "TimeEvictor(2, True)"
    assert repr(DeltaEvictor(2.5, max)) == "DeltaEvictor(2.5, <built-in function max>, False)"


class Total:
    def create_accumulator(self) -> int:
        return 1000

    def add(self, value: tuple[str, int], accumulator: int) -> int:
        return accumulator + value[1]

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


def larger(one: Any, other: Any) -> Any:
    return max(one, other)


@pytest.mark.parametrize(
    ("fold", "expected"),
    [({"reduce": larger}, [("a", 3), ("a", 4)]), ({"aggregate": Total()}, [1005, 1006])],
)
def test_aggregates_cover_the_remaining_elements(fold: Any, expected: list[Any]) -> None:
    described = plan(GlobalWindows(), CountTrigger(1), evictor=CountEvictor(2), **fold)
    driver = Driver(described)
    found = [result.value for result in driver.add(*((("a", n), 0) for n in (1, 3, 2, 4)))]
    assert found[-2:] == expected


class Everything(Evictor[Any, Any]):
    """Removes all elements; sees the times."""

    def evict_before(self, elements: Any, size: int, window: Any, ctx: Any) -> None:
        assert size == len(elements)
        assert (ctx.get_current_watermark(), ctx.get_current_processing_time()) == (9, 0)
        ctx.get_metric_group().counter("evicted").inc(size)
        elements.clear()

    def evict_after(self, elements: Any, size: int, window: Any, ctx: Any) -> None:
        assert elements == []


@pytest.mark.parametrize(
    ("rest", "expected"),
    [({"reduce": larger}, []), ({"aggregate": Total()}, [1000])],
    ids=["reduce", "aggregate"],
)
def test_aggregates_of_a_window_without_elements(rest: Any, expected: list[Any]) -> None:
    driver = Driver(plan(TumblingEventTimeWindows(10, 0), evictor=Everything(), **rest))
    driver.add((("a", 1), 1), (("a", 2), 1))
    assert [result.value for result in driver.advance(9)] == expected
    assert driver.registry.snapshot()["evicted"].count == 2  # type: ignore[union-attr]
    assert driver.is_empty()


def test_a_function_is_called_for_a_window_without_elements() -> None:
    driver = Driver(gather(TumblingEventTimeWindows(10, 0), evictor=Everything()))
    driver.add((("a", 1), 1))
    assert [result.value[2] for result in driver.advance(9)] == [[]]


class Emptying(Evictor[Any, Any]):
    """Removes all elements once the function has seen them."""

    def evict_before(self, elements: Any, size: int, window: Any, ctx: Any) -> None:
        pass

    def evict_after(self, elements: Any, size: int, window: Any, ctx: Any) -> None:
        elements.clear()


def test_evicted_elements_are_not_seen_again() -> None:
    driver = Driver(gather(GlobalWindows(), CountTrigger(2), evictor=Emptying()))
    found = [result.value[2] for result in driver.add(*((("a", n), 0) for n in range(4)))]
    assert found == [[("a", 0), ("a", 1)], [("a", 2), ("a", 3)]]


def test_lateness_purging_and_sessions() -> None:
    trigger: Any = PurgingTrigger(EventTimeTrigger())
    described = gather(EventTimeSessionWindows(10), trigger, evictor=CountEvictor(2), allowed_lateness=100)
    driver = Driver(described)
    driver.add((("a", 1), 1), (("a", 2), 15), (("a", 3), 8))
    assert [result.value[2] for result in driver.advance(30)] == [[("a", 2), ("a", 3)]]
    assert [result.value[2] for result in driver.add((("a", 4), 2))] == [[("a", 4)]]
    driver.advance(END)
    assert driver.is_empty()
