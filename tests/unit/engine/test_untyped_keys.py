"""Keys of no declared type: equal keys have one slot and one key group, hashable or not."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, deque
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row
from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.keys import InvalidKeyError, KeyGroups, KeyReader, key_bytes
from pystream.engine.spec import KeySpec
from typeinfo import Types
from typeinfo.pickled import PICKLED_BYTE_ARRAY

SCALARS = st.one_of(st.integers(), st.booleans(), st.text(), st.binary(), st.floats(allow_nan=False))
KEYS = st.recursive(
    SCALARS,
    lambda parts: st.one_of(
        st.lists(parts),
        st.tuples(parts, parts),
        st.dictionaries(SCALARS, parts),
        st.sets(SCALARS),
        st.builds(Row, parts, parts),
    ),
    max_leaves=8,
)


def itself(value: Any) -> Any:
    return value


def slots(keys: list[Any]) -> list[Any]:
    label = OperatorLabel("Reduce", "uid", "app.py:1", "lambda")
    return list(KeyReader(KeySpec(pickle.dumps(itself), PICKLED_BYTE_ARRAY), label).read(keys).slots)


@given(st.lists(KEYS, min_size=2, max_size=6), st.data())
def test_slots_are_equal_if_and_only_if_keys_are(keys: list[Any], data: st.DataObject) -> None:
    keys.append(copy.deepcopy(data.draw(st.sampled_from(keys))))
    alone = [slots([key])[0] for key in keys]
    assert slots(keys) == alone
    groups = KeyGroups(128)
    for one, its_slot in zip(keys, alone, strict=True):
        for other, other_slot in zip(keys, alone, strict=True):
            assert (its_slot == other_slot) == (one == other)
            assert one != other or groups[its_slot] == groups[other_slot]


@dataclass
class Place:
    x: int
    names: list[str]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, OrderedDict(a=1)),
        ({1, 2, 3}, {3, 2, 1}),
        ({1, 2}, frozenset({2, 1})),
        ([1, [True]], [1.0, [1]]),
        (Place(1, ["a"]), Place(1, ["a"])),
    ],
)
def test_equal_keys_of_other_forms(one: Any, other: Any) -> None:
    first, second = slots([one, other])
    assert first == second
    assert KeyGroups(128)[first] == KeyGroups(128)[second]


@pytest.mark.parametrize(
    ("one", "other"), [([1, 2], (1, 2)), ([], set()), ({}, set()), ([[1], 2], [[1, 2]]), ([b"a"], b"a")]
)
def test_unequal_keys_have_unequal_slots(one: Any, other: Any) -> None:
    first, second = slots([one, other])
    assert first != second


def test_an_object_in_a_list_is_refused_with_its_element() -> None:
    with pytest.raises(TaskFailure, match="of class object cannot be a key") as failure:
        slots([[1], [object()]])
    assert "object object at" in str(failure.value.report.element)


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        (np.int64(1), 1),
        (np.int8(-3), -3),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float16(65504), 65504),
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
    ],
)
def test_a_numpy_scalar_and_the_equal_python_value_are_one_key(scalar: Any, value: Any) -> None:
    for one, other in ((scalar, value), ([scalar], [value]), ((scalar,), (value,))):
        first, second = slots([one, other])
        assert first == second
        assert KeyGroups(128)[first] == KeyGroups(128)[second]


class Pair:
    def __init__(self, first: int, second: int) -> None:
        self.both = first, second

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and other.both == self.both

    def __hash__(self) -> int:
        return hash(self.both)


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        (Path("/a"), "declare its type, key_by(…, Types.of(Path))"),
        (IPv6Address("::1"), "declare its type, key_by(…, Types.of(IPv6Address))"),
        (range(3), "convert it with tuple(…)"),
        (deque([1]), "convert it with tuple(…)"),
        (bytearray(b"a"), "convert it with bytes(…)"),
        (np.datetime64("2020-01-01"), "convert it with .item()"),
        (np.timedelta64(5, "s"), "convert it with .item()"),
        (np.array([[1]]), "convert it with .tolist()"),
        (1j, "choose a key of plain values, such as a tuple of its attributes"),
        (Pair(1, 2), "choose a key of plain values, such as a tuple of its attributes"),
    ],
)
def test_a_key_of_an_unknown_class_is_refused_with_a_remedy(key: Any, remedy: str) -> None:
    with pytest.raises(InvalidKeyError) as failure:
        key_bytes(key)
    assert f"of class {type(key).__name__} cannot be a key" in str(failure.value)
    assert str(failure.value).endswith(f"; {remedy}")


@pytest.mark.parametrize(
    ("key", "type_info"), [(Path("/a"), Types.of(Path)), (IPv6Address("::1"), Types.of(IPv6Address))]
)
def test_a_key_of_an_unknown_class_is_accepted_with_a_declared_type(key: Any, type_info: Any) -> None:
    reader = KeyReader(KeySpec(pickle.dumps(itself), type_info), OperatorLabel("keys", "1", "", ""))
    assert reader.read([key]).keys == [key]


def test_an_object_with_identity_equality_is_refused() -> None:
    with pytest.raises(TaskFailure, match=r"equal only to itself.*across processes"):
        slots([[object()]])
