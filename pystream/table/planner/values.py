"""Constant rows: ``VALUES``, and the input of a SELECT without FROM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from pystream.table.algebra.common_columns import common_column, converted
from pystream.table.algebra.scans import Values
from pystream.table.columns import TableColumn
from pystream.table.evaluation import Evaluation
from pystream.table.functions.kinds import Kind, kind_of

__all__ = ["ColumnsDifferError", "one_row", "values_of"]


class ColumnsDifferError(Exception):
    """Rows of constants have different columns.

    Args:
        node: the row, or the value that has no type in common with those before it.
    """

    def __init__(self, node: exp.Expr, complaint: str) -> None:
        super().__init__(complaint)
        self.node = node


def one_row() -> Values:
    """Return the input of a SELECT without FROM: one row without columns."""
    return Values((), ((),))


def values_of(values: exp.Values, evaluate: Callable[[exp.Expr], Evaluation]) -> Values:
    """Return constant rows, in columns of common types.

    Args:
        values: the rows.
        evaluate: makes a function of rows of an expression without columns.

    Raises:
        ColumnsDifferError: the rows have no types in common.
        NotEvaluatedError: Python cannot evaluate a value.
    """
    rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in values.expressions]
    columns: list[TableColumn] = []
    columns_of_rows: list[list[TableColumn]] = []
    constants: list[list[Any]] = []
    for row, node in zip(rows, values.expressions, strict=True):
        if len(row) != len(rows[0]):
            raise ColumnsDifferError(node, f"VALUES: the rows have {len(rows[0])} and {len(row)} columns")
        evaluations = list(map(evaluate, row))
        constants.append([evaluation(()) for evaluation in evaluations])
        own = [_column(number, evaluation) for number, evaluation in enumerate(evaluations)]
        columns_of_rows.append(own)
        columns = own if not columns else list(map(_common, columns, own, row))
    for column, node in zip(columns, rows[0], strict=True):
        if _is_null(column):
            raise ColumnsDifferError(node, "VALUES: the type of NULL is not known; CAST it")
    converted_rows = (
        tuple(map(_converted, constants[number], own, columns)) for number, own in enumerate(columns_of_rows)
    )
    return Values(tuple(columns), tuple(converted_rows))


def _column(number: int, evaluation: Evaluation) -> TableColumn:
    data_type = evaluation.data_type
    return TableColumn(f"EXPR${number}", data_type, data_type.type_info, number)


def _is_null(column: TableColumn) -> bool:
    return kind_of(column.data_type) is Kind.NULL


def _common(one: TableColumn, other: TableColumn, node: exp.Expr) -> TableColumn:
    if _is_null(one) or _is_null(other):
        known = other if _is_null(one) else one
        return replace(known, data_type=known.data_type.nullable())
    common = common_column(one, other)
    if common is None:
        types = f"{one.data_type.nullable()} and {other.data_type.nullable()}"
        raise ColumnsDifferError(node, f"VALUES: {types} have no type in common; CAST one of them")
    return replace(one, data_type=common.data_type, type_info=common.type_info)


def _converted(value: Any, column: TableColumn, target: TableColumn) -> Any:
    if value is None:
        return None
    common = common_column(column, target)
    assert common is not None
    return converted(value, common.conversions[0])
