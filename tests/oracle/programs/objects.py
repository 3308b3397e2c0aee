"""Objects that functions of a chain share: identity, in-place changes, attributes of modules."""

from __future__ import annotations

import datetime
import json
from collections import namedtuple

from pystream.common import Configuration, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.common.watermark_strategy import TimestampAssigner
from pystream.datastream import MapFunction, ProcessFunction
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.functions import KeyedBroadcastProcessFunction

_Pair = namedtuple("_Pair", ["b", "a"])


def fold_in_a_chain(env):
    late = datetime.datetime(2024, 10, 27, 2, 30, fold=1)
    times = env.from_collection([1], Types.INT()).map(lambda n: late, Types.SQL_TIMESTAMP())
    return times.map(lambda time: time.fold, Types.INT())


def named_tuple_as_a_row(env):
    row_type = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.INT()])
    rows = env.from_collection([1], Types.INT()).map(lambda n: _Pair(b=n, a=n + 1), row_type)
    return rows.map(lambda row: (row[0], row[1]), Types.TUPLE([Types.INT(), Types.INT()]))


class _Keeping(MapFunction):
    def open(self, runtime_context):
        self.kept = []

    def map(self, value):
        self.kept.append(value)
        return value


class _KeepingAndShowing(_Keeping):
    def map(self, value):
        shown = [list(kept) for kept in self.kept]
        self.kept.append(value)
        return [value, shown]


def _changed(pair):
    pair[0].append("changed")
    return pair[1]


def a_later_function_changes_what_an_earlier_one_keeps(env):
    lists = env.from_collection([1, 2], Types.INT()).map(lambda n: [n])
    return lists.map(_KeepingAndShowing()).map(_changed)


def an_object_twice_inside_an_element_of_a_chain(env):
    def twice(number):
        part = [number]
        return [part, part]

    return env.from_collection([1], Types.INT()).map(twice).map(lambda pair: pair[0] is pair[1])


def an_attribute_of_a_module(env):
    json.set_by_the_program = "seen"
    numbers = env.from_collection([1], Types.INT()).map(lambda n: n)
    return numbers.map(lambda n: getattr(__import__("json"), "set_by_the_program", "not seen"))


class _Assigner(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value * 1000


class _Timestamp(ProcessFunction):
    def process_element(self, value, ctx):
        yield ctx.timestamp()


def timestamp_assigner_of_from_source(env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(_Assigner())
    numbers = env.from_source(NumberSequenceSource(1, 2), strategy, "numbers")
    return numbers.process(_Timestamp(), Types.LONG())


def name_of_a_cached_stream(env):
    return env.from_collection([1], Types.INT()).map(lambda n: n, Types.INT()).cache().get_name()


def keyed_state_of_broadcast_functions_can_be_changed(env):
    return hasattr(KeyedBroadcastProcessFunction.Context, "apply_to_keyed_state")


def unknown_setting(env):
    env.configure(Configuration().set_string("no.such.key", "1"))
    return True
