"""Parquet part files: what comes back, for us and for pandas."""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pystream.common import Configuration
from pystream.datastream.connectors import BucketAssigner, FileSink, FileSource, RollingPolicy
from pystream.datastream.formats.parquet import (
    ParquetBulkWriters,
    ParquetColumnarRowInputFormat,
    ParquetWriterFactory,
)
from pystream.engine.connectors.parquet import ParquetReader
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import ConfigurationError, SinkError, SourceError
from pystream.table import DataTypes
from tests.unit.engine.connectors.jobs import read_batches, read_shares, write_bulk, write_job
from typeinfo import Instant, Row, TypeCheckError, Types, UnsupportedTypeError
from typeinfo.extended import optional_of
from typeinfo.info import TypeInformation


class Colour(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    tags: list[str]
    colour: Colour | None


class Pair(NamedTuple):
    left: int
    right: str | None


def write(path: Path, type_info: TypeInformation[Any], *batches: list[Any], **options: Any) -> None:
    write_bulk(path, ParquetWriterFactory(**options), *batches, type_info=type_info)


def source(path: Path, *arguments: Any, **options: Any) -> FileSource[Any]:
    return FileSource.for_bulk_file_format(
        ParquetColumnarRowInputFormat(*arguments, **options), str(path)
    ).build()


ROW = Types.ROW_NAMED(
    ["i", "s", "d", "ts", "instant", "date", "time", "dec", "big", "bytes", "list", "map", "row", "f"],
    [
        Types.INT,
        Types.STRING,
        Types.DOUBLE,
        Types.SQL_TIMESTAMP,
        Types.INSTANT,
        Types.SQL_DATE,
        Types.SQL_TIME,
        Types.BIG_DEC,
        Types.BIG_INT,
        Types.PRIMITIVE_ARRAY(Types.BYTE),
        Types.LIST(Types.INT),
        Types.MAP(Types.STRING, Types.LONG),
        Types.ROW_NAMED(["a", "b"], [Types.BOOLEAN, Types.SHORT]),
        Types.FLOAT,
    ],
)
FULL = Row(
    i=1,
    s="é",
    d=1.5,
    ts=dt.datetime(2020, 1, 2, 3, 4, 5, 6),
    instant=Instant(1_577_934_245, 6000),
    date=dt.date(1900, 1, 2),
    time=dt.time(3, 4, 5, 6),
    dec=Decimal("1.250000000000000000"),
    big=10**30,
    bytes=b"\x00\xff",
    list=[1, 2],
    map={"k": 1},
    row=Row(a=True, b=None),
    f=0.5,
)
EMPTY = Row(**dict.fromkeys(FULL.as_dict()))

CASES: list[tuple[TypeInformation[Any], list[Any]]] = [
    (ROW, [FULL, EMPTY]),
    (Types.ROW([Types.INT, Types.STRING]), [Row(f0=1, f1=None)]),
    (Types.TUPLE([Types.INT, Types.TUPLE([Types.STRING])]), [(1, ("a",)), (2, ("b",))]),
    (Types.LONG, [1, 2, 3]),
    (Types.STRING, ["a", ""]),
    (Types.LIST(Types.STRING), [["a"], []]),
    (Types.MAP(Types.INT, Types.STRING), [{1: "a"}, {}]),
    (Types.INSTANT, [Instant(0, 0), Instant(-1, 999_999_000)]),
    (Types.UUID, []),
    (optional_of(Types.TUPLE([Types.STRING])), [("a",), None]),
    (optional_of(Types.TUPLE([Types.STRING])), [None]),
    (Types.DURATION, [dt.timedelta(days=-1, microseconds=1)]),
]


@pytest.mark.parametrize(("type_info", "values"), CASES, ids=lambda case: str(case)[:40])
def test_values_come_back_with_their_type(
    tmp_path: Path, type_info: TypeInformation[Any], values: list[Any]
) -> None:
    write(tmp_path, type_info, values)
    if not values:
        assert [path.name for path in tmp_path.iterdir()] == ["_SUCCESS"]
        return
    files = source(tmp_path)
    assert files.get_produced_type() == type_info
    assert read_shares(files) == [values]


def test_records_come_back_as_records_where_declared_else_as_named_rows(tmp_path: Path) -> None:
    points = [Point(1, ["a"], Colour.RED), Point(2, [], None)]
    write(tmp_path, Types.of(Point), points)
    assert read_shares(source(tmp_path, Types.of(Point))) == [points]
    assert read_shares(source(tmp_path)) == [
        [Row(x=1, tags=["a"], colour="RED"), Row(x=2, tags=[], colour=None)]
    ]


def test_named_tuples_come_back(tmp_path: Path) -> None:
    pairs = [Pair(1, None), Pair(2, "x")]
    write(tmp_path, Types.of(Pair), pairs)
    assert read_shares(source(tmp_path, Types.of(Pair))) == [pairs]


def test_pandas_reads_written_files(tmp_path: Path) -> None:
    write(tmp_path, ROW, [FULL, EMPTY])
    frame = pd.read_parquet(tmp_path, dtype_backend="pyarrow")
    first = frame.iloc[0]
    assert list(frame.columns) == list(FULL.as_dict())
    assert (first["i"], first["s"], first["d"], first["f"]) == (1, "é", 1.5, 0.5)
    assert first["ts"] == pd.Timestamp("2020-01-02T03:04:05.000006")
    assert first["instant"] == pd.Timestamp("2020-01-02T03:04:05.000006Z")
    assert (first["date"], first["time"]) == (dt.date(1900, 1, 2), dt.time(3, 4, 5, 6))
    assert (first["dec"], first["big"]) == (Decimal("1.25"), 10**30)
    assert frame.iloc[1].isna().all()


def test_many_elements_become_few_row_groups_of_bounded_size(tmp_path: Path) -> None:
    batches = [list(range(start, start + 10_000)) for start in range(0, 600_000, 10_000)]
    write(tmp_path, Types.LONG, *batches)
    (file,) = tmp_path.glob("part-*")
    metadata = pq.ParquetFile(file).metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [
        270_000,
        270_000,
        60_000,
    ]
    assert read_shares(source(tmp_path)) == [list(range(600_000))]


def test_row_groups_are_shared_out_among_subtasks(tmp_path: Path) -> None:
    batches = [[f"{n:040}" for n in range(start, start + 270_000)] for start in (0, 270_000, 540_000)]
    write(tmp_path, Types.STRING, *batches, compression="none")
    shares = read_shares(source(tmp_path), parallelism=3)
    assert sorted(map(len, shares)) == [270_000] * 3
    assert sorted(value for share in shares for value in share) == [f"{n:040}" for n in range(810_000)]


def test_rows_are_read_in_batches_of_the_size_asked(tmp_path: Path) -> None:
    write(tmp_path, Types.INT, list(range(25)))
    (batches,) = read_batches(source(tmp_path, batch_size=10))
    assert list(map(len, batches)) == [10, 10, 5]


def test_rows_stay_columns_where_columns_can_be_validated(tmp_path: Path) -> None:
    write(tmp_path / "plain", ROW, [FULL, EMPTY])
    batches: list[Any]
    (batches,) = read_batches(source(tmp_path / "plain", batch_size=1))
    assert [type(batch) for batch in batches] == [ColumnValues, ColumnValues]
    assert [batch.batch.schema.names for batch in batches] == [list(FULL.as_dict())] * 2
    write(tmp_path / "named", Types.of(Point), [Point(1, [], Colour.RED)])
    assert read_batches(source(tmp_path / "named", Types.of(Point))) == [[[Point(1, [], Colour.RED)]]]


def test_only_the_columns_declared_are_read_in_their_order(tmp_path: Path) -> None:
    write(tmp_path, ROW, [FULL])
    assert read_shares(source(tmp_path, Types.ROW_NAMED(["s", "i"], [Types.STRING, Types.LONG]))) == [
        [Row(s="é", i=1)]
    ]


def test_a_column_named_like_a_field_of_another_is_found(tmp_path: Path) -> None:
    table = pa.table({"a.b": [1], "a": [{"b": 5}]})
    pq.write_table(table, tmp_path / "x.parquet")
    assert read_shares(source(tmp_path, Types.ROW_NAMED(["a.b"], [Types.LONG]))) == [[Row(**{"a.b": 1})]]


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "brotli", "lz4", "none"])
def test_compression_is_chosen(tmp_path: Path, compression: str) -> None:
    write(tmp_path, Types.INT, [1], compression=compression)
    (file,) = tmp_path.glob("part-*")
    codec = pq.ParquetFile(file).metadata.row_group(0).column(0).compression
    assert codec.lower() == {"none": "uncompressed"}.get(compression, compression)
    assert read_shares(source(tmp_path)) == [[1]]


