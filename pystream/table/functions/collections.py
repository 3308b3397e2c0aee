"""Functions of arrays and maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType
from pystream.table.functions.common_types import common_argument_type
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import collections as values

__all__ = ["COLLECTIONS"]

_NUMBERS = "ARRAY[3, 1, CAST(NULL AS INT), 3]"
_EMPTY = "CAST(NULL AS ARRAY<INT>)"
_MAP = "MAP['a', 1, 'b', 2]"
_UNORDERED = (Kind.ARRAY, Kind.MAP, Kind.ROW)


def _first(arguments: Arguments) -> DataType:
    return arguments.types[0]


def _element(arguments: Arguments, position: int = 0) -> DataType:
    array = arguments.types[position]
    assert isinstance(array, ArrayType)
    return array.element_type


def _nullable_element(arguments: Arguments) -> DataType:
    return _element(arguments).nullable()


def _of_ordered(function: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """Return a function of arrays whose elements have an order."""
    element = _nullable_element(arguments)
    if kind_of(element) in _UNORDERED:
        raise ValueError(f"{element} has no order")
    return function


def _with_element(arguments: Arguments) -> DataType:
    """Return the type of an array with one more element, which may be null."""
    array, added = arguments.types
    element = _element(arguments)
    return _as_null(DataTypes.ARRAY(element.nullable() if added.is_nullable else element), array)


def _as_null(data_type: DataType, other: DataType) -> DataType:
    """Return a type, nullable if another one is."""
    return data_type.nullable() if other.is_nullable else data_type.not_null()


def _contained_in_spark(arguments: Arguments) -> str:
    has_null = "EXISTS({0}, x -> x IS NULL)"
    if kind_of(arguments.types[1]) == Kind.NULL:
        return f"IF({{0}} IS NULL, NULL, {has_null})"
    has_value = "COALESCE(ARRAY_CONTAINS({0}, {1}), FALSE)"
    return f"IF({{0}} IS NULL, NULL, IF({{1}} IS NULL, {has_null}, {has_value}))"


def _of_first_null(data_type: DataType) -> Callable[[Arguments], DataType]:
    return lambda arguments: _as_null(data_type, arguments.types[0])


def _joined(arguments: Arguments) -> DataType:
    """Return the type of an array of the elements of several."""
    elements = [_element(arguments, position) for position in range(len(arguments.types))]
    common = common_argument_type(elements)
    assert common is not None
    return DataTypes.ARRAY(common if any(one.is_nullable for one in elements) else common.not_null())


def _map_of(arguments: Arguments) -> MapType:
    data_type = arguments.types[0]
    assert isinstance(data_type, MapType)
    return data_type


def _entries(arguments: Arguments) -> DataType:
    data_type = _map_of(arguments)
    fields = [
        DataTypes.FIELD("key", data_type.key_type),
        DataTypes.FIELD("value", data_type.value_type),
    ]
    return DataTypes.ARRAY(DataTypes.ROW(fields))


def _united_type(arguments: Arguments) -> DataType:
    return common_argument_type(arguments.types) or arguments.types[0]


def _united_in_spark(arguments: Arguments) -> str:
    united = "{0}"
    for place in range(1, len(arguments.types)):
        kept = f"MAP_FILTER({united}, (k, v) -> NOT MAP_CONTAINS_KEY({{{place}}}, k))"
        united = f"MAP_CONCAT({kept}, {{{place}}})"
    return united


def _set_function(name: str, does: str, python: Callable[..., Any]) -> SqlFunction:
    others = "ARRAY[3, 4, 4]"
    return SqlFunction(
        name,
        "ARRAY<T>, ARRAY<T>",
        _joined,
        does,
        python,
        examples=[
            f"{name}({_NUMBERS}, {others})",
            f"{name}({others}, {_NUMBERS})",
            f"{name}({_EMPTY}, {others})",
        ],
    )


_NULLS = "FILTER({0}, x -> x IS NULL)"
_FIRST_PLACE = "GREATEST(IF({1} < 0, CARDINALITY({0}) + {1} + 1, LEAST({1}, CARDINALITY({0}) + 1)), 1)"
_LAST_PLACE = "IF({2} < 0, CARDINALITY({0}) + {2} + 1, LEAST(GREATEST({2}, 1), CARDINALITY({0})))"
_SORTED = "SORT_ARRAY(FILTER({0}, x -> x IS NOT NULL), {1})"

COLLECTIONS: Sequence[SqlFunction] = [
    SqlFunction(
        "ARRAY_APPEND",
        "ARRAY<T>, T|NULL",
        _with_element,
        "The array with one more element at its end.",
        values.appended,
        Nulls.AS_DECLARED,
        examples=[f"ARRAY_APPEND({_NUMBERS}, 4)", "ARRAY_APPEND(ARRAY[1], CAST(NULL AS INT))"],
    ),
    SqlFunction(
        "ARRAY_CONCAT",
        "ARRAY<T> [, ARRAY<T>...]",
        _joined,
        "The elements of all arrays.",
        values.concatenated,
        spark=["CONCAT({0:})"],
        examples=[f"ARRAY_CONCAT({_NUMBERS}, ARRAY[5])", f"ARRAY_CONCAT(ARRAY[1], {_EMPTY})"],
    ),
    SqlFunction(
        "ARRAY_CONTAINS",
        "ARRAY<T>, T|NULL",
        _of_first_null(DataTypes.BOOLEAN()),
        "Whether the array has an element, which may be null.",
        values.contains,
        Nulls.AS_DECLARED,
        spark=_contained_in_spark,
        examples=[
            f"ARRAY_CONTAINS({_NUMBERS}, 1)",
            f"ARRAY_CONTAINS({_NUMBERS}, 9)",
            f"ARRAY_CONTAINS({_NUMBERS}, NULL)",
            f"ARRAY_CONTAINS({_NUMBERS}, CAST(NULL AS INT))",
            "ARRAY_CONTAINS(ARRAY[DATE '2024-02-29'], NULL)",
            f"ARRAY_CONTAINS({_EMPTY}, 1)",
        ],
    ),
    SqlFunction(
        "ARRAY_DISTINCT",
        "ARRAY",
        _first,
        "The different elements, in the order of their first places.",
        values.distinct,
        examples=[f"ARRAY_DISTINCT({_NUMBERS})", "ARRAY_DISTINCT(ARRAY['b', 'a', 'b'])"],
    ),
    _set_function(
        "ARRAY_EXCEPT", "The elements of the first array that are not in the second.", values.without_all
    ),
    _set_function("ARRAY_INTERSECT", "The different elements that are in both arrays.", values.common),
    SqlFunction(
        "ARRAY_JOIN",
        "ARRAY<STRING>, STRING|NULL [, STRING|NULL]",
        DataTypes.STRING(),
        "The elements with a text between them, and a third one for nulls, which are left out without it.",
        values.joined,
        examples=[
            "ARRAY_JOIN(ARRAY['a', 'b'], '-')",
            "ARRAY_JOIN(ARRAY['a', CAST(NULL AS STRING), 'b'], '-')",
            "ARRAY_JOIN(ARRAY['a', CAST(NULL AS STRING), 'b'], '-', '?')",
        ],
    ),
    SqlFunction(
        "ARRAY_MAX",
        "ARRAY",
        _nullable_element,
        "The greatest element, without nulls.",
        nulls=Nulls.AND_OTHERS,
        python_for=partial(_of_ordered, values.greatest),
        examples=[f"ARRAY_MAX({_NUMBERS})", "ARRAY_MAX(ARRAY[CAST(NULL AS INT)])"],
    ),
    SqlFunction(
        "ARRAY_MIN",
        "ARRAY",
        _nullable_element,
        "The least element, without nulls.",
        nulls=Nulls.AND_OTHERS,
        python_for=partial(_of_ordered, values.least),
        examples=[f"ARRAY_MIN({_NUMBERS})", "ARRAY_MIN(ARRAY[CAST(NULL AS INT)])"],
    ),
    SqlFunction(
        "ARRAY_POSITION",
        "ARRAY<T>, T|NULL",
        DataTypes.INT(),
        "Where the array has an element first; 0 if it has none.",
        values.position,
        spark=["CAST(ARRAY_POSITION({0}, {1}) AS INT)"],
        examples=[f"ARRAY_POSITION({_NUMBERS}, 1)", f"ARRAY_POSITION({_NUMBERS}, 9)"],
    ),
    SqlFunction(
        "ARRAY_PREPEND",
        "ARRAY<T>, T|NULL",
        _with_element,
        "The array with one more element at its start.",
        values.prepended,
        Nulls.AS_DECLARED,
        examples=[f"ARRAY_PREPEND({_NUMBERS}, 4)", "ARRAY_PREPEND(ARRAY[1], CAST(NULL AS INT))"],
    ),
    SqlFunction(
        "ARRAY_REMOVE",
        "ARRAY<T>, T|NULL",
        _first,
        "The array without all elements of a value.",
        values.without,
        Nulls.AS_DECLARED,
        spark=["FILTER({0}, x -> NOT (x <=> {1}))"],
        examples=[f"ARRAY_REMOVE({_NUMBERS}, 3)", f"ARRAY_REMOVE({_NUMBERS}, CAST(NULL AS INT))"],
    ),
    SqlFunction(
        "ARRAY_REVERSE",
        "ARRAY",
        _first,
        "The elements in reverse order.",
        values.reversed_array,
        spark=["REVERSE({0})"],
        examples=[f"ARRAY_REVERSE({_NUMBERS})"],
    ),
    SqlFunction(
        "ARRAY_SLICE",
        "ARRAY, PLACE|NULL [, PLACE|NULL]",
        _first,
        "The elements from one place to another, both included, or to the end; negative ones count from it.",
        values.slice_of,
        spark=[
            f"IF({{1}} IS NULL, NULL, SLICE({{0}}, {_FIRST_PLACE}, CARDINALITY({{0}})))",
            f"IF({{1}} IS NULL OR {{2}} IS NULL, NULL, SLICE({{0}}, {_FIRST_PLACE}, "
            f"GREATEST({_LAST_PLACE} - {_FIRST_PLACE} + 1, 0)))",
        ],
        examples=[
            f"ARRAY_SLICE({_NUMBERS}, {places})"
            for places in (
                *("2", "2, 3", "-2", "1, -2", "3, 2", "9", "-3, 2", "0, 2", "1, 0", "-9, 2", "2, 9"),
                *("2147483647, -2147483647 - 1", "-2147483647 - 1, 2147483647", "1, -2147483647 - 1"),
            )
        ],
    ),
    SqlFunction(
        "ARRAY_SORT",
        "ARRAY [, BOOLEAN|NULL [, BOOLEAN|NULL]]",
        _first,
        "The elements in order, descending if the second argument is false; nulls come first in an ascending "
        "order and last in the other, unless the third argument says whether they come first.",
        python_for=partial(_of_ordered, values.sorted_array),
        spark=[
            "SORT_ARRAY({0})",
            "SORT_ARRAY({0}, {1})",
            f"IF({{2}}, CONCAT({_NULLS}, {_SORTED}), CONCAT({_SORTED}, {_NULLS}))",
        ],
        examples=[
            f"ARRAY_SORT({_NUMBERS}{order})"
            for order in ("", ", TRUE", ", FALSE", ", TRUE, FALSE", ", FALSE, TRUE")
        ],
    ),
    _set_function(
        "ARRAY_UNION",
        "The different elements of both arrays, in the order of their first places.",
        values.union,
    ),
    SqlFunction(
        "CARDINALITY",
        "ARRAY|MAP",
        DataTypes.INT(),
        "The number of elements or entries.",
        len,
        examples=[f"CARDINALITY({_NUMBERS})", f"CARDINALITY({_MAP})", f"CARDINALITY({_EMPTY})"],
    ),
    SqlFunction(
        "ELEMENT",
        "ARRAY",
        _nullable_element,
        "The only element of an array; null if it is empty, an error if it has more.",
        values.only,
        Nulls.AND_OTHERS,
        spark=[
            "GET({0}, IF(CARDINALITY({0}) > 1, "
            "CAST(RAISE_ERROR('ELEMENT takes arrays of one element') AS INT), 0))"
        ],
        examples=["ELEMENT(ARRAY['x'])", f"ELEMENT({_EMPTY})"],
    ),
    SqlFunction(
        "MAP_ENTRIES",
        "MAP",
        _entries,
        "The entries, as rows of a key and a value.",
        values.entries,
        examples=[f"MAP_ENTRIES({_MAP})"],
    ),
    SqlFunction(
        "MAP_FROM_ARRAYS",
        "ARRAY, ARRAY",
        lambda arguments: DataTypes.MAP(_element(arguments), _element(arguments, 1)),
        "The map of the keys of one array to the values of another.",
        values.map_from_arrays,
        spark=None,
        examples=[
            "MAP_FROM_ARRAYS(ARRAY['a', 'b'], ARRAY[1, 2])",
            "MAP_FROM_ARRAYS(ARRAY['a', 'a'], ARRAY[1, 2])",
        ],
    ),
    SqlFunction(
        "MAP_KEYS",
        "MAP",
        lambda arguments: DataTypes.ARRAY(_map_of(arguments).key_type),
        "The keys, as an array.",
        list,
        examples=[f"MAP_KEYS({_MAP})"],
    ),
    SqlFunction(
        "MAP_UNION",
        "MAPS [, MAPS...]",
        _united_type,
        "The entries of all maps; of those with the same key the last one.",
        values.united,
        spark=_united_in_spark,
        examples=[f"MAP_UNION({_MAP}, MAP['b', 3, 'c', 4])", f"MAP_UNION({_MAP})"],
    ),
    SqlFunction(
        "MAP_VALUES",
        "MAP",
        lambda arguments: DataTypes.ARRAY(_map_of(arguments).value_type),
        "The values, as an array.",
        values.values_of,
        examples=[f"MAP_VALUES({_MAP})"],
    ),
]
"""The declarations."""
