"""Types beyond Flink that wrap another type or a Python class: optional, enum, literal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from typeinfo.info import Slot, TypeInformation, require_type
from typeinfo.scalar import ScalarTraits, ScalarTypeInfo, text_bytes

__all__ = ["EnumTypeInfo", "LiteralTypeInfo", "OptionalTypeInfo", "is_immutable", "optional_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class OptionalTypeInfo(TypeInformation[T, T]):
    """A value of another type, or ``None``.

    An optional of a type that already admits ``None`` is that type: build one with ``optional_of``.
    """

    value_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        require_type(self.value_type, "the type inside an optional")

    def admits_none(self) -> bool:
        return True

    @property
    def value_class(self) -> type[Any]:
        return self.value_type.value_class

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("", self.value_type, nullable=True),)

    def __repr__(self) -> str:
        return f"Optional<{self.value_type}>"


def optional_of(value_type: TypeInformation[Any]) -> TypeInformation[Any]:
    """Return a type that admits ``None`` in addition to the values of ``value_type``."""
    return value_type if value_type.admits_none() else OptionalTypeInfo(value_type)


@dataclass(frozen=True, slots=True, repr=False)
class EnumTypeInfo(ScalarTypeInfo[T]):
    """A member of an Enum class, carried by its name."""

    enum_class: type[Enum]

    @property
    def traits(self) -> ScalarTraits:
        members = tuple(self.enum_class)
        return ScalarTraits(
            value_class=self.enum_class,
            arrow=("string",),
            spark=("StringType",),
            codec=("text", "EnumCodec"),
            key=lambda member: text_bytes(member.name),
            text=lambda member: member.name,
            samples=members,
            invalid=(*(member.name for member in members[:1]), len(members), object()),
        )

    def __repr__(self) -> str:
        return f"Enum<{self.enum_class.__name__}>"


@dataclass(frozen=True, slots=True, repr=False)
class LiteralTypeInfo(TypeInformation[T, T]):
    """One of a fixed set of values of one basic type.

    Args:
        values: the admitted values in the order written, without ``None``.
        value_type: the basic type that carries them.
    """

    values: tuple[Any, ...]
    value_type: TypeInformation[Any]

    @property
    def value_class(self) -> type[Any]:
        return self.value_type.value_class

    def __repr__(self) -> str:
        return f"Literal<{', '.join(map(repr, self.values))}>"


def is_immutable(t: TypeInformation[Any]) -> bool:
    """Return whether the values of a type cannot change, so that they need not be copied."""
    if isinstance(t, OptionalTypeInfo):
        return is_immutable(t.value_type)
    return isinstance(t, (ScalarTypeInfo, LiteralTypeInfo))
