"""CustomCodec: encodes values of a user's class through the codec of another type."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.serde.codec import Codec, Column, per_element

__all__ = ["CustomCodec"]


class CustomCodec(Codec):
    """Encode instances of a registered class as the results of its ``encode``.

    An instance is valid if it can be encoded, so validation encodes it, and writing encodes it again.
    """

    def __init__(self, t: CustomTypeInfo[Any], carrier: Codec, *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self._class = t.custom_class
        self._encode = t.encode
        self._decode = t.decode
        self._carrier = carrier

    def accepts(self, dt: pa.DataType) -> bool:
        return self._carrier.accepts(dt)

    def recast(self, array: pa.Array) -> pa.Array:
        return self._carrier.recast(array)

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

    def strip(self, column: Column) -> Column:
        return self._carrier.to_plain(self._carried(column))

    def dress(self, column: Column) -> Column:
        return list(per_element(self._decoded, self._carrier.from_plain(column)))


def _failure(function: Any, value: Any, error: Exception) -> TypeCheckError:
    fault = f"{type(error).__name__}: {error}"
    return TypeCheckError(f"{_place(function)} failed on {short_repr(value)}: {fault}")


def _place(function: Any) -> str:
    """Return a function's name, with file and line if known."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return name if code is None else f"{name} ({code.co_filename}:{code.co_firstlineno})"
