"""Functions called once per batch, driven by hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pystream.common import Row, Time, Types
from pystream.datastream import AllWindowFunction, MapFunction, RuntimeContext, WindowFunction
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import PlanError
from pystream.testing import FunctionTestHarnesses, HarnessError, StreamRecord, WindowTestHarnesses
from typeinfo.errors import TypeCheckError

LONG, STRING = Types.LONG(), Types.STRING()
SALE = Types.ROW_NAMED(["item", "price"], [STRING, LONG])
SALES = [Row(item="tea", price=3), Row(item="rum", price=20), Row(item="tea", price=8)]
WINDOWS = TumblingEventTimeWindows.of(Time.milliseconds(10))


def share(batch: pd.Series) -> pd.Series:
    return batch * 100 // batch.sum()


def large(batch: pa.Array) -> pa.Array:
    return pc.greater(batch, 10)


def twice(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.loc[rows.index.repeat(2)]


def items(rows: pd.DataFrame) -> pd.Series:
    return rows["item"]


def dearer(one: Any, other: Any) -> Any:
    return max(one, other, key=lambda row: row.price)


class Raised(MapFunction[Any, Any]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.by = 1

    def map(self, value: pd.DataFrame) -> pd.DataFrame:
        return value.assign(price=value["price"] + self.by)


class Total(WindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, inputs: pa.RecordBatch) -> Iterable[Any]:
        return [(key, pc.sum(inputs.column("price")).as_py())]


class Count(AllWindowFunction[Any, Any, Any]):
    def apply(self, window: Any, inputs: pd.DataFrame) -> Iterable[Any]:
        yield len(inputs)


def test_elements_pushed_together_are_one_batch() -> None:
    with FunctionTestHarnesses.for_map(share, output_type=LONG, element_type=LONG) as shares:
        shares.process_elements([1, 3], 7)
        shares.process_elements([])
        shares.process_element(5)
        assert shares.get_output() == [StreamRecord(25, 7), StreamRecord(75, 7), StreamRecord(100, None)]
        with pytest.raises(TypeCheckError, match=r"'5' \(str\) is not a LONG"):
            shares.process_elements([1, "5"])


def same_sale(one: Any, other: Any) -> Any:
    assert isinstance(one, Row)
    assert isinstance(other, Row)
    return other


def is_sale(value: Any) -> bool:
    return isinstance(value, Row)


class Kinds(WindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return [type(value).__name__ for value in inputs]


def test_elements_are_what_a_collection_would_hold() -> None:
    tuples: list[Any] = [("tea", 3), ("tea", 8)]
    with FunctionTestHarnesses.for_map(Raised(), output_type=SALE, element_type=SALE) as raised:
        raised.process_elements(tuples)
        assert [row.price for row in raised.extract_output_values()] == [4, 9]
    with FunctionTestHarnesses.for_flat_map(twice, output_type=SALE, element_type=SALE) as doubled:
        doubled.process_element(tuples[0])
        assert [row.price for row in doubled.extract_output_values()] == [3, 3]
    with FunctionTestHarnesses.for_map(is_sale, element_type=SALE) as told:
        told.process_elements(tuples)
        assert told.extract_output_values() == [True, True]
    with FunctionTestHarnesses.for_filter(is_sale, element_type=SALE) as kept:
        kept.process_elements(tuples)
        assert [row.price for row in kept.extract_output_values()] == [3, 8]
    with FunctionTestHarnesses.for_reduce(same_sale, items, STRING, element_type=SALE) as last:
        last.process_elements(tuples)
        assert [row.price for row in last.extract_output_values()] == [3, 8]
    with WindowTestHarnesses(WINDOWS, items, element_type=SALE, key_type=STRING).apply(
        Kinds(), STRING
    ) as kinds:
        kinds.process_elements(tuples, 4)
        kinds.end_input()
        assert kinds.extract_output_values() == ["Row", "Row"]
    with (
        FunctionTestHarnesses.for_map(share, output_type=LONG, element_type=LONG) as shares,
        pytest.raises(TypeCheckError, match=r"True \(bool\) is not a LONG"),
    ):
        shares.process_elements([1, True])


def test_filters_flat_maps_and_function_objects() -> None:
    with FunctionTestHarnesses.for_filter(large, element_type=LONG) as kept:
        kept.process_elements([9, 11, 10, 12], 5)
        assert kept.get_output() == [StreamRecord(11, 5), StreamRecord(12, 5)]
    with FunctionTestHarnesses.for_flat_map(twice, output_type=SALE, element_type=SALE) as doubled:
        doubled.process_elements(SALES[:2])
        assert [row.item for row in doubled.extract_output_values()] == ["tea", "tea", "rum", "rum"]
    with FunctionTestHarnesses.for_map(Raised(), output_type=SALE, element_type=SALE) as raised:
        raised.process_elements(SALES)
        assert [row.price for row in raised.extract_output_values()] == [4, 21, 9]


def test_keys_of_batches() -> None:
    with FunctionTestHarnesses.for_reduce(dearer, items, STRING, element_type=SALE) as most:
        most.process_elements(SALES)
        assert [row.price for row in most.extract_output_values()] == [3, 20, 8]


def test_windows_as_columns() -> None:
    with WindowTestHarnesses(WINDOWS, items, element_type=SALE, key_type=STRING).apply(Total()) as totals:
        totals.process_elements(SALES, 4)
        totals.process_watermark(9)
        assert sorted(totals.extract_output_values()) == [("rum", 20), ("tea", 11)]
    with WindowTestHarnesses(WINDOWS, element_type=SALE).apply(Count()) as counts:
        counts.process_elements(SALES, 4)
        counts.end_input()
        assert counts.extract_output_values() == [3]


def test_batches_of_unknown_elements_are_refused() -> None:
    with pytest.raises(PlanError, match=r"share .*takes pandas\.Series.*element_type=Types"):
        FunctionTestHarnesses.for_map(share, output_type=LONG)
    with pytest.raises(PlanError, match=r"large .*takes pyarrow\.Array.*element_type=Types"):
        FunctionTestHarnesses.for_filter(large)
    with pytest.raises(PlanError, match=r"Count .*takes pandas\.DataFrame.*element_type=Types"):
        WindowTestHarnesses(WINDOWS).apply(Count())


def test_batches_without_declared_results_are_refused() -> None:
    with pytest.raises(PlanError, match=r"share .*returns batches.*output_type=Types"):
        FunctionTestHarnesses.for_map(share, element_type=LONG)


@pytest.mark.parametrize("keys", [{"key_selector": lambda row: 1 // 0}, {"key_type": LONG}])
@pytest.mark.parametrize(
    ("make", "function", "name"),
    [
        (partial(FunctionTestHarnesses.for_map, output_type=LONG), share, r"share takes pd\.Series"),
        (partial(FunctionTestHarnesses.for_map, output_type=LONG), Raised(), r"Raised takes pd\.DataFrame"),
        (partial(FunctionTestHarnesses.for_flat_map, output_type=LONG), share, "share"),
        (FunctionTestHarnesses.for_filter, large, r"large takes pa\.Array"),
    ],
)
def test_a_batch_has_no_key(make: Any, function: Any, name: str, keys: dict[str, Any]) -> None:
    element_type = SALE if isinstance(function, Raised) else LONG
    with pytest.raises(
        HarnessError, match=f"{name}.*called once per batch has no key.*leave out key_selector"
    ):
        make(function, element_type=element_type, **keys)


def test_a_fold_has_no_columns() -> None:
    windows = WindowTestHarnesses(WINDOWS, element_type=SALE)
    with pytest.raises(PlanError, match="receives only the aggregate"):
        windows.reduce(dearer, Count())
