"""CustomTypeInfo: user-defined types, converted to and from a known type."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType
from typing import Any, TypeVar

from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation, require_type

__all__ = ["CustomTypeInfo", "custom_type_of", "custom_types", "register"]

T = TypeVar("T")
C = TypeVar("C")


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CustomTypeInfo(TypeInformation[T, T]):
    """Instances of any class, carried as values of another type through two user functions.

    Tables and their schemas contain the carrier and do not name the class. Instances of subclasses are
    accepted as well, and are restored by ``decode``. Two of these types are equal if class, carrier and
    functions are; functions pickled by value, such as a script's own, stay equal to their copies unless they
    are closures.

    Args:
        custom_class: the class of the values.
        carrier: the type of the results of ``encode``; one that does not admit ``None``.
        encode: takes an instance, without modifying it, and returns a value of ``carrier``.
        decode: takes such a value and returns an instance.
        deterministic: whether equal instances are encoded to equal values and different ones to different
            ones, in every process; only then can an instance be a key.

    Raises:
        UnsupportedTypeError: an argument is invalid.
    """

    custom_class: type[Any]
    carrier: TypeInformation[Any]
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    deterministic: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.custom_class, type):
            raise UnsupportedTypeError(f"a custom type is of a class, not of {self.custom_class!r}")
        name = self.custom_class.__qualname__
        carrier = require_type(self.carrier, f"the carrier of {name}")
        if carrier.admits_none():
            raise UnsupportedTypeError(
                f"{name} cannot be carried as {carrier}, because None there means that there is no {name};"
                " encode to a type without None, such as a TUPLE of one or bytes"
            )
        for role in ("encode", "decode"):
            if not callable(getattr(self, role)):
                raise UnsupportedTypeError(f"{role} of {name} is not a function: {getattr(self, role)!r}")

    @property
    def value_class(self) -> type[Any]:
        return self.custom_class

    def is_hashable(self) -> bool:
        return self.custom_class.__hash__ is not None

    def is_mutable(self) -> bool:
        return True

    def _identity(self) -> tuple[Any, ...]:
        functions = map(_function_identity, (self.encode, self.decode))
        return (self.custom_class, self.carrier, self.deterministic, *functions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CustomTypeInfo):
            return NotImplemented
        return self is other or self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.custom_class, self.carrier))

    def __repr__(self) -> str:
        return f"{self.custom_class.__name__}<{self.carrier}>"


def _function_identity(function: Any, around: tuple[Any, ...] = ()) -> Any:
    """Return the identity of a function, which survives pickling by value.

    Args:
        function: a function, or any value that one captures or has as a default, compared by ``==``.
        around: the functions that capture it.
    """
    if isinstance(function, partial):
        return partial, _function_identity(function.func), function.args, tuple(function.keywords.items())
    if not isinstance(function, FunctionType):
        return function
    place = function.__module__, function.__qualname__, function.__code__
    if function in around:
        return place
    captured = [cell.cell_contents for cell in function.__closure__ or ()]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return place, tuple(_function_identity(held, (*around, function)) for held in (*captured, *defaults))


_registered: dict[type[Any], CustomTypeInfo[Any]] = {}


def register(t: CustomTypeInfo[Any]) -> None:
    """Register a type for its class, replacing an earlier one."""
    _registered[t.custom_class] = t


def custom_type_of(cls: Any) -> CustomTypeInfo[Any] | None:
    """Return the type registered for a class, ``None`` if there is none."""
    return _registered.get(cls) if isinstance(cls, type) else None


def custom_types() -> tuple[CustomTypeInfo[Any], ...]:
    """Return all registered types in the order of the first registration of their class."""
    return tuple(_registered.values())


def _without_lock(held: cached_property[Any]) -> tuple[Any, ...]:
    return cached_property, (held.func,), {"attrname": held.attrname}


# A class of a script is pickled by value; in Python 3.11, a cached_property in it holds a lock.
copyreg.pickle(cached_property, _without_lock)
