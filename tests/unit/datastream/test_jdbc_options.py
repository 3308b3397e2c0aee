"""Arguments of the JDBC connector: names, defaults and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Types, WatermarkStrategy
from pystream.datastream.connectors import JdbcConnectionOptions, JdbcExecutionOptions, JdbcSink, JdbcSource
from pystream.datastream.connectors.jdbc import (
    JdbcGenericParameterValuesProvider,
    JdbcNumericBetweenParametersProvider,
)
from pystream.errors import ConfigurationError, PlanTypeError, UnsupportedTypeError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

PAIR = Types.ROW([Types.INT(), Types.STRING()])
INSERT = "INSERT INTO t VALUES (?, ?)"


def options() -> JdbcConnectionOptions:
    builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
    builder = builder.with_url("jdbc:postgresql://db/shop").with_driver_name("org.postgresql.Driver")
    return builder.with_user_name("me").with_password("mine").build()


def test_options_of_a_connection() -> None:
    found = options()
    assert found.get_db_url() == "jdbc:postgresql://db/shop"
    assert found.get_driver_name() == "org.postgresql.Driver"
    assert found.get_user_name() == "me"
    assert found.get_password() == "mine"
    assert repr(found) == "JdbcConnectionOptions(jdbc:postgresql://db/shop)"


def test_a_connection_needs_a_url() -> None:
    builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
    with pytest.raises(ConfigurationError, match="call with_url"):
        builder.build()
    with pytest.raises(ConfigurationError, match="there are jdbc:postgresql:"):
        builder.with_url("jdbc:db2://db/shop").build()


def test_a_password_that_is_no_text_is_not_shown() -> None:
    secret: Any = b"s3cr3t"
    for refused in (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_password,
        JdbcSource.builder().set_password,
    ):
        with pytest.raises(ConfigurationError, match="takes a str, not a bytes"):
            refused(secret)


def test_options_of_the_execution() -> None:
    default = JdbcExecutionOptions.defaults()
    assert (default.get_batch_size(), default.get_batch_interval_ms(), default.get_max_retries()) == (
        5000,
        0,
        3,
    )
    assert JdbcExecutionOptions.builder().build() == default
    builder = JdbcExecutionOptions.builder().with_batch_size(1).with_batch_interval_ms(2)
    found = builder.with_max_retries(0).build()
    assert (found.get_batch_size(), found.get_batch_interval_ms(), found.get_max_retries()) == (1, 2, 0)


@pytest.mark.parametrize("call", ["with_batch_size", "with_batch_interval_ms", "with_max_retries"])
def test_negative_options_are_refused(call: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{call}: .* must be an int of 0 or more, not -1"):
        getattr(JdbcExecutionOptions.builder(), call)(-1)


@pytest.mark.parametrize(
    ("sql", "type_info", "error", "message"),
    [
        (INSERT, Types.INT(), UnsupportedTypeError, "needs the type of a row, tuple or record"),
        ("INSERT INTO t VALUES (?)", PAIR, ConfigurationError, "has 1 placeholders, but .* has 2 fields"),
        (INSERT, Types.ROW([Types.INT(), PAIR]), UnsupportedTypeError, "field 'f1' is of type RowTypeInfo"),
        (
            INSERT,
            Types.ROW([Types.INT(), Types.LIST(PAIR)]),
            UnsupportedTypeError,
            "databases have no column",
        ),
        (7, PAIR, PlanTypeError, "sink takes a str"),
    ],
)
def test_a_wrong_sink_is_refused(sql: Any, type_info: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        JdbcSink.sink(sql, type_info, options())


def test_a_sink_refuses_a_stream_of_other_elements() -> None:
    sink: Any = JdbcSink.sink(INSERT, PAIR, options())
    env = local_environment()
    with pytest.raises(PlanTypeError, match="not those that the JdbcSink takes"):
        env.from_collection(["a"], Types.STRING()).add_sink(sink)
    env.from_collection([(1, "a")], PAIR).add_sink(sink)
    env.from_collection([(1, "a")]).add_sink(sink)


def test_a_source_needs_url_query_and_type() -> None:
    builder = JdbcSource.builder()
    with pytest.raises(ConfigurationError, match="call set_sql, set_db_url, set_type_information"):
        builder.build()
    typed = builder.set_sql("SELECT a, b FROM t").set_db_url("jdbc:sqlite:a.db").set_type_information(PAIR)
    assert typed.build().get_produced_type() == PAIR
    assert typed.build().is_bounded()


def test_a_source_needs_a_value_for_each_placeholder() -> None:
    builder = JdbcSource.builder().set_db_url("jdbc:sqlite:a.db").set_type_information(PAIR)
    builder.set_sql("SELECT a, b FROM t WHERE a BETWEEN ? AND ?")
    with pytest.raises(ConfigurationError, match="has 2 placeholders, but there are 0 values"):
        builder.build()
    builder.set_jdbc_parameter_values_provider(JdbcGenericParameterValuesProvider([(1, 2), (3,)]))
    with pytest.raises(ConfigurationError, match="has 2 placeholders, but there are 1 values"):
        builder.build()


def test_splits_are_dealt_to_the_subtasks() -> None:
    ranges = JdbcNumericBetweenParametersProvider(1, 10).of_batch_num(3)
    builder = JdbcSource.builder().set_db_url("jdbc:sqlite:a.db").set_type_information(PAIR)
    builder.set_sql("SELECT a, b FROM t WHERE a BETWEEN ? AND ?").set_jdbc_parameter_values_provider(ranges)
    assert builder.build().reader().splits(2) == [((1, 3), (7, 10)), ((4, 6),)]


@pytest.mark.parametrize(
    ("low", "high", "size", "ranges"),
    [
        (1, 10, 4, [(1, 3), (4, 6), (7, 10)]),
        (1, 10, 10, [(1, 10)]),
        (1, 10, 100, [(1, 10)]),
        (-1, 1, 1, [(-1, -1), (0, 0), (1, 1)]),
        (5, 5, 1, [(5, 5)]),
    ],
)
def test_ranges_by_size(low: int, high: int, size: int, ranges: list[tuple[int, int]]) -> None:
    found = JdbcNumericBetweenParametersProvider(low, high).of_batch_size(size).get_parameter_values()
    assert found == ranges


def test_wrong_ranges_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="max_val 1 lies below min_val 2"):
        JdbcNumericBetweenParametersProvider(2, 1)
    with pytest.raises(PlanTypeError, match="of_batch_size or of_batch_num"):
        JdbcNumericBetweenParametersProvider(1, 2).get_parameter_values()
    with pytest.raises(ConfigurationError, match="of_batch_num: batch_num must be an int of 1 or more"):
        JdbcNumericBetweenParametersProvider(1, 2).of_batch_num(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "needs the option 'url'"),
        ({"url": "jdbc:oracle:x", "table-name": "t"}, "is not supported; there are jdbc:postgresql:"),
        ({"scan.partition.column": "n"}, "needs the option 'scan.partition.num', too"),
        ({"scan.partition.num": "0"}, "must be an integer of 1 or more"),
        ({"sink.max-retries": "-1"}, "'sink.max-retries' must be an integer of 0 or more, not '-1'"),
        (
            {
                "scan.partition.column": "m",
                "scan.partition.num": "1",
                "scan.partition.lower-bound": "1",
                "scan.partition.upper-bound": "2",
            },
            "has no column 'm' to be partitioned by",
        ),
        (
            {
                "scan.partition.column": "n",
                "scan.partition.num": "1",
                "scan.partition.lower-bound": "2",
                "scan.partition.upper-bound": "1",
            },
            "the upper bound 1 of 'n' is less than 2",
        ),
    ],
)
def test_wrong_options_of_a_table_are_refused(options: dict[str, str], message: str) -> None:
    given = {"connector": "jdbc", **options}
    if "scan.partition.num" in options or len(options) == 1:
        given |= {"url": "jdbc:sqlite:a.db", "table-name": "t"}
    text = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
    t_env = StreamTableEnvironment.create(local_environment())
    with pytest.raises(ConfigurationError, match=message):
        t_env.execute_sql(f"CREATE TABLE t (n INT) WITH ({text})")


def test_a_column_of_a_table_that_databases_do_not_have_is_refused() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    with pytest.raises(UnsupportedTypeError, match="table 't': field 'm' is of type"):
        t_env.execute_sql(
            "CREATE TABLE t (m MAP<STRING, INT>) "
            "WITH ('connector' = 'jdbc', 'url' = 'jdbc:sqlite:a.db', 'table-name' = 't')"
        )


def test_a_file_that_does_not_exist_is_named() -> None:
    builder = JdbcSource.builder().set_db_url("jdbc:sqlite:/nowhere/a.db").set_sql("SELECT 1, 'a'")
    source = builder.set_type_information(PAIR).build()
    stream = local_environment().from_source(source, WatermarkStrategy.no_watermarks(), "rows")
    with pytest.raises(Exception, match=r"cannot connect to jdbc:sqlite:/nowhere/a.db by SELECT 1, 'a'"):
        stream.take(1)
