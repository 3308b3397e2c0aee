"""CarriedCodec: encodes values through the codec of another type."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, TypeVar

import pyarrow as pa

from typeinfo.carried import CarriedTypeInfo, UnionTypeInfo
from typeinfo.errors import TypeCheckError, misfit, short_repr, with_article
from typeinfo.serde.codec import Codec, Column, per_element

__all__ = ["CarriedCodec"]

R = TypeVar("R")


class CarriedCodec(Codec):
    """Encode values in the carried form of their type."""

    def __init__(
        self, t: CarriedTypeInfo[Any], carrier: Codec, unwrap: Callable[[Any], Any], *, nullable: bool
    ) -> None:
        super().__init__(t, nullable=nullable)
        self._carried = t
        self._carrier = carrier
        self._unwrap = unwrap

    def accepts(self, dt: pa.DataType) -> bool:
        return self._carrier.accepts(dt)

    def recast(self, array: pa.Array) -> pa.Array:
        return self._carrier.recast(array)

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

    def strip(self, column: Column) -> Column:
        return self._placed(self._carrier.to_plain, list(map(self._carried.unwrap, column)))

    def dress(self, column: Column) -> Column:
        return list(map(self._carried.wrap, self._placed(self._carrier.from_plain, column)))


def _remedy(t: CarriedTypeInfo[Any]) -> str:
    if isinstance(t, UnionTypeInfo):
        return f"its class must be one of {', '.join(member.value_class.__name__ for member in t.members())}"
    return f"give {with_article(t.value_class.__name__)}"
