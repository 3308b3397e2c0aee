"""Random values and sequences of the connector datagen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType
from pystream.table import DataTypes
from pystream.table.connectors.generators import random_values, sequence
from pystream.table.sql.column_types import parse_data_type
from typeinfo.serde import serializer_for
from typeinfo.types import Types

OPTIONS: dict[str, Any] = {"min": None, "max": None, "length": None, "max-past": None, "null-rate": 0.0}


def generated(data_type: DataType, count: int = 50, **options: Any) -> list[Any]:
    given = {key.replace("_", "-"): value for key, value in options.items()}
    generate = random_values(data_type, OPTIONS | given, "column 'a'")
    return [generate(Random(index), index) for index in range(count)]


@pytest.mark.parametrize(
    "text",
    [
        *("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL(5, 2)", "STRING"),
        *("VARCHAR(3)", "CHAR(2)", "BYTES", "VARBINARY(3)", "BINARY(2)", "DATE", "TIME", "TIMESTAMP(3)"),
        *("TIMESTAMP_LTZ(3)", "ARRAY<INT>", "MAP<STRING, INT>", "ROW<a INT, b ARRAY<STRING>>"),
    ],
)
def test_random_values_are_of_their_type(text: str) -> None:
    data_type = parse_data_type(text)
    found = generated(data_type)
    assert len(serializer_for(Types.ROW([data_type.type_info])).conform([(value,) for value in found])) == 50
    assert len({repr(value) for value in found}) > 1 or text == "DATE"


def test_limits_of_random_values() -> None:
    assert set(generated(DataTypes.INT(), min=1, max=3)) == {1, 2, 3}
    assert all(0.5 <= value <= 0.75 for value in generated(DataTypes.DOUBLE(), min=0.5, max=0.75))
    decimals = generated(DataTypes.DECIMAL(3, 1), min=-1, max=1)
    assert all(abs(value) <= 1 and value.as_tuple().exponent == -1 for value in decimals)
    assert {len(value) for value in generated(DataTypes.STRING())} == {100}
    assert {len(value) for value in generated(DataTypes.STRING(), length=7)} == {7}
    assert {len(value) for value in generated(DataTypes.CHAR(2))} == {2}
    assert {len(value) for value in generated(DataTypes.ARRAY(DataTypes.INT()))} == {3}
    assert {len(value) for value in generated(DataTypes.ARRAY(DataTypes.STRING()), length=2)} == {2}


def test_times_reach_back_as_far_as_told() -> None:
    before = datetime.now()
    past = generated(DataTypes.TIMESTAMP(3), max_past=Duration.of_days(10))
    assert all(before - timedelta(days=10) <= value <= datetime.now() for value in past)
    assert min(past) < before - timedelta(days=5)
    instants = generated(DataTypes.TIMESTAMP_LTZ(3))
    assert all(datetime.now(UTC) - value.to_datetime() < timedelta(minutes=1) for value in instants)


def test_some_values_are_null() -> None:
    assert 10 < sum(value is None for value in generated(DataTypes.INT(), null_rate=0.5)) < 40
    assert set(generated(DataTypes.INT(), null_rate=1)) == {None}


@pytest.mark.parametrize(
    ("data_type", "third"),
    [
        (DataTypes.INT(), 7),
        (DataTypes.DOUBLE(), 7.0),
        (DataTypes.STRING(), "7"),
        (DataTypes.DECIMAL(4, 2), Decimal(7)),
    ],
    ids=str,
)
def test_sequences(data_type: DataType, third: Any) -> None:
    value = sequence(data_type, 5, "column 'a'")(Random(0), 2)
    assert value == third
    assert type(value) is type(third)


def test_types_without_random_values_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="column 'a': there are no random values of NULL"):
        generated(DataTypes.NULL())
