"""Joins of two streams: the types of keys agree, and functions take an element of each stream."""

from collections.abc import Iterable, Iterator
from typing import assert_type

from pystream.common import Time, Types
from pystream.datastream import (
    CoGroupFunction,
    DataStream,
    FlatJoinFunction,
    IntervalJoin,
    JoinFunction,
    KeyedStream,
    OutputTag,
    ProcessJoinFunction,
)
from pystream.datastream.streams.window_joins import CoGroupedWindows, JoinedWindows
from pystream.datastream.window import TumblingEventTimeWindows

Order = tuple[int, str]
Person = tuple[int, float]
WINDOWS = TumblingEventTimeWindows.of(Time.seconds(1))


class Both(JoinFunction[Order, Person, str]):
    def join(self, first: Order, second: Person) -> str:
        return first[1]


class Swapped(JoinFunction[Person, Order, str]):
    def join(self, first: Person, second: Order) -> str:
        return second[1]


class Several(FlatJoinFunction[Order, Person, str]):
    def join(self, first: Order, second: Person) -> Iterator[str]:
        yield first[1]


class Groups(CoGroupFunction[Order, Person, int]):
    def co_group(self, first: Iterable[Order], second: Iterable[Person]) -> Iterator[int]:
        yield len(list(first))


class Near(ProcessJoinFunction[Order, Person, str]):
    def process_element(self, left: Order, right: Person, ctx: ProcessJoinFunction.Context) -> Iterator[str]:
        assert_type(ctx.get_left_timestamp(), int)
        yield left[1]


def join(orders: DataStream[Order], people: DataStream[Person]) -> None:
    windows = orders.join(people).where(lambda o: o[0]).equal_to(lambda p: p[0]).window(WINDOWS)
    assert_type(windows, JoinedWindows[Order, Person])
    assert_type(windows.apply(Both()), DataStream[str])
    assert_type(windows.apply(Several()), DataStream[str])
    assert_type(windows.apply(lambda order, person: person[1]), DataStream[float])


def join_of_unequal_keys(orders: DataStream[Order], people: DataStream[Person]) -> None:
    # E: "Callable[[tuple[int, float]], float]"; expected "Callable[[tuple[int, float]], int]
    orders.join(people).where(lambda o: o[0]).equal_to(lambda p: p[1])


def join_with_another_key_type(orders: DataStream[Order], people: DataStream[Person]) -> None:
    orders.join(people).where(lambda o: o[0], Types.STRING())  # E: expected "Callable[[tuple[int, str]], str]


def join_key_out_of_range(orders: DataStream[Order], people: DataStream[Person]) -> None:
    orders.join(people).where(lambda o: o[2])  # E: Tuple index out of range


def join_with_no_stream(orders: DataStream[Order]) -> None:
    orders.join([(1, 2.0)])  # E: "list[tuple[int, float]]"; expected "DataStream[


def join_without_windows(orders: DataStream[Order], people: DataStream[Person]) -> None:
    joined = orders.join(people).where(lambda o: o[0]).equal_to(lambda p: p[0])
    joined.apply(Both())  # E: has no attribute "apply"


def join_the_other_way_round(windows: JoinedWindows[Order, Person]) -> None:
    # E: "Swapped"; expected "Callable[[tuple[int, str], tuple[int, float]],
    windows.apply(Swapped())


def join_function_out_of_range(windows: JoinedWindows[Order, Person]) -> None:
    windows.apply(lambda order, person: person[2])  # E: Tuple index out of range


def join_contradicts_its_type(windows: JoinedWindows[Order, Person]) -> None:
    # E: tuple[int, float]], str]"; expected "Callable[[tuple[int, str], tuple[int, float]], int]
    windows.apply(lambda order, person: order[1], Types.INT())


def join_by_one_parameter(windows: JoinedWindows[Order, Person]) -> None:
    # E: "Callable[[Any], Any]"; expected "Callable[[tuple[int, str], tuple[int, float]],
    windows.apply(lambda order: order)


def join_by_a_co_group_function(windows: JoinedWindows[Order, Person]) -> None:
    # E: incompatible type "Groups"; expected "Callable[
    windows.apply(Groups())


def co_group(orders: DataStream[Order], people: DataStream[Person]) -> None:
    windows = orders.co_group(people).where(lambda o: o[0]).equal_to(lambda p: p[0]).window(WINDOWS)
    assert_type(windows, CoGroupedWindows[Order, Person])
    assert_type(windows.apply(Groups()), DataStream[int])
    assert_type(windows.apply(lambda first, second: [len(list(first))]), DataStream[int])


def co_group_of_unequal_keys(orders: DataStream[Order], people: DataStream[Person]) -> None:
    # E: "Callable[[tuple[int, float]], float]"; expected "Callable[[tuple[int, float]], int]
    orders.co_group(people).where(lambda o: o[0]).equal_to(lambda p: p[1])


def co_group_does_not_return_an_iterable(windows: CoGroupedWindows[Order, Person]) -> None:
    # E: int]"; expected "Callable[[Iterable[tuple[int, str]], Iterable[tuple[int, float]]], Iterable[
    windows.apply(lambda first, second: 3)


def co_group_takes_elements_for_groups(windows: CoGroupedWindows[Order, Person]) -> None:
    # E: Value of type "Iterable[tuple[int, str]]" is not indexable
    windows.apply(lambda first, second: [first[0]])


def co_group_by_a_join_function(windows: CoGroupedWindows[Order, Person]) -> None:
    # E: incompatible type "Both"; expected "Callable[
    windows.apply(Both())


def interval_join(orders: KeyedStream[Order, int], people: KeyedStream[Person, int]) -> None:
    near = orders.interval_join(people)
    assert_type(near, IntervalJoin[Order, Person])
    assert_type(near.between(Time.seconds(-1), Time.seconds(1)).process(Near()), DataStream[str])


def interval_join_of_unequal_keys(
    orders: KeyedStream[Order, int], people: KeyedStream[Person, float]
) -> None:
    # E: "KeyedStream[tuple[int, float], float]"; expected "KeyedStream[tuple[int, float], int]"
    orders.interval_join(people)


def interval_join_without_keys(orders: KeyedStream[Order, int], people: DataStream[Person]) -> None:
    # E: incompatible type "DataStream[tuple[int, float]]"; expected "KeyedStream[
    orders.interval_join(people)


def interval_join_the_other_way_round(
    people: KeyedStream[Person, int], orders: KeyedStream[Order, int]
) -> None:
    near = people.interval_join(orders).between(Time.seconds(-1), Time.seconds(1))
    near.process(Near())  # E: "Near"; expected "ProcessJoinFunction[tuple[int, float], tuple[int, str], str]"


def interval_join_between_texts(orders: KeyedStream[Order, int]) -> None:
    orders.interval_join(orders).between("-1s", "1s")  # E: "str"; expected "_Time |


def interval_join_contradicts_its_type(
    orders: KeyedStream[Order, int], people: KeyedStream[Person, int]
) -> None:
    near = orders.interval_join(people).between(Time.seconds(-1), Time.seconds(1))
    near.process(Near(), int)  # E: "type[int]"; expected "TypeInformation[str, str] | None"


def late_elements_of_the_other_stream(
    orders: KeyedStream[Order, int], people: KeyedStream[Person, int], tag: OutputTag[Order]
) -> None:
    near = orders.interval_join(people).between(Time.seconds(-1), Time.seconds(1))
    near.side_output_left_late_data(tag)
    # E: "OutputTag[tuple[int, str]]"; expected "OutputTag[tuple[int, float]]"
    near.side_output_right_late_data(tag)
