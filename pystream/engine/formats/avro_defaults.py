"""The defaults of fields of Avro records: encoded, and as values of Avro's Python classes."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from typing import Any

from pystream.engine.formats.avro_scalars import Encode, encode_integer, encode_string, scalar_encoder
from pystream.engine.formats.avro_schema import Definitions, children_of, definitions_of, marked
from pystream.engine.formats.errors import FieldError
from typeinfo.errors import UnsupportedTypeError

__all__ = ["encoded_default", "shares_defaults", "with_python_defaults"]


def encoded_default(field: dict[str, Any], record: str, definitions: Definitions) -> bytes:
    """Return the default of a field, in binary encoding.

    Args:
        field: the field, whose default is in JSON.
        record: the name of its record.
        definitions: those of the names in its schema.

    Raises:
        UnsupportedTypeError: it does not fit the schema of the field.
    """
    out = bytearray()
    try:
        _encode(field["type"], field["default"], definitions, out)
    except FieldError as error:
        raise UnsupportedTypeError(
            f"the default {field['default']!r} of field {field['name']!r} of the Avro record {record} does "
            f"not fit its schema: {error}"
        ) from error
    return bytes(out)


def _encode(schema: Any, value: Any, definitions: Definitions, out: bytearray) -> None:
    if isinstance(schema, list):
        _encode_branch(schema, value, definitions, out)
        return
    if isinstance(schema, str):
        schema = definitions.get(schema) or {"type": schema}
    match schema["type"], value:
        case "record" | "error", dict():
            for field in schema["fields"]:
                if field["name"] in value or "default" in field:
                    inner = value.get(field["name"], field.get("default"))
                    _encode(field["type"], inner, definitions, out)
                else:
                    raise FieldError("it is missing, and has no default").under(f".{field['name']}")
        case "array", list():
            if value:
                encode_integer(len(value), out)
            for element in value:
                _encode(schema["items"], element, definitions, out)
            out.append(0)
        case "map", dict():
            if value:
                encode_integer(len(value), out)
            for key, entry in value.items():
                encode_string(key, out)
                _encode(schema["values"], entry, definitions, out)
            out.append(0)
        case "bytes" | "fixed", str():
            _raw_encoder(schema)(_latin(value), out)
        case _:
            _raw_encoder(schema)(value, out)


def _encode_branch(branches: list[Any], value: Any, definitions: Definitions, out: bytearray) -> None:
    """Encode a default of a union: of its first branch, or of a later one, as newer versions allow."""
    faults = []
    for i, branch in enumerate(branches):
        encoded = bytearray()
        try:
            _encode(branch, value, definitions, encoded)
        except FieldError as error:
            faults.append(error)
        else:
            encode_integer(i, out)
            out += encoded
            return
    raise faults[0]


def _raw_encoder(schema: dict[str, Any]) -> Encode:
    """Return the encoder of a scalar without its logical type, as defaults are given."""
    encode = scalar_encoder({key: part for key, part in schema.items() if key != "logicalType"})
    if encode is None:
        raise FieldError(f"it is not of the Avro type {schema['type']}")
    return encode


def _latin(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        raise FieldError(f"{text!r} holds characters that are no bytes") from None


def with_python_defaults(schema: Any) -> Any:
    """Return a parsed schema whose defaults are values as fastavro reads them, instead of JSON.

    fastavro gives a field that is missing in a file the default as the schema has it: bytes as text, and
    dates as numbers.
    """
    definitions = definitions_of(schema)
    values = [_decoded(field, record, definitions) for record, field in _defaulted(schema)]
    copy = deepcopy(schema)
    for (_, field), value in zip(_defaulted(copy), values, strict=True):
        field["default"] = value
    return copy


def _decoded(field: dict[str, Any], record: str, definitions: Definitions) -> Any:
    from fastavro import schemaless_reader

    holder = {"type": "record", "name": "Default", "fields": [{"name": "value", "type": field["type"]}]}
    encoded = BytesIO(encoded_default(field, record, definitions))
    decoded: Any = schemaless_reader(encoded, marked(holder, definitions), None)
    return decoded["value"]


def shares_defaults(schema: Any, written: Definitions) -> bool:
    """Return whether records may share a list or a dict: the default of a field that was not written.

    Args:
        schema: the schema that the records are resolved to, with defaults as `with_python_defaults` has them.
        written: the definitions of the schema that they were written by.
    """
    mutable = {field["name"] for _, field in _defaulted(schema) if isinstance(field["default"], (list, dict))}
    records = [definition["fields"] for definition in written.values() if "fields" in definition]
    return any(not mutable <= {field["name"] for field in fields} for fields in records)


def _defaulted(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the fields with defaults, each with the name of its record."""
    for part in children_of(schema):
        yield from _defaulted(part)
    if isinstance(schema, dict) and schema["type"] in ("record", "error"):
        for field in schema["fields"]:
            if "default" in field:
                yield schema["name"], field
