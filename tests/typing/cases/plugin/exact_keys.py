"""Keys and aggregations by field name or position, keys of connected streams, and window functions."""

from collections.abc import Iterable, Iterator
from dataclasses import InitVar, dataclass
from datetime import date
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, assert_type

from pystream.common import Row, Types
from pystream.datastream import (
    AggregateFunction,
    ConnectedStreams,
    DataStream,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    KeyedStream,
    KeySelector,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowedStream,
    WindowFunction,
)
from pystream.datastream.state import AggregatingStateDescriptor
from pystream.datastream.streams.connected_streams import NoKey
from pystream.datastream.streams.window_joins import CoGroupedWindows, EqualTo, JoinedWindows, Where
from pystream.datastream.window import TimeWindow

T = TypeVar("T")
AnyUser = TypeVar("AnyUser", bound="User")
AnyPair = TypeVar("AnyPair", bound=tuple[str, int])
AnyLine = TypeVar("AnyLine", bound="Row[Line]")
AnyText = TypeVar("AnyText", bound=str)
UserOrPoint = TypeVar("UserOrPoint", "User", "Point")


@dataclass
class User:
    name: str
    age: int


@dataclass
class Box(Generic[T]):
    value: T
    label: str


@dataclass
class Labelled(Box[int]):
    colour: str = ""


@dataclass
class Twice(Box[list[T]], Generic[T]):
    other: T


@dataclass
class Account:
    owner: str
    secret: InitVar[bytes]
    balance: int = 0


class Point(NamedTuple):
    x: int
    y: float


class Line(TypedDict):
    word: str
    count: int


class ByAge(KeySelector[User, int]):
    def get_key(self, value: User) -> int:
        return value.age


