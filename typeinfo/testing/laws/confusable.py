"""Pairs of different values that careless key encoders take for one key."""

from __future__ import annotations

import copy
import dataclasses
import datetime
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import pairwise
from typing import Any, TypeAlias

from typeinfo.attributes import attributes_of
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row
from typeinfo.testing.laws.written import MARK, MARKS

__all__ = ["confusable_pairs"]

_SEPARATORS = ("", ",", ";", "|", ":", "/", "-", "_", ".", " ", "\t", "\n", "\0", "\x1f", "#", "=", "&", "\\")
_COUNT_BITS = (8, 16)
_NUMBER_BITS = (8, 16, 32, 64)
_MILLISECOND, _MICROSECOND = datetime.timedelta(milliseconds=1), datetime.timedelta(microseconds=1)

_Path: TypeAlias = "tuple[int | str, ...]"
"""Positions of items and names of attributes, from the outside in."""


def confusable_pairs(
    value: Any, encoded: Callable[[Any], bytes | None], *, long_lists: bool
) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of values like a given one that differ in parts which are easily confused.

    Texts side by side shift a separator from one to the other, times differ by a microsecond, numbers and
    the counts of lists by a power of two. Some of the values may not be of the type.

    Args:
        value: the value.
        encoded: returns the bytes of a value as key, or ``None`` if it has none; a separator that they show
            is shifted as well.
        long_lists: whether there are lists of 65,537 items among the pairs, too.
    """
    bits = _COUNT_BITS if long_lists else _COUNT_BITS[:1]
    parts = list(_parts(value))
    for (first, _), (second, _) in pairwise([part for part in parts if type(part[1]) is str]):
        marked = encoded(_with(_with(value, first, MARKS[0]), second, MARKS[1]))
        for separator in dict.fromkeys([*_SEPARATORS, *_between(marked or b"")]):
            yield (
                _with(_with(value, first, f"a{separator}c"), second, "b"),
                _with(_with(value, first, "a"), second, f"c{separator}b"),
            )
    for path, part in parts:
        for one, other in _alternatives(part, bits):
            yield _with(value, path, one), _with(value, path, other)


def _between(data: bytes) -> list[str]:
    """Return the texts that stand between marks."""
    return [piece.decode("utf-8", "replace") for piece in MARK.split(data)[1:-1]]


def _alternatives(part: Any, count_bits: tuple[int, ...]) -> Iterator[tuple[Any, Any]]:
    if type(part) is int:
        yield from ((1, 1 + (1 << bits)) for bits in _NUMBER_BITS)
    elif isinstance(part, (datetime.datetime, datetime.time)):
        yield part.replace(microsecond=1000), part.replace(microsecond=1001)
    elif isinstance(part, datetime.timedelta):
        yield _MILLISECOND, _MILLISECOND + _MICROSECOND
    elif isinstance(part, Instant):
        yield Instant.of_epoch_micro(1000), Instant.of_epoch_micro(1001)
    elif type(part) is list and part:
        yield from ((part[:1], part[:1] * (1 + (1 << bits))) for bits in count_bits)


def _parts(value: Any, around: frozenset[int] = frozenset()) -> Iterator[tuple[_Path, Any]]:
    """Yield a value and its parts, each with its path; cycles once."""
    yield (), value
    if id(value) in around:
        return
    around |= {id(value)}
    if isinstance(value, (tuple, list, Row)):
        inside: list[tuple[int | str, Any]] = list(enumerate(value))
    else:
        inside = list(attributes_of(value).items()) if _shows_attributes(value) else []
    for step, part in inside:
        for path, inner in _parts(part, around):
            yield (step, *path), inner


def _shows_attributes(value: Any) -> bool:
    """Return whether attributes make up an instance; the slots of a class of a library may be caches."""
    if isinstance(value, (type, Enum)) or callable(value):
        return False
    return hasattr(value, "__dict__") or (dataclasses.is_dataclass(value) and not isinstance(value, Instant))


def _with(value: Any, path: _Path, part: Any) -> Any:
    """Return a copy of a value with another part."""
    if not path:
        return part
    step, *rest = path
    if isinstance(step, str):
        other = copy.copy(value)
        object.__setattr__(other, step, _with(getattr(value, step), tuple(rest), part))
        return other
    items = list(value)
    items[step] = _with(items[step], tuple(rest), part)
    if isinstance(value, Row):
        return make_row(items, value.get_field_names(), value.get_row_kind())
    return items if isinstance(value, list) else tuple.__new__(type(value), items)
