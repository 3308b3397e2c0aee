"""Timestamps and watermarks: how they are assigned, and which functions see them."""

from __future__ import annotations

from pystream.common import Duration, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import KeyedProcessFunction, ProcessFunction


class _Itself(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value


class _Present(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return record_timestamp


class _Later(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return record_timestamp + 1000


class _Float(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return float(value)


class _None(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return None


class _Raises(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        raise ValueError(f"no time in {value}")


class _Great(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return 2**63


class _Seen(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp(), ctx.timer_service().current_watermark()


class _AtEnd(KeyedProcessFunction):
    """Emits the watermark at the time of a timer."""

    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(1000)
        yield value, ctx.timestamp(), ctx.timer_service().current_watermark()

    def on_timer(self, timestamp, ctx):
        yield timestamp, ctx.timestamp(), ctx.timer_service().current_watermark()


_STRATEGIES = {
    "monotonous": WatermarkStrategy.for_monotonous_timestamps,
    "bounded": lambda: WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(5)),
    "bounded_by_nothing": lambda: WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(0)),
    "none": WatermarkStrategy.no_watermarks,
}
_ASSIGNERS = {
    "itself": _Itself,
    "present": _Present,
    "float": _Float,
    "None": _None,
    "raises": _Raises,
    "great": _Great,
}
CASES = {
    **{
        f"{strategy}_{assigner}": (strategy, assigner)
        for strategy in _STRATEGIES
        for assigner in ("itself", None)
    },
    **{f"monotonous_{assigner}": ("monotonous", assigner) for assigner in _ASSIGNERS},
}


def _strategy(name, assigner=None):
    strategy = _STRATEGIES[name]()
    return strategy if assigner is None else strategy.with_timestamp_assigner(_ASSIGNERS[assigner]())


def _numbers(env, *values):
    return env.from_collection(list(values), type_info=Types.INT())


def _keyed(stream):
    return stream.key_by(lambda value: 0, key_type=Types.INT())


def seen(env, case):
    # strategies hold references to Java objects in PyFlink: a case can only name them
    return _numbers(env, 10, 5, 20).assign_timestamps_and_watermarks(_strategy(*case)).process(_Seen())


def seen_at_the_end(env, case):
    timed = _numbers(env, 10, 5, 20).assign_timestamps_and_watermarks(_strategy(*case))
    return _keyed(timed).process(_AtEnd())


def without_a_strategy(env):
    return _keyed(_numbers(env, 10)).process(_AtEnd())


def assigned_twice(env):
    once = _numbers(env, 10).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    later = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Later())
    return once.assign_timestamps_and_watermarks(later).process(_Seen())


def assigned_twice_second_without_assigner(env):
    once = _numbers(env, 10).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return once.assign_timestamps_and_watermarks(_strategy("none")).process(_Seen())


def kept_by_map(env):
    timed = _numbers(env, 10, 20).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return timed.map(lambda value: -value).process(_Seen())


def kept_by_filter_and_flat_map(env):
    timed = _numbers(env, 10, 20).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return timed.filter(lambda value: value > 10).flat_map(lambda value: [value, 1]).process(_Seen())


def kept_by_process(env):
    timed = _numbers(env, 10, 20).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return timed.process(_Seen()).process(_Seen())


def kept_by_union(env):
    one = _numbers(env, 10).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    two = _numbers(env, 20).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return sorted(one.union(two).process(_Seen()).execute_and_collect(limit=9))


def kept_by_rebalance(env):
    timed = _numbers(env, 10, 20).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return timed.rebalance().process(_Seen())


def union_with_untimed(env):
    one = _numbers(env, 10).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return sorted(one.union(_numbers(env, 20)).process(_Seen()).execute_and_collect(limit=9))


def type_is_kept(env):
    return str(
        _numbers(env, 1).assign_timestamps_and_watermarks(_strategy("monotonous", "itself")).get_type()
    )


def pickled_elements(env):
    stream = env.from_collection([10, 20])
    return stream.assign_timestamps_and_watermarks(_strategy("monotonous", "itself")).process(_Seen())


def on_a_keyed_stream(env):
    timed = _keyed(_numbers(env, 10)).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return timed.process(_Seen())


def empty_stream(env):
    timed = _numbers(env).assign_timestamps_and_watermarks(_strategy("monotonous", "itself"))
    return _keyed(timed).process(_AtEnd())


def bound_negative(env):
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(-1))
    return _numbers(env, 1).assign_timestamps_and_watermarks(strategy)


def idleness(env):
    strategy = _strategy("monotonous", "itself").with_idleness(Duration.of_seconds(1))
    return _numbers(env, 1).assign_timestamps_and_watermarks(strategy).process(_Seen())


def idleness_of_nothing(env):
    strategy = _strategy("monotonous", "itself").with_idleness(Duration.of_millis(0))
    return _numbers(env, 1).assign_timestamps_and_watermarks(strategy).process(_Seen())


def strategy_is_none(env):
    return _numbers(env, 1).assign_timestamps_and_watermarks(None)


def strategy_is_a_function(env):
    return _numbers(env, 1).assign_timestamps_and_watermarks(lambda value: value)


def assigner_is_a_function(env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value)
    return _numbers(env, 1).assign_timestamps_and_watermarks(strategy).process(_Seen())


def emitted_by_default(env):
    return env.get_config().get_auto_watermark_interval()
