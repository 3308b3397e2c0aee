"""Columns of tables that hold the timestamps of the elements of a stream, and streams of such tables."""

from __future__ import annotations

from pystream.common import Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import ProcessFunction
from pystream.table import Schema, StreamTableEnvironment
from pystream.table.expressions import col, source_watermark


class _Seconds(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return int(value[0]) * 1000


class _WithTimestamp(ProcessFunction):
    def process_element(self, value, ctx):
        yield f"{[*value]} {ctx.timestamp()}"


def _stream(env):
    env.set_parallelism(1)
    pairs = env.from_collection(
        [(1, "a"), (2, "b")], Types.ROW_NAMED(["a", "b"], [Types.LONG(), Types.STRING()])
    )
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Seconds())
    return pairs.assign_timestamps_and_watermarks(strategy)


def _table(env, builder):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone("UTC")
    return t_env, t_env.from_data_stream(_stream(env), builder.build())


def _rows(table, *columns):
    with table.select(*columns).execute().collect() as rows:
        return [str([*row]) for row in rows]


def all_columns_and_their_time(env):
    _, table = _table(env, Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP(3)"))
    return _rows(table, col("a"), col("b"), col("rowtime"))


def a_time_of_another_name_and_type(env):
    builder = Schema.new_builder().column("b", "STRING").column_by_metadata("at", "STRING", "rowtime")
    _, table = _table(env, builder.column("a", "BIGINT"))
    return _rows(table, col("at"), col("a"), col("b"))


def a_time_as_date(env):
    _, table = _table(env, Schema.new_builder().column_by_metadata("rowtime", "DATE"))
    return _rows(table, col("rowtime"))


def a_time_as_a_number(env):
    _, table = _table(env, Schema.new_builder().column_by_metadata("rowtime", "BIGINT"))
    return _rows(table, col("rowtime"))


def two_times(env):
    builder = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP(3)")
    _, table = _table(env, builder.column_by_metadata("again", "TIMESTAMP(3)", "rowtime"))
    return _rows(table, col("a"))


def other_metadata(env):
    _, table = _table(env, Schema.new_builder().column_by_metadata("offset", "BIGINT"))
    return _rows(table, col("a"))


def a_time_of_a_taken_name(env):
    _, table = _table(env, Schema.new_builder().column_by_metadata("a", "TIMESTAMP(3)", "rowtime"))
    return _rows(table, col("b"))


def a_time_of_elements_without_timestamps(env):
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    numbers = env.from_collection([1, 2], Types.LONG())
    table = t_env.from_data_stream(
        numbers, Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP(3)").build()
    )
    return _rows(table, col("f0"))


def _timed(env):
    schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)")
    t_env, table = _table(env, schema.watermark("rowtime", str(source_watermark())))
    return t_env, table.select(col("a"), col("rowtime"), col("b"))


def _stream_of(env, builder):
    t_env, table = _timed(env)
    return t_env.to_changelog_stream(table, builder.build()).process(_WithTimestamp(), Types.STRING())


def time_as_timestamp_only(env):
    builder = Schema.new_builder().column("x", "BIGINT").column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)")
    return _stream_of(env, builder.column("y", "STRING"))


def computed_columns_of_a_target(env):
    builder = Schema.new_builder().column("x", "BIGINT").column_by_expression("z", "x + 1")
    return _stream_of(
        env, builder.column_by_metadata("at", "TIMESTAMP_LTZ(3)", "rowtime").column("y", "STRING")
    )


def all_columns_but_the_time(env):
    t_env, table = _timed(env)
    schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)").build()
    chosen = table.select(col("a"), col("b"), col("rowtime"))
    return t_env.to_changelog_stream(chosen, schema).process(_WithTimestamp(), Types.STRING())


def columns_of_another_number(env):
    return _stream_of(env, Schema.new_builder().column("x", "BIGINT").column("y", "STRING"))


def other_metadata_of_a_target(env):
    return _stream_of(env, Schema.new_builder().column("x", "BIGINT").column_by_metadata("offset", "BIGINT"))


def times_of_a_query_of_changes(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone("UTC")
    declared = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)")
    changes = t_env.from_changelog_stream(
        _stream(env), declared.watermark("rowtime", "SOURCE_WATERMARK()").build()
    )
    t_env.create_temporary_view("changes", changes)
    table = t_env.sql_query("SELECT rowtime, UPPER(b) AS b FROM changes")
    target = (
        Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)").column("b", "STRING").build()
    )
    stream = t_env.to_changelog_stream(table, target).process(_WithTimestamp(), Types.STRING())
    with stream.execute_and_collect() as rows:
        return [*rows]
