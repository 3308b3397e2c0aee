"""Types of classes of your own: how values become values of a type that is known, and back."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType
from typing import Any, TypeVar

from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation, require_type

__all__ = ["CustomTypeInfo", "custom_type_of", "custom_types", "register"]

T = TypeVar("T")
C = TypeVar("C")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CustomTypeInfo(TypeInformation[T, T]):
    """Instances of any class, carried as values of another type by two functions.

    Tables and their schemas show the carrier; nothing in them names the class. Instances of subclasses are
    taken as well, and come back as whatever ``decode`` makes. Two of these types are equal if class, carrier
    and functions are; functions that are pickled by value, as a script's own are, stay equal to their copies
    unless they are closures.

    Args:
        custom_class: the class of the values.
        carrier: the type of what ``encode`` returns; one that does not admit ``None``.
        encode: takes an instance, which it leaves as it is, and returns a value of ``carrier``.
        decode: takes such a value and returns an instance.
        deterministic: whether equal instances are encoded to equal values and different ones to different
            ones, always and everywhere; only then can an instance be a key.

    Raises:
        UnsupportedTypeError: an argument is not what is said here.
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
    """Return the identity of a function, which stays the same when it is pickled with its code.

    Args:
        function: a function, or anything that one captures or has as a default value, which tells itself
            apart by ``==``.
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
    """Register a type for its class, in place of an earlier one."""
    _registered[t.custom_class] = t


def custom_type_of(cls: Any) -> CustomTypeInfo[Any] | None:
    """Return the type registered for a class, if there is one."""
    return _registered.get(cls) if isinstance(cls, type) else None


def custom_types() -> tuple[CustomTypeInfo[Any], ...]:
    """Return all registered types in the order in which their classes were first registered."""
    return tuple(_registered.values())


def _without_lock(held: cached_property[Any]) -> tuple[Any, ...]:
    return cached_property, (held.func,), {"attrname": held.attrname}


# A class of a script is pickled by value; in Python 3.11, a cached_property in it holds a lock.
copyreg.pickle(cached_property, _without_lock)
