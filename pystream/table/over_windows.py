"""Windows for ``Table.over_window``: the rows around each row that aggregations are of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.table.expression.expression import Expression
from pystream.table.fields import require_expressions
from typeinfo.arguments import checks_arguments

__all__ = [
    "Over",
    "OverWindow",
    "OverWindowPartitioned",
    "OverWindowPartitionedOrdered",
    "OverWindowPartitionedOrderedPreceding",
]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class OverWindow:
    """The rows around each row, under a name for ``over``; made by `Over`.

    Mirrors ``org.apache.flink.table.api.OverWindow``.

    Attributes:
        keys: the expressions that these rows have in common.
        order: the expression by which they are ordered.
        preceding: how far before a row they start; ``None`` for the first one.
        following: how far after it they end; ``None`` for the row itself.
        name: the name.
    """

    _example: ClassVar[str] = "Over.partition_by(col('k')).order_by(col('ts')).alias('w')"

    keys: tuple[Expression[Any], ...]
    order: Expression[Any]
    preceding: Expression[Any] | None = None
    following: Expression[Any] | None = None
    name: str = ""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class _Ordered:
    """Windows to be named."""

    _window: OverWindow

    def alias(self, alias: str) -> OverWindow:
        """Return the windows with the name that ``over`` uses for them."""
        if not alias:
            raise ConfigurationError("alias: the name of the window is empty")
        return replace(self._window, name=alias)


@checks_arguments(ArgumentTypeError)
class OverWindowPartitionedOrderedPreceding(_Ordered):
    """Windows with a start, to be named by ``alias``."""

    def following(self, following: Expression[Any]) -> OverWindowPartitionedOrderedPreceding:
        """Return the windows with an end.

        Args:
            following: ``CURRENT_ROW``, ``CURRENT_RANGE``, ``UNBOUNDED_ROW``, ``UNBOUNDED_RANGE``, a number of
                rows such as ``row_interval(2)`` or a length of time such as ``lit(10).seconds``.
        """
        return OverWindowPartitionedOrderedPreceding(replace(self._window, following=following))


@checks_arguments(ArgumentTypeError)
class OverWindowPartitionedOrdered(_Ordered):
    """Windows of the rows up to each one, unless ``preceding`` says less, to be named by ``alias``."""

    def preceding(self, preceding: Expression[Any]) -> OverWindowPartitionedOrderedPreceding:
        """Return the windows with a start.

        Args:
            preceding: ``UNBOUNDED_ROW``, ``UNBOUNDED_RANGE``, ``CURRENT_ROW``, ``CURRENT_RANGE``, a number of
                rows such as ``row_interval(2)`` or a length of time such as ``lit(10).seconds``.
        """
        return OverWindowPartitionedOrderedPreceding(replace(self._window, preceding=preceding))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class OverWindowPartitioned:
    """Rows with the same values of expressions, to be ordered."""

    _keys: tuple[Expression[Any], ...]

    def order_by(self, order_by: Expression[Any]) -> OverWindowPartitionedOrdered:
        """Return the windows of these rows in an order.

        Args:
            order_by: the event time; of bounded tables, any expression.
        """
        return OverWindowPartitionedOrdered(OverWindow(self._keys, order_by))


@checks_arguments(ArgumentTypeError)
class Over:
    """Windows of the rows around each row.

    Mirrors ``org.apache.flink.table.api.Over``.

    Examples:
        >>> from pystream.table.expressions import UNBOUNDED_RANGE, col
        >>> Over.partition_by(col("k")).order_by(col("ts")).preceding(UNBOUNDED_RANGE).alias("w").name
        'w'
    """

    @classmethod
    def order_by(cls, order_by: Expression[Any]) -> OverWindowPartitionedOrdered:
        """Return the windows of all rows in an order.

        Args:
            order_by: the event time; of bounded tables, any expression.
        """
        return OverWindowPartitioned(()).order_by(order_by)

    @classmethod
    def partition_by(cls, *partition_by: Expression[Any]) -> OverWindowPartitioned:
        """Return the rows with the same values of expressions."""
        require_expressions(partition_by, "partition_by")
        return OverWindowPartitioned(partition_by)
