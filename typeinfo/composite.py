"""Row, tuple and record types: a fixed number of fields, each with its own type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, SupportsIndex, TypeAlias

from typing_extensions import TypeVar

from typeinfo.arguments import checks_arguments
from typeinfo.errors import PyStreamError, UnsupportedTypeError, short_repr
from typeinfo.info import Slot, TypeInformation, require_type
from typeinfo.row import Row, RowFieldError

__all__ = [
    "DeclaredRowTypeInfo",
    "FieldsTypeInfo",
    "RecordKind",
    "RecordTypeInfo",
    "RowTypeInfo",
    "TupleTypeInfo",
]

T = TypeVar("T")
F = TypeVar("F", default=Any)
P = TypeVar("P", default=tuple[Any, ...])
# See TypeInformation.
ACCEPTED = TypeVar("ACCEPTED", contravariant=True, default=T)
ITEM = TypeVar("ITEM", covariant=True)


class ListOf(Protocol[ITEM]):
    """A list with a covariant read interface: one of ints is also accepted for ints or nulls."""

    def __iter__(self) -> Iterator[ITEM]:
        """Iterate over the items."""
        ...

    def __delitem__(self, index: SupportsIndex, /) -> None:
        """Remove an item."""

    def reverse(self) -> None:
        """Reverse in place."""


AnyTuple: TypeAlias = tuple[Any, ...] | list[Any] | Row[Any]
AnyRow: TypeAlias = Row[Any] | tuple[Any, ...] | list[Any] | dict[str, Any]


class FieldsTypeInfo(TypeInformation[T, ACCEPTED]):
    """Base class of row, tuple and record types: fields in order, each with a name and a type."""

    __slots__ = ()
    field_types: tuple[TypeInformation[Any], ...]

    def get_field_types(self) -> list[TypeInformation[Any]]:
        """Return the field types in order."""
        return list(self.field_types)

    def get_field_names(self) -> list[str]:
        """Return the field names in order; ``f0``, ``f1``, … if unnamed."""
        return [f"f{i}" for i in range(len(self.field_types))]

    def get_field_index(self, field_name: str) -> int:
        """Return the position of a field.

        Raises:
            RowFieldError: there is no field with that name; a ValueError, too.
        """
        names = self.get_field_names()
        if field_name not in names:
            raise RowFieldError(f"no field {short_repr(field_name)} among {names}")
        return names.index(field_name)

    def get_arity(self) -> int:
        """Return the number of fields."""
        return len(self.field_types)


_UNORDERED = (Set, Mapping)


def _field_types(types: Iterable[TypeInformation[Any]], owner: str) -> tuple[TypeInformation[Any], ...]:
    if isinstance(types, (TypeInformation, str, *_UNORDERED)) or not isinstance(types, Iterable):
        raise UnsupportedTypeError(f"{owner} takes a list of field types, not {short_repr(types)}")
    try:
        listed = list(types)
    except PyStreamError:
        raise
    except Exception as fault:
        raise UnsupportedTypeError(
            f"{owner} takes a list of field types, not {short_repr(types)}, whose iteration fails"
        ) from fault
    return tuple(require_type(t, f"field {i} of {owner}") for i, t in enumerate(listed))


def _field_names(names: Sequence[str], arity: int, owner: str) -> tuple[str, ...]:
    if isinstance(names, (str, *_UNORDERED)) or not isinstance(names, Iterable):
        raise UnsupportedTypeError(f"{owner} takes a list of field names, not {names!r}")
    result = tuple(names)
    if len(result) != arity:
        raise UnsupportedTypeError(f"{owner} has {len(result)} field names {list(result)} for {arity} types")
    for name in result:
        if not isinstance(name, str) or not name:
            raise UnsupportedTypeError(
                f"{owner} has the field name {name!r}; a field name must be a non-empty string"
            )
    duplicates = sorted({name for name in result if result.count(name) > 1})
    if duplicates:
        raise UnsupportedTypeError(f"{owner} has duplicate field names: {duplicates}")
    return result


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False, init=False)
class RowTypeInfo(FieldsTypeInfo[Row[F], AnyRow]):
    """The type of ``Row``: fields may be null, the row itself not.

    Types are equal if field types and names are equal; a named type is never equal to an unnamed one.

    Args:
        field_types: one type per field, in order; may be empty.
        field_names: one name per field, distinct and non-empty; with ``None`` the rows have the names ``f0``,
            ``f1``, …, which the type does not show.

    Raises:
        UnsupportedTypeError: names and types differ in number, names repeat, or a field's type is not a type.

    Mirrors ``org.apache.flink.api.java.typeutils.RowTypeInfo``.
    """

    field_types: tuple[TypeInformation[Any], ...]
    field_names: tuple[str, ...] | None

    def __init__(
        self, field_types: Iterable[TypeInformation[Any]], field_names: Sequence[str] | None = None
    ) -> None:
        types = _field_types(field_types, "a row type")
        names = None if field_names is None else _field_names(field_names, len(types), "a row type")
        object.__setattr__(self, "field_types", types)
        object.__setattr__(self, "field_names", names)

    @property
    def value_class(self) -> type[Any]:
        return Row

    def get_field_names(self) -> list[str]:
        """Return the field names in order; ``f0``, ``f1``, … for an unnamed row."""
        names = self.field_names
        return [f"f{i}" for i in range(len(self.field_types))] if names is None else list(names)

    def get_field_index(self, field_name: str) -> int:
        """Return the position of a field; always -1 for an unnamed row type.

        Raises:
            RowFieldError: there is no field with that name; a ValueError, too.
        """
        return -1 if self.field_names is None else FieldsTypeInfo.get_field_index(self, field_name)

    def slots(self) -> tuple[Slot, ...]:
        if self.field_names is None:
            return tuple(Slot(f"[{i}]", t, nullable=True) for i, t in enumerate(self.field_types))
        return tuple(
            Slot(f".{n}", t, nullable=True) for n, t in zip(self.field_names, self.field_types, strict=True)
        )

    def is_mutable(self) -> bool:
        return True

    def __repr__(self) -> str:
        if not self.field_names:
            return f"RowTypeInfo({', '.join(map(str, self.field_types))})"
        fields = (f"{n}: {t}" for n, t in zip(self.field_names, self.field_types, strict=True))
        return f"RowTypeInfo({', '.join(fields)})"


@dataclass(frozen=True, slots=True, repr=False, init=False)
class DeclaredRowTypeInfo(RowTypeInfo[Any]):
    """A ROW whose fields are null only if their type admits it; see ``typeinfo.infer.declared_type``."""

    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot._replace(nullable=False) for slot in RowTypeInfo.slots(self))


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False, init=False)
class TupleTypeInfo(FieldsTypeInfo[P, AnyTuple]):
    """The type of Python tuples of fixed length, of any arity.

    Args:
        field_types: one type per field, in order; may be empty.

    Mirrors ``org.apache.flink.api.java.typeutils.TupleTypeInfo``.
    """

    field_types: tuple[TypeInformation[Any], ...]

    def __init__(self, field_types: Iterable[TypeInformation[Any]]) -> None:
        object.__setattr__(self, "field_types", _field_types(field_types, "a tuple type"))

    @property
    def value_class(self) -> type[Any]:
        return tuple

    def slots(self) -> tuple[Slot, ...]:
        return tuple(Slot(f"[{i}]", t, nullable=False) for i, t in enumerate(self.field_types))

    def __repr__(self) -> str:
        return f"TupleTypeInfo({', '.join(map(str, self.field_types))})"


class RecordKind(Enum):
    """The kind of a record class, which decides how values are taken apart and rebuilt."""

    DATACLASS = "dataclass"
    NAMED_TUPLE = "NamedTuple"
    TYPED_DICT = "TypedDict"
    ATTRS = "attrs class"
    PYDANTIC = "pydantic model"

    @property
    def has_attributes(self) -> bool:
        """Whether the fields are attributes of an instance, not items of a tuple or dict."""
        return self not in (RecordKind.NAMED_TUPLE, RecordKind.TYPED_DICT)


@dataclass(frozen=True, slots=True, repr=False)
class RecordTypeInfo(FieldsTypeInfo[T, T]):
    """The type of a class with named fields, whose elements are instances of the class itself.

    The class is a dataclass, NamedTuple, TypedDict, attrs class or pydantic model.

    Fields are not null unless their type admits it, as ``Types.of(int | None)`` does. Made by ``Types.of``.

    Args:
        record_class: the class (the origin class of a parametrised generic).
        kind: the kind of record class.
        field_names: the fields in definition order.
        field_types: their types.
        optional_keys: names of the TypedDict keys that may be missing (``NotRequired`` or ``total=False``).
    """

    record_class: type[Any]
    kind: RecordKind
    field_names: tuple[str, ...]
    field_types: tuple[TypeInformation[Any], ...]
    optional_keys: frozenset[str] = frozenset()

    @property
    def value_class(self) -> type[Any]:
        return dict if self.kind is RecordKind.TYPED_DICT else self.record_class

    def get_field_names(self) -> list[str]:
        """Return the field names in definition order."""
        return list(self.field_names)

    def is_hashable(self) -> bool:
        return self.record_class.__hash__ is not None and FieldsTypeInfo.is_hashable(self)

    def slots(self) -> tuple[Slot, ...]:
        return tuple(
            Slot(f".{n}", t, nullable=False) for n, t in zip(self.field_names, self.field_types, strict=True)
        )

    def is_mutable(self) -> bool:
        return True

    def __repr__(self) -> str:
        fields = (f"{n}: {t}" for n, t in zip(self.field_names, self.field_types, strict=True))
        return f"{self.record_class.__name__}({', '.join(fields)})"
