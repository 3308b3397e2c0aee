"""Window operators agree with simple models, for any stream."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.builtin_triggers import CountTrigger, EventTimeTrigger
from pystream.engine.windows.count_windows import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from pystream.engine.windows.evictors import CountEvictor, Evictor, TimeEvictor
from pystream.engine.windows.factory import window_operator
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.session_windows import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from pystream.engine.windows.time_windows import (
    GlobalWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from pystream.engine.windows.triggers import TriggerResult
from pystream.engine.windows.windows import TimeWindow
from tests.unit.engine.windows.driving import Driver, Result, gather, plan
from tests.unit.engine.windows.model import FixedWindows, Sessions
from typeinfo import Types

LATE: OutputTag[Any] = OutputTag("late")
END = 2**63 - 1

# A stream: stretches of elements, each followed by how far the watermark moves, None for not at all. An
# element is a key, a time around the watermark and a small number; the position makes its value unique.
elements = st.tuples(st.sampled_from("abc"), st.integers(-30, 40), st.integers(0, 11))
streams = st.lists(
    st.tuples(st.lists(elements, max_size=8), st.none() | st.integers(0, 25)), min_size=1, max_size=8
)
BEGINNING = -40

Value = tuple[str, int, int, int]  # key, time, number, position
Step = list[Value] | int


def steps(stream: list[tuple[list[tuple[str, int, int]], int | None]]) -> list[Step]:
    """The batches of values and the watermarks of a stream."""
    watermark, position = BEGINNING, 0
    found: list[Step] = []
    for batch, move in stream:
        values = []
        for key, distance, number in batch:
            values.append((key, watermark + distance, number, position))
            position += 1
        found.append(values)
        if move is not None:
            watermark += move
            found.append(watermark)
    return [*found, END]


def run(driver: Driver, stream: list[Step], cut: int | None = None, replaced: bool = False) -> list[Result]:
    """All results of a stream, its batches cut to a size."""
    found = []
    for step in stream:
        if isinstance(step, int):
            found += driver.advance(step)
            continue
        for start in range(0, len(step), cut or len(step) or 1):
            part = step[start : start + (cut or len(step))]
            found += driver.add(*((value, value[1]) for value in part))
            if replaced:
                driver.replace()
    return found


def panes(found: list[Result], in_order: bool = True) -> list[Any]:
    """Return key, window and elements of each firing; check the event time of the results."""
    fired = []
    for value, timestamp, tag in found:
        if tag is None:
            key, window, values = value
            assert timestamp == window.max_timestamp()
            fired.append((key, tuple(window), values if in_order else sorted(values)))
    return fired


def late(found: list[Result]) -> list[Any]:
    assert all(result.timestamp == result.value[1] for result in found if result.tag == "late")
    return [result.value for result in found if result.tag == "late"]


@given(
    stream=streams,
    size=st.integers(1, 20),
    share=st.integers(1, 24),
    offset=st.integers(-30, 30),
    lateness=st.sampled_from([0, 0, 1, 7, 30]),
    tumbling=st.booleans(),
)
def test_tumbling_and_sliding(
    stream: list[Any], size: int, share: int, offset: int, lateness: int, tumbling: bool
) -> None:
    slide = size if tumbling else share
    offset = offset % slide * (1 if offset > 0 else -1) if offset % slide else 0
    assigner: Any = (
        TumblingEventTimeWindows(size, offset) if tumbling else SlidingEventTimeWindows(size, slide, offset)
    )
    model = FixedWindows(size, slide, offset, lateness)
    batches = steps(stream)
    for step in batches:
        if isinstance(step, int):
            model.advance(step)
        else:
            for value in step:
                model.add(value[0], value[1], value)
    driver = Driver(gather(assigner, allowed_lateness=lateness, late_tag=LATE))
    found = run(driver, batches)
    assert panes(found) == model.fired
    assert late(found) == model.late
    assert driver.is_empty()
    counting = Driver(gather(assigner, allowed_lateness=lateness))
    assert panes(run(counting, batches)) == model.fired
    assert counting.dropped() == len(model.late)


@given(
    stream=streams, gap=st.integers(1, 20), lateness=st.sampled_from([0, 0, 1, 7, 30]), dynamic=st.booleans()
)
def test_sessions(stream: list[Any], gap: int, lateness: int, dynamic: bool) -> None:
    assigner: Any = (
        DynamicEventTimeSessionWindows(_gap_of_number) if dynamic else EventTimeSessionWindows(gap)
    )
    model = Sessions(lateness)
    batches = steps(stream)
    for step in batches:
        if isinstance(step, int):
            model.advance(step)
        else:
            for value in step:
                model.add(value[0], value[1], value, _gap_of_number(value) if dynamic else gap)
    driver = Driver(gather(assigner, allowed_lateness=lateness, late_tag=LATE))
    found = run(driver, batches)
    assert panes(found, in_order=False) == model.fired
    assert late(found) == model.late
    assert driver.is_empty()


def _gap_of_number(value: Value) -> int:
    return value[2] + 1


@given(stream=streams, size=st.integers(1, 6), slide=st.integers(1, 8))
def test_count_windows(stream: list[Any], size: int, slide: int) -> None:
    batches = steps(stream)
    expected: list[Any] = []
    seen: dict[str, list[Value]] = {}
    for step in batches:
        for value in [] if isinstance(step, int) else step:
            of_key = seen.setdefault(value[0], [])
            of_key.append(value)
            first = len(of_key) - size
            if first >= 0 and first % slide == 0:
                expected.append((value[0], (first // slide,), of_key[first:]))
    assert panes(run(Driver(gather(CountSlidingWindowAssigner(size, slide))), batches)) == expected
    if size == slide:
        assert panes(run(Driver(gather(CountTumblingWindowAssigner(size))), batches)) == expected


class ByNumber(EventTimeTrigger[Any]):
    """Returns the result chosen by the number of an element; also fires at the end of the window."""

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> TriggerResult:
        super().on_element(element, timestamp, window, ctx)
        number: int = element[2]
        return REACTIONS[number % 4]


REACTIONS: list[TriggerResult] = list(TriggerResult)


@pytest.mark.promise("beh:empty-window-no-fire", "beh:multi-window-panes")
@given(stream=streams, size=st.integers(1, 20), slide=st.integers(4, 20))
def test_custom_triggers(stream: list[Any], size: int, slide: int) -> None:
    batches = steps(stream)
    shape = FixedWindows(size, slide, 0, 0)
    contents: dict[Any, list[Any]] = {}
    expected: list[Any] = []
    for step in batches:
        if isinstance(step, int):
            over = [pane for pane in contents if shape.watermark < pane[1][1] - 1 <= step]
            for pane in sorted(over, key=lambda pane: (pane[1][1], pane[0])):
                expected += [(*pane, list(contents[pane]))] if contents[pane] else []
            shape.watermark = step
            continue
        for value in step:
            for window in shape.windows(value[1]):
                if window[1] - 1 > shape.watermark:
                    held = contents.setdefault((value[0], window), [])
                    held.append(value)
                    reaction = REACTIONS[value[2] % 4]
                    if reaction in (TriggerResult.FIRE, TriggerResult.FIRE_AND_PURGE):
                        expected.append((value[0], window, list(held)))
                    if reaction in (TriggerResult.PURGE, TriggerResult.FIRE_AND_PURGE):
                        held.clear()
    driver = Driver(gather(SlidingEventTimeWindows(size, slide, 0), ByNumber()))
    assert panes(run(driver, batches)) == expected
    assert driver.is_empty()


@given(stream=streams, every=st.integers(1, 4), kept=st.integers(1, 6), after=st.booleans())
def test_evictors(stream: list[Any], every: int, kept: int, after: bool) -> None:
    batches = steps(stream)
    evictors: list[Evictor[Any, Any]] = [CountEvictor(kept, after), TimeEvictor(kept * 5, after)]
    for evictor in evictors:
        held: dict[str, list[Value]] = {}
        counts: dict[str, int] = {}
        expected: list[Any] = []
        for value in (value for step in batches if not isinstance(step, int) for value in step):
            key = value[0]
            everything = [*held.get(key, []), value]
            counts[key] = counts.get(key, 0) + 1
            if counts[key] % every:
                held[key] = everything
                continue
            if isinstance(evictor, CountEvictor):
                left = everything[-kept:]
            else:
                latest = max(time for _, time, _, _ in everything)
                left = [v for v in everything if v[1] > latest - kept * 5]
            expected.append((key, everything if after else left))
            held[key] = left
        driver = Driver(gather(GlobalWindows(), CountTrigger(every), evictor=evictor))
        found = [(r.value[0], r.value[2]) for r in run(driver, batches)]
        assert found == expected


ASSIGNERS = {
    "tumbling": TumblingEventTimeWindows(7, 2),
    "sliding": SlidingEventTimeWindows(12, 5, -1),
    "gaps": SlidingEventTimeWindows(3, 5, 0),
    "sessions": EventTimeSessionWindows(6),
    "dynamic": DynamicEventTimeSessionWindows(_gap_of_number),
    "count": CountSlidingWindowAssigner(3, 2),
}


@pytest.mark.parametrize("name", ASSIGNERS)
@given(stream=streams, cut=st.integers(1, 5), replaced=st.booleans())
def test_batch_sizes_and_restarts_do_not_change_results(
    name: str, stream: list[Any], cut: int, replaced: bool
) -> None:
    batches = steps(stream)
    for lateness in (0, 9):
        described = gather(ASSIGNERS[name], allowed_lateness=lateness, late_tag=LATE)
        whole = run(Driver(described), batches)
        again = run(Driver(described), batches, cut, replaced)
        assert [r for r in again if r.tag is None] == [r for r in whole if r.tag is None]
        assert late(again) == late(whole)


class Total:
    """Adds numbers up in an accumulator that changes."""

    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def add(self, value: Value, accumulator: list[int]) -> list[int]:
        accumulator[0] += value[2]
        accumulator[1] += 1
        return accumulator

    def get_result(self, accumulator: list[int]) -> tuple[int, ...]:
        return tuple(accumulator)

    def merge(self, acc_a: list[int], acc_b: list[int]) -> list[int]:
        return [acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]]


def _largest(one: Value, other: Value) -> Value:
    return max(one, other, key=lambda value: (value[2], value[3]))


def _nested(one: Any, other: Any) -> Any:
    """Record the order in which values are combined."""
    return one, other


def _forgetful(one: Value, other: Value) -> Value | None:
    """Fold some pairs to nothing."""
    return None if (one[2] + other[2]) % 3 == 0 else max(one, other)


FOLDS: list[dict[str, Any]] = [{}, {"aggregate": Total()}, {"reduce": _largest}]
ALL_FOLDS = {
    "elements": FOLDS[0],
    "aggregate": FOLDS[1],
    "reduce": FOLDS[2],
    "nested": {"reduce": _nested},
    "forgetful": {"reduce": _forgetful},
}
KEYS: dict[str, tuple[Any, Any]] = {
    "own": (Types.PICKLED_BYTE_ARRAY(), lambda value: float(ord(value[0]))),
    "encoded": (Types.DOUBLE(), lambda value: float(ord(value[0]))),
    "unordered": (Types.PICKLED_BYTE_ARRAY(), lambda value: complex(ord(value[0]))),
}


@pytest.mark.parametrize("name", ["tumbling", "sliding", "gaps", "sessions", "dynamic"])
@pytest.mark.parametrize("keys", KEYS)
@given(fold=st.sampled_from(list(ALL_FOLDS)), stream=streams, cut=st.integers(1, 5), replaced=st.booleans())
def test_specialised_operators_agree_with_the_general_one(
    name: str, fold: str, keys: str, stream: list[Any], cut: int, replaced: bool
) -> None:
    batches = steps(stream)
    described = gather(ASSIGNERS[name], late_tag=LATE, **ALL_FOLDS[fold])
    special = Driver(described, window_operator, *KEYS[keys])
    general = Driver(described, WindowOperator, *KEYS[keys])
    assert type(special.operator) is not WindowOperator
    assert run(special, batches, cut, replaced) == run(general, batches, cut)
    assert special.is_empty()
    assert general.is_empty()


@pytest.mark.parametrize("dynamic", [False, True])
@given(stream=streams, gap=st.integers(1, 20))
def test_sessions_count_late_elements_without_a_tag(dynamic: bool, stream: list[Any], gap: int) -> None:
    assigner: Any = (
        DynamicEventTimeSessionWindows(_gap_of_number) if dynamic else EventTimeSessionWindows(gap)
    )
    batches, described = steps(stream), gather(assigner)
    fast, general = Driver(described), Driver(described, WindowOperator)
    assert run(fast, batches) == run(general, batches)
    assert fast.dropped() == general.dropped()


@pytest.mark.parametrize("name", ["tumbling", "sliding", "sessions"])
@given(stream=streams, lateness=st.sampled_from([0, 9]))
def test_aggregates_agree_with_the_elements(name: str, stream: list[Any], lateness: int) -> None:
    batches = steps(stream)
    assigner = ASSIGNERS[name]
    fired = panes(run(Driver(gather(assigner, allowed_lateness=lateness)), batches))
    for fold in FOLDS[1:]:
        driver = Driver(plan(assigner, allowed_lateness=lateness, **fold))
        folds = [(r.value, r.timestamp) for r in run(driver, batches)]
        if "reduce" in fold:
            expected: list[Any] = [max(values, key=lambda v: (v[2], v[3])) for _, _, values in fired]
        else:
            expected = [(sum(v[2] for v in values), len(values)) for _, _, values in fired]
        ends = [TimeWindow(*window).max_timestamp() for _, window, _ in fired]
        assert folds == list(zip(expected, ends, strict=True))


def test_sessions_of_unorderable_keys_fire_in_order_of_their_last_change() -> None:
    for make in (window_operator, WindowOperator):
        driver = Driver(gather(EventTimeSessionWindows(6)), make)
        driver.add(((1j, 0), 5), ((2j, 0), 5), ((3j, 0), 5), ((1j, 0), 3), ((2j, 0), 5))
        assert [result.value[0] for result in driver.advance(END)] == [2j, 3j, 1j]
