"""Hypothesis strategies: types, their values, and values that are just not theirs.

Needs the ``testing`` extra. Nothing of the library imports this module.
"""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import partial
from typing import Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from typeinfo import basic
from typeinfo.basic import INTEGER_BOUNDS, BasicType, BasicTypeInfo
from typeinfo.collection import PRIMITIVE_TYPES, ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.info import Slot, TypeInformation
from typeinfo.instant import Instant
from typeinfo.misfits import misfits
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row, RowKind, make_row
from typeinfo.temporal import InstantTypeInfo, TemporalTypeInfo, TimeKind
from typeinfo.types import Types

__all__ = ["RECORDS", "invalid_values", "types", "values"]

T = TypeVar("T")
_MICROS = 2**63 - 1
_MICROSECOND = datetime.timedelta(microseconds=1)


def values(t: TypeInformation[T]) -> SearchStrategy[T]:
    """Return a strategy of the values of a type, as serializers give them back.

    Rows are of all kinds. A dataclass is made by its constructor, so one that refuses values of its field
    types needs a strategy of its own.

    Raises:
        UnsupportedTypeError: ``t`` is of a class unknown here.
    """
    return _values(t)


def invalid_values(t: TypeInformation[Any]) -> SearchStrategy[Any]:
    """Return a strategy of values that are wrong for a type in one place, at whatever depth.

    Empty for PICKLED_BYTE_ARRAY, which takes every value.
    """
    if isinstance(t, PickledBytesTypeInfo):
        return st.nothing()
    wrong = values(t).map(lambda value: [misfit.value for misfit in misfits(t, value)]).filter(bool)
    return wrong.flatmap(st.sampled_from)


def types(*, max_leaves: int = 12, max_fields: int = 5) -> SearchStrategy[TypeInformation[Any]]:
    """Return a strategy of types of every kind, nested in one another.

    Args:
        max_leaves: how many atomic types one type is made of, at most.
        max_fields: how many fields a composite has, at most; now and then it is one of 30.
    """
    return st.recursive(_ATOMS, partial(_nested, max_fields=max_fields), max_leaves=max_leaves)


# Values


def _values(t: TypeInformation[Any]) -> SearchStrategy[Any]:
    match t:
        case BasicTypeInfo():
            return _basic(t.basic_type)
        case TemporalTypeInfo():
            return _TEMPORAL[t.kind]
        case InstantTypeInfo():
            return st.integers(-_MICROS, _MICROS).map(Instant.of_epoch_micro)
        case PickledBytesTypeInfo():
            return _OBJECTS
        case OptionalTypeInfo():
            return st.none() | _values(t.value_type)
        case EnumTypeInfo():
            return st.sampled_from(list(t.enum_class))
        case LiteralTypeInfo():
            return st.sampled_from(t.values)
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return st.binary(max_size=20)
        case ArrayTypeInfo():
            return st.lists(_slot(*t.slots()), max_size=4)
        case MapTypeInfo():
            key, value = t.slots()
            return st.dictionaries(_slot(key), _slot(value), max_size=4)
        case RowTypeInfo():
            parts = st.tuples(*map(_slot, t.slots()))
            return st.builds(make_row, parts, st.just(t.get_field_names()), st.sampled_from(RowKind))
        case TupleTypeInfo():
            return st.tuples(*map(_slot, t.slots()))
        case RecordTypeInfo():
            return _record(t)
    raise UnsupportedTypeError(f"there is no strategy for {t!r}")


def _slot(slot: Slot) -> SearchStrategy[Any]:
    return st.none() | _values(slot.type) if slot.nullable else _values(slot.type)


def _record(t: RecordTypeInfo[Any]) -> SearchStrategy[Any]:
    parts = {name: _values(part) for name, part in zip(t.field_names, t.field_types, strict=True)}
    if t.kind is RecordKind.TYPED_DICT:
        optional = {name: parts.pop(name) for name in t.field_names if name in t.optional_keys}
        return st.fixed_dictionaries(parts, optional=optional).map(partial(_in_order, t.field_names))
    if t.kind is RecordKind.DATACLASS:
        given = {f.name for f in fields(t.record_class) if f.init}
        parts = {name: part for name, part in parts.items() if name in given}
    return st.builds(t.record_class, **parts)


def _in_order(names: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}


