"""Text of a user's table that native steps read: it must be valid UTF-8, which Spark does not see to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import ArrayType, DataType, MapType, StringType, StructType

from pystream.lifting import GUARD_MARK, Expression, Op
from pystream.plan.native import NativeStep
from pystream.runtime.spec import OperatorKind

__all__ = ["with_valid_text"]

_SAME_COLUMNS = (OperatorKind.FILTER, OperatorKind.ASSIGN_WATERMARKS)


def with_valid_text(frame: DataFrame, names: Sequence[str], steps: Sequence[NativeStep]) -> DataFrame:
    """Return a table that raises where text that the steps read is not valid UTF-8.

    Spark takes the bytes as they are, and counts and compares them in its own way; Python refuses them.

    Args:
        frame: the table.
        names: what messages call its columns.
        steps: what is done with it.
    """
    columns = list(zip(frame.columns, names, frame.schema, strict=True))
    for position in sorted(_columns_read(steps, len(columns))):
        column, name, field = columns[position]
        valid = _is_valid(F.col(column), field.dataType)
        if valid is not None:
            message = f"{GUARD_MARK}: column {name!r} holds text that is not valid UTF-8"
            refused = F.raise_error(F.lit(message)).cast("boolean")
            frame = frame.where(F.coalesce(valid, F.lit(True)) | refused)
    return frame


def _columns_read(steps: Sequence[NativeStep], width: int) -> set[int]:
    """Return the positions of the columns that steps read before a step replaces them."""
    read: set[int] = set()
    for step in steps:
        if step.aggregation is not None:
            return set(range(width))
        for expression in step.computed if step.accumulation is None else step.computed[:-2]:
            read |= _fields_read(expression, width)
        if step.kind not in _SAME_COLUMNS:
            break
    return read


def _fields_read(expression: Expression, width: int) -> set[int]:
    """Return the fields of the element that are computed with, without those that only become results."""
    read: set[int] = set()
    seen: set[int] = set()
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if _is_field(part):
            read.add(cast("int", part.data[0]))
        elif _is_element(part):
            read.update(range(width))
        elif part.op is Op.STRUCT:
            waiting += [value for value in part.parts if not _is_handed_on(value)]
        else:
            waiting += part.parts
    return read


def _is_element(expression: Expression) -> bool:
    return expression.op is Op.INPUT and expression.data[0] == 0


def _is_handed_on(value: Expression) -> bool:
    return _is_field(value.parts[0] if value.op is Op.NOT_NULL else value)


def _is_field(expression: Expression) -> bool:
    return expression.op is Op.FIELD and _is_element(expression.parts[0])


def _is_valid(column: Column, dt: DataType) -> Column | None:
    """Return a condition that is false where text in a column is not valid; ``None`` if it holds no text."""
    match dt:
        case StringType():
            return F.is_valid_utf8(column)
        case ArrayType():
            return _all_valid(column, dt.elementType)
        case MapType():
            keys, values = F.map_keys(column), F.map_values(column)
            parts = [_all_valid(keys, dt.keyType), _all_valid(values, dt.valueType)]
        case StructType():
            parts = [_is_valid(column.getField(field.name), field.dataType) for field in dt.fields]
        case _:
            return None
    conditions = [part for part in parts if part is not None]
    if not conditions:
        return None
    whole = conditions[0]
    for condition in conditions[1:]:
        whole &= condition
    return whole


def _all_valid(column: Column, dt: DataType) -> Column | None:
    if _is_valid(F.lit(None), dt) is None:
        return None

    def is_valid(element: Column) -> Column:
        valid = _is_valid(element, dt)
        assert valid is not None
        return valid

    return F.forall(column, is_valid)
