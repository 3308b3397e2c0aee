"""The table of docs/types.md agrees with the library; it covers the Arrow and Spark type of every type."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import re
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

import attrs
import pydantic
import pytest

from typeinfo import Instant, Types
from typeinfo.carried import TEXT_KINDS
from typeinfo.extended import OptionalTypeInfo
from typeinfo.formats.arrow import to_arrow
from typeinfo.formats.spark import to_spark
from typeinfo.keys import key_refusal

TEXT = (Path(__file__).parents[3] / "docs" / "types.md").read_text("utf-8")
AttrsPoint = attrs.make_class("AttrsPoint", {"x": attrs.field(type=int)}, frozen=True)
PydanticPoint = pydantic.create_model("PydanticPoint", x=int)


@dataclass
class Point:
    x: int


class PairOfInts(NamedTuple):
    x: int


class PartialDict(TypedDict):
    x: NotRequired[int]


class Colour(enum.Enum):
    RED = 1


NAMES = {
    "Any": Any,
    "AttrsPoint": AttrsPoint,
    "Colour": Colour,
    "Instant": Instant,
    "Literal": Literal,
    "PairOfInts": PairOfInts,
    "PartialDict": PartialDict,
    "Point": Point,
    "PydanticPoint": PydanticPoint,
    "Types": Types,
    "datetime": datetime,
    "decimal": decimal,
    "fractions": fractions,
    "ipaddress": ipaddress,
    "pathlib": pathlib,
    "uuid": uuid,
}
ROWS = [
    [cell.strip().replace("\\|", "|").strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in TEXT.splitlines()
    if re.match(r"\|( \|)? `", line)
]
OWN_NULLS = {"yes": [True], "values": [False, True], "no": [False], "": []}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0] or row[1])
def test_a_row_agrees_with_the_library(row: list[str]) -> None:
    annotation, factory, _, null_inside, arrow, spark, key = row
    given = [eval(factory, NAMES)] if factory else []
    types = [*given, *([Types.of(eval(annotation, NAMES))] if annotation else [])]
    t = types[0]
    assert types == [t] * len(types)
    assert str(to_arrow(t)) == arrow
    assert to_spark(t).simpleString() == spark
    assert ("no" if key_refusal(t) else "yes") == key
    if not isinstance(t, OptionalTypeInfo):
        assert sorted({slot.nullable for slot in t.slots()}) == OWN_NULLS[null_inside]


def test_every_type_of_flink_has_a_row() -> None:
    factories = {row[1].removeprefix("Types.").partition("(")[0] for row in ROWS}
    assert factories - {""} == {name for name in dir(Types) if name.isupper()}


def test_every_class_carried_as_text_has_a_row() -> None:
    for kind in TEXT_KINDS:
        assert f"`{kind.cls.__module__}" in TEXT.replace("pathlib._local", "pathlib"), kind.cls