def test_a_value_that_does_not_fit_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    sink = FileSink.for_bulk_format(str(tmp_path), ParquetBulkWriters.for_row_type(ROW)).build()
    with pytest.raises(TypeCheckError, match=r"value\.i: 'x'"):
        write_job(sink.bind(ROW), [FULL], [Row(**{**FULL.as_dict(), "i": "x"})])
    assert list(tmp_path.iterdir()) == []


def test_elements_of_no_known_type_need_one(tmp_path: Path) -> None:
    sink = FileSink.for_bulk_format(str(tmp_path), ParquetWriterFactory()).build()
    with pytest.raises(UnsupportedTypeError, match="give output_type to the operator before the sink"):
        sink.bind(Types.PICKLED_BYTE_ARRAY)
    typed = FileSink.for_bulk_format(
        str(tmp_path), ParquetBulkWriters.for_row_type(Types.ROW([Types.INT]))
    ).build()
    output = typed.bind(Types.PICKLED_BYTE_ARRAY)
    write_job(output, [Row(1)])
    assert read_shares(source(tmp_path)) == [[Row(f0=1)]]


def test_bulk_files_roll_at_checkpoints_only(tmp_path: Path) -> None:
    builder = FileSink.for_bulk_format(str(tmp_path), ParquetWriterFactory())
    builder.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
    with pytest.raises(ConfigurationError, match="for a bulk format only"):
        builder.with_rolling_policy(RollingPolicy.default_rolling_policy())


