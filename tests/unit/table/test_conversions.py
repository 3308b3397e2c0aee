"""Conversions between types: laws over all types, and the types that correspond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Row, Types
from pystream.errors import PlanTypeError
from pystream.table.columns import columns_of_stream, row_type
from pystream.table.conversions import ElementConversion, converter, matching_positions
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import row_types, type_infos, values


@dataclass
class Point:
    x: int
    y: int | None


class Place(NamedTuple):
    name: str
    point: Point


class Tagged(TypedDict):
    name: str
    tag: NotRequired[str]


def converted(value: Any, source: TypeInformation[Any], target: TypeInformation[Any]) -> Any:
    positions: Sequence[int] = [0]
    if isinstance(target, FieldsTypeInfo):
        names = source.get_field_names() if isinstance(source, FieldsTypeInfo) else ["f0"]
        positions = matching_positions(names, target, "")
    conversion = ElementConversion(source, positions, target)
    conversion.open(cast("Any", None))
    return conversion.map(value)


def is_ambiguous(t: TypeInformation[Any]) -> bool:
    """Return whether a null may stand for a missing key or for None."""
    fields = zip(t.field_names, t.field_types, strict=True) if isinstance(t, RecordTypeInfo) else ()
    return any(name in t.optional_keys and field.admits_none() for name, field in fields)  # type: ignore[attr-defined]


COMPOSITES = (row_types() | type_infos()).filter(
    lambda t: isinstance(t, FieldsTypeInfo) and bool(t.field_types) and not is_ambiguous(t)
)


@given(st.data())
def test_a_conversion_to_rows_and_back_is_the_identity(data: st.DataObject) -> None:
    t: TypeInformation[Any] = data.draw(COMPOSITES)
    value = data.draw(values(t))
    rows = row_type(columns_of_stream(t))
    there = converted(value, t, rows)
    (conformed,) = serializer_for(rows).conform([there])
    assert same(converted(conformed, rows, t), value)


NAME_AND_TAG = Types.ROW_NAMED(["name", "tag"], [Types.STRING(), Types.STRING()])
ROW = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.INT()])


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (Row(x=1, y=None), ROW, Types.of(Point), Point(1, None)),
        (Row(x=1, y=2), ROW, Types.TUPLE([Types.LONG(), Types.LONG()]), (1, 2)),
        ((2, 1), Types.TUPLE([Types.INT(), Types.INT()]), ROW, Row(x=2, y=1)),
        (
            Row(point=Row(x=1, y=2), name="a"),
            Types.ROW_NAMED(["point", "name"], [ROW, Types.STRING()]),
            Types.of(Place),
            Place("a", Point(1, 2)),
        ),
        ({"name": "a"}, Types.of(Tagged), Types.of(tuple[str, str | None]), ("a", None)),
        (
            ("a", None),
            Types.ROW_NAMED(["name", "tag"], [Types.STRING()] * 2),
            Types.of(Tagged),
            {"name": "a"},
        ),
        ([Row(x=1, y=2), None], Types.OBJECT_ARRAY(ROW), Types.of(list[Point | None]), [Point(1, 2), None]),
        (
            {"a": Row(x=1, y=2)},
            Types.MAP(Types.STRING(), ROW),
            Types.of(dict[str, Point]),
            {"a": Point(1, 2)},
        ),
        (7, Types.INT(), Types.ROW_NAMED(["n"], [Types.LONG()]), Row(n=7)),
    ],
    ids=str,
)
def test_parts_are_converted_too(
    value: Any, source: TypeInformation[Any], target: TypeInformation[Any], result: Any
) -> None:
    assert converted(value, source, target) == result


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (Types.BYTE(), Types.LONG()),
        (Types.LONG(), Types.BIG_INT()),
        (Types.FLOAT(), Types.DOUBLE()),
        (Types.CHAR(), Types.STRING()),
        (Types.SQL_DATE(), Types.LOCAL_DATE()),
        (Types.LOCAL_TIME(), Types.SQL_TIME()),
        (Types.of(int | None), Types.LONG()),
        (Types.INT(), Types.of(int | None)),
        (Types.LIST(Types.INT()), Types.OBJECT_ARRAY(Types.LONG())),
    ],
    ids=str,
)
def test_values_that_are_also_those_of_another_type(
    source: TypeInformation[Any], target: TypeInformation[Any]
) -> None:
    assert converter(source, target, "a") is None


@pytest.mark.parametrize(
    ("source", "target", "complaint"),
    [
        (Types.LONG(), Types.INT(), "a is BIGINT"),
        (Types.INT(), Types.DOUBLE(), "a is INT"),
        (Types.STRING(), Types.CHAR(), "a is STRING"),
        (Types.INSTANT(), Types.SQL_TIMESTAMP(), "a is TIMESTAMP_LTZ"),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), Types.LIST(Types.BYTE()), "a is BYTES"),
        (Types.LIST(Types.LONG()), Types.LIST(Types.INT()), r"a\[\] is BIGINT"),
        (Types.of(Point), ROW, "a.x is BIGINT"),
        (ROW, Types.of(Tagged), "a: .*has the fields name, tag, but there are x, y"),
    ],
    ids=str,
)
def test_types_that_do_not_correspond(
    source: TypeInformation[Any], target: TypeInformation[Any], complaint: str
) -> None:
    with pytest.raises(PlanTypeError, match=complaint):
        converter(source, target, "a")
