"""Keeping the results of a function as they were when it gave them.

Results wait in batches while their function runs on. Flink hands each on at once, so that a function may
change an object it has given and give it again. Here such a result is replaced by a copy before the function
goes on: one that can be changed, or has parts that can, and that somebody besides the batch still holds.
Whether that is so is looked at for the first results of a batch; if none of them can be changed, the others
are taken to be of the same kind and cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice
from sys import getrefcount
from types import NoneType
from typing import Any
from uuid import UUID

from typeinfo.instant import Instant
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.serde import serializer_for

__all__ = ["flattened", "mapped"]

_LOOKED_AT = 16
_ITEMS_LOOKED_AT = 256
_PLAIN = (NoneType, bool, int, float, complex, str, bytes, frozenset, range)
_IMMUTABLE = frozenset({*_PLAIN, Decimal, date, datetime, time, timedelta, UUID, Instant})


def mapped(function: Callable[[Any], Any], remaining: Iterator[Any]) -> list[Any]:
    """Return what a function gives for each element."""
    results: list[Any] = []
    changeable = False
    for value in islice(remaining, _LOOKED_AT):
        result, holders = _result_and_holders(function, value)
        if _can_change(result):
            changeable = True
            result = _apart(result, holders > _ALONE, value)
        results.append(result)
    if not changeable:
        results += map(function, remaining)
        return results
    for value in remaining:
        result, holders = _result_and_holders(function, value)
        if _can_change(result):
            result = _apart(result, holders > _ALONE, value)
        results.append(result)
    return results


def flattened(function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any]) -> Iterator[Any]:
    """Yield all that the iterables hold which a function gives for each element; ``None`` holds nothing."""
    changeable, looked_at = False, 0
    for value in remaining:
        given = function(value)
        if given is None:
            continue
        alone = _ALONE + isinstance(given, (list, tuple))  # which hold what is in them
        items = iter(given)
        del given
        while changeable or looked_at < _ITEMS_LOOKED_AT:
            try:
                item, holders = _result_and_holders(next, items)
            except StopIteration:
                break
            looked_at += 1
            if _can_change(item):
                changeable = True
                item = _apart(item, holders > alone, value)
            yield item
        else:
            yield from chain(items, chain.from_iterable(_given(function, remaining)))


def _given(
    function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any]
) -> Iterator[Iterable[Any]]:
    return (given for value in remaining if (given := function(value)) is not None)


def _result_and_holders(function: Callable[[Any], Any], value: Any) -> tuple[Any, int]:
    result = function(value)
    return result, getrefcount(result)


def _can_change(value: Any) -> bool:
    kind = type(value)
    return kind not in _IMMUTABLE and (kind is not tuple or any(map(_can_change, value)))


def _apart(result: Any, held: bool, value: Any) -> Any:
    """Return a result, or a copy if it is held, unless it is the very element the function was given."""
    if type(result) is tuple:
        held = any(
            holders > _ALONE_IN_TUPLE and part is not value and _can_change(part)
            for part, holders in zip(result, _holders_of_parts(result), strict=True)
        )
    if not held or result is value:
        return result
    serializer = serializer_for(PICKLED_BYTE_ARRAY)
    try:
        (copy,) = serializer.deserialize(serializer.serialize([result]))
    except Exception:  # noqa: BLE001 - what cannot be copied can only go to the next function of a chain
        return result
    return copy


def _holders_of_parts(parts: tuple[Any, ...]) -> list[int]:
    return list(map(getrefcount, parts))


def _fresh(_: Any) -> list[Any]:
    return []


_ALONE = _result_and_holders(_fresh, None)[1]
_ALONE_IN_TUPLE = _holders_of_parts(([],))[0]
