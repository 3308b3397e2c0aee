"""Calls by name in expressions: of functions of the program, and of operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.errors import PlanError
from pystream.table.sql.expression_trees import OPERAND, operation_tree, tree_text
from pystream.table.sql.function_calls import bound_tree, program_call, with_database
from pystream.table.sql.operations import OPERATION, OperationCall

if TYPE_CHECKING:
    from pystream.table.named_functions import NamedFunctions

__all__ = ["resolved_query", "resolved_tree"]


def resolved_query(query: exp.Query, functions: NamedFunctions) -> exp.Query:
    """Return a query of methods that calls the functions which its names have now.

    A temporary system function of the name of an operation takes its place, as in ``plus`` for ``+``.

    Args:
        query: the query.
        functions: the functions of the program.

    Raises:
        PlanError: an argument of a function has a name.
    """
    for named in query.find_all(exp.Kwarg):
        raise PlanError(
            f"{tree_text(named)}: functions take their arguments by position; only to_changelog and "
            "from_changelog take them by name"
        )
    bound = with_database(bound_tree(query, functions.find), functions.database)
    for call in [*bound.find_all(OperationCall)][::-1]:
        call.replace(operation_tree(call.name, call.expressions))
    operations = [node for node in bound.walk() if OPERATION in node.meta]
    for operation in reversed(operations):
        definition = functions.find_system(operation.meta[OPERATION])
        if definition is not None:
            operation.replace(program_call(definition, [*_operands(operation)]))
    return bound


def resolved_tree(tree: exp.Expr, functions: NamedFunctions) -> exp.Expr:
    """Return the tree of an expression, as `resolved_query` does."""
    resolved: exp.Expr = resolved_query(exp.select(tree.copy()), functions).expressions[0]
    return resolved.pop()


def _operands(operation: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the operands of the tree of an operation, in order."""
    found = {}
    for node in operation.walk(prune=lambda node: node is not operation and OPERAND in node.meta):
        if node is not operation and OPERAND in node.meta:
            found[node.meta[OPERAND]] = node.unnest()
    yield from (found[number].copy() for number in sorted(found))
