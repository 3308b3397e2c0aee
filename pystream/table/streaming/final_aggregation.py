"""Aggregates of the groups of bounded rows, which are emitted when the input ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pystream.datastream.functions import ProcessWindowFunction
from pystream.datastream.window import (
    EventTimeTrigger,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    WindowAssigner,
    WindowSerializer,
)
from typeinfo.row import Row, make_row

__all__ = ["FinalResults", "WholeInput"]

_WHOLE = TimeWindow(-(2**63), 2**63 - 1)


class WholeInput(WindowAssigner[Any, TimeWindow]):
    """Assign all elements to one window, which ends with the input."""

    def assign_windows(
        self, element: Any, timestamp: int, context: WindowAssigner.WindowAssignerContext
    ) -> Collection[TimeWindow]:
        """Return the window."""
        return (_WHOLE,)

    def get_default_trigger(self, env: Any) -> Trigger[Any, TimeWindow]:
        """Return a trigger that fires at the last instant."""
        return EventTimeTrigger()

    def get_window_serializer(self) -> WindowSerializer[TimeWindow]:
        """Return the serializer of the window."""
        return TimeWindowSerializer()

    def is_event_time(self) -> bool:
        """Return whether windows end in event time: they do."""
        return True

    def __repr__(self) -> str:
        return "WholeInput()"


class FinalResults(ProcessWindowFunction[list[Any], Row[Any], Any, TimeWindow]):
    """Emit the results of the aggregates of a group as a row without names."""

    def process(
        self, key: Any, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[list[Any]]
    ) -> Iterator[Row[Any]]:
        """Yield the row."""
        for results in elements:
            yield make_row(tuple(results), None)
