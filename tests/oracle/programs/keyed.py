"""Keyed streams: types of keys, equality of keys, and functions with keyed state."""

from __future__ import annotations

import datetime
import decimal

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.datastream import (
    FilterFunction,
    FlatMapFunction,
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ReduceFunction,
)
from pystream.datastream.state import ValueStateDescriptor

_PAIRS = [("a", 1), ("b", 2), ("a", 3), ("b", 4), ("a", 5)]
_PAIR = Types.TUPLE([Types.STRING(), Types.INT()])
_NAMED = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])


class _First(KeySelector):
    def get_key(self, value):
        return value[0]


class _Whole(KeySelector):
    def get_key(self, value):
        return value


class _CallableSelector:
    def __call__(self, value):
        return value[0]


class _NoSelector:
    pass


class _Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, _Point) and other.x == self.x

    def __hash__(self):
        return hash(self.x)

    def __repr__(self):
        return f"Point({self.x})"


def _first(value):
    return value[0]


def _whole(value):
    return value


def _fails(value):
    raise ValueError(f"no key for {value}")


# elements, their type, the key selector, the type of keys
CASES = {
    "lambda": (_PAIRS, _PAIR, lambda value: value[0], None),
    "lambda_typed": (_PAIRS, _PAIR, lambda value: value[0], Types.STRING()),
    "function": (_PAIRS, None, _first, None),
    "selector": (_PAIRS, _PAIR, _First(), None),
    "selector_typed": (_PAIRS, _PAIR, _First(), Types.STRING()),
    "callable_object": (_PAIRS, _PAIR, _CallableSelector(), Types.STRING()),
    "int_typed": ([1, 2, 1, 1], Types.INT(), _whole, Types.INT()),
    "int_as_long": ([1, 2, 1, 1], Types.INT(), _whole, Types.LONG()),
    "int_untyped": ([1, 2, 1, 1], Types.INT(), _whole, None),
    "bool_typed": ([True, False, True], Types.BOOLEAN(), _whole, Types.BOOLEAN()),
    "float_typed": ([0.5, 1.0, 0.5], Types.DOUBLE(), _whole, Types.DOUBLE()),
    "nan_typed": ([float("nan"), float("nan")], Types.DOUBLE(), _whole, Types.DOUBLE()),
    "zeros_typed": ([0.0, -0.0, 0.0], Types.DOUBLE(), _whole, Types.DOUBLE()),
    "equal_numbers_untyped": ([1, 1.0, True, 2], None, _whole, None),
    "nan_untyped": ([float("nan"), float("nan")], None, _whole, None),
    "tuple_untyped": (_PAIRS + _PAIRS[:1], _PAIR, lambda value: (value[0], value[1] % 2), None),
    "tuple_typed": (
        _PAIRS,
        _PAIR,
        lambda value: (value[0], value[1] % 2),
        Types.TUPLE([Types.STRING(), Types.INT()]),
    ),
    "tuple_with_None_untyped": ([1, 2, 1], Types.INT(), lambda value: (None, value), None),
    "row_untyped": ([1, 2, 1], Types.INT(), lambda value: Row(value, "x"), None),
    "row_typed": (
        [1, 2, 1],
        Types.INT(),
        lambda value: Row(value, "x"),
        Types.ROW([Types.INT(), Types.STRING()]),
    ),
    "row_named_typed": ([1, 2, 1], Types.INT(), lambda value: Row(value, "x"), _NAMED),
    "bytes_untyped": ([b"a", b"b", b"a"], None, _whole, None),
    "date_untyped": ([1, 2, 1], Types.INT(), lambda value: datetime.date(2020, 1, value), None),
    "date_typed": ([1, 2, 1], Types.INT(), lambda value: datetime.date(2020, 1, value), Types.SQL_DATE()),
    "decimal_untyped": (["1.0", "1.00", "2"], Types.STRING(), decimal.Decimal, None),
    "text_of_many_scripts": (["é", "e\u0301", "日本", "é"], Types.STRING(), _whole, Types.STRING()),
    "empty_text": (["", "a", ""], Types.STRING(), _whole, Types.STRING()),
    "own_class": ([1, 2, 1], Types.INT(), _Point, None),
    "None_untyped": (_PAIRS, _PAIR, lambda value: None, None),
    "None_typed": (_PAIRS, _PAIR, lambda value: None, Types.STRING()),
    "None_sometimes": (_PAIRS, _PAIR, lambda value: None if value[0] == "b" else "a", None),
    "list_untyped": ([1, 2, 1], Types.INT(), lambda value: [value], None),
    "list_typed": ([1, 2, 1], Types.INT(), lambda value: [value], Types.LIST(Types.INT())),
    "dict_untyped": ([1, 2, 1], Types.INT(), lambda value: {"k": value}, None),
    "set_untyped": ([1, 2, 1], Types.INT(), lambda value: {value}, None),
    "raises": (_PAIRS, _PAIR, _fails, None),
    "str_for_INT": (_PAIRS, _PAIR, _first, Types.INT()),
    "int_for_STRING": ([1, 2, 1], Types.INT(), _whole, Types.STRING()),
}


