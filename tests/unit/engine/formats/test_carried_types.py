"""Sets, tuples of any length, unions and classes with a text form, in JSON and CSV messages."""

from __future__ import annotations

import ipaddress
import pathlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import csv_reader
from pystream.engine.formats.csv_writer import csv_writer
from pystream.engine.formats.json_reader import json_reader
from pystream.engine.formats.json_writer import json_writer
from pystream.errors import DeserializationError
from typeinfo import Types
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.row import Row

ADDRESS = ipaddress.IPv4Address("10.0.0.1")


@dataclass
class Point:
    x: int


def row_of(annotation: Any) -> RowTypeInfo[Any]:
    return RowTypeInfo([Types.of(annotation)], ["f"])


@pytest.mark.parametrize(
    ("annotation", "value", "json", "csv"),
    [
        (set[int], {3, -2, 1}, '{"f":[1,3,-2]}', "1;3;-2"),
        (frozenset[str], frozenset({"b", "a"}), '{"f":["a","b"]}', "a;b"),
        (set[int], set(), '{"f":[]}', ""),
        (tuple[int, ...], (2, 1), '{"f":[2,1]}', "2;1"),
        (ipaddress.IPv4Address, ADDRESS, '{"f":"10.0.0.1"}', "10.0.0.1"),
        (ipaddress.IPv6Address, ipaddress.IPv6Address("::1"), '{"f":"::1"}', "::1"),
        (pathlib.PurePosixPath, pathlib.PurePosixPath("a/b c"), '{"f":"a/b c"}', '"a/b c"'),
        (Fraction, Fraction(-1, 3), '{"f":"-1/3"}', "-1/3"),
        (list[Fraction], [Fraction(1), Fraction(1, 2)], '{"f":["1","1/2"]}', "1;1/2"),
        (set[ipaddress.IPv4Address], {ADDRESS}, '{"f":["10.0.0.1"]}', "10.0.0.1"),
    ],
)
def test_values_come_back(annotation: Any, value: Any, json: str, csv: str) -> None:
    t = row_of(annotation)
    assert json_writer(t)(Row(f=value)) == json.encode()
    assert csv_writer(t, CsvOptions())(Row(f=value)) == f"{csv}\n".encode()
    assert json_reader(t)(json.encode()) == Row(f=value)
    assert csv_reader(t, CsvOptions())(f"{csv}\n".encode()) == Row(f=value)


@pytest.mark.parametrize(
    ("annotation", "value", "json"),
    [
        (int | str, 1, '{"f":{"tag":"int","int":1,"str":null}}'),
        (int | str, "a", '{"f":{"tag":"str","int":null,"str":"a"}}'),
        (int | Point, Point(2), '{"f":{"tag":"Point","int":null,"Point":{"x":2}}}'),
        (dict[ipaddress.IPv4Address, set[int]], {ADDRESS: {1}}, '{"f":{"10.0.0.1":[1]}}'),
        (tuple[tuple[int, ...], ...], ((1,), ()), '{"f":[[1],[]]}'),
    ],
)
def test_nested_values_are_json_alone(annotation: Any, value: Any, json: str) -> None:
    t = row_of(annotation)
    assert json_writer(t)(Row(f=value)) == json.encode()
    assert json_reader(t)(json.encode()) == Row(f=value)
    for make in (csv_writer, csv_reader):
        with pytest.raises(UnsupportedTypeError, match="CSV has no cell for field f of type"):
            make(t, CsvOptions())


@pytest.mark.parametrize(
    ("annotation", "message", "fault"),
    [
        (
            set[int],
            '{"f":[1,1]}',
            r"f: \[1, 1\] is not of type .*: two of its elements are equal",
        ),
        (ipaddress.IPv4Address, '{"f":"10.0.0"}', "f: '10.0.0' is not of type IPv4Address"),
        (ipaddress.IPv4Address, '{"f":5}', "f: expected a string, not 5"),
        (Fraction, '{"f":"1/0"}', "f: '1/0' is not of type Fraction"),
        (Fraction, '{"f":"1e999999999"}', "is not a fraction such as 1/3"),
        (int | str, '{"f":{"tag":"int","str":"a"}}', "its tag is 'int', but it has values for"),
    ],
)
def test_an_invalid_value_is_refused_with_its_place(annotation: Any, message: str, fault: str) -> None:
    with pytest.raises(DeserializationError, match=fault):
        json_reader(row_of(annotation))(message.encode())


def test_an_invalid_cell_is_refused_with_its_place() -> None:
    with pytest.raises(DeserializationError, match=r"f: \[1, 1\] is not of type SetTypeInfo<Long>"):
        csv_reader(row_of(set[int]), CsvOptions())(b"1;1\n")
