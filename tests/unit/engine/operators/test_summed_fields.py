"""``sum`` adds by ``+``: what PyFlink 2.3 gave for the same elements, but for booleans."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pystream.testing import FunctionTestHarnesses
from typeinfo import TypeCheckError, TypeInformation, Types


def sums(field_type: TypeInformation[Any], values: list[Any]) -> list[Any]:
    element_type = Types.TUPLE(Types.STRING(), field_type)
    harness = FunctionTestHarnesses.for_aggregation("sum", 1, lambda pair: pair[0], element_type=element_type)
    with harness:
        harness.process_elements([("key", value) for value in values])
        return [total for _, total in harness.extract_output_values()]


def test_texts_and_lists_are_joined() -> None:
    assert sums(Types.STRING(), ["a", "b", "c"]) == ["a", "ab", "abc"]
    assert sums(Types.LIST(Types.INT()), [[1], [2]]) == [[1], [1, 2]]


def test_dates_cannot_be_added() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        sums(Types.SQL_DATE(), [date(2020, 1, 1), date(2020, 1, 2)])


def test_a_sum_of_booleans_is_none() -> None:  # PyFlink: [True, True]
    with pytest.raises(TypeCheckError, match="is not a BOOLEAN"):
        sums(Types.BOOLEAN(), [True, True])
