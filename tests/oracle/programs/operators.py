"""Stateless operators: their results, types and errors."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.datastream import FilterFunction, FlatMapFunction, MapFunction, ProcessFunction


class _AddOne(MapFunction):
    def map(self, value):
        return value + 1


class _Repeat(FlatMapFunction):
    def flat_map(self, value):
        for _ in range(value):
            yield value


class _Odd(FilterFunction):
    def filter(self, value):
        return value % 2 == 1


class _Twice(ProcessFunction):
    def process_element(self, value, ctx):
        yield value
        yield -value


class _Nothing(ProcessFunction):
    def process_element(self, value, ctx):
        return None


class _ListOfResults(ProcessFunction):
    def process_element(self, value, ctx):
        return [value, value]


class _Timestamps(ProcessFunction):
    def process_element(self, value, ctx):
        yield ctx.timestamp(), ctx.timer_service().current_watermark()


class _ProcessingTime(ProcessFunction):
    def process_element(self, value, ctx):
        yield ctx.timer_service().current_processing_time() > 1_600_000_000_000


class _Timer(ProcessFunction):
    def process_element(self, value, ctx):
        ctx.timer_service().register_event_time_timer(1)
        yield value


class _Callable:
    def __call__(self, value):
        return value * 10


class _Unfinished(MapFunction):
    pass


def _numbers(env, *values):
    return env.from_collection(list(values), type_info=Types.INT())


def _types(stream):
    return str(stream.get_type())


# map


def map_lambda(env):
    return _numbers(env, 1, 2, 3).map(lambda value: value * 2)


def map_function_object(env):
    return _numbers(env, 1, 2).map(_AddOne(), output_type=Types.INT())


def map_callable_object(env):
    return _numbers(env, 1, 2).map(_Callable())


def map_builtin(env):
    return _numbers(env, 1, 2).map(str, output_type=Types.STRING())


def map_type_undeclared(env):
    return _types(_numbers(env, 1).map(lambda value: value))


def map_type_declared(env):
    return _types(_numbers(env, 1).map(str, output_type=Types.STRING()))


def map_returns_none_pickled(env):
    return _numbers(env, 1).map(lambda value: None).map(lambda value: ("seen", value))


def map_not_callable(env):
    return _numbers(env, 1).map(3)


def map_given_a_class(env):
    return _numbers(env, 1).map(_AddOne)


def map_given_a_filter_function(env):
    return _numbers(env, 1).map(_Odd())


def map_without_method(env):
    return _numbers(env, 1).map(_Unfinished())


def map_raises(env):
    return _numbers(env, 1, 0).map(lambda value: 1 // value)


def map_output_type_is_a_class(env):
    return _numbers(env, 1).map(str, output_type=str)


def map_too_many_parameters(env):
    return _numbers(env, 1).map(lambda first, second: first)


# flat_map


def flat_map_function_object(env):
    return _numbers(env, 0, 1, 3).flat_map(_Repeat(), output_type=Types.INT())


def flat_map_returns_list(env):
    return _numbers(env, 1, 2).flat_map(lambda value: [value] * value)


def flat_map_returns_tuple(env):
    return _numbers(env, 1, 2).flat_map(lambda value: (value, -value))


def flat_map_returns_string(env):
    return _numbers(env, 12).flat_map(lambda value: str(value))


def flat_map_returns_range(env):
    return _numbers(env, 2).flat_map(range)


def flat_map_returns_none(env):
    return _numbers(env, 1).flat_map(lambda value: None)


def flat_map_returns_none_sometimes(env):
    return _numbers(env, 1, 2).flat_map(lambda value: [value] if value == 1 else None)


def flat_map_returns_number(env):
    return _numbers(env, 1).flat_map(lambda value: value)


def flat_map_returns_dict(env):
    return _numbers(env, 1).flat_map(lambda value: {"k": value})


def flat_map_yields_none(env):
    return _numbers(env, 1).flat_map(lambda value: [None, value]).map(lambda value: ("seen", value))


def flat_map_type_undeclared(env):
    return _types(_numbers(env, 1).flat_map(lambda value: [value]))


def flat_map_not_callable(env):
    return _numbers(env, 1).flat_map("no")


# filter


def filter_function_object(env):
    return _numbers(env, 1, 2, 3).filter(_Odd())


def filter_keeps_the_type(env):
    return _types(_numbers(env, 1).filter(lambda value: True))


def filter_pickled_keeps_the_type(env):
    return _types(env.from_collection([1]).filter(lambda value: True))


def filter_returns_truthy(env):
    return _numbers(env, 0, 1, 2).filter(lambda value: value)


def filter_returns_none(env):
    return _numbers(env, 1).filter(lambda value: None)


def filter_returns_string(env):
    return _numbers(env, 1, 2).filter(lambda value: "x" if value == 1 else "")


def filter_not_callable(env):
    return _numbers(env, 1).filter(True)


def filter_raises(env):
    return env.from_collection(["a"]).filter(lambda value: value > 1)


# process


def process_yields_twice(env):
    return _numbers(env, 1, 2).process(_Twice(), output_type=Types.INT())


def process_returns_none(env):
    return _numbers(env, 1).process(_Nothing())


def process_returns_list(env):
    return _numbers(env, 1).process(_ListOfResults())


def process_type_undeclared(env):
    return _types(_numbers(env, 1).process(_Twice()))


def process_timestamp_and_watermark(env):
    return _numbers(env, 1, 2).process(_Timestamps())


def process_processing_time(env):
    return _numbers(env, 1).process(_ProcessingTime())


def process_timer_without_key(env):
    return _numbers(env, 1).process(_Timer())


def process_given_a_lambda(env):
    return _numbers(env, 1).process(lambda value: [value])


# union


def union_of_two(env):
    return sorted(_numbers(env, 1, 2).union(_numbers(env, 3)).execute_and_collect(limit=10))


def union_with_itself(env):
    numbers = _numbers(env, 1, 2)
    return sorted(numbers.union(numbers).execute_and_collect(limit=10))


def union_keeps_the_type(env):
    return _types(_numbers(env, 1).union(_numbers(env, 2)))


def union_of_nothing(env):
    return _numbers(env, 1).union()


def union_of_other_types(env):
    return _numbers(env, 1).union(env.from_collection(["a"], type_info=Types.STRING()))


def union_of_rows_with_other_names(env):
    one = env.from_collection([Row(1)], type_info=Types.ROW_NAMED(["a"], [Types.INT()]))
    two = env.from_collection([Row(2)], type_info=Types.ROW_NAMED(["b"], [Types.INT()]))
    return _types(one.union(two))


def union_of_typed_and_pickled(env):
    return _numbers(env, 1).union(env.from_collection([2]))


def union_of_several(env):
    one = _numbers(env, 1)
    return sorted(one.union(one, _numbers(env, 2), _numbers(env, 3)).execute_and_collect(limit=10))


# project

_PAIR = Types.TUPLE([Types.INT(), Types.STRING(), Types.DOUBLE()])


def project_reorders(env):
    return env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project(2, 0)


def project_type(env):
    return _types(env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project(2, 0))


def project_same_field_twice(env):
    return env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project(1, 1)


def project_of_rows(env):
    return env.from_collection([Row(1)], type_info=Types.ROW([Types.INT()])).project(0)


def project_of_pickled(env):
    return env.from_collection([(1, 2)]).project(0)


def project_index_beyond(env):
    return env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project(3)


def project_index_negative(env):
    return env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project(-1)


def project_of_no_field(env):
    return env.from_collection([(1, "a", 0.5)], type_info=_PAIR).project()


# sources and collecting


def collection_empty(env):
    return env.from_collection([])


def collection_empty_typed(env):
    return env.from_collection([], type_info=Types.INT()).map(lambda value: value)


def collection_of_pickled(env):
    return env.from_collection([1, "a", None, (2, 3), {"k": {1}}]).map(lambda value: ("seen", value))


def collection_tuple(env):
    return env.from_collection((1, 2), type_info=Types.INT())


def collection_range(env):
    return env.from_collection(range(3), type_info=Types.INT())


def collection_generator(env):
    return env.from_collection((i for i in range(3)), type_info=Types.INT())


def collection_set(env):
    return env.from_collection({1}, type_info=Types.INT())


def collection_dict(env):
    return env.from_collection({"a": 1}, type_info=Types.STRING())


def collection_string(env):
    return env.from_collection("ab", type_info=Types.STRING())


def collection_number(env):
    return env.from_collection(3, type_info=Types.INT())


def collection_none(env):
    return env.from_collection(None)


def collection_tuple_untyped(env):
    return env.from_collection((1, 2))


def collection_generator_untyped(env):
    return env.from_collection(i for i in range(3))


def collection_number_untyped(env):
    return env.from_collection(3)


def collection_type_info_is_a_class(env):
    return env.from_collection([1], type_info=int)


def collection_type_info_positional(env):
    return env.from_collection([1], Types.INT())


def collect_limit(env):
    return _numbers(env, 1, 2, 3).execute_and_collect(limit=2)


def collect_limit_beyond(env):
    return _numbers(env, 1, 2, 3).execute_and_collect(limit=9)


def collect_limit_zero(env):
    return _numbers(env, 1).execute_and_collect(limit=0)


def collect_limit_negative(env):
    return _numbers(env, 1).execute_and_collect(limit=-1)


def collect_named(env):
    with _numbers(env, 1).execute_and_collect("a name") as elements:
        return list(elements)


def collect_named_limit(env):
    return _numbers(env, 1, 2).execute_and_collect("a name", 1)


def collect_next(env):
    elements = _numbers(env, 1, 2).execute_and_collect()
    seen = [next(elements), elements.next()]
    try:
        next(elements)
    except StopIteration:
        seen.append("stop")
    elements.close()
    return seen


def collect_closed_early(env):
    elements = _numbers(env, *range(1000)).execute_and_collect()
    first = next(elements)
    elements.close()
    return first


def collect_read_after_close(env):
    elements = _numbers(env, *range(1000)).execute_and_collect()
    elements.close()
    return len(list(elements))


def collect_closed_twice(env):
    elements = _numbers(env, 1).execute_and_collect()
    elements.close()
    return elements.close()


def collect_twice(env):
    numbers = _numbers(env, 1, 2)
    with numbers.execute_and_collect() as first, numbers.execute_and_collect() as second:
        return [list(first), list(second)]


def collect_leaves_sinks(env):
    numbers = _numbers(env, 1)
    numbers.print()
    with numbers.execute_and_collect() as elements:
        return list(elements)


def collect_then_execute_sinks(env):
    numbers = _numbers(env, 1)
    numbers.print()
    with numbers.execute_and_collect() as elements:
        seen = list(elements)
    env.execute()
    return seen


def collect_iterator_type(env):
    with _numbers(env, 1).execute_and_collect() as elements:
        return [type(elements).__name__, iter(elements) is elements, hasattr(elements, "__len__")]
