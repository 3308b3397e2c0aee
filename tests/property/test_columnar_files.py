"""Rows in Parquet and ORC files, for us and for pyarrow: each reads what the other has written."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.datastream.connectors import FileSource
from pystream.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
from pystream.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from tests.unit.engine.connectors.jobs import read_shares, write_bulk
from typeinfo import Row, Types
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


def whole(bits: int) -> st.SearchStrategy[int]:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return st.integers(low, high) | st.sampled_from([low, high])


Column = tuple[TypeInformation[Any], pa.DataType, st.SearchStrategy[Any]]
COMMON: dict[str, Column] = {
    "boolean": (Types.BOOLEAN(), pa.bool_(), st.booleans()),
    "byte": (Types.BYTE(), pa.int8(), whole(8)),
    "short": (Types.SHORT(), pa.int16(), whole(16)),
    "int": (Types.INT(), pa.int32(), whole(32)),
    "long": (Types.LONG(), pa.int64(), whole(64)),
    "float": (Types.FLOAT(), pa.float32(), st.floats(width=32, allow_nan=False)),
    "double": (Types.DOUBLE(), pa.float64(), st.floats(allow_nan=False)),
    "string": (Types.STRING(), pa.string(), TEXTS),
    "bytes": (Types.PRIMITIVE_ARRAY(Types.BYTE()), pa.binary(), st.binary(max_size=4)),
    "decimal": (
        Types.BIG_DEC(),
        pa.decimal128(38, 18),
        st.decimals(-(10**20) + 1, 10**20 - 1, places=18)
        | st.sampled_from([Decimal("0E-18"), Decimal("1E-18")]),
    ),
    "date": (Types.SQL_DATE(), pa.date32(), st.dates()),
    "list": (Types.LIST(Types.STRING()), pa.list_(pa.string()), st.lists(TEXTS, max_size=3)),
    "map": (
        Types.MAP(Types.STRING(), Types.LONG()),
        pa.map_(pa.string(), pa.int64()),
        st.dictionaries(TEXTS, whole(64), max_size=3),
    ),
    "nested": (
        Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.LIST(Types.INT())]),
        pa.struct([("x", pa.int32()), ("y", pa.list_(pa.int32()))]),
        st.builds(lambda x, y: Row(x=x, y=y), st.none() | whole(32), st.none() | st.lists(whole(32))),
    ),
}
READABLE = st.datetimes(dt.datetime(1678, 1, 1), dt.datetime(2262, 1, 1))
ORC = COMMON | {"timestamp": (Types.SQL_TIMESTAMP(), pa.timestamp("us"), READABLE)}
PARQUET = COMMON | {
    "timestamp": (Types.SQL_TIMESTAMP(), pa.timestamp("us"), st.datetimes()),
    "time": (Types.SQL_TIME(), pa.time64("us"), st.times()),
}


def rows_of(columns: dict[str, Column]) -> st.SearchStrategy[list[dict[str, Any]]]:
    fields = {name: st.none() | values for name, (_, _, values) in columns.items()}
    return st.lists(st.fixed_dictionaries(fields), min_size=1, max_size=3)


def plain(value: Any) -> Any:
    """Return a value as pyarrow represents it."""
    if isinstance(value, Row):
        return {name: plain(part) for name, part in value.as_dict().items()}
    return list(value.items()) if isinstance(value, dict) else value


class OnlyColumns(ColumnValues):
    """Elements that are not converted to Python values."""

    def _list(self) -> NoReturn:
        raise AssertionError("the elements were converted")


@pytest.mark.parametrize("kind", ["parquet", "orc"])
@given(data=st.data())
@settings(max_examples=10)
def test_each_reads_what_the_other_has_written(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    columns = PARQUET if kind == "parquet" else ORC
    rows = data.draw(rows_of(columns))
    expected = [{name: plain(value) for name, value in row.items()} for row in rows]
    row_type = Types.ROW_NAMED(list(columns), [t for t, _, _ in columns.values()])
    schema = pa.schema([(name, arrow) for name, (_, arrow, _) in columns.items()])
    path: Path = tmp_path_factory.mktemp(kind)
    writers = (ParquetBulkWriters if kind == "parquet" else OrcBulkWriters).for_row_type(row_type)
    (ours,) = write_bulk(path / "ours", writers, [Row(**row) for row in rows], type_info=row_type)
    theirs = path / "theirs"
    table = pa.Table.from_pylist(expected, schema=schema)
    reads: Any = (
        ParquetColumnarRowInputFormat(row_type) if kind == "parquet" else OrcColumnarRowInputFormat(row_type)
    )
    if kind == "parquet":
        pq.write_table(table, theirs)
    else:
        orc.write_table(table, str(theirs))
    read_table = pq.read_table if kind == "parquet" else orc.read_table
    found = read_table(str(ours))
    assert found.select(schema.names).cast(schema).to_pylist() == expected
    batch = serializer_for(row_type).to_batch([Row(**row) for row in rows])
    as_columns = OnlyColumns(layout_of(row_type), batch)
    (from_columns,) = write_bulk(path / "columns", writers, as_columns, type_info=row_type)
    assert read_table(str(from_columns)).to_pylist() == found.to_pylist()
    for file in (ours, theirs):
        source: FileSource[Any] = FileSource.for_bulk_file_format(reads, str(file)).build()
        assert read_shares(source) == [[Row(**row) for row in rows]]
