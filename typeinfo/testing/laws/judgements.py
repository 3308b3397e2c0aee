"""Laws of which values are equal as keys, and which are refused."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.keys import key_refusal
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.testing.invalid_values import Misfit, misfits
from typeinfo.testing.laws.confusable import confusable_pairs
from typeinfo.testing.laws.law import law, refuses_keys, require
from typeinfo.testing.laws.subject import Subject
from typeinfo.testing.reproduction import source
from typeinfo.testing.sameness import same_key, twin

__all__ = ["check_keys", "check_misfits_refused"]


def _is_key(t: TypeInformation[Any]) -> bool:
    return key_refusal(t) is None


@law(applies=_is_key)
def check_keys(subject: Subject, values: list[Any]) -> None:
    """Equal keys give equal bytes and different keys different ones, unless the type is refused as a key."""
    t, encode = subject.type, subject.encode_key
    if encode is None:
        require(refuses_keys(t), f"{t} cannot be a key, but has an encoder")
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


def _tell_apart(subject: Subject, key: Any, *, long_lists: bool) -> None:
    """Require that keys which differ a little from each other, both much like a given one, are two keys."""

    def bytes_of(other: Any) -> bytes | None:
        return next((data for _, data in _encoded(subject, [other])), None)

    for pair in confusable_pairs(key, bytes_of, long_lists=long_lists):
        match _encoded(subject, pair):
            case (a, left), (b, right) if left == right and not same_key(a, b):
                raise AssertionError(
                    f"{source(a)} and {source(b)} are two keys of {subject.type}, but not as bytes"
                )


def _encoded(subject: Subject, keys: Iterable[Any]) -> list[tuple[Any, bytes]]:
    """Return keys with their bytes; none if one is not of the type."""
    assert subject.encode_key is not None
    try:
        conformed = subject.serializer.conform(list(keys))
        return [(key, subject.encode_key(key)) for key in conformed]
    except Exception:  # noqa: BLE001 - classes may refuse a value in any way
        return []


def _takes_some_only(t: TypeInformation[Any]) -> bool:
    return not isinstance(t, PickledBytesTypeInfo)


@law(applies=_takes_some_only, varies=True)
def check_misfits_refused(subject: Subject, values: list[Any]) -> None:
    """A value that is wrong in one place is refused, not coerced, and the error names element and place."""
    t = subject.type
    for position, value in enumerate(values):
        around = values[:2] if position else values  # more would take long, and show nothing that is new
        for misfit in misfits(t, value):
            _refuse(subject, misfit, around)


def _refuse(subject: Subject, misfit: Misfit, around: list[Any]) -> None:
    t, serializer = subject.type, subject.serializer
    index = len(around) // 2
    batch = [*around[:index], misfit.value, *around[index:]]
    for look in (serializer.conform, serializer.to_batch):
        try:
            kept: Any = look(batch)
        except TypeCheckError as error:
            if (error.index, error.path) != (index, misfit.path):
                place, named = f"{index}, {misfit.path!r}", f"{error.index}, {error.path!r}"
                raise AssertionError(
                    f"{misfit.value!r} is wrong for {t} at element {place}, but said to be at element {named}"
                ) from None
        else:
            raise AssertionError(f"{misfit.value!r} is wrong for {t} at {misfit.path!r}, but taken as {kept}")
