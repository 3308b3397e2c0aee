"""Cached streams: results of the first job and of later ones, and which streams can be cached."""

from __future__ import annotations

from pystream.common import WatermarkStrategy
from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import OutputTag, ProcessFunction, RuntimeExecutionMode
from pystream.datastream.window import TumblingEventTimeWindows

_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
_PAIRS = [("b", 30), ("a", 20), ("b", 10), ("a", 40), ("c", 5), ("a", 15)]


class _Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


class _WithTime(ProcessFunction):
    def process_element(self, value, ctx):
        yield str((value, ctx.timestamp()))


class _Split(ProcessFunction):
    def process_element(self, value, ctx):
        yield value
        yield OutputTag("odd", Types.INT()), value


def _numbers(env, mode=RuntimeExecutionMode.BATCH):
    env.set_runtime_mode(mode)
    return env.from_collection([1, 2, 3], type_info=Types.INT())


def _doubled(stream):
    return stream.map(lambda value: value * 2, output_type=Types.INT())


def _timed(env):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Second())
    return env.from_collection(_PAIRS, type_info=_PAIR).assign_timestamps_and_watermarks(strategy)


def _collected(stream):
    with stream.execute_and_collect() as elements:
        return sorted(elements, key=str)


def _twice(stream):
    return [_collected(stream), _collected(stream)]


def _calls(stream, tmp):
    """Return the number of calls of a function before the cache, after each of two jobs."""
    called = str(tmp / "called")

    def noted(value):
        with open(called, "a") as file:
            file.write(".")
        return value

    cached = stream.map(noted, output_type=Types.INT()).cache()
    counts = []
    for _ in range(2):
        _collected(cached)
        with open(called) as file:
            counts.append(len(file.read()))
    return counts


def of_a_map(env):
    return _twice(_doubled(_numbers(env)).cache())


def of_a_source(env):
    return _twice(_doubled(_numbers(env).cache()))


def of_pickled_elements(env):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    return _twice(env.from_collection([1, "a", (2, None)]).map(lambda value: [value]).cache())


def then_mapped(env):
    cached = _doubled(_numbers(env)).cache()
    return [_collected(_doubled(cached)), _collected(cached), _collected(_doubled(cached))]


def then_keyed(env):
    cached = _timed(env).cache()
    sums = cached.key_by(lambda pair: pair[0], key_type=Types.STRING()).reduce(
        lambda a, b: (a[0], a[1] + b[1])
    )
    return _twice(sums)


def then_with_event_times(env):
    return _twice(_timed(env).cache().process(_WithTime(), output_type=Types.STRING()))


def then_in_windows(env):
    windows = (
        _timed(env)
        .cache()
        .key_by(lambda pair: pair[0], key_type=Types.STRING())
        .window(TumblingEventTimeWindows.of(Time.milliseconds(20)))
    )
    return _twice(windows.reduce(lambda a, b: (a[0], a[1] + b[1])))


def then_printed(env):
    cached = _doubled(_numbers(env)).cache()
    cached.print()
    env.execute()
    cached.print()
    env.execute()


def then_invalidated(env):
    cached = _doubled(_numbers(env)).cache()
    first = _collected(cached)
    cached.invalidate()
    return [first, _collected(cached)]


def invalidated_while_empty(env):
    cached = _doubled(_numbers(env)).cache()
    cached.invalidate()
    return _collected(cached)


def in_streaming_mode(env):
    return _twice(_doubled(_numbers(env, RuntimeExecutionMode.STREAMING)).cache())


def in_automatic_mode(env):
    return _twice(_doubled(_numbers(env, RuntimeExecutionMode.AUTOMATIC)).cache())


def called_in_batch_mode(env, tmp):
    return _calls(_numbers(env), tmp)


def called_in_streaming_mode(env, tmp):
    return _calls(_numbers(env, RuntimeExecutionMode.STREAMING), tmp)


def of_a_side_output(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return _twice(split.get_side_output(OutputTag("odd", Types.INT())).cache())


def then_a_side_output(env):
    cached = _numbers(env).process(_Split(), output_type=Types.INT()).cache()
    return cached.get_side_output(OutputTag("odd", Types.INT()))


def of_a_keyed_stream(env):
    return _numbers(env).key_by(lambda value: value).cache()


def of_a_union(env):
    numbers = _numbers(env)
    return numbers.union(_doubled(numbers)).cache()


def of_a_cached_stream(env):
    return _numbers(env).cache().cache()


def of_a_rebalanced_stream(env):
    return _numbers(env).rebalance().cache()


CASES = {
    "set_parallelism": ("set_parallelism", 1),
    "name": ("name", "a"),
    "uid": ("uid", "a"),
    "set_uid_hash": ("set_uid_hash", "a" * 32),
    "set_max_parallelism": ("set_max_parallelism", 2),
    "force_non_parallel": ("force_non_parallel",),
    "set_buffer_timeout": ("set_buffer_timeout", 10),
    "start_new_chain": ("start_new_chain",),
    "disable_chaining": ("disable_chaining",),
    "slot_sharing_group": ("slot_sharing_group", "a"),
    "set_description": ("set_description", "a"),
}


def with_a_setting(env, case):
    method, *arguments = case
    return getattr(_numbers(env).cache(), method)(*arguments)
