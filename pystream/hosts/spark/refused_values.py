"""Checks of tables for values that Python cannot represent: native steps fail on them, as functions do.

Spark accepts any bytes as text, and its dates go beyond the year 9999.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import and_
from typing import cast

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    MapType,
    StringType,
    StructType,
    TimestampNTZType,
)

from pystream.hosts.spark.native import before_filters
from pystream.kinds import Lifting
from pystream.lifting import GUARD_MARK, Expression, Op
from pystream.plan.native import NativeStep

__all__ = ["without_refused_values"]

_CONTAINERS = (Op.STRUCT, Op.LIST, Op.NOT_NULL)


def without_refused_values(frame: DataFrame, names: Sequence[str], steps: Sequence[NativeStep]) -> DataFrame:
    """Return a table that raises if the steps compute with a value that Python cannot represent.

    Args:
        frame: the table.
        names: names of its columns in messages.
        steps: the native steps applied to it.
    """
    columns = list(zip(frame.columns, names, frame.schema, strict=True))
    reads = _columns_read(steps, len(columns))
    first_reading = len(steps)
    for position, (column, name, field) in enumerate(columns):
        faults = " or ".join(sorted(_possible_faults(field.dataType)))
        reading = [number for number, read in enumerate(reads) if position in read]
        if faults and reading:
            taken = _is_representable(F.col(column), field.dataType)
            message = f"{GUARD_MARK}: column {name!r} holds {faults}"
            refused = F.raise_error(F.lit(message)).cast("boolean")
            frame = frame.where(F.coalesce(taken, F.lit(True)) | refused)
            first_reading = min(first_reading, *reading)
    filtered = any(step.lifting is Lifting.PREDICATE for step in steps[first_reading:])
    return before_filters(frame, filtered=filtered)


def _columns_read(steps: Sequence[NativeStep], width: int) -> list[set[int]]:
    """Return the positions of the columns that each step reads, up to the step that replaces them.

    The results of the last step may pass values through: their readers will fail on them.
    """
    reads: list[set[int]] = []
    for step in steps:
        if step.reduction is not None:
            return [*reads, set(range(width))]
        is_last = step is steps[-1] and step.lifting.is_elementwise and not step.lifting.keeps_columns
        expressions = step.computed if step.aggregation is None else step.computed[:-2]
        reads.append(set().union(*(_fields_read(part, width, is_last) for part in expressions)))
        if not step.lifting.keeps_columns:
            break
    return reads


def _fields_read(expression: Expression, width: int, is_result: bool) -> set[int]:
    """Return the fields of the element with which an expression computes, not those it passes through."""
    read: set[int] = set()
    seen: set[tuple[int, bool]] = set()
    waiting = [(expression, is_result)]
    while waiting:
        part, is_held = waiting.pop()
        if (id(part), is_held) in seen:
            continue
        seen.add((id(part), is_held))
        if part.op is Op.FIELD and _is_element(part.parts[0]):
            if not is_held:
                read.add(cast("int", part.data[0]))
        elif _is_element(part):
            if not is_held:
                read.update(range(width))
        else:
            holds = is_held and _keeps_invalid(part)
            waiting += [(value, holds) for value in part.parts]
    return read


def _keeps_invalid(expression: Expression) -> bool:
    """Return whether a value is invalid whenever text among its parts is.

    Concatenation may make invalid text valid, unless the other text is valid itself, as constants are.
    """
    if expression.op is Op.CONCAT:
        return sum(part.op is not Op.CONSTANT for part in expression.parts) == 1
    return expression.op in _CONTAINERS


def _is_element(expression: Expression) -> bool:
    return expression.op is Op.INPUT and expression.data[0] == 0


def _possible_faults(dt: DataType) -> set[str]:
    """Describe the kinds of values of a type that Python cannot represent."""
    match dt:
        case StringType():
            return {"text that is not valid UTF-8"}
        case DateType() | TimestampNTZType():
            return {"a date outside of the years 1 to 9999"}
        case ArrayType():
            return _possible_faults(dt.elementType)
        case MapType():
            return _possible_faults(dt.keyType) | _possible_faults(dt.valueType)
        case StructType():
            return set().union(*(_possible_faults(field.dataType) for field in dt.fields))
    return set()


def _is_representable(column: Column, dt: DataType) -> Column:
    """Return a condition that is false if Python cannot represent a value of a column."""
    match dt:
        case StringType():
            return F.is_valid_utf8(column)
        case DateType() | TimestampNTZType():
            first, last = (F.lit(str(bound)).cast(dt) for bound in (datetime.min, datetime.max))
            return column.between(first, last)
        case ArrayType() if _possible_faults(dt):
            return F.forall(column, lambda element: _is_representable(element, dt.elementType))
        case MapType():
            keys, values = ArrayType(dt.keyType), ArrayType(dt.valueType)
            return _is_representable(F.map_keys(column), keys) & _is_representable(
                F.map_values(column), values
            )
        case StructType():
            fields = [f for f in dt.fields if _possible_faults(f.dataType)]
            conditions = (_is_representable(column.getField(f.name), f.dataType) for f in fields)
            return reduce(and_, conditions, F.lit(True))
    return F.lit(True)
