"""Alias analysis: values that hold one mutable object twice, which columns would copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import TypeAlias

from pystream.lifting.expression import Expression, Op
from typeinfo.composite import TupleTypeInfo

__all__ = ["elements_of", "has_aliases"]

_Origin: TypeAlias = tuple[Hashable, ...]
"""Operation, data and parts that compute an object, whatever type its parts are widened to."""

_SAME = frozenset({Op.NOT_NULL, Op.WIDEN, Op.TO_DOUBLE, Op.NARROW, Op.TO_FLOAT})
_OF_ELEMENTS = frozenset({Op.KEEP, Op.SLICE, Op.REMOVE, Op.CONCAT_LISTS, Op.ENUMERATE})
_INSIDE = (Op.FIELD, Op.ELEMENT)


def has_aliases(value: Expression) -> bool:
    """Return whether a value may hold an object that can be changed in more than one place.

    ``False`` is certain. Objects computed by the same expression are taken for one.
    """
    held = Counter(_held(value))
    return any(count > 1 for count in held.values()) or any(
        _is_within(a, b) or _is_within(b, a) for a, b in combinations(held, 2)
    )


def elements_of(items: Expression) -> Iterator[Expression]:
    """Yield the expressions that compute the elements of a list, or lists that hold them unchanged."""
    match items.op:
        case Op.LIST:
            yield from items.parts
        case Op.FOR_EACH:
            yield items.parts[1]
        case Op.FLATTEN if items.parts[0].op is Op.FOR_EACH:
            yield from elements_of(items.parts[0].parts[1])
        case Op.IF | Op.GUARD:
            for part in items.parts[1:]:
                yield from elements_of(part)
        case Op.CONCAT_LISTS | Op.KEEP | Op.SLICE | Op.NOT_NULL:
            for part in items.parts:
                if part.type.slots():
                    yield from elements_of(part)
        case _:
            yield items


def _held(e: Expression) -> Iterator[_Origin]:
    """Yield the origin of each object that can be changed and that a value may be or hold."""
    if not e.type.is_mutable() or e.op is Op.CONSTANT:
        return
    match e.op:
        case Op.IF:
            then, otherwise = (Counter(_held(part)) for part in e.parts[1:])
            yield from (then | otherwise).elements()
        case Op.GUARD:
            yield from _held(e.parts[1])
        case Op.FOR_EACH:
            source, body = e.parts
            yield _origin(e)
            yield from _held_by_elements(source)
            inside = {*e.data, *_bound(body)}
            for origin in _held(body):
                yield origin
                if inside.isdisjoint(_free(origin)):  # the same for each element
                    yield origin
        case op if op in _SAME:
            yield from _held(e.parts[0])
        case op if op in _OF_ELEMENTS:
            yield _origin(e)
            for part in e.parts:
                yield from _held_by_elements(part)
        case _:
            if not (e.op is Op.STRUCT and isinstance(e.type, TupleTypeInfo)):
                yield _origin(e)
            if not _is_given(e):
                for part in e.parts:
                    yield from _held(part)


def _held_by_elements(e: Expression) -> Iterator[_Origin]:
    """Yield the origins of mutable elements of a list and of their parts, or more."""
    if any(slot.type.is_mutable() for slot in e.type.slots()):
        yield from _held(e)


def _is_given(e: Expression) -> bool:
    """Return whether an object is an argument or variable, or belongs to one."""
    while e.op in _INSIDE or e.op in _SAME:
        e = e.parts[0]
    return e.op in (Op.INPUT, Op.VARIABLE)


def _origin(e: Expression) -> _Origin:
    if e.op in _SAME:
        return _origin(e.parts[0])
    if e.op is Op.ELEMENT:
        return (e.op, (), _origin(e.parts[0]))
    if e.op is Op.STRUCT and e.parts:
        # A composite taken apart to widen its fields is still the same.
        fields = [_origin(part) for part in e.parts]
        whole = fields[0][-1]
        if fields == [(Op.FIELD, (position,), whole) for position in range(len(fields))]:
            return whole  # type: ignore[return-value]
    return (e.op, e.data, *map(_origin, e.parts))


def _is_within(whole: _Origin, part: _Origin) -> bool:
    """Return whether an object is a field or element of another, at any depth."""
    while part[0] in _INSIDE:
        part = part[2]  # type: ignore[assignment]
        if part == whole:
            return True
    return False


def _bound(e: Expression) -> Iterator[Hashable]:
    """Yield the numbers of the variables of the loops in an expression."""
    if e.op in (Op.FOR_EACH, Op.KEEP):
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
    return found - own if op in (Op.FOR_EACH, Op.KEEP) else found
