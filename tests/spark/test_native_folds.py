"""Native folds of keys and windows: the results are those of Python."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from pystream.common import Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import DataStream, OutputTag, StreamExecutionEnvironment
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
    same_timed_results,
)
from typeinfo import Row
from typeinfo.info import TypeInformation

LONG, STRING = Types.LONG(), Types.STRING()
MOST, LEAST = 2**63 - 1, -(2**63)
PAIR = Types.TUPLE([LONG, LONG])


@pytest.fixture(autouse=True)
def one_session(spark: SparkSession) -> None:
    """Run all by the one session of the run."""


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


def aggregated(kind: str, values: Program, key: Any, *field: Any) -> Program:
    return lambda env: getattr(values(env).key_by(key), kind)(*field)


def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
    return env.generate_sequence(-9, 9).map(lambda n: (n % 4, n), PAIR)


def numbers(env: StreamExecutionEnvironment) -> DataStream[Any]:
    return env.generate_sequence(-9, 9)


def first(pair: Any) -> Any:
    return pair[0]


class TestFieldFolds:
    def test_rows(self, spark: SparkSession) -> None:
        values = [("a", 5), ("b", -7), ("a", -2), ("c", None), ("b", -7), ("a", 5)]
        rows = rows_of(spark, values, "k string, v long")
        programs = [aggregated(kind, rows, "k", field) for kind in AGGREGATIONS for field in (1, "v")]
        compared = compare_timed(programs)
        assert all(sorted(map(repr, found)) == sorted(map(repr, wanted)) for found, wanted in compared)
        found = [{row.k: row.v for row, _ in results} for results, _ in compared]
        assert [of_key["c"] for of_key in found] == [None] * 10
        assert [of_key["a"] for of_key in found] == [8, 8, -2, -2, 5, 5, -2, -2, 5, 5]

    def test_records(self) -> None:
        def sales(make: Any) -> Program:
            t: TypeInformation[Any] = Types.of(make)
            return lambda env: env.generate_sequence(-9, 9).map(lambda n: make(n % 4, n * n % 7 - 3), t)

        programs = [
            aggregated(kind, sales(make), lambda sale: sale.shop, field)
            for kind in AGGREGATIONS
            for make in (Sale, Point)
            for field in (1, "amount")
        ]
        assert {last_path(program(environment(lifting=True))) for program in programs} == {"native"}
        assert all(same_timed_results(programs[::3]))

    def test_tuples_and_what_has_no_fields(self) -> None:
        of_pairs = [aggregated(kind, pairs, first, 1) for kind in AGGREGATIONS]
        of_numbers = [aggregated(kind, numbers, lambda n: n % 4) for kind in AGGREGATIONS]
        assert all(same_timed_results([*of_pairs, *of_numbers]))

    @pytest.mark.parametrize("kind", ["sum", "max_by"])
    def test_none(self, spark: SparkSession, kind: str) -> None:
        rows = rows_of(spark, [("a", 1), ("a", None)], "k string, v long")
        pythons_failure(aggregated(kind, rows, "k", 1), "NoneType")

    def test_sums_beyond_64_bits(self, spark: SparkSession) -> None:
        large = rows_of(spark, [("a", MOST), ("b", LEAST), ("a", 1), ("b", -1)], "k string, v long")
        pythons_failure(aggregated("sum", large, "k", 1), "922337203685477580")
        assert all(same_timed_results([aggregated(kind, large, "k", 1) for kind in AGGREGATIONS[1:]]))

    def test_sums_in_range_of_what_is_not_on_the_way(self, spark: SparkSession) -> None:
        large = rows_of(spark, [("a", MOST), ("a", 1), ("a", -5)], "k string, v long")
        same_results(aggregated("sum", large, "k", 1), perhaps=True)
        small = rows_of(spark, [("a", 127), ("a", 100), ("a", -120)], "k string, v tinyint")
        assert all(same_timed_results([aggregated(kind, small, "k", 1) for kind in AGGREGATIONS]))

    def test_text_and_dates(self, spark: SparkSession) -> None:
        day = datetime.date(2024, 2, 28)
        texts = rows_of(
            spark, [("a", "é"), ("a", "z"), ("a", "\U0001f600"), ("a", "\uffee")], "k string, v string"
        )
        days = rows_of(spark, [("a", day), ("a", day.replace(year=1))], "k string, v date")
        compared = [aggregated(kind, of, "k", 1) for kind in AGGREGATIONS[1:] for of in (texts, days)]
        assert all(same_timed_results(compared))
        for values, name in ((texts, "str"), (days, "date")):
            reason = refusal(aggregated("sum", values, "k", 1))
            assert f"reduces field 1 of class {name} by sum, which is not lifted" in reason

    @pytest.mark.parametrize("kind", AGGREGATIONS)
    def test_why_a_fold_is_left_to_python(self, spark: SparkSession, kind: str) -> None:
        rows = rows_of(spark, [("a", 1, 2)], "k string, v long, w long")
        several = "the first of several elements that are equal but for field 2"
        kept = several if kind.endswith("_by") else "the first of field 2"
        floats = rows_of(spark, [("a", 1.0)], "k string, v double")
        tuples: Program = lambda env: env.generate_sequence(0, 9).map(lambda n: (n % 4, n))  # noqa: E731
        plain: Program = lambda env: env.generate_sequence(0, 9).map(lambda n: n + 0)  # noqa: E731
        for program, reason in (
            (aggregated(kind, rows, "k", "v"), f"keeps {kept}, which the order of elements decides"),
            (
                aggregated(kind, floats, "k", "v"),
                "reduces field 1 of floats, where the order of the elements matters",
            ),
            (aggregated(kind, pairs, first, "f1"), "uses ['f1'] of tuple, which has no such field"),
            (aggregated(kind, tuples, first, "v"), "takes field 'v' of tuple, which has no such field"),
            (aggregated(kind, tuples, first, 2), "takes field 2 of tuple, which has no such field"),
            (aggregated(kind, plain, lambda n: n % 3, "v"), "takes field 'v' of int, which has no fields"),
            (aggregated(kind, plain, lambda n: n % 3, 2), "takes field 2 of int, which has no fields"),
        ):
            assert reason in refusal(program)
        both = aggregated(kind, rows, lambda row: (row.k, row.w), "v")
        assert last_path(both(environment(lifting=True))) == "native"


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


CASES: dict[str, tuple[list[Event], WindowAssigner[Any, Any], list[tuple[int, int]] | None]] = {
    # The windows end at -6 (only -10), -1, 4, 9, 14, 19.
    "elements in several windows": (
        events_at(0, -1, 9, 10, -10),
        sliding(10, 5),
        [(-6, 4), (-1, 5), (4, 1), (9, 2), (14, 5), (19, 3)],
    ),
    "a size that is not a multiple of the slide": (events_at(*range(-25, 25)), sliding(10, 4, -1), None),
    "elements between windows": (
        events_at(0, 1, 2, 3, 4, -1, -10, -7),
        sliding(3, 10),
        [(-8, 6), (2, 3)],
    ),
    "sessions that touch, and that are one ms apart": (
        events_at(-15, -25, 6, -5, 16, 27, 27),
        sessions(10),
        [(4, 4), (25, 6), (36, 11)],
    ),
    "the end of time, of a session": (events_at(MOST - 4), sessions(5), [(MOST, 0)]),
    "the end of time, of a window": (events_at(MOST - 4), tumbling(8), [(MOST, 0)]),
    "the least time, in sessions of 1 ms": (events_at(LEAST, 5), sessions(1), None),
    "the least time, in sessions of 2 ms": (events_at(LEAST, 5), sessions(2), None),
    "sessions of two keys": (
        [*events_at(0, 20, 40, key="a"), *events_at(10, 30, 50, key="b")],
        sessions(10),
        [(n * 10 + 9, n // 2) for n in range(6)],
    ),
}


class TestWindows:
    def test_windows_contain_what_python_puts_in_them(self, spark: SparkSession) -> None:
        found = same_in_order([Windows(spark, events, assigner) for events, assigner, _ in CASES.values()])
        for (name, (_, _, wanted)), results in zip(CASES.items(), found, strict=True):
            assert wanted is None or sorted((time, row.v) for row, time in results) == wanted, name

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

    def test_none_is_kept_alone_and_fails_with_others(self, spark: SparkSession) -> None:
        alone: list[Event] = [("a", 5, None, "x"), ("a", 105, 1, "x"), ("a", 107, 2, "y")]
        for results in same_in_order([Windows(spark, alone, kind) for kind in KINDS.values()]):
            assert None in [row.v for row, _ in results]
        for kind in ("sliding", "sessions"):
            pythons_failure(Windows(spark, [*alone, ("a", 5, 1, "x")], KINDS[kind]), "NoneType")

    def test_sums_beyond_64_bits(self, spark: SparkSession) -> None:
        kinds = KINDS["sliding"], KINDS["sessions"]
        beyond: list[Event] = [("a", 5, MOST, "x"), ("a", 5, 1, "x")]
        for kind in kinds:
            pythons_failure(Windows(spark, beyond, kind), str(MOST + 1))
        same_in_order([Windows(spark, [*beyond, ("a", 5, -9, "x")], kind) for kind in kinds], perhaps=True)

    def test_the_ends_of_time(self, spark: SparkSession) -> None:
        for kind in KINDS.values():
            pythons_failure(Windows(spark, events_at(MOST - 2, 0), kind), "ends after 2^63 - 1 ms")
        events = events_at(LEAST + 12, LEAST + 25, MOST - 40, MOST - 37, 0)
        same_in_order([Windows(spark, events, kind) for kind in KINDS.values()])

    @pytest.mark.parametrize("kind", ["tumbling", "gaps"])
    def test_no_time_fails(self, spark: SparkSession, kind: str) -> None:
        pythons_failure(Windows(spark, events_at(LEAST, 5), KINDS[kind]), "without a timestamp")

    def test_nothing_is_late_in_batch_mode(self, spark: SparkSession) -> None:
        events = events_at(50, 3, 47, 5, -3, 0)
        on_time = [Windows(spark, events, kind) for kind in KINDS.values()]
        late = [Windows(spark, events, kind) for kind in KINDS.values()]
        for windows in late:
            windows.lateness = 7
        found = same_in_order([*on_time, *late])
        assert found[: len(on_time)] == found[len(on_time) :]

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
    max_examples=3, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(EVENTS, ASSIGNERS), min_size=5, max_size=5))
def test_any_windows(
    spark: SparkSession, programs: list[tuple[list[Event], WindowAssigner[Any, Any]]]
) -> None:
    same_in_order([Windows(spark, events, assigner) for events, assigner in programs])
