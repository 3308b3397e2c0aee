"""Types: all types under their names in Flink, and ``Types.of`` for Python annotations."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, overload

from typing_extensions import TypeForm

from typeinfo import basic, temporal
from typeinfo.arguments import checks_arguments
from typeinfo.arities import RowAndTuple
from typeinfo.basic import BasicTypeInfo, ByteTypeInfo
from typeinfo.collection import (
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import AnyRow, ListOf, RowTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, LocalTimeTypeInfo, SqlTimeTypeInfo

__all__ = ["Types"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
T_IN = TypeVar("T_IN")
V_IN = TypeVar("V_IN")

if TYPE_CHECKING:

    class TypeOf(TypeInformation[T, T]):
        """The exact type of an annotation; pyright would widen ``TypeInformation[T]`` to fit other values."""


@checks_arguments(UnsupportedTypeError)
class Types(RowAndTuple):
    """All types: constants (``Types.INT`` or ``Types.INT()``), factories, and ``Types.of``.

    Mirrors ``org.apache.flink.api.common.typeinfo.Types``.
    """

    VOID: ClassVar[BasicTypeInfo[None]] = basic.VOID
    STRING: ClassVar[BasicTypeInfo[str]] = basic.STRING
    BYTE: ClassVar[ByteTypeInfo] = basic.BYTE
    BOOLEAN: ClassVar[BasicTypeInfo[bool]] = basic.BOOLEAN
    SHORT: ClassVar[BasicTypeInfo[int]] = basic.SHORT
    INT: ClassVar[BasicTypeInfo[int]] = basic.INT
    LONG: ClassVar[BasicTypeInfo[int]] = basic.LONG
    FLOAT: ClassVar[BasicTypeInfo[float]] = basic.FLOAT
    DOUBLE: ClassVar[BasicTypeInfo[float]] = basic.DOUBLE
    CHAR: ClassVar[BasicTypeInfo[str]] = basic.CHAR
    BIG_INT: ClassVar[BasicTypeInfo[int]] = basic.BIG_INT
    BIG_DEC: ClassVar[BasicTypeInfo[decimal.Decimal]] = basic.BIG_DEC
    UUID: ClassVar[BasicTypeInfo[uuid.UUID]] = basic.UUID
    DURATION: ClassVar[BasicTypeInfo[datetime.timedelta]] = temporal.DURATION
    INSTANT: ClassVar[InstantTypeInfo] = temporal.INSTANT
    SQL_DATE: ClassVar[SqlTimeTypeInfo[datetime.date]] = temporal.SQL_DATE
    SQL_TIME: ClassVar[SqlTimeTypeInfo[datetime.time]] = temporal.SQL_TIME
    SQL_TIMESTAMP: ClassVar[SqlTimeTypeInfo[datetime.datetime]] = temporal.SQL_TIMESTAMP
    LOCAL_DATE: ClassVar[LocalTimeTypeInfo[datetime.date]] = temporal.LOCAL_DATE
    LOCAL_TIME: ClassVar[LocalTimeTypeInfo[datetime.time]] = temporal.LOCAL_TIME
    LOCAL_DATE_TIME: ClassVar[LocalTimeTypeInfo[datetime.datetime]] = temporal.LOCAL_DATE_TIME
    PICKLED_BYTE_ARRAY: ClassVar[PickledBytesTypeInfo] = PICKLED_BYTE_ARRAY

    @staticmethod
    def of(tp: TypeForm[T]) -> TypeOf[T]:
        """Return the type of a Python annotation.

        Covers the primitives, dataclasses (generic ones too), NamedTuple, TypedDict, tuple, list, dict, set,
        frozenset, Optional, unions such as ``int | str``, Literal, Enum, the datetime family, Decimal,
        Fraction, UUID, the classes of ``ipaddress``, paths, NewType, and ``Annotated[int, Types.SHORT]`` to
        choose a width. An instance of a class consists of its fields: it is deserialized without running
        ``__post_init__``, converters or validators, and other attributes are rejected.

        Raises:
            TypeInferenceError: no type can be derived; the message names the place inside the annotation.

        Examples:
            >>> from dataclasses import dataclass
            >>> from typeinfo import Types
            >>> @dataclass
            ... class Word:
            ...     text: str
            ...     length: int
            >>> Types.of(Word)
            Word(text: String, length: Long)
            >>> Types.of(dict[str, list[float | None]])
            MapTypeInfo<String, ListTypeInfo<Optional<Double>>>
        """
        from typeinfo.infer import type_of

        return cast("TypeOf[T]", type_of(tp))

    @staticmethod
    def ROW_NAMED(
        field_names: Sequence[str], field_types: Sequence[TypeInformation[Any]]
    ) -> TypeInformation[Row[Any], AnyRow]:
        """Return the type of rows with named fields; fields may be null, the row not.

        Raises:
            UnsupportedTypeError: names repeat or differ in number from the types.
        """
        return RowTypeInfo(field_types, field_names)

    @overload
    @staticmethod
    def PRIMITIVE_ARRAY(element_type: ByteTypeInfo) -> TypeInformation[bytes]: ...  # type: ignore[overload-overlap]
    @overload
    @staticmethod
    def PRIMITIVE_ARRAY(
        element_type: TypeInformation[T, T_IN],
    ) -> TypeInformation[list[T], ListOf[T_IN] | tuple[T_IN, ...]]: ...
    @staticmethod
    def PRIMITIVE_ARRAY(element_type: TypeInformation[Any]) -> TypeInformation[Any]:
        """Return the type of lists of one primitive, without nulls; ``bytes`` for BYTE.

        Raises:
            TypeError: the element type is not BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE or CHAR.
        """
        return PrimitiveArrayTypeInfo(element_type)

    @staticmethod
    def BASIC_ARRAY(
        element_type: TypeInformation[T, T_IN],
    ) -> TypeInformation[list[T | None], ListOf[T_IN | None] | tuple[T_IN | None, ...]]:
        """Return the type of lists of one primitive or of strings; elements may be null.

        Raises:
            TypeError: the element type is not a basic type.
        """
        return BasicArrayTypeInfo(element_type)

    @staticmethod
    def OBJECT_ARRAY(
        element_type: TypeInformation[T, T_IN],
    ) -> TypeInformation[list[T | None], ListOf[T_IN | None] | tuple[T_IN | None, ...]]:
        """Return the type of lists of any type; elements may be null."""
        return ObjectArrayTypeInfo(element_type)

    @staticmethod
    def LIST(
        element_type_info: TypeInformation[T, T_IN],
    ) -> TypeInformation[list[T], ListOf[T_IN] | tuple[T_IN, ...]]:
        """Return the type of lists; elements are not null unless their type admits it."""
        return ListTypeInfo(element_type_info)

    @staticmethod
    def MAP(
        key_type_info: TypeInformation[K], value_type_info: TypeInformation[V, V_IN]
    ) -> TypeInformation[dict[K, V], dict[K, V] | dict[K, V_IN]]:
        """Return the type of dicts; values may be null, keys not. Order is kept."""
        return MapTypeInfo(key_type_info, value_type_info)
