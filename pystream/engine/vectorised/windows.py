"""Window functions that take the elements of a window as columns."""

from __future__ import annotations

from typing import Any

from pystream.engine.vectorised.vector_function import VectorFunction
from pystream.engine.windows.plan import CallsFunction

__all__ = ["VectorWindowFunction"]


class VectorWindowFunction(CallsFunction):
    """Adapter of a window function that takes the elements of a window as columns.

    Args:
        vector: the user's function object and its batch format.
    """

    def __init__(self, vector: VectorFunction) -> None:
        super().__init__(vector.function)
        self._vector = vector

    def apply(self, *arguments: Any) -> Any:
        """Call ``apply`` of the function."""
        return self.function.apply(*self._with_columns(*arguments))

    def process(self, *arguments: Any) -> Any:
        """Call ``process`` of the function."""
        return self.function.process(*self._with_columns(*arguments))

    def clear(self, context: Any) -> None:
        """Let the function clear the state of a window."""
        self.function.clear(context)

    def _with_columns(self, *arguments: Any) -> tuple[Any, ...]:
        from pystream.engine.vectorised.arguments import argument
        from pystream.engine.vectorised.columns import ColumnValues, layout_of

        *before, elements = arguments
        values = ColumnValues(layout_of(self._vector.element_type), values=elements)
        return (*before, argument(self._vector.form, values))
