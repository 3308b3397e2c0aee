"""Windows that call the function of a join or a co-group."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.failure import TaskFailure
from pystream.engine.windows.joined_streams import CoGroupedWindow, first, second
from pystream.engine.windows.plan import WindowCall
from pystream.engine.windows.time_windows import TumblingEventTimeWindows
from tests.unit.engine.windows.driving import Driver, plan


class Opened:
    """Returns its life-cycle calls and the elements of both streams."""

    calls: list[str]

    def open(self, runtime_context: Any) -> None:
        self.calls = ["open"]

    def co_group(self, ones: Any, twos: Any) -> Any:
        return [(*self.calls, list(ones), list(twos))]

    def close(self) -> None:
        raise LookupError("closed")


def test_the_function_of_a_co_group_is_opened_and_closed() -> None:
    driver = Driver(
        plan(
            TumblingEventTimeWindows(10, 0),
            call=WindowCall.APPLY,
            function=CoGroupedWindow(Opened(), "co_group"),
        ),
        key=lambda tagged: 0,
    )
    driver.add((first("a"), 1), (second("b"), 2))
    assert [result.value for result in driver.advance(9)] == [("open", ["a"], ["b"])]
    with pytest.raises(TaskFailure, match="LookupError: closed"):
        driver.operator.close()
