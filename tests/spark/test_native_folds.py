"""Native folds of keys and windows: the results are those of Python."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from pystream.common import Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    OutputTag,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import (
    CountTrigger,
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    WindowAssigner,
)
from tests.explained import last_path
from tests.spark.lifted_programs import (
    Program,
    compare_timed,
    environment,
    outcome,
    pythons_failure,
    refusal,
    rows_of,
    rows_of_table,
    same_failure,
    same_results,
)
from typeinfo import Row
from typeinfo.info import TypeInformation

LONG, STRING = Types.LONG(), Types.STRING()
MOST, LEAST = 2**63 - 1, -(2**63)
PAIR = Types.TUPLE([LONG, LONG])


@pytest.fixture(autouse=True)
def none_left(spark: SparkSession, no_job_left: None) -> None:
    """Run all by the one session of the run, and fail a test that leaves a job running."""


@dataclass
class Sale:
    shop: int
    amount: int


class Point(NamedTuple):
    shop: int
    amount: int


class Item(TypedDict):
    shop: int
    amount: int


class Partial(TypedDict, total=False):
    shop: int
    amount: int


AGGREGATIONS = ("sum", "min", "max", "min_by", "max_by")


@pytest.mark.parametrize("kind", AGGREGATIONS)
class TestFieldFolds:
    def aggregated(self, kind: str, values: Program, key: Any, *field: Any) -> Program:
        return lambda env: getattr(values(env).key_by(key), kind)(*field)

    @pytest.mark.parametrize("field", [1, "v"])
    def test_rows(self, spark: SparkSession, kind: str, field: int | str) -> None:
        values = [("a", 5), ("b", -7), ("a", -2), ("c", None), ("b", -7), ("a", 5)]
        rows = rows_of(spark, values, "k string, v long")
        found = {row.k: row.v for row in same_results(self.aggregated(kind, rows, "k", field))}
        assert found["c"] is None
        assert found["a"] == {"sum": 8, "min": -2, "min_by": -2, "max": 5, "max_by": 5}[kind]

    @pytest.mark.parametrize("make", [Sale, Point])
    @pytest.mark.parametrize("field", [1, "amount"])
    def test_records(self, kind: str, make: Any, field: int | str) -> None:
        t: TypeInformation[Any] = Types.of(make)

        def sales(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(-9, 9).map(lambda n: make(n % 4, n * n % 7 - 3), t)

        found = same_results(self.aggregated(kind, sales, lambda sale: sale.shop, field))
        assert {type(value) for value in found} == {make}

    def test_tuples_and_what_has_no_fields(self, kind: str) -> None:
        def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(-9, 9).map(lambda n: (n % 4, n), PAIR)

        def numbers(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(-9, 9)

        same_results(self.aggregated(kind, pairs, lambda pair: pair[0], 1))
        same_results(self.aggregated(kind, numbers, lambda n: n % 4))

    def test_none_and_what_the_type_does_not_hold(self, spark: SparkSession, kind: str) -> None:
        rows = rows_of(spark, [("a", 1), ("a", None)], "k string, v long")
        pythons_failure(self.aggregated(kind, rows, "k", 1), "NoneType")
        large = rows_of(spark, [("a", MOST), ("b", LEAST), ("a", 1), ("b", -1)], "k string, v long")
        if kind == "sum":
            pythons_failure(self.aggregated(kind, large, "k", 1), "922337203685477580")
        else:
            same_results(self.aggregated(kind, large, "k", 1))

    def test_sums_in_range_of_what_is_not_on_the_way(self, spark: SparkSession, kind: str) -> None:
        if kind == "sum":
            large = rows_of(spark, [("a", MOST), ("a", 1), ("a", -5)], "k string, v long")
            same_results(self.aggregated(kind, large, "k", 1), perhaps=True)
        small = rows_of(spark, [("a", 127), ("a", 100), ("a", -120)], "k string, v tinyint")
        same_results(self.aggregated(kind, small, "k", 1), perhaps=True)

    def test_what_the_order_decides_is_refused(self, spark: SparkSession, kind: str) -> None:
        rows = rows_of(spark, [("a", 1, 2)], "k string, v long, w long")
        reason = refusal(self.aggregated(kind, rows, "k", "v"))
        several = "the first of several elements that are equal but for field 2"
        wanted = several if kind.endswith("_by") else "the first of field 2"
        assert f"keeps {wanted}, which the order of elements decides" in reason
        both: Callable[[Any], Any] = lambda row: (row.k, row.w)  # noqa: E731
        assert last_path(self.aggregated(kind, rows, both, "v")(environment(lifting=True))) == "native"
        floats = rows_of(spark, [("a", 1.0)], "k string, v double")
        reason = refusal(self.aggregated(kind, floats, "k", "v"))
        assert "reduces field 1 of floats, where the order of the elements counts" in reason

    def test_text_and_dates(self, spark: SparkSession, kind: str) -> None:
        day = datetime.date(2024, 2, 28)
        texts = rows_of(
            spark, [("a", "é"), ("a", "z"), ("a", "\U0001f600"), ("a", "\uffee")], "k string, v string"
        )
        days = rows_of(spark, [("a", day), ("a", day.replace(year=1))], "k string, v date")
        for values, name in ((texts, "str"), (days, "date")):
            if kind == "sum":
                reason = refusal(self.aggregated(kind, values, "k", 1))
                assert f"reduces field 1 of class {name} by sum, which is not lifted" in reason
            else:
                same_results(self.aggregated(kind, values, "k", 1))

    def test_a_tuple_has_no_names(self, kind: str) -> None:
        def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(0, 9).map(lambda n: (n % 4, n), PAIR)

        reason = refusal(self.aggregated(kind, pairs, lambda pair: pair[0], "f1"))
        assert "uses ['f1'] of tuple, which has no such field" in reason

    @pytest.mark.parametrize("field", ["v", 2])
    def test_a_field_that_is_not_there_is_left_to_python(self, kind: str, field: int | str) -> None:
        def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(0, 9).map(lambda n: (n % 4, n))

        def numbers(env: StreamExecutionEnvironment) -> DataStream[Any]:
            return env.generate_sequence(0, 9).map(lambda n: n + 0)

        by_first: Callable[[Any], Any] = lambda pair: pair[0]  # noqa: E731
        reason = refusal(self.aggregated(kind, pairs, by_first, field))
        assert f"takes field {field!r} of tuple, which has no such field" in reason
        reason = refusal(self.aggregated(kind, numbers, lambda n: n % 3, field))
        assert f"takes field {field!r} of int, which has no fields" in reason


def test_keys_with_a_collation_are_as_many_as_in_python(spark: SparkSession) -> None:
    texts = [("A", "z"), ("a", "Z"), ("a", "y")]
    table = spark.createDataFrame(texts, "k string, v string").selectExpr(
        "k collate UTF8_LCASE as k", "v collate UTF8_LCASE as v"
    )
    found = same_results(lambda env: rows_of_table(table, texts)(env).key_by("k").max("v"))
    assert sorted(map(tuple, found)) == [("A", "z"), ("a", "y")]


def test_a_typed_dict_is_read_by_name_alone() -> None:
    def summed(make: Any, field: int | str) -> Program:
        def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
            items = env.generate_sequence(0, 9).map(lambda n: make(shop=n % 4, amount=n), Types.of(make))
            return items.key_by(lambda item: item["shop"]).sum(field)

        return program

    same_results(summed(Item, "amount"))
    assert "indexes Item with 1" in refusal(summed(Item, 1))
    assert "which may be missing" in refusal(summed(Partial, "amount"))


def test_a_fold_nobody_uses_fails_all_the_same(spark: SparkSession) -> None:
    rows = rows_of(spark, [("a", 1), ("a", None)], "k string, v long")
    same_failure(lambda env: rows(env).key_by("k").sum("v").map(lambda row: row.k, STRING), "NoneType")


class EventTime(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return value.t  # type: ignore[no-any-return]


def folded(a: Any, b: Any) -> Any:
    return Row(k=a.k, t=min(a.t, b.t), v=a.v + b.v, w=max(a.w, b.w))


Event = tuple[str, int, int | None, str]


class Windows:
    """A program with windows on events, each with its key, time, number and text."""

    def __init__(
        self, spark: SparkSession, events: Sequence[Event], assigner: WindowAssigner[Any, Any]
    ) -> None:
        self._rows = rows_of(spark, events, "k string, t long, v long, w string")
        self._assigner = assigner
        self.lateness = 0

    def __call__(self, env: StreamExecutionEnvironment) -> DataStream[Any]:
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
        keyed = self._rows(env).assign_timestamps_and_watermarks(strategy).key_by("k")
        return keyed.window(self._assigner).allowed_lateness(self.lateness).reduce(folded)

    def compare(self, *, perhaps: bool = False) -> list[tuple[Row[Any], int]]:
        """Return the results with their times, the same on both hosts, within a key in order."""
        (results,) = same_in_order([self], perhaps=perhaps)
        return results


def same_in_order(programs: Sequence[Windows], *, perhaps: bool = False) -> list[list[tuple[Row[Any], int]]]:
    """Run programs in one job; return the results of each, the same on both hosts, within a key in order."""
    compared = compare_timed(programs, perhaps=perhaps)
    for found, wanted in compared:
        for key in {value.k for value, _ in wanted}:
            of_key = [result for result in found if result[0].k == key]
            assert of_key == [result for result in wanted if result[0].k == key]
        assert len(found) == len(wanted)
    return [found for found, _ in compared]


def tumbling(size: int, offset: int = 0) -> WindowAssigner[Any, Any]:
    return TumblingEventTimeWindows.of(Time.milliseconds(size), Time.milliseconds(offset))


def sliding(size: int, slide: int, offset: int = 0) -> WindowAssigner[Any, Any]:
    lengths = (Time.milliseconds(n) for n in (size, slide, offset))
    return SlidingEventTimeWindows.of(*lengths)


def sessions(gap: int) -> WindowAssigner[Any, Any]:
    return EventTimeSessionWindows.with_gap(Time.milliseconds(gap))


def events_at(*times: int, key: str = "a") -> list[Event]:
    return [(key, time, number, "x") for number, time in enumerate(times)]


KINDS = {
    "tumbling": tumbling(10, 3),
    "sliding": sliding(10, 4, -1),
    "gaps": sliding(4, 10, 5),
    "sessions": sessions(10),
}


class TestWindows:
    def test_sliding_windows_hold_what_python_puts_in_them(self, spark: SparkSession) -> None:
        found = Windows(spark, events_at(0, -1, 9, 10, -10), sliding(10, 5)).compare()
        # The windows end at -6 (only -10), -1, 4, 9, 14, 19.
        assert [(time, value[2]) for value, time in found] == [
            (-6, 4),
            (-1, 5),
            (4, 1),
            (9, 2),
            (14, 5),
            (19, 3),
        ]

    def test_a_size_that_is_no_multiple_of_the_slide(self, spark: SparkSession) -> None:
        Windows(spark, events_at(*range(-25, 25)), sliding(10, 4, -1)).compare()

    def test_elements_between_windows_with_gaps_are_dropped(self, spark: SparkSession) -> None:
        found = Windows(spark, events_at(0, 1, 2, 3, 4, -1, -10, -7), sliding(3, 10)).compare()
        assert [(time, value[2]) for value, time in found] == [(-8, 6), (2, 3)]

    @pytest.mark.parametrize("windows", [sliding(3, 10), tumbling(3)])
    def test_the_key_of_an_element_in_no_window_is_read(
        self, spark: SparkSession, windows: WindowAssigner[Any, Any]
    ) -> None:
        def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
            rows = rows_of(spark, [(0, 5), (1, 0)], "k long, t long")(env)
            strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
            keyed = rows.assign_timestamps_and_watermarks(strategy).key_by(lambda row: 10 // row.k)
            return keyed.window(windows).reduce(lambda a, b: Row(k=min(a.k, b.k), t=max(a.t, b.t)))

        pythons_failure(program, "ZeroDivisionError")

    def test_sessions_touch_at_the_gap_and_part_one_ms_after_it(self, spark: SparkSession) -> None:
        found = Windows(spark, events_at(-15, -25, 6, -5, 16, 27, 27), sessions(10)).compare()
        assert [(value[1], time) for value, time in found] == [(-25, 4), (6, 25), (27, 36)]

    def test_a_session_of_one_key_says_nothing_of_another(self, spark: SparkSession) -> None:
        events = [*events_at(0, 20, 40, key="a"), *events_at(10, 30, 50, key="b")]
        assert len(Windows(spark, events, sessions(10)).compare()) == 6

    @pytest.mark.parametrize("kind", KINDS)
    def test_none_is_kept_alone_and_fails_with_others(self, spark: SparkSession, kind: str) -> None:
        alone: list[Event] = [("a", 5, None, "x"), ("a", 105, 1, "x"), ("a", 107, 2, "y")]
        assert None in [value[2] for value, _ in Windows(spark, alone, KINDS[kind]).compare()]
        pythons_failure(Windows(spark, [*alone, ("a", 5, 1, "x")], KINDS[kind]), "NoneType")

    @pytest.mark.parametrize("kind", KINDS)
    def test_sums_beyond_64_bits(self, spark: SparkSession, kind: str) -> None:
        pythons_failure(Windows(spark, [("a", 5, MOST, "x"), ("a", 5, 1, "x")], KINDS[kind]), str(MOST + 1))
        way: list[Event] = [("a", 5, MOST, "x"), ("a", 5, 1, "x"), ("a", 5, -9, "x")]
        Windows(spark, way, KINDS[kind]).compare(perhaps=True)

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_ends_of_time(self, spark: SparkSession, kind: str) -> None:
        pythons_failure(Windows(spark, events_at(MOST - 2, 0), KINDS[kind]), "ends after 2^63 - 1 ms")
        Windows(spark, events_at(LEAST + 12, LEAST + 25, MOST - 40, MOST - 37, 0), KINDS[kind]).compare()

    def test_windows_may_end_with_time_itself(self, spark: SparkSession) -> None:
        assert Windows(spark, events_at(MOST - 4), sessions(5)).compare()[0][1] == MOST
        assert Windows(spark, events_at(MOST - 4), tumbling(8)).compare()[0][1] == MOST

    @pytest.mark.parametrize("kind", ["tumbling", "sliding", "gaps"])
    def test_no_time_fails(self, spark: SparkSession, kind: str) -> None:
        pythons_failure(Windows(spark, events_at(LEAST, 5), KINDS[kind]), "without a timestamp")

    @pytest.mark.parametrize("gap", [1, 2])
    def test_no_time_in_sessions_is_a_time(self, spark: SparkSession, gap: int) -> None:
        Windows(spark, events_at(LEAST, 5), sessions(gap)).compare()

    @pytest.mark.parametrize("kind", KINDS)
    def test_nothing_is_late_in_batch_mode(self, spark: SparkSession, kind: str) -> None:
        windows = Windows(spark, events_at(50, 3, 47, 5, -3, 0), KINDS[kind])
        on_time = windows.compare()
        windows.lateness = 7
        assert windows.compare() == on_time

    def test_what_else_a_window_does_is_left_to_python(self, spark: SparkSession) -> None:
        def windowed(assigner: WindowAssigner[Any, Any]) -> Any:
            rows = rows_of(spark, events_at(1), "k string, t long, v long, w string")(
                environment(lifting=True)
            )
            strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
            return rows.assign_timestamps_and_watermarks(strategy).key_by("k").window(assigner)

        reason = "is not a plain tumbling, sliding or session window of event time with a reduce or aggregate"
        late: OutputTag[Any] = OutputTag("late", PAIR)
        dynamic = EventTimeSessionWindows.with_dynamic_gap(lambda row: 5)
        for refused in (
            windowed(sessions(5)).trigger(CountTrigger.of(2)),
            windowed(tumbling(5)).side_output_late_data(late),
            windowed(dynamic),
        ):
            assert reason in refusal(lambda env, windows=refused: windows.reduce(folded))  # type: ignore[misc]
        assert "longer than 2^63 - 1 ms" in refusal(lambda env: windowed(tumbling(2**70)).reduce(folded))

    def test_elements_that_may_be_none_are_left_to_python(self, spark: SparkSession) -> None:
        def program(env: StreamExecutionEnvironment) -> DataStream[Any]:
            numbers = rows_of(spark, [(1,), (None,)], "v long")(env).map(lambda row: row.v)
            strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Always())
            keyed = numbers.assign_timestamps_and_watermarks(strategy).key_by(lambda v: v is None)
            return keyed.window(tumbling(10)).reduce(lambda a, b: a + b)

        assert "may have None as an element" in refusal(program)
        assert outcome(program(environment(lifting=True))) == [1]


class Always(TimestampAssigner[Any]):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return 0


TIMES = st.one_of(st.integers(-30, 30), st.sampled_from([-1000, -990, 990, 1000]))
EVENTS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), TIMES, st.integers(-5, 5), st.sampled_from(["", "x", "é"])),
    min_size=1,
    max_size=150,
)
ALIGNED = st.tuples(st.integers(1, 15), st.integers(1, 15), st.integers(-14, 14)).map(
    lambda n: sliding(n[0], n[1], n[2] % n[1] if n[2] > 0 else -(-n[2] % n[1]))
)
ASSIGNERS = st.one_of(ALIGNED, st.integers(1, 12).map(sessions))


# Each example is a job of several programs: what fails is not made smaller.
@settings(
    max_examples=4, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(EVENTS, ASSIGNERS), min_size=5, max_size=5))
def test_any_windows(
    spark: SparkSession, programs: list[tuple[list[Event], WindowAssigner[Any, Any]]]
) -> None:
    same_in_order([Windows(spark, events, assigner) for events, assigner in programs])
