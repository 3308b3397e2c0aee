"""Aggregate functions, recognised as one fold for each part of their accumulators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.expressions.folds import Accumulation, Aggregation, Fold, Part
from pystream.lifting.accumulator_parts import AddFacts, part_of
from pystream.lifting.building import guarded, is_null, negation, not_null
from pystream.lifting.composites import argument, coerced, conditional, parts_of, unified
from pystream.lifting.conforming import conform
from pystream.lifting.folds import float_fold_error
from pystream.lifting.inlining import Inliner
from pystream.lifting.kinds import Kind, NotExact, kind_of, nullable_type
from pystream.lifting.lift import attempted, lifted_call
from pystream.lifting.values import TRUE, as_expression
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import optional_of
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["lift_add", "lift_aggregate", "lift_result"]

_MAX_WIDENINGS = 4


@attempted
def lift_aggregate(
    function: Any,
    element_type: TypeInformation[Any],
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
    key: Expression,
) -> Aggregation:
    """Recognise an aggregate function that folds each part of its accumulators independently of the others.

    ``merge`` is ignored: it is never called where the elements of a key arrive in order of time.

    Args:
        function: an object with ``create_accumulator``, ``add`` and ``get_result``.
        element_type: the type of the elements.
        accumulator_type: the declared type of the accumulators; pickled if there is none.
        declared: the declared type of the results.
        key: the key of the elements that are folded together.
    """
    t, parts = _folded_parts(function, element_type, key, in_order=False)
    accumulator = argument(t, 0)
    result = _result(function, accumulator, accumulator_type)
    if kind_of(result) is Kind.NONE or (result.nullable and isinstance(result.type, FieldsTypeInfo)):
        raise NotExact("may return None as a result, which is not lifted")
    emits = negation(is_null(result)) if result.nullable else TRUE
    result = not_null(result)
    if declared is not None:
        result = conform(result, declared)
    read = {position for e in (result, emits) for position in _parts_read(e, accumulator, len(parts))}
    unread = (part.value for n, part in enumerate(parts) if n not in read or part.fold is Fold.FIRST)
    checked = tuple(value for value in unread if value.fails)
    return Aggregation(parts, nullable_type(accumulator), emits, result, checked)


@attempted
def lift_add(function: Any, element_type: TypeInformation[Any], key: Expression) -> Accumulation:
    """Recognise an aggregate function whose ``add`` folds each part of its accumulators, in order.

    Args:
        function: an object with ``create_accumulator`` and ``add``.
        element_type: the type of the elements.
        key: the key of the elements that are folded together.
    """
    t, parts = _folded_parts(function, element_type, key, in_order=True)
    if isinstance(t, RowTypeInfo):
        raise NotExact("keeps a Row for an accumulator; a tuple is folded as columns")
    return Accumulation(element_type, t, parts)


@attempted
def lift_result(
    function: Any,
    accumulation: Accumulation,
    accumulator_type: TypeInformation[Any],
    declared: TypeInformation[Any] | None,
) -> Expression:
    """Turn ``get_result`` of an aggregate function into an expression of an accumulator.

    Args:
        function: an object with ``get_result``.
        accumulation: what its ``add`` was recognised as.
        accumulator_type: the declared type of the accumulators; pickled if there is none.
        declared: the declared type of the results.
    """
    found = _result(function, argument(accumulation.type, 0), accumulator_type)
    if kind_of(found) is Kind.NONE or found.nullable:
        raise NotExact("may return None as a result, which windows leave out")
    return found if declared is None else conform(found, declared)


def _folded_parts(
    function: Any, element_type: TypeInformation[Any], key: Expression, *, in_order: bool
) -> tuple[TypeInformation[Any], tuple[Part, ...]]:
    """Return the type of accumulators to which ``add`` has been applied, and the folds of their parts."""
    created = lifted_call(function.create_accumulator, [])
    if kind_of(created) is Kind.LIST:
        raise NotExact("keeps a list for an accumulator; a tuple is lifted")
    t, after = _added(function.add, element_type, created, in_order)
    before = _parts(argument(t, 1))
    if not before:
        raise NotExact("keeps nothing in its accumulator; a tuple that has fields is lifted")
    facts = AddFacts.of(key, after, in_order=in_order)
    each = zip(_parts(created), before, after, strict=True)
    parts = tuple(part_of(*of_one, facts, _role(position, t)) for position, of_one in enumerate(each))
    return _folded_type(t, before, parts), parts


def _result(function: Any, accumulator: Expression, accumulator_type: TypeInformation[Any]) -> Expression:
    """Return the result of an accumulator, which is validated by its declared type, if there is one."""
    if not isinstance(accumulator_type, PickledBytesTypeInfo):
        accumulator = conform(accumulator, accumulator_type)
    return as_expression(Inliner().call(function.get_result, [accumulator], {}))


def _added(
    function: Any, element_type: TypeInformation[Any], created: Expression, in_order: bool
) -> tuple[TypeInformation[Any], list[Expression]]:
    """Return the type of all accumulators, and the parts of one after ``add``.

    Starting with the type of the initial accumulator, types are widened until ``add`` returns no other.
    """
    t = nullable_type(created)
    for _ in range(_MAX_WIDENINGS):
        accumulator = argument(t, 1)
        after = lifted_call(function, [element_type, t])
        old, new = _parts(accumulator), _parts(after)
        for position, (a, b) in enumerate(zip(old, new, strict=False)):
            if kind_of(b) is Kind.FLOAT and a != b and not in_order:
                raise float_fold_error(_role(position, t))
        common, nullable = unified([created, after])
        wider = optional_of(common) if nullable else common
        if wider == t:
            return t, [coerced(b, a.type) for a, b in zip(old, new, strict=True)]
        t = wider
    raise NotExact("returns accumulators whose type keeps changing")


def _parts(accumulator: Expression) -> list[Expression]:
    """Return the fields of an accumulator, without what only other fields evaluate; else the accumulator."""
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


def _folded_type(
    t: TypeInformation[Any], before: list[Expression], parts: tuple[Part, ...]
) -> TypeInformation[Any]:
    """Return the type of accumulators to which ``add`` has been applied, whose parts are less often null."""
    nullable = [part.value.nullable and part.initial.nullable for part in parts]
    types = [optional_of(b.type) if n else b.type for b, n in zip(before, nullable, strict=True)]
    if isinstance(t, FieldsTypeInfo):
        return TupleTypeInfo(types) if isinstance(t, TupleTypeInfo) else t
    if nullable[0]:
        raise NotExact("may leave its accumulator None, which resets it")
    return types[0]


def _role(position: int, t: TypeInformation[Any]) -> str:
    return f"field {position} of its accumulator" if isinstance(t, FieldsTypeInfo) else "its accumulator"


def _parts_read(e: Expression, accumulator: Expression, count: int) -> Iterator[int]:
    """Yield the positions of the parts of an accumulator that an expression reads.

    Args:
        e: the expression.
        accumulator: the accumulator.
        count: the number of its parts; all are read where it is used as a whole.
    """
    if e == accumulator:
        yield from range(count)
    elif e.op is Op.FIELD and e.parts[0] == accumulator:
        yield e.data[0]  # type: ignore[misc]
    else:
        for part in e.parts:
            yield from _parts_read(part, accumulator, count)