class Ages(KeyedProcessFunction[str, User, int]):
    def process_element(self, value: User, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        assert_type(ctx.get_current_key(), str)
        ctx.get_current_key().uper()  # E: "str" has no attribute "uper"; maybe "upper"?
        yield value.age

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[int]:
        assert_type(ctx.get_current_key(), str)
        yield timestamp


class Values(KeyedProcessFunction[int, Labelled, int]):
    def process_element(self, value: Labelled, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield value.value


class Both(KeyedCoProcessFunction[int, User, Point, int]):
    def process_element1(self, value: User, ctx: KeyedCoProcessFunction.Context) -> Iterator[int]:
        assert_type(ctx.get_current_key(), int)
        yield value.age

    def process_element2(self, value: Point, ctx: KeyedCoProcessFunction.Context) -> Iterator[int]:
        yield ctx.get_current_key().lower()  # E: "int" has no attribute "lower"


class Ruled(KeyedBroadcastProcessFunction[str, User, Point, int]):
    def process_element(
        self, value: User, ctx: KeyedBroadcastProcessFunction.ReadOnlyContext
    ) -> Iterable[int]:
        assert_type(ctx.get_current_key(), str)
        return []

    def process_broadcast_element(
        self, value: Point, ctx: KeyedBroadcastProcessFunction.Context
    ) -> Iterable[int]:
        return []


class Ends(ProcessWindowFunction[User, int, str, TimeWindow]):
    def process(
        self, key: str, context: ProcessWindowFunction.Context, elements: Iterable[User]
    ) -> Iterable[int]:
        assert_type(context.window(), TimeWindow)
        return [context.window().ending]  # E: "TimeWindow" has no attribute "ending"


class AllEnds(ProcessAllWindowFunction[User, int, TimeWindow]):
    def process(self, context: ProcessAllWindowFunction.Context, elements: Iterable[User]) -> Iterable[int]:
        assert_type(context.window(), TimeWindow)
        return [context.window().end]


def context_outside_of_a_function(ctx: KeyedProcessFunction.Context) -> None:
    assert_type(ctx.get_current_key(), Any)


def by_name(users: DataStream[User]) -> None:
    assert_type(users.key_by("name"), KeyedStream[User, str])
    assert_type(users.key_by("age", Types.INT()), KeyedStream[User, int])


def by_position(pairs: DataStream[tuple[str, int]]) -> None:
    assert_type(pairs.key_by(1), KeyedStream[tuple[str, int], int])
    assert_type(pairs.key_by("f0"), KeyedStream[tuple[str, int], str])


def of_a_generic_class(boxes: DataStream[Box[float]]) -> None:
    assert_type(boxes.key_by("value"), KeyedStream[Box[float], float])


def of_a_class_that_closes_a_generic_one(
    labelled: DataStream[Labelled], twice: DataStream[Twice[str]]
) -> None:
    assert_type(labelled.key_by("value"), KeyedStream[Labelled, int])
    assert_type(labelled.key_by("value", Types.INT()), KeyedStream[Labelled, int])
    assert_type(labelled.key_by("value").process(Values()), DataStream[int])
    assert_type(labelled.key_by("label"), KeyedStream[Labelled, str])
    assert_type(twice.key_by("value"), KeyedStream[Twice[str], list[str]])
    assert_type(twice.key_by("other"), KeyedStream[Twice[str], str])


def inherited_with_another_type(labelled: DataStream[Labelled]) -> None:
    labelled.key_by("value", Types.STRING())  # E: The field is "int", the key_type is for "str"


def of_a_class_with_an_init_var(accounts: DataStream[Account]) -> None:
    assert_type(accounts.key_by("owner"), KeyedStream[Account, str])
    assert_type(accounts.key_by("balance"), KeyedStream[Account, int])


def init_vars_are_not_fields(accounts: DataStream[Account]) -> None:
    accounts.key_by("secret")  # E: There is no field "secret": the elements have owner, balance
    accounts.key_by("owenr")  # E: There is no field "owenr": the elements have owner, balance


def of_a_named_tuple(points: DataStream[Point]) -> None:
    assert_type(points.key_by("y"), KeyedStream[Point, float])


def of_a_typed_dict(lines: DataStream[Line]) -> None:
    assert_type(lines.key_by("word"), KeyedStream[Line, str])


def of_a_row(rows: DataStream[Row[Line]]) -> None:
    assert_type(rows.key_by("count"), KeyedStream[Row[Line], int])
    assert_type(rows.key_by(0), KeyedStream[Row[Line], str])


def of_a_bounded_type_variable(
    users: DataStream[AnyUser], pairs: DataStream[AnyPair], lines: DataStream[AnyLine]
) -> None:
    assert_type(users.key_by("age"), KeyedStream[AnyUser, int])
    assert_type(pairs.key_by(1), KeyedStream[AnyPair, int])
    assert_type(lines.key_by("word"), KeyedStream[AnyLine, str])


def of_an_open_type_variable(anything: DataStream[T]) -> None:
    assert_type(anything.key_by("name"), KeyedStream[T, Any])


def misspelt_in_a_bound(
    users: DataStream[AnyUser], pairs: DataStream[AnyPair], texts: DataStream[AnyText]
) -> None:
    users.key_by("nmae")  # E: There is no field "nmae": the elements have name, age
    users.key_by("name").sum("aeg")  # E: There is no field "aeg": the elements have name, age
    pairs.key_by(2)  # E: There is no field 2: the last is 1
    texts.key_by("name")  # E: There is no field "name": str has none


def misspelt_in_one_of_two(either: DataStream[UserOrPoint]) -> None:
    either.key_by("name")  # E: There is no field "name": the elements have x, y


def of_unknown_elements(anything: DataStream[Any]) -> None:
    assert_type(anything.key_by("name"), KeyedStream[Any, Any])


def misspelt(users: DataStream[User]) -> None:
    users.key_by("nmae")  # E: There is no field "nmae": the elements have name, age


def misspelt_in_a_row(rows: DataStream[Row[Line]]) -> None:
    rows.key_by("wrod")  # E: There is no field "wrod": the elements have word, count


def misspelt_in_a_named_tuple(points: DataStream[Point]) -> None:
    points.key_by("z")  # E: There is no field "z": the elements have x, y


def misspelt_in_a_typed_dict(lines: DataStream[Line]) -> None:
    lines.key_by("wrod")  # E: There is no field "wrod": the elements have word, count


def out_of_range(pairs: DataStream[tuple[str, int]]) -> None:
    pairs.key_by(2)  # E: There is no field 2: the last is 1


def behind_the_fields_of_a_tuple(pairs: DataStream[tuple[str, int]]) -> None:
    pairs.key_by("f2")  # E: There is no field "f2": the elements have f0, f1


def of_elements_without_fields(names: DataStream[str]) -> None:
    names.key_by("name")  # E: There is no field "name": str has none


def with_another_type(users: DataStream[User]) -> None:
    users.key_by("name", Types.INT())  # E: The field is "str", the key_type is for "int"


def keyed_function_after_a_name(users: DataStream[User]) -> None:
    assert_type(users.key_by("name").process(Ages()), DataStream[int])
    # E: incompatible type "Ages"; expected "KeyedProcessFunction[int, User, int]"
    users.key_by("age").process(Ages())


def connected_keys_by_name(users: DataStream[User], points: DataStream[Point]) -> None:
    assert_type(users.key_by("age").connect(points.key_by("x")), ConnectedStreams[User, Point, int])
    # E: "KeyedStream[Point, float]"; expected "KeyedStream[Point, str]"
    users.key_by("name").connect(points.key_by("y"))


def joined_keys(
    users: DataStream[User], points: DataStream[Point], ages: DataStream[tuple[int, str]]
) -> None:
    where = users.join(points).where("age")
    assert_type(where, Where[User, Point, JoinedWindows[User, Point], int])
    assert_type(where.equal_to("x"), EqualTo[User, Point, JoinedWindows[User, Point]])
    users.join(ages).where("age").equal_to(0)
    users.join(ages).where("age", Types.INT()).equal_to(0, Types.INT())
    users.join(points).where("age").equal_to(lambda point: point.x)
    users.join(points).where(ByAge()).equal_to("x")
    users.join(ages).where(lambda user: user.name).equal_to(1)


def co_grouped_keys(users: DataStream[User], points: DataStream[Point]) -> None:
    where = users.co_group(points).where("age")
    assert_type(where, Where[User, Point, CoGroupedWindows[User, Point], int])
    where.equal_to("x")
    where.equal_to("y")  # E: The keys of the streams differ: the first has "int", the second "float"


def joined_keys_known_at_run_time(users: DataStream[User], points: DataStream[Point], field: str) -> None:
    where = users.join(points).where(field)
    assert_type(where, Where[User, Point, JoinedWindows[User, Point], Any])
    where.equal_to("x")
    users.join(points).where("age").equal_to(field)


def joined_keys_of_unknown_elements(anything: DataStream[Any], users: DataStream[User]) -> None:
    anything.join(users).where("id").equal_to("name")
    users.join(anything).where("name").equal_to("id")


def joined_keys_misspelt(users: DataStream[User], points: DataStream[Point]) -> None:
    users.join(points).where("nmae")  # E: There is no field "nmae": the elements have name, age
    users.join(points).where("name").equal_to("z")  # E: There is no field "z": the elements have x, y
    users.join(points).where(2)  # E: There is no field 2: the last is 1


def joined_keys_that_differ(users: DataStream[User], points: DataStream[Point]) -> None:
    # E: The keys of the streams differ: the first has "str", the second "int"
    users.join(points).where("name").equal_to("x")
    # E: The keys of the streams differ: the first has "int", the second "float"
    users.join(points).where(ByAge()).equal_to("y")
    # E: expected "Callable[[Point], str] | KeySelector[Point, str] | str | int"
    users.join(points).where("name").equal_to(lambda point: point.x)


def joined_keys_with_another_type(users: DataStream[User], points: DataStream[Point]) -> None:
    users.join(points).where("name", Types.INT())  # E: The field is "str", the key_type is for "int"
    # E: The field is "float", the key_type is for "int"
    users.join(points).where("age").equal_to("y", Types.INT())


def joined_keys_left_out(users: DataStream[User], points: DataStream[Point]) -> None:
    users.join(points).where()  # E: Missing positional argument "key_selector"
    users.join(points).where("age").equal_to()  # E: Missing positional argument "key_selector"


def sums(users: KeyedStream[User, str]) -> None:
    assert_type(users.sum("age"), DataStream[User])
    users.sum("aeg")  # E: There is no field "aeg": the elements have name, age


def sum_out_of_range(pairs: KeyedStream[tuple[str, int], str]) -> None:
    pairs.sum(2)  # E: There is no field 2: the last is 1


def sum_of_numbers(numbers: KeyedStream[int, int]) -> None:
    assert_type(numbers.sum(), DataStream[int])
    assert_type(numbers.sum(0), DataStream[int])
    numbers.sum(1)  # E: There is no field "1": int has none


def minimum(users: KeyedStream[User, str]) -> None:
    users.min("size")  # E: There is no field "size": the elements have name, age


def maximum(users: KeyedStream[User, str]) -> None:
    users.max("size")  # E: There is no field "size": the elements have name, age


def lowest(users: KeyedStream[User, str]) -> None:
    users.min_by("size")  # E: There is no field "size": the elements have name, age


def highest(rows: KeyedStream[Row[Line], str]) -> None:
    rows.max_by("size")  # E: There is no field "size": the elements have word, count


def fields_by_keyword(users: DataStream[User]) -> None:
    assert_type(users.key_by(key_type=Types.INT(), key_selector="age"), KeyedStream[User, int])
    users.key_by(key_selector="nmae")  # E: There is no field "nmae": the elements have name, age
    users.key_by("name").sum(position_to_sum="aeg")  # E: There is no field "aeg"


def fields_by_stars(users: DataStream[User], names: list[str], named: dict[str, Any]) -> None:
    assert_type(users.key_by(*names[:1]), KeyedStream[User, Any])
    assert_type(users.key_by(**named), KeyedStream[User, Any])
    assert_type(users.key_by("name").sum(*names), DataStream[User])
    assert_type(users.key_by("name").sum(**named), DataStream[User])


def sums_of_texts(users: DataStream[User], words: DataStream[str]) -> None:
    assert_type(users.key_by("age").sum("name"), DataStream[User])  # joined, as in PyFlink
    users.key_by("age").sum(0)
    assert_type(words.key_by(len).sum(), DataStream[str])
    users.key_by("name").sum("age")
    users.key_by("age").max("name")


def sums_of_what_plus_does_not_take(
    days: KeyedStream[tuple[str, date, bool, int | None], str],
    answers: KeyedStream[bool, str],
    lists: KeyedStream[tuple[str, list[int]], str],
) -> None:
    days.sum(0)
    days.sum(1)  # E: sum cannot add up a field of "date"
    days.sum(2)  # E: sum cannot add up a field of "bool"
    days.sum(3)  # E: sum cannot add up a field of "int | None"
    answers.sum()  # E: sum cannot add up a field of "bool"
    lists.sum(1)


def fields_left_out(users: DataStream[User], connected: ConnectedStreams[User, Point, NoKey]) -> None:
    users.key_by()  # E: All overload variants of "key_by" of "DataStream" require at least one argument
    connected.key_by("name")  # E: Missing positional argument "key_selector2"
    connected.key_by()  # E: Missing positional arguments "key_selector1", "key_selector2"


class Users(DataStream[User]):
    def key_by(self) -> "UsersByName":  # E: incompatible with supertype
        return UsersByName()

    def project(self, *, first: int) -> "UsersByName":  # E: incompatible with supertype
        return UsersByName()


class UsersByName(KeyedStream[User, str]):
    def __init__(self) -> None: ...

    def sum(self) -> "UsersByName":  # E: incompatible with supertype
        return self


def methods_that_override(users: Users) -> None:
    assert_type(users.key_by(), UsersByName)
    assert_type(users.key_by().sum(), UsersByName)
    assert_type(users.project(first=1), UsersByName)


def keys_of_both(connected: ConnectedStreams[User, Point, NoKey]) -> None:
    assert_type(connected.key_by("age", "x"), ConnectedStreams[User, Point, int])
    assert_type(connected.key_by(ByAge(), lambda point: point.x), ConnectedStreams[User, Point, int])


def keys_of_bounded_type_variables(connected: ConnectedStreams[AnyUser, AnyPair, NoKey]) -> None:
    assert_type(connected.key_by("age", 1), ConnectedStreams[AnyUser, AnyPair, int])
    connected.key_by("age", 2)  # E: There is no field 2: the last is 1


def unequal_fields(connected: ConnectedStreams[User, Point, NoKey]) -> None:
    connected.key_by("name", "x")  # E: The keys of the streams differ: the first has "str", the second "int"


def unequal_functions(connected: ConnectedStreams[User, Point, NoKey]) -> None:
    # E: The keys of the streams differ: the first has "str", the second "float"
    connected.key_by(lambda user: user.name, lambda point: point.y)


def unequal_selectors(connected: ConnectedStreams[User, Point, NoKey]) -> None:
    # E: The keys of the streams differ: the first has "int", the second "float"
    connected.key_by(ByAge(), lambda point: point.y)


def misspelt_fields_of_both(connected: ConnectedStreams[User, Point, NoKey]) -> None:
    connected.key_by("agee", "x")  # E: There is no field "agee": the elements have name, age


def window_function_of_another_fold(
    windows: WindowedStream[str, str, TimeWindow],
    fold: AggregateFunction[str, int, float],
    function: WindowFunction[str, int, str, TimeWindow],
) -> None:
    # E: incompatible type "WindowFunction[str, int, str, TimeWindow]"; expected "WindowFunction[float,
    windows.aggregate(fold, function)


def accumulator_of_another_type(fold: AggregateFunction[str, int, float]) -> None:
    # E: incompatible type "AggregateFunction[str, int, float]"; expected "AggregateFunction[
    AggregatingStateDescriptor("a", fold, Types.STRING())


def fold_contradicts_its_type(
    windows: WindowedStream[str, str, TimeWindow], fold: AggregateFunction[str, int, float]
) -> None:
    # E: "AggregateFunction[str, int, float]"; expected "AggregateFunction[str, int, str]"
    windows.aggregate(fold, output_type=Types.STRING())


def keyed_process_contradicts_its_type(
    connected: ConnectedStreams[str, int, str], function: KeyedCoProcessFunction[str, str, int, float]
) -> None:
    # E: KeyedCoProcessFunction[str, str, int, str]"
    connected.process(function, Types.STRING())
