"""ORC part files: what comes back, for us and for pyarrow."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import orc

from pystream.common import Configuration
from pystream.datastream.connectors import FileSource
from pystream.datastream.formats.orc import OrcBulkWriters, OrcColumnarRowInputFormat
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import ConfigurationError, SinkError, SourceError
from pystream.table import DataTypes
from tests.unit.engine.connectors.jobs import read_batches, read_shares, write_bulk
from typeinfo import Instant, Row, Types, UnsupportedTypeError

FIELDS = {
    "i": DataTypes.INT(),
    "t": DataTypes.TINYINT(),
    "l": DataTypes.BIGINT(),
    "d": DataTypes.DOUBLE(),
    "b": DataTypes.BOOLEAN(),
    "s": DataTypes.STRING(),
    "bytes": DataTypes.BYTES(),
    "date": DataTypes.DATE(),
    "ts": DataTypes.TIMESTAMP(6),
    "instant": DataTypes.TIMESTAMP_LTZ(6),
    "dec": DataTypes.DECIMAL(10, 2),
    "list": DataTypes.ARRAY(DataTypes.INT()),
    "map": DataTypes.MAP(DataTypes.STRING(), DataTypes.BIGINT()),
    "row": DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING())]),
}
TYPE = DataTypes.ROW([DataTypes.FIELD(name, t) for name, t in FIELDS.items()])
INSTANTS = st.builds(lambda s, m: Instant(s, m * 1000), st.integers(-(10**9), 10**9), st.integers(0, 999_999))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "i": st.integers(-(2**31), 2**31 - 1),
    "t": st.integers(-128, 127),
    "l": st.integers(-(2**63), 2**63 - 1),
    "d": st.floats(allow_nan=False),
    "b": st.booleans(),
    "s": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    "bytes": st.binary(max_size=5),
    "date": st.dates(),
    "ts": st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2260, 1, 1)),
    "instant": INSTANTS,
    "dec": st.decimals(-(10**7), 10**7, places=2),
    "list": st.lists(st.none() | st.integers(-9, 9), max_size=3),
    "map": st.dictionaries(st.text("ab", max_size=2), st.none() | st.integers(0, 9), max_size=2),
    "row": st.builds(lambda x, y: Row(x=x, y=y), st.none() | st.integers(-9, 9), st.none() | st.just("")),
}
ROWS = st.fixed_dictionaries({name: st.none() | values for name, values in VALUES.items()})


def write(path: Path, values: list[Any], row_type: Any = TYPE, **options: Any) -> Path:
    (file,) = write_bulk(path, OrcBulkWriters.for_row_type(row_type, **options), values)
    return file


def source(path: Path, *arguments: Any, **options: Any) -> FileSource[Any]:
    return FileSource.for_bulk_file_format(
        OrcColumnarRowInputFormat(*arguments, **options), str(path)
    ).build()


def read(files: FileSource[Any]) -> list[Any]:
    (values,) = read_shares(files)
    return values


@given(rows=st.lists(ROWS, min_size=1, max_size=5))
@settings(max_examples=40)
def test_rows_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("orc")
    elements = [Row(**row) for row in rows]
    file = write(path, elements)
    assert read(source(path, TYPE)) == elements
    assert read(source(path)) == elements
    table = orc.read_table(str(file))
    assert table["dec"].to_pylist() == [row["dec"] for row in rows]
    assert str(table.schema.field("dec").type) == "decimal128(10, 2)"


def test_nested_rows_of_slices_are_written(tmp_path: Path) -> None:
    inner = Types.ROW_NAMED(["n", "s"], [Types.LONG(), Types.STRING()])
    outer = Types.ROW_NAMED(["row", "tags"], [inner, Types.LIST(Types.LONG())])
    t = Types.ROW_NAMED(["id", "row", "rows"], [Types.LONG(), outer, Types.LIST(inner)])
    rows = [
        Row(
            id=n,
            row=None if n == 2 else Row(row=None if n == 3 else Row(n=n, s=str(n)), tags=[n]),
            rows=nested,
        )
        for n, nested in enumerate(
            [[], None, [Row(n=1, s=None)], [Row(n=2, s="a"), Row(n=None, s="b")], [], []]
        )
    ]
    columns = ColumnValues(layout_of(t), layout_of(t).encode(rows))
    for part, values in {"slice": [columns[1:5]], "slices": [columns[:2], columns[2:5]]}.items():
        write_bulk(tmp_path / part, OrcBulkWriters.for_row_type(t), *values, type_info=t)
    assert read(source(tmp_path / "slice", t)) == rows[1:5]
    assert read(source(tmp_path / "slices", t)) == rows[:5]


def test_files_of_other_programs_are_read_by_name_in_any_case(tmp_path: Path) -> None:
    orc.write_table(pa.table({"ID": [1, 2], "Name": ["a", None], "x": [0, 0]}), str(tmp_path / "f.orc"))
    assert source(tmp_path).get_produced_type() == Types.ROW_NAMED(
        ["ID", "Name", "x"], [Types.LONG(), Types.STRING(), Types.LONG()]
    )
    named = Types.ROW_NAMED(["name", "id"], [Types.STRING(), Types.LONG()])
    found = read(source(tmp_path, named, is_case_sensitive=False))
    assert found == [Row(name="a", id=1), Row(name=None, id=2)]
    with pytest.raises(SourceError, match=r"has no columns \['name', 'id'\]"):
        read(source(tmp_path, named))


def test_stripes_are_shared_out_and_read_as_columns_in_batches(tmp_path: Path) -> None:
    table = pa.table({"n": range(400_000), "s": [f"{n * 7919:030}" for n in range(400_000)]})
    with orc.ORCWriter(str(tmp_path / "f"), stripe_size=1024 * 1024) as writer:
        for start in range(0, 400_000, 20_000):
            writer.write(table.slice(start, 20_000))
    shares: Any = read_batches(source(tmp_path, batch_size=5000), 2)
    assert all(shares)
    found = [batch for share in shares for batch in share]
    assert all(isinstance(batch, ColumnValues) and len(batch) <= 5000 for batch in found)
    numbers = pa.Table.from_batches([batch.batch for batch in found])["n"].to_pylist()
    assert numbers == list(range(400_000))


def test_the_options_of_the_writer_are_honoured(tmp_path: Path) -> None:
    n = Types.ROW_NAMED(["n"], [Types.LONG()])
    hadoop = Configuration.from_dict({"orc.compress": "ZSTD", "orc.row.index.stride": "2000"})
    properties = Configuration.from_dict({"orc.compress": "SNAPPY"})
    rows = [Row(n=1)]
    default = orc.ORCFile(str(write(tmp_path / "a", rows, n)))
    chosen = orc.ORCFile(
        str(write(tmp_path / "b", rows, n, writer_properties=properties, hadoop_config=hadoop))
    )
    assert (default.compression, default.row_index_stride) == ("ZLIB", 10000)
    assert (chosen.compression, chosen.row_index_stride) == ("SNAPPY", 2000)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"orc.bloom.filter.columns": "a"}, "orc.bloom.filter.columns is not supported; the options are"),
        ({"orc.compress": "lzo"}, "'lzo' is not a valid value of orc.compress"),
        ({"orc.block.padding.tolerance": "2"}, "'2' is not a valid value"),
    ],
)
def test_an_option_that_cannot_be_honoured_is_refused(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=f"writer_properties: {complaint}"):
        OrcBulkWriters.for_row_type(TYPE, Configuration.from_dict(options))


def test_types_without_an_orc_column_are_refused_when_the_sink_is_built() -> None:
    times = DataTypes.ROW([DataTypes.FIELD("at", DataTypes.ARRAY(DataTypes.TIME()))])
    with pytest.raises(UnsupportedTypeError, match=r"ORC has no column for at\[\] of type TimeTypeInfo"):
        OrcBulkWriters.for_row_type(times)
    with pytest.raises(ConfigurationError, match="for_row_type takes a DataType"):
        OrcBulkWriters.for_row_type("ROW")  # type: ignore[arg-type]


def test_a_file_of_another_format_and_a_value_that_does_not_fit_are_errors(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/x as ORC"):
        read(source(tmp_path, TYPE))
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/x as ORC"):
        read(source(tmp_path))
    money = DataTypes.ROW([DataTypes.FIELD("d", DataTypes.DECIMAL(4, 2))])
    with pytest.raises(SinkError, match=r"column d of type decimal128\(4, 2\)"):
        write(tmp_path, [Row(d=Decimal("125"))], money)
    with pytest.raises(ConfigurationError, match="batch_size must be a positive int, not 0"):
        OrcColumnarRowInputFormat(batch_size=0)


def test_a_file_that_is_no_table_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NumberFile(orc.ORCFile):
        @property
        def schema(self) -> pa.Schema:
            raise pa.ArrowNotImplementedError("Only ORC files with a top-level struct can be handled")

    orc.write_table(pa.table({"n": [1]}), str(tmp_path / "f"))
    monkeypatch.setattr(orc, "ORCFile", NumberFile)
    for declared in ([], [TYPE]):
        with pytest.raises(SourceError, match=f"cannot read {tmp_path}/f as ORC: Only ORC files with"):
            read(source(tmp_path, *declared))
