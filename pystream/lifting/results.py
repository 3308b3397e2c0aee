"""Results of the lifted function: a condition, one element or several, checked against the declared type."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.lifting.building import (
    NONE,
    coerced,
    conditional,
    having_evaluated,
    is_null,
    list_of,
    present,
)
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression, Op
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of, opened
from pystream.lifting.lists import concatenated_lists
from pystream.lifting.local_names import Frame
from pystream.lifting.members import fields_of
from pystream.lifting.static import lifted
from typeinfo import TypeInformation, Types
from typeinfo.collection import ListTypeInfo

if TYPE_CHECKING:
    from pystream.lifting.interpret import Interpreter

__all__ = ["PLAIN", "Results", "each_of", "one_of"]


@dataclass(frozen=True, slots=True)
class Results:
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
            return having_evaluated([result], present(coerced(NONE, opened(self.declared)[0])))
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
            return conditional(is_null(value), self.several([]), self.all_of(present(value)))
        parts = fields_of(value)
        if parts is not None:
            return self.several(parts)
        if kind_of(value) is not Kind.LIST:
            raise NotExact(f"returns its results as {name_of(value)}, which is not lifted")
        return value if self.declared is None else conform(value, ListTypeInfo(self.declared))


PLAIN = Results()
"""Conversion of the result of a function called within another: none."""


def one_of(self: Interpreter, frame: Frame, node: ast.expr) -> Expression:
    """Return the one result of a node, checked against its type in each branch of a conditional."""
    with self.at(frame, node):
        match node:
            case ast.IfExp():
                return lifted(self.either(frame, node, lambda chosen: one_of(self, frame, chosen)))
            case ast.GeneratorExp():
                raise NotExact("returns a generator, which is not a value")
        return self.results.held(self.expression(frame, node))


def each_of(self: Interpreter, frame: Frame, node: ast.expr, *, none: bool = False) -> Expression:
    """Return the results of a node, as a list.

    Args:
        self: evaluates the expressions in it.
        frame: the local names.
        node: a display or comprehension, a condition between such, or what else is iterated over.
        none: whether ``None`` means no results.
    """
    results = self.results
    with self.at(frame, node):
        match node:
            case ast.List() | ast.Tuple():
                return results.joined([_part(self, frame, part) for part in node.elts])
            case ast.ListComp() | ast.GeneratorExp():
                made = self.comprehension(frame, node.generators, lambda inner: one_of(self, inner, node.elt))
                return results.all_of(made)
            case ast.IfExp():
                chosen = self.either(frame, node, lambda one: each_of(self, frame, one, none=none))
                return lifted(chosen)
            case ast.BinOp(left=left, op=ast.Add(), right=right) if _is_list(left) and _is_list(right):
                return results.joined([each_of(self, frame, left), each_of(self, frame, right)])
        value = self.read(frame, node)
        return results.all_of(value if none else present(value))


def _part(self: Interpreter, frame: Frame, node: ast.expr) -> Expression:
    if isinstance(node, ast.Starred):
        return each_of(self, frame, node.value)
    return self.results.several([one_of(self, frame, node)])


def _is_list(node: ast.expr) -> bool:
    """Return whether a node is certainly a list."""
    match node:
        case ast.List() | ast.ListComp():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_list(left) and _is_list(right)
    return False
