"""RowColumns: the columns of the rows of a table, whatever the elements of its stream are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.table.columns import row_type
from pystream.table.conversions import ElementConversion
from pystream.table.table import Table
from typeinfo.row import Row

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import Column

__all__ = ["RowColumns"]


class RowColumns:
    """The columns of rows.

    Args:
        rows: the table.
    """

    def __init__(self, rows: Table) -> None:
        columns = [column.renamed(f"f{number}") for number, column in enumerate(rows._columns)]
        self._source = rows._stream._type
        self._target = row_type(columns)
        self._conversion = ElementConversion(
            self._source, [column.position for column in columns], self._target
        )

    def open(self) -> None:
        """Prepare the conversion, once on the worker."""
        self._convert = self._conversion.converter()

    def of(self, elements: Sequence[Any]) -> list[Column]:
        """Return the columns of the rows that elements are.

        Raises:
            TypeCheckError: a value is not of its type.
        """
        from pystream.engine.vectorised.columns import ColumnValues, layout_of  # needs pyarrow

        columns = self._conversion.columns(ColumnValues.of(elements, layout_of(self._source)))
        if columns is not None:
            return columns
        rows: list[Row[Any]] = list(map(self._convert, elements))
        return ColumnValues(layout_of(self._target), values=rows).columns
