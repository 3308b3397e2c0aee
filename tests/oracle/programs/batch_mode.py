"""BATCH execution: one key at a time, elements in order of time, and only final results."""

from __future__ import annotations

from itertools import pairwise

from pystream.common import Duration, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    CoMapFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
)
from pystream.datastream.state import ListStateDescriptor, ValueStateDescriptor

_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
_MIN = -(2**63)
_MAX = 2**63 - 1
_PAIRS = [("b", 30), ("a", 20), ("b", 10), ("a", 40), ("c", 5), ("a", 15)]


class _Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


def _first(value):
    return value[0]


def _pairs(env, values=_PAIRS):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    return env.from_collection(list(values), type_info=_PAIR)


def _timed(env, values=_PAIRS, strategy=WatermarkStrategy.for_monotonous_timestamps):
    return _pairs(env, values).assign_timestamps_and_watermarks(strategy().with_timestamp_assigner(_Second()))


def _keyed(stream):
    return stream.key_by(_first, key_type=Types.STRING())


def _sorted(stream):
    return sorted(stream.execute_and_collect(limit=1000), key=str)


def _by_key(stream):
    """Return the results of each key, in order."""
    results = {}
    for key, *rest in stream.execute_and_collect(limit=1000):
        results.setdefault(key, []).append(rest)
    return results


class _Clocks(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield ctx.get_current_key(), value[1], ctx.timestamp(), ctx.timer_service().current_watermark()


class _PlainClocks(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp(), ctx.timer_service().current_watermark()


def reduce_gives_the_last_value(env):
    return _sorted(_keyed(_pairs(env)).reduce(lambda one, two: (one[0], one[1] + two[1])))


def reduce_order_of_elements(env):
    return _sorted(_keyed(_pairs(env)).reduce(lambda one, two: (one[0], one[1] * 100 + two[1])))


def reduce_order_of_timed_elements(env):
    return _sorted(_keyed(_timed(env)).reduce(lambda one, two: (one[0], one[1] * 100 + two[1])))


def reduce_of_single_elements(env):
    return _sorted(_keyed(_pairs(env, [("a", 1), ("b", 2)])).reduce(lambda one, two: 1 // 0))


def reduce_raises(env):
    return _keyed(_pairs(env)).reduce(lambda one, two: 1 // 0)


def reduce_of_nothing(env):
    return _keyed(_pairs(env, [])).reduce(lambda one, two: one)


def reduce_in_parallel(env):
    env.set_parallelism(2)
    return _keyed(_pairs(env)).reduce(lambda one, two: (one[0], one[1] + two[1]))


def reduce_twice(env):
    sums = _keyed(_pairs(env)).reduce(lambda one, two: (one[0], one[1] + two[1]))
    return (
        sums.key_by(lambda value: value[0] < "c")
        .reduce(lambda one, two: ("all", one[1] + two[1]))
        .map(lambda value: value[1])
    )


def reduce_result_timestamp(env):
    reduced = _keyed(_timed(env)).reduce(lambda one, two: (one[0], one[1] + two[1]))
    return _sorted(reduced.process(_PlainClocks()))


def sum_gives_the_last_value(env):
    return _sorted(_keyed(_pairs(env)).sum(1))


def min_gives_the_last_value(env):
    return _sorted(_keyed(_pairs(env)).min(1))


def max_by_gives_the_last_value(env):
    return _sorted(_keyed(_pairs(env)).max_by(1))


class _Count(MapFunction):
    def open(self, runtime_context):
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def map(self, value):
        count = (self._count.value() or 0) + 1
        self._count.update(count)
        return value[0], count, value[1]


def map_with_state(env):
    return _by_key(_keyed(_pairs(env)).map(_Count()))


def map_with_state_of_timed_elements(env):
    return _by_key(_keyed(_timed(env)).map(_Count()))


def elements_of_a_key_come_together(env):
    keys = [key for key, *_ in _keyed(_pairs(env)).process(_Clocks()).execute_and_collect(limit=100)]
    return [len(keys), sum(one != two for one, two in pairwise(keys))]


def clocks(env):
    return _by_key(_keyed(_pairs(env)).process(_Clocks()))


def clocks_of_timed_elements(env):
    return _by_key(_keyed(_timed(env)).process(_Clocks()))


def clocks_bounded_out_of_orderness(env):
    def strategy():
        return WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(1))

    return _by_key(_keyed(_timed(env, strategy=strategy)).process(_Clocks()))


def clocks_without_keys(env):
    return _timed(env).process(_PlainClocks())


def equal_times_keep_their_order(env):
    values = [("a", 5), ("b", 5), ("a", 5), ("a", 1), ("b", 5)]
    numbered = _timed(env, values).map(lambda value: value)
    return _by_key(_keyed(numbered).process(_Clocks()))


class _Timers(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1] + 1)
        ctx.timer_service().register_event_time_timer(100)
        yield ctx.get_current_key(), "element", value[1]

    def on_timer(self, timestamp, ctx):
        watermark = ctx.timer_service().current_watermark()
        yield ctx.get_current_key(), "timer", timestamp, ctx.timestamp(), watermark


def timers_of_each_key(env):
    return _by_key(_keyed(_timed(env)).process(_Timers()))


def timers_of_untimed_elements(env):
    return _by_key(_keyed(_pairs(env)).process(_Timers()))


class _Processing(KeyedProcessFunction):
    def process_element(self, value, ctx):
        service = ctx.timer_service()
        service.register_processing_time_timer(service.current_processing_time() + 86_400_000)
        service.register_processing_time_timer(1)
        yield ctx.get_current_key(), "element"

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), "timer", timestamp == 1, ctx.time_domain().name


def processing_timers_fire_at_the_end_of_a_key(env):
    pairs = _pairs(env, [("a", 1), ("b", 2), ("c", 3)])
    return _by_key(_keyed(pairs).process(_Processing()))


class _Seen(KeyedProcessFunction):
    """Emits the number of elements of a key that were seen when its timers fire, all of them due at once."""

    def open(self, runtime_context):
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.INT()))

    def process_element(self, value, ctx):
        self._seen.update((self._seen.value() or 0) + 1)
        ctx.timer_service().register_processing_time_timer(value[1])

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), timestamp, self._seen.value()


