"""Rows written to each database system by the JDBC sink, and read back by the JDBC source."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pystream.common import Row, Types
from pystream.datastream.connectors.jdbc import JdbcSink, JdbcSource
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.sink import JdbcWriter
from tests.servers.databases import Database
from typeinfo import Instant
from typeinfo.testing.strategies import values

FIELDS = [
    Types.BOOLEAN(),
    Types.BYTE(),
    Types.SHORT(),
    Types.INT(),
    Types.LONG(),
    Types.FLOAT(),
    Types.DOUBLE(),
    Types.CHAR(),
    Types.STRING(),
    Types.BIG_INT(),
    Types.BIG_DEC(),
    Types.UUID(),
    Types.SQL_DATE(),
    Types.LOCAL_TIME(),
    Types.SQL_TIME(),
    Types.SQL_TIMESTAMP(),
    Types.LOCAL_DATE_TIME(),
    Types.INSTANT(),
    Types.PRIMITIVE_ARRAY(Types.BYTE()),
]
ALL = Types.ROW(FIELDS)
FIRST, LAST = Instant(-62_135_596_800), Instant(253_402_300_800)  # what datetime has


def storable(system: str, value: Any) -> bool:
    """Return whether a system has a value, at the precision of its columns."""
    match value:
        case float():
            return system == "postgresql" or (math.isfinite(value) if system == "mariadb" else value == value)
        case str():
            return system != "postgresql" or "\0" not in value
        case int():
            return system != "mariadb" or abs(value) < 10**65
        case Instant():
            return FIRST <= value < LAST and value.nanos % 1000 == 0
    return True


def equal(written: Any, read: Any) -> bool:
    """Return whether two values are equal, NaN to NaN."""
    return written == read or (written != written and read != read)


KINDS = column_kinds(ALL, "test")
NAMES = ", ".join(f"c{n}" for n in range(len(KINDS)))
NUMBERED = Types.ROW([Types.INT(), *FIELDS])


@pytest.fixture
def table(database: Database) -> str:
    """A table with a column of each kind."""
    columns = [f"c{n} {database.types[kind]}" for n, kind in enumerate(KINDS)]
    return database.create("round_trips", ["place INT", *columns])


@pytest.mark.time_limit(120)
@given(data=st.data())
@settings(
    max_examples=30, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_rows_are_read_as_they_were_written(database: Database, table: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(values(ALL), min_size=1, max_size=6))
    kept = [Row(*(value if storable(database.system, value) else None for value in row)) for row in rows]
    database.execute(f"DELETE FROM {table}")

    insert = f"INSERT INTO {table} (place, {NAMES}) VALUES (?, {', '.join('?' * len(KINDS))})"
    writer = JdbcWriter(JdbcSink.sink(insert, NUMBERED, database.options).bind(NUMBERED))
    writer.write([Row(place, *row) for place, row in enumerate(kept)])
    writer.finish()
    writer.close()

    source = JdbcSource.builder().set_db_url(database.url).set_username(database.user)
    source.set_password(database.password).set_sql(f"SELECT {NAMES} FROM {table} ORDER BY place")
    reader = source.set_type_information(ALL).set_result_set_fetch_size(4).build().reader()
    read = [row for batch in reader.read(()) for row in batch]

    assert len(read) == len(kept)
    for row, again in zip(kept, read, strict=True):
        different = [(t, a, b) for t, a, b in zip(FIELDS, row, again, strict=True) if not equal(a, b)]
        assert different == []
