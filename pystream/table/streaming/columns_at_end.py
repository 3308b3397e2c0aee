"""ColumnsAtEnd: functions that collect the columns of bounded rows, and emit results when these end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pystream.engine.operators.column_collect import ColumnCollectFunction
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import Layout

__all__ = ["CollectedColumns", "ColumnsAtEnd"]


class CollectedColumns(Protocol):
    """What is collected of columns.

    Attributes:
        state: that, which can be pickled.
    """

    state: Any

    def results(self, layout: Layout) -> Iterator[Sequence[Any]]:
        """Yield the results, in columns of a layout; called once."""
        ...


C = TypeVar("C", bound=CollectedColumns)


class ColumnsAtEnd(ColumnCollectFunction, Generic[C]):
    """Base class of functions whose results are made of the columns that are collected at the end.

    Args:
        result: the type of the results.
    """

    _collected: C  # set by open

    def __init__(self, result: TypeInformation[Any]) -> None:
        self._result = result

    @property
    def state(self) -> Any:
        return self._collected.state

    @state.setter
    def state(self, state: Any) -> None:
        self._collected.state = state

    def results(self) -> Iterator[Sequence[Any]]:
        """Yield the results."""
        from pystream.engine.vectorised.columns import layout_of  # needs pyarrow

        return self._collected.results(layout_of(self._result))
