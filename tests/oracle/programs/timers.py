"""Timers in both time domains: when and in which order they fire, and the times that functions see."""

from __future__ import annotations

from pystream.common import WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import KeyedProcessFunction, ProcessFunction, TimeDomain
from pystream.datastream.state import ListStateDescriptor, ValueStateDescriptor

_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
_MIN = -(2**63)
_MAX = 2**63 - 1


class _Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1]


def _timed(env, *values):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Second())
    stream = env.from_collection(list(values), type_info=_PAIR).assign_timestamps_and_watermarks(strategy)
    return stream.key_by(lambda value: value[0], key_type=Types.STRING())


def _untimed(env, *values):
    return env.from_collection(list(values), type_info=_PAIR).key_by(lambda value: value[0], Types.STRING())


class _Timed(KeyedProcessFunction):
    """Calls a function with each element, and emits each timer."""

    def __init__(self, register):
        self._register = register

    def process_element(self, value, ctx):
        self._register(ctx.timer_service(), value)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), timestamp, ctx.timestamp(), ctx.timer_service().current_watermark()


def _at_element(service, value):
    service.register_event_time_timer(value[1])


def _minute_after(service, value):
    service.register_event_time_timer(value[1] + 60_000)


def event_timer(env):
    return _timed(env, ("a", 10)).process(_Timed(_at_element))


def event_timers_in_time_order(env):
    return _timed(env, ("a", 30), ("b", 10), ("a", 20), ("c", 40), ("b", 5)).process(_Timed(_at_element))


def event_timers_without_timestamps(env):
    return _untimed(env, ("a", 30), ("b", 10)).process(_Timed(_at_element))


def event_timer_after_the_last_element(env):
    return _timed(env, ("a", 10), ("b", 20)).process(_Timed(_minute_after))


def event_timer_registered_twice(env):
    def twice(service, value):
        service.register_event_time_timer(100)
        service.register_event_time_timer(100)

    return _timed(env, ("a", 1), ("a", 2)).process(_Timed(twice))


def event_timer_one_for_each_key(env):
    def same(service, value):
        service.register_event_time_timer(100)

    stream = _timed(env, ("a", 1), ("b", 2), ("a", 3)).process(_Timed(same))
    return sorted(stream.execute_and_collect(limit=9))


def event_timer_deleted(env):
    def register(service, value):
        service.register_event_time_timer(100)
        service.register_event_time_timer(200)
        service.delete_event_time_timer(100)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_deleted_later(env):
    def register(service, value):
        if value[1] == 1:
            service.register_event_time_timer(100)
            service.register_event_time_timer(200)
        else:
            service.delete_event_time_timer(200)

    return _timed(env, ("a", 1), ("a", 2)).process(_Timed(register))


def event_timer_deleted_by_another_key(env):
    def register(service, value):
        if value[0] == "a":
            service.register_event_time_timer(100)
        else:
            service.delete_event_time_timer(100)

    return _timed(env, ("a", 1), ("b", 2)).process(_Timed(register))


def event_timer_deleted_that_is_not_there(env):
    def delete(service, value):
        service.delete_event_time_timer(100)
        service.delete_processing_time_timer(100)

    return _timed(env, ("a", 1)).process(_Timed(delete))


def event_timer_deleted_and_registered_again(env):
    def register(service, value):
        service.register_event_time_timer(100)
        service.delete_event_time_timer(100)
        service.register_event_time_timer(100)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_deleted_in_the_other_domain(env):
    def register(service, value):
        service.register_event_time_timer(100)
        service.delete_processing_time_timer(100)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_at_zero(env):
    return _timed(env, ("a", 0)).process(_Timed(_at_element))


def event_timer_before_1970(env):
    return _timed(env, ("a", -5), ("a", -10)).process(_Timed(_at_element))


def event_timer_at_the_end_of_time(env):
    def register(service, value):
        service.register_event_time_timer(_MAX)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_at_the_beginning_of_time(env):
    def register(service, value):
        service.register_event_time_timer(_MIN)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_beyond_64_bits(env):
    def register(service, value):
        service.register_event_time_timer(2**63)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_at_a_float(env):
    def register(service, value):
        service.register_event_time_timer(1.5)

    return _timed(env, ("a", 1)).process(_Timed(register))


