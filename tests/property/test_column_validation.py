"""A column is valid by its layout and parts exactly if each of its values is."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pystream.engine.vectorised.column_validation import validated
from typeinfo import Types
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import batches, type_infos

ROW = Types.ROW_NAMED(["x", "tags"], [Types.DOUBLE(), Types.LIST(Types.STRING())])
NESTED = (
    Types.TUPLE((Types.LONG(), Types.STRING())),
    Types.LIST(Types.LONG()),
    Types.LIST(Types.TUPLE((Types.LONG(), Types.of(int | None)))),
    Types.MAP(Types.STRING(), Types.LIST(Types.SQL_DATE())),
    Types.MAP(Types.SQL_TIME(), Types.MAP(Types.BOOLEAN(), Types.BIG_DEC())),
    Types.MAP(Types.DOUBLE(), Types.INT()),
    Types.MAP(Types.TUPLE((Types.LONG(),)), Types.LIST(ROW)),
    Types.of(list[tuple[int, str]] | None),
    Types.of(tuple[int, tuple[int, list[str]] | None] | None),
    Types.LIST(Types.TUPLE((Types.CHAR(), Types.UUID()))),
)


def taken(draw: st.DrawFn, array: pa.Array) -> pa.Array:
    """Return values of an array, some of them replaced by others of its values or by null."""
    if not len(array) or not draw(st.booleans()):
        return array
    count = len(array)
    changed = draw(
        st.dictionaries(st.integers(0, count - 1), st.integers(0, count - 1) | st.none(), max_size=2)
    )
    return array.take(pa.array([changed.get(index, index) for index in range(count)], pa.int32()))


def mask(draw: st.DrawFn, array: pa.Array) -> pa.Array:
    """Return a null mask: that of the values, possibly with one more null above a value."""
    nulls = array.is_null().to_pylist()
    if draw(st.booleans()) and nulls:
        nulls[draw(st.integers(0, len(nulls) - 1))] = True
    return pa.array(nulls, pa.bool_())


@st.composite
def relaid(draw: st.DrawFn, array: Any) -> Any:
    """Draw a variant of an array: in a layout that a library may produce, possibly with other values."""
    made: Any
    dt = array.type
    if pa.types.is_struct(dt):
        order = -1 if draw(st.booleans()) else 1
        fields = [draw(relaid(array.field(index))) for index in range(dt.num_fields)][::order]
        names = [field.name for field in dt][::order]
        made = pa.StructArray.from_arrays(fields, names, mask=mask(draw, array)) if fields else array
    elif pa.types.is_list(dt):
        made = pa.ListArray.from_arrays(array.offsets, draw(relaid(array.values)), mask=mask(draw, array))
        if draw(st.booleans()) and not pa.types.is_dictionary(made.type.value_type):
            made = made.cast(pa.large_list(made.type.value_type))
    elif pa.types.is_map(dt):
        keys = array.keys
        if draw(st.booleans()):
            keys = taken(draw, keys)
        if keys.null_count:
            keys = array.keys
        made = pa.MapArray.from_arrays(array.offsets, keys, draw(relaid(array.items)), mask=mask(draw, array))
    else:
        made = taken(draw, array)
        if pa.types.is_string(dt):
            made = draw(st.sampled_from([made, made.cast(pa.large_string()), made.dictionary_encode()]))
    if draw(st.booleans()) and not pa.types.is_dictionary(made.type):
        start = draw(st.integers(0, len(made)))
        made = pa.concat_arrays([made[start:], made, made[:start]])[len(made) - start :][: len(array)]
    return made


def outcome(codec: Codec, array: pa.Array, *, each: bool) -> tuple[Any, ...]:
    try:
        if each:
            return (codec.decode(array),)
        held = validated(codec, array)
    except TypeCheckError as error:
        return error.message, error.path, error.index
    held.validate(full=True)
    assert held.type.equals(codec.arrow, check_metadata=True)
    assert codec.nullable or not held.null_count
    assert not illegal_nulls(held)
    return (codec.decode(held),)


def illegal_nulls(array: Any) -> bool:
    """Return whether a part that is not nullable is null, even below a null."""
    dt = array.type
    if pa.types.is_struct(dt):
        parts = [(field, array.field(index)) for index, field in enumerate(dt)]
    elif pa.types.is_list(dt):
        parts = [(dt.value_field, array.flatten())]
    elif pa.types.is_map(dt):
        parts = [(dt.key_field, array.keys), (dt.item_field, array.items)]
    else:
        return False
    return any((not field.nullable and part.null_count) or illegal_nulls(part) for field, part in parts)


def check(data: st.DataObject, t: TypeInformation[Any]) -> None:
    codec = codec_for(t)
    elements = data.draw(batches(t, max_size=6))
    array = data.draw(relaid(codec.conform_and_encode(elements)))
    expected, got = outcome(codec, array, each=True), outcome(codec, array, each=False)
    assert len(got) == len(expected)
    assert same(got, expected), (got, expected)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data(), type_infos())
def test_any_type(data: st.DataObject, t: TypeInformation[Any]) -> None:
    check(data, t)


@pytest.mark.parametrize("t", NESTED, ids=str)
@given(st.data())
def test_nested_types(t: TypeInformation[Any], data: st.DataObject) -> None:
    check(data, t)
