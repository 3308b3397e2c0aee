"""Functions that make expressions, under their module name in Flink."""

from __future__ import annotations

import datetime
from typing import Any, TypeAlias, overload

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.expression.base import trees
from pystream.table.expression.calls import (
    convert_tz,
    current_time,
    from_unixtime,
    json,
    json_array,
    json_object,
    json_string,
    local_time,
    map_from_arrays,
    rand_integer,
    temporal_overlaps,
    timestamp_diff,
    to_timestamp_ltz,
    unix_timestamp,
)
from pystream.table.expression.column_choices import range_, with_columns, without_columns
from pystream.table.expression.expression import Expression
from pystream.table.expression.json_options import JsonOnNull
from pystream.table.expression.query_calls import (
    current_watermark,
    json_array_agg,
    json_object_agg,
    lag,
    lead,
)
from pystream.table.expression.units import TimePointUnit
from pystream.table.functions.refused import REFUSED
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.arguments import checks_arguments

__all__ = [
    "CURRENT_RANGE",
    "CURRENT_ROW",
    "UNBOUNDED_RANGE",
    "UNBOUNDED_ROW",
    "Expression",
    "JsonOnNull",
    "TimePointUnit",
    "and_",
    "array",
    "atan2",
    "call",
    "call_sql",
    "coalesce",
    "col",
    "concat",
    "concat_ws",
    "convert_tz",
    "current_database",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_watermark",
    "date_format",
    "descriptor",
    "e",
    "from_unixtime",
    "if_then_else",
    "json",
    "json_array",
    "json_array_agg",
    "json_object",
    "json_object_agg",
    "json_string",
    "lag",
    "lead",
    "lit",
    "local_time",
    "local_timestamp",
    "log",
    "map_",
    "map_from_arrays",
    "negative",
    "not_",
    "null_of",
    "object_of",
    "or_",
    "pi",
    "rand",
    "rand_integer",
    "range_",
    "row",
    "row_interval",
    "source_watermark",
    "temporal_overlaps",
    "timestamp_diff",
    "to_date",
    "to_timestamp",
    "to_timestamp_ltz",
    "unix_timestamp",
    "uuid",
    "with_all_columns",
    "with_columns",
    "without_columns",
]

T = TypeVar("T")

Condition: TypeAlias = Expression[bool] | bool

UNBOUNDED_ROW: Expression[Any] = Expression(lambda: trees().bound_tree("UNBOUNDED_ROW"))
"""The first row, or the last one, as a bound of windows of `Over` that count rows."""

UNBOUNDED_RANGE: Expression[Any] = Expression(lambda: trees().bound_tree("UNBOUNDED_RANGE"))
"""The first time, or the last one, as a bound of windows of `Over`."""

CURRENT_ROW: Expression[Any] = Expression(lambda: trees().bound_tree("CURRENT_ROW"))
"""The current row, as a bound of windows of `Over` that count rows."""

CURRENT_RANGE: Expression[Any] = Expression(lambda: trees().bound_tree("CURRENT_RANGE"))
"""All rows of the time of the current one, as a bound of windows of `Over`."""


@checks_arguments(ArgumentTypeError)
def col(name: str) -> Expression[Any]:
    """Return a column of a table by its name; ``*`` is all columns.

    Examples:
        >>> col("price") * 2
        Expression(`price` * 2)
    """
    if not name:
        raise ConfigurationError("col: name is empty; give the name of a column, or '*' for all")
    return Expression(lambda: trees().column_tree(name))


@overload
def lit(v: T) -> Expression[T]: ...


@overload
def lit(v: Any, data_type: DataType) -> Expression[Any]: ...


@checks_arguments(ArgumentTypeError)
def lit(v: Any, data_type: DataType | None = None) -> Expression[Any]:
    """Return a value as an expression.

    Args:
        v: a bool, int, float, str, bytes, Decimal, date, datetime or None.
        data_type: its type; that of the Python class unless given: INT or BIGINT by size for an int, DOUBLE
            for a float, TIMESTAMP or TIMESTAMP_LTZ for a datetime without or with a time zone.

    Raises:
        PlanTypeError: there are no literals of the class of the value.

    Examples:
        >>> lit("it's")
        Expression('it''s')
        >>> from pystream.table import DataTypes
        >>> lit(None, DataTypes.INT())
        Expression(CAST(NULL AS INT))
    """
    literal: Expression[Any] = Expression._operand(v)
    return literal if data_type is None else literal.cast(data_type)


