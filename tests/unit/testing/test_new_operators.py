"""An operator that harnesses do not know, but which has keys, state and timers, is inspected by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.datastream.state import ValueStateDescriptor
from pystream.engine.context import RuntimeContext
from pystream.engine.operators.operator import ElementProcessor
from pystream.engine.operators.timed_operator import TimedOperator
from pystream.engine.time.timers import TimeDomain, Timer
from pystream.kinds import OperatorKind
from pystream.testing import HarnessError, OperatorHarness, TimerRecord
from pystream.testing.specs import keys_of, operator_spec
from typeinfo import Types

LAST = ValueStateDescriptor("last", Types.LONG())


class Echo(TimedOperator):
    """Keep the last element of each key, and return it after a while in both time domains."""

    def _prepare(self, context: RuntimeContext) -> None:
        self._last = context.get_state(LAST)
        super()._prepare(context)

    def _element_processor(self, side: int) -> ElementProcessor:
        def process(value: Any, timestamp: int) -> None:
            self._last.update(value)
            slot, key = self._scope.slot, self._scope.key
            self._timers.event_time.register(timestamp + 20, slot, key)
            self._timers.event_time.register(timestamp + 10, slot, key)
            self._timers.processing_time.register(5, slot, key)

        return process

    def _fire(self, timer: Timer, domain: TimeDomain) -> None:
        _, self._scope.slot, self._scope.key = timer
        self._out.add(self._last.value(), timer.time)


def harness() -> OperatorHarness[int, int]:
    key: Callable[[int], int] = lambda value: value % 2  # noqa: E731
    spec = operator_spec(
        OperatorKind("Echo", lambda spec, batch: Echo(spec)),
        None,
        Types.LONG(),
        keys_of(Types.LONG(), key),
        is_object=False,
    )
    return OperatorHarness(spec)


def test_timers_and_state_of_a_new_timed_operator_are_shown() -> None:
    with harness() as echo:
        echo.process_element(3, 0)
        echo.process_element(4, 1)
        assert echo.get_timers() == [
            TimerRecord(10, 1, TimeDomain.EVENT_TIME),
            TimerRecord(11, 0, TimeDomain.EVENT_TIME),
            TimerRecord(20, 1, TimeDomain.EVENT_TIME),
            TimerRecord(21, 0, TimeDomain.EVENT_TIME),
            TimerRecord(5, 0, TimeDomain.PROCESSING_TIME),
            TimerRecord(5, 1, TimeDomain.PROCESSING_TIME),
        ]
        assert echo.num_keyed_state_entries() == 2
        assert echo.get_keyed_state(1).get_state(LAST).value() == 3
        echo.process_watermark(10)
        assert echo.extract_output_values() == [3]
        assert len(echo.get_timers()) == 5


def test_a_new_operator_refuses_elements_of_other_subtasks() -> None:
    owner = harness().as_subtask(0, 2).subtask_of(1)
    with harness().as_subtask(1 - owner, 2) as echo, pytest.raises(HarnessError, match="belongs to subtask"):
        echo.process_element(1, 0)
