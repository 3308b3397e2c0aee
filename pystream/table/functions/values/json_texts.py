"""JSON texts: what they are, and how values are written as JSON."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import Any, Final, NoReturn

from pystream.table.functions.errors import SqlArithmeticError
from pystream.table.functions.kinds import Kind
from pystream.table.functions.values.writing import double_text
from typeinfo.instant import Instant

__all__ = [
    "NODES",
    "RawJson",
    "array_text",
    "checked",
    "is_json",
    "json_text",
    "node_of_array",
    "node_of_map",
    "node_of_row",
    "object_text",
    "parsed",
    "quoted",
    "text_of_node",
    "unquoted",
]

Node = Callable[[Any], Any]
"""Returns what `json_text` writes for a value that is not null."""


class RawJson(str):
    """A text that is written into JSON as it is."""

    __slots__ = ()


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_BLANKS = " \t\r\n"
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, parse_float=Decimal)


def parsed(text: str) -> Any:
    """Parse a JSON text; what comes after its first value is ignored, as in Flink.

    Raises:
        ValueError: it is none.
    """
    start = text.lstrip(_BLANKS)
    try:
        value, end = _DECODER.raw_decode(start)
        value = _encodable(value) if _SURROGATE.search(text) else value
    except RecursionError:
        raise _too_deep() from None
    if start[end:].strip(_BLANKS) and not (isinstance(value, str | list | dict) or start[end] in _BLANKS):
        raise ValueError(f"{start[: end + 1]} is no JSON")
    return value


def _too_deep() -> ValueError:
    return ValueError("it is nested too deeply")


def _encodable(value: Any) -> Any:
    """Return a value of JSON with ? for surrogates that are no pairs, as in Flink."""
    match value:
        case str():
            return value.encode(errors="replace").decode()
        case list():
            return [_encodable(one) for one in value]
        case dict():
            return {_encodable(name): _encodable(one) for name, one in value.items()}
    return value


def checked(text: str) -> str:
    """Return a JSON text as it is.

    Raises:
        SqlArithmeticError: it is none.
    """
    try:
        return json_text(parsed(text))
    except ValueError as error:
        raise SqlArithmeticError(f"JSON of {text!r}: {error}") from None


def is_json(kind: str, text: str | None) -> bool:
    """Return whether a text is JSON of a kind: VALUE, SCALAR, ARRAY or OBJECT; not if it is null."""
    if text is None:
        return False
    try:
        value = parsed(text)
    except ValueError:
        return False
    is_composite = isinstance(value, list | dict)
    return {
        "ARRAY": isinstance(value, list),
        "OBJECT": isinstance(value, dict),
        "SCALAR": not is_composite,
        "VALUE": True,
    }[kind]


def json_text(value: Any) -> str:
    """Return a value as JSON, with members in the order of their names.

    Raises:
        ValueError: it is nested too deeply.
    """
    try:
        return _json_text(value)
    except RecursionError:
        raise _too_deep() from None


def _json_text(value: Any) -> str:
    match value:
        case RawJson():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return str(Decimal(double_text(value))) if isfinite(value) else f'"{double_text(value)}"'
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"[{','.join(map(_json_text, value))}]"
        case dict():
            members = (f"{_json_text(name)}:{_json_text(value[name])}" for name in sorted(value))
            return f"{{{','.join(members)}}}"
    return str(value)


def object_text(nodes: Sequence[Node], keeps_nulls: bool, *entries: Any) -> str:
    """Return the JSON text of an object.

    Args:
        nodes: those of the values.
        keeps_nulls: whether members whose values are null are kept.
        entries: keys and values, which take turns.

    Raises:
        SqlArithmeticError: a key is null.
    """
    members: dict[str, Any] = {}
    for key, value, node in zip(entries[::2], entries[1::2], nodes, strict=True):
        if key is None:
            raise SqlArithmeticError("a key of JSON_OBJECT is null")
        if value is not None or keeps_nulls:
            members[key] = None if value is None else node(value)
    return json_text(members)


def array_text(nodes: Sequence[Node], keeps_nulls: bool, *elements: Any) -> str:
    """Return the JSON text of an array.

    Args:
        nodes: those of the elements.
        keeps_nulls: whether nulls are kept.
        elements: the elements.
    """
    pairs = zip(elements, nodes, strict=True)
    return json_text(
        [None if one is None else node(one) for one, node in pairs if one is not None or keeps_nulls]
    )


def text_of_node(node: Node, value: Any) -> str:
    """Return a value as JSON."""
    return str(json_text(node(value)))


def node_of_array(node: Node, values: Sequence[Any]) -> list[Any]:
    """Return an array of nodes."""
    return [None if one is None else node(one) for one in values]


def node_of_map(node: Node, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of nodes."""
    return {key: None if one is None else node(one) for key, one in entries.items()}


def node_of_row(names: Sequence[str], nodes: Sequence[Node], row: Sequence[Any]) -> dict[str, Any]:
    """Return an object of the fields of a row."""
    fields = zip(names, nodes, row, strict=True)
    return {name: None if one is None else node(one) for name, node, one in fields}


def _same(value: Any) -> Any:
    return value


def _decimal(value: Decimal) -> RawJson:
    return RawJson(value)


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _timestamp(value: datetime) -> str:
    return value.isoformat(
        timespec="milliseconds" if value.microsecond % 1000 == 0 < value.microsecond else "auto"
    )


def _instant(value: Instant) -> str:
    return f"{_timestamp(value.to_datetime().replace(tzinfo=None))}Z"


NODES: Mapping[Kind | None, Node] = {
    **dict.fromkeys((Kind.BOOLEAN, Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT), _same),
    **dict.fromkeys((Kind.DOUBLE, Kind.FLOAT, Kind.NULL, Kind.TEXT), _same),
    Kind.TIMESTAMP: _timestamp,
    Kind.BYTES: _base64,
    Kind.DECIMAL: _decimal,
    Kind.TIMESTAMP_LTZ: _instant,
}
"""The nodes of values of each kind but arrays, maps and rows; Flink has none of DATE and TIME."""


def quoted(text: str) -> str:
    """Return a text as a JSON string, in ASCII."""
    return json.dumps(text).replace("/", r"\/")


def unquoted(text: str) -> str:
    """Return the text of a JSON string; any other text as it is."""
    try:
        value = parsed(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text
