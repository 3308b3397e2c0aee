"""The law that batches do not affect each other, their inputs or their results."""

from __future__ import annotations

import array
import copy
import dataclasses
import datetime
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

from typeinfo.instant import Instant
from typeinfo.records import attributes_of, slots_of
from typeinfo.row import Row
from typeinfo.testing.laws.law import assert_kept, assert_same, law
from typeinfo.testing.laws.subject import Subject
from typeinfo.testing.reproduction import source
from typeinfo.testing.sameness import array_parts

__all__ = ["check_independence"]

_CONTAINERS = (list, dict, set, bytearray, deque, array.array, Row)
_TIMES: tuple[type[Any], ...] = (datetime.date, datetime.time, datetime.timedelta, Instant)
_ATOMS = (type(None), type, bool, int, float, complex, str, bytes, Decimal, uuid.UUID, *_TIMES)


@law()
def check_independence(subject: Subject, values: list[Any]) -> None:
    """Values given are not changed, values read are not shared, and no batch affects another."""
    t, serializer = subject.type, subject.serializer
    before = copy.deepcopy(values)
    given = serializer.conform(values)

    def read_again(batch: list[Any]) -> list[Any]:
        return serializer.deserialize(serializer.serialize(batch))

    batch, data = serializer.to_batch(given, conformed=True), serializer.serialize(given)
    assert_kept(given, before, f"writing values of {t} changed them", read_again)

    _share_nothing(subject, serializer.from_batch, batch, given)
    _share_nothing(subject, serializer.deserialize, data, given)

    turned = given[::-1]  # another batch, which is written last and read first
    batches = [serializer.to_batch(part) for part in (given, turned)]
    columns = list(map(serializer.from_batch, batches[::-1]))
    payloads = [serializer.serialize(part) for part in (given, turned)]
    read = list(map(serializer.deserialize, payloads[::-1]))
    for expected, from_columns, from_bytes in zip((before[::-1], before), columns, read, strict=True):
        assert_same(from_columns, expected, f"columns of {t} depend on the batch before", kinds=False)
        assert_same(from_bytes, expected, f"bytes of {t} depend on the batch before")
    assert_same(serializer.conform(given[::-1]), given[::-1], f"conform of {t} depends on the batch before")


def _share_nothing(
    subject: Subject, read: Callable[[Any], list[Any]], written: Any, given: list[Any]
) -> None:
    first, second = read(written), read(written)
    name = f"{getattr(read, '__name__', read)} of {subject.type}"
    kinds = isinstance(written, bytes)
    assert_same(second, first, f"{name} returns something else the second time", kinds=kinds)
    seen = {id(part): "what was written" for part in _mutable_parts(given)}
    kept: list[Any] = [given]  # so that no id is given to another object
    for order, result in (("first", first), ("second", second)):
        kept.append(result)
        own: set[int] = set()
        for part in _mutable_parts(result):
            if id(part) in seen:
                raise AssertionError(f"{name} shares {source(part)} with {seen[id(part)]}")
            if id(part) in own:
                raise AssertionError(f"{name} returns the same {source(part)} in two places")
            own.add(id(part))
        seen |= dict.fromkeys(own, f"what was read the {order} time")


def _mutable_parts(value: Any, around: frozenset[int] = frozenset()) -> Iterator[Any]:
    """Yield each object that can be changed in place, at any depth.

    These are containers, arrays, rows and instances of classes, unless they are frozen or hashed by their
    contents. An object in several attributes of an instance is yielded once, as it may be shared on purpose.
    Objects that ``copy.deepcopy`` returns unchanged, such as members of an Enum, are left out.
    """
    if isinstance(value, _ATOMS) or id(value) in around:
        return
    around |= {id(value)}
    if isinstance(value, (*_CONTAINERS, tuple, frozenset, partial)) or array_parts(value) is not None:
        if isinstance(value, _CONTAINERS) or _is_written_in_place(value):
            yield value
    elif dataclasses.is_dataclass(value):
        if not getattr(value, "__dataclass_params__").frozen:  # noqa: B009 - unknown to type checkers
            yield value
    elif _copies_to_itself(value):
        return
    elif _is_changed_in_place(value):
        yield value
    seen: set[int] = set()
    for part in _inside(value):
        for inner in _mutable_parts(part, around):
            seen.add(id(inner))
            yield inner
    for attribute in _attributes(value):
        for part in _mutable_parts(attribute, around):
            if id(part) not in seen:
                seen.add(id(part))
                yield part


def _is_written_in_place(value: Any) -> bool:
    """Return whether an array is writable: numpy has a flag for it, and pandas objects always are."""
    return bool(getattr(getattr(value, "flags", None), "writeable", hasattr(value, "iloc")))


def _is_changed_in_place(value: Any) -> bool:
    has_attributes = hasattr(value, "__dict__") or bool(slots_of(type(value)))
    return has_attributes and getattr(type(value), "__hash__", None) in (None, object.__hash__)


def _copies_to_itself(value: Any) -> bool:
    try:
        return copy.deepcopy(value) is value
    except Exception:  # noqa: BLE001 - modules, locks and the like cannot be copied at all
        return True


def _inside(value: Any) -> Iterable[Any]:
    """Return the parts of a value, which are distinct objects."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, partial):
        return [*value.args, *value.keywords.values()]
    if isinstance(value, (*_CONTAINERS, tuple, frozenset)):
        return value
    names = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    return [getattr(value, name) for name in names if hasattr(value, name)]


def _attributes(value: Any) -> Iterable[Any]:
    """Return the attributes of an instance, those in ``__slots__`` included."""
    if isinstance(value, Row) or array_parts(value) is not None:
        return ()
    return attributes_of(value).values()
