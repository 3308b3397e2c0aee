"""Key selectors and window functions that take batches."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from pystream.arguments.batches import vector_function
from pystream.datastream import KeySelector, ProcessWindowFunction
from pystream.datastream.streams.key_functions import key_function
from pystream.engine.failure import TaskFailure
from pystream.engine.keys import KeyReader
from pystream.engine.spec import KeySpec
from pystream.engine.vectorised.windows import VectorWindowFunction
from tests.unit.engine.tasks import label
from typeinfo import Types
from typeinfo.info import TypeInformation

LONG, STRING = Types.LONG(), Types.STRING()
PAIR = Types.TUPLE((LONG, STRING))


def reader(selector: Any, takes: TypeInformation[Any], gives: TypeInformation[Any]) -> KeyReader:
    key = key_function(takes, selector, gives)
    return KeyReader(KeySpec(key.function.payload, key.type_info), label("Key"))


def thirds(batch: pd.Series) -> pd.Series:
    return batch % 3


def texts(rows: pa.RecordBatch) -> pa.Array:
    return rows.column("f1")


def both(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


class Thirds(KeySelector[Any, Any]):
    def get_key(self, value: pd.Series) -> pd.Series:
        return value % 3


class TestKeys:
    @pytest.mark.parametrize("selector", [thirds, Thirds()])
    def test_keys_of_a_batch(self, selector: Any) -> None:
        keys = reader(selector, LONG, LONG).read([1, 2, 3, 4])
        one_by_one = reader(lambda value: value % 3, LONG, LONG).read([1, 2, 3, 4])
        assert (keys.keys, keys.slots) == (one_by_one.keys, one_by_one.slots)
        assert {type(key) for key in keys.keys} == {int}

    def test_a_key_of_rows(self) -> None:
        assert reader(texts, PAIR, STRING).read([(1, "a"), (2, "b")]).keys == ["a", "b"]

    def test_a_key_of_several_fields(self) -> None:
        keys = reader(both, PAIR, PAIR).read([(1, "a"), (2, "b")])
        assert keys.slots == reader(lambda pair: pair, PAIR, PAIR).read([(1, "a"), (2, "b")]).slots

    def test_the_slot_of_a_key_is_that_of_the_elements(self) -> None:
        keys = reader(thirds, LONG, LONG)
        assert keys.slot_of(2) == keys.read([5]).slots[0]

    def test_a_missing_key_is_refused(self) -> None:
        def gone(batch: pd.Series) -> pd.Series:
            return batch.astype("Int64").where(batch > 1)

        with pytest.raises(TaskFailure, match="None is not a LONG") as failed:
            reader(gone, LONG, LONG).read([5, 1])
        assert failed.value.report.element == "result 1 of a batch of 2 elements"

    def test_a_failing_selector_is_reported(self) -> None:
        def broken(batch: pd.Series) -> pd.Series:
            raise KeyError("oh")

        with pytest.raises(TaskFailure, match="KeyError: 'oh'") as failed:
            reader(broken, LONG, LONG).read([5, 1])
        assert failed.value.report.element == "in a batch of 2 elements, the first of them 5"

    def test_too_few_keys(self) -> None:
        def first(batch: pd.Series) -> pd.Series:
            return batch[:1]

        with pytest.raises(TaskFailure, match="got 2 elements and returned 1"):
            reader(first, LONG, LONG).read([5, 1])

    def test_one_element_is_a_batch_of_one(self) -> None:
        selector = key_function(LONG, thirds, LONG).function
        assert pickle.loads(selector.payload)(5) == 2


class Spread(ProcessWindowFunction[Any, Any, Any, Any]):
    """Logs its calls; returns the difference of the extremes of a window."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def clear(self, context: Any) -> None:
        self.calls.append("clear")

    def process(self, key: Any, context: Any, elements: pd.Series) -> Iterator[Any]:
        self.calls.append(f"process {key} {context} {elements.dtype}")
        yield int(elements.max() - elements.min())


def test_a_window_function_gets_columns() -> None:
    function = Spread()
    vector = vector_function(LONG, function, "process", ProcessWindowFunction, "process")
    assert vector is not None
    handed = VectorWindowFunction(vector)
    assert handed.function is function  # which the operator opens and closes
    assert list(handed.process("k", "c", [4, 9, 2])) == [7]
    handed.clear("c")
    assert function.calls == ["process k c int64", "clear"]
