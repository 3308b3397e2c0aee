"""Map a JSON schema to a row type."""

from __future__ import annotations

import json
from typing import Any

from typeinfo.composite import RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["type_of_json_schema"]

_FORMATS: dict[str, TypeInformation[Any]] = {
    "date-time": Types.SQL_TIMESTAMP,
    "date": Types.SQL_DATE,
    "time": Types.SQL_TIME,
}
_BASIC_ELEMENTS = (Types.STRING, Types.BOOLEAN)


def type_of_json_schema(text: str) -> RowTypeInfo[Any]:
    """Return the row type of a JSON schema.

    Objects become ROW_NAMED, arrays BASIC_ARRAY or OBJECT_ARRAY (with a list of ``items``, ROW), integers and
    numbers BIG_DEC; strings become SQL_TIMESTAMP, SQL_DATE or SQL_TIME by their ``format``, bytes by the
    ``contentEncoding`` base64, else STRING. ``$ref`` may point into the same document, once.

    Raises:
        UnsupportedTypeError: the text is not a JSON schema of an object, or has no corresponding type; the
            message names the place.

    Mirrors ``org.apache.flink.formats.json.JsonRowSchemaConverter``.
    """
    try:
        root = json.loads(text)
    except (ValueError, TypeError) as error:
        raise UnsupportedTypeError(f"the JSON schema is not JSON: {error}") from error
    t = _Converter(root).convert(root, "<root>")
    if not isinstance(t, RowTypeInfo):
        raise UnsupportedTypeError(f"the JSON schema must describe an object, not {t}")
    return t


class _Converter:
    def __init__(self, root: Any) -> None:
        self._root = root

    def convert(self, node: Any, at: str) -> TypeInformation[Any]:
        if not isinstance(node, dict):
            raise UnsupportedTypeError(f"JSON schema, {at}: expected an object, not {node!r}")
        if "$ref" in node:
            node = self._referred(node["$ref"], at)
        if "oneOf" in node:
            return self._one_of(node["oneOf"], at)
        if any(key in node for key in ("allOf", "anyOf", "not")):
            raise UnsupportedTypeError(f"JSON schema, {at}: allOf, anyOf and not have no type")
        kinds = node.get("type")
        if kinds is None:
            raise UnsupportedTypeError(f"JSON schema, {at}: no type is given")
        if isinstance(kinds, list):
            kinds = [kind for kind in kinds if kind != "null"] or ["null"]
            if len(kinds) > 1:
                raise UnsupportedTypeError(
                    f"JSON schema, {at}: a union of {kinds} has no type, only one with null"
                )
            (kinds,) = kinds
        return self._of_kind(kinds, node, at)

    def _referred(self, reference: Any, at: str) -> Any:
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise UnsupportedTypeError(
                f"JSON schema, {at}: {reference!r} does not refer to the same document"
            )
        target = self._root
        for step in reference[1:].split("/")[1:]:
            if not isinstance(target, dict) or step not in target:
                raise UnsupportedTypeError(f"JSON schema, {at}: {reference!r} does not exist")
            target = target[step]
        if isinstance(target, dict) and "$ref" in target:
            raise UnsupportedTypeError(f"JSON schema, {at}: {reference!r} refers to another reference")
        return target

    def _one_of(self, choices: Any, at: str) -> TypeInformation[Any]:
        types = [self.convert(choice, f"{at}/oneOf") for choice in choices]
        present = [t for t in types if t is not Types.VOID]
        if len(types) > 2 or len(present) > 1:
            raise UnsupportedTypeError(
                f"JSON schema, {at}: a union of {types} has no type, only one with null"
            )
        return present[0] if present else Types.VOID

    def _of_kind(self, kind: Any, node: dict[str, Any], at: str) -> TypeInformation[Any]:
        match kind:
            case "null":
                return Types.VOID
            case "boolean":
                return Types.BOOLEAN
            case "integer" | "number":
                return Types.BIG_DEC
            case "string":
                return self._string(node, at)
            case "object":
                properties = node.get("properties", {})
                types = [self.convert(part, f"{at}/{name}") for name, part in properties.items()]
                return RowTypeInfo(types, list(properties))
            case "array":
                return self._array(node, at)
        raise UnsupportedTypeError(f"JSON schema, {at}: {kind!r} is not a type of JSON")

    def _string(self, node: dict[str, Any], at: str) -> TypeInformation[Any]:
        if "contentEncoding" in node:
            if node["contentEncoding"] != "base64":
                raise UnsupportedTypeError(f"JSON schema, {at}: contentEncoding must be base64")
            return Types.PRIMITIVE_ARRAY(Types.BYTE)
        return _FORMATS.get(node.get("format", ""), Types.STRING)

    def _array(self, node: dict[str, Any], at: str) -> TypeInformation[Any]:
        items = node.get("items")
        if isinstance(items, list):
            return Types.ROW([self.convert(item, f"{at}/items[{i}]") for i, item in enumerate(items)])
        if items is None:
            raise UnsupportedTypeError(f"JSON schema, {at}: an array needs items")
        element = self.convert(items, f"{at}/items")
        return Types.BASIC_ARRAY(element) if element in _BASIC_ELEMENTS else Types.OBJECT_ARRAY(element)
