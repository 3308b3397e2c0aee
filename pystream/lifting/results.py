"""Results of functions: conversion of returned and yielded values to the declared type."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.building import having_evaluated, is_null, not_null
from pystream.lifting.composites import coerced, conditional, list_of
from pystream.lifting.conforming import conform
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, unwrapped
from pystream.lifting.lists import concatenated_lists
from pystream.lifting.members import fields_of
from pystream.lifting.values import NONE, as_expression
from typeinfo import TypeInformation
from typeinfo.collection import ListTypeInfo

__all__ = ["PLAIN", "ReturnConversion", "ReturnEvaluator"]


@dataclass(frozen=True, slots=True)
class ReturnConversion:
    """Conversion of the results of a function.

    Each result is converted where it is computed, since results of different branches may have a common type
    only after that: a row with names and one without, for example.

    Attributes:
        is_condition: whether only the truth of the result is needed.
        many: whether the function returns any number of results, as for a flat map.
        declared: the declared type of each result, ``None`` if there is none.
    """

    is_condition: bool = False
    many: bool = False
    declared: TypeInformation[Any] | None = None

    def converted(self, result: Expression) -> Expression:
        """Return a result of the declared type; ``None`` raises if the type does not admit it."""
        if self.declared is None:
            return result
        if kind_of(result) is Kind.NONE and not self.declared.admits_none():
            return having_evaluated([result], not_null(coerced(NONE, unwrapped(self.declared)[0])))
        return conform(result, self.declared)

    def list_of(self, results: Sequence[Expression]) -> Expression:
        """Return a list of results of the declared type.

        Raises:
            NotExact: no type is declared, and they have no common type.
        """
        if self.declared is None:
            return list_of(results)
        return Expression(Op.LIST, tuple(map(self.converted, results)), ListTypeInfo(self.declared))

    def concatenated(self, lists: Sequence[Expression]) -> Expression:
        """Return the concatenation of lists of results."""
        if all(results.op is Op.LIST for results in lists):
            return self.list_of([part for results in lists for part in results.parts])
        return concatenated_lists(list(lists))

    def converted_list(self, value: Expression) -> Expression:
        """Return the elements of a list or composite as results of the declared type; ``None`` has none.

        Raises:
            NotExact: the value is of another kind.
        """
        if kind_of(value) is Kind.NONE:
            return having_evaluated([value], self.list_of([]))
        if value.nullable:
            return conditional(is_null(value), self.list_of([]), self.converted_list(not_null(value)))
        parts = fields_of(value)
        if parts is not None:
            return self.list_of(parts)
        if kind_of(value) is not Kind.LIST:
            raise NotExact(f"returns its results as {name_of(value)}, which is not lifted")
        return value if self.declared is None else conform(value, ListTypeInfo(self.declared))


PLAIN = ReturnConversion()
"""Conversion of the result of a function that another function calls: none."""


class ReturnEvaluator:
    """Evaluates the results that a function returns or yields; each branch of a conditional is converted.

    Args:
        evaluator: evaluates the expressions in them.
        conversion: conversion of the results.
    """

    def __init__(self, evaluator: Evaluator, conversion: ReturnConversion) -> None:
        self._evaluator = evaluator
        self.conversion = conversion

    def returned(self, frame: Frame, node: ast.expr | None) -> Expression:
        """Return the result of a ``return`` statement."""
        conversion = self.conversion
        if conversion.many:
            return conversion.list_of([]) if node is None else self.each(frame, node, none=True)
        if node is None:
            return conversion.converted(NONE)
        return self._evaluator.condition(frame, node) if conversion.is_condition else self.one(frame, node)

    def one(self, frame: Frame, node: ast.expr) -> Expression:
        """Return a node as one result."""
        with frame.at(node):
            match node:
                case ast.IfExp():
                    chosen = self._evaluator.conditional(frame, node, lambda branch: self.one(frame, branch))
                    return as_expression(chosen)
                case ast.GeneratorExp():
                    raise NotExact("returns a generator, which is not a value")
            return self.conversion.converted(self._evaluator.expression(frame, node))

    def each(self, frame: Frame, node: ast.expr, *, none: bool = False) -> Expression:
        """Return the elements of a node as results, in a list.

        Args:
            frame: the local names.
            node: an iterable; displays, comprehensions and conditionals are converted element by element.
            none: whether ``None`` is accepted, for no results.
        """
        evaluator, conversion = self._evaluator, self.conversion
        with frame.at(node):
            match node:
                case ast.List() | ast.Tuple():
                    return conversion.concatenated([self._element(frame, element) for element in node.elts])
                case ast.ListComp() | ast.GeneratorExp():
                    elements = evaluator.comprehension(
                        frame, node.generators, lambda inner: self.one(inner, node.elt)
                    )
                    return conversion.converted_list(elements)
                case ast.IfExp():
                    chosen = evaluator.conditional(
                        frame, node, lambda branch: self.each(frame, branch, none=none)
                    )
                    return as_expression(chosen)
                case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_list(left) and _is_list(right):
                    return conversion.concatenated([self.each(frame, left), self.each(frame, right)])
            value = evaluator.consumed(frame, node)
            return conversion.converted_list(value if none else not_null(value))

    def _element(self, frame: Frame, node: ast.expr) -> Expression:
        if isinstance(node, ast.Starred):
            return self.each(frame, node.value)
        return self.conversion.list_of([self.one(frame, node)])


def _is_list(node: ast.expr) -> bool:
    """Return whether a node is certainly a list."""
    match node:
        case ast.List() | ast.ListComp():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_list(left) and _is_list(right)
    return False
