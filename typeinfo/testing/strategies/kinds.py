"""Strategies of types."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from typeinfo import basic
from typeinfo.basic import BasicTypeInfo
from typeinfo.carried import TEXT_KINDS, SetTypeInfo, TextTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import PRIMITIVE_TYPES
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.extended import optional_of
from typeinfo.info import TypeInformation
from typeinfo.testing.strategies.examples import RECORDS, Colour, Key, Level, Pair, Reading, Word
from typeinfo.testing.strategies.values import CHARACTERS
from typeinfo.types import Types

__all__ = ["row_types", "type_infos"]


def type_infos(*, max_leaves: int = 12, max_fields: int = 5) -> SearchStrategy[TypeInformation[Any]]:
    """Return a strategy of types of every kind, nested in one another.

    Args:
        max_leaves: how many atomic types one type is made of, at most.
        max_fields: how many fields a composite has, at most; now and then it is one of 30.
    """
    return st.recursive(_ATOMS, partial(_nested, max_fields=max_fields), max_leaves=max_leaves)


def row_types(*, max_fields: int = 4) -> SearchStrategy[TypeInformation[Any]]:
    """Return a strategy of types of rows, with names or without, of fields of any type."""
    fields_of = st.lists(type_infos(max_leaves=3), max_size=max_fields)
    return fields_of.map(Types.ROW) | fields_of.flatmap(_named)


_LITERALS: tuple[TypeInformation[Any], ...] = (
    Types.of(Literal["a", "b"]),
    Types.of(Literal[1, 2, 3]),
    Types.of(Literal[True]),
    Types.of(Literal[Colour.RED]),
)
_ENUMS: tuple[TypeInformation[Any], ...] = (Types.of(Colour), Types.of(Level), Types.of(Word))
_PRIMITIVES = st.sampled_from(
    [t for t in vars(basic).values() if isinstance(t, BasicTypeInfo) and t.basic_type in PRIMITIVE_TYPES]
)
_HASHABLE = st.sampled_from(
    [
        *(t for t in vars(Types).values() if isinstance(t, TypeInformation) and not t.admits_none()),
        *(BigDecimalTypeInfo(precision, scale) for precision, scale in ((5, 2), (38, 0), (38, 38))),
        *_ENUMS,
        *_LITERALS,
        Types.of(bytes),
        Types.of(Key),
        Types.of(Pair),
    ]
)
_TEXTS: SearchStrategy[TypeInformation[Any]] = st.sampled_from(
    [TextTypeInfo(kind.cls) for kind in TEXT_KINDS]
)
_UNIONS: tuple[TypeInformation[Any], ...] = (
    Types.of(int | str),
    Types.of(bool | float | Reading),
    Types.of(Key | list[str] | bytes),
)
_ATOMS = (
    _HASHABLE
    | st.sampled_from([Types.VOID, Types.PICKLED_BYTE_ARRAY, *RECORDS])
    | _TEXTS
    | st.sampled_from(_UNIONS)
    | _PRIMITIVES.map(Types.PRIMITIVE_ARRAY)
    | (_PRIMITIVES | st.just(Types.STRING)).map(Types.BASIC_ARRAY)
)
_KEYS = _HASHABLE | _TEXTS | st.lists(_HASHABLE, max_size=3).map(Types.TUPLE)
_NAMES = st.text(CHARACTERS, min_size=1, max_size=8) | st.sampled_from(["a", "b", "f1", "value", "日本"])


def _nested(
    parts: SearchStrategy[TypeInformation[Any]], max_fields: int
) -> SearchStrategy[TypeInformation[Any]]:
    fields_of = st.lists(parts, max_size=max_fields)
    return st.one_of(
        parts.map(Types.LIST),
        parts.map(Types.OBJECT_ARRAY),
        parts.map(VariadicTupleTypeInfo),
        st.builds(SetTypeInfo, _KEYS, st.booleans()),
        parts.map(optional_of),
        st.builds(Types.MAP, _KEYS, parts),
        fields_of.map(Types.TUPLE),
        fields_of.map(Types.ROW),
        fields_of.flatmap(_named),
        parts.map(_wide),
    )


def _named(field_types: list[TypeInformation[Any]]) -> SearchStrategy[TypeInformation[Any]]:
    count = len(field_types)
    names = st.lists(_NAMES, min_size=count, max_size=count, unique=True)
    return st.builds(RowTypeInfo, st.just(field_types), names)


def _wide(part: TypeInformation[Any]) -> TypeInformation[Any]:
    return TupleTypeInfo([part, *[basic.INT] * 29])
