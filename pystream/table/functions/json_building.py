"""Functions that make JSON, which is text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowType
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import json_texts

__all__ = ["MADE_JSON"]

_STRING = DataTypes.STRING()
_MADE = ("JSON", "JSON_ARRAY", "JSON_OBJECT")
"""The functions whose results are written into others as they are."""


def _node(data_type: DataType) -> Callable[[Any], Any]:
    """Return the function that returns what is written as JSON for values of a type."""
    match data_type:
        case ArrayType():
            return partial(json_texts.node_of_array, _node(data_type.element_type))
        case MapType():
            if kind_of(data_type.key_type) != Kind.TEXT:
                raise ValueError(f"{data_type.nullable()} has keys other than text")
            return partial(json_texts.node_of_map, _node(data_type.value_type))
        case RowType():
            names = tuple(field.name for field in data_type.fields)
            return partial(
                json_texts.node_of_row, names, tuple(_node(field.data_type) for field in data_type.fields)
            )
    node = json_texts.NODES.get(kind_of(data_type))
    if node is None:
        raise ValueError(f"JSON has no {data_type.nullable()}; CAST it to STRING")
    return node


def _nodes(first: int, step: int, arguments: Arguments) -> list[Callable[[Any], Any]]:
    return [
        json_texts.RawJson if arguments.calls.get(position) in _MADE else _node(arguments.types[position])
        for position in range(first, len(arguments.types), step)
    ]


def _object(arguments: Arguments) -> Callable[..., Any]:
    keys = arguments.types[1::2]
    if len(arguments.types) % 2 == 0:
        raise ValueError("a key has no value")
    for key in keys:
        if kind_of(key) != Kind.TEXT:
            raise ValueError(f"a key is STRING, not {key.nullable()}")
    keeps_nulls = arguments.constants[0] == "NULL"
    return partial(json_texts.object_text, _nodes(2, 2, arguments), keeps_nulls)


def _array(arguments: Arguments) -> Callable[..., Any]:
    return partial(json_texts.array_text, _nodes(1, 1, arguments), arguments.constants[0] == "NULL")


def _text(arguments: Arguments) -> Callable[..., Any]:
    return partial(json_texts.text_of_node, _node(arguments.types[0]))


def _write_object(texts: Sequence[str]) -> str:
    on_null, *entries = texts
    members = (f"KEY {key} VALUE {value}" for key, value in zip(entries[::2], entries[1::2], strict=True))
    return f"JSON_OBJECT({', '.join(members)} {on_null} ON NULL)"


def _write_array(texts: Sequence[str]) -> str:
    on_null, *elements = texts
    return f"JSON_ARRAY({', '.join(elements)} {on_null} ON NULL)"


MADE_JSON: Sequence[SqlFunction] = [
    SqlFunction(
        "JSON",
        "STRING|NULL",
        _STRING,
        "The JSON text, which JSON_OBJECT and JSON_ARRAY take as it is; only there.",
        json_texts.checked,
        spark=None,
        examples=[
            """JSON_OBJECT('a' VALUE JSON('{"z": 1, "b": [1, 2]}'))""",
        ],
    ),
    SqlFunction(
        "JSON_ARRAY",
        "WORD [, ANY|NULL...]",
        DataTypes.STRING(nullable=False),
        "The JSON array of values; those that are null are left out unless NULL ON NULL is written.",
        nulls=Nulls.AS_DECLARED,
        python_for=_array,
        spark=None,
        syntax=["JSON_ARRAY([ANY...] [NULL | ABSENT ON NULL])"],
        write=_write_array,
        examples=[
            "JSON_ARRAY()",
            "JSON_ARRAY(1, 'a', CAST(NULL AS INT))",
            "JSON_ARRAY(1, CAST(NULL AS INT) NULL ON NULL)",
            "JSON_ARRAY(JSON_ARRAY(1), JSON_OBJECT('a' VALUE 2), JSON('[ 1 ]'))",
            "JSON_ARRAY(ARRAY[1, 2], MAP['a', 1])",
        ],
    ),
    SqlFunction(
        "JSON_OBJECT",
        "WORD [, ANY|NULL...]",
        DataTypes.STRING(nullable=False),
        "The JSON object of members; those that are null are left out by ABSENT ON NULL.",
        nulls=Nulls.AS_DECLARED,
        python_for=_object,
        spark=None,
        syntax=["JSON_OBJECT([[KEY] STRING VALUE ANY...] [NULL | ABSENT ON NULL])"],
        write=_write_object,
        examples=[
            "JSON_OBJECT()",
            "JSON_OBJECT('b' VALUE 1, 'a' VALUE 'x')",
            "JSON_OBJECT(KEY 'b' VALUE 1, KEY 'a' VALUE CAST(NULL AS INT))",
            "JSON_OBJECT(KEY 'b' VALUE 1, KEY 'a' VALUE CAST(NULL AS INT) ABSENT ON NULL)",
            "JSON_OBJECT('a' VALUE JSON_OBJECT('c' VALUE 1))",
            "JSON_OBJECT('a' VALUE JSON_ARRAY(1, 2))",
            "JSON_OBJECT('a' VALUE JSON_STRING(1.50))",
            "JSON_OBJECT('a' VALUE 1.50, 'b' VALUE TIMESTAMP '2020-01-02 10:11:12', 'c' VALUE TRUE)",
        ],
    ),
    SqlFunction(
        "JSON_STRING",
        "ANY|NULL",
        _STRING,
        "The value as JSON.",
        python_for=_text,
        spark=None,
        examples=[
            """JSON_STRING('a"b/é')""",
            "JSON_STRING(1)",
            "JSON_STRING(1.50)",
            "JSON_STRING(1.5e0)",
            "JSON_STRING(1e10)",
            "JSON_STRING(CAST(1.1 AS FLOAT))",
            "JSON_STRING(TRUE)",
            "JSON_STRING(TIMESTAMP '2020-01-02 10:11:12')",
            "JSON_STRING(TIMESTAMP '2020-01-02 10:11:12.345')",
            "JSON_STRING(TIMESTAMP '2020-01-02 10:11:00')",
            "JSON_STRING(0.0000001)",
            "JSON_STRING(1e-7)",
            "JSON_STRING(CAST(TIMESTAMP '2020-01-02 10:11:12' AS TIMESTAMP_LTZ(3)))",
            "JSON_STRING(X'00ff')",
            "JSON_STRING(ARRAY[1, 2])",
            "JSON_STRING(ARRAY['a', CAST(NULL AS STRING)])",
            "JSON_STRING(MAP['b', 1, 'a', 2])",
            "JSON_STRING(ROW(1, 'x'))",
            "JSON_STRING(CAST(NULL AS INT))",
            "JSON_STRING(CAST(ROW(1, 'x') AS ROW<b INT, a STRING>))",
            "JSON_STRING(CAST('a' AS CHAR(3)))",
        ],
    ),
]
"""The declarations."""
