"""Keyed state: every method of every kind, and how values expire."""

from __future__ import annotations

import time

from pystream.common import Row
from pystream.common.time import Time
from pystream.common.typeinfo import Types
from pystream.datastream import (
    AggregateFunction,
    FilterFunction,
    KeyedProcessFunction,
    MapFunction,
    ProcessFunction,
    ReduceFunction,
)
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)


def _int():
    """Return a new type, because PyFlink cannot pickle a function that refers to a used one."""
    return Types.INT()


class _Use(KeyedProcessFunction):
    """Emits the result of a function of the state and each element."""

    def __init__(self, get, use):
        self._get = get
        self._use = use

    def open(self, runtime_context):
        self._state = self._get(runtime_context)

    def process_element(self, value, ctx):
        yield self._use(self._state, value)


def _used(env, get, use, values=(1, 2, 3), key=lambda value: 0):
    stream = env.from_collection(list(values), type_info=_int()).key_by(key, key_type=_int())
    return stream.process(_Use(get, use))


def _value(ctx):
    return ctx.get_state(ValueStateDescriptor("value", _int()))


def _list(ctx):
    return ctx.get_list_state(ListStateDescriptor("list", _int()))


def _map(ctx):
    return ctx.get_map_state(MapStateDescriptor("map", Types.STRING(), _int()))


def _reducing(ctx):
    return ctx.get_reducing_state(ReducingStateDescriptor("fold", lambda one, two: one + two, _int()))


# ValueState


def value_read_and_updated(env):
    def use(state, value):
        before = state.value()
        state.update(value)
        return before, state.value()

    return _used(env, _value, use)


def value_of_each_key(env):
    def use(state, value):
        before = state.value()
        state.update(value)
        return value, before

    return _used(env, _value, use, (1, 2, 3, 4, 5), lambda value: value % 2)


def value_updated_to_none(env):
    def use(state, value):
        state.update(value)
        state.update(None)
        return state.value()

    return _used(env, _value, use).map(lambda value: ("seen", value))


def value_updated_to_none_is_gone_later(env):
    def use(state, value):
        before = state.value()
        state.update(None if value == 2 else value)
        return value, before

    return _used(env, _value, use, (1, 2, 3, 4))


def value_cleared(env):
    def use(state, value):
        before = state.value()
        state.update(value)
        if value == 2:
            state.clear()
        return before, state.value()

    return _used(env, _value, use)


def value_cleared_before_it_is_set(env):
    def use(state, value):
        state.clear()
        return ("seen", state.value())

    return _used(env, _value, use)


def value_falsy(env):
    def use(state, value):
        before = state.value()
        state.update(0)
        return ("seen", before)

    return _used(env, _value, use)


def value_pickled(env):
    def use(state, value):
        before = state.value()
        state.update({"k": [value, None]})
        return ("seen", before)

    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("v", Types.PICKLED_BYTE_ARRAY())), use)


def value_row(env):
    row_type = Types.ROW_NAMED(["a", "b"], [_int(), Types.STRING()])

    def use(state, value):
        before = state.value()
        state.update(Row(value, None))
        return ("seen", before)

    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("v", row_type)), use)


def value_list(env):
    def use(state, value):
        values = state.value() or []
        values = [*values, value]
        state.update(values)
        return values

    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("v", Types.LIST(_int()))), use)


def value_map(env):
    def use(state, value):
        values = dict(state.value() or {})
        values[f"k{value}"] = value
        state.update(values)
        return values

    descriptor = ValueStateDescriptor("v", Types.MAP(Types.STRING(), _int()))
    return _used(env, lambda ctx: ctx.get_state(descriptor), use)


def value_of_another_type(env):
    def use(state, value):
        state.update("text")
        return state.value()

    return _used(env, _value, use)


def value_too_great(env):
    def use(state, value):
        state.update(2**31)
        return state.value()

    return _used(env, _value, use)


def value_changed_without_update(env):
    def use(state, value):
        values = state.value()
        if values is None:
            state.update([value])
            return [0]
        before = list(values)
        values.append(value)
        return before

    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("v", Types.PICKLED_BYTE_ARRAY())), use)


# ListState


def list_empty(env):
    return _used(env, _list, lambda state, value: list(state.get()))


def list_added(env):
    def use(state, value):
        state.add(value)
        return list(state.get())

    return _used(env, _list, use)


def list_added_all(env):
    def use(state, value):
        state.add_all([value, value * 10])
        return list(state.get())

    return _used(env, _list, use)


