"""Aggregations of the values of a group of rows, or of all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, trees
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["Aggregates"]


@checks_arguments(ArgumentTypeError)
class Aggregates(ExpressionTree[T_co]):
    """Aggregations, which skip nulls; of no values, the result is null unless said otherwise."""

    @property
    def sum(self) -> Expression[T_co]:
        """The sum, of the type of the values."""
        return self._of_call("SUM", self)

    @property
    def sum0(self) -> Expression[T_co]:
        """The sum, of the type of the values; 0 of no values."""
        return self._of_operation("sum0", self)

    @property
    def min(self) -> Expression[T_co]:
        """The least value."""
        return self._of_call("MIN", self)

    @property
    def max(self) -> Expression[T_co]:
        """The greatest value."""
        return self._of_call("MAX", self)

    @property
    def count(self) -> Expression[int]:
        """The number of values that are not null; ``lit(1).count`` is that of rows."""
        return self._of_call("COUNT", self)

    @property
    def avg(self) -> Expression[T_co]:
        """The mean; that of integers is one of their type."""
        return self._of_call("AVG", self)

    @property
    def stddev_pop(self) -> Expression[float]:
        """The standard deviation of a population."""
        return self._of_call("STDDEV_POP", self)

    @property
    def stddev_samp(self) -> Expression[float]:
        """The standard deviation of a sample."""
        return self._of_call("STDDEV_SAMP", self)

    @property
    def var_pop(self) -> Expression[float]:
        """The variance of a population."""
        return self._of_call("VAR_POP", self)

    @property
    def var_samp(self) -> Expression[float]:
        """The variance of a sample."""
        return self._of_call("VAR_SAMP", self)

    @property
    def first_value(self) -> Expression[T_co]:
        """The value that came first."""
        return self._of_call("FIRST_VALUE", self)

    @property
    def last_value(self) -> Expression[T_co]:
        """The value that came last."""
        return self._of_call("LAST_VALUE", self)

    def list_agg(self, separator: str | None = None) -> Expression[str]:
        """The texts in the order of arrival, with a separator, a comma unless given, between them."""
        if separator is None:
            return self._of_call("LISTAGG", self)
        return self._of_call("LISTAGG", self, separator)

    @property
    def array_agg(self) -> Expression[list[T_co]]:
        """The values in the order of arrival, also nulls."""
        return self._of_call("ARRAY_AGG", self)

    @property
    def collect(self) -> Expression[dict[T_co, int]]:
        """The values, as a multiset; empty of no values."""
        return self._of_call("COLLECT", self)

    def percentile(self, percentage: Any, frequency: Any = None) -> Expression[Any]:
        """The value at a share of the sorted values, interpolated between neighbours.

        Args:
            percentage: the share, from 0 to 1, or an array of shares.
            frequency: how often a value counts; once unless given.
        """
        if frequency is None:
            return self._of_call("PERCENTILE", self, percentage)
        return self._of_call("PERCENTILE", self, percentage, frequency)

    @property
    def distinct(self) -> Expression[T_co]:
        """The same aggregation of distinct values.

        Raises:
            PlanError: when a table uses it, that this is not an aggregation.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("word").count.distinct
            Expression(COUNT(DISTINCT `word`))
        """
        return self._changed(lambda: trees().distinct_tree(self._tree))

    def over(self, alias: Expression[Any]) -> Expression[T_co]:
        """The same aggregation of the rows of a window of ``Table.over_window`` around each row.

        Args:
            alias: the window by its name, such as ``col("w")``.

        Raises:
            PlanError: when a table uses it, that there is no such window.

        Examples:
            >>> from pystream.table.expressions import col
            >>> col("n").sum.over(col("w"))
            Expression(SUM(`n`) OVER `w`)
        """
        return self._changed(lambda: trees().over_tree(self._tree, alias._tree))
