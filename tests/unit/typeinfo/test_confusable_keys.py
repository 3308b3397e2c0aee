"""Key encoders that confuse two keys, each by an easy mistake."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from typeinfo import Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import serializer_for
from typeinfo.testing.laws import LawViolation, Subject, check_keys


@dataclass(frozen=True)
class Place:
    town: str
    street: str


@dataclass(frozen=True)
class Visit:
    name: str
    at: datetime.datetime
    stops: int


class Suit(Enum):
    HEARTS = "h"
    SPADES = "s"


class Tags:
    """Equal where the tags are, in whatever order."""

    def __init__(self, tags: dict[str, int]) -> None:
        self.tags = tags

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and self.tags == other.tags

    def __hash__(self) -> int:
        return hash(frozenset(self.tags.items()))


def key_of(cls: Any, encode: Callable[[Any], bytes]) -> Subject:
    t = Types.of(cls)
    return Subject(t, serializer_for(t), encode)


@pytest.mark.parametrize("separator", [",", "|", "\0", "\x1f", " ", ""])
def test_texts_joined_by_a_separator(separator: str) -> None:
    with pytest.raises(LawViolation, match="are two keys of Place"):
        check_keys(key_of(Place, lambda place: f"{place.town}{separator}{place.street}".encode()), examples=5)


def test_times_in_milliseconds() -> None:
    def encode(visit: Visit) -> bytes:
        return repr((visit.name, int(visit.at.timestamp() * 1000), visit.stops)).encode()

    with pytest.raises(LawViolation, match="are two keys of Visit"):
        check_keys(key_of(Visit, encode), [Visit("a", datetime.datetime(2024, 1, 1), 2)])


@pytest.mark.parametrize("mask", [0xFF, 0xFFFF, 0xFFFF_FFFF])
def test_numbers_cut_to_fewer_bits(mask: int) -> None:
    def encode(visit: Visit) -> bytes:
        return repr((visit.name, visit.at.isoformat(), visit.stops & mask)).encode()

    with pytest.raises(LawViolation, match="are two keys of Visit"):
        check_keys(key_of(Visit, encode), [Visit("a", datetime.datetime(2024, 1, 1), 2)])


def test_counts_cut_to_16_bits() -> None:
    def encode(numbers: list[int]) -> bytes:
        return struct.pack(">H", len(numbers) & 0xFFFF) + bytes(set(numbers))

    with pytest.raises(LawViolation, match="are two keys of"):
        check_keys(key_of(list[int], encode), [[7]])


def test_the_order_of_a_dict_inside_a_class() -> None:
    t = CustomTypeInfo(
        Tags, Types.STRING(), lambda tags: repr(tags.tags), lambda text: Tags(eval(text)), deterministic=True
    )
    with pytest.raises(LawViolation, match=r"one key of .*, encoded in two ways"):
        check_keys(t, [Tags({"a": 1, "b": 2})])


@pytest.mark.parametrize(
    "cls", [Place, Visit, list[int], tuple[str, str], dict[str, str], Path, Fraction, Suit]
)
def test_sound_encoders_pass(cls: Any) -> None:
    check_keys(cls, examples=20)
