"""Functions of several rows, and of watermarks, that make expressions."""

from __future__ import annotations

from typing import Any

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import given
from pystream.table.expression.expression import Expression
from pystream.table.expression.json_options import JsonOnNull
from typeinfo.arguments import checks_arguments

__all__ = ["current_watermark", "json_array_agg", "json_object_agg", "lag", "lead"]


@checks_arguments(ArgumentTypeError)
def current_watermark(rowtimeAttribute: Any) -> Expression[Any]:  # noqa: N803 (the name in Flink)
    """Return the watermark at which a row comes, for its column of event time; null before the first one.

    Args:
        rowtimeAttribute: the column.

    Examples:
        >>> from pystream.table.expressions import col
        >>> current_watermark(col("ts"))
        Expression(CURRENT_WATERMARK(`ts`))
    """
    return Expression._of_call("CURRENT_WATERMARK", rowtimeAttribute)


@checks_arguments(ArgumentTypeError)
def json_object_agg(on_null: JsonOnNull, key_expr: str | Expression[str], value_expr: Any) -> Expression[str]:
    """Return the JSON text of an object of the values of a group of rows by their keys, which must differ.

    Args:
        on_null: whether members whose values are null are kept.
        key_expr: the keys, which are not null.
        value_expr: the values.

    Examples:
        >>> from pystream.table.expressions import col
        >>> json_object_agg(JsonOnNull.NULL, col("word"), col("n"))
        Expression(JSON_OBJECTAGG(`word`: `n` NULL ON NULL))
    """
    require(on_null, JsonOnNull, "json_object_agg", "a JsonOnNull such as JsonOnNull.NULL")
    return Expression._of_sql(
        f"JSON_OBJECTAGG(KEY :p0 VALUE :p1 {on_null.value} ON NULL)", key_expr, value_expr
    )


@checks_arguments(ArgumentTypeError)
def json_array_agg(on_null: JsonOnNull, item_expr: Any) -> Expression[str]:
    """Return the JSON text of an array of the values of a group of rows, in the order of arrival.

    Args:
        on_null: whether nulls are kept.
        item_expr: the values.

    Examples:
        >>> from pystream.table.expressions import col
        >>> json_array_agg(JsonOnNull.ABSENT, col("n"))
        Expression(JSON_ARRAYAGG(`n` ABSENT ON NULL))
    """
    require(on_null, JsonOnNull, "json_array_agg", "a JsonOnNull such as JsonOnNull.NULL")
    return Expression._of_sql(f"JSON_ARRAYAGG(:p0 {on_null.value} ON NULL)", item_expr)


@checks_arguments(ArgumentTypeError)
def lag(expr: Any, offset: int = 1, default: Any = None) -> Expression[Any]:
    """Return the value of an expression some rows before each row, ``over`` a window.

    Args:
        expr: the expression.
        offset: the number of rows.
        default: the value where there are not as many rows; null unless given.

    Examples:
        >>> from pystream.table.expressions import col
        >>> lag(col("n"), 2).over(col("w"))
        Expression(LAG(`n`, 2) OVER `w`)
    """
    return _shifted("LAG", expr, offset, default)


@checks_arguments(ArgumentTypeError)
def lead(expr: Any, offset: int = 1, default: Any = None) -> Expression[Any]:
    """Return the value of an expression some rows after each row, ``over`` a window.

    Args:
        expr: the expression.
        offset: the number of rows.
        default: the value where there are not as many rows; null unless given.

    Examples:
        >>> from pystream.table.expressions import col
        >>> lead(col("n"), default=0).over(col("w"))
        Expression(LEAD(`n`, 1, 0) OVER `w`)
    """
    return _shifted("LEAD", expr, offset, default)


def _shifted(function: str, value: Any, offset: int, default: Any) -> Expression[Any]:
    return Expression._of_call(function, value, offset, *given(default))
