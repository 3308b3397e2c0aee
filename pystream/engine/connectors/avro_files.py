"""Avro container files of generic records: reader and part files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.errors import SinkError, SourceError

if TYPE_CHECKING:
    from fastavro.write import Writer
    from pyarrow import NativeFile
    from pyarrow.fs import FileSystem

__all__ = ["AvroParts", "AvroReader", "canonical_records"]

_BATCH = 1024
_DAMAGE = (ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, MemoryError, OSError)


@dataclass(frozen=True, slots=True)
class AvroReader:
    """Read Avro files with records resolved to a schema; one subtask reads a whole file.

    Attributes:
        schema: the schema of the elements, as JSON; fields the file lacks have its defaults.
    """

    yields_columns: ClassVar[bool] = False

    schema: str

    def can_split(self, file: InputFile) -> bool:
        """Return False: a file is read as a whole."""
        return False

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[Any]]:
        """Yield the records in order.

        Raises:
            SourceError: the file is not an Avro file, is damaged, or has another schema.
        """
        import fastavro
        from fastavro.read import SchemaResolutionError

        path = split.file.path
        try:
            records = fastavro.reader(cast("IO[bytes]", file), record_schema(self.schema).parsed)
            while batch := list(islice(records, _BATCH)):
                yield batch
        except SchemaResolutionError as error:
            raise SourceError(f"{path} does not have the schema declared: {error}") from error
        except _DAMAGE as error:
            raise SourceError(f"cannot read {path} as Avro: {error or 'it ends too early'}") from error


@dataclass(frozen=True, slots=True)
class AvroParts:
    """Part files in Avro.

    Attributes:
        schema: the schema of the records, as JSON.
    """

    schema: str

    def encoder(self) -> Callable[[list[Any]], list[Any]]:
        """Return a function that validates records."""
        return partial(canonical_records, self.schema)

    def open(self, stream: NativeFile) -> AvroPart:
        """Open a part file."""
        from fastavro.write import Writer

        return AvroPart(stream, Writer(cast("IO[bytes]", stream), record_schema(self.schema).parsed))

    def merge(self, filesystem: FileSystem, paths: Sequence[str], output: NativeFile) -> None:
        """Copy the blocks of part files to a single one."""
        import fastavro
        from fastavro.write import Writer

        writer = Writer(cast("IO[bytes]", output), record_schema(self.schema).parsed)
        for path in paths:
            with filesystem.open_input_file(path) as file:
                for block in fastavro.block_reader(cast("IO[bytes]", file)):
                    writer.write_block(block)
        writer.flush()


def canonical_records(schema: str, records: list[Any]) -> list[Any]:
    """Return records as they will be read, with defaults for missing fields.

    Raises:
        SinkError: one does not fit the schema; the message names it and the field.
    """
    canonical = record_schema(schema).canonical
    found = []
    for record in records:
        try:
            found.append(canonical(record))
        except FieldError as error:
            raise SinkError(f"cannot write {excerpt(record)} as Avro: {error}") from error
    return found


class AvroPart:
    """One open Avro file."""

    def __init__(self, stream: NativeFile, writer: Writer) -> None:
        self._stream = stream
        self._writer = writer

    def size(self) -> int:
        """Return the bytes of the blocks written so far."""
        return self._stream.tell()

    def write(self, encoded: list[Any], start: int, size_limit: int | None) -> int:
        """Write elements until the file has grown beyond ``size_limit``; return the number written."""
        for count, record in enumerate(islice(encoded, start, None), 1):
            self._writer.write(record)
            if size_limit is not None and self._stream.tell() > size_limit:
                return count
        return len(encoded) - start

    def close(self) -> None:
        """Write the last block."""
        self._writer.flush()