def list_added_all_of_nothing(env):
    def use(state, value):
        state.add_all([])
        return list(state.get())

    return _used(env, _list, use)


def list_updated(env):
    def use(state, value):
        state.add(99)
        state.update([value, value])
        return list(state.get())

    return _used(env, _list, use)


def list_updated_to_nothing(env):
    def use(state, value):
        state.add(value)
        state.update([])
        return list(state.get())

    return _used(env, _list, use)


def list_updated_to_none(env):
    def use(state, value):
        state.update(None)
        return list(state.get())

    return _used(env, _list, use)


def list_cleared(env):
    def use(state, value):
        state.add(value)
        if value == 2:
            state.clear()
        return list(state.get())

    return _used(env, _list, use)


def list_cleared_and_added(env):
    def use(state, value):
        state.add(value)
        state.clear()
        state.add(-value)
        return list(state.get())

    return _used(env, _list, use)


def list_iterated(env):
    def use(state, value):
        state.add(value)
        return list(state)

    return _used(env, _list, use)


def list_added_none(env):
    def use(state, value):
        state.add(None)
        return len(list(state.get()))

    return _used(env, _list, use)


def list_of_each_key(env):
    def use(state, value):
        state.add(value)
        return list(state.get())

    return _used(env, _list, use, (1, 2, 3, 4, 5), lambda value: value % 2)


def list_of_another_type(env):
    def use(state, value):
        state.add("text")
        return list(state.get())

    return _used(env, _list, use)


def list_changed_while_read(env):
    def use(state, value):
        state.add(value)
        for item in list(state.get()):
            state.add(item + 100)
        return list(state.get())

    return _used(env, _list, use, (1, 2))


# MapState


def map_empty(env):
    def use(state, value):
        return state.is_empty(), list(state.keys()), list(state.values()), list(state.items()), list(state)

    return _used(env, _map, use, (1,))


def map_put_and_get(env):
    def use(state, value):
        state.put(f"k{value}", value)
        return state.get(f"k{value}"), state.contains("k1"), state.contains("k2"), state.is_empty()

    return _used(env, _map, use)


def map_get_missing(env):
    return _used(env, _map, lambda state, value: ("seen", state.get("none")))


def map_items(env):
    def use(state, value):
        state.put(f"k{value}", value)
        return sorted(state.items())

    return _used(env, _map, use)


def map_keys_and_values(env):
    def use(state, value):
        state.put(f"k{value}", value)
        return sorted(state.keys()), sorted(state.values())

    return _used(env, _map, use)


def map_put_again(env):
    def use(state, value):
        state.put("k", value)
        return list(state.items())

    return _used(env, _map, use)


def map_put_all(env):
    def use(state, value):
        state.put_all({f"k{value}": value, "same": value})
        return sorted(state.items())

    return _used(env, _map, use)


def map_put_all_of_pairs(env):
    def use(state, value):
        state.put_all([(f"k{value}", value)])
        return sorted(state.items())

    return _used(env, _map, use)


def map_put_all_of_nothing(env):
    def use(state, value):
        state.put_all({})
        return state.is_empty()

    return _used(env, _map, use)


def map_removed(env):
    def use(state, value):
        state.put(f"k{value}", value)
        state.remove(f"k{value - 1}")
        return sorted(state.items())

    return _used(env, _map, use)


def map_removed_missing(env):
    def use(state, value):
        state.remove("none")
        return state.is_empty()

    return _used(env, _map, use)


def map_removed_last(env):
    def use(state, value):
        state.put("k", 1)
        state.remove("k")
        return state.is_empty(), state.contains("k"), list(state.items())

    return _used(env, _map, use)


def map_cleared(env):
    def use(state, value):
        state.put(f"k{value}", value)
        if value == 2:
            state.clear()
        return sorted(state.items()), state.is_empty()

    return _used(env, _map, use)


def map_cleared_and_put(env):
    def use(state, value):
        state.put("old", value)
        state.clear()
        state.put("new", value)
        return sorted(state.items())

    return _used(env, _map, use)


def map_set_item(env):
    def use(state, value):
        state[f"k{value}"] = value
        return state[f"k{value}"], state["none"], "k1" in state, "none" in state

    return _used(env, _map, use)


def map_del_item(env):
    def use(state, value):
        state[f"k{value}"] = value
        del state[f"k{value}"]
        return f"k{value}" in state

    return _used(env, _map, use)