@checks_arguments(ArgumentTypeError)
def null_of(data_type: DataType) -> Expression[Any]:
    """Return null, as a value of a type."""
    return lit(None, data_type)


@checks_arguments(ArgumentTypeError)
def call(f: str | UserDefinedFunctionWrapper, *args: Any) -> Expression[Any]:
    """Return the call of a function.

    Args:
        f: its name, built in or registered; or a function made by ``udf`` or ``udtf``.
        args: expressions, and values as literals.

    Examples:
        >>> call("weight", col("word"), 2)
        Expression(WEIGHT(`word`, 2))
    """
    if isinstance(f, UserDefinedFunctionWrapper):
        return Expression._of_function(f._definition(f._name, "call"), *args)
    require(f, str, "call", "the name of a function")
    return _call(f, *args)


@checks_arguments(ArgumentTypeError)
def call_sql(sql_expression: str) -> Expression[Any]:
    """Return an expression that is written in SQL.

    Raises:
        SqlError: the text is not an expression; the message names the place.

    Examples:
        >>> call_sql("n * 2 BETWEEN 1 AND 9").alias("fits")
        Expression(n * 2 BETWEEN 1 AND 9 AS `fits`)
    """
    require(sql_expression, str, "call_sql", "an expression in SQL")
    tree = trees().parsed_tree(sql_expression)
    return Expression(lambda: tree)


def with_all_columns() -> Expression[Any]:
    """Return all columns, as ``col("*")`` does."""
    return col("*")


@checks_arguments(ArgumentTypeError)
def and_(predicate0: Condition, predicate1: Condition, *predicates: Condition) -> Expression[bool]:
    """Return whether all conditions are true."""
    return Expression._of_operation("and", predicate0, predicate1, *predicates)


@checks_arguments(ArgumentTypeError)
def or_(predicate0: Condition, predicate1: Condition, *predicates: Condition) -> Expression[bool]:
    """Return whether one of the conditions is true."""
    return Expression._of_operation("or", predicate0, predicate1, *predicates)


@checks_arguments(ArgumentTypeError)
def not_(expression: Expression[bool]) -> Expression[bool]:
    """Return whether a condition is false; null if it is null, unlike ``~``."""
    return Expression._of_operation("not", expression)


@checks_arguments(ArgumentTypeError)
def if_then_else(condition: Condition, if_true: Any, if_false: Any) -> Expression[Any]:
    """Return one value where a condition is true, and another where it is false or null."""
    return Expression._of_operation("ifThenElse", condition, if_true, if_false)


@checks_arguments(ArgumentTypeError)
def coalesce(*args: Any) -> Expression[Any]:
    """Return the first of values that is not null."""
    return _call("COALESCE", *args)


@checks_arguments(ArgumentTypeError)
def concat(first: str | Expression[str], *others: str | Expression[str]) -> Expression[str]:
    """Return texts one after the other; null if one of them is."""
    return _call("CONCAT", first, *others)


@checks_arguments(ArgumentTypeError)
def concat_ws(
    separator: str | Expression[str], first: str | Expression[str], *others: str | Expression[str]
) -> Expression[str]:
    """Return texts one after the other with a separator between them, without those that are null."""
    return _call("CONCAT_WS", separator, first, *others)


@checks_arguments(ArgumentTypeError)
def array(head: Any, *tail: Any) -> Expression[Any]:
    """Return an array of values."""
    return _call("ARRAY", head, *tail)


@checks_arguments(ArgumentTypeError)
def map_(key: Any, value: Any, *tail: Any) -> Expression[Any]:
    """Return a map of keys, each followed by its value.

    Raises:
        PlanError: a key has no value.
    """
    if len(tail) % 2:
        raise PlanError("map_: the last key has no value")
    return _call("MAP", key, value, *tail)


@checks_arguments(ArgumentTypeError)
def row(head: Any, *tail: Any) -> Expression[Any]:
    """Return a row of values, whose fields are ``f0``, ``f1`` and so on."""
    fields = (part for number, value in enumerate((head, *tail)) for part in (f"f{number}", value))
    return _call("NAMED_STRUCT", *fields)


@checks_arguments(ArgumentTypeError)
def descriptor(*column_names: str) -> Expression[Any]:
    """Return a list of the names of columns, as an argument of ``to_changelog`` and ``from_changelog``.

    Examples:
        >>> descriptor("code").as_argument("op")
        Expression(`op` => DESCRIPTOR(`code`))
    """
    return Expression(lambda: trees().descriptor_tree(column_names))


