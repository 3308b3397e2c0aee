"""Connected streams: state and timers of their two inputs."""

from __future__ import annotations

from pystream.common import WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    ProcessFunction,
)
from pystream.datastream.state import ListStateDescriptor, ValueStateDescriptor

_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])


class _Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


def _pairs(env, *values):
    return env.from_collection(list(values), type_info=_PAIR)


def _timed(env, *values):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Second())
    return _pairs(env, *values).assign_timestamps_and_watermarks(strategy)


def _first(value):
    return value[0]


def _sorted(stream):
    return sorted(stream.execute_and_collect(limit=1000), key=str)


def _two(env):
    return _pairs(env, ("a", 1), ("b", 2)), env.from_collection([10, 20], type_info=Types.INT())


def _two_keyed(env):
    one = _pairs(env, ("a", 1), ("b", 2), ("a", 3)).key_by(_first, key_type=Types.STRING())
    two = _pairs(env, ("a", 10), ("c", 20)).key_by(_first, key_type=Types.STRING())
    return one, two


class _CoMap(CoMapFunction):
    def map1(self, value):
        return "one", value[1]

    def map2(self, value):
        return "two", value


class _CoMapNone(CoMapFunction):
    def map1(self, value):
        return None

    def map2(self, value):
        return value


class _CoMapRaises(CoMapFunction):
    def map1(self, value):
        return value

    def map2(self, value):
        raise ValueError(f"not {value}")


class _CoFlatMap(CoFlatMapFunction):
    def flat_map1(self, value):
        for _ in range(value[1]):
            yield value[0]

    def flat_map2(self, value):
        return [str(value)]


class _CoFlatMapNone(CoFlatMapFunction):
    def flat_map1(self, value):
        return None

    def flat_map2(self, value):
        return [value]


class _CoProcess(CoProcessFunction):
    def process_element1(self, value, ctx):
        yield "one", value[1], ctx.timestamp()

    def process_element2(self, value, ctx):
        yield "two", value, ctx.timestamp()


class _CoProcessTimer(CoProcessFunction):
    def process_element1(self, value, ctx):
        ctx.timer_service().register_event_time_timer(1)
        yield value

    def process_element2(self, value, ctx):
        yield value


class _CoProcessState(CoProcessFunction):
    def open(self, runtime_context):
        self._state = runtime_context.get_state(ValueStateDescriptor("state", Types.INT()))

    def process_element1(self, value, ctx):
        self._state.update(1)
        yield value

    def process_element2(self, value, ctx):
        yield value


def co_map(env):
    one, two = _two(env)
    return _sorted(one.connect(two).map(_CoMap()))


def co_map_typed(env):
    one, two = _two(env)
    mapped = one.connect(two).map(_CoMap(), output_type=_PAIR)
    return [str(mapped.get_type()), _sorted(mapped)]


def co_map_undeclared(env):
    one, two = _two(env)
    return str(one.connect(two).map(_CoMap()).get_type())


def co_map_returns_none(env):
    one, two = _two(env)
    return _sorted(one.connect(two).map(_CoMapNone()))


def co_map_returns_none_typed(env):
    one, two = _two(env)
    return _sorted(one.connect(two).map(_CoMapNone(), output_type=Types.INT()))


def co_map_raises(env):
    one, two = _two(env)
    return one.connect(two).map(_CoMapRaises())


def co_map_given_a_lambda(env):
    one, two = _two(env)
    return one.connect(two).map(lambda value: value)


def co_map_with_itself(env):
    one = _pairs(env, ("a", 1))
    return _sorted(one.connect(one).map(_CoMap()))


def co_map_keyed(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).map(_CoMap()))


def co_flat_map(env):
    one, two = _two(env)
    return _sorted(one.connect(two).flat_map(_CoFlatMap(), output_type=Types.STRING()))


def co_flat_map_returns_none(env):
    one, two = _two(env)
    return _sorted(one.connect(two).flat_map(_CoFlatMapNone()))


def co_flat_map_given_a_co_map(env):
    one, two = _two(env)
    return one.connect(two).flat_map(_CoMap())


def co_process(env):
    one, two = _two(env)
    return _sorted(one.connect(two).process(_CoProcess()))


def co_process_timed(env):
    one, two = _timed(env, ("a", 1), ("b", 2)), _timed(env, ("c", 3))
    return _sorted(one.connect(two).process(_CoProcess()))


def co_process_timer_without_key(env):
    one, two = _two(env)
    return _sorted(one.connect(two).process(_CoProcessTimer()))


def co_process_state_without_key(env):
    one, two = _two(env)
    return _sorted(one.connect(two).process(_CoProcessState()))


def co_process_state_with_keys(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).process(_CoProcessState()))


def connect_with_nothing(env):
    return _pairs(env, ("a", 1)).connect(None)


def connect_empty_side(env):
    one = _pairs(env, ("a", 1))
    return _sorted(one.connect(env.from_collection([], type_info=Types.INT())).map(_CoMap()))


def connect_both_sides_empty(env):
    return _sorted(_pairs(env).connect(env.from_collection([], type_info=Types.INT())).map(_CoMap()))


