"""Types from JSON schemas, as Flink 2.3's JsonRowSchemaConverter gives them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pystream.datastream.formats.json import JsonRowDeserializationSchema
from typeinfo import Row, Types, UnsupportedTypeError
from typeinfo.info import TypeInformation

T = Types
DEFINITIONS = {
    "q": {"type": "object", "properties": {"z": {"type": "string"}}},
    "r": {"$ref": "#/definitions/q"},
}


def type_of(properties: dict[str, Any]) -> TypeInformation[Any]:
    text = json.dumps({"type": "object", "properties": properties, "definitions": DEFINITIONS})
    return JsonRowDeserializationSchema.builder().json_schema(text).build().get_produced_type()


@pytest.mark.promise("JsonRowDeserializationSchema.Builder.json_schema")
@pytest.mark.parametrize(
    ("schema", "type_info"),
    [
        ({"type": "integer"}, T.BIG_DEC),
        ({"type": "number"}, T.BIG_DEC),
        ({"type": "string"}, T.STRING),
        ({"type": "boolean"}, T.BOOLEAN),
        ({"type": "null"}, T.VOID),
        ({"type": "array", "items": {"type": "string"}}, T.BASIC_ARRAY(T.STRING)),
        ({"type": "array", "items": {"type": "number"}}, T.OBJECT_ARRAY(T.BIG_DEC)),
        ({"type": "array", "items": [{"type": "string"}, {"type": "number"}]}, T.ROW([T.STRING, T.BIG_DEC])),
        ({"type": "object", "properties": {"g": {"type": "null"}}}, T.ROW_NAMED(["g"], [T.VOID])),
        ({"type": "object"}, T.ROW_NAMED([], [])),
        ({"type": "string", "format": "date-time"}, T.SQL_TIMESTAMP),
        ({"type": "string", "format": "date"}, T.SQL_DATE),
        ({"type": "string", "format": "time"}, T.SQL_TIME),
        ({"type": "string", "contentEncoding": "base64"}, T.PRIMITIVE_ARRAY(T.BYTE)),
        ({"type": ["string", "null"]}, T.STRING),
        ({"oneOf": [{"type": "null"}, {"type": "string"}]}, T.STRING),
        ({"$ref": "#/definitions/q"}, T.ROW_NAMED(["z"], [T.STRING])),
    ],
    ids=str,
)
def test_each_kind_of_schema_has_a_type(schema: dict[str, Any], type_info: TypeInformation[Any]) -> None:
    assert type_of({"a": schema}) == T.ROW_NAMED(["a"], [type_info])


def test_rows_are_read_by_the_schema() -> None:
    tags = '{"type":"array","items":{"type":"string"}}'
    text = f'{{"type":"object","properties":{{"id":{{"type":"integer"}},"tags":{tags}}}}}'
    schema = JsonRowDeserializationSchema.builder().json_schema(text).build()
    assert schema.deserialize(b'{"id":7,"tags":["a"]}') == Row(id=7, tags=["a"])


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({}, "<root>/a: no type is given"),
        ({"enum": ["x"]}, "<root>/a: no type is given"),
        ({"type": "date"}, "<root>/a: 'date' is not a type of JSON"),
        ({"type": ["string", "number"]}, "<root>/a: a union of"),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, "<root>/a: a union of"),
        ({"allOf": [{"type": "string"}]}, "<root>/a: allOf, anyOf and not have no type"),
        ({"$ref": "http://x"}, "<root>/a: 'http://x' does not refer to the same document"),
        ({"$ref": "#/nowhere"}, "<root>/a: '#/nowhere' does not exist"),
        ({"$ref": "#/definitions/r"}, "<root>/a: '#/definitions/r' refers to another reference"),
        ({"type": "array"}, "<root>/a: an array needs items"),
        ({"type": "array", "items": {}}, "<root>/a/items: no type is given"),
        ({"type": "string", "contentEncoding": "hex"}, "<root>/a: contentEncoding must be base64"),
        (5, "<root>/a: expected an object, not 5"),
    ],
    ids=str,
)
def test_schemas_without_a_type_are_refused_with_their_place(schema: Any, fault: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        type_of({"a": schema})


@pytest.mark.parametrize(
    ("text", "fault"),
    [("nope", "is not JSON"), ('{"type":"integer"}', "must describe an object")],
)
def test_a_text_that_is_not_the_schema_of_an_object_is_refused(text: str, fault: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=fault):
        JsonRowDeserializationSchema.builder().json_schema(text)
