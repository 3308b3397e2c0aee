"""Native operators: whole programs on Spark, and restarts in Python."""

from __future__ import annotations

import datetime
import importlib
import logging
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pystream.common import Configuration, Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    DataStream,
    FilterFunction,
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import JobExecutionError, PlanError
from tests.explained import paths, rows, why_not_faster
from typeinfo import Instant, Row
from typeinfo.formats.spark import to_spark_schema
from typeinfo.serde import serializer_for

PAIR = Types.TUPLE([Types.LONG(), Types.LONG()])


@pytest.fixture
def env(env: StreamExecutionEnvironment) -> StreamExecutionEnvironment:
    return env.set_parallelism(2)


def calls_python(frame: DataFrame, capsys: pytest.CaptureFixture[str]) -> bool:
    capsys.readouterr()
    frame.explain()
    return "MapInArrow" in capsys.readouterr().out


def test_a_whole_program_without_python(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = env.generate_sequence(-5, 5).map(lambda n: (n % 3, n // 2), PAIR)
    kept = pairs.filter(lambda pair: pair[0] != 1 and pair[1] > -2).project(1)
    assert paths(kept) == ["native", "native", "native"]
    frame = kept.to_data_frame()
    assert not calls_python(frame, capsys)
    expected = [(n // 2,) for n in range(-5, 6) if n % 3 != 1 and n // 2 > -2]
    assert [tuple(row) for row in frame.collect()] == expected
    assert env.from_data_frame(frame).get_type() == kept.get_type()
    assert sorted(kept.execute_and_collect()) == sorted(expected)


def test_nested_columns_that_are_passed_through_are_not_rebuilt(
    env: StreamExecutionEnvironment,
    spark: SparkSession,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    t = Types.ROW_NAMED(
        ["id", "tags", "scores"],
        [Types.LONG(), Types.LIST(Types.STRING()), Types.MAP(Types.STRING(), Types.DOUBLE())],
    )
    schema = to_spark_schema(t)
    spark.createDataFrame([(1, ["a"], {"b": 2.0})], schema).write.parquet(str(tmp_path / "table"))
    table = spark.read.schema(schema).parquet(str(tmp_path / "table"))
    frame = env.from_data_frame(table).map(lambda r: Row(r[0] + 1, r[1], r[2]), t).to_data_frame()
    assert not calls_python(frame, capsys)
    frame.explain()
    assert "transform" not in capsys.readouterr().out
    assert [tuple(row) for row in frame.collect()] == [(2, ["a"], {"b": 2.0})]
    assert env.from_data_frame(frame).get_type() == t


def test_python_runs_the_operators_after_the_last_native_one(
    env: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    seen = env.from_data_frame(spark.range(6)).map(lambda row: row.id * 2, Types.LONG())
    hashed = seen.map(lambda n: [hash(n)], Types.LIST(Types.LONG()))
    summed = hashed.map(lambda numbers: sum(numbers) + 1, Types.LONG())
    assert paths(summed) == ["native", "fields", "typed"]
    assert sorted(summed.execute_and_collect()) == [1, 3, 5, 7, 9, 11]


def test_several_operators_read_one_native_operator(env: StreamExecutionEnvironment) -> None:
    doubled = env.generate_sequence(1, 3).map(lambda n: n * 2, Types.LONG())
    both = doubled.map(lambda n: n + 1, Types.LONG()).union(doubled.map(lambda n: -n, Types.LONG()))
    assert sorted(both.execute_and_collect()) == [-6, -4, -2, 3, 5, 7]


def test_a_native_stream_without_a_declared_type_stays_pickled(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    env.set_parallelism(1)
    stream = env.generate_sequence(1, 2).map(lambda n: (n > 1, n))
    assert str(stream.get_type()) == "TupleTypeInfo(Boolean, Long) (inferred)"
    assert paths(stream) == ["native"]
    stream.print()
    env.execute()
    assert capsys.readouterr().out.splitlines()[-2:] == ["(False, 1)", "(True, 2)"]
    env.configure(Configuration.from_dict({"pystream.infer-types": "false", "pystream.strict-types": "true"}))
    with pytest.raises(PlanError, match="strict-types"):
        stream.execute_and_collect()


def test_constant_times_are_independent_of_the_time_zone(env: StreamExecutionEnvironment, zone: str) -> None:
    cut = datetime.datetime(2024, 3, 10, 2, 30)  # clocks in New York never show it
    t = Types.TUPLE([Types.LONG(), Types.SQL_TIMESTAMP()])
    cuts = env.generate_sequence(1, 2).map(lambda n: (n, cut), t).filter(lambda pair: pair[1] <= cut)
    assert paths(cuts) == ["native", "native"]
    assert sorted(cuts.execute_and_collect()) == [(1, cut), (2, cut)]
    assert [tuple(row) for row in cuts.to_data_frame().collect()] == [(1, cut), (2, cut)]


def test_times_of_arrow_tables_are_independent_of_the_time_zone(
    env: StreamExecutionEnvironment, zone: str
) -> None:
    at = datetime.datetime(2024, 3, 10, 2, 30)  # clocks in New York never show it
    old = datetime.datetime(1582, 10, 10, 1, 2, 3, 4)
    types = [
        Types.SQL_TIMESTAMP(),
        Types.LIST(Types.SQL_TIMESTAMP()),
        Types.SQL_DATE(),
        Types.SQL_TIME(),
        Types.INSTANT(),
    ]
    t = Types.ROW_NAMED(["at", "times", "day", "hour", "instant"], types)
    rows = [
        Row(at=at, times=[old], day=old.date(), hour=at.time(), instant=Instant.of_epoch_micro(-1)),
        Row(at=old, times=[at], day=at.date(), hour=old.time(), instant=Instant.of_epoch_micro(10**15)),
    ]
    stream = env.from_arrow(pa.Table.from_batches([serializer_for(t).to_batch(rows)]))
    assert stream.get_type() == t
    kept = stream.filter(lambda row: row.at.minute in (2, 30))
    assert paths(kept) == ["native"]
    assert sorted(kept.execute_and_collect(), key=repr) == sorted(rows, key=repr)


def compared_with_small_letters(row: Any) -> Any:
    return row.s == "a", "B" in row.s, row.s in row.l, row.s == row.t.s, min(row.s, row.t.s), row.s.upper()


def test_text_with_a_collation_is_compared_as_in_python(
    env: StreamExecutionEnvironment, spark: SparkSession
) -> None:
    texts = spark.createDataFrame([("A", "a"), ("a", "B"), ("b", "a"), ("a ", "A")], "s string, x string")
    table = texts.selectExpr(
        "s collate UTF8_LCASE as s",
        "array(coalesce(x, '') collate UTF8_LCASE) as l",
        "named_struct('s', x collate UTF8_LCASE) as t",
        "map(x collate UTF8_LCASE, s collate UTF8_BINARY_RTRIM) as m",
    )
    rows = env.from_data_frame(table)
    t = Types.TUPLE([Types.BOOLEAN()] * 4 + [Types.STRING()] * 2)
    compared = rows.map(compared_with_small_letters, t)
    assert paths(compared) == ["native"]
    expected = sorted(map(compared_with_small_letters, rows.execute_and_collect()))
    assert sorted(compared.execute_and_collect()) == expected
    kept = rows.filter(lambda row: row.s == "a").to_data_frame()
    assert [(row.s, row.l, row.t.s, row.m) for row in kept.collect()] == [("a", ["B"], "B", {"B": "a"})]
    assert kept.where("s = 'A'").count() == 0


@pytest.mark.parametrize("preserved", ["true", "false"])
def test_text_of_fixed_length_keeps_its_blanks(
    env: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path, preserved: str
) -> None:
    spark.sql(f"create table chars (c char(3), v varchar(3)) using parquet location '{tmp_path / 'chars'}'")
    spark.conf.set("spark.sql.preserveCharVarcharTypeInfo", preserved)
    try:
        spark.sql("insert into chars values ('a', 'a')")
        rows = env.from_data_frame(spark.table("chars"))
        t = Types.TUPLE([Types.BOOLEAN(), Types.BOOLEAN(), Types.STRING()])
        compared = rows.map(lambda row: (row.c == "a", row.c == row.v, row.c), t)
        assert paths(compared) == ["native"]
        assert list(compared.execute_and_collect()) == [(False, False, "a  ")]
    finally:
        spark.conf.unset("spark.sql.preserveCharVarcharTypeInfo")
        spark.sql("drop table chars")


def test_lifting_can_be_turned_off(env: StreamExecutionEnvironment) -> None:
    env.configure(Configuration.from_dict({"pystream.lifting": "false"}))
    stream = env.generate_sequence(1, 2).map(lambda n: n + 1, Types.LONG())
    assert paths(stream) == ["typed"]


def test_a_value_outside_of_the_range_of_an_expression_restarts_the_job(
    env: StreamExecutionEnvironment, spark: SparkSession, caplog: pytest.LogCaptureFixture
) -> None:
    """Python's integers do not overflow, and its upper case covers all scripts."""
    given = spark.createDataFrame([(2**62, "straße"), (1, "a")], "number long, text string")
    rows = env.from_data_frame(given)
    halved = rows.map(lambda row: row.number * 4 // 8, Types.LONG())
    assert paths(halved) == ["native"]
    with caplog.at_level(logging.WARNING):
        assert sorted(halved.execute_and_collect()) == [0, 2**61]
        assert sorted(rows.map(lambda row: row.text.upper(), Types.STRING()).execute_and_collect()) == [
            "A",
            "STRASSE",
        ]
    assert [record.message.count("restarts in Python") for record in caplog.records] == [1, 1]


def test_an_error_is_pythons_own(env: StreamExecutionEnvironment) -> None:
    quotients = env.generate_sequence(-1, 1).map(lambda n: 6 // n, Types.LONG()).name("divide")
    assert paths(quotients) == ["native"]
    with pytest.raises(JobExecutionError, match=r"(?s)'divide'.*ZeroDivisionError.*element: 0"):
        list(quotients.execute_and_collect())


def test_none_is_refused_as_python_does(env: StreamExecutionEnvironment, spark: SparkSession) -> None:
    rows = env.from_data_frame(spark.createDataFrame([(1,), (None,)], "n long"))
    assert sorted(rows.filter(lambda row: row.n is None).execute_and_collect()) == [Row(n=None)]
    with pytest.raises(JobExecutionError, match="TypeError"):
        list(rows.map(lambda row: row.n + 1, Types.LONG()).execute_and_collect())


@pytest.mark.parametrize(
    "program",
    [
        lambda s: s.map(lambda x: (10 // x, x), PAIR).filter(lambda pair: pair[1] > 3),
        lambda s: s.map(lambda x: (10 // x, x), PAIR).project(1).filter(lambda t: t[0] > 3),
        lambda s: s.filter(lambda x: 10 // x > -100).filter(lambda x: x > 3),
        lambda s: s.filter(lambda x: 10 // x > -100).map(lambda x: (x, x), PAIR).filter(lambda p: p[0] > 3),
        lambda s: s.flat_map(lambda x: [(10 // x, x)], PAIR).filter(lambda pair: pair[1] > 3),
    ],
)
def test_an_error_is_raised_although_a_filter_drops_the_element(
    env: StreamExecutionEnvironment, program: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = program(env.generate_sequence(-2, 8))
    assert set(paths(stream)) == {"native"}
    frame = stream.to_data_frame()
    assert not calls_python(frame, capsys)
    with pytest.raises(PySparkException, match="DIVIDE_BY_ZERO"):
        frame.collect()


def test_an_error_of_none_is_raised_although_a_filter_drops_the_element(
    env: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    rows = spark.sql("select * from values ('a', 1), (null, 2), ('b', 3) as t(s, n)")
    rows.write.parquet(str(tmp_path / "rows"))
    read = env.from_data_frame(spark.read.parquet(str(tmp_path / "rows")))
    kept = read.map(lambda r: (r.s.strip(), r.s), Types.of(tuple[str, str | None])).filter(
        lambda pair: pair[1] is not None
    )
    assert set(paths(kept)) == {"native"}
    with pytest.raises(JobExecutionError, match="'NoneType' object has no attribute 'strip'"):
        list(kept.execute_and_collect())
    with pytest.raises(PySparkException, match="None is used as a value"):
        kept.to_data_frame().collect()


def test_an_earlier_filter_protects_later_operators(env: StreamExecutionEnvironment) -> None:
    quotients = env.generate_sequence(-2, 2).filter(lambda n: n != 0).map(lambda n: 6 // n, Types.LONG())
    assert paths(quotients) == ["native", "native"]
    assert sorted(quotients.execute_and_collect()) == [-6, -3, 3, 6]
    kept = env.generate_sequence(-2, 2).filter(lambda n: n != 0).filter(lambda n: 6 // n > 0)
    assert [row[0] for row in kept.to_data_frame().collect()] == [1, 2]


def test_guarded_expressions_of_a_lazy_table_run_in_python(
    env: StreamExecutionEnvironment, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = env.from_data_frame(spark.createDataFrame([("straße",)], "text string"))
    table = rows.map(lambda row: row.text.upper(), Types.STRING()).to_data_frame()
    assert calls_python(table, capsys)
    assert [row[0] for row in table.collect()] == ["STRASSE"]


def test_kinds_of_values(env: StreamExecutionEnvironment, spark: SparkSession) -> None:
    moment = datetime.datetime(2024, 2, 29, 13, 5, 6, 7)
    given = spark.createDataFrame(
        [(True, 1.5, "ab", bytearray(b"x"), moment.date(), moment, [1, 2], ("n", 3))],
        "b boolean, d double, s string, y binary, day date, at timestamp_ntz, l array<long>, "
        "r struct<n: string, m: long>",
    )
    stream = env.from_data_frame(given).map(
        lambda v: (v.b, v.d, v.s, v.y, v.day, v.at, v.l, v.r.m, v.day.year, v.at.microsecond)
    )
    assert paths(stream) == ["native"]
    (result,) = stream.execute_and_collect()
    assert result == (True, 1.5, "ab", b"x", moment.date(), moment, [1, 2], 3, 2024, 7)
    assert [type(value) for value in result[:6]] == [
        bool,
        float,
        str,
        bytes,
        datetime.date,
        datetime.datetime,
    ]


class Even(FilterFunction[int]):
    def filter(self, value: int) -> bool:
        return value % 2 == 0


def test_function_objects(env: StreamExecutionEnvironment) -> None:
    even = env.generate_sequence(1, 4).filter(Even())
    assert paths(even) == ["native"]
    assert sorted(even.execute_and_collect()) == [2, 4]


class Opened(FilterFunction[int]):
    def open(self, runtime_context: Any) -> None:
        self.least = 3

    def filter(self, value: int) -> bool:
        return value >= self.least


def test_an_object_that_is_opened_is_not_lifted(env: StreamExecutionEnvironment) -> None:
    kept = env.generate_sequence(1, 4).filter(Opened())
    assert paths(kept) == ["fields"]
    assert sorted(kept.execute_and_collect()) == [3, 4]


def test_a_function_is_as_it_was_when_the_operator_was_added(env: StreamExecutionEnvironment) -> None:
    stream = env.generate_sequence(0, 0)
    for step in (1, 10, 100):
        stream = stream.map(lambda n: n + step, Types.LONG())  # noqa: B023
    assert paths(stream) == ["native"] * 3
    assert list(stream.execute_and_collect()) == [111]


def test_an_error_is_raised_although_its_value_is_not_used(env: StreamExecutionEnvironment) -> None:
    pairs = env.generate_sequence(0, 1).map(lambda n: (n, 1 // n), PAIR)
    firsts = pairs.filter(lambda pair: pair[0] < 5).project(0)
    assert paths(firsts) == ["native"] * 3
    with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
        list(firsts.execute_and_collect())


@pytest.mark.parametrize("declared", [None, Types.of(tuple[int, int] | None)])
def test_none_for_a_whole_tuple_stays_none(env: StreamExecutionEnvironment, declared: Any) -> None:
    pairs = env.generate_sequence(0, 3).map(lambda n: (n, n) if n % 2 else None, declared)
    assert paths(pairs)[0] != "native"
    assert list(pairs.map(lambda pair: pair is None, Types.BOOLEAN()).to_arrow()["value"].to_pylist()) == [
        True,
        False,
        True,
        False,
    ]
    flat = env.generate_sequence(0, 1).flat_map(lambda n: [(n, n), None], declared)
    kept = flat.filter(lambda pair: pair is not None)
    assert paths(flat)[0] != "native"
    assert sorted(kept.execute_and_collect()) == [(0, 0), (1, 1)]


def test_a_row_without_names_stays_without(env: StreamExecutionEnvironment) -> None:
    rows = env.generate_sequence(1, 1).map(lambda n: Row(n, 2))
    assert list(rows.execute_and_collect()) == [Row(1, 2)]


def test_fields_whose_names_differ_only_in_case(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = Types.ROW_NAMED(["a", "A"], [Types.LONG(), Types.LONG()])
    outer = Types.ROW_NAMED(["t", "T"], [twin, Types.LIST(Types.LONG())])
    numbers = env.generate_sequence(0, 2)
    twins = numbers.map(lambda n: Row(a=n, A=-n) if n > 1 else Row(a=7, A=8), twin)
    outers = numbers.map(
        lambda n: Row(t=Row(a=n, A=-n), T=[n]) if n > 0 else Row(t=Row(a=5, A=6), T=[]), outer
    )
    inner = outers.map(lambda r: Row(a=r.t.A, A=len(r.T)), twin)
    flat = numbers.flat_map(lambda n: [Row(a=n, A=-n), Row(a=9, A=8)] if n > 1 else [], twin)
    for stream, wanted in (
        (twins, [(7, 8), (7, 8), (2, -2)]),
        (inner, [(6, 0), (-1, 1), (-2, 1)]),
        (flat, [(2, -2), (9, 8)]),
    ):
        table = stream.to_data_frame()
        assert not calls_python(table, capsys)
        assert table.columns == ["a", "A"]
        assert sorted(map(tuple, table.collect())) == sorted(wanted)


def test_none_where_python_accepts_it(
    env: StreamExecutionEnvironment, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    given = spark.sql("select 'a,b' s, cast(null as string) x, cast(null as int) i, 1.5D d")
    for function in (
        lambda r: r.s[r.i :] == "a,b",
        lambda r: len(r.s.split(",")[: r.i]) == 2,
        lambda r: r.x not in r.s.split(","),
        lambda r: r.i != r.d,
    ):
        table = env.from_data_frame(given).map(function, Types.BOOLEAN()).to_data_frame()
        assert not calls_python(table, capsys)
        assert [row[0] for row in table.collect()] == [True]


def test_explain_says_why_a_function_is_not_lifted(env: StreamExecutionEnvironment) -> None:
    assert "hex" in why_not_faster(env.generate_sequence(1, 4).map(lambda n: hex(n), Types.STRING()))


class TestFolds:
    @pytest.fixture(autouse=True)
    def batch(self, env: StreamExecutionEnvironment) -> None:
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)

    def test_explain_names_the_fold_and_the_shuffle(self, env: StreamExecutionEnvironment) -> None:
        pairs = env.generate_sequence(0, 9).map(lambda n: (n % 7, n), PAIR)
        *_, shuffle, fold = rows(pairs.key_by(lambda pair: pair[0]).sum(1))
        assert "native" in shuffle
        assert "Reduce (sum(1))" in fold

    def test_sums_by_key(self, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
        pairs = env.generate_sequence(0, 99).map(lambda n: (n % 7, n), PAIR)
        sums = pairs.key_by(lambda pair: pair[0]).reduce(lambda a, b: (a[0], a[1] + b[1]))
        told = sums.map(lambda pair: f"{pair[0]}: {pair[1]}", Types.STRING())
        assert paths(told)[0] == "native"
        assert paths(told)[-2:] == ["native", "native"]
        expected = {key: sum(range(key, 100, 7)) for key in range(7)}
        assert sorted(told.execute_and_collect()) == [f"{key}: {value}" for key, value in expected.items()]
        assert not calls_python(sums.to_data_frame(), capsys)
        hashed = sums.map(lambda pair: hash(pair[1]), Types.LONG())
        assert paths(hashed)[-1] == "fields"
        assert sorted(hashed.execute_and_collect()) == sorted(expected.values())

    def test_rolling_results_are_not_sums(self, env: StreamExecutionEnvironment) -> None:
        env.set_runtime_mode(RuntimeExecutionMode.STREAMING)
        rolling = env.generate_sequence(1, 3).key_by(lambda n: 0).reduce(lambda a, b: a + b)
        env.set_parallelism(1)
        assert list(rolling.execute_and_collect()) == [1, 3, 6]

    def test_by_field_name_and_by_several(self, env: StreamExecutionEnvironment, spark: SparkSession) -> None:
        rows = env.from_data_frame(
            spark.createDataFrame([("a", 1, 5), ("b", 2, 7), ("a", 1, -3)], "k string, m int, v int")
        )
        least = rows.key_by("k").reduce(lambda a, b: Row(k=a.k, m=min(a.m, b.m), v=max(a.v, b.v)))
        assert paths(least)[-1] == "native"
        assert sorted(map(tuple, least.execute_and_collect())) == [("a", 1, 5), ("b", 2, 7)]
        both = rows.key_by(lambda row: (row.k, row.m)).reduce(lambda a, b: Row(k=b.k, m=a.m, v=a.v + b.v))
        assert paths(both)[-1] == "native"
        assert sorted(map(tuple, both.execute_and_collect())) == [("a", 1, 2), ("b", 2, 7)]

    def test_what_the_order_decides_is_left_to_python(self, env: StreamExecutionEnvironment) -> None:
        pairs = env.generate_sequence(0, 9).map(lambda n: (n % 2, n), PAIR).key_by(lambda pair: pair[0])
        assert paths(pairs.reduce(lambda a, b: a))[-1] == "fields"
        assert "keeps the first of field 1" in pairs.reduce(lambda a, b: a).explain()
        kept = pairs.reduce(lambda a, b: (a[1], a[0] + b[0]))
        assert paths(kept)[-1] == "fields"

    def test_a_null_key_is_refused(self, env: StreamExecutionEnvironment, spark: SparkSession) -> None:
        rows = env.from_data_frame(spark.createDataFrame([(None, 1)], "k string, v long"))
        with pytest.raises(JobExecutionError, match="None is not a STRING"):
            list(rows.key_by("k").reduce(lambda a, b: Row(k=a.k, v=a.v + b.v)).execute_and_collect())


EVENT = Types.TUPLE([Types.STRING(), Types.LONG(), Types.LONG()])


class EventTime(TimestampAssigner[tuple[str, int, int]]):
    def extract_timestamp(self, value: tuple[str, int, int], record_timestamp: int) -> int:
        return value[1]


class Times(ProcessFunction[Any, Any]):
    def process_element(self, value: Any, ctx: Any) -> Any:
        yield tuple(value), ctx.timestamp()


class TestTimes:
    @pytest.fixture(autouse=True)
    def batch(self, env: StreamExecutionEnvironment) -> None:
        env.set_runtime_mode(RuntimeExecutionMode.BATCH)

    def timed(self, env: StreamExecutionEnvironment) -> DataStream[Any]:
        events = env.generate_sequence(-20, 20).map(
            lambda n: ("even" if n % 2 == 0 else "odd", n * 3, n), EVENT
        )
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(EventTime())
        return events.assign_timestamps_and_watermarks(strategy).filter(lambda event: event[2] != 4)

    def test_elements_keep_their_times(self, env: StreamExecutionEnvironment) -> None:
        times = self.timed(env).map(lambda event: event[2:], Types.TUPLE([Types.LONG()])).process(Times())
        assert paths(times).count("native") == 4
        assert sorted(times.execute_and_collect()) == [((n,), n * 3) for n in range(-20, 21) if n != 4]

    def test_folds_come_at_the_end_of_time(self, env: StreamExecutionEnvironment) -> None:
        sums = self.timed(env).key_by(lambda event: event[0])
        folded = sums.reduce(lambda a, b: (a[0], max(a[1], b[1]), a[2] + b[2])).process(Times())
        assert paths(folded).count("native") == 5
        assert sorted(folded.execute_and_collect()) == [
            (("even", 60, -4), 2**63 - 1),
            (("odd", 57, 0), 2**63 - 1),
        ]

    def test_windows_of_elements_without_a_time_are_refused(self, env: StreamExecutionEnvironment) -> None:
        events = env.generate_sequence(1, 2).map(lambda n: ("a", n, n), EVENT).key_by(lambda event: event[0])
        windows = events.window(TumblingEventTimeWindows.of(Time.milliseconds(10)))
        with pytest.raises(JobExecutionError, match="without a timestamp"):
            list(windows.reduce(lambda a, b: (a[0], a[1], a[2] + b[2])).execute_and_collect())


def test_a_table_of_pickled_results(env: StreamExecutionEnvironment) -> None:
    frame = env.generate_sequence(1, 2).map(lambda n: n, Types.PICKLED_BYTE_ARRAY()).to_data_frame()
    assert [field.dataType.typeName() for field in frame.schema.fields] == ["binary"]
    assert sorted(env.from_data_frame(frame).execute_and_collect()) == [1, 2]


def test_nested_columns_of_a_file(
    env: StreamExecutionEnvironment, spark: SparkSession, tmp_path: Path
) -> None:
    schema = "k long, tags array<string>, counts map<string, long>, inner struct<a: long, b: array<double>>"
    given = [(1, ["a", None], {"x": 1}, (2, [0.5])), (2, None, None, None)]
    spark.createDataFrame(given, schema).write.parquet(str(tmp_path / "nested"))
    rows = env.from_data_frame(spark.read.parquet(str(tmp_path / "nested")))
    kept = rows.filter(lambda row: row.k > 0).map(lambda row: row, rows.get_type())
    assert paths(kept) == ["native", "native"]
    frame = kept.to_data_frame()
    assert env.from_data_frame(frame).get_type() == rows.get_type()
    assert sorted(frame.collect()) == sorted(spark.createDataFrame(given, schema).collect())


def test_one_object_twice_in_a_result_stays_one_without_a_declared_type(
    env: StreamExecutionEnvironment,
) -> None:
    def added(pair: Any) -> Any:
        pair[0].append(99)
        return pair

    lists = env.generate_sequence(1, 1).map(lambda n: [n], Types.LIST(Types.LONG()))
    pairs = lists.map(lambda numbers: (numbers, numbers))
    assert paths(pairs) == ["native", "typed"]
    assert "may return a result that contains one object twice" in pairs.explain()
    assert list(pairs.map(added).execute_and_collect()) == [([1, 99], [1, 99])]
    t = Types.TUPLE([Types.LIST(Types.LONG()), Types.LIST(Types.LONG())])
    assert paths(lists.map(lambda numbers: (numbers, numbers), t)) == ["native", "native"]


@pytest.mark.parametrize("lifting", ["true", "false"])
def test_names_that_workers_import_have_the_values_that_modules_set(
    env: StreamExecutionEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lifting: str
) -> None:
    module = tmp_path / "native_settings.py"
    module.write_text("FACTOR = 2\n\ndef scale(n):\n    return n * FACTOR\n\nclass Limits:\n    LOW = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "native_settings", raising=False)
    settings: Any = importlib.import_module("native_settings")
    env.configure(Configuration.from_dict({"pystream.lifting": lifting}))
    env.add_python_file(str(module))
    own = 10
    settings.FACTOR, settings.Limits.LOW = 10, 5
    scaled = env.generate_sequence(1, 3).map(settings.scale, Types.LONG())
    added = scaled.map(lambda n: n * own + settings.FACTOR + settings.Limits.LOW, Types.LONG())
    settings.FACTOR, own = 1000, 1000
    assert sorted(added.execute_and_collect()) == [23, 43, 63]