def map_del_item_missing(env):
    def use(state, value):
        del state["none"]
        return state.is_empty()

    return _used(env, _map, use)


def map_iterated(env):
    def use(state, value):
        state[f"k{value}"] = value
        return sorted(state)

    return _used(env, _map, use)


def map_put_none(env):
    def use(state, value):
        state.put("k", None)
        return state.contains("k"), ("seen", state.get("k")), len(list(state.items())), state.is_empty()

    return _used(env, _map, use)


def map_put_none_later(env):
    def use(state, value):
        seen = state.contains("k"), ("seen", state.get("k")), len(list(state.keys()))
        state.put("k", None)
        return seen

    return _used(env, _map, use)


def map_key_none(env):
    def use(state, value):
        state.put(None, value)
        return len(list(state.items()))

    return _used(env, _map, use)


def map_of_each_key(env):
    def use(state, value):
        state.put(f"k{value}", value)
        return sorted(state.items())

    return _used(env, _map, use, (1, 2, 3, 4), lambda value: value % 2)


def map_value_of_another_type(env):
    def use(state, value):
        state.put("k", "text")
        return state.get("k")

    return _used(env, _map, use)


def map_key_of_another_type(env):
    def use(state, value):
        state.put(value, value)
        return sorted(state.items())

    return _used(env, _map, use)


def map_changed_while_iterated(env):
    def use(state, value):
        state.put(f"k{value}", value)
        for key in list(state.keys()):
            state.put(key + "'", 0)
        return len(list(state.items()))

    return _used(env, _map, use, (1, 2))


def map_of_many_entries(env):
    def use(state, value):
        for number in range(100):
            state.put(f"k{number}", number + value)
        return sum(state.values()), len(list(state.keys()))

    return _used(env, _map, use)


def map_pickled(env):
    descriptor = MapStateDescriptor("m", Types.PICKLED_BYTE_ARRAY(), Types.PICKLED_BYTE_ARRAY())

    def use(state, value):
        state.put((value % 2, "x"), {value})
        return sorted(state.items(), key=str)

    return _used(env, lambda ctx: ctx.get_map_state(descriptor), use)


# ReducingState and AggregatingState


class _Sum(ReduceFunction):
    def reduce(self, value1, value2):
        return value1 + value2


class _Average(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value, accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


def _aggregating(ctx):
    accumulator = Types.TUPLE([_int(), _int()])
    return ctx.get_aggregating_state(AggregatingStateDescriptor("average", _Average(), accumulator))


def _add_and_get(state, value):
    state.add(value)
    return state.get()


def reducing_added(env):
    return _used(env, _reducing, _add_and_get)


def reducing_function_object(env):
    descriptor = ReducingStateDescriptor("fold", _Sum(), _int())
    return _used(env, lambda ctx: ctx.get_reducing_state(descriptor), _add_and_get)


def reducing_empty(env):
    return _used(env, _reducing, lambda state, value: ("seen", state.get()))


def reducing_cleared(env):
    def use(state, value):
        state.add(value)
        if value == 2:
            state.clear()
        return ("seen", state.get())

    return _used(env, _reducing, use)


def reducing_of_each_key(env):
    return _used(env, _reducing, _add_and_get, (1, 2, 3, 4), lambda value: value % 2)


def reducing_raises(env):
    descriptor = ReducingStateDescriptor("fold", lambda one, two: one // 0, _int())
    return _used(env, lambda ctx: ctx.get_reducing_state(descriptor), _add_and_get)


def reducing_adds_none(env):
    def use(state, value):
        state.add(value)
        state.add(None)
        return ("seen", state.get())

    return _used(env, _reducing, use)


def reducing_not_callable(env):
    return ReducingStateDescriptor("fold", 3, _int())


def aggregating_added(env):
    return _used(env, _aggregating, _add_and_get)


def aggregating_empty(env):
    return _used(env, _aggregating, lambda state, value: ("seen", state.get()))


def aggregating_cleared(env):
    def use(state, value):
        state.add(value)
        if value == 2:
            state.clear()
        return ("seen", state.get())

    return _used(env, _aggregating, use)


def aggregating_of_each_key(env):
    return _used(env, _aggregating, _add_and_get, (1, 2, 3, 4), lambda value: value % 2)


def aggregating_given_a_lambda(env):
    return AggregatingStateDescriptor("average", lambda value: value, _int()).get_name()


# descriptors


def descriptor_name(env):
    return ValueStateDescriptor("v", _int()).get_name()


def descriptor_type_is_a_class(env):
    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("v", int)), lambda state, value: value)