def test_a_file_that_is_not_parquet_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("hello")
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/x.parquet as Parquet"):
        source(tmp_path).get_produced_type()
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/x.parquet as Parquet"):
        read_shares(source(tmp_path, Types.INT))


def test_columns_that_are_not_there_or_of_another_type_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, Types.ROW_NAMED(["a"], [Types.STRING]), [Row(a="x")])
    with pytest.raises(SourceError, match=r"has no columns \['b'\]; it has \['a'\]"):
        read_shares(source(tmp_path, Types.ROW_NAMED(["b"], [Types.STRING])))
    with pytest.raises(SourceError, match=r"cannot read .* as RowTypeInfo"):
        read_shares(source(tmp_path, Types.ROW_NAMED(["a"], [Types.INT])))


def test_bytes_that_are_no_text_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    wrong = pa.array([b"x", b"\xff"], pa.binary())
    table = pa.table({"a": pa.Array.from_buffers(pa.string(), 2, wrong.buffers())})
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(SourceError, match=r"cannot read .*/x\.parquet as .*a: b'\\xff' of Arrow type"):
        read_batches(source(tmp_path))


def test_without_files_or_type_there_is_no_type(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="give row_type"):
        source(tmp_path).get_produced_type()
    with pytest.raises(SourceError, match="does not exist"):
        source(tmp_path / "none").get_produced_type()


@pytest.mark.parametrize(
    "options", [{"batch_size": 0}, {"hadoop_config": Configuration.from_dict({"parquet.filter": "x"})}]
)
def test_options_that_cannot_be_honoured_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"batch_size must be|parquet.filter is not supported"):
        ParquetColumnarRowInputFormat(**options)


def test_an_unknown_compression_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="compression must be one of zstd"):
        ParquetWriterFactory(compression="zip")


def test_a_reader_is_a_value(tmp_path: Path) -> None:
    write(tmp_path, Types.INT, [1])
    assert source(tmp_path).reader().reader == ParquetReader(Types.INT, 16_384)


MONEY = DataTypes.ROW(
    [
        DataTypes.FIELD("price", DataTypes.DECIMAL(10, 2)),
        DataTypes.FIELD("steps", DataTypes.ARRAY(DataTypes.DECIMAL(4, 1))),
        DataTypes.FIELD("by_name", DataTypes.MAP(DataTypes.STRING(), DataTypes.DECIMAL(4, 1))),
        DataTypes.FIELD("pair", DataTypes.ROW([DataTypes.FIELD("d", DataTypes.DECIMAL(20, 0))])),
    ]
)
PRICES = [
    Row(
        price=Decimal("12345678.90"),
        steps=[Decimal("0.5"), None],
        by_name={"a": Decimal("-1.5")},
        pair=Row(d=Decimal(10**19)),
    ),
    Row(price=None, steps=None, by_name=None, pair=None),
]