class _Shared(KeyedCoProcessFunction):
    """Adds both inputs to one state, and emits it at the end of event time."""

    def open(self, runtime_context):
        self._values = runtime_context.get_list_state(ListStateDescriptor("values", Types.INT()))

    def process_element1(self, value, ctx):
        self._values.add(value[1])
        ctx.timer_service().register_event_time_timer(2**63 - 1)

    def process_element2(self, value, ctx):
        self._values.add(-value[1])
        ctx.timer_service().register_event_time_timer(2**63 - 1)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), sorted(self._values.get())


class _Keys(KeyedCoProcessFunction):
    def process_element1(self, value, ctx):
        yield 1, ctx.get_current_key(), value, ctx.timestamp()

    def process_element2(self, value, ctx):
        yield 2, ctx.get_current_key(), value, ctx.timestamp()


class _Timers(KeyedCoProcessFunction):
    def process_element1(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])

    def process_element2(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])
        ctx.timer_service().register_event_time_timer(value[1] + 100)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), timestamp, ctx.timestamp(), ctx.time_domain().name


class _Deletes(KeyedCoProcessFunction):
    def process_element1(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])
        ctx.timer_service().delete_event_time_timer(value[1])

    def process_element2(self, value, ctx):
        ctx.timer_service().register_processing_time_timer(value[1])
        ctx.timer_service().delete_processing_time_timer(value[1])

    def on_timer(self, timestamp, ctx):
        yield timestamp


def keyed_co_process_shares_state(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).process(_Shared()))


def keyed_co_process_keys(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).process(_Keys()))


def keyed_co_process_timers(env):
    one = _timed(env, ("a", 10), ("b", 20)).key_by(_first, Types.STRING())
    two = _timed(env, ("a", 10), ("c", 5)).key_by(_first, Types.STRING())
    return _sorted(one.connect(two).process(_Timers()))


def keyed_co_process_timers_deleted(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).process(_Deletes()))


def keyed_co_process_in_parallel(env):
    env.set_parallelism(3)
    one = _pairs(env, *[(f"k{i % 5}", i) for i in range(20)]).key_by(_first, Types.STRING())
    two = _pairs(env, *[(f"k{i % 7}", i) for i in range(20)]).key_by(_first, Types.STRING())
    return one.connect(two).process(_Shared())


def keyed_co_process_without_keys(env):
    one, two = _two(env)
    return _sorted(one.connect(two).process(_Keys()))


def keyed_co_process_one_side_keyed(env):
    one, _ = _two_keyed(env)
    return _sorted(one.connect(_pairs(env, ("a", 10))).process(_Keys()))


def keyed_co_process_given_another(env):
    one, two = _two_keyed(env)

    class Other(KeyedProcessFunction):
        def process_element(self, value, ctx):
            yield value

    return one.connect(two).process(Other())


def key_by_after_connect(env):
    one, two = _pairs(env, ("a", 1), ("b", 2), ("a", 3)), _pairs(env, ("a", 10), ("c", 20))
    return _sorted(one.connect(two).key_by(_first, _first, key_type=Types.STRING()).process(_Shared()))


def key_by_after_connect_untyped(env):
    one, two = _pairs(env, ("a", 1), ("b", 2), ("a", 3)), _pairs(env, ("a", 10), ("c", 20))
    return _sorted(one.connect(two).key_by(_first, _first).process(_Shared()))


def keys_of_different_declared_types(env):
    one = _pairs(env, ("a", 1)).key_by(_first, Types.STRING())
    two = _pairs(env, ("a", 1)).key_by(lambda value: value[1], Types.INT())
    return _sorted(one.connect(two).process(_Shared()))


def keys_of_different_undeclared_types(env):
    one = _pairs(env, ("a", 1)).key_by(_first)
    two = _pairs(env, ("a", 1)).key_by(lambda value: value[1])
    return _sorted(one.connect(two).process(_Keys()))


def keys_of_int_and_long(env):
    one = _pairs(env, ("a", 1)).key_by(lambda value: value[1], Types.INT())
    two = _pairs(env, ("b", 1)).key_by(lambda value: value[1], Types.LONG())
    return _sorted(one.connect(two).process(_Shared()))


class _CountingCoMap(CoMapFunction):
    def open(self, runtime_context):
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def _next(self):
        count = (self._count.value() or 0) + 1
        self._count.update(count)
        return count

    def map1(self, value):
        return value[0], self._next()

    def map2(self, value):
        return value[0], self._next()


class _CountingCoFlatMap(CoFlatMapFunction):
    def open(self, runtime_context):
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def _next(self, value):
        count = (self._count.value() or 0) + 1
        self._count.update(count)
        yield value[0], count

    def flat_map1(self, value):
        return self._next(value)

    def flat_map2(self, value):
        return self._next(value)


def co_map_with_state(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).map(_CountingCoMap()))


def co_flat_map_with_state(env):
    one, two = _two_keyed(env)
    return _sorted(one.connect(two).flat_map(_CountingCoFlatMap()))


class _Times(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp()


def timestamps_after_co_map(env):
    one, two = _timed(env, ("a", 1), ("b", 2)), _timed(env, ("c", 3))

    class Whole(CoMapFunction):
        def map1(self, value):
            return value

        def map2(self, value):
            return value

    return _sorted(one.connect(two).map(Whole()).process(_Times()))


def union_of_keyed_origins_connected(env):
    one, two = _two_keyed(env)
    united = one.union(two).key_by(_first, Types.STRING())
    return _sorted(united.connect(one).process(_Shared()))