def descriptor_name_empty(env):
    return _used(env, lambda ctx: ctx.get_state(ValueStateDescriptor("", _int())), lambda state, value: value)


def one_name_twice(env):
    def get(ctx):
        return _value(ctx), _value(ctx)

    def use(states, value):
        one, two = states
        one.update(value)
        return two.value()

    return _used(env, get, use)


def one_name_two_kinds(env):
    def get(ctx):
        descriptor = ListStateDescriptor("value", _int())
        return _value(ctx), ctx.get_list_state(descriptor)

    def use(states, value):
        states[0].update(value)
        states[1].add(value)
        return states[0].value(), list(states[1].get())

    return _used(env, get, use)


def one_name_two_types(env):
    def get(ctx):
        return _value(ctx), ctx.get_state(ValueStateDescriptor("value", Types.STRING()))

    def use(states, value):
        states[0].update(value)
        return states[1].value()

    return _used(env, get, use)


def two_names(env):
    def get(ctx):
        return _value(ctx), ctx.get_state(ValueStateDescriptor("other", Types.STRING()))

    def use(states, value):
        states[0].update(value)
        before = states[1].value()
        states[1].update("text")
        return states[0].value(), before

    return _used(env, get, use)


def one_name_in_two_operators(env):
    def use(state, value):
        before = state.value() or 0
        state.update(before + value)
        return before + value

    def keyed(stream):
        return stream.key_by(lambda value: 0, key_type=_int())

    once = keyed(env.from_collection([1, 2, 3], type_info=_int())).process(
        _Use(_value, use), output_type=_int()
    )
    return keyed(once).process(_Use(_value, use))


class _Late(KeyedProcessFunction):
    def open(self, runtime_context):
        self._context = runtime_context

    def process_element(self, value, ctx):
        state = self._context.get_state(ValueStateDescriptor("late", _int()))
        before = state.value()
        state.update(value)
        yield ("seen", before)


def asked_for_late(env):
    stream = env.from_collection([1, 2], type_info=_int())
    return stream.key_by(lambda value: 0, key_type=_int()).process(_Late())


# outside of a key


class _InOpen(KeyedProcessFunction):
    def open(self, runtime_context):
        _value(runtime_context).update(1)

    def process_element(self, value, ctx):
        yield value


class _InClose(KeyedProcessFunction):
    def open(self, runtime_context):
        self._state = _value(runtime_context)

    def process_element(self, value, ctx):
        yield value

    def close(self):
        self._state.value()


class _NoKeyProcess(ProcessFunction):
    def open(self, runtime_context):
        self._state = _value(runtime_context)

    def process_element(self, value, ctx):
        yield value


class _NoKeyMap(MapFunction):
    def open(self, runtime_context):
        self._state = _value(runtime_context)

    def map(self, value):
        self._state.update(value)
        return value


class _NoKeyFilter(FilterFunction):
    def open(self, runtime_context):
        self._state = _list(runtime_context)

    def filter(self, value):
        return True


def used_in_open(env):
    return env.from_collection([1], type_info=_int()).key_by(lambda value: value, _int()).process(_InOpen())


def without_key_process(env):
    return env.from_collection([1], type_info=_int()).process(_NoKeyProcess())


def without_key_map(env):
    return env.from_collection([1], type_info=_int()).map(_NoKeyMap())


def without_key_filter(env):
    return env.from_collection([1], type_info=_int()).filter(_NoKeyFilter())


# time to live

_BRIEF = Time.milliseconds(1)
_LONG = Time.days(1)
_SHOWN = StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp
_HIDDEN = StateTtlConfig.StateVisibility.NeverReturnExpired


def _config(ttl, update=StateTtlConfig.UpdateType.OnCreateAndWrite, visibility=_HIDDEN):
    builder = StateTtlConfig.new_builder(ttl)
    return builder.set_update_type(update).set_state_visibility(visibility).build()


