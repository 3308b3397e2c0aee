"""A function that may have several results must not return one whose parts would be taken for them."""

from __future__ import annotations

from collections import UserString, deque
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pytest

from pystream.common import Row
from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FLAT_MAP, PROCESS
from pystream.engine.results.collections import SeveralResultsError
from pystream.engine.results.collector import Collector
from pystream.kinds import OperatorKind
from tests.unit.engine.tasks import collect, operator, run


class Pair(NamedTuple):
    left: int
    right: int


class Columns(list[int]):
    """A collection of results that says something about columns."""

    columns = ("a", "b")


MISTAKES = [
    ("abc", "characters"),
    ("", "characters"),
    (UserString("abc"), "characters"),
    (b"abc", "bytes"),
    (bytearray(b"abc"), "bytes"),
    ({"a": 1}, "keys"),
    (Row(1, 2), "fields"),
    (Pair(1, 2), "fields"),
    (MappingProxyType({"a": 1}), "keys"),
    (pd.DataFrame({"a": [1]}), "columns"),
    (pa.table({"a": [1]}), "columns"),
    (pa.record_batch({"a": [1]}), "columns"),
    (7, "not a collection"),
    (object(), "not a collection"),
]


@pytest.mark.parametrize(("returned", "why"), MISTAKES)
@pytest.mark.parametrize("kind", [FLAT_MAP, PROCESS])
def test_one_result_in_place_of_several_is_refused(kind: OperatorKind, returned: Any, why: str) -> None:
    with pytest.raises(TaskFailure) as failure:
        run(
            (operator(kind, lambda value, *context: [value] if value < 3 else returned, collect()),),
            [[1, 2, 3]],
        )
    report = failure.value.report
    assert report.summary.startswith("SeveralResultsError: the function returned ")
    assert why in report.summary
    assert report.summary.endswith("return a list, such as [result], or yield each result")
    assert report.element == "3"


@pytest.mark.parametrize(("returned", "why"), MISTAKES)
def test_a_collector_refuses_it_as_well(returned: Any, why: str) -> None:
    with pytest.raises(SeveralResultsError, match=why):
        Collector().add_all(returned, NO_TIMESTAMP)


class Legacy:
    """Iterable as sequences were before there were iterators."""

    def __getitem__(self, index: int) -> int:
        return [1, 2][index]


@pytest.mark.parametrize(
    "make",
    [
        lambda: [1, 2],
        lambda: (1, 2),
        lambda: iter([1, 2]),
        lambda: range(1, 3),
        lambda: {1: "a", 2: "b"}.keys(),
        lambda: deque([1, 2]),
        lambda: map(int, "12"),
        lambda: pd.Series([1, 2]),
        lambda: (number for number in (1, 2)),
        lambda: Columns([1, 2]),
        Legacy,
    ],
)
def test_any_collection_of_results_is_taken(make: Any) -> None:
    flat = operator(FLAT_MAP, lambda value: None if value else make(), collect())
    assert run((flat,), [[1, 0, 1]]) == {0: [1, 2]}
