"""Functions of arrays, maps and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.arguments.checks import require_int
from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, choices, given, trees
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
        return self._of_operation("at", self, index)

    def get(self, name_or_index: str | int) -> Expression:
        """Return a field of a row.

        Args:
            name_or_index: its name, or its position from 0 on.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("point").get("x")
            Expression(`point`.`x`)
        """
        if isinstance(name_or_index, int):
            require_int(name_or_index, "get", 0)
        return self._changed(lambda: trees().field_tree(self._tree, name_or_index))

    @property
    def flatten(self) -> Expression:
        """The fields of a row, each as a column, where a method or function takes several expressions.

        A value of another type stays as it is.
        """
        return self._changed(lambda: choices().flatten_tree(self._tree))

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

    @property
    def element(self) -> Expression:
        """The only element of an array; null if it is empty, an error if it has more."""
        return self._of_call("ELEMENT", self)

    def array_append(self, addition: Any) -> Expression:
        """Return an array with one more element at its end."""
        return self._of_call("ARRAY_APPEND", self, addition)

    def array_prepend(self, addition: Any) -> Expression:
        """Return an array with one more element at its start."""
        return self._of_call("ARRAY_PREPEND", self, addition)

    def array_distinct(self) -> Expression:
        """Return the different elements of an array."""
        return self._of_call("ARRAY_DISTINCT", self)

    def array_remove(self, needle: Any) -> Expression:
        """Return an array without all elements of a value."""
        return self._of_call("ARRAY_REMOVE", self, needle)

    def array_reverse(self) -> Expression:
        """Return the elements of an array in reverse order."""
        return self._of_call("ARRAY_REVERSE", self)

    def array_slice(
        self, start_offset: int | Expression[int], end_offset: int | Expression[int] | None = None
    ) -> Expression:
        """Return the elements from one place to another, or to the end; negative ones count from it."""
        return self._of_call("ARRAY_SLICE", self, start_offset, *given(end_offset))

    def array_sort(
        self,
        ascending_order: bool | Expression[bool] | None = None,
        null_first: bool | Expression[bool] | None = None,
    ) -> Expression:
        """Return the elements of an array in order; nulls come first in an ascending one unless said."""
        return self._of_call("ARRAY_SORT", self, *given(ascending_order, null_first))

    def array_union(self, array: Any) -> Expression:
        """Return the different elements of two arrays."""
        return self._of_call("ARRAY_UNION", self, array)

    def array_except(self, array: Any) -> Expression:
        """Return the elements of an array that are not in another."""
        return self._of_call("ARRAY_EXCEPT", self, array)

    def array_intersect(self, array: Any) -> Expression:
        """Return the different elements that are in two arrays."""
        return self._of_call("ARRAY_INTERSECT", self, array)

    def array_concat(self, *arrays: Any) -> Expression:
        """Return the elements of all arrays."""
        return self._of_call("ARRAY_CONCAT", self, *arrays)

    def array_max(self) -> Expression:
        """Return the greatest element of an array, without nulls."""
        return self._of_call("ARRAY_MAX", self)

    def array_min(self) -> Expression:
        """Return the least element of an array, without nulls."""
        return self._of_call("ARRAY_MIN", self)

    def array_position(self, needle: Any) -> Expression[int]:
        """Return where an array has an element first, from 1; 0 if it has none."""
        return self._of_call("ARRAY_POSITION", self, needle)

    def array_join(
        self, delimiter: str | Expression[str], null_replacement: str | Expression[str] | None = None
    ) -> Expression[str]:
        """Return the texts of an array with another between them; without nulls unless a text is given."""
        return self._of_call("ARRAY_JOIN", self, delimiter, *given(null_replacement))

    @property
    def map_entries(self) -> Expression:
        """The entries of a map, as an array of rows of a key and a value."""
        return self._of_call("MAP_ENTRIES", self)

    def map_union(self, *maps: Any) -> Expression:
        """Return the entries of all maps; of those with the same key the last one."""
        return self._of_call("MAP_UNION", self, *maps)
