"""Functions that read JSON, which is text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.conversion import conversion
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import json_paths, json_queries, json_texts

__all__ = ["READ_JSON"]

_STRING = DataTypes.STRING()
_Returned: TypeAlias = Mapping[str, tuple[DataType, Callable[[Any], Any]]]
_RETURNED: _Returned = {
    "STRING": (DataTypes.STRING(), json_queries.text_of),
    "BOOLEAN": (DataTypes.BOOLEAN(), json_queries.boolean_of),
    "INT": (DataTypes.INT(), json_queries.integer_of),
    "DOUBLE": (DataTypes.DOUBLE(), json_queries.double_of),
}
_ARRAY = "ARRAY<STRING>"
_QUERIED: _Returned = {
    "STRING": (DataTypes.STRING(), json_texts.json_text),
    _ARRAY: (DataTypes.ARRAY(DataTypes.STRING()), json_queries.texts_of),
}


def _path(arguments: Arguments) -> json_paths.JsonPath:
    path = arguments.constants.get(1)
    if not isinstance(path, str):
        raise ValueError("the path must be a literal")
    return json_paths.json_path(path)


def _returned(known: _Returned, arguments: Arguments) -> tuple[DataType, Callable[[Any], Any]]:
    name = str(arguments.constants.get(2))
    if name not in known:
        raise ValueError(f"RETURNING takes {', '.join(known)}, not {name}")
    return known[name]


def _returned_type(known: _Returned, arguments: Arguments) -> DataType:
    data_type, _ = known.get(str(arguments.constants.get(2)), known["STRING"])
    return data_type


def _exists(arguments: Arguments) -> Callable[..., Any]:
    return partial(json_queries.exists, _path(arguments), str(arguments.constants[2]))


def _value(arguments: Arguments) -> Callable[..., Any]:
    data_type, convert = _returned(_RETURNED, arguments)
    defaults = _default(data_type, arguments.types[4]), _default(data_type, arguments.types[6])
    on_empty, on_error = str(arguments.constants[3]), str(arguments.constants[5])
    return partial(json_queries.value_at, convert, _path(arguments), (on_empty, on_error), defaults)


def _default(data_type: DataType, own: DataType) -> Callable[[Any], Any] | None:
    if kind_of(own) == Kind.NULL:
        return None
    convert = conversion(own.nullable(), data_type)
    if convert is None:
        raise ValueError(f"DEFAULT takes {data_type}, not {own.nullable()}")
    return convert


def _queried(arguments: Arguments) -> Callable[..., Any]:
    _, convert = _returned(_QUERIED, arguments)
    wrapper, on_empty, on_error = (str(arguments.constants[place]) for place in (3, 4, 5))
    if convert is json_queries.texts_of and "EMPTY OBJECT" in (on_empty, on_error):
        raise ValueError(f"RETURNING {_ARRAY} takes EMPTY ARRAY, not EMPTY OBJECT")
    return partial(json_queries.queried, convert, _path(arguments), wrapper, (on_empty, on_error))


def _write_value(texts: Sequence[str]) -> str:
    json, path, returned, on_empty, empty, on_error, error = texts
    first = f"{on_empty} {empty}" if on_empty == "DEFAULT" else on_empty
    second = f"{on_error} {error}" if on_error == "DEFAULT" else on_error
    return f"JSON_VALUE({json}, {path} RETURNING {returned} {first} ON EMPTY {second} ON ERROR)"


def _write_query(texts: Sequence[str]) -> str:
    json, path, returned, wrapper, on_empty, on_error = texts
    wrapped = "WITHOUT ARRAY WRAPPER" if wrapper == "WITHOUT" else f"WITH {wrapper} ARRAY WRAPPER"
    return (
        f"JSON_QUERY({json}, {path} RETURNING {returned} {wrapped} {on_empty} ON EMPTY {on_error} ON ERROR)"
    )


READ_JSON: Sequence[SqlFunction] = [
    SqlFunction(
        "IS JSON",
        "STRING, WORD",
        DataTypes.BOOLEAN(nullable=False),
        "Whether the text is JSON: a VALUE unless said, a SCALAR, an ARRAY or an OBJECT; false for null.",
        nulls=Nulls.AS_DECLARED,
        python_for=lambda arguments: partial(json_texts.is_json, str(arguments.constants[1])),
        spark=None,
        syntax=["{0} IS JSON {1}"],
        examples=[
            """'{"a": 1}' IS JSON""",
            """'{"a": 1} x' IS JSON""",
            """'{"a": 1}' IS JSON OBJECT""",
            "'[1]' IS JSON ARRAY",
            "'1' IS JSON SCALAR",
            """'"x"' IS JSON SCALAR""",
            "'null' IS JSON",
            "'' IS JSON",
            "'NaN' IS JSON",
            "'01' IS JSON",
            "' 1 ' IS JSON",
            "'{a:1}' IS JSON",
            "REPEAT('[', 3000) IS JSON",
            "CAST(NULL AS STRING) IS JSON",
        ],
    ),
    SqlFunction(
        "JSON_EXISTS",
        "STRING, PATH, WORD",
        DataTypes.BOOLEAN(),
        "Whether something is at the path in the JSON text; false for an error unless said.",
        nulls=Nulls.AND_OTHERS,
        python_for=_exists,
        spark=None,
        syntax=["JSON_EXISTS({0}, {1} {2} ON ERROR)"],
        examples=[
            """JSON_EXISTS('{"a": 1}', '$.a')""",
            """JSON_EXISTS('{"a": null}', '$.a')""",
            """JSON_EXISTS('{"a": 1}', '$.b')""",
            """JSON_EXISTS('{"a": 1}', 'lax $.b')""",
            """JSON_EXISTS('{"a": 1}', 'strict $.b' TRUE ON ERROR)""",
            """JSON_EXISTS('{"a": 1}', 'strict $.b' UNKNOWN ON ERROR)""",
            "JSON_EXISTS('x', '$.b' TRUE ON ERROR)",
            """JSON_EXISTS('{"a": []}', 'lax $.a[*]')""",
            "JSON_EXISTS(CAST(NULL AS STRING), '$.a')",
        ],
    ),
    SqlFunction(
        "JSON_QUERY",
        "STRING, PATH, WORD, WORD, WORD, WORD",
        partial(_returned_type, _QUERIED),
        "The array or object at the path in the JSON text; null if there is none, or an error, unless said.",
        nulls=Nulls.AND_OTHERS,
        python_for=_queried,
        spark=None,
        syntax=[
            "JSON_QUERY(STRING, PATH [RETURNING STRING | ARRAY<STRING>] [WITHOUT | WITH [CONDITIONAL | "
            "UNCONDITIONAL] [ARRAY] WRAPPER] "
            "[NULL | EMPTY ARRAY | EMPTY OBJECT | ERROR ON EMPTY] [… ON ERROR])"
        ],
        write=_write_query,
        examples=[
            """JSON_QUERY('{"a": [1, 2]}', '$.a')""",
            """JSON_QUERY('{"a": {"z": 1.50, "b": null}}', '$.a')""",
            """JSON_QUERY('{"a": 1}', '$.a')""",
            """JSON_QUERY('{"a": 1}', 'lax $.a')""",
            """JSON_QUERY('{"a": 1}', '$.a' WITH WRAPPER)""",
            """JSON_QUERY('{"a": [1]}', '$.a' WITH UNCONDITIONAL ARRAY WRAPPER)""",
            """JSON_QUERY('{"a": [1]}', '$.a' WITH CONDITIONAL ARRAY WRAPPER)""",
            """JSON_QUERY('{"a": 1}', '$.a' WITH CONDITIONAL WRAPPER)""",
            """JSON_QUERY('{"a": 1}', 'lax $.b' EMPTY ARRAY ON EMPTY)""",
            """JSON_QUERY('{"a": 1}', 'lax $.b' EMPTY OBJECT ON EMPTY)""",
            """JSON_QUERY('{"a": 1}', 'strict $.b' EMPTY OBJECT ON ERROR)""",
            "JSON_QUERY('x', '$.b' EMPTY ARRAY ON ERROR)",
            """JSON_QUERY('{"a": [{"b": 1}, {"b": 2}, {"c": 3}]}', '$.a[*].b')""",
            """JSON_QUERY('{"a": [{"b": 1}, {"b": 2}, {"c": 3}]}', '$..b')""",
            """JSON_QUERY('{"a": [1, 2, 3, 4]}', '$.a[1:3]')""",
            """JSON_QUERY('{"a": [1, 2, 3, 4]}', '$.a[-2:]')""",
            """JSON_QUERY('{"a": [1, 2, 3, 4]}', '$.a[0,2]')""",
            """JSON_QUERY('{"a": {"x": 1, "y": 2}}', '$.a.*')""",
            """JSON_QUERY('{"a": {"x": 1, "y": 2, "z": 3}}', '$.a[''x'',''z'']')""",
            """JSON_QUERY('{"a": 1}', 'lax $.x[*]')""",
            """JSON_QUERY('{"a": 1}', '$.x[*]')""",
            """JSON_QUERY('{"a": 5}', '$.a[*]')""",
            """JSON_QUERY('{"a": [1, "x", null, {"b": 2}, 1.50, true]}', '$.a' RETURNING ARRAY<STRING>)""",
            """JSON_QUERY('{"a": {"b": 1}}', '$.a' RETURNING ARRAY<STRING>)""",
            """JSON_QUERY('{"a": 1}', '$.a' RETURNING ARRAY<STRING> WITH WRAPPER)""",
            """JSON_QUERY('{"a": 1}', 'lax $.b' RETURNING ARRAY<STRING> EMPTY ARRAY ON EMPTY)""",
            r"""JSON_QUERY('{"b": "é\u00e9/\n"}', '$')""",
            r"""JSON_QUERY('{"a": ["\ud800", "\ud83d\ude00"]}', '$.a')""",
        ],
    ),
    SqlFunction(
        "JSON_QUOTE",
        "STRING|NULL",
        _STRING,
        "The text as a JSON string.",
        json_texts.quoted,
        spark=None,
        examples=[
            """JSON_QUOTE('a"b/é')""",
        ],
    ),
    SqlFunction(
        "JSON_UNQUOTE",
        "STRING|NULL",
        _STRING,
        "The text of a JSON string; any other text as it is.",
        json_texts.unquoted,
        spark=None,
        examples=[
            r"""JSON_UNQUOTE('"a\"b\u00e9"')""",
            "JSON_UNQUOTE('abc')",
            """JSON_UNQUOTE('"abc')""",
            "JSON_UNQUOTE('[1]')",
        ],
    ),
    SqlFunction(
        "JSON_VALUE",
        "STRING, PATH, WORD, WORD, ANY|NULL, WORD, ANY|NULL",
        partial(_returned_type, _RETURNED),
        "The scalar value at the path in the JSON text; null if there is none, or an error, unless said.",
        nulls=Nulls.AS_DECLARED,
        python_for=_value,
        spark=None,
        syntax=[
            "JSON_VALUE(STRING, PATH [RETURNING STRING | BOOLEAN | INT | DOUBLE] "
            "[NULL | ERROR | DEFAULT T ON EMPTY] [… ON ERROR])"
        ],
        write=_write_value,
        examples=[
            """JSON_VALUE('{"a": "x"}', '$.a')""",
            """JSON_VALUE('{"a": 1}', '$.a')""",
            """JSON_VALUE('{"a": 1.50}', '$.a')""",
            """JSON_VALUE('{"a": 1e10}', '$.a')""",
            """JSON_VALUE('{"a": 12345678901234567890}', '$.a')""",
            """JSON_VALUE('{"a": 0.1234567890123456789}', '$.a')""",
            """JSON_VALUE('{"a": true}', '$.a')""",
            """JSON_VALUE('{"a": null}', '$.a')""",
            """JSON_VALUE('{"a": {"b": 1}}', '$.a')""",
            """JSON_VALUE('{"a": {"b": 1}}', 'lax $.a')""",
            """JSON_VALUE('{"a": {"b": 1}}', 'lax $.a' DEFAULT 'e' ON EMPTY)""",
            """JSON_VALUE('{"a": {"b": 1}}', 'strict $.a' DEFAULT 'e' ON ERROR)""",
            """JSON_VALUE('{"a": 1}', 'lax $.b' DEFAULT 'e' ON EMPTY)""",
            """JSON_VALUE('{"a": 1}', 'strict $.b' DEFAULT 'e' ON EMPTY DEFAULT 'f' ON ERROR)""",
            """JSON_VALUE('{"a": 1}', '$.b' DEFAULT 'e' ON EMPTY DEFAULT 'f' ON ERROR)""",
            "JSON_VALUE('x', 'lax $.b' DEFAULT 'f' ON ERROR)",
            """JSON_VALUE('{"a": 1}', '$.a' RETURNING INT)""",
            """JSON_VALUE('{"a": 1}', '$.a' RETURNING INTEGER)""",
            """JSON_VALUE('{"a": 1.5}', '$.a' RETURNING DOUBLE)""",
            """JSON_VALUE('{"a": true}', '$.a' RETURNING BOOLEAN)""",
            """JSON_VALUE('{"a": 1}', '$.a' RETURNING STRING)""",
            """JSON_VALUE('{"a": 1}', 'lax $.b' RETURNING INT DEFAULT 5 ON EMPTY)""",
            "JSON_VALUE(CAST(NULL AS STRING), 'lax $.b' DEFAULT 'e' ON EMPTY)",
            """JSON_VALUE('{"a b": 1}', '$[''a b'']')""",
            """JSON_VALUE('{"a": [1, 2, 3]}', '$.a[1]')""",
            """JSON_VALUE('{"a": [1, 2, 3]}', '$.a[-1]')""",
            """JSON_VALUE('{"a": [1, 2, 3]}', 'lax $.a[9]')""",
            """JSON_VALUE('{"a": 1}', 'a')""",
            """JSON_VALUE('{"a": 1} x', '$.a')""",
            """JSON_VALUE('{"A": 1}', '$.a')""",
            r"""JSON_VALUE('{"a": "x\ud800y"}', '$.a')""",
            "JSON_VALUE(REPEAT('[', 20000), '$.a')",
            "JSON_VALUE('5', '$')",
        ],
    ),
]
"""The declarations."""
