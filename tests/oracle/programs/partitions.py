"""Partitioning of elements among the subtasks of the next operator, and errors of parallelism."""

from __future__ import annotations

from pystream.common.typeinfo import Types
from pystream.datastream import MapFunction, Partitioner
from pystream.datastream.functions import KeySelector


class _WithSubtask(MapFunction):
    def open(self, runtime_context):
        self.subtask = runtime_context.get_index_of_this_subtask()

    def map(self, value):
        return (self.subtask, value)


class _Modulo(Partitioner):
    def partition(self, key, num_partitions):
        return key % num_partitions


class _Itself(KeySelector):
    def get_key(self, value):
        return value


def _elements(env, count):
    return env.from_collection(list(range(count)), type_info=Types.INT())


def _seen(stream):
    with stream.map(_WithSubtask()).execute_and_collect() as elements:
        return sorted(elements)


def _counts(stream, subtasks):
    seen = _seen(stream)
    return [sum(1 for subtask, _ in seen if subtask == wanted) for wanted in range(subtasks)]


def _print(stream, env):
    stream.print()
    env.execute()


def broadcast(env):
    env.set_parallelism(2)
    return _seen(_elements(env, 3).broadcast())


def rebalance_counts(env):
    env.set_parallelism(2)
    return _counts(_elements(env, 10).rebalance(), 2)


def unset_counts(env):
    env.set_parallelism(2)
    return _counts(_elements(env, 10), 2)


def rescale_counts(env):
    env.set_parallelism(2)
    return _counts(_elements(env, 10).rescale(), 2)


def rescale_two_to_four(env):
    env.set_parallelism(4)
    spread = _elements(env, 8).rebalance().map(_WithSubtask()).set_parallelism(2)
    seen = _seen(spread.rescale())
    return sorted({(upstream, downstream // 2) for downstream, (upstream, _) in seen})


def shuffle_total(env):
    env.set_parallelism(2)
    return sum(_counts(_elements(env, 10).shuffle(), 2))


def shuffle_keeps_every_element(env):
    env.set_parallelism(2)
    return sorted(value for _, value in _seen(_elements(env, 10).shuffle()))


def forward_same_parallelism(env):
    env.set_parallelism(2)
    tagged = _elements(env, 10).rebalance().map(_WithSubtask()).forward()
    return all(subtask == element[0] for subtask, element in _seen(tagged))


def forward_other_parallelism(env):
    env.set_parallelism(2)
    return _seen(_elements(env, 2).forward())


def forward_to_one(env):
    return _seen(_elements(env, 2).forward())


def order_within_one_subtask(env):
    return _elements(env, 20).rebalance().map(lambda value: value)


def custom_printed_by_lambdas(env):
    env.set_parallelism(2)
    _print(_elements(env, 6).partition_custom(lambda key, count: key % count, lambda value: value), env)


def custom_printed_by_classes(env):
    env.set_parallelism(2)
    _print(_elements(env, 6).partition_custom(_Modulo(), _Itself()), env)


def custom_printed_by_string_key(env):
    env.set_parallelism(2)
    names = env.from_collection(["a", "bb", "ccc"], type_info=Types.STRING())
    _print(names.partition_custom(lambda key, count: len(key) % count, lambda value: value), env)


def custom_printed_by_tuple_key(env):
    env.set_parallelism(2)
    spread = _elements(env, 4).partition_custom(lambda key, count: key[0] % count, lambda value: (value, 0))
    _print(spread, env)


def custom_number_of_partitions(env):
    env.set_parallelism(2)
    spread = _elements(env, 1).partition_custom(lambda key, count: count - 1, lambda value: value)
    _print(spread.map(lambda value: value, output_type=Types.INT()), env)


def custom_collected(env):
    env.set_parallelism(2)
    return _seen(_elements(env, 6).partition_custom(lambda key, count: key % count, lambda value: value))


def custom_beyond(env):
    env.set_parallelism(2)
    _print(_elements(env, 1).partition_custom(lambda key, count: count, lambda value: value), env)


def custom_negative(env):
    env.set_parallelism(2)
    _print(_elements(env, 1).partition_custom(lambda key, count: -1, lambda value: value), env)


def custom_not_a_number(env):
    env.set_parallelism(2)
    _print(_elements(env, 1).partition_custom(lambda key, count: "x", lambda value: value), env)


def custom_partitioner_not_callable(env):
    return _elements(env, 1).partition_custom(1, lambda value: value)


def custom_key_selector_not_callable(env):
    return _elements(env, 1).partition_custom(lambda key, count: 0, 1)


def custom_keeps_the_type(env):
    return str(_elements(env, 1).partition_custom(_Modulo(), _Itself()).get_type())


def set_on_partitioning(env):
    return _elements(env, 1).rebalance().set_parallelism(2)


def name_on_partitioning(env):
    return _elements(env, 1).rebalance().name("spread")


def uid_on_union(env):
    return _elements(env, 1).union(_elements(env, 1)).uid("both")
