"""Functions of whole rows: of one row in place of the values of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.engine.function_context import FunctionContext
from pystream.table.user_functions.user_defined_function import UserDefinedFunction
from typeinfo.row import RowKind, make_row

__all__ = ["OfWholeRows"]


class OfWholeRows(UserDefinedFunction):
    """Call a function with a row of values, or with a DataFrame of columns, in place of these.

    Args:
        function: the function, or an instance of a function class.
        names: the names of the columns.
        takes_batches: whether the values are columns.
    """

    def __init__(self, function: Any, names: Sequence[str], *, takes_batches: bool = False) -> None:
        self._function = function
        self._names = tuple(names)
        self._takes_batches = takes_batches

    def open(self, function_context: FunctionContext) -> None:
        if isinstance(self._function, UserDefinedFunction):
            self._function.open(function_context)

    def close(self) -> None:
        if isinstance(self._function, UserDefinedFunction):
            self._function.close()

    def eval(self, *values: Any) -> Any:
        """Return the result for the values of one row, or for columns."""
        call = getattr(self._function, "eval", self._function)
        if not self._takes_batches:
            return call(make_row(values, self._names, RowKind.INSERT))
        import pandas as pd

        named = zip(values, self._names, strict=True)
        columns = [one if isinstance(one, pd.DataFrame) else one.rename(name) for one, name in named]
        return call(pd.concat(columns, axis=1))
