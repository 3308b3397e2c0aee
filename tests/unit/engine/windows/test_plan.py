"""WindowPlan: validation when a program is built."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.windows.builtin_triggers import DeltaTrigger, EventTimeTrigger, NeverTrigger
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from pystream.engine.windows.plan import WindowPlan
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import TumblingEventTimeWindows

PARTS: dict[str, Any] = {
    "assigner": TumblingEventTimeWindows(5, 0),
    "trigger": EventTimeTrigger(),
    "reduce": max,
}


@pytest.mark.parametrize(
    "trigger",
    [
        NeverTrigger(),
        DeltaTrigger(1, max),
        PurgingTrigger(NeverTrigger()),
        ProcessingTimeoutTrigger(EventTimeTrigger(), 1),
    ],
    ids=repr,
)
def test_a_trigger_that_cannot_merge_has_no_sessions(trigger: Any) -> None:
    with pytest.raises(WindowTypeError, match=r"EventTimeSessionWindows\(5\) merge.*Trigger.*can_merge"):
        WindowPlan(assigner=EventTimeSessionWindows(5), trigger=trigger, reduce=max)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"assigner": TumblingEventTimeWindows}, "did you mean TumblingEventTimeWindows"),
        ({"assigner": None}, "class WindowAssigner, not None"),
        ({"trigger": EventTimeTrigger}, "did you mean EventTimeTrigger"),
        ({"trigger": max}, "class Trigger"),
        ({"evictor": 5}, "class Evictor"),
        ({"late_tag": "late"}, "class OutputTag"),
        ({"allowed_lateness": 1.5}, "takes an int"),
        ({"allowed_lateness": "5"}, "takes an int"),
        ({"reduce": 5}, "ReduceFunction or a function"),
        ({"reduce": None, "aggregate": max}, "create_accumulator, add, get_result, merge"),
    ],
)
def test_parts_of_the_wrong_class(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(WindowTypeError, match=message):
        WindowPlan(**PARTS | changed)


def test_a_negative_lateness_is_refused() -> None:
    with pytest.raises(WindowError, match="must not be negative, not -1"):
        WindowPlan(**PARTS, allowed_lateness=-1)
