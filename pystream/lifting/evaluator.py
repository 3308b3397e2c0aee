"""Symbolic evaluation of a function's expressions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Protocol

from pystream.expressions.expression import Expression
from pystream.lifting.building import all_of, any_of, negation
from pystream.lifting.comparing import truth
from pystream.lifting.composites import conditional, list_of
from pystream.lifting.constants import (
    BINARY_FUNCTIONS,
    COMPARISON_FUNCTIONS,
    UNARY_FUNCTIONS,
    fold_constants,
    tuple_of,
)
from pystream.lifting.formatting import interpolated
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lists import filtered, flattened, items, transformed, variable
from pystream.lifting.members import attribute, fields_of, item, slice_of, unpacked
from pystream.lifting.objects import own_attribute, static_attribute
from pystream.lifting.operators import binary, compare, identical, membership, unary
from pystream.lifting.text import concatenated
from pystream.lifting.values import (
    COLLECTOR,
    FALSE,
    NONE,
    TRUE,
    Generator,
    Static,
    Value,
    as_expression,
    consumed,
)

__all__ = ["MAX_SIZE", "Caller", "Evaluator"]

MAX_SIZE = 2000
MAX_STEPS = 2000


class Caller(Protocol):
    """Evaluates the calls in expressions; implemented by ``Inliner``."""

    def call(self, callee: object, arguments: list[Value], named: dict[str, Value]) -> Value:
        """Return the result of a known function or class."""
        ...

    def call_own_method(
        self, owner: Static, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """Return the result of a method of the object whose method is lifted."""
        ...

    def call_method(
        self, owner: Expression, name: str, arguments: list[Value], named: dict[str, Value]
    ) -> Value:
        """Return the result of a method of a value."""
        ...


class Evaluator:
    """Evaluates the syntax trees of Python expressions symbolically, to abstract values.

    Args:
        caller: evaluates the calls.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._numbers = 0
        self._steps = 0

    def step(self) -> None:
        """Count the evaluation of a statement or expression.

        Raises:
            NotExact: there are too many: statements after branches that may return are evaluated once for
                each path through these.
        """
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise NotExact("has too many paths through its branches and calls")

    def number(self) -> int:
        """Return a new number for a variable."""
        self._numbers += 1
        return self._numbers

    def expression(self, frame: Frame, node: ast.expr) -> Expression:
        """Return the value of a node as an expression."""
        with frame.at(node):
            return as_expression(self.value(frame, node))

    def condition(self, frame: Frame, node: ast.expr) -> Expression:
        """Return the truth of a node; operands of ``and`` and ``or`` may have different types."""
        match node:
            case ast.BoolOp():
                join, end = (all_of, FALSE) if isinstance(node.op, ast.And) else (any_of, TRUE)
                conditions: list[Expression] = []
                for operand in node.values:
                    conditions.append(self.condition(frame, operand))
                    if conditions[-1] == end:
                        break  # Python does not evaluate the operands after it
                return join(*conditions)
            case ast.UnaryOp(op=ast.Not()):
                return negation(self.condition(frame, node.operand))
        value = self.value(frame, node)
        with frame.at(node):
            if isinstance(value, Static):
                return TRUE if fold_constants(operator.truth, value.value).value else FALSE
            return truth(as_expression(value))

    def value(self, frame: Frame, node: ast.expr) -> Value:
        """Return the value of a node."""
        self.step()
        evaluate = getattr(self, f"_{type(node).__name__.lower()}", None)
        with frame.at(node):
            if evaluate is None:
                raise NotExact(f"uses {_NODES.get(type(node), type(node).__name__)}, which is not lifted")
            value: Value = evaluate(frame, node)
            if isinstance(value, Expression) and value.size > MAX_SIZE:
                raise NotExact("computes more than fits one expression")
            return value

    def _constant(self, frame: Frame, node: ast.Constant) -> Value:
        return Static(node.value)

    def _name(self, frame: Frame, node: ast.Name) -> Value:
        value = frame.look_up(node.id)
        if value is COLLECTOR:
            raise NotExact(f"uses {node.id} other than by {node.id}.collect(...), which is not lifted")
        return value

    def _binop(self, frame: Frame, node: ast.BinOp) -> Value:
        left, right = self.value(frame, node.left), self.value(frame, node.right)
        return binary(BINARY_FUNCTIONS[type(node.op)], left, right)

    def _unaryop(self, frame: Frame, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self.condition(frame, node)
        return unary(UNARY_FUNCTIONS[type(node.op)], self.value(frame, node.operand))

    def _boolop(self, frame: Frame, node: ast.BoolOp) -> Value:
        values = [self.expression(frame, value) for value in node.values]
        if all(kind_of(value) is Kind.BOOL and not value.nullable for value in values):
            return all_of(*values) if isinstance(node.op, ast.And) else any_of(*values)
        result = values[-1]
        for value in reversed(values[:-1]):
            is_true = truth(value)
            if isinstance(node.op, ast.And):
                result = conditional(is_true, result, value)
            else:
                result = conditional(is_true, value, result)
        return result

    def _ifexp(self, frame: Frame, node: ast.IfExp) -> Value:
        return self.conditional(frame, node, lambda branch: self.value(frame, branch))

    def conditional(self, frame: Frame, node: ast.IfExp, evaluate: Callable[[ast.expr], Value]) -> Value:
        """Return the value of a conditional expression.

        Args:
            frame: the local names.
            node: the expression.
            evaluate: returns the value of a branch.
        """
        condition = self.condition(frame, node.test)
        if condition in (TRUE, FALSE):
            return evaluate(node.body if condition == TRUE else node.orelse)
        return conditional(
            condition, as_expression(evaluate(node.body)), as_expression(evaluate(node.orelse))
        )

    def _compare(self, frame: Frame, node: ast.Compare) -> Value:
        *operands, last = [node.left, *node.comparators]
        ends_with_in = isinstance(node.ops[-1], ast.In | ast.NotIn)
        values = [self.value(frame, operand) for operand in operands]
        values.append(self._container(frame, last) if ends_with_in else self.value(frame, last))
        results = []
        for sign, left, right in zip(node.ops, values, values[1:], strict=False):
            match sign:
                case ast.Is():
                    results.append(identical(left, right))
                case ast.IsNot():
                    results.append(negation(identical(left, right)))
                case ast.In():
                    results.append(membership(left, right))
                case ast.NotIn():
                    results.append(negation(membership(left, right)))
                case _:
                    results.append(as_expression(compare(COMPARISON_FUNCTIONS[type(sign)], left, right)))
        return all_of(*results)

    def _container(self, frame: Frame, node: ast.expr) -> Value:
        """Return the right operand of ``in``; a list or set display counts as a tuple."""
        if isinstance(node, (ast.List, ast.Set)):
            node = ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)
        return self.value(frame, node)

    def _attribute(self, frame: Frame, node: ast.Attribute) -> Value:
        owner = self.value(frame, node.value)
        if isinstance(owner, Static):
            look_up = own_attribute if owner.is_self else static_attribute
            return look_up(owner.value, node.attr)
        return attribute(as_expression(owner), node.attr)

    def _subscript(self, frame: Frame, node: ast.Subscript) -> Value:
        owner = self.value(frame, node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = [
                NONE if bound is None else self.expression(frame, bound)
                for bound in (node.slice.lower, node.slice.upper, node.slice.step)
            ]
            return slice_of(as_expression(owner), *bounds)
        index = self.value(frame, node.slice)
        return item(as_expression(owner), as_expression(index))

    def _tuple(self, frame: Frame, node: ast.Tuple) -> Value:
        return tuple_of(self._several(frame, node.elts))

    def _list(self, frame: Frame, node: ast.List) -> Value:
        return list_of([as_expression(value) for value in self._several(frame, node.elts)])

    def _several(self, frame: Frame, nodes: list[ast.expr]) -> list[Value]:
        """Return the values of nodes; starred nodes are unpacked."""
        values: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += unpacked(self.value(frame, node.value))
            else:
                values.append(self.value(frame, node))
        return values

    def _joinedstr(self, frame: Frame, node: ast.JoinedStr) -> Value:
        parts = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                specification = _format_specification(value.format_spec)
                field = self.expression(frame, value.value)
                with frame.at(value):
                    parts.append(interpolated(field, value.conversion, specification))
            else:
                parts.append(self.expression(frame, value))
        return concatenated(parts)

    def consumed(self, frame: Frame, node: ast.expr) -> Expression:
        """Return the value of a node that is iterated over at once, a generator as a list."""
        with frame.at(node):
            return consumed(self.value(frame, node))

    def _listcomp(self, frame: Frame, node: ast.ListComp | ast.GeneratorExp) -> Expression:
        return self.comprehension(frame, node.generators, lambda inner: self.expression(inner, node.elt))

    def _generatorexp(self, frame: Frame, node: ast.GeneratorExp) -> Value:
        return Generator(self._listcomp(frame, node))

    def comprehension(
        self, frame: Frame, loops: list[ast.comprehension], evaluate: Callable[[Frame], Expression]
    ) -> Expression:
        """Return the elements of a comprehension, as a list.

        Args:
            frame: the local names around it.
            loops: its loops, from the outermost.
            evaluate: returns the value for an element of the innermost loop, given the names inside.
        """
        own = (node.id for loop in loops for node in ast.walk(loop.target) if isinstance(node, ast.Name))
        # The iterable of the outermost loop is evaluated outside, all else inside.
        source = self.iterated(frame, loops[0].iter)
        return self._looped(frame.comprehension(own), source, loops, evaluate)

    def _looped(
        self,
        frame: Frame,
        source: Expression,
        loops: list[ast.comprehension],
        evaluate: Callable[[Frame], Expression],
    ) -> Expression:
        loop, *rest = loops
        if loop.is_async:
            raise NotExact("loops asynchronously")
        element = variable(source, self.number())
        self.bind(frame, loop.target, element)
        holds = all_of(*(self.condition(frame, test) for test in loop.ifs))
        if holds != TRUE:
            source = filtered(source, element, frame.result(holds))
        if rest:
            inner = self._looped(frame, self.iterated(frame, rest[0].iter), rest, evaluate)
            return flattened(transformed(source, element, frame.result(inner)))
        return transformed(source, element, frame.result(evaluate(frame)))

    def iterated(self, frame: Frame, node: ast.expr) -> Expression:
        """Return the values that a loop iterates over, as a list."""
        value = self.consumed(frame, node)
        with frame.at(node):
            parts = fields_of(value)
            return items(value, "loops over") if parts is None else list_of(parts)

    def bind(self, frame: Frame, target: ast.expr, value: Value) -> None:
        """Assign a value to a name, or unpack it to several names.

        Raises:
            NotExact: the target is an attribute or item, which would change an object.
        """
        with frame.at(target):
            match target:
                case ast.Name():
                    frame.set(target.id, value)
                case ast.Tuple() | ast.List():
                    parts = unpacked(value, len(target.elts))
                    if len(parts) != len(target.elts) or any(isinstance(t, ast.Starred) for t in target.elts):
                        raise NotExact(f"unpacks {len(parts)} values to {len(target.elts)} names")
                    for inner, part in zip(target.elts, parts, strict=True):
                        self.bind(frame, inner, part)
                case ast.Attribute():
                    raise NotExact(f"sets .{target.attr} of an object; return a new one instead")
                case _:
                    raise NotExact("sets an item of an object; return a new one instead")

    def _call(self, frame: Frame, node: ast.Call) -> Value:
        arguments = self._several(frame, node.args)
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise NotExact("calls a function with **, which is not lifted")
            named[keyword.arg] = self.value(frame, keyword.value)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(frame, node.func.value)
            is_text = isinstance(owner, Static) and type(owner.value) is str
            if isinstance(owner, Static) and owner.is_self:
                return self._caller.call_own_method(owner, node.func.attr, arguments, named)
            if not isinstance(owner, Static) or is_text:
                return self._caller.call_method(as_expression(owner), node.func.attr, arguments, named)
        callee = self.value(frame, node.func)
        if not isinstance(callee, Static):
            raise NotExact(f"calls its argument, {name_of(as_expression(callee))}")
        return self._caller.call(callee.value, arguments, named)


_NODES: dict[type[ast.expr], str] = {
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.DictComp: "a dict",
    ast.SetComp: "a set",
    ast.Lambda: "a function inside",
    ast.Await: "'await'",
    ast.Yield: "'yield' within an expression",
    ast.NamedExpr: "':='",
    ast.YieldFrom: "'yield from' within an expression",
}


def _format_specification(node: ast.expr | None) -> str:
    match node:
        case None | ast.JoinedStr(values=[]):
            return ""
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]):
            return text
    raise NotExact("formats with a computed format, which is not lifted")
