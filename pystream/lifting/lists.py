"""Lists: elements, slices, comprehensions and ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.arithmetic import subtract
from pystream.lifting.building import (
    all_of,
    call,
    guarded,
    having_evaluated,
    held,
    is_null,
    negation,
    not_null,
    of_kind,
    whole,
)
from pystream.lifting.composites import coerced, conditional, is_empty, unified
from pystream.lifting.kinds import (
    Kind,
    NotExact,
    bounds_of,
    kind_of,
    name_of,
    nullable_type,
    unwrapped,
)
from pystream.lifting.text import index_position, length, slice_position
from pystream.lifting.values import constant
from typeinfo import Types
from typeinfo.collection import ListTypeInfo
from typeinfo.composite import TupleTypeInfo
from typeinfo.extended import optional_of

__all__ = [
    "concatenated_lists",
    "element",
    "enumerated",
    "flattened",
    "transformed",
    "in_list",
    "items",
    "filtered",
    "list_slice",
    "parts_of_list",
    "range_of",
    "variable",
]

LONGEST_RANGE = 1_000_000


def items(value: Expression, what: str) -> Expression:
    """Return a list that is not ``None``.

    Raises:
        NotExact: it is not a list.
    """
    return of_kind(value, what, Kind.LIST)


def variable(source: Expression, number: int) -> Expression:
    """Return the variable for the elements of a list in an expression computed for each of them.

    Args:
        source: the list.
        number: tells it from those of the lists around.
    """
    return held(Op.VARIABLE, slot=source.type.slots()[0], data=(number,))


def transformed(source: Expression, element: Expression, body: Expression) -> Expression:
    """Return a list of the values of an expression for each element of a list."""
    if body == element:
        return source
    return call(Op.TRANSFORM, source, body, type=ListTypeInfo(nullable_type(body)), data=element.data)


def filtered(source: Expression, element: Expression, condition: Expression) -> Expression:
    """Return the elements of a list for which a condition holds."""
    return call(Op.FILTER, source, condition, type=source.type, data=element.data)


def flattened(lists: Expression) -> Expression:
    """Return the elements of the lists in a list."""
    inner = lists.type.slots()[0].type
    return call(Op.FLATTEN, lists, type=inner)


def concatenated_lists(lists: list[Expression]) -> Expression:
    """Return the concatenation of lists."""
    if len(lists) == 1:
        return lists[0]
    full = [x for x in lists if not is_empty(x)] or lists
    element, _ = unified([variable(not_null(x), 0) for x in full])
    nullable = any(x.type.slots()[0].type.admits_none() or x.type.slots()[0].nullable for x in full)
    t: ListTypeInfo[Any] = ListTypeInfo(optional_of(element) if nullable else element)
    return call(Op.CONCAT_LISTS, *(coerced(not_null(x), t) for x in lists), type=t)


def element(source: Expression, index: Expression) -> Expression:
    """Return ``source[index]``, raising beyond the ends."""
    source = items(source, "indexes")
    position, exists = index_position(whole(index, "indexes a list with"), length(source))
    value = held(Op.ELEMENT, source, position, slot=source.type.slots()[0])
    result = guarded(exists, value, "an index is out of range")
    return having_evaluated(source.parts, result) if source.op is Op.LIST else result


def parts_of_list(source: Expression, count: int) -> list[Expression]:
    """Return the elements of a list of a known length; a list of another length raises.

    The caller must evaluate each element that may raise.
    """
    source = items(source, "unpacks")
    fits = call(Op.EQUAL, length(source), constant(count))
    return [guarded(fits, element(source, constant(i)), "a list is unpacked") for i in range(count)]


def list_slice(source: Expression, start: Expression, stop: Expression) -> Expression:
    """Return ``source[start:stop]``; a bound left out is ``None``."""
    source = items(source, "slices")
    return call(Op.SLICE, source, *slice_position(start, stop, length(source)), type=source.type)


def in_list(value: Expression, source: Expression) -> Expression:
    """Return ``value in source``."""
    source = items(source, "looks into")
    slot = source.type.slots()[0]
    kinds = kind_of(value), kind_of(unwrapped(slot.type)[0])
    if slot.nullable or slot.type.admits_none() or kinds[0] is not kinds[1]:
        raise NotExact(f"uses 'in' of {name_of(value)} in {source.type}")
    if kinds[0] not in (Kind.INT, Kind.STR, Kind.BOOL):
        raise NotExact(f"uses 'in' of {name_of(value)} in a list")
    # None is in no list without: null counts as false after a condition that does not hold.
    is_in = all_of(negation(is_null(value)), call(Op.IN_LIST, replace(value, nullable=False), source))
    return having_evaluated([value, source], is_in)


def enumerated(source: Expression) -> Expression:
    """Return the pairs of ``enumerate`` of a list, as a list."""
    source = items(source, "enumerates")
    pair: TupleTypeInfo[Any] = TupleTypeInfo([Types.LONG(), nullable_type(variable(source, 0))])
    return call(Op.ENUMERATE, source, type=ListTypeInfo(pair))


def range_of(bounds: Sequence[Expression]) -> Expression:
    """Return ``range(stop)`` or ``range(start, stop)`` as a list, of up to a million."""
    if len(bounds) > 2:
        raise NotExact("uses range() with a step")
    start, stop = (whole(bound, "uses range() of") for bound in [constant(0), *bounds][-2:])
    longs: ListTypeInfo[Any] = ListTypeInfo(Types.LONG())
    count = subtract(stop, start)
    last = call(Op.SUBTRACT, stop, constant(1), bounds=bounds_of(stop))
    filled = call(Op.RANGE, start, last, type=longs)
    short = call(Op.LESS_OR_EQUAL, count, constant(LONGEST_RANGE))
    result = guarded(short, filled, "a range is longer than a million")
    empty = Expression(Op.LIST, (), longs)
    return conditional(call(Op.LESS, start, stop), result, empty)