def write_with(path: Path, writers: ParquetWriterFactory[Any], values: list[Any]) -> Path:
    (file,) = write_bulk(path, writers, values)
    return file


def test_decimals_have_the_precision_and_scale_declared(tmp_path: Path) -> None:
    file = write_with(tmp_path, ParquetBulkWriters.for_row_type(MONEY), PRICES)
    types = [str(field.type) for field in pq.read_schema(file)]
    assert types[:2] == ["decimal128(10, 2)", "list<element: decimal128(4, 1)>"]
    assert "decimal128(4, 1)" in types[2]
    assert "decimal128(20, 0)" in types[3]
    assert pq.read_table(file)["price"].to_pylist() == [Decimal("12345678.90"), None]
    assert read_shares(source(tmp_path, MONEY)) == [PRICES]
    assert read_shares(source(tmp_path)) == [PRICES]


def test_decimals_are_rounded_as_flink_rounds_them(tmp_path: Path) -> None:
    prices = [Decimal("1.005"), Decimal("-1.005"), Decimal("1.0049")]
    write_with(
        tmp_path, ParquetBulkWriters.for_row_type(MONEY), [Row(price, None, None, None) for price in prices]
    )
    (rows,) = read_shares(source(tmp_path))
    assert [row.price for row in rows] == [Decimal("1.01"), Decimal("-1.01"), Decimal("1.00")]


def test_a_decimal_that_does_not_fit_is_not_null(tmp_path: Path) -> None:
    with pytest.raises(SinkError, match=r"column price of type decimal128\(10, 2\)"):
        write_with(tmp_path, ParquetBulkWriters.for_row_type(MONEY), [Row(Decimal(10**9), None, None, None)])


def test_a_decimal_beyond_128_bits_is_refused(tmp_path: Path) -> None:
    small = DataTypes.ROW([DataTypes.FIELD("price", DataTypes.DECIMAL(38, 30))])
    with pytest.raises(SinkError, match=r"column price of type decimal128\(38, 30\)"):
        write_with(tmp_path, ParquetBulkWriters.for_row_type(small), [Row(Decimal(340282367))])


@pytest.mark.parametrize(("precision", "scale"), [(0, 0), (39, 0), (5, 6), (5, -1)])
def test_decimals_that_do_not_exist_are_refused(precision: int, scale: int) -> None:
    with pytest.raises(ConfigurationError, match=rf"DECIMAL\({precision}, {scale}\)"):
        DataTypes.DECIMAL(precision, scale)


def test_the_positional_call_of_pyflink_reads_names_in_any_case(tmp_path: Path) -> None:
    pq.write_table(pa.table({"ID": [1], "Name": ["a"], "other": [0]}), tmp_path / "x")
    t = DataTypes.ROW(
        [DataTypes.FIELD("name", DataTypes.STRING()), DataTypes.FIELD("id", DataTypes.BIGINT())]
    )
    assert read_shares(source(tmp_path, t, Configuration(), 10, True, False)) == [[Row(name="a", id=1)]]
    with pytest.raises(
        SourceError, match=r"has no columns \['name', 'id'\]; it has \['ID', 'Name', 'other'\]"
    ):
        read_shares(source(tmp_path, t, Configuration(), 10, True, True))
    pq.write_table(pa.table({"id": [1], "ID": [2], "name": ["b"]}), tmp_path / "x")
    with pytest.raises(SourceError, match=r"several columns for 'id', \['id', 'ID'\]"):
        read_shares(source(tmp_path, t, is_case_sensitive=False))


def test_the_options_of_the_writer_are_honoured(tmp_path: Path) -> None:
    config = Configuration.from_dict(
        {"parquet.compression": "GZIP", "parquet.block.size": "1000", "parquet.enable.dictionary": "false"}
    )
    writers = ParquetBulkWriters.for_row_type(Types.ROW_NAMED(["n"], [Types.LONG()]), config)
    metadata = pq.read_metadata(write_with(tmp_path, writers, [Row(n=n) for n in range(1000)]))
    column = metadata.row_group(0).column(0)
    assert (column.compression, column.has_dictionary_page) == ("GZIP", False)


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("parquet.compression", "lzo", "'lzo' is not a valid value of parquet.compression"),
        ("parquet.block.size", "0", "'0' is not a valid value of parquet.block.size"),
        ("parquet.bloom.filter.enabled", "true", "parquet.bloom.filter.enabled is not supported"),
    ],
)
def test_an_option_of_the_writer_that_cannot_be_honoured_is_refused(
    key: str, value: str, complaint: str
) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        ParquetBulkWriters.for_row_type(Types.INT(), Configuration.from_dict({key: value}))


