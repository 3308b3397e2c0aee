"""Functions that return Any or a Row, and partial applications: the types of their streams."""

import functools
import json
import operator
from collections.abc import Iterable
from typing import Any, assert_type

from pystream.datastream import DataStream, KeyedStream
from typeinfo import Row, Types

Pair = Row[tuple[int, str]]


def parse(line: str) -> Any:
    return json.loads(line)


def parse_many(line: str) -> Iterable[Any]:
    return [json.loads(line)]


def keep(row: Pair) -> Pair:
    return row


def scale(line: str, by: int) -> int:
    return len(line) * by


class Scale:
    def __call__(self, line: str) -> int:
        return len(line)


def any_result(lines: DataStream[str]) -> None:
    users = lines.map(lambda line: json.loads(line)["user"])
    assert_type(users, DataStream[Any])
    assert_type(lines.map(parse), DataStream[Any])
    assert_type(lines.map(json.loads), DataStream[Any])
    assert_type(lines.key_by(parse), KeyedStream[str, Any])


def any_result_of_a_tuple(pairs: DataStream[tuple[str, int]]) -> None:
    assert_type(pairs.map(operator.itemgetter(0)), DataStream[Any])


def any_results(lines: DataStream[str]) -> None:
    items = lines.flat_map(lambda line: json.loads(line)["items"])
    assert_type(items, DataStream[Any])
    assert_type(lines.flat_map(parse), DataStream[Any])
    assert_type(lines.flat_map(parse_many), DataStream[Any])


def any_result_of_a_keyed_stream(keyed: KeyedStream[str, int]) -> None:
    parsed = keyed.map(lambda line: json.loads(line))
    assert_type(parsed, DataStream[Any])
    items = keyed.flat_map(lambda line: json.loads(line))
    assert_type(items, DataStream[Any])


def any_result_with_a_type(lines: DataStream[str]) -> None:
    numbers: DataStream[int] = lines.map(lambda line: json.loads(line), Types.INT())
    more: DataStream[int] = lines.flat_map(parse, Types.INT())
    numbers.union(more)


def any_result_fits_a_declared_stream(lines: DataStream[str]) -> None:
    numbers: DataStream[int] = lines.map(lambda line: json.loads(line))
    numbers.map(lambda n: n.upper())  # E: "int" has no attribute "upper"


def the_element_is_checked_even_if_the_result_is_any(lines: DataStream[str]) -> None:
    lines.map(lambda line: json.loads(line.uper()))  # E: "str" has no attribute "uper"


def row_result(lines: DataStream[str], rows: DataStream[Pair]) -> None:
    assert_type(rows.map(lambda row: row), DataStream[Pair])
    assert_type(rows.map(keep), DataStream[Pair])
    users = lines.map(lambda line: Row(user=line, n=1))
    users.map(lambda user: user.n)


def row_results(rows: DataStream[Pair]) -> None:
    assert_type(rows.flat_map(lambda row: [row]), DataStream[Pair])


def row_key(rows: DataStream[Pair]) -> None:
    assert_type(rows.key_by(lambda row: row), KeyedStream[Pair, Pair])


def row_result_of_another_type(rows: DataStream[Pair]) -> None:
    rows.map(keep, Types.STRING())  # E: expected "Callable[[Row[tuple[int, str]]], str]


def row_results_of_another_type(rows: DataStream[Pair]) -> None:
    # E: "Row[tuple[int, str]]"; expected "str"
    rows.flat_map(lambda row: [row], Types.STRING())


def object_that_is_called(lines: DataStream[str]) -> None:
    assert_type(lines.map(Scale()), DataStream[int])
    lines.map(Scale(), Types.STRING())  # E: "Scale"; expected "Callable[[str], str]


def partial_application_of_a_name(lines: DataStream[str]) -> None:
    tripled = functools.partial(scale, by=3)
    assert_type(lines.map(tripled), DataStream[int])
    assert_type(lines.map(tripled, Types.INT()), DataStream[int])
    assert_type(lines.filter(tripled), DataStream[str])
    assert_type(lines.key_by(tripled), KeyedStream[str, int])


def partial_application_to_another_type(lines: DataStream[str]) -> None:
    tripled = functools.partial(scale, by="x")  # E: incompatible type "str"; expected "int"
    lines.map(tripled)
