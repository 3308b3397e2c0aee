"""Avro's container files: a header with the schema, and blocks of records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any, NamedTuple, Protocol, cast

from pystream.engine.formats.avro_alignment import aligned
from pystream.engine.formats.avro_logical import with_logical_types
from pystream.engine.formats.avro_records import RecordSchema
from pystream.engine.formats.avro_scalars import encode_integer
from pystream.engine.formats.avro_schema import definitions_of, unmarked

__all__ = [
    "Block",
    "Header",
    "blocks_of",
    "encoded_block",
    "encoded_header",
    "new_header",
    "read_header",
]

_SYNC_BYTES = 16
_MAGIC = b"Obj\x01"
_HEADER: dict[str, Any] = {
    "type": "record",
    "name": "org.apache.avro.file.Header",
    "fields": [
        {"name": "magic", "type": {"type": "fixed", "name": "magic", "size": len(_MAGIC)}},
        {"name": "meta", "type": {"type": "map", "values": "bytes"}},
        {"name": "sync", "type": {"type": "fixed", "name": "sync", "size": _SYNC_BYTES}},
    ],
}


class _Bytes(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def tell(self) -> int: ...


class Block(Protocol):
    """A block of records, which it yields.

    Attributes:
        num_records: their number.
        bytes_: their encoding, without compression.
        writer_schema: the schema that they were written by, as fastavro parses it.
    """

    num_records: int
    bytes_: BytesIO
    writer_schema: Any

    def __iter__(self) -> Iterator[Any]: ...


class Header(NamedTuple):
    """The header of a file.

    Attributes:
        schema: the schema of the records, as JSON.
        codec: the name of the compression.
        sync: the marker that ends each block.
    """

    schema: bytes
    codec: bytes
    sync: bytes


def read_header(file: _Bytes) -> Header:
    """Read the header of a file; other entries of its metadata may be any bytes.

    Raises:
        ValueError: the file does not start with one.
    """
    from fastavro import schemaless_reader

    try:
        header: Any = schemaless_reader(cast("IO[bytes]", file), _HEADER, None)
    except (EOFError, IndexError, ValueError, MemoryError, OverflowError) as error:
        raise ValueError("it does not start with Avro's header") from error
    if header["magic"] != _MAGIC:
        raise ValueError("it does not start with Avro's header")
    meta = header["meta"]
    if "avro.schema" not in meta:
        raise ValueError("its header has no schema")
    return Header(meta["avro.schema"], meta.get("avro.codec") or b"null", header["sync"])


def encoded_header(header: Header) -> bytes:
    """Return the bytes of a header."""
    meta = {b"avro.schema": header.schema, b"avro.codec": header.codec}
    out = bytearray(_MAGIC)
    encode_integer(len(meta), out)
    for entry in meta.items():
        for part in entry:
            encode_integer(len(part), out)
            out += part
    out.append(0)
    return bytes(out + header.sync)


def new_header(schema: Any) -> Header:
    """Return the header of a new file without compression, with the schema as fastavro parses it."""
    return Header(json.dumps(unmarked(schema)).encode(), b"null", os.urandom(_SYNC_BYTES))


def encoded_block(count: int, records: bytes, sync: bytes) -> bytes:
    """Return the bytes of a block of encoded records."""
    out = bytearray()
    encode_integer(count, out)
    encode_integer(len(records), out)
    return b"".join((out, records, sync))


def blocks_of(file: _Bytes, size: int, schema: RecordSchema | None) -> Iterator[Block]:
    """Yield the blocks of a file, open at its start.

    Args:
        file: the file.
        size: its length.
        schema: the schema that the records are resolved to, whatever they are called; ``None`` for their own.

    Raises:
        ValueError: the header is damaged, or the blocks do not fill the file.
        SchemaResolutionError: its schema cannot be resolved.
    """
    from fastavro import block_reader

    header, reader = read_header(file), None
    if schema is not None:
        header, reader = _adapted(header, schema)
    source = _WithHeader(encoded_header(header), file)
    end = file.tell()
    for block in block_reader(cast("IO[bytes]", source), reader):
        end = file.tell()
        yield cast("Block", block)
    if end != size:
        raise ValueError(f"it ends inside a block, after {end} of {size} bytes")


def _adapted(header: Header, schema: RecordSchema) -> tuple[Header, Any]:
    """Return the header, and the schema to resolve to, with the names and logical types of each other."""
    from fastavro import parse_schema

    # Some old files have defaults that do not fit; reading does not need them.
    writer = parse_schema(json.loads(header.schema), _ignore_default_error=True)
    reader = aligned(schema, writer, definitions_of(writer))
    adapted = json.dumps(unmarked(with_logical_types(writer, reader)))
    return header._replace(schema=adapted.encode()), reader


class _WithHeader:
    """A file whose header, which has been read, is replaced."""

    def __init__(self, header: bytes, file: _Bytes) -> None:
        self._header = header
        self._at = 0
        self._file = file

    def read(self, size: int, /) -> bytes:
        if self._at == len(self._header):
            return self._file.read(size)
        start, self._at = self._at, min(self._at + size, len(self._header))
        return self._header[start : self._at]

    def tell(self) -> int:
        return self._at + self._file.tell()