def _stream(env, values=_PAIRS, type_info=_PAIR):
    return env.from_collection(values, type_info=type_info)


def _keyed(env):
    return _stream(env).key_by(lambda value: value[0], key_type=Types.STRING())


class _KeyAndCount(KeyedProcessFunction):
    def open(self, runtime_context):
        self._count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def process_element(self, value, ctx):
        count = (self._count.value() or 0) + 1
        self._count.update(count)
        yield ctx.get_current_key(), count


def key_and_count(env, case):
    values, type_info, selector, key_type = case
    return env.from_collection(values, type_info=type_info).key_by(selector, key_type).process(_KeyAndCount())


# selectors


def key_by_position(env):
    return _stream(env).key_by(0).process(_KeyAndCount())


def key_by_name(env):
    return _stream(env, [Row("a", 1), Row("b", 2)], _NAMED).key_by("word").process(_KeyAndCount())


def key_by_unknown_name(env):
    return _stream(env, [Row("a", 1)], _NAMED).key_by("none").process(_KeyAndCount())


def key_by_none(env):
    return _stream(env).key_by(None).process(_KeyAndCount())


def key_by_class(env):
    return _stream(env).key_by(_First).process(_KeyAndCount())


def key_by_other_object(env):
    return _stream(env).key_by(_NoSelector()).process(_KeyAndCount())


def key_by_type_is_a_class(env):
    return _stream(env).key_by(_first, str).process(_KeyAndCount())


def key_by_keeps_the_type(env):
    return str(_keyed(env).get_type())


def key_by_again(env):
    return _keyed(env).key_by(lambda value: value[1] % 2, Types.INT()).process(_KeyAndCount())


def key_by_stream_without_elements(env):
    return _stream(env, [], _PAIR).key_by(_first).process(_KeyAndCount())


def key_of_an_operator_between(env):
    return _keyed(env).map(lambda value: value[1]).key_by(_whole).process(_KeyAndCount())


def key_by_in_parallel(env):
    env.set_parallelism(3)
    return _stream(env, [(f"k{i % 7}", i) for i in range(50)]).key_by(_first).process(_KeyAndCount())


# a keyed stream is not an operator


def keyed_name(env):
    return _keyed(env).name("n")


def keyed_get_name(env):
    return _keyed(env).get_name()


def keyed_uid(env):
    return _keyed(env).uid("u")


def keyed_set_parallelism(env):
    return _keyed(env).set_parallelism(2)


def keyed_rebalance(env):
    return _keyed(env).rebalance()


def keyed_partition_custom(env):
    return _keyed(env).partition_custom(lambda key, count: 0, _first)


def keyed_collected(env):
    return _keyed(env)


def keyed_printed(env):
    _keyed(env).print()
    env.execute()


def keyed_project(env):
    return _keyed(env).project(1)


def keyed_union(env):
    united = _keyed(env).union(_stream(env, [("a", 9)]).key_by(_first))
    return sorted(united.execute_and_collect(limit=20))


def keyed_union_has_no_key(env):
    return type(_keyed(env).union(_keyed(env))).__name__


def keyed_union_then_key_by(env):
    united = _stream(env).map(_whole, _PAIR).union(_stream(env, [("a", 9)]).filter(_whole))
    return sorted(united.key_by(_first).process(_KeyAndCount()).execute_and_collect(limit=20))


# functions with state


class _Open:
    def open(self, runtime_context):
        self._seen = runtime_context.get_state(ValueStateDescriptor("seen", Types.INT()))

    def _counted(self):
        count = (self._seen.value() or 0) + 1
        self._seen.update(count)
        return count


class _CountingMap(_Open, MapFunction):
    def map(self, value):
        return value[0], self._counted()


class _CountingFlatMap(_Open, FlatMapFunction):
    def flat_map(self, value):
        for number in range(self._counted()):
            yield value[0], number


class _FirstOnly(_Open, FilterFunction):
    def filter(self, value):
        return self._counted() == 1


def map_with_state(env):
    return _keyed(env).map(_CountingMap(), output_type=_PAIR)


def flat_map_with_state(env):
    return _keyed(env).flat_map(_CountingFlatMap(), output_type=_PAIR)


def filter_with_state(env):
    return _keyed(env).filter(_FirstOnly())


def filter_keeps_the_type(env):
    return str(_keyed(env).filter(_FirstOnly()).get_type())


def map_without_state(env):
    return _keyed(env).map(lambda value: value[1] * 10, output_type=Types.INT())


def map_type_undeclared(env):
    return str(_keyed(env).map(lambda value: value).get_type())


def map_returns_none(env):
    return _keyed(env).map(lambda value: None).map(lambda value: ("seen", value))


