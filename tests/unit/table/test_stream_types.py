"""The SQL data types of the types of streams."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from pystream.common import Types
from pystream.sql_types.decimals import in_tables
from pystream.sql_types.stream_types import data_type_of
from typeinfo.info import TypeInformation
from typeinfo.scalar import SCALARS


class Colour(enum.Enum):
    RED = 1


@dataclass
class Word:
    text: str
    n: int | None


@pytest.mark.parametrize(
    ("t", "text"),
    [
        (Types.of(int | None), "BIGINT"),
        (Types.VOID(), "NULL"),
        (Types.BIG_DEC(), "DECIMAL(38, 18) NOT NULL"),
        (Types.BIG_INT(), "DECIMAL(38, 0) NOT NULL"),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), "BYTES NOT NULL"),
        (Types.PRIMITIVE_ARRAY(Types.INT()), "ARRAY<INT NOT NULL> NOT NULL"),
        (Types.BASIC_ARRAY(Types.INT()), "ARRAY<INT> NOT NULL"),
        (Types.of(dict[str, int]), "MAP<STRING NOT NULL, BIGINT> NOT NULL"),
        (Types.of(Word), "ROW<`text` STRING NOT NULL, `n` BIGINT> NOT NULL"),
        (Types.ROW([Types.INT()]), "ROW<`f0` INT> NOT NULL"),
        (Types.of(Literal["a"]), "STRING NOT NULL"),
        (Types.of(Colour), "RAW('Enum<Colour>') NOT NULL"),
        (Types.of(Colour | None), "RAW('Enum<Colour>')"),
    ],
    ids=str,
)
def test_data_types_by_name(t: TypeInformation[Any], text: str) -> None:
    assert str(data_type_of(t)) == text


@pytest.mark.parametrize("t", SCALARS.values(), ids=SCALARS)
def test_the_values_of_a_scalar_type_stay_the_same(t: TypeInformation[Any]) -> None:
    assert data_type_of(t, is_nullable=True).is_nullable
    assert data_type_of(t).type_info == in_tables(t)
