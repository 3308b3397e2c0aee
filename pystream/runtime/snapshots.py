"""Keeping the results of a function as they were when it gave them.

Results wait in batches while their function runs on. Flink hands each on at once, so that a function may
change an object it has given and give it again. Here such a result is replaced by a copy before the function
goes on: one that can be changed and that somebody besides the batch still holds, or a tuple or row with such
a part. Parts further inside are not looked at. A part of the element the function was given counts as held by
nobody, unless the function keeps that element with this call.
Whether that is so is looked at for the first results of a batch; if none of them can be changed, the others
are taken to be of the same kind and cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice, repeat
from operator import is_
from sys import getrefcount
from types import NoneType
from typing import Any
from uuid import UUID

from typeinfo.instant import Instant
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.row import Row, make_row
from typeinfo.serde import serializer_for

__all__ = ["apart", "copied", "flattened", "mapped"]

_LOOKED_AT = 32
_PLAIN = (NoneType, bool, int, float, complex, str, bytes, frozenset, range)
_IMMUTABLE = frozenset({*_PLAIN, Decimal, date, datetime, time, timedelta, UUID, Instant})


def copied(value: Any) -> Any:
    """Return a value that nobody else can change: itself, or a copy."""
    return _copy(value) if _can_change(value) else value


def mapped(function: Callable[[Any], Any], remaining: Iterator[Any]) -> list[Any]:
    """Return what a function gives for each element."""
    results: list[Any] = []
    changeable, parts_changeable = False, False
    for value in islice(remaining, _LOOKED_AT):
        holders = getrefcount(value)
        result = function(value)
        if _can_change(result):
            held, kept = getrefcount(result) > _ALONE, getrefcount(value) > holders
            changeable, parts_changeable = True, parts_changeable or _parts_can_change(result)
            result = _apart(result, held, value, kept)
        results.append(result)
    if not changeable:
        results += map(function, remaining)
    elif not parts_changeable:
        for value in remaining:
            result = function(value)
            if getrefcount(result) > _ALONE and result is not value and type(result) not in _IMMUTABLE:
                result = _apart(result, True, value, True)
            results.append(result)
    else:
        for value in remaining:
            holders = getrefcount(value)
            result = function(value)
            if type(result) not in _IMMUTABLE:
                held, kept = getrefcount(result) > _ALONE, getrefcount(value) > holders
                result = _apart(result, held, value, kept)
            results.append(result)
    return results


def flattened(function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any]) -> Iterator[Any]:
    """Yield all that the iterables hold which a function gives for each element; ``None`` holds nothing."""
    changeable, parts_changeable, looked_at = False, False, 0
    for value in remaining:
        holders = getrefcount(value)
        given = function(value)
        if given is None:
            continue
        alone = _ALONE + isinstance(given, (list, tuple))  # which hold what is in them
        items = iter(given)
        del given
        for item in items:
            held = getrefcount(item) > alone
            looked_at += 1
            if looked_at <= _LOOKED_AT and _can_change(item):
                changeable, parts_changeable = True, parts_changeable or _parts_can_change(item)
            if changeable and (held or parts_changeable) and type(item) not in _IMMUTABLE:
                kept = getrefcount(value) > holders
                yield _apart(item, held, value, kept)
            else:
                yield item
            if not changeable and looked_at >= _LOOKED_AT:
                yield from chain(items, chain.from_iterable(_given(function, remaining)))


def apart(given: Iterable[Any], value: Any) -> Iterator[Any]:
    """Yield what an iterable holds that a function gave for one element, which it may keep."""
    alone = _ALONE + isinstance(given, (list, tuple))  # which hold what is in them
    items = iter(given)
    del given
    for item in items:
        held = getrefcount(item) > alone
        if _can_change(item) and (held or _parts_can_change(item)):
            yield _apart(item, held, value, True)
        else:
            yield item


def _given(
    function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any]
) -> Iterator[Iterable[Any]]:
    return (given for value in remaining if (given := function(value)) is not None)


def _can_change(value: Any) -> bool:
    kind = type(value)
    return kind not in _IMMUTABLE and (kind is not tuple or any(map(_can_change, value)))


def _parts_can_change(value: Any) -> bool:
    kind = type(value)
    return kind is tuple or (kind is Row and not _are_immutable(value._values))


def _apart(result: Any, held: bool, value: Any, kept: bool) -> Any:
    """Return a result, or a copy if it is held, unless it is the very element the function was given.

    Args:
        result: what the function gave.
        held: whether somebody besides the caller holds the result.
        value: the element the function was given.
        kept: whether somebody besides the caller may hold the element, too.
    """
    kind = type(result)
    if kind is tuple:
        held = (held and _can_change(result)) or _holds_held(result, value, kept)
    elif kind is Row and not held:
        held = _holds_held(result._values, value, kept)
    return result if not held or result is value else _copy(result)


def _are_immutable(values: Iterable[Any]) -> bool:
    return _IMMUTABLE.issuperset(map(type, values))


def _holds_held(parts: tuple[Any, ...], value: Any, kept: bool) -> bool:
    own = () if kept else _parts_of(value)
    shared = len(own)
    for index, holders in enumerate(map(getrefcount, parts)):
        if holders == _ALONE_IN_TUPLE:
            continue
        part = parts[index]
        if type(part) in _IMMUTABLE or part is value:
            continue
        if index < shared and own[index] is part and holders == _ALONE_IN_TUPLE + 1:
            continue  # as most parts that are handed on: in its place, once
        if holders > _ALONE_IN_TUPLE + sum(map(is_, repeat(part), own)) and _can_change(part):
            return True
    return False


def _parts_of(value: Any) -> Sequence[Any]:
    if type(value) is Row:
        return value._values
    return value if type(value) is tuple else ()


def _copy(value: Any) -> Any:
    kind = type(value)
    if kind is Row and _are_immutable(value._values):
        return make_row(value._values, value._fields, value._row_kind)
    if kind is list and _are_immutable(value):
        return value[:]
    serializer = serializer_for(PICKLED_BYTE_ARRAY)
    try:
        (copy,) = serializer.deserialize(serializer.serialize([value]))
    except Exception:  # noqa: BLE001 - what cannot be copied can only go to the next function of a chain
        return value
    return copy


def _holders_of_new(make: Callable[[], Any]) -> int:
    new = make()
    return getrefcount(new)


_ALONE = _holders_of_new(list)
_ALONE_IN_TUPLE = next(map(getrefcount, ([],)))