def test_only_a_type_declares_columns() -> None:
    with pytest.raises(ConfigurationError, match=r"for_row_type takes a TypeInformation .*not the class int"):
        ParquetBulkWriters.for_row_type(int)  # type: ignore[arg-type]


DAYS = [
    dt.datetime(9999, 12, 31, 1, 2, 3, 456789),
    dt.datetime(1, 1, 1, 0, 0, 0, 1),
    None,
    dt.datetime(2020, 1, 1),
]


def test_timestamps_of_96_bits_are_read_in_all_years(tmp_path: Path) -> None:
    micros = pa.timestamp("us")
    table = pa.table(
        {
            "at": pa.array(DAYS, micros),
            "n": [1, 2, 3, 4],
            "all": pa.array([DAYS, [], None, DAYS[:1]], pa.list_(micros)),
            "in": pa.array([{"at": day} for day in DAYS], pa.struct([("at", micros)])),
        }
    )
    pq.write_table(table, tmp_path / "f", use_deprecated_int96_timestamps=True, row_group_size=3)
    expected = [tuple(row.values()) for row in table.to_pylist()]
    (rows,) = read_shares(source(tmp_path))
    assert [(row[0], row[1], row[2], {"at": row[3][0]}) for row in rows] == expected
    only_numbers = Types.ROW_NAMED(["n"], [Types.LONG()])
    assert read_shares(source(tmp_path, only_numbers)) == [[Row(n=n) for n in (1, 2, 3, 4)]]


def test_parts_of_a_microsecond_are_an_error_in_timestamps_of_96_bits(tmp_path: Path) -> None:
    nanos = pa.array([1_577_836_800_000_000_000, 1], pa.timestamp("ns"))
    pq.write_table(pa.table({"at": nanos}), tmp_path / "f", use_deprecated_int96_timestamps=True)
    with pytest.raises(SourceError, match="column 'at' has timestamps with parts of a microsecond"):
        read_shares(source(tmp_path))


def test_a_file_without_columns_is_an_error_that_names_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [1]}).select([]), tmp_path / "f")
    with pytest.raises(SourceError, match=f"{tmp_path}/f has no columns"):
        read_shares(source(tmp_path))


def test_a_column_that_python_has_no_type_for_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"d": pa.array([1], pa.decimal256(60, 30))}), tmp_path / "f")
    with pytest.raises(UnsupportedTypeError, match=f"cannot read {tmp_path}/f as Parquet: field 'd'"):
        read_shares(source(tmp_path))


def test_names_of_columns_that_are_no_text_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"name": [1]}), tmp_path / "f", store_schema=False)
    content = (tmp_path / "f").read_bytes()
    (tmp_path / "f").write_bytes(content.replace(b"name", b"n\xffme"))
    with pytest.raises(SourceError, match=f"cannot read {tmp_path}/f as Parquet"):
        read_shares(source(tmp_path))


class ByParity(BucketAssigner[Any]):
    def get_bucket_id(self, element: Any, context: Any) -> str:
        return "odd" if element.n % 2 else "even"


NUMBERED: Any = Types.ROW_NAMED(["n", "text"], [Types.LONG(), Types.STRING()])


def test_elements_that_are_columns_go_to_the_buckets_of_elements(tmp_path: Path) -> None:
    layout = layout_of(NUMBERED)
    elements = ColumnValues(layout, layout.encode([Row(n=n, text=f"t{n}") for n in range(5)]))
    sink = FileSink.for_bulk_format(str(tmp_path), ParquetBulkWriters.for_row_type(NUMBERED))
    write_job(sink.with_bucket_assigner(ByParity()).build().bind(NUMBERED), elements)
    found = {bucket: pq.read_table(tmp_path / bucket).to_pylist() for bucket in ("even", "odd")}
    assert found == {
        "even": [{"n": n, "text": f"t{n}"} for n in (0, 2, 4)],
        "odd": [{"n": n, "text": f"t{n}"} for n in (1, 3)],
    }
