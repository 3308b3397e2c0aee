"""Checks of aggregate functions of the program: that they have the methods that a query calls."""

from __future__ import annotations

from collections.abc import Iterable

from pystream.errors import UnsupportedOperationError
from pystream.table.algebra.aggregates import AggregateCall

__all__ = ["require_final_values", "require_merge", "require_retract"]


def require_retract(calls: Iterable[AggregateCall]) -> None:
    """Check that functions of the program can take values back.

    Raises:
        UnsupportedOperationError: one cannot.
    """
    for call in calls:
        if call.definition is not None and not call.definition.can_retract:
            raise UnsupportedOperationError(
                f"{call.function} of rows that may be updated later takes values back: "
                + (
                    "functions of whole Series cannot"
                    if call.definition.function.takes_batches
                    else "it needs a method retract(accumulator, …)"
                )
            )


def require_merge(calls: Iterable[AggregateCall]) -> None:
    """Check that functions of the program can merge accumulators.

    Raises:
        UnsupportedOperationError: one cannot.
    """
    for call in calls:
        if call.definition is not None and not call.definition.can_merge:
            raise UnsupportedOperationError(
                f"{call.function} of sessions, which merge, needs a method merge(accumulator, accumulators)"
            )


def require_final_values(calls: Iterable[AggregateCall]) -> None:
    """Check that no function of the program needs all values of a group, which more may be added to.

    Raises:
        UnsupportedOperationError: one does.
    """
    for call in calls:
        if call.definition is not None and call.definition.function.takes_batches:
            raise UnsupportedOperationError(
                f"{call.function} gets all values of a group at once, which an unbounded table never has: "
                "group by windows, or use an AggregateFunction"
            )
