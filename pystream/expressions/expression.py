"""Expressions: lifted functions as trees of exact operations on their arguments."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from typeinfo import TypeInformation

__all__ = [
    "GUARD_MARK",
    "LAZY",
    "Expression",
    "Op",
    "always_evaluated",
    "constant_value",
    "is_constant",
    "is_guarded",
    "raising",
]

GUARD_MARK = "PYSTREAM_GUARD"
"""Prefix of the message of a guard that fails, before the condition that did not hold."""

LONG_BOUNDS = (-(2**63), 2**63 - 1)


class Op(Enum):
    """One operation. Parts are never null unless noted. Operations common to SQL and Python mean the same."""

    # Leaves and structure
    INPUT = auto()  # data: position of the argument
    VARIABLE = auto()  # data: number; an element of the list of the enclosing TRANSFORM or FILTER
    CONSTANT = auto()  # data: the value, and its repr, which tells 0.0 from -0.0 and 1 from True
    FIELD = auto()  # data: index; part: a composite
    STRUCT = auto()  # parts may be null; the type says of which kind

    # Control. Only the first part is always evaluated, save for GUARD.
    IF = auto()  # condition, value, other value; the values may be null
    AND = auto()
    OR = auto()
    NOT = auto()
    GUARD = auto()  # condition, value, which may be null; data: why; raises where the condition is false
    NOT_NULL = auto()  # part may be null, and then raises
    IS_NULL = auto()  # part may be null
    EVALUATED = auto()  # true once all parts, which may be null, have been evaluated without an error

    # Numbers: LONG with LONG, or DOUBLE with DOUBLE. Integers that overflow raise, a zero divisor raises.
    WIDEN = auto()  # BYTE, SHORT, INT or BOOLEAN as LONG; null stays null
    TO_DOUBLE = auto()  # FLOAT exactly, or LONG rounded half to even; null stays null
    TO_LONG = auto()  # a DOUBLE towards zero; it is in range
    NARROW = auto()  # a LONG as the smaller type of the expression; raises out of range
    TO_FLOAT = auto()  # DOUBLE rounded to FLOAT
    ADD = auto()
    SUBTRACT = auto()
    MULTIPLY = auto()
    NEGATE = auto()
    ABSOLUTE = auto()
    DIVIDE = auto()  # DOUBLE only
    TRUNCATED_DIVIDE = auto()  # LONG only
    REMAINDER = auto()  # with the sign of the first part, as in C
    MODULO = auto()  # LONG only, by a positive part; never negative
    ROUND_EVEN = auto()  # DOUBLE to the nearest whole DOUBLE, halves to the even one
    FLOOR = auto()  # DOUBLE to DOUBLE; -0.0 may become 0.0
    CEIL = auto()
    SQUARE_ROOT = auto()
    IS_NAN = auto()
    LEAST = auto()
    GREATEST = auto()
    BIT_AND = auto()
    BIT_OR = auto()
    BIT_XOR = auto()
    BIT_NOT = auto()

    # Comparison of values of one type; NaN equals NaN and is greater than all else, -0.0 equals 0.0
    EQUAL = auto()
    NULL_SAFE_EQUAL = auto()  # parts may be null
    LESS = auto()
    LESS_OR_EQUAL = auto()

    # Text, by code point
    CONCAT = auto()
    LENGTH = auto()  # INT
    OCTET_LENGTH = auto()  # INT, in UTF-8; also of bytes
    SUBSTRING = auto()  # text, LONG position from 1 or from the end if negative, LONG length; fits 32 bits
    UPPER = auto()  # ASCII only
    LOWER = auto()
    STARTS_WITH = auto()
    ENDS_WITH = auto()
    CONTAINS = auto()
    STRIP = auto()  # text, characters to strip
    LEFT_STRIP = auto()
    RIGHT_STRIP = auto()
    REPLACE = auto()
    FIND = auto()  # INT, from 1; 0 if there is none
    SPLIT = auto()  # data: regular expression, limit (-1 for none)
    REPEAT = auto()  # text, LONG
    MATCHES = auto()  # data: regular expression, sought anywhere
    TO_TEXT = auto()  # LONG in decimal digits
    PARSE_LONG = auto()  # text of an optional sign and digits, blanks around them
    PARSE_DOUBLE = auto()
    DECODE = auto()  # bytes in UTF-8; raises where they are not
    JOIN = auto()  # list of text, separator

    # Lists
    LIST = auto()  # parts may be null
    SIZE = auto()  # INT
    ELEMENT = auto()  # list, LONG from 1 or from the end if negative, which is in range
    SLICE = auto()  # list, LONG position from 1, LONG length
    IN_LIST = auto()  # value, list without nulls
    TRANSFORM = auto()  # list, body; data: number of the variable
    FILTER = auto()  # list, condition; data: number of the variable
    FLATTEN = auto()  # list of lists
    CONCAT_LISTS = auto()
    REMOVE = auto()  # list, value; data none
    RANGE = auto()  # LONG start, LONG last, at least start
    ENUMERATE = auto()  # list of tuples of a LONG, from 0, and an element

    # Dates and times
    PART = auto()  # data: year, month, day, weekday, hour, minute, second or microsecond; LONG
    TO_DATE = auto()


LAZY: dict[Op, int] = {
    Op.IF: 1,
    Op.AND: 1,
    Op.OR: 1,
    Op.TRANSFORM: 1,
    Op.FILTER: 1,
}
"""Operations that do not always evaluate all their parts, with the number of those that they do."""

_CAN_FAIL = frozenset({Op.GUARD, Op.NOT_NULL})


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

    op: Op
    parts: tuple[Expression, ...]
    type: TypeInformation[Any]
    nullable: bool = False
    data: tuple[Hashable, ...] = ()
    bounds: tuple[int, int] | None = None
    fails: bool = False
    fails_itself: bool = field(init=False)
    size: int = field(init=False)
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fails_itself = self.fails or self.op in _CAN_FAIL
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


def is_constant(expression: Expression) -> bool:
    """Return whether an expression is a constant."""
    return expression.op is Op.CONSTANT


def constant_value(expression: Expression) -> Any:
    """Return the value of a constant."""
    return expression.data[0]


def always_evaluated(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and those of its parts that are evaluated whenever it is."""
    yield expression
    for part in expression.parts[: LAZY.get(expression.op)]:
        yield from always_evaluated(part)


def raising(expression: Expression) -> Iterator[Expression]:
    """Yield the smallest parts of an expression that together raise exactly where it does."""
    if expression.fails_itself or (expression.fails and expression.op in LAZY):
        yield expression
    else:
        for part in expression.parts:
            yield from raising(part)
