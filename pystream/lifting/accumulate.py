"""Recognition of aggregate functions as folds of values computed from each element, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pystream.lifting.accumulator_folds import Known, Part, part_of
from pystream.lifting.building import (
    TRUE,
    argument,
    coerced,
    conditional,
    guarded,
    is_null,
    negation,
    parts_of,
    present,
)
from pystream.lifting.conforming import conform
from pystream.lifting.expression import Expression, Op
from pystream.lifting.inlining import Inliner
from pystream.lifting.kinds import Kind, NotExact, kind_of, nullable_type
from pystream.lifting.lift import NotLifted, attempted, lifted_call
from pystream.lifting.reduce import Fold, order_counts
from pystream.lifting.static import lifted
from pystream.lifting.unification import unified
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo, TupleTypeInfo
from typeinfo.extended import optional_of
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["Accumulation", "lift_aggregate"]

_TRIES = 4


@dataclass(frozen=True, slots=True)
class Accumulation:
    """An aggregate function whose results are the same in any order of elements.

    Attributes:
        parts: the fields of an accumulator, or the accumulator itself if it has none.
        type: the type of the accumulators of at least one element.
        emits: whether an accumulator has a result.
        result: the result of one that has.
        checked: expressions of each element that may raise and that the result may not evaluate.
    """

    parts: tuple[Part, ...]
    type: TypeInformation[Any]
    emits: Expression
    result: Expression
    checked: tuple[Expression, ...]


def lift_aggregate(
    function: Any,
    element_type: TypeInformation[Any],
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
    key: Expression,
) -> Accumulation | NotLifted:
    """Recognise an aggregate function that sums or compares each part of its accumulators by itself.

    ``merge`` is not looked at: nobody calls it where the elements of a key come in the order of time.

    Args:
        function: an object with ``create_accumulator``, ``add`` and ``get_result``.
        element_type: the type of the elements.
        accumulator_type: the declared type of the accumulators; pickled if there is none.
        declared: the declared type of the results.
        key: the key of the elements that are folded together.
    """
    return attempted(lambda: _recognised(function, element_type, accumulator_type, declared, key))


def _recognised(
    function: Any,
    element_type: TypeInformation[Any],
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
    key: Expression,
) -> Accumulation:
    created = lifted_call(function.create_accumulator, [])
    if kind_of(created) is Kind.LIST:
        raise NotExact("keeps a list for an accumulator; a tuple is lifted")
    t, after = _added(function.add, element_type, created)
    before = _parts(argument(t, 1))
    if not before:
        raise NotExact("keeps nothing in its accumulator; a tuple that has fields is lifted")
    known = Known.of(key, after)
    each = zip(_parts(created), before, after, strict=True)
    parts = tuple(part_of(*of_one, known, _role(position, t)) for position, of_one in enumerate(each))
    accumulator = given = argument(_of_parts(t, before, parts), 0)
    if not isinstance(accumulator_type, PickledBytesTypeInfo):
        given = conform(accumulator, accumulator_type)
    result = lifted(Inliner().call(function.get_result, [given], {}))
    if kind_of(result) is Kind.NONE or (result.nullable and isinstance(result.type, FieldsTypeInfo)):
        raise NotExact("may give None for a result, which is not lifted")
    emits = negation(is_null(result)) if result.nullable else TRUE
    result = present(result)
    result = result if declared is None else conform(result, declared)
    used = set(_used(result, accumulator)) | set(_used(emits, accumulator))
    if None in used:
        used = set(range(len(parts)))
    unused = (p.value for n, p in enumerate(parts) if n not in used or p.fold is Fold.FIRST)
    return Accumulation(
        parts, nullable_type(accumulator), emits, result, tuple(value for value in unused if value.fails)
    )


def _added(
    function: Any, element_type: TypeInformation[Any], created: Expression
) -> tuple[TypeInformation[Any], list[Expression]]:
    """Return a type that holds all accumulators, and the parts of one with an element more."""
    t = nullable_type(created)
    for _ in range(_TRIES):
        accumulator = argument(t, 1)
        after = lifted_call(function, [element_type, t])
        old, new = _parts(accumulator), _parts(after)
        for position, (a, b) in enumerate(zip(old, new, strict=False)):
            if kind_of(b) is Kind.FLOAT and a != b:
                raise order_counts(_role(position, t))
        common, nullable = unified([created, after])
        wider = optional_of(common) if nullable else common
        if wider == t:
            return t, [coerced(b, a.type) for a, b in zip(old, new, strict=True)]
        t = wider
    raise NotExact("returns accumulators of ever different types")


def _parts(accumulator: Expression) -> list[Expression]:
    """Return the fields of an accumulator, each without the failures of the others."""
    if not isinstance(accumulator.type, FieldsTypeInfo):
        return [accumulator]
    match accumulator.op:
        case Op.STRUCT:
            return list(accumulator.parts)
        case Op.IF:
            condition, then, otherwise = accumulator.parts
            pairs = zip(_parts(then), _parts(otherwise), strict=True)
            return [conditional(condition, *pair) for pair in pairs]
        case Op.GUARD:
            condition, value = accumulator.parts
            return [guarded(condition, part, str(accumulator.data[0])) for part in _parts(value)]
    return parts_of(accumulator)


def _of_parts(
    t: TypeInformation[Any], before: list[Expression], parts: tuple[Part, ...]
) -> TypeInformation[Any]:
    """Return the type of the accumulators of an element or more."""
    nullable = [part.value.nullable and part.initial.nullable for part in parts]
    types = [optional_of(b.type) if n else b.type for b, n in zip(before, nullable, strict=True)]
    if isinstance(t, FieldsTypeInfo):
        return TupleTypeInfo(types) if isinstance(t, TupleTypeInfo) else t
    if nullable[0]:
        raise NotExact("may leave its accumulator None, which resets it")
    return types[0]


def _role(position: int, t: TypeInformation[Any]) -> str:
    return f"field {position} of its accumulator" if isinstance(t, FieldsTypeInfo) else "its accumulator"


def _used(e: Expression, accumulator: Expression) -> Iterator[int | None]:
    """Yield the numbers of the parts of an accumulator that are used, ``None`` for all of it."""
    if e.op is Op.FIELD and e.parts[0] == accumulator:
        yield e.data[0]  # type: ignore[misc]
        return
    if e == accumulator:
        yield None
    for part in e.parts:
        yield from _used(part, accumulator)
