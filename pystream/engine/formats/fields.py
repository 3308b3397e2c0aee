"""Split rows, tuples and records into field values, and build them from field values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, cast

from pystream.engine.formats.errors import FieldError
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, RowKind, make_row, row_maker

__all__ = [
    "MISSING",
    "Cast",
    "Declaration",
    "Field",
    "FieldRead",
    "fields_of",
    "has_plain_attributes",
    "field_values",
    "leading_fields",
    "maker_of",
    "has_part",
    "opener_of",
    "read_each",
    "require_fields",
    "stored_by",
    "without_optional",
]

MISSING: Any = object()
"""Marks a missing optional key of a TypedDict."""


class Cast(Protocol):
    """A conversion of values that a worker makes, because functions of some types cannot be pickled."""

    def converter(self) -> Callable[[Any], Any] | None:
        """Return the function that converts a value that is not null, ``None`` if all stay the same."""
        ...


class Declaration(NamedTuple):
    """What a table declares of a column, beyond the type of its values.

    Attributes:
        is_nullable: whether it may hold nulls.
        cast: gives values the declared precision, scale or length, or raises `FieldError`.
    """

    is_nullable: bool
    cast: Cast


class Field(NamedTuple):
    """A field of a row, tuple or record.

    Attributes:
        name: its name.
        segment: its path, as in ``.name``.
        type: its type, without the optional around it.
        nullable: whether it may be ``None``.
        may_be_missing: whether a value may lack the field.
        is_required: whether its lack is an error even where parse errors are ignored.
        cast: converts the values that are not null, ``None`` if they stay the same.
    """

    name: str
    segment: str
    type: TypeInformation[Any]
    nullable: bool
    may_be_missing: bool
    is_required: bool = False
    cast: Callable[[Any], Any] | None = None


FieldRead = tuple[Field, Callable[[Any], Any]]
"""A field, and the function that reads its value."""


def require_fields(t: object, owner: str) -> FieldsTypeInfo[Any]:
    """Return a type that has named fields.

    Raises:
        UnsupportedTypeError: ``t`` is not a type, or has no fields.
    """
    if isinstance(t, FieldsTypeInfo):
        return t
    raise UnsupportedTypeError(f"{owner} needs the type of a row, tuple or record, not {t!r}")


def without_optional(t: TypeInformation[Any], nullable: bool) -> tuple[TypeInformation[Any], bool]:
    """Return a type without the optional around it, and whether it was optional."""
    if isinstance(t, OptionalTypeInfo):
        return t.value_type, True
    return t, nullable or t.admits_none()


def fields_of(t: FieldsTypeInfo[Any], declarations: Sequence[Declaration] = ()) -> tuple[Field, ...]:
    """Return the fields of a composite type in order.

    Args:
        t: the type.
        declarations: what a table declares of each field, if they are its columns.
    """
    optional_keys = t.optional_keys if isinstance(t, RecordTypeInfo) else frozenset()
    fields = tuple(
        Field(name, slot.segment, *without_optional(slot.type, slot.nullable), name in optional_keys)
        for name, slot in zip(t.get_field_names(), t.slots(), strict=True)
    )
    if not declarations:
        return fields
    return tuple(
        field._replace(
            nullable=field.nullable and declared.is_nullable,
            is_required=not declared.is_nullable,
            cast=declared.cast.converter(),
        )
        for field, declared in zip(fields, declarations, strict=True)
    )


def field_values(reads: Sequence[FieldRead], parts: Iterable[Any]) -> list[Any]:
    """Return the values of fields, with errors that name the field.

    Raises:
        FieldError: a part is not a value of its field.
    """
    values = []
    for (field, read), part in zip(reads, parts, strict=False):
        try:
            values.append(read(part))
        except FieldError as error:
            error.is_fatal |= field.is_required
            raise error.under(field.segment) from None
    return values


def has_part(t: TypeInformation[Any], is_such: Callable[[TypeInformation[Any]], bool]) -> bool:
    """Return whether a type, or one of its parts, is of some kind."""
    return is_such(t) or any(has_part(slot.type, is_such) for slot in t.slots())


def read_each(read: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
    """Return the values of the parts of a list, with errors that name their position."""
    values: list[Any] = []
    try:
        for part in parts:
            values.append(read(part))
    except FieldError as error:
        raise error.under(f"[{len(values)}]") from None
    return values


def maker_of(t: FieldsTypeInfo[Any]) -> Callable[[Sequence[Any]], Any]:
    """Return a function that builds a composite from its field values, in order."""
    if isinstance(t, RowTypeInfo):
        return row_maker(tuple(t.get_field_names()))
    if not isinstance(t, RecordTypeInfo):
        return tuple
    fields = _record_codec(t).fields
    return partial(_make_record, _record_codec(t), tuple(field.wrapped for field in fields))


def stored_by(t: FieldsTypeInfo[Any]) -> Callable[..., Any] | None:
    """Return the class of a record if a call of it with the values of all fields only stores them."""
    if not isinstance(t, RecordTypeInfo):
        return None
    from typeinfo.serde.record import AttributesCodec

    codec = _record_codec(t)
    if not isinstance(codec, AttributesCodec) or any(field.wrapped for field in codec.fields):
        return None
    return codec.constructor


def has_plain_attributes(t: FieldsTypeInfo[Any]) -> bool:
    """Return whether the instances of a record keep its fields in their ``__dict__``."""
    return isinstance(t, RecordTypeInfo) and t.record_class.__dictoffset__ != 0


def _make_record(codec: Any, wrapped: tuple[bool, ...], values: Sequence[Any]) -> Any:
    columns = [
        [None if value is MISSING else (value,) if wrap else value]
        for value, wrap in zip(values, wrapped, strict=True)
    ]
    return codec.built(columns, None, 1)[0]


def opener_of(t: FieldsTypeInfo[Any]) -> Callable[[Any], Sequence[Any]]:
    """Return a function that returns the field values of a composite, in order."""
    if not isinstance(t, RecordTypeInfo):
        return tuple
    fields = zip(_record_codec(t).fields, fields_of(t), strict=True)
    unpack = tuple((carried.wrapped, field.may_be_missing) for carried, field in fields)
    return partial(_open_record, _record_codec(t), unpack)


def _open_record(codec: Any, unpack: tuple[tuple[bool, bool], ...], record: Any) -> Sequence[Any]:
    values = []
    for (value,), (wrapped, may_be_missing) in zip(codec.columns([record]), unpack, strict=True):
        if value is None and may_be_missing:
            values.append(MISSING)
        else:
            values.append(value[0] if wrapped and value is not None else value)
    return values


def leading_fields(t: TypeInformation[Any], element: Any) -> Any:
    """Return the first fields of a row as a row of a type; the element itself if it needs no such change.

    Fields correspond by position, as in Flink, if the row has more of them than the type, or other names.

    Raises:
        FieldError: a name of the type is that of a field at another position.
    """
    if not isinstance(t, RowTypeInfo) or not isinstance(element, (Row, tuple)):
        return element
    names = t.get_field_names()
    found = (element.get_field_names() if isinstance(element, Row) else None) or []
    if len(element) < len(names) or (len(element) == len(names) and (not found or set(found) & set(names))):
        return element
    moved = [name for i, name in enumerate(names) if name in found and found[i] != name]
    if moved:
        raise FieldError(
            f"the schema takes the first {len(names)} of the fields {found}, but has the names {names}: "
            f"{', '.join(moved)} would get the value of another field; map the row to these fields first"
        )
    kind = element.get_row_kind() if isinstance(element, Row) else RowKind.INSERT
    return make_row(list(element)[: len(names)], tuple(names), kind)


def _record_codec(t: RecordTypeInfo[Any]) -> Any:
    from typeinfo.serde.composite import FieldsCodec
    from typeinfo.serde.registry import codec_for

    return cast(FieldsCodec, codec_for(t))
