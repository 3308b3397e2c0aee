"""Keeping the results of a function as they were when it gave them.

Results wait in batches while their function runs on. Flink hands each on at once, so that a function may
change an object it has given and give it again. Here such a result is replaced by a copy before the function
goes on: one that can be changed and that somebody besides the batch still holds, or a tuple or row with such
a part. Parts further inside are not looked at. A part of the element the function was given counts as held by
nobody, unless the function keeps that element with this call.
Whether that is so is looked at for the first results of a batch; if none of them can be changed, the others
are taken to be of the same kind and cost nothing. Nor does a function cost anything of which it
is certain that no call can change what an earlier one gave, unless it works its results out bit by bit.

The results of one element are kept apart from each other, too, where a function follows that may change them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice, repeat
from operator import is_
from sys import getrefcount
from typing import Any

from pystream.runtime.copies import copy_of
from typeinfo.immutable import IMMUTABLE, are_immutable
from typeinfo.row import Row

__all__ = ["apart", "copied", "flattened", "mapped"]

_LOOKED_AT = 32


def copied(value: Any) -> Any:
    """Return a value that nobody else can change: itself, or a copy."""
    return copy_of(value) if _can_change(value) else value


def mapped(function: Callable[[Any], Any], remaining: Iterator[Any]) -> list[Any]:
    """Return what a function gives for each element."""
    results: list[Any] = []
    kinds = _Kinds()
    for value in islice(remaining, _LOOKED_AT):
        holders = getrefcount(value)
        result = function(value)
        held, kept = getrefcount(result) > _ALONE, getrefcount(value) > holders
        kinds.look_at((result,))
        results.append(_apart(result, held, value, kept) if _can_change(result) else result)
    if not kinds.changeable:
        results += map(function, remaining)
    elif not kinds.parts_changeable:
        for value in remaining:
            result = function(value)
            if getrefcount(result) > _ALONE and result is not value and type(result) not in IMMUTABLE:
                result = _apart(result, True, value, True)
            results.append(result)
    else:
        for value in remaining:
            holders = getrefcount(value)
            result = function(value)
            if type(result) not in IMMUTABLE:
                held, kept = getrefcount(result) > _ALONE, getrefcount(value) > holders
                result = _apart(result, held, value, kept)
            results.append(result)
    return results


def flattened(
    function: Callable[[Any], Iterable[Any] | None],
    remaining: Iterator[Any],
    *,
    encoded: bool = False,
    keeps_nothing: bool = False,
) -> Iterator[Any]:
    """Return all that the iterables hold which a function gives for each element; ``None`` holds nothing.

    Args:
        function: gives an iterable.
        remaining: the elements.
        encoded: whether results are encoded where they go, so that those of one element may share parts.
        keeps_nothing: whether no call of the function can change what an earlier one gave.
    """
    if encoded and keeps_nothing:
        return chain.from_iterable(_each_as_given(function, remaining))
    return chain.from_iterable(_each_apart(function, remaining, encoded))


def apart(given: Iterable[Any], value: Any) -> Iterator[Any]:
    """Yield what an iterable holds that a function gave for one element, which it may keep."""
    alone = _ALONE + isinstance(given, (list, tuple))  # which hold what is in them
    items = iter(given)
    del given
    for item in items:
        held = getrefcount(item) > alone
        yield _apart(item, held, value, True) if _can_change(item) else item


class _Kinds:
    """What the first results of a batch are.

    Attributes:
        looked_at: how many were looked at.
        changeable: whether one can be changed.
        parts_changeable: whether one is a tuple or row with a part that can be changed.
    """

    __slots__ = ("changeable", "looked_at", "parts_changeable")

    def __init__(self) -> None:
        self.looked_at = 0
        self.changeable = self.parts_changeable = False

    def look_at(self, results: Iterable[Any]) -> None:
        for result in results:
            self.looked_at += 1
            if _can_change(result):
                self.changeable = True
                self.parts_changeable = self.parts_changeable or _parts_can_change(result)


def _each_as_given(
    function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any]
) -> Iterator[Iterable[Any]]:
    """Yield for each element what the function gave for it, apart only if it works that out bit by bit."""
    for value in remaining:
        given = function(value)
        if type(given) is list or type(given) is tuple:
            yield given
        elif given is not None:
            yield apart(given, value)


def _each_apart(
    function: Callable[[Any], Iterable[Any] | None], remaining: Iterator[Any], encoded: bool
) -> Iterator[Iterable[Any]]:
    """Yield for each element what the function gave for it, as it was when given."""
    kinds, kept = _Kinds(), False
    alone = _ALONE + 1  # in a list or tuple
    for value in remaining:
        holders = getrefcount(value)
        given = function(value)
        if given is None:
            continue
        if type(given) is not list and type(given) is not tuple:
            yield _apart_one_by_one(given, value, holders, kinds)
        else:
            if kinds.looked_at < _LOOKED_AT:
                kinds.look_at(islice(given, _LOOKED_AT))
            if kinds.changeable:
                parts_changeable = kinds.parts_changeable
                if parts_changeable:
                    given_again = sum(map(is_, given, repeat(value))) if encoded else 0
                    kept = getrefcount(value) > holders + given_again
                results = []
                for item in given:
                    if item is not value and type(item) not in IMMUTABLE:
                        held = getrefcount(item) > alone
                        if held or parts_changeable:
                            item = _apart(item, held, value, kept)
                    results.append(item)
                given = results
            yield given
        if not kinds.changeable and kinds.looked_at >= _LOOKED_AT:
            yield from (given for value in remaining if (given := function(value)) is not None)


def _apart_one_by_one(given: Iterable[Any], value: Any, holders: int, kinds: _Kinds) -> Iterator[Any]:
    """Yield the results of a function that goes on between them.

    Args:
        given: the results.
        value: the element they are given for.
        holders: how many held the element before.
        kinds: what the results are.
    """
    holders += 1  # the argument
    for item in given:
        held = getrefcount(item) > _ALONE
        if kinds.looked_at < _LOOKED_AT:
            kinds.look_at((item,))
        if kinds.changeable and (held or kinds.parts_changeable) and type(item) not in IMMUTABLE:
            kept = getrefcount(value) > holders
            yield _apart(item, held, value, kept)
        else:
            yield item


def _can_change(value: Any) -> bool:
    kind = type(value)
    if kind is tuple or kind is frozenset:
        return any(map(_can_change, value))
    return kind not in IMMUTABLE


def _parts_can_change(value: Any) -> bool:
    kind = type(value)
    return kind is tuple or (kind is Row and not are_immutable(value._values))


def _apart(result: Any, held: bool, value: Any, kept: bool) -> Any:
    """Return a result, or a copy if it or a part of it is held and it is not the element itself.

    Args:
        result: what the function gave.
        held: whether somebody besides the caller holds the result.
        value: the element the function was given.
        kept: whether somebody besides the caller may hold the element, too.
    """
    if result is value:
        return result
    kind, own_kind = type(result), type(value)
    if held and (kind is not tuple or _can_change(result)):
        return copy_of(result)
    parts = result._values if kind is Row else result if kind is tuple else ()
    own = () if kept else value._values if own_kind is Row else value if own_kind is tuple else ()
    shared = len(own)
    for index, holders in enumerate(map(getrefcount, parts)):
        if holders == _ALONE_IN_TUPLE:
            continue
        part = parts[index]
        if index < shared and own[index] is part and holders == _ALONE_IN_TUPLE + 1:
            continue  # as most parts that are handed on: in its place, once
        if type(part) in IMMUTABLE or part is value:
            continue
        if holders > _ALONE_IN_TUPLE + sum(map(is_, repeat(part), own)) and _can_change(part):
            return copy_of(result)
    return result


def _holders_of_new(make: Callable[[], Any]) -> int:
    new = make()
    return getrefcount(new)


_ALONE = _holders_of_new(list)
_ALONE_IN_TUPLE = next(map(getrefcount, ([],)))
