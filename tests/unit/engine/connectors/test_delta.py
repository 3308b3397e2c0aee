"""Delta tables: commits that are repeated, tables that are refused, and places to resume from."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake

from pystream.common import Instant
from pystream.datastream.connectors import DeltaSink, DeltaSource
from pystream.engine.connectors.delta.source import Place
from pystream.engine.failure import ElementFailure
from pystream.engine.task_info import SubtaskInfo
from pystream.errors import (
    ConfigurationError,
    ConnectorError,
    DependencyError,
    PlanTypeError,
    SinkError,
    SourceError,
    UnsupportedTypeError,
)
from pystream.table import DataTypes
from tests.unit.hosts.unbounded.epochs import JOB, KNOWN, Epoch, Job, run_epochs
from typeinfo import Row, Types

ROW = Types.ROW_NAMED(["n", "p"], [Types.LONG(), Types.STRING()])


def values(path: Path) -> list[Any]:
    return sorted(DeltaTable(str(path)).to_pyarrow_table()["value"].to_pylist())


def test_a_checkpoint_is_one_version_and_a_repeated_one_none(tmp_path: Path) -> None:
    table = tmp_path / "t"
    sink = DeltaSink.for_row_data(str(table)).build().bind(Types.INT())
    sink.check()
    epochs = [Epoch([[1], [2]], publishes=False), Epoch([[3], []]), Epoch([[], []]), Epoch([[4], []])]
    run_epochs(Job(tmp_path, sink), epochs)
    assert (values(table), DeltaTable(str(table)).version()) == ([1, 2, 3, 4], 2)
    Job(tmp_path, sink).commits.recover(3, KNOWN)  # the last commit is repeated
    assert (values(table), DeltaTable(str(table)).version()) == ([1, 2, 3, 4], 2)


def test_files_of_an_aborted_epoch_are_removed(tmp_path: Path) -> None:
    sink = DeltaSink.for_row_data(str(tmp_path)).with_partition_columns("p").build().bind(ROW)
    sink.check()
    writer = pickle.loads(pickle.dumps(sink)).epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    writer.write([Row(n=1, p="a"), Row(n=2, p="b")])
    with pytest.raises(ElementFailure, match="failed on Row"):
        writer.write([Row(n="x", p="a")])
    writer.abort()
    assert list(tmp_path.glob("*.parquet")) == []
    writer.write([Row(n=1, p="a"), Row(n=2, p=None), Row(n=3, p="a")])
    entries = json.loads(writer.finish())
    assert [entry["partition_values"] for entry in entries] == [{"p": "a"}, {"p": None}]
    assert [json.loads(entry["stats"]) for entry in entries] == [{"numRecords": 2}, {"numRecords": 1}]
    assert writer.finish() is None


def test_few_files_are_open_and_the_others_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pystream.engine.connectors.delta.sink._MAX_OPEN_FILES", 2)
    sink = DeltaSink.for_row_data(str(tmp_path)).with_partition_columns("p").build().bind(ROW)
    sink.check()
    writer = sink.epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    for n, p in enumerate("abacb"):
        writer.write([Row(n=n, p=p)])
    assert len(list(tmp_path.glob("*.parquet"))) == 2  # a file appears when it is ended
    message = writer.finish()
    assert [entry["partition_values"]["p"] for entry in json.loads(message)] == ["b", "a", "c", "b"]
    sink.committer("t", JOB, "").commit(1, (message,))
    rows = DeltaTable(str(tmp_path)).to_pyarrow_table().to_pylist()
    assert sorted((row["n"], row["p"]) for row in rows) == [*enumerate("abacb")]


def test_rows_go_to_open_files_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pystream.engine.connectors.delta.sink._MAX_OPEN_FILES", 2)
    sink = DeltaSink.for_row_data(str(tmp_path)).with_partition_columns("p").build().bind(ROW)
    sink.check()
    writer = sink.epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    for n in range(3):
        writer.write([Row(n=n, p=p) for p in "abc"])
    assert len(json.loads(writer.finish())) == 3 + 2  # one more for each later batch


def test_files_that_were_ended_early_are_removed_with_an_aborted_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pystream.engine.connectors.delta.sink._MAX_OPEN_FILES", 1)
    sink = DeltaSink.for_row_data(str(tmp_path)).with_partition_columns("p").build().bind(ROW)
    writer = sink.epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    writer.write([Row(n=1, p="a"), Row(n=2, p="b"), Row(n=3, p="c")])
    assert len(list(tmp_path.glob("*.parquet"))) == 2
    writer.abort()
    assert list(tmp_path.glob("*.parquet")) == []
    assert writer.finish() is None


MOMENT = datetime(2024, 1, 2, 3, 4, 5, 120_000)
ZONED = pa.schema([pa.field("n", pa.int64()), pa.field("at", pa.timestamp("us", "UTC"))])
LOCAL = pa.schema([pa.field("n", pa.int64()), pa.field("at", pa.timestamp("us"))])


def read_both_ways(path: str) -> list[list[Any]]:
    """Return the values of ``at`` from the latest version, and from the log."""
    latest = DeltaSource.for_bounded_row_data(path).build().reader()
    log = DeltaSource.for_continuous_row_data(path).starting_version(0).build().reader()
    poll = log.enumerator(1).poll(0, 1 << 30)
    assert poll is not None
    return [
        [row.at for split in splits for elements in source.read(split) for row in elements]
        for source, splits in ((latest, latest.splits(1)[0]), (log, poll.splits[0]))
    ]


@pytest.mark.parametrize(
    ("schema", "text", "at"),
    [
        (ZONED, "2024-01-02 03:04:05.120000", MOMENT),
        (ZONED, "2024-01-02 03:04:05.12", MOMENT),
        (ZONED, "2024-01-02 03:04:05", MOMENT.replace(microsecond=0)),
        (ZONED, "2024-01-02T03:04:05.120000Z", MOMENT),
        (ZONED, "2024-01-02T05:04:05.12+02:00", MOMENT),
        (ZONED, "1960-01-02T00:00:00.000001Z", datetime(1960, 1, 2, 0, 0, 0, 1)),
        (LOCAL, "2024-01-02 03:04:05.120000", MOMENT),
        (LOCAL, "2024-01-02 03:04:05", MOMENT.replace(microsecond=0)),
    ],
)
def test_partitions_of_timestamps_are_read_as_delta_rs_reads_them(
    tmp_path: Path, schema: pa.Schema, text: str, at: datetime
) -> None:
    path = create(tmp_path, list(schema), partition_by=["at"])
    pq.write_table(pa.table({"n": [1]}), tmp_path / "1.parquet")
    add = {
        "path": "1.parquet",
        "partitionValues": {"at": text},
        "size": (tmp_path / "1.parquet").stat().st_size,
        "modificationTime": 0,
        "dataChange": True,
    }
    (tmp_path / "_delta_log" / f"{1:020}.json").write_text(json.dumps({"add": add}))
    expected = Instant.of_datetime(at.replace(tzinfo=UTC)) if schema is ZONED else at
    assert read_both_ways(path) == [[expected], [expected]]


@pytest.mark.parametrize(("t", "schema"), [(Types.INSTANT(), ZONED), (Types.SQL_TIMESTAMP(), LOCAL)])
def test_partitions_of_timestamps_are_read_as_they_were_written(
    tmp_path: Path, t: Any, schema: pa.Schema
) -> None:
    zone = UTC if schema is ZONED else None
    moments = [
        datetime(1, 1, 1, tzinfo=zone),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, zone),
        MOMENT.replace(tzinfo=zone),
    ]
    values = [*(map(Instant.of_datetime, moments) if schema is ZONED else moments), None]
    sink = DeltaSink.for_row_data(str(tmp_path)).with_partition_columns("at").build()
    output = sink.bind(Types.ROW_NAMED(["n", "at"], [Types.LONG(), t]))
    output.check()
    writer = output.epoch_writer("t", SubtaskInfo(JOB, 0, 1, 128, 0))
    writer.write([Row(n=n, at=at) for n, at in enumerate(values)])
    message = writer.finish()
    texts = {entry["partition_values"]["at"] for entry in json.loads(message)}
    assert ("2024-01-02T03:04:05.120000Z" if schema is ZONED else "2024-01-02 03:04:05.120000") in texts
    output.committer("t", JOB, "").commit(1, (message,))
    for read in read_both_ways(str(tmp_path)):
        assert sorted(read, key=str) == sorted(values, key=str)
    assert DeltaTable(str(tmp_path)).to_pyarrow_table().sort_by("n")["at"].to_pylist() == [*moments, None]


def test_a_table_partitioned_by_other_types_is_refused(tmp_path: Path) -> None:
    path = create(tmp_path, [LONG, pa.field("p", pa.binary())], partition_by=["p"])
    t = Types.ROW_NAMED(["n", "p"], [Types.LONG(), Types.PRIMITIVE_ARRAY(Types.BYTE())])
    with pytest.raises(ConfigurationError, match=r"is partitioned: 'p' is binary, but must be an integer"):
        DeltaSink.for_row_data(path).build().bind(t)


def create(path: Path, fields: Sequence[pa.Field], **options: Any) -> str:
    DeltaTable.create(str(path), pa.schema(fields), **options)
    return str(path)


LONG, TEXT = pa.field("n", pa.int64()), pa.field("p", pa.string())


@pytest.mark.parametrize(
    ("fields", "partition_columns", "message"),
    [
        ([LONG], (), r"has the columns n int64, but the elements have n int64, p string"),
        ([pa.field("n", pa.int32()), TEXT], (), r"has the columns n int32, p string, but the elements"),
        ([LONG, TEXT.with_nullable(False)], (), r"the column 'p' must not be null"),
        ([LONG, TEXT], ("p",), r"is partitioned by \[\], not by \['p'\]"),
    ],
)
def test_a_table_of_other_columns_is_refused(
    tmp_path: Path, fields: list[pa.Field], partition_columns: tuple[str, ...], message: str
) -> None:
    builder = DeltaSink.for_row_data(create(tmp_path / "t", fields))
    if partition_columns:
        builder.with_partition_columns(*partition_columns)
    with pytest.raises(SinkError, match=message):
        builder.build().bind(ROW)


def test_a_table_with_conditions_is_refused(tmp_path: Path) -> None:
    path = create(tmp_path / "t", [LONG, TEXT])
    sink = DeltaSink.for_row_data(path).build().bind(ROW)
    sink.check()
    DeltaTable(path).alter.add_constraint({"positive": "n > 0"})
    with pytest.raises(SinkError, match=r"it has delta\.constraints\.positive, which is not supported"):
        sink.check()


def test_an_existing_table_decides_its_partitioning_and_the_precision_of_decimals(tmp_path: Path) -> None:
    price = pa.field("p", pa.decimal128(10, 2))
    path = create(tmp_path / "t", [price, LONG], partition_by=["n"])
    t = Types.ROW_NAMED(["n", "p"], [Types.LONG(), Types.BIG_DEC()])
    output = DeltaSink.for_row_data(path).build().bind(t)
    assert (output.partition_columns, output.schema) == (("n",), pa.schema([LONG, price]))
    declared = DataTypes.ROW(
        [DataTypes.FIELD("n", DataTypes.BIGINT()), DataTypes.FIELD("p", DataTypes.DECIMAL(5, 1))]
    )
    new = DeltaSink.for_row_data(str(tmp_path / "new"), declared).build().bind(t)
    assert new.schema.field("p").type == pa.decimal128(5, 1)


def test_types_and_partition_columns_are_checked(tmp_path: Path) -> None:
    builder = DeltaSink.for_row_data(str(tmp_path / "t"))
    with pytest.raises(UnsupportedTypeError, match="a DeltaSink needs the type of the elements"):
        builder.build().bind(Types.PICKLED_BYTE_ARRAY())
    with pytest.raises(UnsupportedTypeError, match="has no type for the column 'value', which is time64"):
        builder.build().bind(Types.SQL_TIME())
    with pytest.raises(ConfigurationError, match="there is no column 'q', but n, p"):
        builder.with_partition_columns("q").build().bind(ROW)
    t = Types.ROW_NAMED(["n", "p"], [Types.LONG(), Types.DOUBLE()])
    with pytest.raises(ConfigurationError, match="'p' is double, but must be"):
        builder.with_partition_columns("p").build().bind(t)
    with pytest.raises(ConfigurationError, match="at least one column must be left"):
        builder.with_partition_columns("n", "p").build().bind(ROW)
    with pytest.raises(PlanTypeError, match="for_row_data takes a DataType"):
        DeltaSink.for_row_data(str(tmp_path), ROW)  # type: ignore[arg-type]


def test_options_may_be_credentials_and_are_not_shown(tmp_path: Path) -> None:
    builder = DeltaSink.for_row_data(str(tmp_path / "t")).with_storage_options({"AWS_SECRET": "abcd"})
    assert "abcd" not in repr(builder.build().bind(ROW))
    with pytest.raises(PlanTypeError, match=r"with_storage_options takes a dict of str; the value of 'a'"):
        builder.with_storage_options({"a": 1})  # type: ignore[dict-item]


# sources


def appended(path: Path, count: int) -> str:
    for n in range(count):
        write_deltalake(str(path), pa.table({"n": [n]}), mode="append")
    return str(path)


def numbers(source: Any, split: Any) -> list[int]:
    return [row.n for elements in source.read(split) for row in elements]


def test_each_place_resumes_after_the_files_before_it(tmp_path: Path) -> None:
    path = appended(tmp_path / "t", 3)
    source = DeltaSource.for_continuous_row_data(path).update_check_interval_millis(100).build().reader()
    appended(tmp_path / "t", 2)
    running = source.enumerator(1)
    places, read = [], []
    while (poll := running.poll(0, 1)) is not None:  # a file at a time
        read.append([n for splits in poll.splits for split in splits for n in numbers(source, split)])
        places.append(poll.change)
    assert read == [[0], [1], [2], [0], [1]]
    assert running.next_poll(0) == 100
    assert places == [Place(2, 1, True), Place(2, 2, True), Place(2, 3, True), Place(3, 1), Place(4, 1)]
    assert running.snapshot() == places[-1]
    for number, place in enumerate(places):
        resumed = source.enumerator(2, None, [place])
        poll = resumed.poll(0, 1 << 30)
        rest = [] if poll is None else [split for splits in poll.splits for split in splits]
        found = [n for split in rest for n in numbers(source, split)]
        assert sorted(found) == sorted(n for batch in read[number + 1 :] for n in batch)


def test_a_source_may_start_with_what_comes_next(tmp_path: Path) -> None:
    path = appended(tmp_path / "t", 2)
    builder = DeltaSource.for_continuous_row_data(path).starting_version("latest")
    source = builder.update_check_interval_millis(100).build().reader()
    enumerator = source.enumerator(1)
    assert enumerator.poll(0, 1 << 30) is None
    appended(tmp_path / "t", 1)
    assert enumerator.poll(99, 1 << 30) is None
    poll = enumerator.poll(100, 1 << 30)
    assert poll is not None
    assert numbers(source, poll.splits[0][0]) == [0]


def test_a_log_that_lacks_the_next_version_is_an_error(tmp_path: Path) -> None:
    path = appended(tmp_path / "t", 3)
    source = DeltaSource.for_continuous_row_data(path).build().reader()
    with pytest.raises(SourceError, match="has no version 7, the latest is 2"):
        source.enumerator(1, Place(7))
    DeltaTable(path).create_checkpoint()
    (tmp_path / "t" / "_delta_log" / f"{1:020}.json").unlink()
    with pytest.raises(SourceError, match="its log of version 1 was removed"):
        source.enumerator(1, Place(0, None))


def test_a_column_of_another_type_is_an_error(tmp_path: Path) -> None:
    path = appended(tmp_path / "t", 1)
    source = DeltaSource.for_continuous_row_data(path).build().reader()
    enumerator = source.enumerator(1)
    added = {"schema_mode": "merge", "mode": "append"}
    write_deltalake(path, pa.table({"n": [1], "more": ["x"]}), **added)  # type: ignore[call-overload]
    poll = enumerator.poll(0, 1 << 30)
    assert poll is not None
    assert [n for split in poll.splits[0] for n in numbers(source, split)] == [0, 1]
    replaced = pa.table({"n": ["text"]})
    write_deltalake(path, replaced, mode="overwrite", schema_mode="overwrite")
    with pytest.raises(SourceError, match=r"version 2 .* has another type for the column 'n'"):
        enumerator.poll(10_000, 1 << 30)


def test_rewritten_rows_come_again_if_changes_are_ignored(tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    write_deltalake(path, pa.table({"n": [1, 2]}))
    DeltaTable(path).update({"n": "5"}, predicate="n = 1")
    builder = DeltaSource.for_continuous_row_data(path).starting_version(0)
    with pytest.raises(SourceError, match=r"version 1 .* updates rows.*ignore_changes\(\)"):
        builder.ignore_deletes().build().reader().enumerator(1).poll(0, 1 << 30)
    source = builder.ignore_changes().ignore_deletes().build().reader()
    poll = source.enumerator(1).poll(0, 1 << 30)
    assert poll is not None
    assert sorted(n for split in poll.splits[0] for n in numbers(source, split)) == [1, 2, 2, 5]


def test_rows_deleted_by_vectors_are_refused(tmp_path: Path) -> None:
    path = appended(tmp_path / "t", 1)
    log = tmp_path / "t" / "_delta_log" / f"{1:020}.json"
    add = {"path": "x", "size": 1, "partitionValues": {}, "dataChange": True, "deletionVector": {"a": 1}}
    source = DeltaSource.for_continuous_row_data(path).build().reader()
    enumerator = source.enumerator(1)
    log.write_text(json.dumps({"add": add}))
    with pytest.raises(SourceError, match="are deleted by deletion vectors"):
        enumerator.poll(0, 1 << 30)


@pytest.mark.parametrize(
    ("action", "feature"),
    [
        ({"protocol": {"minReaderVersion": 3, "readerFeatures": ["timestampNtz", "later"]}}, "later"),
        ({"metaData": {"configuration": {"delta.columnMapping.mode": "name"}}}, "columnMapping"),
    ],
)
def test_a_feature_that_a_table_gets_while_it_is_read_is_refused(
    tmp_path: Path, action: dict[str, dict[str, Any]], feature: str
) -> None:
    path = appended(tmp_path / "t", 1)
    log = tmp_path / "t" / "_delta_log"
    source = DeltaSource.for_continuous_row_data(path).build().reader()
    enumerator = source.enumerator(1)
    assert enumerator.poll(0, 1 << 30) is not None
    known = {"protocol": {"minReaderVersion": 3, "readerFeatures": ["v2Checkpoint"]}}
    (log / f"{1:020}.json").write_text(json.dumps(known))
    assert enumerator.poll(10_000, 1 << 30) is None
    if "metaData" in action:
        created = map(json.loads, (log / f"{0:020}.json").read_text().splitlines())
        metadata = next(entry["metaData"] for entry in created if "metaData" in entry)
        action["metaData"] = metadata | action["metaData"]
    (log / f"{2:020}.json").write_text(json.dumps(action))
    message = rf"the Delta table .*/t has the feature {feature}, which is not supported; ALTER TABLE"
    with pytest.raises(SourceError, match=message):
        enumerator.poll(20_000, 1 << 30)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConnectorError, match=r"cannot read the Delta table .*/none: [^\n]*$"):
        DeltaSource.for_bounded_row_data(str(tmp_path / "none")).build()
    path = appended(tmp_path / "t", 1)
    with pytest.raises(ConnectorError, match="cannot read version 9 of the Delta table"):
        DeltaSource.for_bounded_row_data(path).version_as_of(9).build()
    with pytest.raises(SourceError, match="has no column 'm'; its columns are n"):
        DeltaSource.for_bounded_row_data(path).column_names("m").build()
    source = DeltaSource.for_bounded_row_data(path).build().reader()
    ((split,),) = source.splits(1)
    (tmp_path / "t" / split.path).unlink()
    with pytest.raises(SourceError, match=rf"cannot read {split.path} of the Delta table"):
        numbers(source, split)


def test_the_client_library_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(DependencyError, match=r"deltalake: pip install 'pystream-spark\[delta\]'"):
        DeltaSource.for_bounded_row_data(str(tmp_path))


def test_settings_belong_to_a_kind_of_source(tmp_path: Path) -> None:
    bounded = DeltaSource.for_bounded_row_data(str(tmp_path))
    with pytest.raises(
        ConfigurationError, match=r"source is bounded; use DeltaSource\.for_continuous_row_data"
    ):
        bounded.starting_version(1)
    continuous = DeltaSource.for_continuous_row_data(str(tmp_path))
    with pytest.raises(
        ConfigurationError, match=r"source is continuous; use DeltaSource\.for_bounded_row_data"
    ):
        continuous.version_as_of(1)
    with pytest.raises(ConfigurationError, match=r"starting_version: .* must be an int of 0 or more"):
        continuous.starting_version("newest")
    with pytest.raises(PlanTypeError, match="timestamp_as_of takes a datetime"):
        bounded.timestamp_as_of("2026-01-01")  # type: ignore[arg-type]
