"""A few classes of every kind that types support."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "RECORDS",
    "Boxed",
    "Colour",
    "Entry",
    "Key",
    "Level",
    "Nothing",
    "Pair",
    "Reading",
    "Word",
]

T = TypeVar("T")


class Colour(enum.Enum):
    """An enum whose members are of two classes, one of them under two names."""

    RED = 1
    BLUE = "b"
    AZURE = "b"  # noqa: PIE796


class Level(enum.IntEnum):
    """An enum whose members are numbers."""

    LOW = 0
    HIGH = 10


class Word(enum.StrEnum):
    """An enum whose members are strings."""

    YES = "yes"
    NO = "no"


@dataclass
class Reading:
    """A plain dataclass."""

    city: str
    celsius: float | None
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """A dataclass to be used as key."""

    number: int
    word: Word


@dataclass
class Boxed(Generic[T]):
    """A generic dataclass."""

    content: T
    label: Literal["small", "large"]


@dataclass
class Nothing:
    """A dataclass without fields."""


class Pair(NamedTuple):
    """A NamedTuple."""

    left: int | None
    right: datetime.date


class Entry(TypedDict):
    """A TypedDict with keys that may be missing; one may also be None."""

    name: str
    note: NotRequired[str]
    amount: NotRequired[Decimal | None]


RECORDS: tuple[TypeInformation[Any], ...] = (
    Types.of(Reading),
    Types.of(Key),
    Types.of(Boxed[Pair]),
    Types.of(Boxed[list[int]]),
    Types.of(Nothing),
    Types.of(Pair),
    Types.of(Entry),
)
"""A few record types of each kind."""
