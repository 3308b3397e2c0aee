"""Elements that are dataclasses, NamedTuples and TypedDicts."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, NotRequired, TypedDict, TypeVar

import pyarrow as pa
import pytest

from typeinfo import Row, TypeCheckError, TypeInformation, Types
from typeinfo.serde import serializer_for

T = TypeVar("T")


class Color(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    y: float = 0.0


@dataclass(frozen=True)
class Frozen:
    x: int
    y: float = 0.0


@dataclass(slots=True)
class Slotted:
    x: int
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class FrozenSlotted:
    x: int
    y: float = 0.0


@dataclass(kw_only=True)
class Keyword:
    y: float = 0.0
    x: int


@dataclass(init=False)
class OwnInit:
    x: int
    y: float

    def __init__(self, text: str) -> None:
        self.x, self.y = len(text), 1.0


@dataclass(init=False)
class OwnDoublingInit:
    x: int
    y: float

    def __init__(self, x: int, y: float = 0.0) -> None:
        self.x, self.y = x * 2, y


class Undecorated(Point):
    def __init__(self) -> None:
        super().__init__(7, 7.0)


@dataclass
class Guarded:
    x: int
    y: float

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 2)


@dataclass
class Interned:
    x: int
    y: float
    only: ClassVar[Any] = None

    def __new__(cls, *args: Any) -> Interned:
        if cls.only is None:
            cls.only = object.__new__(cls)
        return cls.only  # type: ignore[no-any-return]


@dataclass
class Doubling:
    x: int
    y: float = 0.0

    def __post_init__(self) -> None:
        self.x *= 2


@dataclass(frozen=True)
class Computed:
    x: int
    y: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "y", self.x / 2)


@dataclass
class Seeded:
    x: int
    seed: InitVar[int] = 3
    y: float = 0.0

    def __post_init__(self, seed: int) -> None:
        self.y = float(seed)


@dataclass
class Choosy:
    x: int

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


@dataclass
class Cached:
    x: int
    y: float = 0.0

    @cached_property
    def double(self) -> int:
        return self.x * 2


class Named(NamedTuple):
    x: int
    y: float = 0.0


class SubNamed(Named):
    pass


class Loud(Point):
    def shout(self) -> str:
        return f"{self}!"


@dataclass
class SubPoint(Point):
    z: int = 5


@dataclass
class Outer:
    point: Point
    named: Named | None
    color: Color
    tags: list[str]
    by_name: dict[str, Frozen]
    pair: tuple[int, str | None]


@dataclass
class Box(Generic[T]):
    content: T


@dataclass
class Nothing:
    pass


class Movie(TypedDict):
    title: str
    year: NotRequired[int]
    rating: NotRequired[float | None]


class Options(TypedDict, total=False):
    a: int
    b: Color | None


def guarded(x: int, y: float) -> Guarded:
    made = object.__new__(Guarded)
    object.__setattr__(made, "x", x)
    object.__setattr__(made, "y", y)
    return made


def changed(record: Any, **values: Any) -> Any:
    for name, value in values.items():
        object.__setattr__(record, name, value)
    return record


MADE: list[tuple[type, list[Any]]] = [
    (Point, [Point(1, 2.5), Point(-1)]),
    (Frozen, [Frozen(1, 2.5)]),
    (Slotted, [Slotted(1, 2.5)]),
    (FrozenSlotted, [FrozenSlotted(1, 2.5)]),
    (Keyword, [Keyword(x=1, y=2.5)]),
    (OwnInit, [OwnInit("abc"), changed(OwnInit("abc"), x=9)]),
    (OwnDoublingInit, [OwnDoublingInit(1), changed(OwnDoublingInit(1), y=2.0)]),
    (Undecorated, [Undecorated(), changed(Undecorated(), x=1)]),
    (Guarded, [guarded(1, 2.0)]),
    (Interned, [changed(object.__new__(Interned), x=x, y=0.5) for x in (1, 2)]),
    (Doubling, [Doubling(1), changed(Doubling(3), x=3)]),
    (Computed, [Computed(3), changed(Computed(3), y=8.0)]),
    (Seeded, [Seeded(1, 4), changed(Seeded(1, 4), y=1.0)]),
    (Cached, [Cached(3)]),
    (Named, [Named(1, 2.5), Named(2)]),
    (
        Outer,
        [
            Outer(Point(1), None, Color.RED, [], {}, (1, None)),
            Outer(Point(2, 0.5), Named(1), Color.RED, ["a"], {"k": Frozen(3)}, (2, "x")),
        ],
    ),
    (Box[Point], [Box(Point(1, 2.0))]),
    (Nothing, [Nothing(), Nothing()]),
    (Movie, [{"title": "a"}, {"title": "b", "year": 1, "rating": None}, {"title": "c", "rating": 1.5}]),
    (Options, [{}, {"b": None}, {"a": 1, "b": Color.RED}]),
]


@pytest.mark.parametrize(("cls", "values"), MADE, ids=lambda part: getattr(part, "__name__", ""))
def test_round_trips(cls: Any, values: list[Any]) -> None:
    serializer = serializer_for(Types.of(cls))
    assert serializer.conform(values) is values
    batch = serializer.to_batch(values)
    batch.validate(full=True)
    assert serializer.to_batch(values, conformed=True).equals(batch)
    results = (
        serializer.from_batch(batch),
        serializer.from_batch(serializer.to_batch(values * 700).slice(len(values) * 699)),
        serializer.deserialize(serializer.serialize(values)),
    )
    for result in results:
        assert result == values
        assert [type(record) for record in result] == [type(record) for record in values]
    assert serializer.from_batch(serializer.to_batch([])) == []
    assert serializer.deserialize(serializer.serialize([])) == []


@pytest.mark.parametrize(("cls", "values"), MADE, ids=lambda part: getattr(part, "__name__", ""))
def test_inside_other_types(cls: Any, values: list[Any]) -> None:
    t = Types.ROW_NAMED(["l", "o"], [Types.LIST(Types.of(cls)), Types.of(cls)])
    rows = [Row(l=values, o=None), Row(l=None, o=values[0]), Row(l=[], o=values[-1])]
    serializer = serializer_for(t)
    assert serializer.conform(rows) is rows
    assert serializer.from_batch(serializer.to_batch(rows)) == rows
    assert serializer.deserialize(serializer.serialize(rows)) == rows


def test_post_init_does_not_run_again() -> None:
    serializer = serializer_for(Types.of(Doubling))
    (record,) = serializer.from_batch(serializer.to_batch([Doubling(1, 2.0)]))
    assert record.x == 2
    (seeded,) = serializer_for(Types.of(Seeded)).deserialize(
        serializer_for(Types.of(Seeded)).serialize([Seeded(1, 5)])
    )
    assert seeded.y == 5.0


def test_values_inside_are_normalised_in_a_new_instance() -> None:
    given = Point(1, 3)
    (result,) = serializer_for(Types.of(Point)).conform([given])
    assert isinstance(result.y, float)
    assert isinstance(given.y, int)
    assert result is not given


def test_instances_of_a_named_tuples_subclass_become_the_declared_class() -> None:
    (named,) = serializer_for(Types.of(Named)).conform([SubNamed(1, 2.0)])
    assert type(named) is Named


def test_a_subclass_that_only_behaves_otherwise_becomes_the_declared_class() -> None:
    (point,) = serializer_for(Types.of(Point)).conform([Loud(1, 2.0)])
    assert type(point) is Point
    assert point == Point(1, 2.0)


def test_fields_of_a_subclass_are_never_lost() -> None:
    serializer = serializer_for(Types.of(Point))
    for check in (serializer.conform, serializer.to_batch):
        with pytest.raises(
            TypeCheckError, match=r"has the fields \['z'\].*declare Types\.of\(SubPoint\)"
        ) as error:
            check([Point(0), SubPoint(1, 2.0, 3)])
        assert error.value.index == 1


def test_a_constructor_that_refuses_values_is_not_asked_again() -> None:
    serializer = serializer_for(Types.of(Choosy))
    values = [Choosy(1), changed(Choosy(1), x=-1)]
    for read in (
        serializer.from_batch(serializer.to_batch(values)),
        serializer.deserialize(serializer.serialize(values)),
    ):
        assert [choosy.x for choosy in read] == [1, -1]


@pytest.mark.parametrize(
    ("cls", "value", "message", "path"),
    [
        (Point, (1, 2.0), "give an instance of Point", ""),
        (Point, {"x": 1, "y": 2.0}, "give an instance of Point", ""),
        (Point, Frozen(1), "give an instance of Point", ""),
        (Point, None, "None is not a Point(x: Long, y: Double)", ""),
        (Point, Point("1"), "'1' (str) is not a LONG", ".x"),  # type: ignore[arg-type]
        (Point, object.__new__(Slotted), "give an instance of Point", ""),
        (Slotted, object.__new__(Slotted), "an instance of Slotted has no value for ['x', 'y']", ""),
        (Named, (1, 2.0), "give an instance of Named", ""),
        (Named, Named(1, None), "None is not a DOUBLE", ".y"),  # type: ignore[arg-type]
        (Movie, {"year": 1}, "lacks ['title']; the keys are ['title', 'year', 'rating']", ""),
        (Movie, {"title": "a", "yaer": 1}, "has unknown ['yaer']", ""),
        (Movie, {"title": "a", "year": None}, "None is not a value of this key; leave the key out", ".year"),
        (Movie, {"title": "a", "rating": "x"}, "'x' (str) is not a DOUBLE", ".rating"),
        (Movie, Point(1), "give a dict with the keys of Movie", ""),
        (Outer, Outer(Point(1), None, Color.RED, ["a", 1], {}, (1, None)), "not a STRING", ".tags[1]"),  # type: ignore[list-item]
        (
            Outer,
            Outer(Point(1), None, Color.RED, [], {"k": Frozen(1, "x")}, (1, None)),  # type: ignore[arg-type]
            "not a DOUBLE",
            '.by_name["k"].y',
        ),
    ],
)
def test_misfits(cls: Any, value: Any, message: str, path: str) -> None:
    t: TypeInformation[Any] = Types.of(cls)
    serializer = serializer_for(t)
    good = next(values[0] for other, values in MADE if other is cls)
    for check in (serializer.conform, serializer.to_batch):
        with pytest.raises(TypeCheckError) as error:
            check([good, good, value, good])
        assert message in str(error.value)
        assert (error.value.path, error.value.index) == (path, 2)


def test_a_typed_dict_keeps_the_declared_order_of_keys() -> None:
    serializer = serializer_for(Types.of(Movie))
    (movie,) = serializer.from_batch(serializer.to_batch([{"rating": None, "year": 1, "title": "b"}]))
    assert list(movie) == ["title", "year", "rating"]


def test_a_dataclass_is_read_from_a_foreign_table() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([0.5], pa.float32()), pa.array([1], pa.uint8())], ["y", "x"])
    assert serializer_for(Types.of(Point)).from_batch(batch) == [Point(1, 0.5)]


def test_two_classes_alike_are_two_types() -> None:
    other = dataclasses.make_dataclass("Point", [("x", int), ("y", float)])
    t: TypeInformation[Any] = Types.of(other)
    assert serializer_for(t) is not serializer_for(Types.of(Point))


def test_a_named_tuple_of_the_wrong_length_is_placed() -> None:
    short: Any = tuple.__new__(Named, (1,))
    with pytest.raises(TypeCheckError, match=r"has 1 fields, .* has 2") as raised:
        serializer_for(Types.of(Named)).conform([Named(1, "a"), short])
    assert raised.value.index == 1


@dataclass
class Ending:
    x: int

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name == "x" and value == 2:
            raise StopIteration
        return value


@dataclass
class Unready:
    x: int

    def __setstate__(self, state: dict[str, Any]) -> None:
        raise StopIteration


def test_an_attribute_that_raises_stop_iteration_loses_no_record() -> None:
    serializer = serializer_for(Types.of(Ending))
    with pytest.raises(TypeCheckError, match=r"the attribute 'x' of .* raised StopIteration") as caught:
        serializer.conform([Ending(1), Ending(2), Ending(3)])
    assert caught.value.index == 1


def test_a_state_that_raises_stop_iteration_loses_no_value() -> None:
    serializer = serializer_for(Types.PICKLED_BYTE_ARRAY())
    batch = serializer.to_batch([1, Unready(2), 3])
    with pytest.raises(StopIteration):
        serializer.from_batch(batch)
