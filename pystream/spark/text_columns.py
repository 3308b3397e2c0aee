"""Text of a user's table that native steps read: it must be valid UTF-8, which Spark does not see to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import cast

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import ArrayType, DataType, MapType, StringType, StructType

from pystream.lifting import GUARD_MARK, Expression, Op
from pystream.plan.native import NativeStep
from pystream.runtime.spec import OperatorKind

__all__ = ["with_valid_text"]

_SAME_COLUMNS = (OperatorKind.FILTER, OperatorKind.ASSIGN_WATERMARKS)
_HANDING_ON = (OperatorKind.MAP, OperatorKind.FLAT_MAP, OperatorKind.PROJECT)
_HOLDERS = (Op.STRUCT, Op.LIST, Op.NOT_NULL)


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
        if _holds_text(field.dataType):
            valid = _is_valid(F.col(column), field.dataType)
            message = f"{GUARD_MARK}: column {name!r} holds text that is not valid UTF-8"
            refused = F.raise_error(F.lit(message)).cast("boolean")
            frame = frame.where(F.coalesce(valid, F.lit(True)) | refused)
    return frame


def _columns_read(steps: Sequence[NativeStep], width: int) -> set[int]:
    """Return the positions of the columns whose text the steps compute with.

    The results of the last step may hold text as it is: whoever reads them meets it.
    """
    read: set[int] = set()
    for step in steps:
        if step.aggregation is not None:
            return set(range(width))
        is_last = step is steps[-1] and step.kind in _HANDING_ON
        for expression in step.computed if step.accumulation is None else step.computed[:-2]:
            read |= _fields_read(expression, width, is_last)
        if step.kind not in _SAME_COLUMNS:
            break
    return read


def _fields_read(expression: Expression, width: int, is_result: bool) -> set[int]:
    """Return the fields of the element that are computed with; a result may hold others as they are."""
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
    """Tell whether a value is invalid wherever text among its parts is.

    Text next to one that is not valid may make it so, unless it is valid itself, as constants are.
    """
    if expression.op is Op.CONCAT:
        return sum(part.op is not Op.CONSTANT for part in expression.parts) == 1
    return expression.op in _HOLDERS


def _is_element(expression: Expression) -> bool:
    return expression.op is Op.INPUT and expression.data[0] == 0


def _holds_text(dt: DataType) -> bool:
    match dt:
        case StringType():
            return True
        case ArrayType():
            return _holds_text(dt.elementType)
        case MapType():
            return _holds_text(dt.keyType) or _holds_text(dt.valueType)
        case StructType():
            return any(_holds_text(field.dataType) for field in dt.fields)
    return False


def _is_valid(column: Column, dt: DataType) -> Column:
    """Return a condition that is false where text in a column is not valid."""
    match dt:
        case StringType():
            return F.is_valid_utf8(column)
        case ArrayType() if _holds_text(dt):
            return F.forall(column, lambda element: _is_valid(element, dt.elementType))
        case MapType():
            keys, values = ArrayType(dt.keyType), ArrayType(dt.valueType)
            return _is_valid(F.map_keys(column), keys) & _is_valid(F.map_values(column), values)
        case StructType():
            fields = [f for f in dt.fields if _holds_text(f.dataType)]
            conditions = (_is_valid(column.getField(f.name), f.dataType) for f in fields)
            return reduce(and_, conditions, F.lit(True))
    return F.lit(True)