# time to live, update type, visibility
CASES = {
    "a_day": (_LONG, StateTtlConfig.UpdateType.OnCreateAndWrite, _HIDDEN),
    "a_day_renewed_by_reading": (_LONG, StateTtlConfig.UpdateType.OnReadAndWrite, _HIDDEN),
    "a_day_disabled": (_LONG, StateTtlConfig.UpdateType.Disabled, _HIDDEN),
    "brief": (_BRIEF, StateTtlConfig.UpdateType.OnCreateAndWrite, _HIDDEN),
    "brief_renewed_by_reading": (_BRIEF, StateTtlConfig.UpdateType.OnReadAndWrite, _HIDDEN),
    "brief_shown": (_BRIEF, StateTtlConfig.UpdateType.OnCreateAndWrite, _SHOWN),
    "brief_disabled": (_BRIEF, StateTtlConfig.UpdateType.Disabled, _HIDDEN),
}


def _slowly(env, get, use):
    """Use state with elements that arrive one at a time, each in a bundle of its own."""
    env.get_config().set_auto_watermark_interval(0)

    def waiting(state, value):
        time.sleep(0.02)
        return use(state, value)

    return _used(env, get, waiting)


def ttl_value(env, case):
    descriptor = ValueStateDescriptor("value", _int())
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = state.value()
        if value == 1:
            state.update(value)
        return ("seen", before)

    return _slowly(env, lambda ctx: ctx.get_state(descriptor), use)


def ttl_list(env, case):
    descriptor = ListStateDescriptor("list", _int())
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = list(state.get())
        if value == 1:
            state.add_all([1, 2])
        return before

    return _slowly(env, lambda ctx: ctx.get_list_state(descriptor), use)


def ttl_map(env, case):
    descriptor = MapStateDescriptor("map", Types.STRING(), _int())
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = sorted(state.items())
        if value == 1:
            state.put_all({"a": 1, "b": 2})
        return before

    return _slowly(env, lambda ctx: ctx.get_map_state(descriptor), use)


def ttl_reducing(env, case):
    descriptor = ReducingStateDescriptor("fold", lambda one, two: one + two, _int())
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = state.get()
        state.add(value)
        return ("seen", before)

    return _slowly(env, lambda ctx: ctx.get_reducing_state(descriptor), use)


def ttl_aggregating(env, case):
    descriptor = AggregatingStateDescriptor("average", _Average(), Types.TUPLE([_int(), _int()]))
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = state.get()
        state.add(value)
        return ("seen", before)

    return _slowly(env, lambda ctx: ctx.get_aggregating_state(descriptor), use)


def ttl_map_read_by_get(env, case):
    descriptor = MapStateDescriptor("map", Types.STRING(), _int())
    descriptor.enable_time_to_live(_config(*case))

    def use(state, value):
        before = state.get("a"), state.contains("a"), state.is_empty()
        if value == 1:
            state.put("a", 1)
        return before

    return _slowly(env, lambda ctx: ctx.get_map_state(descriptor), use)


def ttl_of_nothing(env):
    return StateTtlConfig.new_builder(Time.milliseconds(0)).build()


def ttl_negative(env):
    return StateTtlConfig.new_builder(Time.milliseconds(-1)).build()


def ttl_defaults(env):
    config = StateTtlConfig.new_builder(Time.seconds(1)).build()
    return [
        config.get_update_type().name,
        config.get_state_visibility().name,
        config.get_ttl_time_characteristic().name,
        config.get_ttl().to_milliseconds(),
        config.is_enabled(),
        config.get_cleanup_strategies().is_cleanup_in_background(),
        config.get_cleanup_strategies().in_full_snapshot(),
    ]


def ttl_settings(env):
    config = (
        StateTtlConfig.new_builder(Time.seconds(1))
        .update_ttl_on_read_and_write()
        .return_expired_if_not_cleaned_up()
        .use_processing_time()
        .cleanup_full_snapshot()
        .cleanup_incrementally(10, True)
        .cleanup_in_rocksdb_compact_filter(1000)
        .disable_cleanup_in_background()
        .set_ttl(Time.minutes(1))
        .build()
    )
    strategies = config.get_cleanup_strategies()
    incremental = strategies.get_incremental_cleanup_strategy()
    return [
        config.get_update_type().name,
        config.get_state_visibility().name,
        config.get_ttl().to_milliseconds(),
        strategies.is_cleanup_in_background(),
        strategies.in_full_snapshot(),
        incremental.get_cleanup_size(),
        incremental.run_cleanup_for_every_record(),
        strategies.get_rocksdb_compact_filter_cleanup_strategy().get_query_time_after_num_entries(),
    ]


def ttl_update_type_disabled(env):
    config = StateTtlConfig.new_builder(Time.days(1))
    return config.set_update_type(StateTtlConfig.UpdateType.Disabled).build().is_enabled()
