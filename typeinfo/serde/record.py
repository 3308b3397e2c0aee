"""Codecs of records: classes with attributes, NamedTuples and TypedDicts."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from itertools import repeat
from operator import attrgetter, eq, itemgetter, methodcaller
from typing import Any

from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.errors import TypeCheckError, misfit, names_fault, short_repr, with_article
from typeinfo.records import attribute_names
from typeinfo.serde.codec import Codec, Column, are_new, distinct, per_element
from typeinfo.serde.composite import FieldsCodec, columns_of_rows, kept_rows
from typeinfo.serde.instances import allowed_attributes, is_only_fields, is_only_values

__all__ = ["AttributesCodec", "NamedTupleCodec", "TypedDictCodec", "record_codec"]


def record_codec(t: RecordTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> FieldsCodec:
    """Return the codec of a record type."""
    return _KINDS[t.kind](t, codecs, nullable=nullable)


class _RecordCodec(FieldsCodec):
    """Base class of the codecs of records."""

    def __init__(self, t: RecordTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self._class: Any = t.record_class
        self._names = t.field_names

    def _misfit(self, value: Any) -> TypeCheckError:
        return misfit(value, self.type, f"give an instance of {self._class.__qualname__}")


class AttributesCodec(_RecordCodec):
    """Codec of instances with attributes; instances of subclasses without further fields are accepted.

    Attributes that are not fields are refused, except those that follow from the fields.

    Like in unpickling, instances are made without their constructor, unless that only stores the fields:
    ``__post_init__``, converters and validators do not run again.
    """

    def __init__(self, t: RecordTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self._getters = [attrgetter(name) for name in t.field_names]
        self._make = _MAKERS[t.kind](t.record_class, t.field_names)
        self._allowed = allowed_attributes(self._class, t.field_names)

    @property
    def is_only_fields(self) -> bool:
        t = self.type
        assert isinstance(t, RecordTypeInfo)
        cls: Any = t.record_class
        return t.kind is RecordKind.DATACLASS and is_only_fields(cls, t.field_names)

    @property
    def constructor(self) -> Callable[..., Any] | None:
        """The class, if a call of it with the values of all fields in order only stores them."""
        is_called = isinstance(self._make, partial) and self._make.func is _call
        return self._class if is_called else None

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        exact = types == {self._class}
        if not exact:
            per_element(self._open, values)
        try:
            columns = self.columns(values)
        except AttributeError:
            per_element(self._complete, values)
            raise
        if not exact:
            return self.built(columns, None, len(values)), columns
        if not self._allowed.covers(values):
            per_element(self._open, values)
        return values, columns

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        if types != {self._class} or not self.is_only_fields or not are_new(values, seen):
            return None
        if not self._class.__dictoffset__:
            return self._complete_columns(values)
        held = list(map(vars, values))
        if distinct(tuple, held) != {self._names}:
            return None
        return (
            columns_of_rows([tuple(attributes.values()) for attributes in held], self.arity)
            if self.arity
            else []
        )

    def kept_parts(self, value: Any) -> Sequence[Any] | None:
        if type(value) is not self._class or not self._class.__dictoffset__ or not self.can_keep:
            return super().kept_parts(value)
        attributes = vars(value)
        return list(attributes.values()) if tuple(attributes) == self._names else None

    def _complete_columns(self, values: Column) -> Sequence[Column] | None:
        try:
            return self.columns(values)
        except AttributeError:  # a slot is empty
            return None

    def _open(self, value: Any) -> Any:
        if not isinstance(value, self._class):
            raise self._misfit(value)
        more = [name for name in attribute_names(type(value)) or () if name not in self._names]
        if more:
            name = type(value).__qualname__
            raise TypeCheckError(
                f"{short_repr(value)} has the fields {more}, which {self._class.__qualname__} does not"
                f" have, so they would be lost; declare Types.of({name}), or pass on"
                f" {with_article(self._class.__qualname__)}"
            )
        cls: Any = type(value)
        others = allowed_attributes(cls, self._names).others(value)
        if others:
            raise TypeCheckError(
                f"{short_repr(value)} has the attributes {others}, which are not fields of"
                f" {self._class.__qualname__} and would be lost; declare them as fields, or the type as"
                " PICKLED_BYTE_ARRAY, which keeps whole objects"
            )
        return value

    def _complete(self, value: Any) -> Any:
        missing = [name for name in self._names if not hasattr(value, name)]
        if missing:
            raise TypeCheckError(f"an instance of {type(value).__qualname__} has no value for {missing}")
        return value

    def columns(self, values: Column) -> list[Sequence[Any]]:
        columns: list[Sequence[Any]] = [list(map(getter, values)) for getter in self._getters]
        for column, name in zip(columns, self._names, strict=True):
            index = len(column)
            if index < len(values):  # StopIteration ends ``map``
                message = f"the attribute {name!r} of {short_repr(values[index])} raised StopIteration"
                raise TypeCheckError(message, index=index)
        return columns

    def write_plain(self, column: Column) -> Column:
        if self.parts_plain and self.arity > 1:
            return list(map(attrgetter(*self._names), column))
        return super().write_plain(column)

    def pack(self, column: Column) -> Any:
        if self.nullable or not self.arity:
            return super().pack(column)
        return self.each([codec.to_plain for codec in self.codecs], self.columns(column))

    def unpack(self, packed: Any) -> Column:
        if self.nullable or not self.arity:
            return super().unpack(packed)
        return self._make(self.each([codec.from_plain for codec in self.codecs], packed))

    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        return self._make(columns) if columns else [self._class() for _ in range(count)]


_Make = Callable[[Sequence[Column]], list[Any]]
"""Makes instances of columns of field values."""


def _dataclass_maker(cls: type[Any], names: tuple[str, ...]) -> _Make:
    return partial(_call, cls) if _init_only_stores(cls) else partial(_set_only, cls, names)


def _init_only_stores(cls: Any) -> bool:
    """Return whether ``__init__`` only stores the fields, which are its parameters in order."""
    parameters = vars(cls).get("__dataclass_params__")  # absent from a subclass that is not one itself
    if parameters is None or not parameters.init or hasattr(cls, "__post_init__"):
        return False
    return (
        cls.__new__ is object.__new__
        and (parameters.frozen or cls.__setattr__ is object.__setattr__)
        and all(field.init and not field.kw_only for field in dataclasses.fields(cls))
        and not _takes_init_vars(cls)
    )


def _takes_init_vars(cls: Any) -> bool:
    """Return whether the constructor takes ``InitVar`` arguments."""
    arguments = list(inspect.signature(cls.__init__).parameters)[1:]
    return not {field.name for field in dataclasses.fields(cls)}.issuperset(arguments)


_set = object.__setattr__


def _call(cls: type[Any], columns: Sequence[Column]) -> list[Any]:
    return list(map(cls, *columns))


def _set_only(cls: type[Any], names: tuple[str, ...], columns: Sequence[Column]) -> list[Any]:
    records = []
    for values in zip(*columns, strict=True):
        record = object.__new__(cls)
        for name, value in zip(names, values, strict=True):
            _set(record, name, value)
        records.append(record)
    return records


def _attrs_maker(cls: Any, names: tuple[str, ...]) -> _Make:
    hash_code = getattr(cls.__hash__, "__code__", None)
    if hash_code is None or _CACHED_HASH not in hash_code.co_names:
        return partial(_set_only, cls, names)

    def make(columns: Sequence[Column]) -> list[Any]:
        records = _set_only(cls, names, columns)
        for record in records:
            _set(record, _CACHED_HASH, None)
        return records

    return make


_CACHED_HASH = "_attrs_cached_hash"


def _pydantic_maker(cls: Any, names: tuple[str, ...]) -> _Make:
    fields_set = _fields_set(cls, names)

    def make(columns: Sequence[Column]) -> list[Any]:
        records = []
        for values in zip(*columns, strict=True):
            record = cls.__new__(cls)
            record.__setstate__(
                {
                    "__dict__": dict(zip(names, values, strict=True)),
                    "__pydantic_fields_set__": fields_set(values),
                    "__pydantic_extra__": None,
                    "__pydantic_private__": None,
                }
            )
            records.append(record)
        return records

    return make


def _fields_set(cls: Any, names: tuple[str, ...]) -> Callable[[Sequence[Any]], set[str]]:
    """Return a function from the values of a model's fields to its ``model_fields_set``.

    A field that equals its default is not set; one with a user's default factory always is.
    """
    defaults = [(name, _default(cls.__pydantic_fields__[name])) for name in names]

    def fields_set(values: Sequence[Any]) -> set[str]:
        named = zip(defaults, values, strict=True)
        return {name for (name, default), value in named if not _is_same(value, default)}

    return fields_set


_NO_DEFAULT = object()


def _default(field: Any) -> Any:
    """Return the default of a pydantic field; unknown if made by a user's factory."""
    if field.is_required():
        return _NO_DEFAULT
    factory = field.default_factory
    if factory is None:
        return field.default
    return factory() if factory in (list, dict, set, tuple, frozenset) else _NO_DEFAULT


