"""The table of docs/types.md, held against what the library does."""

from __future__ import annotations

import datetime
import fractions
import ipaddress
import pathlib
import re
import uuid
from pathlib import Path

import attrs
import pydantic
import pytest

from typeinfo import Types
from typeinfo.carried import TEXT_KINDS
from typeinfo.formats.arrow import to_arrow
from typeinfo.formats.spark import to_spark
from typeinfo.serde.keys import key_refusal

TEXT = (Path(__file__).parents[3] / "docs" / "types.md").read_text("utf-8")
AttrsPoint = attrs.make_class("AttrsPoint", {"x": attrs.field(type=int)}, frozen=True)
PydanticPoint = pydantic.create_model("PydanticPoint", x=int)
NAMES = {
    "AttrsPoint": AttrsPoint,
    "PydanticPoint": PydanticPoint,
    "Types": Types,
    "datetime": datetime,
    "fractions": fractions,
    "ipaddress": ipaddress,
    "pathlib": pathlib,
    "uuid": uuid,
}
ROWS = [
    [cell.strip().replace("\\|", "|").strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_says_what_is(row: list[str]) -> None:
    annotation, _, arrow, spark, key = row
    t = Types.of(eval(annotation, NAMES))
    assert str(to_arrow(t)) == arrow
    assert to_spark(t).simpleString() == spark
    assert ("no" if key_refusal(t) else "yes") == key


def test_every_class_carried_as_text_has_a_row() -> None:
    for kind in TEXT_KINDS:
        assert f"`{kind.cls.__module__}" in TEXT.replace("pathlib._local", "pathlib"), kind.cls
