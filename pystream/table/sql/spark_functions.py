"""Replace functions and operators by those that have the same results in Spark."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

__all__ = ["with_spark_functions"]

_INTEGERS = (exp.DType.TINYINT, exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT)


def with_spark_functions(tree: exp.Query) -> exp.Query:
    """Return a query in which functions and operators have the results of Flink when Spark evaluates them.

    Integers are divided to an integer, ``SUM`` and ``AVG`` of integers have their type, as have ``FLOOR`` and
    ``CEIL``. Texts are added to one text.

    Args:
        tree: the query, whose expressions have types.
    """
    replaced = tree.transform(_replaced)
    assert isinstance(replaced, exp.Query)
    return replaced


def _replaced(node: exp.Expr) -> exp.Expr:
    match node:
        case exp.Add(this=left, expression=right) if _is_text(left) and _is_text(right):
            return exp.Concat(expressions=[left, right])
        case exp.Floor() | exp.Ceil() if not node.args.get("to") and _is_float(node.this):
            return exp.cast(node.copy(), node.this.type.this)
        case exp.Div(this=left, expression=right) if _is_integer(left) and _is_integer(right):
            wider = max(left.type.this, right.type.this, key=_INTEGERS.index)
            return exp.cast(exp.IntDiv(this=left, expression=right), wider)
        case exp.Sum() | exp.Avg() if _is_integer(_argument(node)) and not _is_modified(node):
            return exp.cast(node.copy(), _argument(node).type.this)
        case exp.Window() | exp.Filter():
            inner = node.find(exp.Sum, exp.Avg)
            if isinstance(node.this, exp.Sum | exp.Avg | exp.Filter) and not _is_modified(node):
                assert inner is not None
                if _is_integer(_argument(inner)):
                    return exp.cast(node.copy(), _argument(inner).type.this)
        case exp.Anonymous() if node.name.upper() in _RENAMED:
            return exp.Anonymous(this=_RENAMED[node.name.upper()], expressions=node.expressions)
        case exp.Floor() if node.args.get("to"):
            truncated = exp.Anonymous(
                this="DATE_TRUNC", expressions=[exp.Literal.string(node.args["to"].name), node.this]
            )
            return exp.cast(truncated, exp.DType.TIMESTAMPNTZ)
    return node


_RENAMED = {"PROCTIME": "CURRENT_TIMESTAMP", "CURRENT_ROW_TIMESTAMP": "CURRENT_TIMESTAMP"}


def _argument(function: exp.Expr) -> Any:
    argument = function.this
    return argument.expressions[0] if isinstance(argument, exp.Distinct) else argument


def _is_modified(node: exp.Expr) -> bool:
    """Return whether a clause such as OVER or FILTER belongs to a function."""
    return isinstance(node.parent, exp.Window | exp.Filter) and node.parent.this is node


def _is_text(node: Any) -> bool:
    return node.type is not None and node.type.this in exp.DataType.TEXT_TYPES


def _is_float(node: Any) -> bool:
    return node.type is not None and node.type.this in (exp.DType.FLOAT, exp.DType.DOUBLE)


def _is_integer(node: Any) -> bool:
    return node.type is not None and node.type.this in _INTEGERS
