"""Element types of streams made from tables."""

from dataclasses import dataclass
from typing import Any, assert_type

from pystream.common import Row
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.table import (
    ChangelogMode,
    DataTypes,
    EnvironmentSettings,
    Expression,
    Schema,
    StreamTableEnvironment,
    Table,
    TableConfig,
    TableEnvironment,
    TableResult,
)
from pystream.table.expressions import lit
from pystream.table.window import GroupWindow, Tumble
from typeinfo import Types


@dataclass
class Word:
    text: str
    n: int


def created(env: StreamExecutionEnvironment) -> None:
    assert_type(StreamTableEnvironment.create(env), StreamTableEnvironment)
    assert_type(StreamTableEnvironment.create(stream_execution_environment=env), StreamTableEnvironment)


def created_with_settings(env: StreamExecutionEnvironment) -> None:
    settings = EnvironmentSettings.new_instance().in_batch_mode().build()
    assert_type(settings, EnvironmentSettings)
    assert_type(TableEnvironment.create(settings), TableEnvironment)
    assert_type(StreamTableEnvironment.create(env, settings), StreamTableEnvironment)
    assert_type(StreamTableEnvironment.create(environment_settings=settings), StreamTableEnvironment)
    assert_type(TableEnvironment.create(settings).get_config().set("pipeline.name", "words"), TableConfig)


def tables_of_changes(t_env: StreamTableEnvironment, changes: DataStream[Row[Any]]) -> None:
    assert_type(t_env.from_changelog_stream(changes, changelog_mode=ChangelogMode.all()), Table)


def tables_of_streams(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    assert_type(t_env.from_data_stream(words), Table[Word])
    assert_type(t_env.from_data_stream(words, "a", "b").alias("c"), Table)
    assert_type(t_env.from_data_stream(words, names=["a", "b"]), Table)
    schema = Schema.new_builder().column("text", DataTypes.STRING()).column("n", "BIGINT").build()
    assert_type(t_env.from_data_stream(words, schema), Table)


def rows_of_the_same_columns(t_env: StreamTableEnvironment, table: Table[Word], other: Table) -> None:
    assert_type(table.filter(lit(True)).where(lit(True)).distinct(), Table[Word])
    assert_type(table.order_by(table.n.desc).offset(1).fetch(2).limit(3), Table[Word])
    assert_type(table.union(other).union_all(other).intersect(other).intersect_all(other), Table[Word])
    assert_type(table.minus(other).minus_all(other), Table[Word])
    assert_type(table.join(other), Table)
    objects: Table[object] = table
    assert_type(t_env.to_data_stream(objects, Word), DataStream[Word])


def a_table_is_made_of_a_stream(t_env: StreamTableEnvironment) -> None:
    t_env.from_data_stream([1, 2])  # E: "list[int]"


def streams_of_a_class(t_env: StreamTableEnvironment, table: Table) -> None:
    assert_type(t_env.to_data_stream(table, Word), DataStream[Word])
    assert_type(t_env.to_data_stream(table, Types.of(Word)), DataStream[Word])


def streams_of_rows(t_env: StreamTableEnvironment, table: Table) -> None:
    assert_type(t_env.to_data_stream(table), DataStream[Row[Any]])
    assert_type(t_env.to_changelog_stream(table), DataStream[Row[Any]])


def streams_of_a_type(t_env: StreamTableEnvironment, table: Table) -> None:
    pair = Types.TUPLE(Types.INT(), Types.STRING())
    assert_type(t_env.to_append_stream(table, pair), DataStream[tuple[int, str]])
    assert_type(t_env.to_retract_stream(table, pair), DataStream[tuple[bool, tuple[int, str]]])
    assert_type(table.to_append_stream(table, pair), DataStream[tuple[int, str]])


def results(t_env: StreamTableEnvironment, table: Table) -> None:
    assert_type(table.execute_insert("sink"), TableResult)
    assert_type(t_env.execute_sql("SHOW TABLES"), TableResult)
    assert_type(table.execute().collect(), CloseableIterator[Row[Any]])


def elements(t_env: TableEnvironment, table: Table) -> None:
    assert_type(t_env.from_elements([(1, "a")], ["id", "name"]), Table)
    assert_type(t_env.from_elements([{"id": 1}], DataTypes.ROW().add("id", DataTypes.INT())), Table)
    assert_type(table.price, Expression[Any])
    window = Tumble.over(lit(10).minutes).on(table.ts).alias("w")
    assert_type(window, GroupWindow)
    assert_type(table.window(window).group_by(table.w).select(table.w.start), Table)
