"""Symbolic execution of generators: the elements they yield or collect, as a list expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from pystream.expressions.expression import Expression, Op, is_constant
from pystream.lifting.bindings import bound_in_scope
from pystream.lifting.building import having_evaluated, negation
from pystream.lifting.composites import conditional
from pystream.lifting.frame import Frame, join
from pystream.lifting.kinds import NotExact
from pystream.lifting.lists import filtered, flattened, transformed, variable
from pystream.lifting.statements import StatementExecutor, may_exit, refusal_of, terminates
from pystream.lifting.values import COLLECTOR, FALSE, NONE, TRUE

__all__ = ["GeneratorExecutor", "emits_many"]


def emits_many(frame: Frame, body: list[ast.stmt]) -> bool:
    """Return whether statements yield or collect elements."""
    return any(
        isinstance(node, (ast.Yield, ast.YieldFrom))
        or (isinstance(node, ast.Call) and _collects(frame, node))
        for statement in body
        for node in ast.walk(statement)
    )


def _collects(frame: Frame, node: ast.expr) -> bool:
    """Return whether a node is a call of ``collect`` of the collector argument."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="collect")):
            return frame.names.get(name) is COLLECTOR
    return False


def _exits(frame: Frame, statement: ast.If) -> bool:
    """Return whether a branch may skip the statements after it."""
    yields = emits_many(frame, [statement])
    return terminates([statement]) or may_exit([statement], by_error=yields)


class GeneratorExecutor(StatementExecutor):
    """Executes the statements of a function that yields or collects its results."""

    def generated(
        self, frame: Frame, statements: list[ast.stmt], *, loops: bool = False
    ) -> Expression | None:
        """Return the elements that statements yield, ``None`` if they raise in every case.

        Args:
            frame: the local names before them.
            statements: up to the end of the function, or of the body of a loop.
            loops: whether they are the body of a loop, in which ``return`` is not lifted.
        """
        pieces: list[Expression] = []
        for position, statement in enumerate(statements):
            with frame.at(statement):
                match statement:
                    case ast.Return(value=None | ast.Constant(value=None)) if not loops:
                        break
                    case ast.Return() if loops:
                        raise NotExact("returns from within a loop, which is not lifted")
                    case ast.Return():
                        raise NotExact("yields, and returns a value besides, which is not lifted")
                    case ast.Continue():
                        break
                    case ast.Raise():
                        return None
                    case ast.If() if _exits(frame, statement):
                        rest = statements[position + 1 :]
                        rest_yielded = self.branches(
                            frame, statement, rest, partial(self.generated, loops=loops)
                        )
                        if rest_yielded is None:
                            return None
                        pieces.append(rest_yielded)
                        break
                    case _:
                        pieces += self._yielded(frame, statement)
        return frame.result(self.returns.conversion.concatenated(pieces))

    def _yielded(self, frame: Frame, statement: ast.stmt) -> Iterator[Expression]:
        """Yield lists of the results of a statement after which execution continues."""
        match statement:
            case ast.Expr(value=ast.Yield(value=None)):
                yield self.returns.conversion.list_of([NONE])
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                yield self.returns.conversion.list_of([self.returns.one(frame, value)])
            case ast.Expr(value=ast.Call(args=[value], keywords=[])) if _collects(frame, statement.value):
                yield self.returns.conversion.list_of([self.returns.one(frame, value)])
            case ast.Expr(value=ast.YieldFrom(value=value)):
                yield self.returns.each(frame, value)
            case ast.For(orelse=[]) if emits_many(frame, statement.body):
                yield self._for(frame, statement)
            case ast.If() if emits_many(frame, [statement]):
                condition = self.evaluator.condition(frame, statement.test)
                if is_constant(condition):
                    for inner in statement.body if condition == TRUE else statement.orelse:
                        with frame.at(inner):
                            yield from self._yielded(frame, inner)
                    return
                branches = frame.branch(), frame.branch()
                then, otherwise = [
                    self.generated(branch, body)
                    for branch, body in zip(branches, (statement.body, statement.orelse), strict=True)
                ]
                assert then is not None
                assert otherwise is not None
                yield conditional(condition, then, otherwise)
                join(frame, condition, *branches)
            case _ if emits_many(frame, [statement]):
                raise NotExact(refusal_of(statement))
            case _:
                self.execute(frame, statement)

    def _for(self, frame: Frame, statement: ast.For) -> Expression:
        source = self.evaluator.iterated(frame, statement.iter)
        element = variable(source, self.evaluator.number())
        changed = set(bound_in_scope(statement)) & set(frame.names)
        if changed:
            raise NotExact(f"changes {min(changed)} in a loop")
        inside = frame.branch()
        self.evaluator.bind(inside, statement.target, element)
        body = statement.body
        while True:
            match body:
                case [ast.If(test=test, body=inner, orelse=[])]:
                    holds, body = self.evaluator.condition(inside, test), inner
                case [ast.If(test=test, body=[ast.Continue()], orelse=[]), *rest]:
                    holds, body = negation(self.evaluator.condition(inside, test)), rest
                case _:
                    break
            if holds == FALSE:
                body = []
            elif holds != TRUE:
                source = filtered(source, element, inside.result(holds))
        lists = self.generated(inside, body, loops=True)
        if lists is None:
            raise NotExact("raises an error in a loop, which is not lifted")
        if lists.op is Op.LIST and not lists.parts:
            return having_evaluated([source], lists)
        if lists.op is Op.LIST and len(lists.parts) == 1:
            return self.returns.conversion.converted_list(transformed(source, element, lists.parts[0]))
        return flattened(transformed(source, element, lists))
