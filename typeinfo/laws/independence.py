"""The law that batches have nothing to do with one another."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from typeinfo.laws.law import Subject, assert_same, law
from typeinfo.paste import source
from typeinfo.row import Row

__all__ = ["check_independence"]


@law()
def check_independence(subject: Subject, values: list[Any]) -> None:
    """Nothing given is changed, nothing read is shared, and no batch shows in what becomes of another."""
    t, serializer = subject.type, subject.serializer
    given = serializer.conform(values)
    before = copy.deepcopy(given)
    batch, data = serializer.to_batch(given, conformed=True), serializer.serialize(given)
    assert_same(given, before, f"writing values of {t} changed them")

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
    assert_same(serializer.conform(given[::-1]), before[::-1], f"conform of {t} depends on the batch before")


def _share_nothing(
    subject: Subject, read: Callable[[Any], list[Any]], written: Any, given: list[Any]
) -> None:
    first, second = read(written), read(written)
    name = f"{getattr(read, '__name__', read)} of {subject.type}"
    kinds = isinstance(written, bytes)
    assert_same(second, first, f"{name} gives something else the second time", kinds=kinds)
    seen = {id(part): "what was written" for part in _mutable_parts(given)}
    kept: list[Any] = [given]  # so that no id is given to another object
    for order, result in (("first", first), ("second", second)):
        kept.append(result)
        own: set[int] = set()
        for part in _mutable_parts(result):
            if id(part) in seen:
                raise AssertionError(f"{name} shares {source(part)} with {seen[id(part)]}")
            if id(part) in own:
                raise AssertionError(f"{name} gives one {source(part)} in two places")
            own.add(id(part))
        seen |= dict.fromkeys(own, f"what was read the {order} time")


def _mutable_parts(value: Any) -> Iterator[Any]:
    """Yield each list, dict, row and dataclass that can be changed in place, wherever it stands."""
    if isinstance(value, (list, dict, Row)):
        yield value
    inside: Any = ()
    if isinstance(value, (list, tuple, Row)):
        inside = value
    elif isinstance(value, dict):
        inside = [*value, *value.values()]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        if not value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            yield value
        inside = [getattr(value, field.name) for field in dataclasses.fields(value)]
    for part in inside:
        yield from _mutable_parts(part)
