"""Conforming of accepted and of arbitrary values; the laws of exact values are in ``test_laws``."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from typeinfo import Instant, Row, TypeCheckError, TypeInformation, Types
from typeinfo.basic import BasicType, BasicTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.row import make_row
from typeinfo.serde import serializer_for
from typeinfo.temporal import InstantTypeInfo
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values

_INTEGERS = {BasicType.BYTE, BasicType.SHORT, BasicType.INT, BasicType.LONG}


class Text(str):
    """A string of a class of its own."""


def loose(t: TypeInformation[Any], value: Any) -> st.SearchStrategy[Any]:
    """Return the values that become the given one: itself, and others that the type accepts."""
    if value is None:
        return st.none()
    match t:
        case BasicTypeInfo():
            return st.just(value) | st.sampled_from(_loose_basic(t.basic_type, value))
        case InstantTypeInfo():
            return st.just(value) | st.sampled_from(_loose_instant(value))
        case OptionalTypeInfo():
            return loose(t.value_type, value)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return st.sampled_from([value, bytearray(value)])
        case ArrayTypeInfo():
            parts = st.tuples(*(loose(t.element_type, element) for element in value))
            return parts | parts.map(list)
        case MapTypeInfo():
            entries = st.tuples(*(loose(t.value_type, entry) for entry in value.values()))
            return entries.map(lambda loosened: dict(zip(value, loosened, strict=True)))
        case TupleTypeInfo():
            fields = st.tuples(
                *(loose(part, field) for part, field in zip(t.field_types, value, strict=True))
            )
            return st.one_of(fields, fields.map(list), fields.map(lambda parts: Row(*parts)))
        case RowTypeInfo():
            fields = st.tuples(
                *(loose(part, field) for part, field in zip(t.field_types, value, strict=True))
            )
            return fields.flatmap(lambda parts: _loose_row(t, value, parts))
    return st.just(value)


def _loose_basic(kind: BasicType, value: Any) -> list[Any]:
    if kind in _INTEGERS:
        return [np.int64(value), np.array([value]).astype(np.int64)[0]]
    if kind is BasicType.BOOLEAN:
        return [np.bool_(value)]
    if kind in (BasicType.DOUBLE, BasicType.FLOAT):
        exact = math.isfinite(value) and value.is_integer() and math.copysign(1, value) == 1
        return [np.float64(value), *([int(value)] if exact else [])]
    if kind is BasicType.STRING:
        return [Text(value), np.str_(value) if "\0" not in value else value]
    return [value]


def _loose_instant(value: Instant) -> list[Any]:
    try:
        return [value.to_datetime().astimezone(dt.timezone(dt.timedelta(hours=5, minutes=30)))]
    except OverflowError:
        return [value]


def _loose_row(t: RowTypeInfo[Any], row: Row[Any], parts: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    kind, names = row.get_row_kind(), t.field_names
    forms = [make_row(parts, names, kind), make_row(parts, None, kind)]
    if row.get_row_kind().value == 0:
        forms += [parts, list(parts)]
    if names is None:
        return st.sampled_from(forms)
    shuffled = st.permutations(list(zip(names, parts, strict=True))).map(dict)
    reordered = shuffled.map(lambda fields: make_row(fields.values(), list(fields), kind))
    dicts = shuffled if row.get_row_kind().value == 0 else st.nothing()
    return st.sampled_from(forms) | reordered | dicts


@st.composite
def loose_batches(draw: st.DrawFn) -> tuple[TypeInformation[Any], list[Any], list[Any]]:
    t = draw(type_infos())
    exact = draw(st.lists(values(t), max_size=6))
    return t, exact, [draw(loose(t, value)) for value in exact]


@given(loose_batches())
@settings(max_examples=50)
def test_loose_values_become_exact_ones(case: tuple[TypeInformation[Any], list[Any], list[Any]]) -> None:
    t, exact, given_values = case
    serializer = serializer_for(t)
    result = serializer.conform(given_values)
    assert_all_same(result, exact)
    assert serializer.conform(result) is result
    assert_all_same(serializer.from_batch(serializer.to_batch(given_values)), exact, kinds=False)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-2, 2)
    | st.floats()
    | st.text(st.characters(), max_size=3)
    | st.decimals()
    | st.dates()
    | st.times()
    | st.datetimes(timezones=st.none() | st.just(dt.UTC))
    | st.timedeltas()
    | st.uuids()
    | st.binary(max_size=3)
    | st.builds(Instant, st.integers(-(2**50), 2**50), st.integers(0, 999_999_999)),
    lambda parts: st.one_of(
        st.lists(parts, max_size=3),
        st.lists(parts, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["a", "b", "f0", "f1"]), parts, max_size=2),
        st.lists(parts, max_size=3).map(lambda fields: Row(*fields)),
        st.dictionaries(st.sampled_from(["a", "b"]), parts, min_size=1, max_size=2).map(lambda d: Row(**d)),
    ),
    max_leaves=6,
)
SMALL_TYPES = st.recursive(
    st.sampled_from([t for t in vars(Types).values() if isinstance(t, TypeInformation)]),
    lambda parts: st.one_of(
        parts.map(Types.LIST),
        parts.map(Types.OBJECT_ARRAY),
        parts.map(lambda t: Types.MAP(Types.STRING, t)),
        parts.map(lambda t: Types.ROW([t])),
        st.tuples(parts, parts).map(lambda ts: Types.ROW_NAMED(["a", "b"], ts)),
        st.tuples(parts, parts).map(Types.TUPLE),
        parts.map(OptionalTypeInfo),
    ),
    max_leaves=3,
)


def assert_all_same(found: list[Any], expected: list[Any], *, kinds: bool = True) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert same(a, b, kinds=kinds), (a, b)


def outcome(action: Any, batch: list[Any]) -> Any:
    try:
        return action(batch)
    except TypeCheckError as error:
        return error.index, error.path, error.message


@given(SMALL_TYPES, st.lists(ANYTHING, min_size=1, max_size=4))
@settings(max_examples=300)
def test_any_value_conforms_or_is_refused(t: TypeInformation[Any], batch: list[Any]) -> None:
    serializer = serializer_for(t)
    result = outcome(serializer.conform, batch)
    written = outcome(serializer.to_batch, batch)
    if isinstance(result, tuple):
        assert written == result
        with pytest.raises(TypeCheckError):
            serializer.conform([batch[result[0]]])
        return
    assert_all_same([serializer.conform([value])[0] for value in batch], result)
    assert serializer.conform(result) is result
    assert_all_same(serializer.from_batch(written), result, kinds=False)
    assert_all_same(serializer.from_batch(serializer.to_batch(result, conformed=True)), result, kinds=False)
    assert_all_same(serializer.deserialize(serializer.serialize(result)), result)
