"""Find variables that are assigned more than once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    Block,
    Expression,
    ForStmt,
    FuncItem,
    IfStmt,
    ListExpr,
    MatchStmt,
    NameExpr,
    Statement,
    TryStmt,
    TupleExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface

__all__ = ["is_assigned_again"]


def is_assigned_again(api: CheckerPluginInterface, name: Expression) -> bool:
    """Return whether an expression is a variable that is assigned after its first value, or an argument."""
    if not isinstance(name, NameExpr) or not isinstance(name.node, Var) or not isinstance(api, TypeChecker):
        return False
    function = api.scope.top_level_function()
    statements = [*api.tree.defs, *(function.body.body if isinstance(function, FuncItem) else ())]
    count = sum(target is name.node for target in _targets(statements))
    return count > (0 if _is_argument(function, name.node) else 1)


def _is_argument(function: FuncItem | None, variable: Var) -> bool:
    return function is not None and any(argument.variable is variable for argument in function.arguments)


def _targets(statements: Iterable[Statement]) -> Iterator[object]:
    """Yield the variables that statements assign, those of the blocks in them included."""
    for statement in statements:
        match statement:
            case AssignmentStmt():
                yield from _named(statement.lvalues)
            case ForStmt():
                yield from _named([statement.index])
            case WithStmt():
                yield from _named([target for target in statement.target if target is not None])
        yield from _targets(inner for block in _blocks(statement) for inner in block.body)


def _named(expressions: Iterable[Expression]) -> Iterator[object]:
    for expression in expressions:
        if isinstance(expression, NameExpr):
            yield expression.node
        elif isinstance(expression, TupleExpr | ListExpr):
            yield from _named(expression.items)


def _blocks(statement: Statement) -> list[Block]:
    """Return the blocks of a statement."""
    blocks: list[Block | None] = []
    match statement:
        case Block():
            blocks = [statement]
        case IfStmt():
            blocks = [*statement.body, statement.else_body]
        case ForStmt() | WhileStmt():
            blocks = [statement.body, statement.else_body]
        case WithStmt():
            blocks = [statement.body]
        case TryStmt():
            blocks = [statement.body, *statement.handlers, statement.else_body, statement.finally_body]
        case MatchStmt():
            blocks = [*statement.bodies]
    return [block for block in blocks if block is not None]
