"""The elements of collections and iterators, and the objects that are refused."""

from __future__ import annotations

import itertools
from collections import UserString
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pystream.arguments.collections import _read_bounded, collection_elements
from pystream.common import Row
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PlanTypeError

FRAME = pd.DataFrame({"a": [1]})
TABLE = pa.table({"a": [1]})


def given(collection: Any) -> None:
    StreamExecutionEnvironment.get_execution_environment().from_collection(collection)


class Pair(NamedTuple):
    left: int
    right: int


class OwnFrame(pd.DataFrame):
    pass


@pytest.mark.parametrize(
    ("collection", "remedy"),
    [
        ("abc", r"\[text\]"),
        (UserString("abc"), r"\[text\]"),
        (b"abc", r"\[data\]"),
        (bytearray(b"abc"), r"\[data\]"),
        (memoryview(b"abc"), r"\[data\]"),
        ({"a": 1}, r"\.items\(\)"),
        (MappingProxyType({"a": 1}), r"\.items\(\)"),
        (Row(1, 2), r"\[row\]"),
        (Pair(1, 2), r"\[row\]"),
        (FRAME, r"DataFrame of pandas; use from_pandas"),
        (OwnFrame({"a": [1]}), r"from_pandas"),
        (TABLE, r"from_arrow\(table\)"),
        (TABLE.to_batches()[0], r"from_arrow"),
        (TABLE.to_reader(), r"read_all"),
        (TABLE["a"], r"to_pylist"),
        (pa.array([1]), r"to_pylist"),
        (3, r"\[element\]"),
        (None, r"\[element\]"),
        (itertools.count(), r"count\(0\) never ends.*islice"),
        (itertools.cycle([1]), "never ends"),
        (itertools.repeat(1), "never ends"),
    ],
)
def test_other_objects_are_refused_with_a_remedy(collection: Any, remedy: str) -> None:
    with pytest.raises(PlanTypeError, match=remedy):
        given(collection)


def test_a_polars_frame_is_refused_by_its_name() -> None:
    frame = type(
        "DataFrame", (), {"__module__": "polars.dataframe.frame", "__iter__": lambda self: iter("a")}
    )
    with pytest.raises(PlanTypeError, match=r"from_arrow\(frame\.to_arrow\(\)\)"):
        given(frame())


@pytest.mark.parametrize(
    ("collection", "elements"),
    [
        (range(3), [0, 1, 2]),
        ((n for n in range(2_500)), list(range(2_500))),
        (itertools.islice(itertools.count(), 2), [0, 1]),
        (itertools.repeat("a", 2), ["a", "a"]),
        ({"a": 1}.items(), [("a", 1)]),
        (np.array([1, 2]), [1, 2]),
        (pd.Series([1, 2]), [1, 2]),
        ([], []),
        (iter([]), []),
    ],
)
def test_elements_of_finite_collections_in_order(collection: Any, elements: list[Any]) -> None:
    assert collection_elements(collection) == elements


def test_a_long_iterator_is_warned_about_once() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 20_000

    said = r"not ended after [\d,]+ elements, which take \d+ MiB; .*If it never ends, .*islice"
    with pytest.warns(UserWarning, match=said) as warned, pytest.raises(PlanTypeError, match="not ended"):
        _read_bounded(endless(), 160 << 20)
    (warning,) = warned
    assert warning.filename == __file__


def test_a_short_iterator_is_not_warned_about(recwarn: pytest.WarningsRecorder) -> None:
    assert _read_bounded(iter(range(10_000)), 1 << 40) == list(range(10_000))
    assert not recwarn.list


def test_an_endless_iterator_is_refused_before_memory_is_full() -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 100_000

    with pytest.raises(PlanTypeError, match=r"not ended after .* elements, which take .* MiB.*islice"):
        _read_bounded(endless(), 0)
