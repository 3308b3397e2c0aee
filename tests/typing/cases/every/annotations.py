"""Types.of returns the type of the values of any annotation."""

# ruff: noqa: F841 - a variable's annotation is the expectation

import datetime
import decimal
import uuid
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar, assert_type

from typeinfo import TypeInformation, Types
from typeinfo.types import TypeOf

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
    assert_type(Types.of(int), TypeOf[int])
    assert_type(Types.of(str), TypeOf[str])
    assert_type(Types.of(bool), TypeOf[bool])
    assert_type(Types.of(float), TypeOf[float])
    assert_type(Types.of(bytes), TypeOf[bytes])


def none() -> None:
    assert_type(Types.of(None), TypeOf[None])


def optional() -> None:
    assert_type(Types.of(int | None), TypeOf[int | None])


def union() -> None:
    assert_type(Types.of(int | str), TypeOf[int | str])


def dataclasses() -> None:
    assert_type(Types.of(User), TypeOf[User])


def generic_dataclasses() -> None:
    assert_type(Types.of(Box[int]), TypeOf[Box[int]])


def named_tuples() -> None:
    assert_type(Types.of(Pair), TypeOf[Pair])


def typed_dicts() -> None:
    assert_type(Types.of(Point), TypeOf[Point])


def enums() -> None:
    assert_type(Types.of(Colour), TypeOf[Colour])


def literals() -> None:
    assert_type(Types.of(Literal["a", "b"]), TypeOf[Literal["a", "b"]])


def new_types() -> None:
    assert_type(Types.of(UserId), TypeOf[UserId])


def collections() -> None:
    assert_type(Types.of(list[int]), TypeOf[list[int]])
    assert_type(Types.of(dict[str, float]), TypeOf[dict[str, float]])
    assert_type(Types.of(tuple[int, str]), TypeOf[tuple[int, str]])


def aliases() -> None:
    assert_type(Types.of(Tags), TypeOf[list[str]])


def annotated() -> None:
    assert_type(Types.of(Annotated[int, Types.SHORT]), TypeOf[int])


def forward_references() -> None:
    assert_type(Types.of("User"), TypeOf[User])


def library_classes() -> None:
    assert_type(Types.of(datetime.datetime), TypeOf[datetime.datetime])
    assert_type(Types.of(datetime.date), TypeOf[datetime.date])
    assert_type(Types.of(decimal.Decimal), TypeOf[decimal.Decimal])
    assert_type(Types.of(uuid.UUID), TypeOf[uuid.UUID])


def nested() -> None:
    assert_type(Types.of(list[User | None]), TypeOf[list[User | None]])


def fields_of_a_tuple() -> None:
    type_info: TypeInformation[tuple[User, int]] = Types.TUPLE(Types.of(User), Types.INT())
    assert type_info


def values_are_not_annotations() -> None:
    Types.of(3)  # E: "int"; expected "TypeForm[
    Types.of(User("a", 1))  # E: "User"; expected "TypeForm[


def annotation_of_another_type() -> None:
    x: TypeInformation[str] = Types.of(int)  # E: "TypeForm[int]"; expected "TypeForm[str]"


def any_type() -> None:
    assert_type(Types.of(Any), TypeOf[Any])
