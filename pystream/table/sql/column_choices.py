"""Expressions that stand for several columns: choices of columns, and the fields of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from pystream.errors import PlanError
from pystream.sql_types.data_types import DataType, RowType
from pystream.table.function_definition import AggregateFunctionDefinition, ScalarFunctionDefinition
from pystream.table.sql.dialect import ProgramAggregate, ProgramCall
from pystream.table.sql.expression_trees import column_tree, field_tree, named_tree, tree_text

__all__ = ["Columns", "choice_tree", "chosen_trees", "flatten_tree", "has_choices", "range_tree"]

Columns = Mapping[str, DataType]

_WITH, _WITHOUT, _RANGE, _FLATTEN = "WITH_COLUMNS", "WITHOUT_COLUMNS", "RANGE_TO", "FLATTEN"
_CHOICES = (_WITH, _WITHOUT)


def choice_tree(columns: Sequence[exp.Expr], *, is_without: bool) -> exp.Expr:
    """Return the tree of the columns that others name, or of all but those."""
    return exp.Anonymous(
        this=_WITHOUT if is_without else _WITH, expressions=[column.copy() for column in columns]
    )


def range_tree(start: str | int, end: str | int) -> exp.Expr:
    """Return the tree of the columns from one to another, by names or by positions from 1 on."""
    bounds = [exp.Literal.number(b) if isinstance(b, int) else exp.Literal.string(b) for b in (start, end)]
    return exp.Anonymous(this=_RANGE, expressions=bounds)


def flatten_tree(row: exp.Expr) -> exp.Expr:
    """Return the tree of the fields of a row, each as a column."""
    return exp.Anonymous(this=_FLATTEN, expressions=[row.unalias().copy()])


def has_choices(tree: exp.Expr) -> bool:
    """Return whether a tree, or a part of it, stands for several columns."""
    return any(node.name in (*_CHOICES, _RANGE, _FLATTEN) for node in tree.find_all(exp.Anonymous))


def chosen_trees(call: str, tree: exp.Expr, columns: Columns) -> list[exp.Expr]:
    """Return the trees that a tree with choices of columns and fields of rows stands for.

    Args:
        call: the name of the method, for messages.
        tree: the tree.
        columns: the types of the columns, by their names.

    Raises:
        PlanError: a column does not exist, or the fields of a row are not known.
    """
    chosen = _chosen(call, tree, columns)
    if chosen is not None:
        return [part for one in chosen for part in chosen_trees(call, one, columns)]
    changed = tree.copy()
    for key, value in [*changed.args.items()]:
        if isinstance(value, list):
            changed.set(key, [part for one in value for part in _parts(call, one, columns)])
        elif isinstance(value, exp.Expr):
            parts = chosen_trees(call, value, columns)
            if len(parts) != 1:
                several = f"{tree_text(value)} stands for {len(parts)} columns"
                raise PlanError(f"{call}: {several}, where {tree_text(tree)} takes one expression")
            changed.set(key, parts[0])
    return [changed]


def _parts(call: str, value: object, columns: Columns) -> list[object]:
    return [*chosen_trees(call, value, columns)] if isinstance(value, exp.Expr) else [value]


def _chosen(call: str, tree: exp.Expr, columns: Columns) -> list[exp.Expr] | None:
    """Return what a tree of several columns stands for, ``None`` for others."""
    match tree:
        case exp.Anonymous(this=name, expressions=arguments) if name in _CHOICES:
            named = [one for argument in arguments for one in _names(call, argument, [*columns])]
            chosen = named if name == _WITH else [one for one in columns if one not in named]
            return [column_tree(one) for one in chosen]
        case exp.Anonymous(this=name, expressions=[row]) if name == _FLATTEN:
            return _fields(call, row, columns)
        case exp.Anonymous(this=name) if name == _RANGE:
            raise PlanError(f"{call}: range_ belongs in with_columns or without_columns")
    return None


def _names(call: str, argument: exp.Expr, own: Sequence[str]) -> Iterator[str]:
    """Yield the names of the columns that an argument of a choice names.

    Raises:
        PlanError: there is no such column, or the argument names none.
    """
    match argument:
        case exp.Star():
            yield from own
        case exp.Column():
            yield _name(call, argument.name, own)
        case exp.Literal(is_string=False):
            yield _name(call, _bound(argument), own)
        case exp.Anonymous(this=name, expressions=bounds) if name == _RANGE:
            start, end = (own.index(_name(call, _bound(bound), own)) for bound in bounds)
            if start > end:
                raise PlanError(f"{call}: range_ ends at {own[end]!r}, before it starts at {own[start]!r}")
            yield from own[start : end + 1]
        case _:
            raise PlanError(
                f"{call}: with_columns and without_columns take columns such as col('a'), and ranges such as "
                f"range_('a', 'c'), not {tree_text(argument)}"
            )


def _bound(literal: exp.Expr) -> str | int:
    return literal.name if literal.is_string else int(literal.name)


def _name(call: str, column: str | int, own: Sequence[str]) -> str:
    if column in own:
        return str(column)
    if isinstance(column, int) and 1 <= column <= len(own):
        return own[column - 1]
    there = ", ".join(own)
    raise PlanError(
        f"{call}: there is no column {column!r} among {there}"
        if isinstance(column, str)
        else f"{call}: there is no column {column}; they are numbered from 1 to {len(own)}: {there}"
    )


def _fields(call: str, row: exp.Expr, columns: Columns) -> list[exp.Expr]:
    """Return the fields of a row, with their names; a value of another type is its only field.

    Raises:
        PlanError: the type of the value is not known.
    """
    data_type = _type_of(row, columns)
    if data_type is None:
        raise PlanError(
            f"{call}: flatten takes a column, or a call of a function of the program, not {tree_text(row)}; "
            "select it first"
        )
    if not isinstance(data_type, RowType):
        return [row]
    fields = [(field.name, field_tree(row, field.name)) for field in data_type.fields]
    if not isinstance(row, exp.Column):
        return [field for _, field in fields]
    return [named_tree(field, f"{row.name}${name}") for name, field in fields]


def _type_of(tree: exp.Expr, columns: Columns) -> DataType | None:
    if isinstance(tree, exp.Column):
        return columns.get(tree.name)
    definition = tree.args.get("definition") if isinstance(tree, ProgramCall | ProgramAggregate) else None
    if isinstance(definition, ScalarFunctionDefinition | AggregateFunctionDefinition):
        return definition.result_type
    return None
