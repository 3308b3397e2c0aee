"""Statements followed one after the other: assignments, conditions and results."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pystream.lifting.building import TRUE, conditional, guarded, negation
from pystream.lifting.expression import Expression, is_constant
from pystream.lifting.frame import Frame, merged
from pystream.lifting.kinds import Kind, NotExact, kind_of

if TYPE_CHECKING:
    from pystream.lifting.interpret import Interpreter

__all__ = ["described", "returned", "simple"]


def _returns(statements: list[ast.stmt]) -> bool:
    """Tell whether statements never run to their end."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))


def _may_return(statements: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, (ast.Return, ast.Raise)) for statement in statements for node in ast.walk(statement)
    )


def returned(self: Interpreter, frame: Frame, statements: list[ast.stmt]) -> Expression | None:
    """Return what statements return, ``None`` if they raise in every case.

    Args:
        self: what evaluates the expressions in them.
        frame: the local names before them.
        statements: up to the end of the function.
    """
    for position, statement in enumerate(statements):
        with self.at(frame, statement):
            match statement:
                case ast.Return():
                    return frame.result(self.result(frame, statement.value))
                case ast.Raise():
                    return None
                case ast.If() if _may_return(statement.body) or _may_return(statement.orelse):
                    return _either(self, frame, statement, statements[position + 1 :])
                case _:
                    simple(self, frame, statement)
    return frame.result(self.result(frame, None))


def _either(self: Interpreter, frame: Frame, statement: ast.If, rest: list[ast.stmt]) -> Expression | None:
    """Return what an ``if`` gives together with what follows it, which either branch may run into."""
    condition = self.condition(frame, statement.test)
    if is_constant(condition):
        body = statement.body if condition == TRUE else statement.orelse
        return returned(self, frame, [*body, *rest])
    branches = []
    for body in (statement.body, statement.orelse):
        branches.append(returned(self, frame.branch(), body if _returns(body) else [*body, *rest]))
    then, otherwise = branches
    if then is None and otherwise is None:
        return None
    if then is None or otherwise is None:
        holds = condition if otherwise is None else negation(condition)
        value = then if otherwise is None else otherwise
        assert value is not None
        return frame.result(guarded(holds, value, "an error is raised"))
    return frame.result(conditional(condition, then, otherwise))


def simple(self: Interpreter, frame: Frame, statement: ast.stmt) -> None:
    """Follow a statement that returns nothing."""
    match statement:
        case ast.Pass():
            pass
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.Expr():
            frame.evaluated(self.value(frame, statement.value))
        case ast.Assign():
            value = self.value(frame, statement.value)
            for target in statement.targets:
                self.bind(frame, target, value)
        case ast.AnnAssign():
            if statement.value is not None:
                self.bind(frame, statement.target, self.value(frame, statement.value))
        case ast.AugAssign(target=ast.Name(id=name) as target):
            load = ast.copy_location(ast.Name(name, ast.Load()), target)
            change = ast.copy_location(ast.BinOp(load, statement.op, statement.value), statement)
            changed = self.value(frame, change)
            if isinstance(changed, Expression) and kind_of(changed) is Kind.LIST:
                raise NotExact("changes a list in place; make a new one with + instead")
            self.bind(frame, target, changed)
        case ast.Assert():
            holds = self.condition(frame, statement.test)
            frame.evaluated(guarded(holds, TRUE, "an assertion fails"))
        case ast.If():
            condition = self.condition(frame, statement.test)
            if is_constant(condition):
                for inner in statement.body if condition == TRUE else statement.orelse:
                    simple(self, frame, inner)
                return
            branches = [frame.branch(), frame.branch()]
            for branch, body in zip(branches, (statement.body, statement.orelse), strict=True):
                for inner in body:
                    with self.at(branch, inner):
                        simple(self, branch, inner)
            merged(frame, condition, *branches)
        case _:
            raise NotExact(described(statement))


_STATEMENTS: dict[type[ast.AST], str] = {
    ast.For: "loops",
    ast.While: "loops by 'while'",
    ast.Break: "leaves a loop by 'break'",
    ast.Return: "returns from within a statement",
    ast.Try: "catches errors",
    ast.With: "uses 'with'",
    ast.Import: "imports a module; import it at the top of the file",
    ast.ImportFrom: "imports a module; import it at the top of the file",
    ast.FunctionDef: "defines a function",
    ast.ClassDef: "defines a class",
    ast.Global: "uses 'global'",
    ast.Nonlocal: "uses 'nonlocal'",
    ast.Delete: "uses 'del'",
    ast.Raise: "raises an error",
    ast.Match: "uses 'match'",
}


def described(statement: ast.stmt) -> str:
    """Return why a statement is not lifted."""
    if isinstance(statement, ast.For) and statement.orelse:
        return "loops with 'else', which is not lifted"
    if isinstance(statement, ast.AugAssign):
        return f"changes {ast.unparse(statement.target)} in place"
    return _STATEMENTS.get(type(statement), f"uses {type(statement).__name__}") + ", which is not lifted"