def map_raises(env):
    return _keyed(env).map(lambda value: 1 // (value[1] - 3))


def map_not_callable(env):
    return _keyed(env).map(3)


def flat_map_returns_list(env):
    return _keyed(env).flat_map(lambda value: [value[1]] * 2, output_type=Types.INT())


def flat_map_returns_none(env):
    return _keyed(env).flat_map(lambda value: None)


def flat_map_returns_number(env):
    return _keyed(env).flat_map(lambda value: 1)


def filter_returns_truthy(env):
    return _keyed(env).filter(lambda value: value[1] - 1)


# process


class _Nothing(KeyedProcessFunction):
    def process_element(self, value, ctx):
        return None


class _List(KeyedProcessFunction):
    def process_element(self, value, ctx):
        return [value[1], -value[1]]


class _Number(KeyedProcessFunction):
    def process_element(self, value, ctx):
        return value[1]


class _Clocks(KeyedProcessFunction):
    def process_element(self, value, ctx):
        service = ctx.timer_service()
        yield (
            ctx.timestamp(),
            service.current_watermark(),
            service.current_processing_time() > 1_600_000_000_000,
        )


class _Task(KeyedProcessFunction):
    def open(self, runtime_context):
        self._task = (
            runtime_context.get_number_of_parallel_subtasks(),
            runtime_context.get_index_of_this_subtask(),
            runtime_context.get_max_number_of_parallel_subtasks(),
            runtime_context.get_attempt_number(),
        )

    def process_element(self, value, ctx):
        yield self._task


def process_returns_none(env):
    return _keyed(env).process(_Nothing())


def process_returns_list(env):
    return _keyed(env).process(_List())


def process_returns_number(env):
    return _keyed(env).process(_Number())


def process_clocks(env):
    return _keyed(env).process(_Clocks())


def process_task(env):
    return _stream(env, _PAIRS[:1]).key_by(_first).process(_Task())


def process_task_max_parallelism(env):
    env.set_max_parallelism(16)
    return _stream(env, _PAIRS[:1]).key_by(_first).process(_Task())


def process_given_a_lambda(env):
    return _keyed(env).process(lambda value: [value])


def process_wrong_type(env):
    return _keyed(env).process(_List(), output_type=Types.STRING())


def process_type_undeclared(env):
    return str(_keyed(env).process(_List()).get_type())


# reduce


class _Last(ReduceFunction):
    def reduce(self, value1, value2):
        return value2


def _add(value1, value2):
    return value1[0], value1[1] + value2[1]


def _append(value1, value2):
    value1.append(value2[-1])
    return value1


def _increase(value1, value2):
    value1["count"] = value1["count"] + value2["count"]
    return value1


def reduce_lambda(env):
    return _keyed(env).reduce(lambda value1, value2: (value1[0], value1[1] * 10 + value2[1]))


def reduce_function_object(env):
    return _keyed(env).reduce(_Last())


def reduce_keeps_the_type(env):
    return str(_keyed(env).reduce(_add).get_type())


def reduce_single_elements(env):
    return _stream(env, [("a", 1), ("b", 2)]).key_by(_first).reduce(lambda value1, value2: 1 // 0)


def reduce_raises(env):
    return _keyed(env).reduce(lambda value1, value2: 1 // 0)


def reduce_returns_none(env):
    return _keyed(env).reduce(lambda value1, value2: None)


def reduce_returns_other_type(env):
    return _keyed(env).reduce(lambda value1, value2: "text")


def reduce_changes_its_argument(env):
    return env.from_collection([[1, 1], [1, 2], [1, 3]]).key_by(_first).reduce(_append)


def reduce_changes_its_row(env):
    rows = [Row("a", 1), Row("a", 2), Row("a", 3)]
    return _stream(env, rows, _NAMED).key_by(lambda row: row[0]).reduce(_increase)


def reduce_changes_its_element(env):
    def change(value1, value2):
        value2.append(value1[-1])
        return value2

    return env.from_collection([[1, 1], [1, 2], [1, 3]]).key_by(_first).reduce(change)


def reduce_rows_by_name(env):
    rows = [Row("a", 1), Row("b", 2), Row("a", 3)]
    return (
        _stream(env, rows, _NAMED)
        .key_by(lambda row: row.word)
        .reduce(lambda one, two: Row(one.word, one.count + two.count))
    )


def reduce_not_callable(env):
    return _keyed(env).reduce(3)


def reduce_overflow(env):
    return (
        _stream(env, [2**31 - 1, 1], Types.INT()).key_by(lambda value: 0).reduce(lambda one, two: one + two)
    )


def reduce_in_parallel(env):
    env.set_parallelism(2)
    values = [(f"k{i % 5}", i) for i in range(30)]
    return _stream(env, values).key_by(_first).reduce(_add)


def reduce_then_key_by_then_reduce(env):
    sums = _keyed(env).reduce(_add)
    return sums.key_by(lambda value: "all").reduce(_add)
