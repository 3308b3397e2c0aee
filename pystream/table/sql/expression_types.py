"""The types of Flink's expressions, where they are not those of Spark's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects.spark import Spark

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.common_types import common_type
from pystream.table.functions.declaration import Arguments, SqlFunction
from pystream.table.functions.declared import DECLARED
from pystream.table.functions.numbers import remainder_digits
from pystream.table.sql.functions.aggregates import CalledAggregate, called_aggregate
from pystream.table.sql.match_calls import MATCH_PARTS
from pystream.table.sql.type_trees import data_type_of_sql, sql_of_data_type
from pystream.table.sql.windows import WINDOW_TIME

__all__ = [
    "EXPRESSION_TYPES",
    "INTEGERS",
    "argument_types",
    "arguments_of",
    "arithmetic_type",
    "call_arguments",
    "decimal",
    "decimal_of",
    "is_a",
    "known_type",
    "results_of",
    "type_of",
]

_DType = exp.DType

INTEGERS = (_DType.TINYINT, _DType.SMALLINT, _DType.INT, _DType.BIGINT)
"""The types of integers, from the narrowest to the widest."""

_DIGITS = {_DType.TINYINT: 3, _DType.SMALLINT: 5, _DType.INT: 10, _DType.BIGINT: 19}
_MAX_INT = 2**31 - 1
_MAX_DIGITS = 38
_MAX_TIME_DIGITS = 6
_MIN_SCALE = 6  # fractions are not cut to less for the sake of the digits before them


def decimal(precision: int, scale: int) -> exp.DataType:
    """Return the type ``DECIMAL(precision, scale)``."""
    return exp.DataType.build(f"DECIMAL({precision}, {scale})")


def _fitted(precision: int, scale: int) -> exp.DataType:
    """Return a decimal type, with a smaller scale if there are more than 38 digits."""
    if precision > _MAX_DIGITS:
        scale = max(_MAX_DIGITS - (precision - scale), min(scale, _MIN_SCALE))
    return decimal(min(precision, _MAX_DIGITS), scale)


def type_of(node: Any) -> Any:
    """Return the kind of type that an expression has; ``None`` if it is not known."""
    return node.type.this if isinstance(node, exp.Expr) and node.type is not None else None


def is_a(node: Any, *kinds: Any) -> bool:
    """Return whether the type of an expression is of one of these kinds."""
    return type_of(node) in kinds


def decimal_of(node: Any) -> tuple[int, int] | None:
    """Return the precision and the scale of an exact number; ``None`` if it is none."""
    return _digits_of_type(node.type) if type_of(node) in (*_DIGITS, _DType.DECIMAL) else None


def _digits_of_type(kind: exp.DataType) -> tuple[int, int]:
    if kind.this in _DIGITS:
        return _DIGITS[kind.this], 0
    parameters = [int(parameter.name) for parameter in kind.expressions]
    return (*parameters, *(10, 0)[len(parameters) :])  # type: ignore[return-value]


def _of_literal(self: Any, node: exp.Literal) -> exp.Literal:
    text = node.name
    if node.is_string:
        kind: Any = sql_of_data_type(DataTypes.CHAR(len(text)))
    elif "e" in text.lower():
        kind = _DType.DOUBLE
    elif "." in text:
        whole, _, fraction = text.partition(".")
        kind = decimal(len(whole + fraction), len(fraction))
    else:
        kind = _DType.INT if int(text) <= _MAX_INT else _DType.BIGINT
    self._set_type(node, kind)
    return node


def _of_cast(self: Any, node: exp.Cast) -> exp.Cast:
    """Give a literal such as ``TIMESTAMP '…'``, which is a strict cast, as many digits as are written."""
    if type(node) is exp.Cast and isinstance(node.this, exp.Literal) and node.to.this == _DType.TIMESTAMPNTZ:
        digits = len(node.this.name.partition(".")[2])
        node.set("to", sql_of_data_type(DataTypes.TIMESTAMP(min(digits, _MAX_TIME_DIGITS))))
    self._set_type(node, node.to)
    return node


def arithmetic_type(operation: type[exp.Expr], left: Any, right: Any) -> Any:
    """Return the type of the sum, difference, product, quotient or remainder of two numbers.

    Args:
        operation: the class of the expression.
        left: the type of the left operand.
        right: the type of the right operand.

    Returns:
        The type; ``None`` if one of the operands is no number.
    """
    kinds = (left.this if left else None, right.this if right else None)
    if not set(kinds) <= {*INTEGERS, _DType.DECIMAL, _DType.FLOAT, _DType.DOUBLE}:
        return None
    if all(kind in INTEGERS for kind in kinds):
        return right if operation is exp.Mod else max((left, right), key=lambda one: INTEGERS.index(one.this))
    if _DType.DOUBLE in kinds or (_DType.FLOAT in kinds and _DType.DECIMAL in kinds):
        return exp.DataType(this=_DType.DOUBLE)
    if _DType.FLOAT in kinds:
        return exp.DataType(this=_DType.FLOAT)
    return _of_decimals(operation, *_digits_of_type(left), *_digits_of_type(right))


def _of_arithmetic(self: Any, node: Any) -> Any:
    kind = arithmetic_type(type(node), node.left.type, node.right.type)
    if kind is None:
        return self._annotate_binary(node)
    self._set_type(node, kind)
    return node


def _of_decimals(operation: type[exp.Expr], p1: int, s1: int, p2: int, s2: int) -> exp.DataType:
    if operation is exp.Mul:
        return _fitted(p1 + p2 + 1, s1 + s2)
    if operation is exp.Div:
        scale = max(_MIN_SCALE, s1 + p2 + 1)
        return _fitted(p1 - s1 + s2 + scale, scale)
    if operation is exp.Mod:
        return decimal(*remainder_digits(p1, s1, p2, s2))
    scale = max(s1, s2)
    return _fitted(max(p1 - s1, p2 - s2) + scale + 1, scale)


def _of_argument(self: Any, node: Any) -> Any:
    argument = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    self._set_type(node, argument and argument.type)
    return node


def _of_aggregate(self: Any, node: Any) -> Any:
    called = called_aggregate(node)
    assert called is not None
    self._set_type(node, _type_of_aggregate(called))
    return node


def _type_of_aggregate(called: CalledAggregate) -> exp.DataType | None:
    """Return the type of a call of an aggregate function, ``None`` if it is not known or none of them."""
    types = [*map(known_type, called.arguments)]
    known = [one for one in types if one is not None]
    function = AGGREGATE_FUNCTIONS[called.name]
    if len(known) < len(types) or function.refusal(known) is not None:
        return None
    return sql_of_data_type(function.result_type(Arguments(known)))


_NAMED = {
    "GROUP_ID": _DType.BIGINT,
    "$WINDOW_START": _DType.TIMESTAMPNTZ,
    "$WINDOW_END": _DType.TIMESTAMPNTZ,
}


def _of_name(self: Any, node: exp.Anonymous) -> exp.Anonymous:
    if node.name in DECLARED:
        kind: Any = _of_declared(node, DECLARED[node.name])
    elif (called := called_aggregate(node)) is not None:
        kind = _type_of_aggregate(called)
    else:
        name = node.name.upper()
        if name == "MAP":
            kind = _of_map(argument_types(node))
        elif name == "ROW":
            kind = _of_row(argument_types(node))
        elif name == WINDOW_TIME or name in MATCH_PARTS:
            kind = node.expressions[-1].type
        else:
            kind = _NAMED.get(name)
    self._set_type(node, kind)
    return node


def results_of(node: exp.Case) -> list[exp.Expr]:
    """Return the expressions that CASE chooses from."""
    default = node.args.get("default")
    return [*(branch.args["true"] for branch in node.args["ifs"]), *([] if default is None else [default])]


def _of_case(self: Any, node: exp.Case) -> exp.Case:
    self._set_type(node, _common(results_of(node)))
    return node


def _of_array(self: Any, node: exp.Array) -> exp.Array:
    element = _common(node.expressions)
    self._set_type(node, element and exp.DataType(this=_DType.ARRAY, expressions=[element], nested=True))
    return node


def _common(nodes: Sequence[exp.Expr]) -> exp.DataType | None:
    """Return the type that expressions have in common, ``None`` if it is not known."""
    types = [one for one in map(known_type, nodes) if one is not None]
    common = common_type(types) if len(types) == len(nodes) else None
    return None if common is None else sql_of_data_type(common)


def _of_map(types: Sequence[DataType | None]) -> exp.DataType | None:
    """Return the type of a map of keys and values, which take turns; ``None`` if it is not known."""
    known = [one for one in types if one is not None]
    key, value = common_type(known[::2]), common_type(known[1::2])
    if len(known) < len(types) or key is None or value is None:
        return None
    return sql_of_data_type(DataTypes.MAP(key, value))


def _of_row(types: Sequence[DataType | None]) -> exp.DataType | None:
    """Return the type of a row of values; ``None`` if it is not known."""
    fields = [DataTypes.FIELD(f"EXPR${number}", one) for number, one in enumerate(types) if one is not None]
    return sql_of_data_type(DataTypes.ROW(fields)) if len(fields) == len(types) else None


def _of_declared(node: exp.Anonymous, function: SqlFunction) -> exp.DataType | None:
    """Return the type of a call of a declared function, ``None`` if it is not known or none of them."""
    if not callable(function.returns):
        return sql_of_data_type(function.returns)
    arguments = arguments_of(node)
    if arguments is None or function.refusal(arguments.types) is not None:
        return None
    return sql_of_data_type(function.result_type(arguments))


def arguments_of(node: exp.Anonymous) -> Arguments | None:
    """Return what is known of the arguments of a call, ``None`` if that is not all of their types."""
    types = [one for one in argument_types(node) if one is not None]
    return call_arguments(node, types) if len(types) == len(node.expressions) else None


def call_arguments(node: exp.Anonymous, types: Sequence[DataType]) -> Arguments:
    """Return what is known of the arguments of a call, which have some types."""
    constants = {
        position: int(sign.name) * factor if not sign.is_string else sign.name
        for position, part in enumerate(node.expressions)
        for factor, sign in [(-1, part.this) if isinstance(part, exp.Neg) else (1, part)]
        if isinstance(sign, exp.Literal) and (sign.is_string or sign.is_int)
    }
    calls = {position: _declared_name(part) for position, part in enumerate(node.expressions)}
    return Arguments(types, constants, calls)


def _declared_name(node: exp.Expr) -> str:
    """Return the name of the declared function that an expression is a call of; an empty text for others."""
    is_declared = isinstance(node, exp.Anonymous) and node.name in DECLARED
    return str(node.name if is_declared else node.meta.get("declared", ""))


def argument_types(node: exp.Anonymous) -> list[DataType | None]:
    """Return the types of the arguments of a call, ``None`` for those that are not known."""
    return [known_type(part) for part in node.expressions]


def known_type(node: Any) -> DataType | None:
    """Return the type of an expression, ``None`` if it is not known."""
    kind = node.type
    if kind is not None and kind.this == _DType.NULL:
        return DataTypes.NULL()
    try:
        return data_type_of_sql(kind)
    except ConfigurationError:
        return None


def _returns(kind: Any, *nodes: Any) -> dict[Any, Any]:
    return {node: {"returns": kind} for node in nodes}


def _annotated(annotator: Any, *nodes: Any) -> dict[Any, Any]:
    return {node: {"annotator": annotator} for node in nodes}


EXPRESSION_TYPES: Mapping[Any, Any] = {
    **Spark.EXPRESSION_METADATA,
    **_annotated(_of_literal, exp.Literal),
    **_annotated(_of_arithmetic, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod),
    **_annotated(
        _of_argument,
        *(exp.Min, exp.Max, exp.FirstValue, exp.LastValue, exp.Filter),
    ),
    **_annotated(
        _of_aggregate,
        *(exp.Sum, exp.Avg, exp.StddevPop, exp.StddevSamp, exp.Stddev, exp.Variance, exp.VariancePop),
        *(exp.ApproxDistinct, exp.GroupConcat, exp.JSONArrayAgg, exp.JSONObjectAgg),
    ),
    **_annotated(_of_name, exp.Anonymous),
    **_annotated(_of_cast, exp.Cast),
    **_annotated(_of_case, exp.Case),
    **_annotated(_of_array, exp.Array),
    **_returns(
        _DType.BIGINT,
        *(
            exp.Count,
            exp.Grouping,
            exp.GroupingId,
            exp.RowNumber,
            exp.Rank,
            exp.DenseRank,
            exp.Ntile,
        ),
    ),
}
"""How the types of expressions follow from those of their parts."""
