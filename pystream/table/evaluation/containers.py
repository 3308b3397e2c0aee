"""Arrays, maps and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlglot import exp

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowType
from pystream.table.evaluation.choices import in_common
from pystream.table.evaluation.errors import NotEvaluatedError, WrongExpressionError
from pystream.table.evaluation.operands import integer
from pystream.table.evaluation.values import Rule, Scope, Value, strict
from pystream.table.functions.kinds import INTEGERS, Kind, kind_of
from pystream.table.functions.values import containers as functions
from pystream.table.functions.values import records
from pystream.table.functions.values.records import ListShape, MapShape, RowShape, Shape

__all__ = ["CONTAINERS", "NAMED_CONTAINERS", "shape_of"]

_KEYS = (Kind.BOOLEAN, Kind.DATE, Kind.DECIMAL, Kind.TEXT, Kind.TIME, Kind.TIMESTAMP)
"""The kinds of keys of maps, other than integers, by which values are found."""


def _element(scope: Scope, node: exp.Bracket) -> Value:
    if len(node.expressions) != 1:
        raise NotEvaluatedError(node, "an element has one index or key")
    return _accessed(scope, node, node.this, node.expressions[0])


def _accessed(scope: Scope, node: exp.Expr, container: exp.Expr, place: exp.Expr) -> Value:
    value = scope.value(container)
    match value.data_type:
        case ArrayType(element_type=element_type):
            index = integer(scope, place)
            return strict(functions.element_at, element_type, value, index, may_be_null=True)
        case MapType(key_type=key_type, value_type=value_type):
            key = scope.value(place)
            kinds = {key.kind, kind_of(key_type)}
            if not (kinds <= set(INTEGERS) or (len(kinds) == 1 and key.kind in _KEYS)):
                types = f"{value.data_type.nullable()} by {key.data_type.nullable()}"
                raise NotEvaluatedError(node, f"the access of {types} is not supported")
            return strict(functions.value_of, value_type, value, key, may_be_null=True)
    raise WrongExpressionError(node, f"{value.data_type.nullable()} has no elements")


def _field(scope: Scope, node: exp.Dot) -> Value:
    value, name = scope.value(node.this), node.expression.name
    if not isinstance(value.data_type, RowType):
        raise WrongExpressionError(node, f"{value.data_type.nullable()} has no fields")
    names = [field.name for field in value.data_type.fields]
    if name not in names:
        raise WrongExpressionError(node, f"{value.data_type.nullable()} has no field {name!r}")
    position = names.index(name)
    field = value.data_type.fields[position].data_type
    match value.evaluate:
        case partial(func=records.rows_at, args=(RowShape() as shape, column)):
            is_nullable = field.is_nullable or value.data_type.is_nullable
            data_type = field.nullable() if is_nullable else field
            return Value(partial(records.field_at, shape, column, position), data_type)
    return strict(partial(functions.field_of, position), field, value, may_be_null=field.is_nullable)


def _array(scope: Scope, node: exp.Array) -> Value:
    values, element = in_common(scope, node, [scope.value(part) for part in node.expressions])
    evaluate = partial(functions.array_of, tuple(value.evaluate for value in values))
    return Value(evaluate, DataTypes.ARRAY(element).not_null())


def _map(scope: Scope, node: exp.Anonymous) -> Value:
    if len(node.expressions) % 2:
        raise NotEvaluatedError(node, "a MAP takes a value for each key")
    parts = [scope.value(part) for part in node.expressions]
    keys, key = in_common(scope, node, parts[::2])
    values, value = in_common(scope, node, parts[1::2])
    if any(one.data_type.is_nullable for one in keys):
        raise NotEvaluatedError(node, "a key of a MAP may be null")
    entries = tuple((one.evaluate, other.evaluate) for one, other in zip(keys, values, strict=True))
    return Value(partial(functions.map_of, entries), DataTypes.MAP(key, value).not_null())


def _row(scope: Scope, node: exp.Anonymous) -> Value:
    if not node.expressions:
        raise NotEvaluatedError(node, "a ROW has fields")
    return _row_of(scope, [f"EXPR${position}" for position in range(len(node.expressions))], node.expressions)


def _named_row(scope: Scope, node: exp.Anonymous) -> Value:
    return _row_of(scope, [name.name for name in node.expressions[::2]], node.expressions[1::2])


def _row_of(scope: Scope, names: Sequence[str], parts: Sequence[exp.Expr]) -> Value:
    values = [scope.value(part) for part in parts]
    fields = [DataTypes.FIELD(name, value.data_type) for name, value in zip(names, values, strict=True)]
    evaluate = partial(functions.row_of, tuple(names), tuple(value.evaluate for value in values))
    return Value(evaluate, DataTypes.ROW(fields).not_null())


def shape_of(data_type: DataType) -> Shape | None:
    """Return where values of a type contain rows, ``None`` if they do not."""
    match data_type:
        case RowType(fields=fields):
            names = tuple(field.name for field in fields)
            return RowShape(names, tuple(shape_of(field.data_type) for field in fields))
        case ArrayType(element_type=element_type):
            element = shape_of(element_type)
            return None if element is None else ListShape(element)
        case MapType(key_type=key_type, value_type=value_type):
            key, value = shape_of(key_type), shape_of(value_type)
            return None if key is None and value is None else MapShape(key, value)
    return None


CONTAINERS: Mapping[type[exp.Expr], Rule] = {
    exp.Array: _array,
    exp.Bracket: _element,
    exp.Dot: _field,
}
"""The rules for what the parser knows."""

NAMED_CONTAINERS: Mapping[str, Rule] = {
    "MAP": _map,
    "NAMED_STRUCT": _named_row,
    "ROW": _row,
}
"""The rules for other functions, by name."""
