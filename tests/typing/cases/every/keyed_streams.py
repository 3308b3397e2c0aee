"""Keyed streams: types of keys, keyed functions, aggregations and count windows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, assert_type

from pystream.common import Types
from pystream.datastream import (
    DataStream,
    KeyedProcessFunction,
    KeyedStream,
    KeySelector,
    ProcessFunction,
    ReduceFunction,
    WindowedStream,
)
from pystream.datastream.window import CountWindow


@dataclass
class User:
    name: str
    age: int


class ByName(KeySelector[User, str]):
    def get_key(self, value: User) -> str:
        return value.name


class Older(ReduceFunction[User]):
    def reduce(self, value1: User, value2: User) -> User:
        return value1 if value1.age > value2.age else value2


class Ages(KeyedProcessFunction[str, User, int]):
    def process_element(self, value: User, ctx: KeyedProcessFunction.Context[str]) -> Iterator[int]:
        yield value.age


class OfAnyKey(KeyedProcessFunction[object, User, int]):
    def process_element(self, value: User, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield value.age


class Unkeyed(ProcessFunction[User, int]):
    def process_element(self, value: User, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield value.age


def age(user: User) -> int:
    return user.age


def keys_by_a_function(users: DataStream[User]) -> None:
    assert_type(users.key_by(age), KeyedStream[User, int])
    assert_type(users.key_by(lambda user: user.name), KeyedStream[User, str])
    assert_type(users.key_by(lambda user: user.name, Types.STRING()), KeyedStream[User, str])


def keys_by_a_selector(users: DataStream[User]) -> None:
    assert_type(users.key_by(ByName()), KeyedStream[User, str])


def key_of_an_unknown_field(users: DataStream[User]) -> None:
    users.key_by(lambda user: user.nmae)  # E: "User" has no attribute "nmae"


def key_position_out_of_range(pairs: DataStream[tuple[str, int]]) -> None:
    pairs.key_by(lambda pair: pair[2])  # E: Tuple index out of range


def key_type_contradicts(users: DataStream[User]) -> None:
    # E: "Callable[[User], str]"; expected "Callable[[User], int]
    users.key_by(lambda user: user.name, Types.INT())


def key_function_of_another_class(names: DataStream[str]) -> None:
    names.key_by(age)  # E: incompatible type "Callable[[User], int]"; expected "Callable[[str], Any]


def selector_of_another_class(names: DataStream[str]) -> None:
    names.key_by(ByName())  # E: "ByName"; expected "Callable[[str], Any] | KeySelector[str, Any]


def selector_as_a_class(users: DataStream[User]) -> None:
    users.key_by(ByName)  # E: "type[ByName]"; expected "Callable[[User], Any] | KeySelector[User, Any]


def key_type_is_not_a_class(users: DataStream[User]) -> None:
    users.key_by(age, int)  # E: matches argument types "Callable[[User], int]", "type[int]"


def process(users: KeyedStream[User, str]) -> None:
    assert_type(users.process(Ages()), DataStream[int])
    assert_type(users.process(OfAnyKey()), DataStream[int])


def process_with_another_key(users: KeyedStream[User, int]) -> None:
    # E: incompatible type "Ages"; expected "KeyedProcessFunction[int, User, int]"
    users.process(Ages())


def process_of_another_element(names: KeyedStream[str, str]) -> None:
    names.process(Ages())  # E: incompatible type "Ages"; expected "KeyedProcessFunction[str, str, int]"


def process_without_keys(users: KeyedStream[User, str]) -> None:
    users.process(Unkeyed())  # E: "Unkeyed"; expected "KeyedProcessFunction[str, User, Any]"


def keyed_function_without_keys(users: DataStream[User]) -> None:
    users.process(Ages())  # E: "Ages"; expected "ProcessFunction[User, Any]"


def process_by_a_lambda(users: KeyedStream[User, str]) -> None:
    # E: expected "KeyedProcessFunction[str, User, Any]"
    users.process(lambda user, ctx: [user.age])


def reduce(users: KeyedStream[User, str]) -> None:
    assert_type(users.reduce(Older()), DataStream[User])
    assert_type(users.reduce(lambda a, b: a if a.age > b.age else b), DataStream[User])


def reduce_changes_the_type(users: KeyedStream[User, str]) -> None:
    # E: "Callable[[User, User], int]"; expected "Callable[[User, User], User]
    users.reduce(lambda a, b: a.age + b.age)


def reduce_of_another_element(names: KeyedStream[str, str]) -> None:
    # E: incompatible type "Older"; expected "Callable[[str, str], str] | ReduceFunction[str]"
    names.reduce(Older())


def reduce_with_one_parameter(users: KeyedStream[User, str]) -> None:
    def keep(user: User) -> User:
        return user

    users.reduce(keep)  # E: "Callable[[User], User]"; expected "Callable[[User, User], User]


def reduce_uses_an_unknown_field(users: KeyedStream[User, str]) -> None:
    users.reduce(lambda a, b: a if a.size > b.age else b)  # E: "User" has no attribute "size"


def reduce_as_a_class(users: KeyedStream[User, str]) -> None:
    users.reduce(Older)  # E: "type[Older]"; expected "Callable[[User, User], User] | ReduceFunction[User]"


def folds_by_field(users: KeyedStream[User, str]) -> None:
    assert_type(users.sum("age"), DataStream[User])
    assert_type(users.min_by(1), DataStream[User])


def folds_take_no_function(users: KeyedStream[User, str]) -> None:
    users.sum(age)  # E: "Callable[[User], int]"; expected "int | str"


def folds_take_no_float(users: KeyedStream[User, str]) -> None:
    users.max(1.0)  # E: incompatible type "float"; expected "int | str"


def windows_of_counts(users: KeyedStream[User, str]) -> None:
    assert_type(users.count_window(3), WindowedStream[User, str, CountWindow])


def windows_of_a_text(users: KeyedStream[User, str]) -> None:
    users.count_window("3")  # E: incompatible type "str"; expected "int"


def keyed_streams_of_two_keys(users: KeyedStream[User, str]) -> None:
    def use(stream: KeyedStream[User, int]) -> None: ...

    use(users)  # E: incompatible type "KeyedStream[User, str]"; expected "KeyedStream[User, int]"


def keyed_map_contradicts_its_type(users: KeyedStream[User, str]) -> None:
    users.map(age, Types.STRING())  # E: "Callable[[User], int]"; expected "Callable[[User], str]


def keyed_filter_of_another_element(users: KeyedStream[User, str]) -> None:
    users.filter(str.isdigit)  # E: expected "Callable[[User], object]


def partitioning_of_keys(users: KeyedStream[User, str]) -> None:
    users.rebalance()  # E: Invalid self argument "KeyedStream[User, str]" to attribute function "rebalance"
    users.global_()  # E: Invalid self argument "KeyedStream[User, str]" to attribute function "global_"
    users.map(lambda user: user.nmae)  # E: "User" has no attribute "nmae"


def settings_of_keys(users: KeyedStream[User, str]) -> None:
    users.name("users")  # E: Invalid self argument "KeyedStream[User, str]" to attribute function "name"
    users.uid("users")  # E: Invalid self argument "KeyedStream[User, str]" to attribute function "uid"
    users.set_parallelism(2)  # E: Invalid self argument "KeyedStream[User, str]" to attribute function
    users.disable_chaining()  # E: Invalid self argument "KeyedStream[User, str]" to attribute function
    users.map(age).name("ages").set_parallelism(2)


def union_of_a_keyed_stream(users: KeyedStream[User, str], names: DataStream[str]) -> None:
    users.union(names)  # E: incompatible type "DataStream[str]"; expected "DataStream[User]"


def keys_known_at_run_time(users: DataStream[User], field: str) -> None:
    assert_type(users.key_by(field), KeyedStream[User, Any])
