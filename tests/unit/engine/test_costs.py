"""The cost of an element does not grow with the state of its key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common import Time
from pystream.datastream import ProcessJoinFunction
from pystream.datastream.state import ListStateDescriptor, StateTtlConfig
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from pystream.engine.state.backend import KeyedStateBackend
from pystream.engine.state.slots import SlotScope
from pystream.engine.time.clock import ManualClock
from pystream.engine.windows.builtin_triggers import EventTimeTrigger
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.plan import WindowPlan
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from tests.unit.engine.driving import Driver
from typeinfo import Types

COUNT = 2_000


class Moment(int):
    """A time that counts how often times are compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Moment.compared += 1
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        Moment.compared += 1
        return int(self) <= int(other)

    def __gt__(self, other: int) -> bool:
        Moment.compared += 1
        return int(self) > int(other)

    def __ge__(self, other: int) -> bool:
        Moment.compared += 1
        return int(self) >= int(other)

    def __sub__(self, other: int) -> Moment:
        return Moment(int(self) - int(other))


@pytest.fixture
def compared() -> type[Moment]:
    Moment.compared = 0
    return Moment


def test_a_new_session_is_not_compared_with_all_others(compared: type[Moment]) -> None:
    plan = WindowPlan(
        assigner=EventTimeSessionWindows(5), trigger=EventTimeTrigger(), reduce=lambda one, two: one
    )
    with Driver(WINDOW, plan, keys=[lambda value: "k"]) as d:
        d.feed(list(range(COUNT)), 0, [Moment(10 * at) for at in range(COUNT)])
    assert 0 < compared.compared < 50 * COUNT


class Pairs(ProcessJoinFunction[Any, Any, Any]):
    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Iterator[Any]:
        yield left, right


def test_an_element_is_not_compared_with_all_of_the_other_side(compared: type[Moment]) -> None:
    times: list[int] = [Moment(10 * at) for at in range(COUNT)]
    with Driver(INTERVAL_JOIN, IntervalJoinPlan(Pairs(), -5, 5), keys=[lambda v: "k"] * 2) as d:
        d.feed(list(range(COUNT)), 0, times)
        d.feed(list(range(COUNT)), 1, times)
        assert 0 < compared.compared < 100 * COUNT
        assert d.results == [(at, at) for at in range(COUNT)]


def test_a_list_that_expires_grows_in_place() -> None:
    scope = SlotScope()
    scope.slot = "k"
    backend = KeyedStateBackend(ManualClock())
    descriptor = ListStateDescriptor("l", Types.INT())
    descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.seconds(1)).build())
    state = backend.store(scope).get_list_state(descriptor)
    state.add(1)
    (held,) = backend.snapshot()["l"].values()
    state.add(2)
    assert backend.snapshot()["l"]["k"] is held
    assert list(state) == [1, 2]
