"""Folds of one field of the classes that hold fields as attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import attrs
import pydantic
import pytest

from pystream.field_aggregations import FieldAggregation


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