def _is_same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


class ModelCodec(AttributesCodec):
    """Codec of pydantic models, whose ``model_fields_set`` is derived from their fields."""

    def __init__(self, t: RecordTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self._fields_set = _fields_set(t.record_class, t.field_names)

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        opened, columns = super().opened(values, types)
        if columns and opened is values:
            given = (value.__pydantic_fields_set__ for value in values)
            if not all(map(eq, given, map(self._fields_set, zip(*columns, strict=True)))):
                opened = self.built(columns, None, len(values))
        return opened, columns


_MAKERS: dict[RecordKind, Callable[[type[Any], tuple[str, ...]], _Make]] = {
    RecordKind.DATACLASS: _dataclass_maker,
    RecordKind.ATTRS: _attrs_maker,
    RecordKind.PYDANTIC: _pydantic_maker,
}


class NamedTupleCodec(_RecordCodec):
    """Codec of NamedTuples; instances of subclasses become instances of the declared class."""

    @property
    def is_only_fields(self) -> bool:
        assert isinstance(self.type, RecordTypeInfo)
        cls: Any = self.type.record_class
        return is_only_values(cls)

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        if types != {self._class}:
            values = per_element(self._open, values)
        return values, self.columns_of(values, values)

    def _open(self, value: Any) -> Any:
        if not isinstance(value, self._class):
            raise self._misfit(value)
        return value if type(value) is self._class else tuple.__new__(self._class, value)

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        is_plain = types == {self._class} and self.is_only_fields
        return kept_rows(values, self.arity) if is_plain else None

    def columns(self, values: Column) -> list[Sequence[Any]]:
        return columns_of_rows(values, self.arity)

    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        rows = zip(*columns, strict=True) if columns else [()] * count
        return list(map(tuple.__new__, repeat(self._class), rows))


class TypedDictCodec(_RecordCodec):
    """Codec of dicts with the keys of a TypedDict, in its order."""

    @property
    def is_only_fields(self) -> bool:
        return isinstance(self.type, RecordTypeInfo) and not self.type.optional_keys

    def __init__(self, t: RecordTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self._optional = t.optional_keys
        self._required = frozenset(t.field_names) - t.optional_keys

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        if types != {dict} or self._optional or distinct(tuple, values) != {self._names}:
            values = per_element(self._open, values)
        return values, self.columns(values)

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        if types != {dict} or self._optional or not are_new(values, seen):
            return None
        return self.columns(values) if distinct(tuple, values) == {self._names} else None

    def _open(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise misfit(value, self.type, f"give a dict with the keys of {self._class.__qualname__}")
        missing = [name for name in self._names if name in self._required and name not in value]
        unknown = [name for name in value if name not in self._names]
        if missing or unknown:
            raise TypeCheckError(f"{names_fault(value, missing, unknown)}; the keys are {list(self._names)}")
        for field in self.fields:
            # None would be carried as a missing key where the key's type does not admit it.
            if field.name in self._optional and not field.wrapped and value.get(field.name, field) is None:
                raise TypeCheckError("None is not a value of this key; leave the key out", field.segment)
        ordered = [name for name in self._names if name in value]
        if type(value) is dict and list(value) == ordered:
            return value
        return {name: value[name] for name in ordered}

    def columns(self, values: Column) -> list[Sequence[Any]]:
        return [
            [(value[field.name],) if field.name in value else None for value in values]
            if field.wrapped
            else list(map(methodcaller("get", field.name), values))
            if field.name in self._optional
            else list(map(itemgetter(field.name), values))
            for field in self.fields
        ]

    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        names = self._names
        rows = zip(*columns, strict=True) if columns else [()] * count
        records = [dict(zip(names, values, strict=True)) for values in rows]
        for field in self.fields:
            if field.name in self._optional:
                _restore(records, field.name, wrapped=field.wrapped)
        return records


def _restore(records: list[dict[str, Any]], name: str, *, wrapped: bool) -> None:
    """Remove the keys carried as null, and unwrap those carried as a 1-tuple."""
    for record in records:
        if record[name] is None:
            del record[name]
        elif wrapped:
            (record[name],) = record[name]


_KINDS: dict[RecordKind, type[_RecordCodec]] = {
    RecordKind.DATACLASS: AttributesCodec,
    RecordKind.ATTRS: AttributesCodec,
    RecordKind.PYDANTIC: ModelCodec,
    RecordKind.NAMED_TUPLE: NamedTupleCodec,
    RecordKind.TYPED_DICT: TypedDictCodec,
}
