"""Operators whose results nothing uses, and which run for their effects."""

from __future__ import annotations

from pathlib import Path

from pystream.common import Time, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    AsyncDataStream,
    AsyncFunction,
    BroadcastProcessFunction,
    CoMapFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeExecutionMode,
)
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.state import MapStateDescriptor
from pystream.datastream.window import CountTumblingWindowAssigner
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import col
from pystream.table.udf import udf


class _Push:
    """Write each value to a file and return it."""

    def __init__(self, tmp, name="pushed"):
        self._path = str(tmp / name)

    def __call__(self, value):
        with open(self._path, "a") as pushed:
            pushed.write(f"{value}\n")
        return value


class _Assigner(TimestampAssigner):
    def __init__(self, push):
        self._push = push

    def extract_timestamp(self, value, record_timestamp):
        self._push(value)
        return 1


class _Each(ProcessFunction):
    def __init__(self, push, tag=None):
        self._push = push
        self._tag = tag

    def process_element(self, value, ctx):
        self._push(value)
        yield value if self._tag is None else (self._tag, value)


class _Timers(KeyedProcessFunction):
    def __init__(self, push):
        self._push = push

    def process_element(self, value, ctx):
        self._push(value)
        ctx.timer_service().register_event_time_timer(10)

    def on_timer(self, timestamp, ctx):
        self._push(f"timer of {ctx.get_current_key()}")
        return []


class _Window(ProcessWindowFunction):
    def __init__(self, push):
        self._push = push

    def process(self, key, context, elements):
        self._push(key)
        yield key


class _Both(CoMapFunction):
    def __init__(self, push):
        self._push = push

    def map1(self, value):
        return self._push(f"1 {value}")

    def map2(self, value):
        return self._push(f"2 {value}")


class _Rules(BroadcastProcessFunction):
    def __init__(self, push):
        self._push = push

    def process_element(self, value, ctx):
        self._push(f"element {value}")
        yield value

    def process_broadcast_element(self, value, ctx):
        self._push(f"rule {value}")


class _Call(AsyncFunction):
    def __init__(self, push):
        self._push = push

    async def async_invoke(self, value):
        self._push(value)
        return [value]

    def timeout(self, value):
        return []


_STATE = MapStateDescriptor("rules", Types.STRING(), Types.STRING())


def _letters(env):
    return env.from_collection(["a", "b"], Types.STRING())


def _itself(value):
    return value


def _pushed(tmp, name="pushed"):
    path = Path(tmp / name)
    return sorted(path.read_text().splitlines()) if path.exists() else None


def of_every_kind(env, tmp):
    letters = _letters(env)
    tag = OutputTag("side", Types.STRING())
    letters.map(_Push(tmp, "map"), Types.STRING())
    letters.flat_map(lambda value: [_Push(tmp, "flat_map")(value)] * 0)
    letters.filter(_Push(tmp, "filter"))
    letters.process(_Each(_Push(tmp, "process")), Types.STRING())
    letters.process(_Each(_Push(tmp, "main"), tag), Types.STRING()).get_side_output(tag)
    letters.process(_Each(_itself, tag), Types.STRING()).get_side_output(tag).map(_Push(tmp, "side"))
    letters.map(_Push(tmp, "united"), Types.STRING()).union(letters)
    letters.map(_Push(tmp, "rebalanced"), Types.STRING()).rebalance()
    letters.map(_Push(tmp, "partitioned"), Types.STRING()).key_by(_itself)
    letters.assign_timestamps_and_watermarks(
        WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(
            _Assigner(_Push(tmp, "assigner"))
        )
    )
    keyed = letters.key_by(_itself, Types.STRING())
    keyed.process(_Timers(_Push(tmp, "timers")))
    keyed.window(CountTumblingWindowAssigner.of(1)).process(_Window(_Push(tmp, "window")))
    letters.connect(letters).map(_Both(_Push(tmp, "connected")))
    letters.connect(letters.broadcast(_STATE)).process(_Rules(_Push(tmp, "broadcast")))
    AsyncDataStream.unordered_wait(letters, _Call(_Push(tmp, "async")), Time.seconds(10), 2, Types.STRING())
    env.execute()
    return [[path.name, _pushed(tmp, path.name)] for path in sorted(tmp.iterdir())]


def beside_a_sink(env, tmp):
    letters = _letters(env)
    letters.flat_map(lambda value: [_Push(tmp)(value)] * 0)
    letters.print()
    env.execute()
    return _pushed(tmp)


def cached(env, tmp):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    _letters(env).map(_Push(tmp), Types.STRING()).cache()
    env.execute()
    return _pushed(tmp)


def sources_only(env):
    _letters(env)
    env.from_source(NumberSequenceSource(1, 3), WatermarkStrategy.no_watermarks(), "numbers")
    env.execute()


def partitions_only(env):
    letters = _letters(env)
    letters.union(letters).rebalance()
    letters.connect(letters)
    env.execute()


def selector_only(env, tmp):
    letters = _letters(env)
    letters.key_by(_Push(tmp), Types.STRING())
    letters.print()
    env.execute()
    return _pushed(tmp)


def twice(env, tmp):
    _letters(env).map(_Push(tmp), Types.STRING())
    env.execute()
    env.execute()


def used_later(env, tmp):
    mapped = _letters(env).map(_Push(tmp), Types.STRING())
    env.execute()
    mapped.print()
    env.execute()
    return _pushed(tmp)


def collected(env, tmp):
    with _letters(env).map(_Push(tmp), Types.STRING()).execute_and_collect() as elements:
        list(elements)
    env.execute()


def left_by_a_collected_one(env, tmp):
    letters = _letters(env)
    letters.map(_Push(tmp), Types.STRING())
    with letters.map(_itself, Types.STRING()).execute_and_collect() as elements:
        list(elements)
    letters.map(_itself, Types.STRING())
    env.execute()
    return _pushed(tmp)


def selected(env, tmp):
    t_env = StreamTableEnvironment.create(env)
    push = udf(_Push(tmp), result_type=DataTypes.STRING())
    letters = t_env.from_data_stream(_letters(env))
    letters.select(push(col("f0")))
    t_env.create_temporary_view("letters", letters)
    t_env.sql_query("SELECT UPPER(f0) FROM letters")
    env.execute()


def made_a_stream(env, tmp):
    t_env = StreamTableEnvironment.create(env)
    push = udf(_Push(tmp), result_type=DataTypes.STRING())
    letters = t_env.from_data_stream(_letters(env))
    t_env.to_data_stream(letters.select(push(col("f0"))))
    env.execute()
    return _pushed(tmp)


def inserted(env, tmp):
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql("CREATE TABLE nowhere (f0 STRING) WITH ('connector' = 'blackhole')")
    t_env.from_data_stream(_letters(env).map(_Push(tmp), Types.STRING())).execute_insert("nowhere").wait()
    _letters(env).map(_itself, Types.STRING())
    env.execute()
    return _pushed(tmp)
