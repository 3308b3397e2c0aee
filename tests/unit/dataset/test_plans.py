"""The operators that data sets are made of, and their types."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.dataset.environment import Environment
from pystream.testing import local_environment


@pytest.mark.parametrize(
    ("elements", "type_info"),
    [
        ((1, 2), "Long"),
        (((1, "a", 0.5, True),), "TupleTypeInfo(Long, String, Double, Boolean)"),
        (((1, ("a", 2)),), "TupleTypeInfo(Long, TupleTypeInfo(String, Long))"),
        ((1, 2.0), "PickledByteArrayTypeInfo"),
        ((1, 2**63), "PickledByteArrayTypeInfo"),
        (((1,), (1, 2)), "PickledByteArrayTypeInfo"),
        ((1, None), "PickledByteArrayTypeInfo"),
    ],
)
def test_elements_of_one_simple_type_are_typed(elements: tuple[Any, ...], type_info: str) -> None:
    batch = Environment(local_environment())
    assert repr(batch.from_elements(*elements)) == f"DataSet('Collection Source', {type_info})"


def test_partitions_that_are_numbered_are_sent_once() -> None:
    batch = Environment(local_environment())
    batch.set_parallelism(2)
    batch.generate_sequence(1, 5).rebalance().zip_with_index().output()
    assert batch._streams.explain().count("  Rebalance  ") == 1


def test_a_simple_function_is_called_by_the_operator_of_a_stream() -> None:
    batch = Environment(local_environment())
    batch.from_elements("a").map(str.upper).output()
    assert "Map (str.upper)" in batch._streams.explain()


def test_a_cross_distributes_the_set_that_is_not_held_in_memory() -> None:
    for call, distributed in (("cross", "small"), ("cross_with_tiny", "small"), ("cross_with_huge", "huge")):
        batch = Environment(local_environment())
        small, huge = batch.from_elements(1).name("small"), batch.from_elements(2).name("huge")
        crossed = getattr(small, call)(huge)
        streams = batch._streams
        elements, held = streams._builder.node(crossed._stream._node_id).inputs
        assert streams._builder.node(elements).settings.name == distributed
        assert streams._builder.node(held).settings.name != distributed


def _longest(first: str, second: str) -> str:
    return max(first, second, key=len)


def test_a_reduction_is_typed_by_the_annotation_of_its_function() -> None:
    words = Environment(local_environment()).from_elements("to", "be")
    assert repr(words.reduce(_longest)) == "DataSet('Reduce', String)"
    assert repr(words.group_by(len).reduce(_longest)) == "DataSet('Reduce', String)"
    assert repr(words.reduce(lambda first, second: first)) == "DataSet('Reduce', PickledByteArrayTypeInfo)"
