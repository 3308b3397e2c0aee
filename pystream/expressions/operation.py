"""Operation: the declaration of one operation of expressions, with its back ends side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from typeinfo.basic import BOOLEAN, CHAR, DOUBLE, INT, LONG, STRING
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = [
    "ANY",
    "BOOLEANS",
    "COUNTS",
    "DOUBLES",
    "INTS",
    "LONGS",
    "LONG_BOUNDS",
    "NUMBERS",
    "TEXTS",
    "Bounds",
    "Kernel",
    "KernelError",
    "NotComputedError",
    "Nulls",
    "Operation",
    "TypeSet",
    "named",
]


Bounds: TypeAlias = tuple[int, int]
"""The least and greatest value of an integer."""

LONG_BOUNDS: Bounds = (-(2**63), 2**63 - 1)

COUNTS: Bounds = (0, 2**31 - 1)
"""The bounds of lengths and positions."""


class TypeSet(NamedTuple):
    """The types that a part or a result may have.

    Attributes:
        types: the types; none for any type.
        is_one: whether all that have this set in an operation have the same type.
    """

    types: tuple[TypeInformation[Any], ...] = ()
    is_one: bool = False


ANY = TypeSet()
BOOLEANS = TypeSet((BOOLEAN,))
INTS = TypeSet((INT,))
LONGS = TypeSet((LONG,))
DOUBLES = TypeSet((DOUBLE,))
NUMBERS = TypeSet((LONG, DOUBLE), is_one=True)
TEXTS = TypeSet((STRING, CHAR))


class Nulls(Enum):
    """The rule for parts that are null."""

    NONE = "neither parts nor the result are null"
    KEPT = "the result is null where the part is"
    OWN = "parts may be null, as the operation says"


class NotComputedError(Exception):
    """A kernel does not compute an operation for the values at hand."""


class KernelError(Exception):
    """A kernel fails where it must compute values or leave them to calls; a fault of pystream."""


class Kernel(NamedTuple):
    """The computation of whole columns in Arrow.

    Attributes:
        compute: a function of ``pyarrow.compute``, the expression and the values of its parts: arrays, or
            scalars that hold for all elements; or the name of a function in ``pyarrow.compute``.
        is_exact: returns whether it computes what Python does, given the expression.
        columns: the number of parts that it takes as columns, others being constants; ``None`` for all.
    """

    compute: str | Callable[..., Any]
    is_exact: Callable[[Expression], bool] = lambda expression: True
    columns: int | None = None


@dataclass(frozen=True, eq=False)
class Operation:
    """One operation: what it takes and returns, and how it is computed.

    The Python text is its definition. The others state where they compute the same.

    Attributes:
        takes: the types of its parts; of any number of parts if it is `variadic`.
        gives: the type of its result.
        python: text of a Python expression, with a place ``{}`` for each part, ``{parts}`` for all of them
            and ``{data}`` for its parameters; or a function of the parts and parameters.
        arrow: its kernel, ``None`` if it has none.
        spark: a function of ``pyspark.sql.functions``, the expression and the columns of its parts; or the
            name of one of these functions. ``None`` if the structure of the tree is all there is to it.
        nulls: the rule for parts that are null.
        variadic: whether it takes any number of parts.
        evaluated: the number of parts that it always evaluates, ``None`` for all.
        can_fail: whether it may raise where its parts do not, whatever their values may be.
        overflows: whether its result is checked to be within its type where it may not be.
        bounds: those of a result that is an integer, or a function of the bounds of the parts; ``None`` for
            those of its type.
        name: its name, by which it is pickled.
    """

    takes: tuple[TypeSet, ...]
    gives: TypeSet
    python: str | Callable[..., Any]
    arrow: Kernel | None = None
    spark: str | Callable[..., Any] | None = None
    nulls: Nulls = Nulls.NONE
    variadic: bool = False
    evaluated: int | None = None
    can_fail: bool = False
    overflows: bool = False
    bounds: Bounds | Callable[..., Bounds] | None = None
    name: str = field(init=False, default="")

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)
        _NAMED[name] = self

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)

    def __repr__(self) -> str:
        return f"Op.{self.name}"

    def result_type(self, parts: Sequence[Expression]) -> TypeInformation[Any]:
        """Return the type of its result, which its declaration must state."""
        assert self.gives.types, f"{self} gives values of any type"
        return parts[0].type if self.gives.is_one else self.gives.types[0]

    def fits(self, expression: Expression) -> bool:
        """Return whether the types and nulls of an expression are those declared."""
        takes = self.takes * len(expression.parts) if self.variadic else self.takes
        if self.nulls is Nulls.NONE and any(part.nullable for part in expression.parts):
            return False
        typed = [
            *zip(takes, (part.type for part in expression.parts), strict=True),
            (self.gives, expression.type),
        ]
        one = {t for types, t in typed if types.is_one}
        return len(one) < 2 and all(t in types.types for types, t in typed if types.types)


_NAMED: dict[str, Operation] = {}


def named(name: str) -> Operation:
    """Return the operation with a name."""
    return _NAMED[name]
