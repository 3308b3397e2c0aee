"""Table environments: what is refused before a job runs, and the names of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import pystream.table
from pystream.common import Row, Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import (
    ConfigurationError,
    PlanError,
    PlanTypeError,
    SqlError,
    UnsupportedOperationError,
    UnsupportedTypeError,
)
from pystream.table import DataTypes, ResultKind, Schema, StreamTableEnvironment, TableSchema
from pystream.testing import local_environment
from typeinfo.info import TypeInformation

PAIR = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()])
PRINT = "CREATE TABLE sink (a INT, b STRING) WITH ('connector' = 'print')"


@dataclass
class Word:
    text: str
    n: int


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return local_environment()


@pytest.fixture
def t_env(env: StreamExecutionEnvironment) -> StreamTableEnvironment:
    return StreamTableEnvironment.create(env)


@pytest.fixture
def pairs(env: StreamExecutionEnvironment) -> DataStream[Any]:
    return env.from_collection([(1, "x")], PAIR)


@pytest.mark.promise("beh:exported-table")
def test_the_classes_are_exported() -> None:
    assert pystream.table.StreamTableEnvironment is StreamTableEnvironment


@pytest.mark.promise("beh:tenv-needs-env")
def test_it_needs_an_environment_of_streams() -> None:
    with pytest.raises(TypeError):
        StreamTableEnvironment.create()
    with pytest.raises(PlanTypeError, match=r"create takes a StreamExecutionEnvironment.*not None"):
        StreamTableEnvironment.create(None)


@pytest.mark.promise("beh:composite-type-for-table")
def test_a_stream_of_unknown_type_is_refused(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment
) -> None:
    pickled = env.from_collection([(1, "x")]).map(lambda pair: eval("pair"))
    with pytest.raises(UnsupportedTypeError, match="they are pickled; give output_type to the operator"):
        t_env.from_data_stream(pickled)
    nothing: list[tuple[()]] = []
    with pytest.raises(UnsupportedTypeError, match=r"at least one column, but .* has no fields"):
        t_env.from_data_stream(env.from_collection(nothing, Types.TUPLE([])))


def test_columns_have_the_types_of_the_fields(
    t_env: StreamTableEnvironment, env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    table = t_env.from_data_stream(env.from_collection([Word("a", 1)], Types.of(Word)))
    text, number = DataTypes.STRING(nullable=False), DataTypes.BIGINT(nullable=False)
    assert table.get_schema() == TableSchema(["text", "n"], [text, number])
    table.print_schema()
    assert capsys.readouterr().out == "(\n  `text` STRING NOT NULL,\n  `n` BIGINT NOT NULL\n)\n"


def test_a_conversion_to_the_same_type_adds_no_operator(
    t_env: StreamTableEnvironment, pairs: DataStream[Any]
) -> None:
    table = t_env.from_data_stream(pairs)
    for stream in (t_env.to_data_stream(table), t_env.to_append_stream(table, PAIR)):
        assert stream._node_id == pairs._node_id
        assert stream.get_execution_environment() is pairs.get_execution_environment()
    unnamed = Types.ROW([Types.INT(), Types.STRING()])
    assert t_env.to_append_stream(table.alias("b", "a"), unnamed) is not pairs


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        (Types.of(Word), "has the fields text, n, but there are a, b; rename columns by alias"),
        (Types.ROW([Types.INT()]), "has 1 fields, but there are 2: a, b"),
        (Types.ROW([Types.SHORT(), Types.STRING()]), "f0|a is INT .*, which is not SMALLINT"),
        (Types.ROW_NAMED(["b", "a"], [Types.STRING(), Types.INT()]), "fields in another order than a, b"),
        (Types.INT(), "has 1 columns, but there are a, b"),
    ],
)
def test_a_target_with_other_columns_is_refused(
    t_env: StreamTableEnvironment, pairs: DataStream[Any], target: TypeInformation[Any], complaint: str
) -> None:
    with pytest.raises(PlanTypeError, match=complaint):
        t_env.to_append_stream(t_env.from_data_stream(pairs), target)


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (("a", "x"), "there is no field 'x' among a, b"),
        (("x", "y", "z"), "there are 3 names for 2 columns"),
        (("x", "x"), "two columns of the name 'x'"),
        (("x,",), "takes names of columns, not ''"),
        ((1,), r"takes a str or an Expression .*not 1"),
        ((Schema.new_builder().column("c", "INT").build(),), "has the column 'c', but there are a, b"),
    ],
)
def test_wrong_names_of_columns_are_refused(
    t_env: StreamTableEnvironment, pairs: DataStream[Any], names: tuple[Any, ...], complaint: str
) -> None:
    with pytest.raises(PlanError, match=complaint):
        t_env.from_data_stream(pairs, *names)


def test_columns_of_a_changelog_stream_that_are_not_those_of_its_schema(
    t_env: StreamTableEnvironment, pairs: DataStream[Any]
) -> None:
    table = t_env.from_data_stream(pairs)
    fewer = Schema.new_builder().column("a", "INT").build()
    with pytest.raises(PlanError, match="the columns a, b are not those of the schema, a"):
        t_env.to_changelog_stream(table, fewer)
    timed = Schema.new_builder().column("b", "STRING").column_by_metadata("a", "INT", "rowtime").build()
    with pytest.raises(UnsupportedOperationError, match=r"column 'b' is .* not the event time of the table"):
        t_env.to_changelog_stream(table, timed)


def test_wrong_watermarks_and_columns_of_metadata(
    t_env: StreamTableEnvironment, pairs: DataStream[Any]
) -> None:
    metadata = Schema.new_builder().column_by_metadata("m", "INT").build()
    with pytest.raises(PlanError, match="column 'm' is one of the metadata 'm', but a stream has only 'row"):
        t_env.from_data_stream(pairs, metadata.new_builder().column("a", "INT").from_schema(metadata).build())
    for column, expression, error, complaint in (
        ("x", "x", PlanError, "the watermark is for the column 'x', but there are a, b"),
        ("a", "a", PlanTypeError, "column 'a', which is INT, not a TIMESTAMP"),
    ):
        schema = Schema.new_builder().watermark(column, expression).build()
        with pytest.raises(error, match=complaint):
            t_env.from_data_stream(pairs, schema)
    t_env.execute_sql(
        "CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS ts + INTERVAL '1' SECOND) "
        "WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    )
    with pytest.raises(SqlError, match=r"must be `ts` or `ts` - INTERVAL '5' SECOND, not ts \+"):
        t_env.from_path("t")
    own = Schema.new_builder().watermark("a", "source_watermark( )").build()
    with pytest.raises(PlanTypeError, match="column 'a', which is INT, not a TIMESTAMP"):
        t_env.from_data_stream(pairs, own)


def test_a_stream_of_another_environment_is_refused(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="belongs to another environment"):
        t_env.from_data_stream(local_environment().from_collection([1], Types.INT()))
    with pytest.raises(PlanTypeError, match="takes a DataStream, not 1"):
        t_env.from_data_stream(1)  # type: ignore[arg-type]


def test_tables_and_views_by_name(t_env: StreamTableEnvironment, pairs: DataStream[Any]) -> None:
    assert t_env.execute_sql(PRINT).get_result_kind() is ResultKind.SUCCESS
    t_env.create_temporary_view("view_", pairs, "x, y")
    assert (t_env.list_tables(), t_env.list_views()) == (["sink", "view_"], ["view_"])
    path = "default_catalog.default_database.view_"
    assert t_env.from_path(path).get_schema().get_field_names() == ["x", "y"]
    with pytest.raises(PlanError, match="there is already a table or view of the name 'sink'"):
        t_env.execute_sql(PRINT)
    t_env.execute_sql(PRINT.replace("TABLE", "TABLE IF NOT EXISTS"))
    with pytest.raises(PlanError, match="no table or view of the name 'x'; there are: sink, view_"):
        t_env.from_path("x")
    with pytest.raises(PlanError, match="no database 'other' in the catalog 'default_catalog'"):
        t_env.from_path("other.view_")
    with pytest.raises(PlanError, match="no table of the name 'view_'; there are: sink"):
        t_env.execute_sql("DROP TABLE view_")
    with pytest.raises(PlanError, match="'view_' is temporary: DROP TEMPORARY VIEW it"):
        t_env.execute_sql("DROP VIEW view_")
    t_env.execute_sql("DROP TEMPORARY VIEW view_")
    t_env.execute_sql("DROP TABLE IF EXISTS view_")
    assert not t_env.drop_temporary_view("view_")
    assert not t_env.drop_temporary_table("sink")
    assert t_env.drop_table("sink")
    assert t_env.list_tables() == []


def test_results_equal_rows_with_and_without_names(t_env: StreamTableEnvironment) -> None:
    query = "SELECT * FROM (VALUES (1, 'a', ROW(2, 'b'), ARRAY[ROW(3)])) AS v(x, s, r, many)"
    with t_env.sql_query(query).execute().collect() as rows:
        (row,) = rows
    unnamed = Row(1, "a", Row(2, "b"), [Row(3)])
    assert row == unnamed
    assert unnamed == row
    assert (row.x, row["s"], row.as_dict()["s"]) == (1, "a", "a")
    assert row != Row(1, "a", Row(2, "c"), [Row(3)])
    with t_env.sql_query("SELECT 2 AS y, 'b' AS x").execute().collect() as rows:
        assert {*rows} == {Row(2, "b")}
    with t_env.sql_query("SELECT 2 AS y, 'b' AS x").execute().collect() as rows:
        assert [*rows] == [Row(y=2, x="b")]


def test_describe_shows_the_columns(
    t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE t (a INT NOT NULL, b STRING) WITH ('connector' = 'print')").print()
    t_env.execute_sql("DESCRIBE t").print()
    assert capsys.readouterr().out.splitlines() == [
        "OK",
        "+------+--------+-------+--------+--------+-----------+",
        "| name |   type |  null |    key | extras | watermark |",
        "+------+--------+-------+--------+--------+-----------+",
        "|    a |    INT | FALSE | <NULL> | <NULL> |    <NULL> |",
        "|    b | STRING |  TRUE | <NULL> | <NULL> |    <NULL> |",
        "+------+--------+-------+--------+--------+-----------+",
        "2 rows in set",
    ]


def test_wrong_inserts_are_refused(t_env: StreamTableEnvironment, pairs: DataStream[Any]) -> None:
    t_env.execute_sql(PRINT)
    table = t_env.from_data_stream(pairs)
    with pytest.raises(
        PlanTypeError,
        match=r"'sink': column 'b' into 'a' is STRING, which is not cast to INT implicitly; CAST it\n  rows:",
    ):
        t_env.from_data_stream(pairs, "b", "a").execute_insert("sink")
    with pytest.raises(UnsupportedOperationError, match="connector 'print' of table 'sink' only adds rows"):
        table.execute_insert("sink", overwrite=True)
    t_env.create_temporary_view("view_", table)
    with pytest.raises(PlanError, match="'view_' is a view, which cannot be written to"):
        table.execute_insert("view_")
    with pytest.raises(PlanError, match="'sink' cannot be read: connector 'print' only writes"):
        t_env.from_path("sink")
    t_env.execute_sql("CREATE TABLE numbers (a INT, b STRING) WITH ('connector' = 'datagen')")
    with pytest.raises(PlanError, match="'numbers' cannot be written to: connector 'datagen' only reads"):
        table.execute_insert("numbers")
    with pytest.raises(SqlError, match="add_insert_sql takes INSERT INTO"):
        t_env.create_statement_set().add_insert_sql("SHOW TABLES")


def test_a_table_of_an_unknown_connector_is_neither_read_nor_written(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'mqtt', 'x' = 'y')")
    assert [row[0] for row in t_env.execute_sql("DESCRIBE t").collect()] == ["a"]
    message = "table 't' has the unknown connector 'mqtt'; there are datagen"
    for statement in ("SELECT * FROM t", "INSERT INTO t VALUES (1)", "EXPLAIN SELECT a FROM t"):
        with pytest.raises(ConfigurationError, match=message):
            t_env.execute_sql(statement)
    with pytest.raises(ConfigurationError, match="table 't' with connector 'datagen' has no option 'x'"):
        t_env.execute_sql("ALTER TABLE t SET ('connector' = 'datagen')")
    t_env.execute_sql("CREATE TABLE c (a INT) WITH ('connector' = 'mysql-cdc')")
    with pytest.raises(ConfigurationError, match=r"'mysql-cdc'; .*'format' = 'debezium-json'"):
        t_env.from_path("c")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("'connector' = 'blackhole', 'x' = 'y'", "has no option 'x'; there are no options"),
        (
            "'connector' = 'print', 'x' = 'y'",
            "no option 'x'; the options are print-identifier, sink.parallelism",
        ),
        ("'connector' = 'print', 'sink.parallelism' = '0'", "must be an integer of 1 or more, not '0'"),
        ("'connector' = 'filesystem', 'path' = '/x'", "needs the option 'format'"),
        ("'connector' = 'filesystem', 'path' = '/x', 'format' = 'xml'", "must be one of csv, json"),
        (
            "'connector' = 'filesystem', 'path' = '/x', 'format' = 'json', 'csv.null-literal' = ''",
            "option 'csv.null-literal' is for the format csv, not json",
        ),
        ("'connector' = 'datagen', 'fields.x.kind' = 'random'", "the name of a column for #"),
        ("'connector' = 'datagen', 'fields.a.kind' = 'other'", "must be one of random, sequence"),
        ("'connector' = 'datagen', 'fields.a.kind' = 'sequence'", "a sequence needs a start and an end"),
        ("'connector' = 'datagen', 'fields.a.start' = '1'", "start and end need the kind sequence"),
        ("'connector' = 'datagen', 'fields.a.min' = '2', 'fields.a.max' = '1'", "in this order, not 2 and 1"),
        ("'connector' = 'datagen', 'fields.a.max' = '3000000000'", "min and max must be from -2147483648"),
        ("'connector' = 'datagen', 'fields.a.null-rate' = '2'", "null-rate must be from 0 to 1"),
    ],
)
def test_wrong_options_are_refused(t_env: StreamTableEnvironment, options: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError) as failure:
        t_env.execute_sql(f"CREATE TABLE t (a INT, b STRING) WITH ({options})".replace(" WITH ()", ""))
    assert complaint in str(failure.value)
    assert "'t'" in str(failure.value)


@pytest.mark.parametrize(
    ("column", "options", "complaint"),
    [
        (
            "a MAP<INT, INT>",
            "'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '2'",
            "a sequence has numbers or text, not MAP<INT, INT>",
        ),
        ("a INT NOT NULL", "'fields.a.null-rate' = '0.5'", "null-rate is 0.5, but the column is NOT NULL"),
    ],
)
def test_generators_that_do_not_fit_the_column(
    t_env: StreamTableEnvironment, column: str, options: str, complaint: str
) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        t_env.execute_sql(f"CREATE TABLE t ({column}) WITH ('connector' = 'datagen', {options})")


def test_a_table_without_a_connector_is_refused_when_it_is_used(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE t (a INT)")
    complaint = "table 't' needs the option 'connector'; there are datagen, filesystem, kafka"
    with pytest.raises(ConfigurationError, match=complaint):
        t_env.from_path("t")
    with pytest.raises(ConfigurationError, match=complaint):
        t_env.execute_sql("INSERT INTO t VALUES (1)")


def test_an_insert_gives_a_value_for_each_named_column(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE TABLE sink (a INT, b INT) WITH ('connector' = 'print')")
    complaint = (
        "INTO sink: the query must give a value for each of the columns b, a, but it has 1 and not 2 columns"
    )
    with pytest.raises(PlanError, match=complaint):
        t_env.execute_sql("INSERT INTO sink (b, a) SELECT 1")


def test_explain_sql_leaves_the_operators_of_streams_to_execute(
    env: StreamExecutionEnvironment, t_env: StreamTableEnvironment, pairs: DataStream[Any]
) -> None:
    stream = pairs.map(lambda row: row, PAIR)
    t_env.create_temporary_view("pairs", stream)
    t_env.execute_sql(PRINT)
    before = env.get_execution_plan()
    assert "Sink: Print" in t_env.explain_sql("INSERT INTO sink SELECT a, b FROM pairs")
    assert env.get_execution_plan() == before