def processing_time_stands_still_within_a_key(env):
    env.get_config().set_auto_watermark_interval(1)
    return _sorted(_keyed(_pairs(env)).process(_Seen()))


class _State(KeyedProcessFunction):
    def open(self, runtime_context):
        self._values = runtime_context.get_list_state(ListStateDescriptor("values", Types.INT()))

    def process_element(self, value, ctx):
        self._values.add(value[1])
        ctx.timer_service().register_event_time_timer(_MAX)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), list(self._values.get())


def state_at_the_end_of_time(env):
    return _by_key(_keyed(_timed(env)).process(_State()))


class _CoSeen(KeyedCoProcessFunction):
    def process_element1(self, value, ctx):
        yield ctx.get_current_key(), 1, value[1], ctx.timer_service().current_watermark()

    def process_element2(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])
        yield ctx.get_current_key(), 2, value[1], ctx.timer_service().current_watermark()

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), "timer", timestamp


def connected_by_time(env):
    one, two = _keyed(_timed(env)), _keyed(_timed(env, [("a", 17), ("d", 1), ("b", 35)]))
    return _by_key(one.connect(two).process(_CoSeen()))


class _CoMap(CoMapFunction):
    def map1(self, value):
        return value[0], 1, value[1]

    def map2(self, value):
        return value[0], 2, value[1]


def connected_without_keys(env):
    return _sorted(_timed(env).connect(_timed(env, [("z", 1)])).map(_CoMap()))


def connected_untimed(env):
    one, two = _keyed(_pairs(env)), _keyed(_pairs(env, [("a", 17), ("d", 1)]))
    return _sorted(one.connect(two).map(_CoMap()))


def _side():
    """Return a new tag, because PyFlink cannot pickle a function that refers to a used one."""
    return OutputTag("side", Types.STRING())


class _Aside(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(50)
        yield _side(), value[0]

    def on_timer(self, timestamp, ctx):
        yield _side(), ctx.get_current_key() + "!"
        yield ctx.get_current_key()


def side_output(env):
    processed = _keyed(_timed(env)).process(_Aside())
    side = processed.get_side_output(_side())
    return [_sorted(processed), _sorted(side)]


def without_keys(env):
    return _pairs(env).map(lambda value: value[1]).filter(lambda value: value > 10)


def union_of_keyed(env):
    united = _keyed(_timed(env)).union(_keyed(_timed(env, [("a", 1)])))
    return _by_key(_keyed(united).process(_Clocks()))


def filter_with_keys(env):
    return _sorted(_keyed(_timed(env)).filter(lambda value: value[1] > 15))


def key_raises(env):
    return _pairs(env).key_by(lambda value: 1 // 0).process(_Clocks())


def key_none(env):
    return _pairs(env).key_by(lambda value: None).process(_Clocks())


class _OnTimerRaises(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        raise ValueError("no luck")


def on_timer_raises(env):
    return _keyed(_timed(env)).process(_OnTimerRaises())


def automatic_of_bounded_input(env):
    keyed = _keyed(_pairs(env))
    env.set_runtime_mode(RuntimeExecutionMode.AUTOMATIC)
    return _sorted(keyed.sum(1))


def streaming_is_the_default(env):
    return _sorted(_keyed(env.from_collection(_PAIRS, type_info=_PAIR)).sum(1))
