"""Functions over fields of elements that are columns: results, order and errors of calls with elements."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from pystream.common import Configuration, Row, Time, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AggregateFunction,
    MapFunction,
    ReduceFunction,
    RuntimeContext,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.state import ValueStateDescriptor
from pystream.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows
from pystream.errors import JobExecutionError

LONG, STRING = Types.LONG(), Types.STRING()
SALE: Any = Types.ROW_NAMED(["item", "price", "town"], [STRING, LONG, STRING])
SALES = pa.table({"item": ["tea", "rum", "ale"], "price": [3, 20, 0], "town": ["Ely", "Ayr", "Ely"]})
known: dict[str, int] = {}


def number(name: str) -> int:
    """Return the number of a name, by order of first use."""
    return known.setdefault(name, len(known))


def number_of_town(sale: Any) -> int:
    return number(sale.town)


class Scale(MapFunction[Any, Any]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.by = 10

    def map(self, value: Any) -> Any:
        return Row(value.item, self.scaled(value), value.town)

    def scaled(self, sale: Any) -> int:
        return sale.price * self.by


def test_maps_and_filters_run_over_fields(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(1)
    sales = env.from_arrow(SALES)
    kept = sales.filter(lambda sale: len(known) >= 0 and sale.item != "rum").map(Scale(), SALE)
    rows = kept.map(lambda sale: (number_of_town(sale), sale.item), Types.TUPLE([LONG, STRING]))
    assert str(rows.explain()).count("fields  ") == 3
    assert kept.to_arrow().to_pydict() == {"item": ["tea", "ale"], "price": [30, 0], "town": ["Ely", "Ely"]}
    assert rows.to_arrow().to_pydict() == {"f0": [0, 0], "f1": ["tea", "ale"]}


def test_projections_and_scalars_are_columns(env: StreamExecutionEnvironment) -> None:
    env.set_parallelism(1)
    pair: Any = Types.TUPLE([LONG, STRING])
    pairs = env.from_arrow(SALES).map(lambda sale: (number(sale.town), sale.item), pair)
    items = pairs.project(1).map(lambda pair: pair[0], STRING).filter(lambda item: number(item) >= 0)
    shouts = items.map(str.upper, STRING).filter(lambda item: item != "RUM")
    echoes = shouts.flat_map(lambda item: [item, item + "!"] if item < "B" else [item], STRING)
    explained = str(echoes.explain())
    assert (explained.count("fields  "), explained.count("arrow  ")) == (3, 4)
    with echoes.execute_and_collect() as results:
        assert list(results) == ["TEA", "ALE", "ALE!"]


class Chosen(MapFunction[Any, Any]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.map = self.other  # type: ignore[method-assign]

    def map(self, value: Any) -> Any:
        return f"{value.item}?"

    def other(self, value: Any) -> Any:
        return f"{value.item}!"


def test_a_method_that_open_replaces_is_the_new_one(env: StreamExecutionEnvironment) -> None:
    with env.from_arrow(SALES).map(Chosen(), STRING).execute_and_collect() as results:
        assert sorted(results) == ["ale!", "rum!", "tea!"]


def test_streams_do_not_see_what_others_change(env: StreamExecutionEnvironment) -> None:
    def changed(sale: Any) -> Any:
        sale["price"] = 99
        return sale.price

    sales = env.from_arrow(SALES)
    first = sales.filter(lambda sale: number(sale.item) >= 0).map(changed, LONG)
    second = sales.map(lambda sale: f"{sale}", STRING)
    texts = first.map(str, STRING).union(second)
    with texts.execute_and_collect() as results:
        assert sorted(text for text in results if "99" in text) == ["99", "99", "99"]


def test_an_error_names_the_element_and_the_line(env: StreamExecutionEnvironment) -> None:
    sales = env.from_arrow(SALES)
    shares = sales.map(lambda sale: number(sale.item) + 60 // sale.price, LONG)
    with pytest.raises(JobExecutionError) as caught:
        shares.to_arrow()
    text = str(caught.value)
    assert "Row(item='ale', price=0, town='Ely')" in text
    assert "ZeroDivisionError" in text
    assert "number(sale.item) + 60 // sale.price" in text


class Mean(AggregateFunction[Any, Any, Any]):
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: Any, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value.price, accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        return a[0] + b[0], a[1] + b[1]


def test_operators_after_windows_run_over_columns(env: StreamExecutionEnvironment) -> None:
    count = 600
    sales = env.from_arrow(pa.table({"town": [n % 200 for n in range(count)], "price": range(count)}))
    means = sales.key_by("town").count_window(3).aggregate(Mean(), output_type=Types.DOUBLE())
    shown = means.filter(lambda mean: mean > 250).map(lambda mean: format(mean, ".1f"), STRING)
    assert str(shown.explain()).count("arrow  ") == 1
    expected = [format(town + 200.0, ".1f") for town in range(200) if town + 200 > 250]
    with shown.execute_and_collect() as results:
        assert sorted(results) == expected


def farther(a: Any, b: Any) -> Any:
    return Row(town=a.town, x=math.hypot(a.x, b.x), at=b.at)


class Walk(ReduceFunction[Any]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.steps = runtime_context.get_state(ValueStateDescriptor("steps", LONG))

    def reduce(self, value1: Any, value2: Any) -> Any:
        steps = (self.steps.value() or 0) + 1
        self.steps.update(steps)
        return Row(town=value1.town, x=self.far(value1) + steps, at=value2.at)

    def far(self, place: Any) -> Any:
        return math.floor(place.x)


class At(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value.at)


PLACES = pa.table({"town": [*"abaab"], "x": [3.0, 1.0, 4.0, 12.0, 0.0], "at": [0, 1, 2, 13, 14]})


@pytest.mark.parametrize(
    ("function", "xs"),
    [(farther, {"a": [3.0, 5.0, 13.0], "b": [1.0, 1.0]}), (Walk(), {"a": [3.0, 4.0, 6.0], "b": [1.0, 2.0]})],
)
def test_rolling_reductions_run_over_fields(env: StreamExecutionEnvironment, function: Any, xs: Any) -> None:
    reduced = env.from_arrow(PLACES).key_by("town").reduce(function)
    texts = reduced.map(lambda place: format(place.x, ".1f"), STRING)
    assert str(texts.explain()).count("fields  ") == 2
    found: dict[str, list[float]] = {}
    for town, x in zip(*reduced.to_arrow().select(["town", "x"]).to_pydict().values(), strict=True):
        found.setdefault(town, []).append(x)
    assert found == xs
    with texts.execute_and_collect() as results:
        assert sorted(results) == sorted(format(x, ".1f") for of_town in xs.values() for x in of_town)


@pytest.mark.parametrize(
    ("assigner", "xs"),
    [
        (TumblingEventTimeWindows.of(Time.milliseconds(10)), [5.0, 12.0, 1.0, 0.0]),
        (EventTimeSessionWindows.with_gap(Time.milliseconds(12)), [13.0, 1.0, 0.0]),
        (None, [5.0, 1.0]),
    ],
    ids=["tumbling", "session", "count"],
)
def test_windows_reduce_over_fields(env: StreamExecutionEnvironment, assigner: Any, xs: Any) -> None:
    places = env.from_arrow(PLACES)
    strategy: Any = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(At())
    keyed = places.assign_timestamps_and_watermarks(strategy).key_by("town")
    windowed: Any = keyed.count_window(2) if assigner is None else keyed.window(assigner)
    reduced = windowed.reduce(farther)
    assert "called with 2 fields" in str(reduced.explain())
    with reduced.execute_and_collect() as results:
        assert [row.x for row in sorted(results, key=lambda row: (row.town, row.at))] == xs


def test_in_batch_mode_the_last_results_are_those_over_fields(env: StreamExecutionEnvironment) -> None:
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    reduced = env.from_arrow(PLACES).key_by("town").reduce(farther)
    assert "fields  " in str(reduced.explain())
    assert sorted(reduced.to_arrow()["x"].to_pylist()) == [1.0, 13.0]


class Step(NamedTuple):
    town: str
    x: float
    n: int


@pytest.mark.parametrize("n", [1, 2**62])
def test_reduced_elements_of_an_inferred_type_stay_as_they_are(
    env: StreamExecutionEnvironment, n: int
) -> None:
    steps = env.from_arrow(PLACES).map(lambda place: Step(place.town, place.x, n))
    reduced = steps.key_by(lambda step: step.town).reduce(
        lambda a, b: a._replace(x=math.hypot(a.x, b.x), n=a.n + b.n)
    )
    assert str(steps.get_type()).endswith("(inferred)")
    assert str(reduced.explain()).count("fields  ") == 1
    with reduced.execute_and_collect() as results:
        assert sorted(results) == [
            Step("a", 3.0, n),
            Step("a", 5.0, 2 * n),
            Step("a", 13.0, 3 * n),
            Step("b", 1.0, n),
            Step("b", 1.0, 2 * n),
        ]


COUNTS = pa.table({"key": [*"abc"] * 200, "n": [*range(600)], "at": [*range(600)]})  # more than arrive singly


@pytest.mark.parametrize(
    "reduce",
    [
        lambda a, b: Row(key=a.key, n=a.n + math.isqrt(b.n), at=b.at),
        lambda a, b: Row(a[0], a[1] + math.isqrt(b[1]), b[2]),
        lambda a, b: (a[0], a[1] + math.isqrt(b[1]), b[2]),
    ],
    ids=["row", "unnamed row", "tuple"],
)
@pytest.mark.parametrize("way", ["rolling", "tumbling", "session", "count"])
@pytest.mark.parametrize("is_declared", [True, False], ids=["declared", "inferred"])
def test_many_elements_are_reduced_as_by_calls(
    env: StreamExecutionEnvironment, reduce: Any, way: str, is_declared: bool
) -> None:
    def results(env: StreamExecutionEnvironment) -> list[str]:
        counts = env.set_parallelism(1).from_arrow(COUNTS)
        if not is_declared:
            counts = counts.map(lambda count: Row(key=count.key, n=count.n, at=count.at))
        strategy: Any = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(At())
        keyed: Any = counts.assign_timestamps_and_watermarks(strategy).key_by(lambda count: count[0])
        reduced = {
            "rolling": lambda: keyed,
            "tumbling": lambda: keyed.window(TumblingEventTimeWindows.of(Time.milliseconds(100))),
            "session": lambda: keyed.window(EventTimeSessionWindows.with_gap(Time.milliseconds(4))),
            "count": lambda: keyed.count_window(7),
        }[way]()
        with reduced.reduce(reduce).execute_and_collect() as found:
            return sorted(map(repr, found))

    by_calls = StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict({"pystream.lifting": "false"})
    )
    assert results(env) == results(by_calls)


def unnamed(a: Any, b: Any) -> Any:
    return Row(a.town, math.hypot(a.x, b.x), b.at)


def test_rows_without_names_that_the_next_call_reads_by_name_fail(env: StreamExecutionEnvironment) -> None:
    reduced = env.from_arrow(PLACES).key_by("town").reduce(unnamed)
    explained = str(reduced.explain())
    assert "typed  " in explained
    assert "those of rows by name" in explained
    with pytest.raises(JobExecutionError, match="town") as caught:
        reduced.to_arrow()
    assert "Row(town='a', x=12.0, at=13)" in str(caught.value)


def test_an_error_of_a_reduction_names_the_element_and_the_line(env: StreamExecutionEnvironment) -> None:
    reduced = (
        env.from_arrow(PLACES)
        .key_by("town")
        .reduce(lambda a, b: Row(town=a.town, x=a.x + 1 / b.x + math.floor(a.x), at=b.at))
    )
    with pytest.raises(JobExecutionError) as caught:
        reduced.to_arrow()
    text = str(caught.value)
    assert "Row(town='b', x=0.0, at=14)" in text
    assert "ZeroDivisionError" in text
    assert "x=a.x + 1 / b.x" in text
