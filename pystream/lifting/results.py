"""Results of a lifted function: a condition, one element or several, checked against the declared type."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.lifting.building import (
    NONE,
    coerced,
    conditional,
    having_evaluated,
    is_null,
    list_of,
    not_null,
)
from pystream.lifting.conforming import conform
from pystream.lifting.evaluator import Evaluator
from pystream.lifting.expression import Expression, Op
from pystream.lifting.frame import Frame
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, opened
from pystream.lifting.lists import concatenated_lists
from pystream.lifting.members import fields_of
from pystream.lifting.values import as_expression
from typeinfo import TypeInformation, Types
from typeinfo.collection import ListTypeInfo

__all__ = ["PLAIN", "ReturnConversion", "ReturnEvaluator"]


@dataclass(frozen=True, slots=True)
class ReturnConversion:
    """Conversion of the values that a function returns.

    Results are held to their type where they are made: a list of a row with names and one without is of no
    type before that, and of one after it.

    Attributes:
        decides: whether only its truth counts.
        many: whether it is a number of results, not one.
        declared: the type that each result is declared to be of, ``None`` if it is not.
    """

    decides: bool = False
    many: bool = False
    declared: TypeInformation[Any] | None = None

    def held(self, result: Expression) -> Expression:
        """Return one result, held to its type; that it is ``None`` where it must not be is an error then."""
        if self.declared is None:
            return result
        if kind_of(result) is Kind.NONE and not self.declared.admits_none():
            return having_evaluated([result], not_null(coerced(NONE, opened(self.declared)[0])))
        return conform(result, self.declared)

    def several(self, results: Sequence[Expression]) -> Expression:
        """Return a list of results.

        Raises:
            NotExact: no type is declared, and they are of different classes.
        """
        if self.declared is None:
            return list_of(results) if results else Expression(Op.LIST, (), ListTypeInfo(Types.VOID()))
        return Expression(Op.LIST, tuple(map(self.held, results)), ListTypeInfo(self.declared))

    def joined(self, lists: Sequence[Expression]) -> Expression:
        """Return lists of results one after the other."""
        if all(given.op is Op.LIST for given in lists):
            return self.several([part for given in lists for part in given.parts])
        return concatenated_lists(list(lists))

    def all_of(self, value: Expression) -> Expression:
        """Return the results that a list or tuple holds; ``None`` for none.

        Raises:
            NotExact: it is neither.
        """
        if kind_of(value) is Kind.NONE:
            return having_evaluated([value], self.several([]))
        if value.nullable:
            return conditional(is_null(value), self.several([]), self.all_of(not_null(value)))
        parts = fields_of(value)
        if parts is not None:
            return self.several(parts)
        if kind_of(value) is not Kind.LIST:
            raise NotExact(f"returns its results as {name_of(value)}, which is not lifted")
        return value if self.declared is None else conform(value, ListTypeInfo(self.declared))


PLAIN = ReturnConversion()
"""Conversion of the result of a function called within another: none."""


class ReturnEvaluator:
    """Evaluates the results that a function returns or yields, each branch of a conditional by itself."""

    def __init__(self, evaluator: Evaluator, conversion: ReturnConversion) -> None:
        """Make an evaluator of the results of one function.

        Args:
            evaluator: evaluates the expressions in them.
            conversion: conversion of each of them.
        """
        self._evaluator = evaluator
        self.conversion = conversion

    def returned(self, frame: Frame, node: ast.expr | None) -> Expression:
        """Return the result of a function that returns a node."""
        conversion = self.conversion
        if conversion.many:
            return conversion.several([]) if node is None else self.each(frame, node, none=True)
        if node is None:
            return conversion.held(NONE)
        return self._evaluator.condition(frame, node) if conversion.decides else self.one(frame, node)

    def one(self, frame: Frame, node: ast.expr) -> Expression:
        """Return the one result of a node."""
        with frame.at(node):
            match node:
                case ast.IfExp():
                    chosen = self._evaluator.either(frame, node, lambda branch: self.one(frame, branch))
                    return as_expression(chosen)
                case ast.GeneratorExp():
                    raise NotExact("returns a generator, which is not a value")
            return self.conversion.held(self._evaluator.expression(frame, node))

    def each(self, frame: Frame, node: ast.expr, *, none: bool = False) -> Expression:
        """Return the results of a node, as a list.

        Args:
            frame: the local names.
            node: a display or comprehension, a condition between such, or what else is iterated over.
            none: whether ``None`` means no results.
        """
        evaluator, conversion = self._evaluator, self.conversion
        with frame.at(node):
            match node:
                case ast.List() | ast.Tuple():
                    return conversion.joined([self._element(frame, element) for element in node.elts])
                case ast.ListComp() | ast.GeneratorExp():
                    elements = evaluator.comprehension(
                        frame, node.generators, lambda inner: self.one(inner, node.elt)
                    )
                    return conversion.all_of(elements)
                case ast.IfExp():
                    chosen = evaluator.either(frame, node, lambda branch: self.each(frame, branch, none=none))
                    return as_expression(chosen)
                case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_list(left) and _is_list(right):
                    return conversion.joined([self.each(frame, left), self.each(frame, right)])
            value = evaluator.consumed(frame, node)
            return conversion.all_of(value if none else not_null(value))

    def _element(self, frame: Frame, node: ast.expr) -> Expression:
        if isinstance(node, ast.Starred):
            return self.each(frame, node.value)
        return self.conversion.several([self.one(frame, node)])


def _is_list(node: ast.expr) -> bool:
    """Return whether a node is certainly a list."""
    match node:
        case ast.List() | ast.ListComp():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_list(left) and _is_list(right)
    return False
