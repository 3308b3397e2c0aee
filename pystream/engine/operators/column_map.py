"""Maps and flat maps by functions of the engine that take columns where elements come as such."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.events import Elements, Event
from pystream.engine.failure import TaskFailure
from pystream.engine.functions import Function
from pystream.engine.operators.elementwise import Elementwise, FlatMap, Map
from pystream.expressions.operation import KernelError
from pystream.kinds import OperatorKind, keeps_no_state

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["COLUMN_FLAT_MAP", "COLUMN_MAP", "ColumnFunction", "ColumnResults"]


class ColumnResults(NamedTuple):
    """The results for elements that are columns.

    Attributes:
        values: the results.
        positions: the position of the element of each result, in ascending order; ``None`` if each element
            has one result.
    """

    values: ColumnValues
    positions: npt.NDArray[np.int64] | None = None


class ColumnFunction(Function):
    """A map or flat map function of the engine that also takes all elements of a batch as columns."""

    @abstractmethod
    def of_columns(self, values: ColumnValues) -> ColumnResults | None:
        """Return the results for elements, ``None`` if they must be computed one by one.

        If it raises, they are computed one by one, too, so that the error names the element.

        Raises:
            KernelError: a kernel fails, which fails the job.
        """


class _OverColumns(Elementwise):
    """An operator of a `ColumnFunction`."""

    takes_columns = True
    _function: ColumnFunction

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        results = self._of_columns(elements.values)
        if results is None:
            from pystream.engine.vectorised.parts import cache_sized  # needs pyarrow

            one_by_one = super().process
            return chain.from_iterable(one_by_one(part, side) for part in cache_sized(elements))
        values, positions = results
        times = elements.timestamps
        if times is not None and positions is not None:
            from pystream.engine.timestamps import taken_timestamps  # needs pyarrow

            times = taken_timestamps(times, positions)
        return iter([Elements(values, times)])

    def _of_columns(self, values: Any) -> ColumnResults | None:
        from pystream.engine.vectorised.columns import ColumnValues  # needs pyarrow

        if not (isinstance(values, ColumnValues) and values.are_columns):
            return None
        try:
            return self._function.of_columns(values)
        except KernelError as error:
            raise TaskFailure.of(self.label, error) from error
        except Exception:  # noqa: BLE001 - the call with the element that it fails on raises it again
            return None


class ColumnMap(_OverColumns, Map):
    """Map each element to one result."""


class ColumnFlatMap(_OverColumns, FlatMap):
    """Map each element to any number of results."""


COLUMN_MAP = OperatorKind(
    "ColumnMap", ColumnMap.make, takes_columns=True, one_to_one=True, keeps_state=keeps_no_state
)
COLUMN_FLAT_MAP = OperatorKind(
    "ColumnFlatMap", ColumnFlatMap.make, takes_columns=True, keeps_state=keeps_no_state
)
