"""Avro generic records in Parquet files, in the layout of parquet-avro."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.engine.connectors.avro_files import canonical_records
from pystream.engine.connectors.columns import DamagedFileError, batches_in
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.parquet import ParquetParts, ParquetReader
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.avro_encoder import UnionEncoder, encoder_of
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.avro_types import Convert, each, each_value, null_or, same
from pystream.engine.formats.errors import FieldError
from pystream.errors import SourceError
from typeinfo.errors import UnsupportedTypeError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import NativeFile

__all__ = ["AvroParquetParts", "AvroParquetReader", "arrow_schema"]

_BATCH = 2048
_METADATA_KEY = "parquet.avro.schema"


class _Node(NamedTuple):
    """A part of an Avro schema as a column: its Arrow type, and the conversions of its values."""

    arrow: pa.DataType
    nullable: bool
    write: Convert
    read: Convert


def arrow_schema(text: str) -> pa.Schema:
    """Return the Arrow schema of records of an Avro schema.

    Records become structs, enums strings, maps maps with string keys, fixed bytes of a fixed size, decimals
    decimals. A union with null is its other branch; any other union a struct ``member0, member1, …``.

    Raises:
        UnsupportedTypeError: the schema is recursive, or a record in it has no fields.
    """
    import pyarrow as pa

    columns: Any = _node(record_schema(text).expanded).arrow
    return pa.schema(list(columns), metadata={_METADATA_KEY: text})


@dataclass(frozen=True, slots=True)
class AvroParquetParts(ParquetParts):
    """Part files in Parquet of generic records.

    Attributes:
        avro: the schema of the records, as JSON.
    """

    avro: str = ""

    def encoder(self) -> Callable[[Sequence[Any]], pa.RecordBatch]:
        """Return a function that converts records to columns."""
        write = _node(record_schema(self.avro).expanded).write
        return partial(_to_columns, self.avro, arrow_schema(self.avro), write)


def _to_columns(text: str, schema: pa.Schema, write: Convert, records: Sequence[Any]) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(list(map(write, canonical_records(text, records))), schema=schema)


@dataclass(frozen=True, slots=True)
class AvroParquetReader:
    """Read Avro records from Parquet files, by row groups.

    Attributes:
        avro: the schema of the records, as JSON; columns the file lacks have its defaults.
    """

    avro: str

    def yields_columns(self) -> bool:
        """Return False: elements are values."""
        return False

    def can_split(self, file: InputFile) -> bool:
        """Return True: row groups can be read separately."""
        return True

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[Any]]:
        """Yield the records of the row groups that belong to the range, in order.

        Raises:
            SourceError: the file is not a Parquet file, or its rows are not records of the schema.
        """
        from pyarrow import ArrowException

        path = split.file.path
        schema = record_schema(self.avro)
        opened = ParquetReader.opened(file, path)
        present = set(opened.schema.names)
        fields = schema.expanded["fields"]
        nodes = {f["name"]: _node(f["type"]) for f in fields if f["name"] in present}
        try:
            for batch in batches_in(opened, split, list(nodes), _BATCH):
                columns = [
                    map(node.read, batch.column(name).cast(node.arrow).to_pylist(maps_as_pydicts="strict"))
                    for name, node in nodes.items()
                ]
                rows = zip(*columns, strict=True) if columns else [()] * batch.num_rows
                yield [schema.canonical(dict(zip(nodes, row, strict=True))) for row in rows]
        except (ArrowException, OSError, ValueError, MemoryError, FieldError, DamagedFileError) as error:
            raise SourceError(f"cannot read {path} as records of {schema.name}: {error}") from error


def _node(schema: Any) -> _Node:
    """Return the column of a schema in which names are expanded."""
    import pyarrow as pa

    if isinstance(schema, list):
        return _union(schema)
    if isinstance(schema, str):
        schema = {"type": schema}
    kind, logical = schema["type"], schema.get("logicalType")
    if logical == "decimal" and kind in ("bytes", "fixed"):
        return _plain(pa.decimal128(schema["precision"], schema.get("scale", 0)))
    if (kind, logical) == ("string", "uuid"):
        return _Node(pa.string(), False, str, uuid.UUID)
    match kind:
        case "record" | "error":
            return _record(schema)
        case "enum":
            return _plain(pa.string())
        case "fixed":
            return _plain(pa.binary(schema["size"]))
        case "array":
            element = _node(schema["items"])
            field = pa.field("element", element.arrow, nullable=element.nullable)
            return _Node(pa.list_(field), False, partial(each, element.write), partial(each, element.read))
        case "map":
            value = _node(schema["values"])
            arrow = pa.map_(
                pa.field("key", pa.string(), nullable=False),
                pa.field("value", value.arrow, nullable=value.nullable),
            )
            return _Node(arrow, False, partial(each_value, value.write), partial(each_value, value.read))
    return _plain(_logical(kind, logical) or _primitive(kind))


def _plain(arrow: pa.DataType) -> _Node:
    import pyarrow as pa

    return _Node(arrow, pa.types.is_null(arrow), same, same)


def _primitive(kind: str) -> pa.DataType:
    import pyarrow as pa

    primitives = {
        "null": pa.null(),
        "boolean": pa.bool_(),
        "int": pa.int32(),
        "long": pa.int64(),
        "float": pa.float32(),
        "double": pa.float64(),
        "bytes": pa.binary(),
        "string": pa.string(),
    }
    if kind not in primitives:
        raise UnsupportedTypeError(f"Parquet has no columns for the recursive Avro record {kind}")
    return primitives[kind]


def _logical(kind: str, logical: str | None) -> pa.DataType | None:
    import pyarrow as pa

    return {
        ("int", "date"): pa.date32(),
        ("int", "time-millis"): pa.time32("ms"),
        ("long", "time-micros"): pa.time64("us"),
        ("long", "timestamp-millis"): pa.timestamp("ms", "UTC"),
        ("long", "timestamp-micros"): pa.timestamp("us", "UTC"),
        ("long", "local-timestamp-millis"): pa.timestamp("ms"),
        ("long", "local-timestamp-micros"): pa.timestamp("us"),
    }.get((kind, logical or ""))


def _record(schema: dict[str, Any]) -> _Node:
    import pyarrow as pa

    if not schema["fields"]:
        raise UnsupportedTypeError(
            f"Parquet has no columns for the Avro record {schema['name']}, which has no fields"
        )
    nodes = {field["name"]: _node(field["type"]) for field in schema["fields"]}
    fields = [pa.field(field, node.arrow, nullable=node.nullable) for field, node in nodes.items()]
    write = partial(_fields, {field: node.write for field, node in nodes.items()})
    return _Node(pa.struct(fields), False, write, partial(_fields, {f: n.read for f, n in nodes.items()}))


def _union(branches: list[Any]) -> _Node:
    import pyarrow as pa

    present = [branch for branch in branches if branch != "null"]
    nullable = len(present) < len(branches)
    if len(present) < 2:
        node = _node(present[0] if present else "null")
        return node._replace(
            nullable=True, write=partial(null_or, node.write), read=partial(null_or, node.read)
        )
    nodes = [_node(branch) for branch in present]
    fields = [pa.field(f"member{i}", node.arrow, nullable=True) for i, node in enumerate(nodes)]
    union = UnionEncoder(present, list(map(encoder_of, present)))
    write = partial(null_or, partial(_member, union, [node.write for node in nodes]))
    read = partial(null_or, partial(_of_member, [node.read for node in nodes]))
    return _Node(pa.struct(fields), nullable, write, read)


def _fields(converts: dict[str, Convert], record: dict[str, Any]) -> dict[str, Any]:
    return {name: convert(record[name]) for name, convert in converts.items()}


def _member(union: UnionEncoder, writes: list[Convert], value: Any) -> dict[str, Any]:
    branch = union.branch_of(value)
    return {f"member{branch}": writes[branch](value)}


def _of_member(reads: list[Convert], members: dict[str, Any]) -> Any:
    present = [
        read(members[f"member{i}"]) for i, read in enumerate(reads) if members[f"member{i}"] is not None
    ]
    return present[0] if present else None