def _basic(kind: BasicType) -> SearchStrategy[Any]:
    return st.integers(*INTEGER_BOUNDS[kind]) if kind in INTEGER_BOUNDS else _BASIC[kind]


def _decimal(digits: int, scale: int) -> Decimal:
    sign = int(digits < 0)
    return Decimal((sign, tuple(map(int, str(abs(digits)))), -scale))


def _big_dec(digits: int) -> Decimal:
    return _decimal(digits, 18) if digits else Decimal("0E-18")


_CHARACTERS = st.characters(exclude_categories=["Cs"])
_BASIC: dict[BasicType, SearchStrategy[Any]] = {
    BasicType.VOID: st.none(),
    BasicType.STRING: st.text(_CHARACTERS, max_size=20),
    BasicType.BOOLEAN: st.booleans(),
    BasicType.FLOAT: st.floats(width=32),
    BasicType.DOUBLE: st.floats(),
    BasicType.CHAR: _CHARACTERS,
    BasicType.BIG_INT: st.integers(1 - 10**38, 10**38 - 1),
    BasicType.BIG_DEC: st.integers(1 - 10**38, 10**38 - 1).map(_big_dec),
    BasicType.UUID: st.uuids(),
    BasicType.DURATION: st.timedeltas(-_MICROS * _MICROSECOND, _MICROS * _MICROSECOND),
}
_TEMPORAL: dict[TimeKind, SearchStrategy[Any]] = {
    TimeKind.DATE: st.dates(),
    TimeKind.TIME: st.times(),
    TimeKind.TIMESTAMP: st.datetimes(),
}


def _object_parts(parts: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return (
        st.lists(parts, max_size=3)
        | st.tuples(parts, parts)
        | st.dictionaries(st.text(max_size=3), parts, max_size=3)
        | st.builds(Row, parts, parts)
    )


_OBJECTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
    _object_parts,
    max_leaves=5,
)


# Types


class Colour(enum.Enum):
    """An enum whose members are of two classes, one of them under two names."""

    RED = 1
    BLUE = "b"
    AZURE = "b"  # noqa: PIE796


class Level(enum.IntEnum):
    """An enum whose members are numbers."""

    LOW = 0
    HIGH = 10


class Word(enum.StrEnum):
    """An enum whose members are strings."""

    YES = "yes"
    NO = "no"


@dataclass
class Reading:
    """A plain dataclass."""

    city: str
    celsius: float | None
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Key:
    """A dataclass to be used as key."""

    number: int
    word: Word


@dataclass
class Boxed(Generic[T]):
    """A generic dataclass."""

    content: T
    label: Literal["small", "large"]


@dataclass
class Nothing:
    """A dataclass without fields."""


class Pair(NamedTuple):
    """A NamedTuple."""

    left: int | None
    right: datetime.date


class Entry(TypedDict):
    """A TypedDict with keys that may be missing, one of which may be None as well."""

    name: str
    note: NotRequired[str]
    amount: NotRequired[Decimal | None]


RECORDS: tuple[TypeInformation[Any], ...] = (
    Types.of(Reading),
    Types.of(Key),
    Types.of(Boxed[Pair]),
    Types.of(Boxed[list[int]]),
    Types.of(Nothing),
    Types.of(Pair),
    Types.of(Entry),
)
"""A few record types of each kind."""

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
        *_ENUMS,
        *_LITERALS,
        Types.of(bytes),
        Types.of(Key),
        Types.of(Pair),
    ]
)
_ATOMS = (
    _HASHABLE
    | st.sampled_from([Types.VOID, Types.PICKLED_BYTE_ARRAY, *RECORDS])
    | _PRIMITIVES.map(Types.PRIMITIVE_ARRAY)
    | (_PRIMITIVES | st.just(Types.STRING)).map(Types.BASIC_ARRAY)
)
_KEYS = _HASHABLE | st.lists(_HASHABLE, max_size=3).map(Types.TUPLE)
_NAMES = st.text(_CHARACTERS, min_size=1, max_size=8) | st.sampled_from(["a", "b", "f1", "value", "日本"])


def _nested(
    parts: SearchStrategy[TypeInformation[Any]], max_fields: int
) -> SearchStrategy[TypeInformation[Any]]:
    fields_of = st.lists(parts, max_size=max_fields)
    return st.one_of(
        parts.map(Types.LIST),
        parts.map(Types.OBJECT_ARRAY),
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
