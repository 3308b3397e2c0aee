"""Broadcast state: in BATCH execution, which reads the broadcast side first; and errors."""

from __future__ import annotations

from pystream.common import WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
    KeyedProcessFunction,
    RuntimeExecutionMode,
)
from pystream.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor

_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
_RULES = MapStateDescriptor("rules", Types.STRING(), Types.INT())
_OTHERS = MapStateDescriptor("others", Types.INT(), Types.STRING())
_MIN = -(2**63)


class _Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


def _first(value):
    return value[0]


def _pairs(env, *values):
    return env.from_collection(list(values), type_info=_PAIR)


def _timed(env, *values):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Second())
    return _pairs(env, *values).assign_timestamps_and_watermarks(strategy)


def _batch(env):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    return env


def _rules(env):
    return _timed(env, ("a", 1), ("b", 2), ("a", 3)).broadcast(_RULES)


class _Rules(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        state = ctx.get_broadcast_state(_RULES)
        yield value[0], value[0] in state, state.get(value[0]), sorted(state.items())

    def process_broadcast_element(self, value, ctx):
        state = ctx.get_broadcast_state(_RULES)
        before = state[value[0]] if state.contains(value[0]) else 0
        state.put(value[0], before + value[1])
        yield "rule", sorted(state.keys()), sorted(state.values()), state.is_empty()


class _Times(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        yield "element", ctx.timestamp(), ctx.current_watermark(), ctx.current_processing_time() > 0

    def process_broadcast_element(self, value, ctx):
        yield "rule", ctx.timestamp(), ctx.current_watermark(), ctx.current_processing_time() > 0


class _Writes(BroadcastProcessFunction):
    def process_element(self, value, ctx):
        yield sorted(ctx.get_broadcast_state(_RULES).items()), sorted(ctx.get_broadcast_state(_OTHERS))

    def process_broadcast_element(self, value, ctx):
        rules = ctx.get_broadcast_state(_RULES)
        rules["z"] = 26
        rules.put("y", 25)
        rules.put("x", 24)
        del rules["z"]
        rules.remove("x")
        others = ctx.get_broadcast_state(_OTHERS)
        others.clear()
        others.put(value[1], value[0])


class _Keyed(KeyedBroadcastProcessFunction):
    def open(self, runtime_context):
        self.seen = runtime_context.get_list_state(ListStateDescriptor("seen", Types.INT()))

    def process_element(self, value, ctx):
        self.seen.add(value[1])
        rules = sorted(ctx.get_broadcast_state(_RULES).items())
        yield ctx.get_current_key(), list(self.seen), rules, ctx.timestamp()

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(_RULES).put(value[0], value[1])
        yield "rule", value[0]


class _Timers(KeyedBroadcastProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1] + 100)

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(_RULES).put(value[0], value[1])

    def on_timer(self, timestamp, ctx):
        rules = sorted(ctx.get_broadcast_state(_RULES).items())
        yield timestamp, ctx.get_current_key(), ctx.time_domain().name, ctx.timestamp(), rules


class _KeyedStateForBroadcast(KeyedBroadcastProcessFunction):
    def open(self, runtime_context):
        self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.INT()))

    def process_element(self, value, ctx):
        yield value

    def process_broadcast_element(self, value, ctx):
        raise ValueError(f"no rule {value[0]}")


class _NotBroadcast(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield value


def broadcast_before_elements(env):
    return _timed(_batch(env), ("a", 5), ("c", 6)).connect(_rules(env)).process(_Rules())


def broadcast_from_two_subtasks(env):
    rules = _pairs(_batch(env), ("a", 1), ("b", 2)).map(lambda v: v, _PAIR).set_parallelism(2)
    stream = _pairs(env, ("a", 5), ("c", 6)).connect(rules.broadcast(_RULES)).process(_Rules())
    return stream.filter(lambda result: result[0] != "rule")


def every_subtask_has_all_rules(env):
    rules = _pairs(_batch(env), ("a", 1), ("b", 2)).broadcast(_RULES)
    elements = _pairs(env, ("a", 5), ("c", 6), ("d", 7)).rebalance()
    return sorted(
        elements.connect(rules).process(_Rules()).set_parallelism(2).execute_and_collect(limit=99), key=str
    )


def times_of_both_sides(env):
    return _timed(_batch(env), ("a", 5)).connect(_rules(env)).process(_Times())


def no_times(env):
    rules = _pairs(_batch(env), ("a", 1)).broadcast(_RULES)
    return _pairs(env, ("a", 5)).connect(rules).process(_Times())


def states_written_in_all_ways(env):
    rules = _pairs(_batch(env), ("a", 1), ("b", 2)).broadcast(_RULES, _OTHERS)
    return _pairs(env, ("a", 5)).connect(rules).process(_Writes())


def typed_results(env):
    class Typed(BroadcastProcessFunction):
        def process_element(self, value, ctx):
            yield value

        def process_broadcast_element(self, value, ctx):
            yield value

    return (
        _pairs(_batch(env), ("a", 5)).connect(_pairs(env, ("r", 1)).broadcast(_RULES)).process(Typed(), _PAIR)
    )


def keyed_with_state(env):
    keyed = _timed(_batch(env), ("k", 5), ("l", 6), ("k", 4)).key_by(_first, key_type=Types.STRING())
    return sorted(keyed.connect(_rules(env)).process(_Keyed()).execute_and_collect(limit=99), key=str)


def keyed_timers(env):
    keyed = _timed(_batch(env), ("k", 5), ("l", 6), ("k", 4)).key_by(_first, key_type=Types.STRING())
    return sorted(keyed.connect(_rules(env)).process(_Timers()).execute_and_collect(limit=99), key=str)


def a_failing_broadcast_element(env):
    keyed = _pairs(_batch(env), ("k", 5)).key_by(_first, key_type=Types.STRING())
    return keyed.connect(_rules(env)).process(_KeyedStateForBroadcast())


def names_of_operators(env):
    rules = _pairs(env, ("a", 1)).broadcast(_RULES)
    stream = _pairs(env, ("k", 5))
    return [
        stream.connect(rules).process(_Rules()).get_name(),
        stream.key_by(_first, key_type=Types.STRING()).connect(rules).process(_Keyed()).get_name(),
    ]


def refused_keyed_function_without_keys(env):
    return _pairs(env, ("a", 5)).connect(_rules(env)).process(_Keyed())


def refused_function_without_keys_on_keyed_stream(env):
    return _pairs(env, ("a", 5)).key_by(_first).connect(_rules(env)).process(_Rules())


def refused_descriptor_of_another_kind(env):
    return _pairs(env, ("a", 5)).broadcast(ValueStateDescriptor("rules", Types.INT()))


def refused_on_a_keyed_stream(env):
    return _pairs(env, ("a", 5)).key_by(_first).broadcast(_RULES)
