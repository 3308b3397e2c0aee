"""Types: every type under the name Flink gives it, and ``Types.of`` for Python annotations."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar, overload

from typing_extensions import TypeForm

from typeinfo import basic, temporal
from typeinfo.basic import BasicTypeInfo, ByteTypeInfo
from typeinfo.collection import (
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.temporal import InstantTypeInfo, LocalTimeTypeInfo, SqlTimeTypeInfo

__all__ = ["Types"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
G = TypeVar("G")


class Types:
    """All types: constants (``Types.INT`` and ``Types.INT()`` alike), factories, and ``Types.of``.

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
    DURATION: ClassVar[BasicTypeInfo[datetime.timedelta]] = basic.DURATION
    INSTANT: ClassVar[InstantTypeInfo] = temporal.INSTANT
    SQL_DATE: ClassVar[SqlTimeTypeInfo[datetime.date]] = temporal.SQL_DATE
    SQL_TIME: ClassVar[SqlTimeTypeInfo[datetime.time]] = temporal.SQL_TIME
    SQL_TIMESTAMP: ClassVar[SqlTimeTypeInfo[datetime.datetime]] = temporal.SQL_TIMESTAMP
    LOCAL_DATE: ClassVar[LocalTimeTypeInfo[datetime.date]] = temporal.LOCAL_DATE
    LOCAL_TIME: ClassVar[LocalTimeTypeInfo[datetime.time]] = temporal.LOCAL_TIME
    LOCAL_DATE_TIME: ClassVar[LocalTimeTypeInfo[datetime.datetime]] = temporal.LOCAL_DATE_TIME
    PICKLED_BYTE_ARRAY: ClassVar[PickledBytesTypeInfo] = PICKLED_BYTE_ARRAY

    @staticmethod
    def of(tp: TypeForm[T]) -> TypeInformation[T]:
        """Return the type a Python annotation stands for.

        Covers the primitives, dataclasses (generic ones too), NamedTuple, TypedDict, tuple, list, dict,
        Optional, Literal, Enum, the datetime family, Decimal, UUID, NewType, and
        ``Annotated[int, Types.SHORT]`` to choose a width.

        Raises:
            TypeInferenceError: no type can be derived; the message names the place inside the annotation.
        """
        from typeinfo.infer import type_of

        return type_of(tp)

    @overload
    @staticmethod
    def ROW(field_types: tuple[TypeInformation[A]]) -> TypeInformation[Row[tuple[A]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[TypeInformation[A], TypeInformation[B]],
    ) -> TypeInformation[Row[tuple[A, B]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[TypeInformation[A], TypeInformation[B], TypeInformation[C]],
    ) -> TypeInformation[Row[tuple[A, B, C]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[TypeInformation[A], TypeInformation[B], TypeInformation[C], TypeInformation[D]],
    ) -> TypeInformation[Row[tuple[A, B, C, D]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: Sequence[TypeInformation[Any]]) -> TypeInformation[Row[Any]]: ...
    @staticmethod
    def ROW(field_types: Sequence[TypeInformation[Any]]) -> TypeInformation[Row[Any]]:
        """Return the type of rows with unnamed fields; fields may be null, the row not.

        Args:
            field_types: one type a field; a tuple keeps exact element types for type checkers.
        """
        return RowTypeInfo(field_types)

    @staticmethod
    def ROW_NAMED(
        field_names: Sequence[str], field_types: Sequence[TypeInformation[Any]]
    ) -> TypeInformation[Row[Any]]:
        """Return the type of rows with named fields; fields may be null, the row not.

        Raises:
            UnsupportedTypeError: names repeat or differ in number from the types.
        """
        return RowTypeInfo(field_types, field_names)

    @overload
    @staticmethod
    def TUPLE(field_types: tuple[TypeInformation[A]], /) -> TypeInformation[tuple[A]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[TypeInformation[A], TypeInformation[B]], /
    ) -> TypeInformation[tuple[A, B]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[TypeInformation[A], TypeInformation[B], TypeInformation[C]], /
    ) -> TypeInformation[tuple[A, B, C]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: Sequence[TypeInformation[Any]]) -> TypeInformation[tuple[Any, ...]]: ...
    @overload
    @staticmethod
    def TUPLE(a: TypeInformation[A], /) -> TypeInformation[tuple[A]]: ...
    @overload
    @staticmethod
    def TUPLE(a: TypeInformation[A], b: TypeInformation[B], /) -> TypeInformation[tuple[A, B]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: TypeInformation[A], b: TypeInformation[B], c: TypeInformation[C], /
    ) -> TypeInformation[tuple[A, B, C]]: ...
    @overload
    @staticmethod
    def TUPLE(*field_types: TypeInformation[Any]) -> TypeInformation[tuple[Any, ...]]: ...
    @staticmethod
    def TUPLE(*types: Any, field_types: Any = None) -> TypeInformation[Any]:
        """Return the type of tuples: ``TUPLE([A, B])`` as in PyFlink, ``TUPLE((A, B))`` or ``TUPLE(A, B)``.

        The last two keep exact element types for type checkers, the first with ``typeinfo.mypy_plugin``.
        """
        if field_types is not None:
            return TupleTypeInfo(field_types)
        if len(types) == 1 and not isinstance(types[0], TypeInformation):
            return TupleTypeInfo(types[0])
        return TupleTypeInfo(types)

    @overload
    @staticmethod
    def PRIMITIVE_ARRAY(element_type: ByteTypeInfo) -> TypeInformation[bytes]: ...  # type: ignore[overload-overlap]
    @overload
    @staticmethod
    def PRIMITIVE_ARRAY(element_type: TypeInformation[T]) -> TypeInformation[list[T]]: ...
    @staticmethod
    def PRIMITIVE_ARRAY(element_type: TypeInformation[Any]) -> TypeInformation[Any]:
        """Return the type of lists of one primitive, without nulls; ``bytes`` for BYTE.

        Raises:
            TypeError: the element type is none of BOOLEAN, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, CHAR.
        """
        return PrimitiveArrayTypeInfo(element_type)

    @staticmethod
    def BASIC_ARRAY(element_type: TypeInformation[T]) -> TypeInformation[list[T | None]]:
        """Return the type of lists of one primitive or of strings; elements may be null.

        Raises:
            TypeError: the element type is not a basic type.
        """
        return BasicArrayTypeInfo(element_type)

    @staticmethod
    def OBJECT_ARRAY(element_type: TypeInformation[T]) -> TypeInformation[list[T | None]]:
        """Return the type of lists of any one type; elements may be null."""
        return ObjectArrayTypeInfo(element_type)

    @staticmethod
    def LIST(element_type_info: TypeInformation[T]) -> TypeInformation[list[T]]:
        """Return the type of lists; elements are not null unless their type admits it."""
        return ListTypeInfo(element_type_info)

    @staticmethod
    def MAP(
        key_type_info: TypeInformation[K], value_type_info: TypeInformation[V]
    ) -> TypeInformation[dict[K, V]]:
        """Return the type of dicts; values may be null, keys not. Order is kept."""
        return MapTypeInfo(key_type_info, value_type_info)
