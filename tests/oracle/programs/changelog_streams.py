"""Tables of streams of changes whose rows replace or delete others by a primary key."""

from __future__ import annotations

from pystream.common import Row, RowKind, Types, WatermarkStrategy
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.table import ChangelogMode, DataTypes, Schema, StreamTableEnvironment

_INSERT, _UPDATE, _DELETE = RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE
_CHANGES = [
    (_INSERT, "Alice", 12),
    (_INSERT, "Bob", 5),
    (_UPDATE, "Alice", 100),
    (_UPDATE, "Alice", 100),
    (_DELETE, "Bob", 6),
    (_UPDATE, "Carl", 1),
    (_DELETE, "Dan", 1),
    (_INSERT, "Alice", 7),
]


class _Seconds(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1] * 1000


def _changes(env, schema, *, timed=False):
    env.set_parallelism(1)
    rows = [Row.of_kind(*change) for change in _CHANGES]
    stream = env.from_collection(rows, Types.ROW_NAMED(["name", "score"], [Types.STRING(), Types.INT()]))
    if timed:
        strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Seconds())
        stream = stream.assign_timestamps_and_watermarks(strategy)
    t_env = StreamTableEnvironment.create(env)
    t_env.get_config().set_local_timezone("UTC")
    table = t_env.from_changelog_stream(stream, schema.build(), ChangelogMode.upsert())
    return t_env.to_changelog_stream(table)


def all_columns(env):
    return _changes(env, Schema.new_builder().primary_key("name"))


def chosen_columns(env):
    schema = Schema.new_builder().column("score", DataTypes.INT())
    return _changes(env, schema.column("name", DataTypes.STRING().not_null()).primary_key("name"))


def a_computed_column(env):
    schema = Schema.new_builder().column("name", DataTypes.STRING().not_null())
    schema = schema.column("score", DataTypes.INT()).column_by_expression("double", "score * 2")
    return _changes(env, schema.primary_key("name"))


def a_key_of_all_columns(env):
    return _changes(env, Schema.new_builder().primary_key("name", "score"))


def the_time_of_the_records(env):
    schema = Schema.new_builder().column("name", DataTypes.STRING().not_null())
    schema = schema.column_by_metadata("rowtime", "STRING").primary_key("name")
    return _changes(env, schema, timed=True)


def without_a_key(env):
    return _changes(env, Schema.new_builder().column("name", DataTypes.STRING()))
