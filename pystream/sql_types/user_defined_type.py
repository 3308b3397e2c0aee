"""UserDefinedType: objects of a class of the program as values of another data type."""

from __future__ import annotations

from typing import Any, ClassVar

from pystream.errors import ArgumentTypeError
from pystream.sql_types.composite_types import ArrayType, MapType, RowField, RowType
from pystream.sql_types.data_type import DataType, made_of
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation

__all__ = ["UserDefinedType", "stored_type"]


@checks_arguments(ArgumentTypeError, methods=False)
class UserDefinedType(DataType):
    """Objects of a class of the program, as values of another data type that columns hold.

    A subclass defines ``sql_type`` and ``serialize``; the class of the objects has an instance of it as
    ``__UDT__``. ``from_elements`` takes the objects, and makes columns of the other type.

    Mirrors PyFlink's ``UserDefinedType``.
    """

    __slots__ = ()

    _example: ClassVar[str] = "PointType()"

    def __init__(self, nullable: bool = True) -> None:
        made_of(self, is_nullable=nullable)

    @classmethod
    def sql_type(cls) -> DataType:
        """Return the type of the values that columns hold; a subclass defines it."""
        raise _undefined(cls, "sql_type()")

    @classmethod
    def module(cls) -> str:
        """Return the module of the class, which is not used here."""
        return cls.__module__

    @classmethod
    def java_udt(cls) -> str:
        """Return the name of a class of Java for the same objects, which is not used here."""
        return ""

    def serialize(self, obj: Any) -> Any:
        """Return the value of an object; a subclass defines it."""
        raise _undefined(type(self), "serialize(obj)")

    def deserialize(self, datum: Any) -> Any:
        """Return the object of a value; a subclass may define it for functions of the program."""
        raise _undefined(type(self), "deserialize(datum)")

    @property
    def type_info(self) -> TypeInformation[Any]:
        return self.sql_type().type_info

    def _text(self) -> str:
        return self.sql_type()._text()


def _undefined(cls: type[UserDefinedType], method: str) -> UnsupportedTypeError:
    return UnsupportedTypeError(f"{cls.__name__} must define {method}")


def stored_type(data_type: DataType) -> DataType:
    """Return the type of the values that columns hold for a type that may contain user-defined ones."""
    nullable = data_type.is_nullable
    match data_type:
        case UserDefinedType():
            stored = stored_type(data_type.sql_type())
            return stored.nullable() if nullable else stored.not_null()
        case ArrayType(element_type):
            return ArrayType(stored_type(element_type), nullable)
        case MapType(key_type, value_type):
            return MapType(stored_type(key_type), stored_type(value_type), nullable)
        case RowType(fields=fields):
            return RowType(
                [RowField(field.name, stored_type(field.data_type), field.description) for field in fields],
                nullable,
            )
    return data_type
