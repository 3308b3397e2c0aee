"""The law of keys: equal keys are encoded equally, and different ones differently."""

from __future__ import annotations

import copy
import dataclasses
import datetime
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.keys import key_refusal
from typeinfo.records import attributes_of, with_attributes
from typeinfo.row import Row
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.laws.law import law, require
from typeinfo.testing.laws.subject import Subject
from typeinfo.testing.laws.written import MARK, MARKS
from typeinfo.testing.reproduction import source
from typeinfo.testing.sameness import rebuilt, same_key, twin

__all__ = ["check_keys"]

_SEPARATORS = ("", ",", ";", "|", ":", "/", "-", "_", ".", " ", "\t", "\n", "\0", "\x1f", "#", "=", "&", "\\")
_COUNT_BITS = (8, 16)
_NUMBER_BITS = (8, 16, 32, 64)
_MILLISECOND, _MICROSECOND = datetime.timedelta(milliseconds=1), datetime.timedelta(microseconds=1)

_Path: TypeAlias = "tuple[int | str, ...]"
"""Positions of items and names of attributes, from the outside in."""


@law(applies=lambda t: key_refusal(t) is None)
def check_keys(subject: Subject, values: list[Any]) -> None:
    """Equal keys give equal bytes and different keys different ones, unless the type is refused as a key."""
    t, encode = subject.type, subject.encode_key
    if encode is None:
        require(not _has_encoder(t), f"{t} cannot be a key, but has an encoder")
        return
    keys = subject.serializer.conform(values)
    for key in keys:
        for other in (copy.deepcopy(key), twin(key)):
            if encode(other) != encode(key):
                pair = f"{source(other)} and {source(key)}"
                raise AssertionError(f"{pair} are one key of {t}, encoded in two ways")
    for key in keys[:1]:  # a search has many batches
        _tell_apart(subject, key, long_lists=len(keys) == 1)
    encoded = list(map(encode, keys))
    for (a, left), (b, right) in combinations(zip(keys, encoded, strict=True), 2):
        is_one = same_key(a, b)
        if (left == right) != is_one:
            verb = "are one key" if is_one else "are two keys"
            raise AssertionError(f"{source(a)} and {source(b)} {verb} of {t}, but not as bytes")


def _has_encoder(t: TypeInformation[Any]) -> bool:
    try:
        key_encoder(t)
    except UnsupportedTypeError:
        return False
    return True


def _tell_apart(subject: Subject, key: Any, *, long_lists: bool) -> None:
    """Require that keys that are similar, but not equal, have different bytes."""

    def bytes_of(other: Any) -> bytes | None:
        return next((data for _, data in _encoded(subject, [other])), None)

    for pair in _confusable_pairs(key, bytes_of, long_lists=long_lists):
        match _encoded(subject, pair):
            case (a, left), (b, right) if left == right and not same_key(a, b):
                raise AssertionError(
                    f"{source(a)} and {source(b)} are two keys of {subject.type}, but not as bytes"
                )


def _encoded(subject: Subject, keys: Iterable[Any]) -> list[tuple[Any, bytes]]:
    """Return keys with their bytes, or an empty list if one of them is not of the type."""
    assert subject.encode_key is not None
    try:
        conformed = subject.serializer.conform(list(keys))
        return [(key, subject.encode_key(key)) for key in conformed]
    except Exception:  # noqa: BLE001 - classes may refuse a value in any way
        return []


def _confusable_pairs(
    value: Any, encoded: Callable[[Any], bytes | None], *, long_lists: bool
) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of variants of a value that differ in parts that are easily confused.

    A separator moves from one text to the next, times differ by a microsecond, numbers and the lengths of
    lists by a power of two. Some of the values may not be of the type.

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
        shown = [piece.decode("utf-8", "replace") for piece in MARK.split(marked or b"")[1:-1]]
        for separator in dict.fromkeys([*_SEPARATORS, *shown]):
            yield (
                _with(_with(value, first, f"a{separator}c"), second, "b"),
                _with(_with(value, first, "a"), second, f"c{separator}b"),
            )
    for path, part in parts:
        for one, other in _alternatives(part, bits):
            yield _with(value, path, one), _with(value, path, other)


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
    """Return whether attributes are part of the value; slots of library classes may be caches."""
    if isinstance(value, (type, Enum)) or callable(value):
        return False
    return hasattr(value, "__dict__") or (dataclasses.is_dataclass(value) and not isinstance(value, Instant))


def _with(value: Any, path: _Path, part: Any) -> Any:
    """Return a copy of a value with another part."""
    if not path:
        return part
    step, *rest = path
    if isinstance(step, str):
        return with_attributes(value, {step: _with(getattr(value, step), tuple(rest), part)})
    items = list(value)
    items[step] = _with(items[step], tuple(rest), part)
    return rebuilt(value, items)
