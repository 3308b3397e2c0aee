"""Array, list and map types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typing_extensions import TypeVar

from typeinfo.arguments import checks_arguments
from typeinfo.basic import BasicType, BasicTypeInfo, ByteTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import Slot, TypeInformation, require_type
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = [
    "PRIMITIVE_TYPES",
    "ArrayTypeInfo",
    "BasicArrayTypeInfo",
    "DeclaredMapTypeInfo",
    "ListTypeInfo",
    "MapTypeInfo",
    "ObjectArrayTypeInfo",
    "PrimitiveArrayTypeInfo",
]

T = TypeVar("T")
# See TypeInformation.
ACCEPTED = TypeVar("ACCEPTED", contravariant=True, default=T)
K = TypeVar("K")
V = TypeVar("V")

PRIMITIVE_TYPES = frozenset(
    {
        BasicType.BOOLEAN,
        BasicType.BYTE,
        BasicType.SHORT,
        BasicType.INT,
        BasicType.LONG,
        BasicType.FLOAT,
        BasicType.DOUBLE,
        BasicType.CHAR,
    }
)


class ArrayTypeInfo(TypeInformation[T, ACCEPTED]):
    """Base class of array and list types: one element type, with paths such as ``[i]``."""

    __slots__ = ()
    element_type: TypeInformation[Any]

    @property
    def elem_type(self) -> TypeInformation[Any]:
        """The element type; named as in PyFlink."""
        return self.element_type

    @property
    def value_class(self) -> type[Any]:
        return list

    def is_hashable(self) -> bool:
        return False

    def is_mutable(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{type(self).__name__}<{self.element_type}>"


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class PrimitiveArrayTypeInfo(ArrayTypeInfo[T, ACCEPTED]):
    """A list of one of the eight primitives, without nulls; ``bytes`` if the element is BYTE.

    Raises:
        TypeError: the element type is not one of the eight primitives.

    Mirrors ``org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo``.
    """

    element_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        element = self.element_type
        if not (isinstance(element, BasicTypeInfo) and element.basic_type in PRIMITIVE_TYPES):
            raise UnsupportedTypeError("Invalid element type for a primitive array.")

    @property
    def is_bytes(self) -> bool:
        """Whether values are ``bytes``."""
        return isinstance(self.element_type, ByteTypeInfo)

    @property
    def value_class(self) -> type[Any]:
        return bytes if self.is_bytes else list

    def is_hashable(self) -> bool:
        return self.is_bytes

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("[]", self.element_type, nullable=False),)


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class BasicArrayTypeInfo(ArrayTypeInfo[T, ACCEPTED]):
    """A list of boxed primitives or strings; elements may be null.

    Raises:
        TypeError: the element type is not a basic type.

    Mirrors ``org.apache.flink.api.common.typeinfo.BasicArrayTypeInfo``.
    """

    element_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        element = self.element_type
        if not (
            isinstance(element, BasicTypeInfo) and element.basic_type in PRIMITIVE_TYPES | {BasicType.STRING}
        ):
            raise UnsupportedTypeError("Invalid element type for a basic array.")

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("[]", self.element_type, nullable=True),)


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class ObjectArrayTypeInfo(ArrayTypeInfo[T, ACCEPTED]):
    """A list of values of any type; elements may be null.

    Mirrors ``org.apache.flink.api.java.typeutils.ObjectArrayTypeInfo``.
    """

    element_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        require_type(self.element_type, "the element type of an object array")

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("[]", self.element_type, nullable=True),)


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class ListTypeInfo(ArrayTypeInfo[T, ACCEPTED]):
    """A list of values of one type; elements are not null unless their type admits it.

    Mirrors ``org.apache.flink.api.java.typeutils.ListTypeInfo``.
    """

    element_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        require_type(self.element_type, "the element type of a list")

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("[]", self.element_type, nullable=False),)


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False, init=False)
class MapTypeInfo(TypeInformation[T, ACCEPTED]):
    """A dict with keys of one type and values of another; values may be null, keys not. Order is kept.

    Raises:
        UnsupportedTypeError: the keys cannot be hashed, or may be null.

    Mirrors ``org.apache.flink.api.java.typeutils.MapTypeInfo``.
    """

    key_type: TypeInformation[Any]
    value_type: TypeInformation[Any]

    def __init__(self, key_type_info: TypeInformation[Any], value_type_info: TypeInformation[Any]) -> None:
        key = require_type(key_type_info, "the key type of a map")
        object.__setattr__(self, "key_type", key)
        object.__setattr__(self, "value_type", require_type(value_type_info, "the value type of a map"))
        if key.admits_none() and not isinstance(key, PickledBytesTypeInfo):
            raise UnsupportedTypeError(f"the keys of a map cannot be None, but {key} admits it")
        if not key.is_hashable():
            raise UnsupportedTypeError(
                f"keys of a dict must be hashable, which values of {key} are not; tuples of scalars can be"
            )

    def slots(self) -> tuple[Slot, ...]:
        return (
            Slot("{}", self.key_type, nullable=False),
            Slot("[]", self.value_type, nullable=True),
        )

    @property
    def value_class(self) -> type[Any]:
        return dict

    def is_hashable(self) -> bool:
        return False

    def is_mutable(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"MapTypeInfo<{self.key_type}, {self.value_type}>"


@dataclass(frozen=True, slots=True, repr=False, init=False)
class DeclaredMapTypeInfo(MapTypeInfo[T, T]):
    """A MAP whose values are null only if their type admits it; see ``typeinfo.infer.declared_type``."""

    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot._replace(nullable=False) for slot in MapTypeInfo.slots(self))
