"""DataType: what the data types of columns have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["DataType", "made_of"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DataType(ABC):
    """The data type of a column.

    Attributes:
        is_nullable: whether the column may hold nulls.

    Mirrors ``org.apache.flink.table.types.DataType``.
    """

    _example: ClassVar[str] = "DataTypes.INT()"

    is_nullable: bool = field(kw_only=True)

    @property
    @abstractmethod
    def type_info(self) -> TypeInformation[Any]:
        """Type of the values in a stream."""

    @abstractmethod
    def _text(self) -> str:
        """The name in SQL, without nullability."""

    def _parameters(self) -> tuple[object, ...]:
        """The arguments of the constructor before that of nullability, for the text of Python."""
        return ()

    def __str__(self) -> str:
        return self._text() if self.is_nullable else f"{self._text()} NOT NULL"

    def __repr__(self) -> str:
        parts = [*map(repr, self._parameters()), str(self.is_nullable).lower()]
        return f"{type(self).__name__}({', '.join(parts)})"

    def not_null(self) -> Self:
        """Return this type without nulls."""
        return self._with(is_nullable=False)

    def nullable(self) -> Self:
        """Return this type with nulls."""
        return self._with(is_nullable=True)

    @classmethod
    def type_name(cls) -> str:
        """Return the name of the kind of types, such as ``BIGINT``."""
        return cls.__name__.removesuffix("Type").upper()

    @checks_arguments(ArgumentTypeError)
    def bridged_to(self, conversion_cls: str) -> Self:
        """Return this type: Java classes, which Flink converts values to, do not exist here."""
        return self

    def _with(self, **parts: object) -> Self:
        """Return a copy with other attributes."""
        changed = copy(self)
        made_of(changed, **parts)
        return changed


def made_of(data_type: object, **parts: object) -> None:
    """Set attributes of a new object of a class that never changes."""
    for name, value in parts.items():
        object.__setattr__(data_type, name, value)