def event_timer_at_none(env):
    def register(service, value):
        service.register_event_time_timer(None)

    return _timed(env, ("a", 1)).process(_Timed(register))


class _Chain(KeyedProcessFunction):
    """Registers a timer in each timer, up to time 50."""

    def __init__(self, step):
        self._step = step

    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), timestamp
        if 0 <= timestamp + self._step <= 50:
            ctx.timer_service().register_event_time_timer(timestamp + self._step)


def event_timer_from_a_timer(env):
    return _timed(env, ("a", 10), ("b", 15)).process(_Chain(20))


def event_timer_from_a_timer_in_the_past(env):
    return _timed(env, ("a", 40), ("b", 45)).process(_Chain(-20))


class _Same(KeyedProcessFunction):
    def open(self, runtime_context):
        self._times = runtime_context.get_state(ValueStateDescriptor("times", Types.INT()))

    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1])

    def on_timer(self, timestamp, ctx):
        times = (self._times.value() or 0) + 1
        self._times.update(times)
        yield timestamp, times
        if times < 3:
            ctx.timer_service().register_event_time_timer(timestamp)


def event_timer_registers_itself_again(env):
    return _timed(env, ("a", 40)).process(_Same())


class _DeletesNext(KeyedProcessFunction):
    def process_element(self, value, ctx):
        for time in (10, 20, 30):
            ctx.timer_service().register_event_time_timer(time)

    def on_timer(self, timestamp, ctx):
        yield timestamp
        ctx.timer_service().delete_event_time_timer(timestamp + 10)


def event_timer_deleted_by_a_timer(env):
    return _timed(env, ("a", 1)).process(_DeletesNext())


class _Gather(KeyedProcessFunction):
    def open(self, runtime_context):
        self._gathered = runtime_context.get_list_state(ListStateDescriptor("gathered", Types.INT()))

    def process_element(self, value, ctx):
        self._gathered.add(value[1])
        ctx.timer_service().register_event_time_timer(1000)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), sorted(self._gathered.get())
        self._gathered.clear()


def event_timer_sees_state(env):
    stream = _timed(env, ("a", 3), ("b", 5), ("a", 1), ("b", 9)).process(_Gather())
    return sorted(stream.execute_and_collect(limit=9))


class _Domains(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)
        ctx.timer_service().register_processing_time_timer(7)

    def on_timer(self, timestamp, ctx):
        domain = ctx.time_domain()
        yield timestamp, domain == TimeDomain.EVENT_TIME, domain == TimeDomain.PROCESSING_TIME


