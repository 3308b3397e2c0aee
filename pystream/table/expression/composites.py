"""Functions of arrays, maps and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, trees
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["CompositeFunctions"]


@checks_arguments(ArgumentTypeError)
class CompositeFunctions(ExpressionTree[T_co]):
    """Functions of arrays, maps and rows, whose results are null if an argument is."""

    def at(self, index: Any) -> Expression:
        """Return an element of an array, counted from 1, or the value of a key of a map.

        Null if there is no such element or key.
        """
        return self._of_sql(":p0[:p1]", self, index)

    def get(self, name: str) -> Expression:
        """Return a field of a row.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("point").get("x")
            Expression(`point`.`x`)
        """
        require(name, str, "get", "the name of a field")
        return self._changed(lambda: trees().field_tree(self._tree, name))

    @property
    def cardinality(self) -> Expression[int]:
        """The number of elements of an array or entries of a map."""
        return self._of_call("CARDINALITY", self)

    def array_contains(self, needle: Any) -> Expression[bool]:
        """Return whether an array has an element."""
        return self._of_call("ARRAY_CONTAINS", self, needle)

    @property
    def map_keys(self) -> Expression:
        """The keys of a map, as an array."""
        return self._of_call("MAP_KEYS", self)

    @property
    def map_values(self) -> Expression:
        """The values of a map, as an array."""
        return self._of_call("MAP_VALUES", self)
