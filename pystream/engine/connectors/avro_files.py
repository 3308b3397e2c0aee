"""Avro container files of generic records: reader and part files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pystream.engine.connectors.avro_container import blocks_of, encoded_block, encoded_header, new_header
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.row_parts import EncodeBatch, EncodedRows, Pieces
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.avro_defaults import shares_defaults
from pystream.engine.formats.avro_records import RecordSchema, record_schema
from pystream.engine.formats.avro_schema import definitions_of
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.errors import SinkError, SourceError

if TYPE_CHECKING:
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["AvroParts", "AvroReader", "canonical_records"]

T = TypeVar("T")

_BATCH = 1024
_BLOCK_BYTES = 16_000


@dataclass(frozen=True, slots=True)
class AvroReader:
    """Read Avro files with records resolved to a schema; one subtask reads a whole file.

    Attributes:
        schema: the schema of the elements, as JSON; fields the file lacks have its defaults.
    """

    schema: str

    def yields_columns(self) -> bool:
        """Return False: elements are values."""
        return False

    def can_split(self, file: InputFile) -> bool:
        """Return False: a file is read as a whole."""
        return False

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[Any]]:
        """Yield the records in order.

        Raises:
            SourceError: the file is not an Avro file, is damaged, or has another schema.
        """
        from fastavro.read import SchemaResolutionError

        path = split.file.path
        try:
            records = _records(file, split.file.size, record_schema(self.schema))
            while batch := list(islice(records, _BATCH)):
                yield batch
        except SchemaResolutionError as error:
            raise SourceError(f"{path} does not have the schema declared: {error}") from error
        except Exception as error:  # each codec has errors of its own
            fault = str(error) or "it ends inside a record"
            raise SourceError(f"cannot read {path} as Avro: {fault}") from error


def _records(file: NativeFile, size: int, schema: RecordSchema) -> Iterator[Any]:
    """Yield the records of a file.

    Raises:
        ValueError: the file is damaged.
        SchemaResolutionError: its schema cannot be resolved.
    """
    for block in blocks_of(file, size, schema):
        is_shared = shares_defaults(schema.reading, definitions_of(block.writer_schema))
        yield from map(deepcopy, block) if is_shared else block
        rest = len(block.bytes_.read())
        if rest:
            raise ValueError(f"a block of {block.num_records} records holds {rest} bytes more")


@dataclass(frozen=True, slots=True)
class AvroParts:
    """Part files in Avro.

    Attributes:
        schema: the schema of the records, as JSON.
    """

    schema: str

    def encoder(self) -> EncodeBatch:
        """Return a function that encodes records."""
        return partial(_encoded, self.schema)

    def open(self, stream: NativeFile) -> AvroPart:
        """Open a part file."""
        return AvroPart(stream, record_schema(self.schema).parsed)

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Copy the blocks of part files to a single one."""
        part = self.open(output)
        for path in paths:
            with filesystem.open_input_file(path) as file:
                for block in blocks_of(file, file.size(), None):
                    part.write_block(block.num_records, block.bytes_.getvalue())


def _encoded(schema: str, records: Sequence[Any]) -> EncodedRows:
    return Pieces(_each(record_schema(schema).encode, records))


def canonical_records(schema: str, records: Sequence[Any]) -> list[Any]:
    """Return records as they will be read, with defaults for missing fields.

    Raises:
        SinkError: one does not fit the schema; the message names it and the field.
    """
    return _each(record_schema(schema).canonical, records)


def _each(function: Callable[[Any], T], records: Sequence[Any]) -> list[T]:
    results = []
    for record in records:
        try:
            results.append(function(record))
        except FieldError as error:
            raise SinkError(f"cannot write {excerpt(record)} as Avro: {error}") from error
    return results


class AvroPart:
    """One open Avro file.

    Args:
        stream: the file.
        schema: the schema of the records, as fastavro parses it.
    """

    def __init__(self, stream: NativeFile, schema: Any) -> None:
        header = new_header(schema)
        self._stream = stream
        self._sync = header.sync
        self._records = bytearray()
        self._count = 0
        stream.write(encoded_header(header))

    def size(self) -> int:
        """Return the bytes of the blocks written so far."""
        return self._stream.tell()

    def write(self, encoded: EncodedRows, start: int, size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``; return the number written."""
        for count, record in enumerate(islice(encoded.pieces, start, None), 1):
            self._records += record
            self._count += 1
            if len(self._records) >= _BLOCK_BYTES:
                self._end_block()
                if size_limit is not None and self._stream.tell() > size_limit:
                    return count
        return len(encoded) - start

    def write_block(self, count: int, records: bytes) -> None:
        """Write a block of encoded records."""
        self._stream.write(encoded_block(count, records, self._sync))

    def close(self) -> None:
        """Write the last block."""
        if self._count:
            self._end_block()

    def _end_block(self) -> None:
        self.write_block(self._count, bytes(self._records))
        self._records.clear()
        self._count = 0
