"""Side outputs: the functions that have them, their types, and when they are read."""

from __future__ import annotations

from pystream.common import Row, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import (
    CoProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
)


def _odd():
    """Return a new tag, because PyFlink cannot pickle a function that refers to a used one."""
    return OutputTag("odd", Types.INT())


class _Split(ProcessFunction):
    """Sends odd numbers to the side output."""

    def __init__(self, tag=None):
        self._tag = tag or _odd()

    def process_element(self, value, ctx):
        if value % 2:
            yield self._tag, value
        else:
            yield value


class _Aside(ProcessFunction):
    """Sends every element to the side output, changed."""

    def __init__(self, tag, value):
        self._tag = tag
        self._value = value

    def process_element(self, value, ctx):
        yield self._tag, self._value


class _Itself(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value


def _numbers(env, *values):
    return env.from_collection(list(values or (1, 2, 3, 4)), type_info=Types.INT())


def _collected(stream):
    return sorted(stream.execute_and_collect(limit=100), key=str)


def _key(value):
    return value % 3


def from_process(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    side = split.get_side_output(_odd())
    return [_collected(split), _collected(side)]


def side_only(env):
    return _numbers(env).process(_Split(), output_type=Types.INT()).get_side_output(_odd())


def main_only(env):
    return _numbers(env).process(_Split(), output_type=Types.INT())


def read_twice(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    side = split.get_side_output(_odd())
    return _collected(side.union(split.get_side_output(_odd())))


def main_and_side_united(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return _collected(split.union(split.get_side_output(_odd())))


def both_printed(env):
    split = _numbers(env, 1).process(_Split(), output_type=Types.INT())
    split.print("main")
    split.get_side_output(_odd()).print("side")
    env.execute()


def mapped_further(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return split.get_side_output(_odd()).map(lambda value: value * 10, output_type=Types.INT())


def type_of_the_tag(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return str(split.get_side_output(_odd()).get_type())


def type_undeclared(env):
    tag = OutputTag("odd")
    split = _numbers(env).process(_Split(tag), output_type=Types.INT())
    return [str(split.get_side_output(tag).get_type()), _collected(split.get_side_output(tag))]


def main_type_undeclared(env):
    split = _numbers(env).process(_Split())
    side = split.get_side_output(_odd())
    return [_collected(split), _collected(side)]


def unread(env):
    never = OutputTag("never", Types.INT())
    return _numbers(env).process(_Split(), output_type=Types.INT()).get_side_output(never)


def tag_of_the_same_name(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return split.get_side_output(OutputTag("odd", Types.INT()))


def tag_of_the_same_name_and_another_type(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    return split.get_side_output(OutputTag("odd", Types.LONG()))


def two_types_of_one_name(env):
    split = _numbers(env).process(_Split(), output_type=Types.INT())
    one = split.get_side_output(OutputTag("odd", Types.INT()))
    two = split.get_side_output(OutputTag("odd", Types.STRING()))
    return [str(one.get_type()), str(two.get_type())]


def value_of_another_type(env):
    tag = OutputTag("text", Types.STRING())
    return _numbers(env).process(_Aside(tag, 1.5), output_type=Types.INT()).get_side_output(tag)


def value_of_another_type_unread(env):
    tag = OutputTag("number", Types.INT())
    return _numbers(env, 1).process(_Aside(tag, "text"), output_type=Types.INT())


def value_none(env):
    tag = OutputTag("text", Types.STRING())
    return _numbers(env, 1).process(_Aside(tag, None)).get_side_output(tag)


def value_is_a_tuple(env):
    tag = OutputTag("pair", Types.TUPLE([Types.INT(), Types.STRING()]))
    return _numbers(env, 1).process(_Aside(tag, (1, "a"))).get_side_output(tag)


def value_is_a_row(env):
    tag = OutputTag("row", Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]))
    return _numbers(env, 1).process(_Aside(tag, Row(1, "a"))).get_side_output(tag)


class _Several(ProcessFunction):
    def process_element(self, value, ctx):
        yield OutputTag("double", Types.INT()), value * 2
        yield OutputTag("text", Types.STRING()), str(value)
        yield value
        yield OutputTag("double", Types.INT()), value * 4


def several_tags(env):
    several = _numbers(env, 1, 2).process(_Several(), output_type=Types.INT())
    double = several.get_side_output(OutputTag("double", Types.INT()))
    text = several.get_side_output(OutputTag("text", Types.STRING()))
    return [_collected(several), _collected(double), _collected(text)]


class _Tuples(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, "pair"
        yield "tag", value
        yield _odd(), value, "three"


def tuples_that_are_no_side_outputs(env):
    return len(_collected(_numbers(env, 1).process(_Tuples())))


class _KeyedSplit(KeyedProcessFunction):
    def process_element(self, value, ctx):
        yield value
        yield _odd(), ctx.get_current_key()


class _TimerAside(KeyedProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(value + 10)

    def on_timer(self, timestamp, ctx):
        yield _odd(), timestamp


class _Times(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp()


def from_keyed_process(env):
    split = _numbers(env).key_by(_key, Types.INT()).process(_KeyedSplit(), output_type=Types.INT())
    side = split.get_side_output(_odd())
    return [_collected(split), _collected(side)]


def from_a_timer(env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Itself())
    timed = _numbers(env, 1, 2).assign_timestamps_and_watermarks(strategy)
    side = timed.key_by(_key, Types.INT()).process(_TimerAside()).get_side_output(_odd())
    return side.process(_Times())


def timestamps(env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Itself())
    timed = _numbers(env, 1, 2, 3).assign_timestamps_and_watermarks(strategy)
    return timed.process(_Split(), output_type=Types.INT()).get_side_output(_odd()).process(_Times())


class _CoSplit(CoProcessFunction):
    def process_element1(self, value, ctx):
        yield value
        yield _odd(), value * 10

    def process_element2(self, value, ctx):
        yield _odd(), value * 100


class _KeyedCoSplit(KeyedCoProcessFunction):
    def process_element1(self, value, ctx):
        yield value
        yield _odd(), ctx.get_current_key()

    def process_element2(self, value, ctx):
        yield _odd(), value * 100


def from_co_process(env):
    split = _numbers(env, 1, 2).connect(_numbers(env, 3)).process(_CoSplit(), output_type=Types.INT())
    side = split.get_side_output(_odd())
    return [_collected(split), _collected(side)]


def from_keyed_co_process(env):
    one, two = _numbers(env, 4, 5).key_by(_key, Types.INT()), _numbers(env, 3).key_by(_key, Types.INT())
    split = one.connect(two).process(_KeyedCoSplit(), output_type=Types.INT())
    side = split.get_side_output(_odd())
    return [_collected(split), _collected(side)]


class _Doubles:
    def __call__(self, value):
        return _odd(), value


def from_map(env):
    mapped = _numbers(env).map(_Doubles())
    return mapped.get_side_output(_odd())


def from_source(env):
    return _numbers(env).get_side_output(_odd())


def keyed_side(env):
    split = _numbers(env, 1, 3, 7, 9).process(_Split(), output_type=Types.INT())
    return split.get_side_output(_odd()).key_by(_key, Types.INT()).sum()


def side_of_a_side(env):
    split = _numbers(env, 1, 3).process(_Split(), output_type=Types.INT()).get_side_output(_odd())
    again = split.process(_Split(), output_type=Types.INT())
    return again.get_side_output(_odd())


def in_parallel(env):
    env.set_parallelism(2)
    return _numbers(env, *range(1, 20)).process(_Split(), output_type=Types.INT()).get_side_output(_odd())


def tag_without_a_name(env):
    return OutputTag("", Types.INT())


def tag_of_none(env):
    return OutputTag(None, Types.INT())


def tag_of_a_number(env):
    return OutputTag(3, Types.INT())


def tag_type_is_a_class(env):
    return OutputTag("odd", int)


def tags_equal(env):
    return [
        OutputTag("a", Types.INT()) == OutputTag("a", Types.INT()),
        OutputTag("a", Types.INT()) == OutputTag("b", Types.INT()),
        OutputTag("a", Types.INT()) == OutputTag("a", Types.STRING()),
        OutputTag("a") == "a",
        len({OutputTag("a", Types.INT()), OutputTag("a", Types.INT())}),
    ]


def tag_is_a_string(env):
    return _numbers(env).process(_Split(), output_type=Types.INT()).get_side_output("odd")
