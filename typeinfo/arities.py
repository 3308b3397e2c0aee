"""ROW and TUPLE, with a signature for each number of fields up to eight.

No type checker can map ``TypeInformation`` over a list of types, so each arity is written out. Fields given
as a tuple or one by one then keep their exact types in any checker; given as a list, or more than eight, they
are ``Any`` unless ``typeinfo.mypy_plugin`` is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation as Info
from typeinfo.row import Row

__all__ = ["RowAndTuple"]

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
G = TypeVar("G")
H = TypeVar("H")


class RowAndTuple:
    """The two factories of ``Types`` whose fields differ in type."""

    # Lists come first: mypy looks at nested list literals anew for each signature it tries.
    @overload
    @staticmethod
    def ROW(field_types: list[Info[Any]]) -> Info[Row[Any]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[()]) -> Info[Row[tuple[()]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[Info[A]]) -> Info[Row[tuple[A]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[Info[A], Info[B]]) -> Info[Row[tuple[A, B]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[Info[A], Info[B], Info[C]]) -> Info[Row[tuple[A, B, C]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[Info[A], Info[B], Info[C], Info[D]]) -> Info[Row[tuple[A, B, C, D]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E]],
    ) -> Info[Row[tuple[A, B, C, D, E]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F]],
    ) -> Info[Row[tuple[A, B, C, D, E, F]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F], Info[G]],
    ) -> Info[Row[tuple[A, B, C, D, E, F, G]]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F], Info[G], Info[H]],
    ) -> Info[Row[tuple[A, B, C, D, E, F, G, H]]]: ...
    @overload
    @staticmethod
    def ROW(field_types: Sequence[Info[Any]]) -> Info[Row[Any]]: ...
    @staticmethod
    def ROW(field_types: Sequence[Info[Any]]) -> Info[Row[Any]]:
        """Return the type of rows with unnamed fields; fields may be null, the row not.

        Args:
            field_types: one type a field; a tuple keeps exact element types for type checkers.
        """
        return RowTypeInfo(field_types)

    @overload
    @staticmethod
    def TUPLE(field_types: list[Info[Any]]) -> Info[tuple[Any, ...]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[()]) -> Info[tuple[()]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[Info[A]]) -> Info[tuple[A]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[Info[A], Info[B]]) -> Info[tuple[A, B]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[Info[A], Info[B], Info[C]]) -> Info[tuple[A, B, C]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[Info[A], Info[B], Info[C], Info[D]]) -> Info[tuple[A, B, C, D]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E]],
    ) -> Info[tuple[A, B, C, D, E]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F]],
    ) -> Info[tuple[A, B, C, D, E, F]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F], Info[G]],
    ) -> Info[tuple[A, B, C, D, E, F, G]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A], Info[B], Info[C], Info[D], Info[E], Info[F], Info[G], Info[H]],
    ) -> Info[tuple[A, B, C, D, E, F, G, H]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: Sequence[Info[Any]]) -> Info[tuple[Any, ...]]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A], /) -> Info[tuple[A]]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A], b: Info[B], /) -> Info[tuple[A, B]]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A], b: Info[B], c: Info[C], /) -> Info[tuple[A, B, C]]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A], b: Info[B], c: Info[C], d: Info[D], /) -> Info[tuple[A, B, C, D]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A], b: Info[B], c: Info[C], d: Info[D], e: Info[E], /
    ) -> Info[tuple[A, B, C, D, E]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A], b: Info[B], c: Info[C], d: Info[D], e: Info[E], f: Info[F], /
    ) -> Info[tuple[A, B, C, D, E, F]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A], b: Info[B], c: Info[C], d: Info[D], e: Info[E], f: Info[F], g: Info[G], /
    ) -> Info[tuple[A, B, C, D, E, F, G]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A], b: Info[B], c: Info[C], d: Info[D], e: Info[E], f: Info[F], g: Info[G], h: Info[H], /
    ) -> Info[tuple[A, B, C, D, E, F, G, H]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[Any],
        b: Info[Any],
        c: Info[Any],
        d: Info[Any],
        e: Info[Any],
        f: Info[Any],
        g: Info[Any],
        h: Info[Any],
        /,
        *more: Info[Any],
    ) -> Info[tuple[Any, ...]]: ...
    @staticmethod
    def TUPLE(*types: Any, field_types: Any = None) -> Info[Any]:
        """Return the type of tuples: ``TUPLE([A, B])`` as in PyFlink, ``TUPLE((A, B))`` or ``TUPLE(A, B)``.

        The last two keep exact element types for type checkers, the first with ``typeinfo.mypy_plugin``.

        Raises:
            UnsupportedTypeError: a field is no type, or types are given in two ways.
        """
        if field_types is not None:
            if types:
                raise UnsupportedTypeError("TUPLE takes its types by position or as field_types, not both")
            return TupleTypeInfo(field_types)
        if len(types) == 1 and not isinstance(types[0], Info):
            return TupleTypeInfo(types[0])
        return TupleTypeInfo(types)