@checks_arguments(ArgumentTypeError)
def object_of(class_name: str, *args: Any) -> Expression[Any]:
    """Refuse the call: there are no structured types.

    Raises:
        UnsupportedOperationError: always.
    """
    raise UnsupportedOperationError(f"object_of: {REFUSED['OBJECT_OF']}")


@checks_arguments(ArgumentTypeError)
def row_interval(rows: int) -> Expression[Any]:
    """Return a number of rows, as a bound of windows of `Over`.

    Raises:
        ConfigurationError: it is less than 0.

    Examples:
        >>> row_interval(2)
        Expression(ROW_INTERVAL(2))
    """
    if rows < 0:
        raise ConfigurationError(f"row_interval takes a number of rows that is not negative, not {rows}")
    return Expression(lambda: trees().row_interval_tree(rows))


def current_date() -> Expression[datetime.date]:
    """Return the date at the start of the query."""
    return _sql("CURRENT_DATE")


def current_timestamp() -> Expression[datetime.datetime]:
    """Return the time at the start of the query, as TIMESTAMP_LTZ."""
    return _sql("CURRENT_TIMESTAMP")


def source_watermark() -> Expression[datetime.datetime]:
    """Return the watermarks that come with the rows, for the watermark of a schema.

    Examples:
        >>> from pystream.table import Schema
        >>> schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)")
        >>> print(schema.watermark("rowtime", source_watermark()).build())
        (
          `rowtime` TIMESTAMP_LTZ(3) METADATA,
          WATERMARK FOR `rowtime` AS SOURCE_WATERMARK()
        )
    """
    return _call("SOURCE_WATERMARK")


def local_timestamp() -> Expression[datetime.datetime]:
    """Return the time at the start of the query in the time zone of the session, as TIMESTAMP."""
    return _call("LOCALTIMESTAMP")


@checks_arguments(ArgumentTypeError)
def to_date(
    date_str: str | Expression[str], format: str | Expression[str] | None = None
) -> Expression[datetime.date]:
    """Return text of the form ``2024-01-31``, or of a pattern, as a date; null if it is none of that."""
    return _sql("CAST(:p0 AS DATE)", date_str) if format is None else _call("TO_DATE", date_str, format)


@checks_arguments(ArgumentTypeError)
def to_timestamp(
    timestamp_str: str | Expression[str], format: str | Expression[str] | None = None
) -> Expression[datetime.datetime]:
    """Return text of the form ``2024-01-31 12:00:00``, or of a pattern, as a timestamp.

    Null if it is none of the pattern.
    """
    if format is not None:
        return _call("TO_TIMESTAMP", timestamp_str, format)
    return _sql("CAST(:p0 AS TIMESTAMP)", timestamp_str)


@checks_arguments(ArgumentTypeError)
def date_format(timestamp: Any, format: str | Expression[str]) -> Expression[str]:
    """Return a timestamp as text, by a pattern such as ``yyyy-MM-dd HH:mm``."""
    return _call("DATE_FORMAT", timestamp, format)


def pi() -> Expression[float]:
    """Return the number pi."""
    return _call("PI")


def e() -> Expression[float]:
    """Return the number e."""
    return _call("E")


@checks_arguments(ArgumentTypeError)
def rand(seed: int | Expression[int] | None = None) -> Expression[float]:
    """Return a random number of each row from 0, included, to 1, excluded."""
    return _call("RAND") if seed is None else _call("RAND", seed)


def current_database() -> Expression[str]:
    """Return the name of the current database."""
    return _call("CURRENT_DATABASE")


def uuid() -> Expression[str]:
    """Return a random UUID of each row, as text."""
    return _call("UUID")


@checks_arguments(ArgumentTypeError)
def atan2(y: Any, x: Any) -> Expression[float]:
    """Return the angle of a point, in radians."""
    return _call("ATAN2", y, x)


@checks_arguments(ArgumentTypeError)
def log(v: Any, base: Any = None) -> Expression[float]:
    """Return the logarithm of a number to a base, e unless given."""
    return _call("LN", v) if base is None else _call("LOG", base, v)


@checks_arguments(ArgumentTypeError)
def negative(v: Any) -> Expression[Any]:
    """Return a number with the other sign."""
    return Expression._of_operation("minusPrefix", v)


def _sql(template: str, *arguments: Any) -> Expression[Any]:
    return Expression._of_sql(template, *arguments)


def _call(name: str, *arguments: Any) -> Expression[Any]:
    return Expression._of_call(name, *arguments)
