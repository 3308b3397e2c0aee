"""The casts that INSERT makes by itself, compared with those that PyFlink made."""

from __future__ import annotations

import struct
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from pystream.errors import PlanTypeError
from pystream.sql_types.data_types import ArrayType, DataType, DecimalType, MapType, RowType
from pystream.table import StreamTableEnvironment
from pystream.table.column_casts import implicit_casts
from pystream.table.columns import TableColumn
from pystream.table.evaluation import ConversionError, SqlArithmeticError
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values.conversions import same
from pystream.table.session_zone import session_zone
from pystream.table.sql.column_types import parse_data_type
from pystream.testing import local_environment
from tests.oracle_modules import oracle_module
from typeinfo.instant import Instant
from typeinfo.row import Row

CASES = oracle_module("casts/cases")
RECORDED = CASES.recorded()

ROUNDED_UP_BEFORE_1970 = "fractions of a second before 1970 count as the next second"
DIFFERENCES = {
    ("FLOAT", "CAST(0.1 AS FLOAT)"): "a constant is not rounded to 32 bits, while the value of a column is",
    ("TIMESTAMP(9)", CASES.SOURCES["TIMESTAMP(9)"][0]): ROUNDED_UP_BEFORE_1970,
}
"""Values that PyFlink gets by accident."""


Constant = tuple[TableColumn, Any]


@pytest.fixture(scope="module")
def t_env() -> StreamTableEnvironment:
    environment = StreamTableEnvironment.create(local_environment())
    environment.get_config().set("table.local-time-zone", CASES.ZONE)
    return environment


@pytest.fixture(scope="module")
def constants(t_env: StreamTableEnvironment) -> dict[str, Constant]:
    """The column and the value of each expression."""
    expressions = [one for own in CASES.SOURCES.values() for one in own]
    fields = ", ".join(f"{expression} AS v{number}" for number, expression in enumerate(expressions))
    table = t_env.sql_query(f"SELECT {fields}")
    (row,) = table.execute().collect()
    return dict(zip(expressions, zip(table._columns, row, strict=True), strict=True))


@pytest.mark.parametrize("source", CASES.SOURCES)
def test_types_are_cast_as_in_flink(
    t_env: StreamTableEnvironment, constants: dict[str, Constant], source: str
) -> None:
    zone = session_zone(t_env.get_config().get_configuration())
    for expression in CASES.SOURCES[source]:
        column, value = constants[expression]
        for sink in CASES.SINKS:
            target = parse_data_type(sink)
            (cast,) = implicit_casts([column], [TableColumn("v", target, target.type_info, 0)], zone)
            results = RECORDED.get(source, {}).get(sink)
            if results is None:
                with pytest.raises(PlanTypeError, match=r"'v'.* is .*, which is not cast to .*; CAST it"):
                    cast.converter()
                continue
            convert = cast.converter() or same
            if results[expression] in ("error", "null"):
                with pytest.raises((SqlArithmeticError, ConversionError), match="into 'v': "):
                    convert(value)
            elif (source, expression) not in DIFFERENCES:
                expected = _parsed(results[expression], target)
                assert (repr(convert(value)), sink) == (repr(expected), sink)


def _parsed(text: str, data_type: DataType) -> Any:
    """Return the value that Java has written."""
    match data_type:
        case DecimalType():
            return Decimal(text)
        case ArrayType(element):
            return [_parsed(part, element) for part in text[1:-1].split(", ")]
        case MapType(key, value):
            entries = (entry.split("=") for entry in text[1:-1].split(", "))
            return {_parsed(k, key): _parsed(v, value) for k, v in entries}
        case RowType(fields=fields):
            parts = zip(fields, text[3:-1].split(", "), strict=True)
            return Row(**{field.name: _parsed(part, field.data_type) for field, part in parts})
    kind = kind_of(data_type)
    assert kind is not None
    return _READERS.get(kind, int)(text)


_READERS: dict[Kind, Any] = {
    Kind.BOOLEAN: lambda text: text == "true",
    Kind.FLOAT: lambda text: struct.unpack("f", struct.pack("f", float(text)))[0],
    Kind.DOUBLE: float,
    Kind.TEXT: str,
    Kind.BYTES: lambda text: bytes(int(part) for part in text[1:-1].split(", ")),
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.TIMESTAMP: datetime.fromisoformat,
    Kind.TIMESTAMP_LTZ: lambda text: Instant.of_datetime(datetime.fromisoformat(text).astimezone(UTC)),
}
