"""Symbolic execution of statements: assignments, branches and returns."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pystream.expressions.expression import Expression, is_constant
from pystream.lifting.building import guarded, negation
from pystream.lifting.composites import conditional
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.frame import Frame, join
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.results import ReturnEvaluator
from pystream.lifting.values import TRUE

__all__ = ["StatementExecutor", "may_exit", "refusal_of", "terminates"]

_RAISES = "an error is raised"


def terminates(statements: list[ast.stmt]) -> bool:
    """Return whether statements never run to their end."""
    match statements:
        case [*_, ast.If(body=body, orelse=orelse)]:
            return terminates(body) and terminates(orelse)
        case [*_, ast.Return() | ast.Raise() | ast.Continue()]:
            return True
    return False


def may_exit(statements: list[ast.stmt], *, by_error: bool) -> bool:
    """Return whether statements may leave the function or the iteration of a loop they are in.

    Args:
        statements: the statements.
        by_error: whether they may also raise an error.
    """
    for statement in statements:
        match statement:
            case ast.Return() | ast.Continue():
                return True
            case ast.Raise() if by_error:
                return True
            case ast.If(body=body, orelse=orelse):
                if may_exit(body, by_error=by_error) or may_exit(orelse, by_error=by_error):
                    return True
    return False


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


def refusal_of(statement: ast.stmt) -> str:
    """Return why a statement is not lifted."""
    if isinstance(statement, ast.For) and statement.orelse:
        return "loops with 'else', which is not lifted"
    if isinstance(statement, ast.AugAssign):
        return f"changes {ast.unparse(statement.target)} in place"
    return _STATEMENTS.get(type(statement), f"uses {type(statement).__name__}") + ", which is not lifted"


class StatementExecutor:
    """Executes the statements of a function symbolically.

    Args:
        evaluator: evaluates the expressions in the statements.
        returns: evaluates the results they return.
    """

    def __init__(self, evaluator: Evaluator, returns: ReturnEvaluator) -> None:
        self.evaluator = evaluator
        self.returns = returns

    def returned(self, frame: Frame, statements: list[ast.stmt]) -> Expression | None:
        """Return the result of statements, ``None`` if they raise in every case.

        Args:
            frame: the local names before them.
            statements: up to the end of the function.
        """
        for position, statement in enumerate(statements):
            with frame.at(statement):
                match statement:
                    case ast.Return():
                        return frame.result(self.returns.returned(frame, statement.value))
                    case ast.Raise():
                        return None
                    case ast.If() if may_exit([statement], by_error=False) or terminates([statement]):
                        rest = statements[position + 1 :]
                        value = self.branches(frame, statement, rest, self.returned)
                        return None if value is None else frame.result(value)
                    case _:
                        self.execute(frame, statement)
        return frame.result(self.returns.returned(frame, None))

    def branches(
        self,
        frame: Frame,
        statement: ast.If,
        rest: list[ast.stmt],
        evaluate: Callable[[Frame, list[ast.stmt]], Expression | None],
    ) -> Expression | None:
        """Return the result of an ``if`` and the statements after it, evaluated once for each branch.

        Args:
            frame: the local names before it.
            statement: the ``if``.
            rest: the statements after it.
            evaluate: returns the result of statements, ``None`` if they raise in every case.

        Returns:
            The result, ``None`` if both branches raise in every case.
        """
        condition = self.evaluator.condition(frame, statement.test)
        if is_constant(condition):
            body = statement.body if condition == TRUE else statement.orelse
            return evaluate(frame.branch(), [*body, *rest])
        then, otherwise = (
            evaluate(frame.branch(), body if terminates(body) else [*body, *rest])
            for body in (statement.body, statement.orelse)
        )
        if then is None:
            return None if otherwise is None else guarded(negation(condition), otherwise, _RAISES)
        if otherwise is None:
            return guarded(condition, then, _RAISES)
        return conditional(condition, then, otherwise)

    def execute(self, frame: Frame, statement: ast.stmt) -> None:
        """Execute a statement that does not return."""
        self.evaluator.step()
        match statement:
            case ast.Pass():
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr():
                frame.evaluated(self.evaluator.value(frame, statement.value))
            case ast.Assign():
                value = self.evaluator.value(frame, statement.value)
                for target in statement.targets:
                    self.evaluator.bind(frame, target, value)
            case ast.AnnAssign():
                if statement.value is not None:
                    self.evaluator.bind(frame, statement.target, self.evaluator.value(frame, statement.value))
            case ast.AugAssign(target=ast.Name(id=name) as target):
                load = ast.copy_location(ast.Name(name, ast.Load()), target)
                change = ast.copy_location(ast.BinOp(load, statement.op, statement.value), statement)
                changed = self.evaluator.value(frame, change)
                if isinstance(changed, Expression) and kind_of(changed) is Kind.LIST:
                    raise NotExact("changes a list in place; make a new one with + instead")
                self.evaluator.bind(frame, target, changed)
            case ast.Assert():
                holds = self.evaluator.condition(frame, statement.test)
                frame.evaluated(guarded(holds, TRUE, "an assertion fails"))
            case ast.If():
                condition = self.evaluator.condition(frame, statement.test)
                if is_constant(condition):
                    self._execute_all(frame, statement.body if condition == TRUE else statement.orelse)
                elif terminates(statement.body):
                    frame.evaluated(guarded(negation(condition), TRUE, _RAISES))
                    self._execute_all(frame, statement.orelse)
                elif terminates(statement.orelse):
                    frame.evaluated(guarded(condition, TRUE, _RAISES))
                    self._execute_all(frame, statement.body)
                else:
                    branches = frame.branch(), frame.branch()
                    for branch, body in zip(branches, (statement.body, statement.orelse), strict=True):
                        self._execute_all(branch, body)
                    join(frame, condition, *branches)
            case _:
                raise NotExact(refusal_of(statement))

    def _execute_all(self, frame: Frame, statements: list[ast.stmt]) -> None:
        for statement in statements:
            with frame.at(statement):
                self.execute(frame, statement)
