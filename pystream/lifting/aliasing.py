"""Alias analysis: values that may contain one mutable object twice, which columns would copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import TypeAlias

from pystream.expressions.expression import Expression, Op
from typeinfo.composite import TupleTypeInfo

__all__ = ["elements_of", "has_aliases"]

_Origin: TypeAlias = tuple[Hashable, ...]
"""The operation, data and parts that compute an object, regardless of widening."""

_UNCHANGED = frozenset({Op.NOT_NULL, Op.WIDEN, Op.TO_DOUBLE, Op.NARROW, Op.TO_FLOAT})
_LISTS_OF_ELEMENTS = frozenset({Op.FILTER, Op.SLICE, Op.REMOVE, Op.CONCAT_LISTS, Op.ENUMERATE})
_ACCESSES = (Op.FIELD, Op.ELEMENT)


def has_aliases(value: Expression) -> bool:
    """Return whether a value may contain one mutable object in more than one place.

    The analysis is conservative: objects computed by equal expressions are taken for one object.
    """
    contained = Counter(_contained(value))
    return any(count > 1 for count in contained.values()) or any(
        _is_within(a, b) or _is_within(b, a) for a, b in combinations(contained, 2)
    )


def elements_of(items: Expression) -> Iterator[Expression]:
    """Yield the expressions that compute the elements of a list, or lists from which they are taken."""
    match items.op:
        case Op.LIST:
            yield from items.parts
        case Op.TRANSFORM:
            yield items.parts[1]
        case Op.FLATTEN if items.parts[0].op is Op.TRANSFORM:
            yield from elements_of(items.parts[0].parts[1])
        case Op.IF | Op.GUARD:
            for part in items.parts[1:]:
                yield from elements_of(part)
        case Op.CONCAT_LISTS | Op.FILTER | Op.SLICE | Op.NOT_NULL:
            for part in items.parts:
                if part.type.slots():
                    yield from elements_of(part)
        case _:
            yield items


def _contained(e: Expression) -> Iterator[_Origin]:
    """Yield the origins of the mutable objects that a value may contain, once for each place."""
    if not e.type.is_mutable() or e.op is Op.CONSTANT:
        return
    match e.op:
        case Op.IF:
            then, otherwise = (Counter(_contained(part)) for part in e.parts[1:])
            yield from (then | otherwise).elements()
        case Op.GUARD:
            yield from _contained(e.parts[1])
        case Op.TRANSFORM:
            source, body = e.parts
            yield _origin(e)
            yield from _contained_in_elements(source)
            inside = {*e.data, *_bound(body)}
            for origin in _contained(body):
                yield origin
                if inside.isdisjoint(_free(origin)):  # the same for each element
                    yield origin
        case op if op in _UNCHANGED:
            yield from _contained(e.parts[0])
        case op if op in _LISTS_OF_ELEMENTS:
            yield _origin(e)
            for part in e.parts:
                yield from _contained_in_elements(part)
        case _:
            if not (e.op is Op.STRUCT and isinstance(e.type, TupleTypeInfo)):
                yield _origin(e)
            if not _is_input(e):
                for part in e.parts:
                    yield from _contained(part)


def _contained_in_elements(e: Expression) -> Iterator[_Origin]:
    """Yield at least the origins of the mutable objects in the elements of a list."""
    if any(slot.type.is_mutable() for slot in e.type.slots()):
        yield from _contained(e)


def _is_input(e: Expression) -> bool:
    """Return whether an object is an argument or variable, or is contained in one."""
    while e.op in _ACCESSES or e.op in _UNCHANGED:
        e = e.parts[0]
    return e.op in (Op.INPUT, Op.VARIABLE)


def _origin(e: Expression) -> _Origin:
    if e.op in _UNCHANGED:
        return _origin(e.parts[0])
    if e.op is Op.ELEMENT:
        return (e.op, (), _origin(e.parts[0]))
    if e.op is Op.STRUCT and e.parts:
        # A composite rebuilt from its own fields, as widening does, counts as the same object.
        fields = [_origin(part) for part in e.parts]
        whole = fields[0][-1]
        if fields == [(Op.FIELD, (position,), whole) for position in range(len(fields))]:
            return whole  # type: ignore[return-value]
    return (e.op, e.data, *map(_origin, e.parts))


def _is_within(whole: _Origin, part: _Origin) -> bool:
    """Return whether an object is contained in another, at any depth."""
    while part[0] in _ACCESSES:
        part = part[2]  # type: ignore[assignment]
        if part == whole:
            return True
    return False


def _bound(e: Expression) -> Iterator[Hashable]:
    """Yield the numbers of the variables of the loops in an expression."""
    if e.op in (Op.TRANSFORM, Op.FILTER):
        yield from e.data
    for part in e.parts:
        yield from _bound(part)


def _free(origin: _Origin) -> set[Hashable]:
    """Return the numbers of the variables an object depends on."""
    op, data, *parts = origin
    own: set[Hashable] = set(data)  # type: ignore[call-overload]
    if op is Op.VARIABLE:
        return own
    found: set[Hashable] = set().union(*(_free(part) for part in parts))  # type: ignore[arg-type]
    return found - own if op in (Op.TRANSFORM, Op.FILTER) else found
