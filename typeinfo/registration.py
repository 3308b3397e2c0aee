"""register_custom_type: user-defined types for ``Types.of``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from typeinfo.custom import CustomTypeInfo, register
from typeinfo.infer import make_room
from typeinfo.info import TypeInformation

__all__ = ["register_custom_type"]

C = TypeVar("C")


def register_custom_type(
    cls: type[C],
    carrier: TypeInformation[Any],
    encode: Callable[[C], Any],
    decode: Callable[[Any], C],
    *,
    deterministic: bool = False,
) -> TypeInformation[C]:
    """Register a type for a class, to be found by ``Types.of``.

    Register a class where it is defined, at the top level of a module. A later registration of the same class
    replaces the earlier one. ``typeinfo.testing.laws.check_all(cls)`` tests round trips.

    Args:
        cls: the class; not a generic one with arguments.
        carrier: the type that carries its instances, e.g. ``Types.TUPLE([Types.LONG(), Types.STRING()])``.
        encode: takes an instance and returns a value of ``carrier``; it must not change the instance.
        decode: takes such a value and returns an instance.
        deterministic: whether equal instances, and only those, are encoded equally; required for keys.

    Returns:
        The type, a `CustomTypeInfo`.

    Raises:
        UnsupportedTypeError: ``cls`` is not a class, or has a built-in type such as ``int``; ``carrier`` is
            not a type or admits ``None``, or a function is not callable.

    Mirrors ``flink.Environment.register_custom_type``, whose serializers are a pair of functions to bytes.

    Example:
        >>> from typeinfo import Types, register_custom_type
        >>> _ = register_custom_type(complex, Types.TUPLE([Types.DOUBLE(), Types.DOUBLE()]),
        ...                          lambda z: (z.real, z.imag), lambda parts: complex(*parts))
        >>> Types.of(list[complex])
        ListTypeInfo<complex<TupleTypeInfo(Double, Double)>>
    """
    t: CustomTypeInfo[C] = CustomTypeInfo(cls, carrier, encode, decode, deterministic)
    make_room(cls)
    register(t)
    return t
