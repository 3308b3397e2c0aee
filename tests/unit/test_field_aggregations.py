"""Aggregations of one field, for each class of elements; sums are those of PyFlink 2.3."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import attrs
import pydantic
import pytest

from pystream.field_aggregations import AggregationError, FieldAggregation
from pystream.testing import FunctionTestHarnesses
from typeinfo import Row, TypeCheckError, TypeInformation, Types


@dataclass
class Numbered:
    made: ClassVar[int] = 0
    x: int = 0


@attrs.frozen
class Alias:
    _x: int = attrs.field(validator=attrs.validators.le(3))


class Model(pydantic.BaseModel):
    x: int = 0


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        (Numbered(3), Numbered(1), "x"),
        (Alias(3), Alias(1), "_x"),
        (Model(x=3), Model(x=1), "x"),
    ],
    ids=["dataclass", "attrs", "pydantic"],
)
def test_a_field_is_summed_by_name_and_by_position(first: Any, second: Any, name: str) -> None:
    for field in (name, 0):
        result = FieldAggregation("sum", field).reduce(first, second)
        assert type(result) is type(first)
        assert getattr(result, name) == 4
    assert getattr(first, name) == 3


def sums(field_type: TypeInformation[Any], values: list[Any]) -> list[Any]:
    element_type = Types.TUPLE(Types.STRING(), field_type)
    harness = FunctionTestHarnesses.for_aggregation("sum", 1, lambda pair: pair[0], element_type=element_type)
    with harness:
        harness.process_elements([("key", value) for value in values])
        return [total for _, total in harness.extract_output_values()]


def test_strings_and_lists_are_concatenated() -> None:
    assert sums(Types.STRING(), ["a", "b", "c"]) == ["a", "ab", "abc"]
    assert sums(Types.LIST(Types.INT()), [[1], [2]]) == [[1], [1, 2]]


def test_dates_cannot_be_added() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        sums(Types.SQL_DATE(), [date(2020, 1, 1), date(2020, 1, 2)])


def test_booleans_cannot_be_added() -> None:  # PyFlink: [True, True]
    with pytest.raises(TypeCheckError, match="is not a BOOLEAN"):
        sums(Types.BOOLEAN(), [True, True])


ROWS = [("a", 3, "x"), ("a", 1, "y"), ("a", 3, "z"), ("a", 1, "w")]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sum", [3, 4, 7, 8]),
        ("min", [3, 1, 1, 1]),
        ("max", [3, 3, 3, 3]),
    ],
)
@pytest.mark.parametrize("as_row", [False, True])
def test_an_aggregation_changes_its_field_of_the_first_element(
    kind: Any, expected: list[int], as_row: bool
) -> None:
    elements = [Row(*values) if as_row else values for values in ROWS]
    reduce = FieldAggregation(kind, 1).reduce
    results = [elements[0]]
    for element in elements[1:]:
        results.append(reduce(results[-1], element))
    assert [tuple(result) for result in results] == [("a", number, "x") for number in expected]
    assert [tuple(element) for element in elements] == ROWS


@pytest.mark.parametrize(("kind", "chosen"), [("min_by", "y"), ("max_by", "x")])
def test_an_aggregation_by_a_field_keeps_the_first_of_equal_elements(kind: Any, chosen: str) -> None:
    reduce = FieldAggregation(kind, 1).reduce
    first, *others = [(key, float(number), note) for key, number, note in ROWS]  # equal, not the same object
    result = first
    for element in others:
        result = reduce(result, element)
    assert result[2] == chosen


def test_rows_keep_names_and_kind_through_an_aggregation() -> None:
    first = Row(word="a", count=1)
    result = FieldAggregation("sum", "count").reduce(first, Row(word="a", count=2))
    assert result == Row(word="a", count=3)
    assert first == Row(word="a", count=1)


@pytest.mark.parametrize(("value", "field"), [(("a", 1), 2), (Row(a=1), "b"), (3, 1), (("a", 1), "f0")])
def test_a_missing_field_is_named(value: Any, field: Any) -> None:
    with pytest.raises(AggregationError, match="sum"):
        FieldAggregation("sum", field).reduce(value, value)
