"""Abstract values of symbolic evaluation: expressions, constants and generators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from pystream.expressions.expression import Expression
from pystream.lifting.building import constant
from pystream.lifting.kinds import NotExact

__all__ = ["COLLECTOR", "Generator", "Static", "Value", "as_expression", "consumed"]


@dataclass(frozen=True, slots=True)
class Static:
    """A constant: a value known when the plan is made.

    Attributes:
        value: the value.
        is_self: whether it is the object whose method is lifted; nothing that is lifted changes it.
    """

    value: Any
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator, returned by a generator function or made by a generator expression.

    It has no length, index or truth value, and is empty once consumed; so it is supported only where it is
    consumed at once.

    Attributes:
        elements: its elements, as a list.
    """

    elements: Expression


class _Collector:
    """The collector argument of a flat_map function, which supports nothing but ``collect``."""


COLLECTOR = Static(_Collector())

Value: TypeAlias = Expression | Static | Generator


def as_expression(value: Value) -> Expression:
    """Return a value as an expression.

    Raises:
        NotExact: it is a constant without a column type, or a generator.
    """
    if isinstance(value, Generator):
        raise NotExact("uses a generator as a value; read it where it is made, or make a list of it")
    return constant(value.value) if isinstance(value, Static) else value


def consumed(value: Value) -> Expression:
    """Return a value that is iterated over at once as an expression, a generator as a list.

    Raises:
        NotExact: it is a constant without a column type.
    """
    return value.elements if isinstance(value, Generator) else as_expression(value)
