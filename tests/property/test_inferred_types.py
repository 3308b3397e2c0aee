"""Elements of an inferred type are received exactly as if they had been pickled, whatever they are."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.property.test_serde import loose
from typeinfo import TypeInformation
from typeinfo.inferred import InferredTypeInfo
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import codec_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import invalid_values, type_infos, values

TYPES = type_infos().filter(lambda t: not isinstance(t, PickledBytesTypeInfo))


def elements(t: TypeInformation[Any]) -> st.SearchStrategy[Any]:
    """Return elements that are values of a type, become such, or do not fit."""
    exact = values(t)
    return st.one_of(
        exact,
        exact,
        exact.flatmap(lambda value: loose(t, value)),
        invalid_values(t).filter(_can_be_pickled),
        exact.map(lambda value: [value, value]),
    )


def _can_be_pickled(value: Any) -> bool:
    try:
        return same(pickle.loads(pickle.dumps(value)), value)
    except Exception:  # noqa: BLE001 - the test is about others
        return False


@given(st.data())
def test_elements_of_an_inferred_type_are_as_pickled(data: st.DataObject) -> None:
    t = data.draw(TYPES)
    given_values = data.draw(st.lists(st.one_of(values(t), elements(t)), max_size=4))
    serializer = serializer_for(InferredTypeInfo(t))
    sent = serializer.deserialize(serializer.serialize(given_values))
    assert same(sent, [pickle.loads(pickle.dumps(value)) for value in given_values])


@given(st.data())
def test_what_columns_keep_is_read_as_written(data: st.DataObject) -> None:
    t = data.draw(TYPES)
    given_values = data.draw(st.lists(st.one_of(values(t), elements(t)), max_size=4))
    codec = codec_for(t)
    if codec.keeps(given_values, set()):
        pickled = [pickle.loads(pickle.dumps(value)) for value in given_values]
        assert same(codec.decode(codec.encode(given_values)), pickled)
        assert same(list(codec.unpack(codec.pack(given_values))), pickled)
