"""Expressions: lifted functions as trees of exact operations on their arguments."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pystream.expressions.arithmetic import Arithmetic
from pystream.expressions.casts import Casts
from pystream.expressions.comparison import Comparison
from pystream.expressions.control import Control, constant_value, is_constant
from pystream.expressions.lists import Lists
from pystream.expressions.operation import LONG_BOUNDS, Bounds, Operation
from pystream.expressions.text import Text
from pystream.expressions.times import Times
from typeinfo import TypeInformation

__all__ = [
    "GUARD_MARK",
    "LONG_BOUNDS",
    "Bounds",
    "Expression",
    "Op",
    "Operation",
    "always_evaluated",
    "constant_value",
    "is_constant",
    "is_guarded",
    "raising",
]

GUARD_MARK = "PYSTREAM_GUARD"
"""Prefix of the message of a guard that fails, before the condition that did not hold."""


class Op(Control, Arithmetic, Casts, Comparison, Lists, Text, Times):
    """All operations. Operations common to SQL and Python mean the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A tree of operations that computes exactly what a function returns for its arguments.

    Where it cannot, evaluating it raises. It is independent of Spark, hashable and picklable.

    Attributes:
        op: the outermost operation.
        parts: the operands.
        type: the type of the result, without ``None``.
        nullable: whether the result may be null, as ``None``.
        data: parameters of the operation, such as a constant.
        bounds: the least and greatest value of an integer.
        fails: whether evaluating it may raise, its parts included.
        fails_itself: whether it may raise where its parts do not.
        size: the number of operations, shared ones counted each time.
    """

    op: Operation
    parts: tuple[Expression, ...]
    type: TypeInformation[Any]
    nullable: bool = False
    data: tuple[Hashable, ...] = ()
    bounds: Bounds | None = None
    fails: bool = False
    fails_itself: bool = field(init=False)
    size: int = field(init=False)
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fails_itself = self.fails or self.op.can_fail
        object.__setattr__(self, "fails_itself", fails_itself)
        object.__setattr__(self, "fails", fails_itself or any(part.fails for part in self.parts))
        object.__setattr__(self, "size", 1 + sum(part.size for part in self.parts))
        key = (self.op, self.type, self.nullable, self.data, tuple(part._hash for part in self.parts))
        object.__setattr__(self, "_hash", hash(key))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Expression):
            return NotImplemented
        return (
            self._hash == other._hash
            and self.op is other.op
            and self.type == other.type
            and self.nullable == other.nullable
            and self.data == other.data
            and self.parts == other.parts
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of text differ between processes, so they are computed again.
        own = (self.op, self.parts, self.type, self.nullable, self.data, self.bounds, self.fails_itself)
        return Expression, own

    def __str__(self) -> str:
        match self.op:
            case Op.CONSTANT:
                return str(self.data[1])
            case Op.INPUT:
                return f"x{self.data[0]}" if self.data[0] else "x"
            case Op.VARIABLE:
                return f"v{self.data[0]}"
            case Op.FIELD:
                return f"{self.parts[0]}[{self.data[0]}]"
        inside = ", ".join([*map(str, self.parts), *(repr(d) for d in self.data)])
        return f"{self.op.name.lower()}({inside})"


def is_guarded(expression: Expression) -> bool:
    """Return whether an expression is exact for some values only, and raises for the others."""
    has_condition = expression.op is Op.GUARD and expression.parts[0].op is not Op.EVALUATED
    return has_condition or any(map(is_guarded, expression.parts))


def always_evaluated(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and those of its parts that are evaluated whenever it is."""
    yield expression
    for part in expression.parts[: expression.op.evaluated]:
        yield from always_evaluated(part)


def raising(expression: Expression) -> Iterator[Expression]:
    """Yield the smallest parts of an expression that together raise exactly where it does."""
    if expression.fails_itself or (expression.fails and expression.op.evaluated is not None):
        yield expression
    else:
        for part in expression.parts:
            yield from raising(part)
