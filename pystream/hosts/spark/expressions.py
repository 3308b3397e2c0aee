"""Translate lifted expressions to Spark columns, with public functions only, as Spark Connect requires."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation calls it
from pyspark.sql import types as spark

from pystream.lifting import GUARD_MARK, Expression, Op, raising
from typeinfo import TypeInformation
from typeinfo.basic import LONG
from typeinfo.composite import FieldsTypeInfo
from typeinfo.extended import EnumTypeInfo
from typeinfo.formats.layout import carried_fields, columns_of, has_columns
from typeinfo.formats.spark import to_spark

__all__ = ["Input", "castable", "evaluated", "fields_of", "to_check", "to_column", "to_columns"]

Input: TypeAlias = tuple[TypeInformation[Any], Sequence[Column]]
"""An argument: its type, and the columns of a table of it, in order."""

_LEAST_LONG = -(2**63)
_NONE_USED = "None is used as a value"


def to_column(expression: Expression, inputs: Sequence[Input]) -> Column:
    """Return the column of an expression.

    Args:
        expression: the expression; ``spark.sql.ansi.enabled`` must be set where it is analysed, so that
            integers that overflow raise.
        inputs: the column of each argument.
    """
    return _ExpressionLowering(inputs).column(expression)


def to_columns(expression: Expression, inputs: Sequence[Input]) -> list[Column]:
    """Return the columns of an expression as a table, named as in ``to_spark_schema``.

    Args:
        expression: the expression.
        inputs: the column of each argument.
    """
    return _ExpressionLowering(inputs).table(expression)


def to_check(expression: Expression, inputs: Sequence[Input]) -> Column:
    """Return a condition that is always true, but raises where the expression does.

    Spark does not compute columns that are dropped later, nor raise the errors in them, as Python would.

    Args:
        expression: the expression that would be dropped.
        inputs: the column of each argument.
    """
    lowering = _ExpressionLowering(inputs)
    return evaluated(*map(lowering.check, dict.fromkeys(raising(expression))))


def evaluated(*columns: Column) -> Column:
    """Return a condition that is always true, but raises where one of the columns does."""
    # The optimizer must evaluate columns to know their hash; the comparison with the minimum always holds.
    return F.xxhash64(*columns) >= _long(_LEAST_LONG)


def castable(t: TypeInformation[Any]) -> spark.DataType:
    """Return the Spark type of a type, with nulls allowed in all lists and maps.

    Spark declares elements nullable in most lists and maps that it computes, and refuses to cast these to a
    type without nulls.
    """
    return _nullable(to_spark(t))


def _nullable(dt: spark.DataType) -> spark.DataType:
    match dt:
        case spark.ArrayType():
            return spark.ArrayType(_nullable(dt.elementType), True)
        case spark.MapType():
            return spark.MapType(_nullable(dt.keyType), _nullable(dt.valueType), True)
        case spark.StructType():
            return spark.StructType(
                [spark.StructField(f.name, _nullable(f.dataType), True) for f in dt.fields]
            )
    return dt


def fields_of(whole: Column, t: FieldsTypeInfo[Any]) -> list[Column]:
    """Return the fields of a composite that lies in one column, in order."""
    whole, names = _with_distinct_names(whole, t)
    return [whole.getField(name) for name in names]


def _with_distinct_names(whole: Column, t: FieldsTypeInfo[Any]) -> tuple[Column, list[str]]:
    """Rename the fields of a composite so that names differ by more than case, as Spark requires."""
    fields = carried_fields(t)
    names = [field.name for field in fields]
    if len({name.upper().casefold() for name in names}) == len(names):
        return whole, names
    names = [f"c{position}" for position in range(len(fields))]
    renamed = zip(names, fields, strict=True)
    # A cast matches fields by position.
    dt = spark.StructType([spark.StructField(name, castable(field.type)) for name, field in renamed])
    return whole.cast(dt), names


class _ExpressionLowering:
    """Translate the parts of expressions to columns; shared parts are translated once."""

    def __init__(self, inputs: Sequence[Input]) -> None:
        self._inputs = inputs
        self._made: dict[int, Column] = {}
        self._kept: list[Expression] = []  # kept alive so that its identity is not reused
        self._variables: dict[Any, Column] = {}

    def column(self, expression: Expression) -> Column:
        key = id(expression)
        if key not in self._made:
            self._made[key] = self._lowered(expression)
            self._kept.append(expression)
        return self._made[key]

    def check(self, expression: Expression) -> Column:
        """Return a column that raises where an expression does, and is cheap to hash."""
        if expression.op is Op.NOT_NULL:
            (part,) = expression.parts
            return F.when(F.isnull(self.column(part)), _raised(_NONE_USED, spark.BooleanType()))
        return self.column(expression)

    def table(self, expression: Expression) -> list[Column]:
        fields = columns_of(expression.type)
        if not has_columns(expression.type):
            return [self.column(expression).alias(fields[0].name)]
        if expression.op is Op.STRUCT:
            parts = [self._typed(part, f.type) for part, f in zip(expression.parts, fields, strict=True)]
        elif expression.op is Op.INPUT:
            parts = list(self._given(expression))
        else:
            parts = fields_of(self.column(expression), expression.type)
        return [part.alias(field.name) for part, field in zip(parts, fields, strict=True)]

    def _given(self, argument: Expression) -> Sequence[Column]:
        (position,) = argument.data
        assert isinstance(position, int)
        return self._inputs[position][1]

    def _lowered(self, expression: Expression) -> Column:
        match expression.op:
            case Op.INPUT:
                return self._input(expression)
            case Op.VARIABLE:
                return self._variables[expression.data[0]]
            case Op.CONSTANT:
                return _constant(expression)
            case Op.FIELD:
                return self._field(expression)
            case Op.STRUCT:
                return self._struct(expression)
            case Op.LIST:
                return self._list(expression)
            case Op.TRANSFORM:
                return F.transform(self.column(expression.parts[0]), self._body(expression))
            case Op.FILTER:
                return F.filter(self.column(expression.parts[0]), self._body(expression))
            case Op.AND | Op.OR:
                return self._joined(expression)
        parts = map(self.column, expression.parts)
        match expression.op:
            case Op.IF:
                condition, value, other = parts
                return F.when(condition, value).otherwise(other)
            case Op.GUARD:
                condition, value = parts
                why = str(expression.data[0])
                return F.when(condition, value).otherwise(_raised(why, castable(expression.type)))
            case Op.NOT_NULL:
                return F.coalesce(*parts, _raised(_NONE_USED, castable(expression.type)))
            case Op.EVALUATED:
                return evaluated(*parts)
        translate = expression.op.spark
        assert translate is not None
        found: Column = (
            getattr(F, translate)(*parts) if isinstance(translate, str) else translate(F, expression, *parts)
        )
        return found

    def _input(self, expression: Expression) -> Column:
        columns = self._given(expression)
        if not has_columns(expression.type):
            return columns[0]
        assert isinstance(expression.type, FieldsTypeInfo)
        fields = carried_fields(expression.type)
        return F.struct(*(c.alias(f.name) for c, f in zip(columns, fields, strict=True)))

    def _field(self, expression: Expression) -> Column:
        (composite,) = expression.parts
        (index,) = expression.data
        assert isinstance(index, int)
        assert isinstance(composite.type, FieldsTypeInfo)
        if composite.op is Op.INPUT:
            return self._given(composite)[index]
        whole, names = _with_distinct_names(self.column(composite), composite.type)
        return whole.getField(names[index])

    def _struct(self, expression: Expression) -> Column:
        assert isinstance(expression.type, FieldsTypeInfo)
        fields = carried_fields(expression.type)
        if not fields:
            return F.lit(True)
        parts = zip(expression.parts, fields, strict=True)
        return F.struct(*(self._typed(part, field.type).alias(field.name) for part, field in parts))

    def _typed(self, expression: Expression, t: TypeInformation[Any]) -> Column:
        """Return a part with the type it has in its whole, which differs if it is null or an empty list."""
        column = self.column(expression)
        return column if expression.type == t else column.cast(castable(t))

    def _list(self, expression: Expression) -> Column:
        made = F.array(*map(self.column, expression.parts))
        return made if expression.parts else made.cast(castable(expression.type))

    def _body(self, expression: Expression) -> Callable[[Column], Column]:
        def body(element: Column) -> Column:
            self._variables[expression.data[0]] = element
            inner = _ExpressionLowering(self._inputs)
            inner._variables = self._variables
            return inner.column(expression.parts[1])

        return body

    def _joined(self, expression: Expression) -> Column:
        """Combine conditions; the first one that may raise and all later ones go into a CASE.

        Spark evaluates AND and OR in an order of its own: it looks first whether columns are null, and
        conditions common to several alternatives are factored out and tested first.
        """
        is_and = expression.op is Op.AND
        *before, last = expression.parts
        result, fails, end = self.column(last), last.fails, F.lit(not is_and)
        for part in reversed(before):
            column = self.column(part)
            fails = fails or part.fails
            if not fails:
                result = column & result if is_and else column | result
            elif is_and:
                result = F.when(column, result).otherwise(end)
            else:
                result = F.when(column, end).otherwise(result)
        return result


def _constant(expression: Expression) -> Column:
    value, t = expression.data[0], expression.type
    if value is None:
        return F.lit(None).cast(castable(t))
    if isinstance(t, EnumTypeInfo):
        return F.lit(value.name)  # type: ignore[attr-defined]
    if t == LONG:
        return _long(value)  # type: ignore[arg-type]
    if isinstance(value, datetime.date):
        # Literals of these depend on the session's time zone, and on the Julian calendar before 1582.
        return F.lit(value.isoformat()).cast(castable(t))
    return F.lit(value)


def _long(value: int) -> Column:
    return F.lit(value).cast(spark.LongType())


def _raised(why: str, dt: spark.DataType) -> Column:
    return F.raise_error(F.lit(f"{GUARD_MARK}: {why}")).cast(dt)
