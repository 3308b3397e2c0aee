"""Codecs of values that are carried as values of another type."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, TypeVar

import pyarrow as pa

from typeinfo.carried import CarriedTypeInfo, UnionTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import TypeCheckError, misfit, short_repr, with_article
from typeinfo.extended import LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec, Column, distinct, per_element

__all__ = ["CarriedCodec", "CustomCodec", "LiteralCodec"]

R = TypeVar("R")


class _CarrierCodec(Codec):
    """Base class of codecs that store values by the codec of another type, the carrier."""

    def __init__(self, t: TypeInformation[Any], carrier: Codec, *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self._carrier = carrier

    def accepts(self, dt: pa.DataType) -> bool:
        return self._carrier.accepts(dt)

    def recast(self, array: pa.Array) -> pa.Array:
        return self._carrier.recast(array)


class LiteralCodec(_CarrierCodec):
    """Codec of a fixed set of values, through the codec of their type."""

    def __init__(self, t: LiteralTypeInfo[Any], carrier: Codec, *, nullable: bool) -> None:
        super().__init__(t, carrier, nullable=nullable)
        self._values = frozenset(t.values)
        self.plain: bool = carrier.plain
        self.can_keep: bool = carrier.can_keep

    def check(self, column: Column, types: set[type]) -> Column:
        column = self._carrier.check(column, types)
        if not self._values.issuperset(column):
            per_element(self._member, column)
        return column

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return self._carrier.keeps_all(column, types, seen) and self._values.issuperset(column)

    def _member(self, value: Any) -> Any:
        if value in self._values:
            return value
        raise TypeCheckError(f"{short_repr(value)} is not one of the values of {self.type}")

    def write(self, column: Column) -> pa.Array:
        return self._carrier.write(column)

    def read(self, array: pa.Array) -> list[Any]:
        values = self._carrier.read(array)
        return list(self.check(values, distinct(type, values)))

    def write_plain(self, column: Column) -> Column:
        return self._carrier.write_plain(column)

    def read_plain(self, column: Column) -> Column:
        return self._carrier.read_plain(column)


class CarriedCodec(_CarrierCodec):
    """Codec of the types that convert their values to those of a carrier."""

    def __init__(
        self, t: CarriedTypeInfo[Any], carrier: Codec, unwrap: Callable[[Any], Any], *, nullable: bool
    ) -> None:
        super().__init__(t, carrier, nullable=nullable)
        self._carried = t
        self._unwrap = unwrap

    def check(self, column: Column, types: set[type]) -> Column:
        strange = {given for given in types if not self._carried.takes(given)}
        if strange:
            index = next(index for index, value in enumerate(column) if type(value) in strange)
            raise misfit(column[index], self.type, _remedy(self._carried)).within("", index)
        unwrapped = per_element(self._carried.unwrap, column)
        conformed = self._placed(self._carrier.conform, unwrapped)
        cls = self._carried.value_class
        if all(map(is_, conformed, unwrapped)) and all(issubclass(given, cls) for given in types):
            return column if cls is object or types == {cls} else list(map(cls, column))
        return list(per_element(self._wrapped, conformed))

    def _wrapped(self, carried: Any) -> Any:
        try:
            return self._carried.wrap(carried)
        except ValueError as error:
            raise TypeCheckError(f"{short_repr(carried)} cannot be read as {self.type}: {error}") from None

    def _placed(self, function: Callable[[Any], R], values: Any) -> R:
        try:
            return function(values)
        except TypeCheckError as error:
            path = self._carried.place(error.path) if error.path else ""
            raise TypeCheckError(error.message, path, error.index) from None

    def write(self, column: Column) -> pa.Array:
        return self._placed(self._carrier.encode, list(map(self._unwrap, column)))

    def read(self, array: pa.Array) -> list[Any]:
        return list(per_element(self._wrapped, self._placed(self._carrier.read, array)))

    def write_plain(self, column: Column) -> Column:
        return self._placed(self._carrier.to_plain, list(map(self._carried.unwrap, column)))

    def read_plain(self, column: Column) -> Column:
        return list(map(self._carried.wrap, self._placed(self._carrier.from_plain, column)))


def _remedy(t: CarriedTypeInfo[Any]) -> str:
    if isinstance(t, UnionTypeInfo):
        return f"its class must be one of {', '.join(member.value_class.__name__ for member in t.members())}"
    return f"give {with_article(t.value_class.__name__)}"


class CustomCodec(_CarrierCodec):
    """Codec of instances of a registered class, as the results of its ``encode``.

    An instance is valid if it can be encoded, so validation encodes it, and writing encodes it again.
    """

    def __init__(self, t: CustomTypeInfo[Any], carrier: Codec, *, nullable: bool) -> None:
        super().__init__(t, carrier, nullable=nullable)
        self._class = t.custom_class
        self._encode = t.encode
        self._decode = t.decode

    def check(self, column: Column, types: set[type]) -> Column:
        self._carried(column)
        return column

    def _carried(self, column: Column) -> Column:
        encoded = per_element(self._encoded, column)
        try:
            return self._carrier.conform(encoded)
        except TypeCheckError as error:
            value = short_repr(column[error.index or 0])
            message = f"the result of {_place(self._encode)} for {value} does not fit: {error.message}"
            raise TypeCheckError(message, error.path, error.index) from None

    def _encoded(self, value: Any) -> Any:
        if not isinstance(value, self._class):
            raise misfit(value, self.type, f"give an instance of {self._class.__qualname__}")
        try:
            return self._encode(value)
        except Exception as error:
            raise _failure(self._encode, value, error) from error

    def write(self, column: Column) -> pa.Array:
        return self._carrier.encode(self._carried(column))

    def read(self, array: pa.Array) -> list[Any]:
        return list(per_element(self._decoded, self._carrier.read(array)))

    def _decoded(self, carried: Any) -> Any:
        try:
            value = self._decode(carried)
        except Exception as error:
            raise _failure(self._decode, carried, error) from error
        if isinstance(value, self._class):
            return value
        made = f"{_place(self._decode)} returned {short_repr(value)} for {short_repr(carried)}"
        raise TypeCheckError(f"{made}, which is not an instance of {self._class.__qualname__}")

    def write_plain(self, column: Column) -> Column:
        return self._carrier.to_plain(self._carried(column))

    def read_plain(self, column: Column) -> Column:
        return list(per_element(self._decoded, self._carrier.from_plain(column)))


def _failure(function: Any, value: Any, error: Exception) -> TypeCheckError:
    if isinstance(error, TypeCheckError):
        return error
    fault = f"{type(error).__name__}: {error}"
    return TypeCheckError(f"{_place(function)} failed on {short_repr(value)}: {fault}")


def _place(function: Any) -> str:
    """Return a function's name, with file and line if known."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return name if code is None else f"{name} ({code.co_filename}:{code.co_firstlineno})"
