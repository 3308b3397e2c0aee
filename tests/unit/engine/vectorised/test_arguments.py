"""Columns of tables as the arguments of functions that take Series."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from pystream.common.typeinfo import TypeInformation, Types
from pystream.engine.vectorised.arguments import column
from typeinfo.serde.registry import codec_for


@pytest.mark.parametrize(
    ("element_type", "values", "dtype"),
    [
        (Types.INT(), [1, 2], "int32"),
        (Types.DOUBLE(), [], "float64"),
        (Types.INT(), [1, None], "object"),
        (Types.SQL_TIMESTAMP(), [datetime.datetime(2024, 1, 2)], "datetime64[us]"),
        (Types.LIST(Types.INT()), [[1], [2]], "object"),
    ],
)
def test_arrays_of_tables_are_ndarrays(
    element_type: TypeInformation[Any], values: list[Any], dtype: str
) -> None:
    codec = codec_for(Types.OBJECT_ARRAY(element_type), nullable=True)
    found, missing = column(codec, codec.conform_and_encode([values, None]))
    assert (found.tolist(), str(found.dtype), missing) == (values, dtype, None)
