"""The fields of one value that is nothing but these: those of many values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import attrs
import pytest

from typeinfo import Row, Types
from typeinfo.row import RowKind
from typeinfo.serde.composite import FieldsCodec
from typeinfo.serde.registry import codec_for


@dataclass
class Word:
    text: str
    size: int


@dataclass(slots=True)
class Slotted:
    text: str
    size: int


class Longer(Word):
    pass


class Pair(NamedTuple):
    text: str
    size: int


class Sized(TypedDict):
    text: str
    size: int


@attrs.define
class Attributes:
    text: str
    size: int


def with_more(word: Word) -> Word:
    word.more = 1  # type: ignore[attr-defined]
    return word


def deleted(row: Row[Any]) -> Row[Any]:
    row.set_row_kind(RowKind.DELETE)
    return row


ROW: Any = Types.ROW_NAMED(["text", "size"], [Types.STRING(), Types.LONG()])
PLAIN: Any = Types.ROW([Types.STRING(), Types.LONG()])
TUPLE: Any = Types.TUPLE([Types.STRING(), Types.LONG()])


@pytest.mark.parametrize(
    ("t", "value", "parts"),
    [
        (Types.of(Word), Word("a", 1), ["a", 1]),
        (Types.of(Word), Longer("a", 1), None),
        (Types.of(Word), with_more(Word("a", 1)), None),
        (Types.of(Slotted), Slotted("a", 1), ["a", 1]),
        (Types.of(Attributes), Attributes("a", 1), None),
        (Types.of(Pair), Pair("a", 1), ["a", 1]),
        (Types.of(Pair), ("a", 1), None),
        (Types.of(Sized), {"text": "a", "size": 1}, ["a", 1]),
        (Types.of(Sized), {"size": 1, "text": "a"}, None),
        (ROW, Row(text="a", size=1), ["a", 1]),
        (ROW, Row(size=1, text="a"), None),
        (ROW, Row("a", 1), None),
        (ROW, deleted(Row(text="a", size=1)), None),
        (PLAIN, Row(f0="a", f1=1), ["a", 1]),
        (TUPLE, ("a", 1), ["a", 1]),
        (TUPLE, ("a", 1, 2), None),
        (TUPLE, Pair("a", 1), None),
    ],
)
def test_the_parts_of_one_value_are_those_of_many(t: Any, value: Any, parts: list[Any] | None) -> None:
    codec = codec_for(t)
    assert isinstance(codec, FieldsCodec)
    kept = codec.kept_parts(value)
    assert (kept if kept is None else [*kept]) == parts
    columns = codec.kept_columns([value], {type(value)}, set())
    assert (columns if columns is None else [part for (part,) in columns]) == parts