class _DomainText(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        yield ctx.time_domain().name, str(ctx.time_domain())


def event_timer_domain(env):
    return _timed(env, ("a", 1)).process(_DomainText())


def timers_of_both_domains(env):
    stream = _timed(env, ("a", 1)).process(_Domains())
    return sorted(stream.execute_and_collect(limit=9))


class _Processing(KeyedProcessFunction):
    """Registers a timer some milliseconds ahead; a later element waits for it."""

    def __init__(self, delay):
        self._delay = delay

    def process_element(self, value, ctx):
        service = ctx.timer_service()
        service.register_processing_time_timer(service.current_processing_time() + self._delay)
        yield "element", value[1]

    def on_timer(self, timestamp, ctx):
        behind = ctx.timer_service().current_processing_time() - timestamp
        yield "timer", ctx.get_current_key(), behind >= 0


def processing_timer_in_the_past(env):
    return _untimed(env, ("a", 1)).process(_Processing(-1000))


def processing_timer_now(env):
    return _untimed(env, ("a", 1)).process(_Processing(0))


def processing_timer_far_ahead(env):
    return _untimed(env, ("a", 1)).process(_Processing(86_400_000))


class _ProcessingChain(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_processing_time_timer(1)

    def on_timer(self, timestamp, ctx):
        yield timestamp, ctx.timestamp() == timestamp
        if timestamp < 3:
            ctx.timer_service().register_processing_time_timer(timestamp + 1)


def processing_timer_from_a_timer(env):
    return _untimed(env, ("a", 1)).process(_ProcessingChain())


class _ProcessingDeleted(KeyedProcessFunction):
    def process_element(self, value, ctx):
        service = ctx.timer_service()
        service.register_processing_time_timer(2)
        service.register_processing_time_timer(1)
        service.register_processing_time_timer(2)
        service.delete_processing_time_timer(1)

    def on_timer(self, timestamp, ctx):
        yield timestamp


def processing_timer_deleted(env):
    return _untimed(env, ("a", 1)).process(_ProcessingDeleted())


class _Seen(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield value[0], value[1], ctx.timestamp(), ctx.timer_service().current_watermark()


def timestamps_of_elements(env):
    return _timed(env, ("a", 10), ("b", -3), ("a", 2**31 - 1)).process(_Seen())


class _Later(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp(), ctx.timer_service().current_watermark()


class _Plain(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value[1] + 100)
        yield value[1]

    def on_timer(self, timestamp, ctx):
        yield timestamp


def timestamps_of_what_timers_give(env):
    return _timed(env, ("a", 10), ("a", 20)).process(_Plain()).process(_Later())


def timestamps_of_what_processing_timers_give(env):
    return _timed(env, ("a", 10)).process(_ProcessingDeleted()).process(_Later())


def timestamps_after_reduce(env):
    reduced = _timed(env, ("a", 10), ("a", 20), ("a", 5)).reduce(lambda one, two: (one[0], one[1] + two[1]))
    return reduced.process(_Later())


def timestamps_after_flat_map(env):
    return _timed(env, ("a", 10), ("a", 20)).flat_map(lambda value: [value[1]] * 2).process(_Later())


def timestamps_after_key_by_in_parallel(env):
    env.set_parallelism(2)
    return _timed(env, ("a", 10), ("b", 20), ("c", 30)).process(_Seen())


class _Raises(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        raise ValueError("no luck")


class _WithoutOnTimer(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)
        yield value


class _ReturnsNothing(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        return None


class _ReturnsList(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(5)

    def on_timer(self, timestamp, ctx):
        return [timestamp, timestamp + 1]


def on_timer_raises(env):
    return _timed(env, ("a", 1)).process(_Raises())


def on_timer_missing(env):
    return _timed(env, ("a", 1)).process(_WithoutOnTimer())


def on_timer_returns_none(env):
    return _timed(env, ("a", 1)).process(_ReturnsNothing())


def on_timer_returns_list(env):
    return _timed(env, ("a", 1)).process(_ReturnsList())


class _NoKey(ProcessFunction):
    def __init__(self, use):
        self._use = use

    def process_element(self, value, ctx):
        self._use(ctx.timer_service())
        yield value


def _without_key(env, use):
    return env.from_collection([1], type_info=Types.INT()).process(_NoKey(use))


def without_key_event_timer(env):
    return _without_key(env, lambda service: service.register_event_time_timer(1))


def without_key_processing_timer(env):
    return _without_key(env, lambda service: service.register_processing_time_timer(1))


def without_key_delete_event_timer(env):
    return _without_key(env, lambda service: service.delete_event_time_timer(1))


def without_key_delete_processing_timer(env):
    return _without_key(env, lambda service: service.delete_processing_time_timer(1))


def timers_of_many_keys(env):
    values = [(f"k{i * 7 % 20}", i * 13 % 100) for i in range(100)]
    stream = _timed(env, *values).process(_Timed(_at_element))
    fired = [time for _, time, _, _ in stream.execute_and_collect(limit=1000)]
    return [fired == sorted(fired), len(fired), sum(fired)]


def timers_in_parallel(env):
    env.set_parallelism(3)
    values = [(f"k{i * 7 % 20}", i * 13 % 100) for i in range(60)]
    return _timed(env, *values).process(_Timed(_at_element))
