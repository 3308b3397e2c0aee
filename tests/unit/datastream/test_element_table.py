"""Tables of elements in plain text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, Types
from pystream.datastream.streams.element_table import table_text


@dataclass
class Point:
    x: int
    name: str | None


class Order(TypedDict):
    id: int
    note: NotRequired[str]


def lines(*written: str) -> str:
    return "".join(f"{line}\n" for line in written)


def test_a_column_for_each_field_of_a_tuple() -> None:
    table = table_text([(1, "a"), (100, "bcd")], Types.TUPLE([Types.INT(), Types.STRING()]), None)
    assert table == lines(" f0  f1", "---  ---", "  1  a", "100  bcd")


def test_columns_of_a_row_have_its_names() -> None:
    rows = Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.DOUBLE()])
    table = table_text([Row(word="x", count=1.5), Row(word=None, count=None)], rows, None)
    assert table == lines("word  count", "----  -----", "x       1.5", "null   null")


def test_columns_of_records() -> None:
    assert table_text([Point(1, None)], Types.of(Point), None) == lines("x  name", "-  ----", "1  null")
    orders = [Order(id=1), Order(id=2, note="b")]
    table = table_text(orders, Types.of(Order), None)
    assert table == lines("id  note", "--  ----", " 1", " 2  b")


def test_other_elements_are_in_one_column() -> None:
    assert table_text([[1, 2]], Types.LIST(Types.INT()), None) == lines("value", "------", "[1, 2]")
    assert table_text([(1, "a")], Types.PICKLED_BYTE_ARRAY(), None) == lines("value", "--------", "(1, 'a')")


def test_no_elements() -> None:
    assert table_text([], Types.STRING(), None) == lines("value", "-----")


def test_an_element_stays_on_its_line() -> None:
    assert table_text(["a\nb\x1b[0m"], Types.STRING(), None).splitlines()[2:] == ["a\\nb\\x1b[0m"]


@pytest.mark.parametrize(("width", "cut"), [(10, "abcdefg..."), (11, "abcdefghijk"), (2, "..")])
def test_wide_cells_are_cut(width: int, cut: str) -> None:
    assert table_text(["abcdefghijk"], Types.STRING(), width).splitlines()[2] == cut


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@given(st.lists(st.text("ab 日本ｗé\n\t"), min_size=1), st.integers(5, 12))
def test_columns_are_aligned_and_no_cell_is_wider_than_asked(texts: list[str], width: int) -> None:
    pairs = Types.TUPLE([Types.STRING(), Types.INT()])
    _, rule, *rows = table_text([(text, 7) for text in texts], pairs, width).splitlines()
    assert len(rows) == len(texts)
    assert columns(rule) <= width + 2 + 2
    assert {columns(row) for row in rows} == {columns(rule)}
    assert all(row.endswith(" 7") for row in rows)
