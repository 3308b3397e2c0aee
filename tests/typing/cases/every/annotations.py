"""Types.of: any annotation gives the type of its values."""

# ruff: noqa: F841 - a variable's annotation is the expectation

import datetime
import decimal
import uuid
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar, assert_type

from typeinfo import TypeInformation, Types

T = TypeVar("T")


@dataclass
class User:
    name: str
    age: int


@dataclass
class Box(Generic[T]):
    value: T


class Pair(NamedTuple):
    left: int
    right: str


class Point(TypedDict):
    x: int
    y: int


class Colour(Enum):
    RED = 1


UserId = NewType("UserId", int)
Tags = list[str]


def primitives() -> None:
    assert_type(Types.of(int), TypeInformation[int])
    assert_type(Types.of(str), TypeInformation[str])
    assert_type(Types.of(bool), TypeInformation[bool])
    assert_type(Types.of(float), TypeInformation[float])
    assert_type(Types.of(bytes), TypeInformation[bytes])


def none() -> None:
    assert_type(Types.of(None), TypeInformation[None])


def optional() -> None:
    assert_type(Types.of(int | None), TypeInformation[int | None])


def union() -> None:
    assert_type(Types.of(int | str), TypeInformation[int | str])


def dataclasses() -> None:
    assert_type(Types.of(User), TypeInformation[User])


def generic_dataclasses() -> None:
    assert_type(Types.of(Box[int]), TypeInformation[Box[int]])


def named_tuples() -> None:
    assert_type(Types.of(Pair), TypeInformation[Pair])


def typed_dicts() -> None:
    assert_type(Types.of(Point), TypeInformation[Point])


def enums() -> None:
    assert_type(Types.of(Colour), TypeInformation[Colour])


def literals() -> None:
    assert_type(Types.of(Literal["a", "b"]), TypeInformation[Literal["a", "b"]])


def new_types() -> None:
    assert_type(Types.of(UserId), TypeInformation[UserId])


def collections() -> None:
    assert_type(Types.of(list[int]), TypeInformation[list[int]])
    assert_type(Types.of(dict[str, float]), TypeInformation[dict[str, float]])
    assert_type(Types.of(tuple[int, str]), TypeInformation[tuple[int, str]])


def aliases() -> None:
    assert_type(Types.of(Tags), TypeInformation[list[str]])


def annotated() -> None:
    assert_type(Types.of(Annotated[int, Types.SHORT]), TypeInformation[int])


def forward_references() -> None:
    assert_type(Types.of("User"), TypeInformation[User])


def library_classes() -> None:
    assert_type(Types.of(datetime.datetime), TypeInformation[datetime.datetime])
    assert_type(Types.of(datetime.date), TypeInformation[datetime.date])
    assert_type(Types.of(decimal.Decimal), TypeInformation[decimal.Decimal])
    assert_type(Types.of(uuid.UUID), TypeInformation[uuid.UUID])


def nested() -> None:
    assert_type(Types.of(list[User | None]), TypeInformation[list[User | None]])


def fields_of_a_tuple() -> None:
    assert_type(Types.TUPLE(Types.of(User), Types.INT()), TypeInformation[tuple[User, int]])


def values_are_no_annotations() -> None:
    Types.of(3)  # E: "int"; expected "TypeForm[
    Types.of(User("a", 1))  # E: "User"; expected "TypeForm[


def the_class_decides() -> None:
    x: TypeInformation[str] = Types.of(int)  # E: "TypeForm[int]"; expected "TypeForm[str]"


def any_type() -> None:
    assert_type(Types.of(Any), TypeInformation[Any])
