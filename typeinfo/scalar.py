"""ScalarTypeInfo: types of values without parts, the registry of their traits, and encodings for keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Any, TypeVar

from typeinfo.info import TypeInformation

__all__ = [
    "INFERRED",
    "SCALARS",
    "ScalarTraits",
    "ScalarTypeInfo",
    "count_bytes",
    "integer_bytes",
    "long_bytes",
    "register",
    "sized_bytes",
    "text_bytes",
]

T = TypeVar("T")
SCALAR = TypeVar("SCALAR", bound="ScalarTypeInfo[Any]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarTraits:
    """The traits of a scalar type, for every module that handles values by their type.

    What belongs to Arrow and Spark is named, not imported: programs are built without them.

    Attributes:
        value_class: the class of the values.
        inferred: whether ``Types.of(value_class)`` is this type.
        arrow: the name of a function of pyarrow that returns the Arrow type, and its arguments.
        spark: the name of the class of the Spark type, and its arguments.
        from_arrow: the names of the tests in ``pyarrow.types`` for Arrow types that are read as this type.
        from_spark: the names of the classes of Spark types that are read as this type.
        codec: the module in ``typeinfo.serde`` with the codec of columns, and the name of its class.
        key: encodes a value as key bytes, which are self-delimiting and never change between versions.
        equal_as_keys: whether two values are the same key if and only if they are equal in Python, and their
            class alone determines how to encode them; false is always safe.
        text: formats a value as Flink's string encoder does.
        parse: parses text written by ``text``, or raises a ValueError; ``None`` if every format has a text
            form of its own.
        bounds: the least and the greatest integer, for an integer type of limited width.
        samples: values at edge cases, simplest first, for tests.
        invalid: values of other types, or out of range, which are rejected, for tests.
    """

    value_class: type[Any]
    inferred: bool = True
    arrow: tuple[Any, ...]
    spark: tuple[Any, ...]
    from_arrow: tuple[str, ...] = ()
    from_spark: tuple[str, ...] = ()
    codec: tuple[str, str]
    key: Callable[[Any], bytes]
    equal_as_keys: bool = False
    text: Callable[[Any], str] = str
    parse: Callable[[str], Any] | None = None
    bounds: tuple[int, int] | None = None
    samples: tuple[Any, ...]
    invalid: tuple[Any, ...]


class ScalarTypeInfo(TypeInformation[T, T]):
    """Base class of the types of values without parts, which are immutable and hashable."""

    __slots__ = ()

    @property
    def traits(self) -> ScalarTraits:
        """The traits of the type."""
        return _TRAITS[self]

    @property
    def value_class(self) -> type[Any]:
        return self.traits.value_class


SCALARS: dict[str, ScalarTypeInfo[Any]] = {}
"""All scalar types by their names in ``Types``; ``typeinfo.types`` imports the modules that register them."""

INFERRED: dict[Any, TypeInformation[Any]] = {}
"""The types for annotations that are classes of values, by class."""

_TRAITS: dict[TypeInformation[Any], ScalarTraits] = {}


def register(name: str, t: SCALAR, traits: ScalarTraits) -> SCALAR:
    """Register a scalar type under its name in ``Types``, with its traits, and return it."""
    SCALARS[name] = t
    _TRAITS[t] = traits
    if traits.inferred:
        INFERRED[traits.value_class] = t
    return t


# Self-delimiting encodings of the parts of keys.

count_bytes: Callable[[int], bytes] = Struct(">I").pack
long_bytes: Callable[[int], bytes] = Struct(">q").pack


def sized_bytes(data: bytes) -> bytes:
    """Encode bytes, preceded by their length."""
    return count_bytes(len(data)) + data


def text_bytes(value: str) -> bytes:
    """Encode a string."""
    return sized_bytes(value.encode())


def integer_bytes(value: int) -> bytes:
    """Encode an integer of any size."""
    return sized_bytes(value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
