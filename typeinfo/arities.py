"""ROW and TUPLE, with an overload for each number of fields up to eight.

No type checker can map ``TypeInformation`` over a list of types, so each arity is written out. Fields given
as a tuple or one by one then keep their exact types in any checker; given as a list, or more than eight, they
are ``Any`` unless ``typeinfo.mypy_plugin`` is on. For each field, ``A`` is the type of the values produced,
and ``A2`` that of the values accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar, overload

from typeinfo.arguments import checks_arguments
from typeinfo.composite import AnyTuple, RowTypeInfo, TupleTypeInfo
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
A2 = TypeVar("A2")
B2 = TypeVar("B2")
C2 = TypeVar("C2")
D2 = TypeVar("D2")
E2 = TypeVar("E2")
F2 = TypeVar("F2")
G2 = TypeVar("G2")
H2 = TypeVar("H2")

Out = TypeVar("Out")
In = TypeVar("In")
# The items of lists are not considered: they have one type, but fields have different ones.
RowInfo: TypeAlias = Info[Row[Out], Row[Out] | In | list[Any]]
TupleInfo: TypeAlias = Info[Out, Row[Out] | In | list[Any]]


@checks_arguments(UnsupportedTypeError)
class RowAndTuple:
    """The two factories of ``Types`` whose fields differ in type."""

    # Lists come first: mypy checks nested list literals again for each signature it tries.
    @overload
    @staticmethod
    def ROW(field_types: list[Info[Any]]) -> Info[Row[Any], AnyTuple]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[()]) -> RowInfo[tuple[()], tuple[()]]: ...
    @overload
    @staticmethod
    def ROW(field_types: tuple[Info[A, A2]]) -> RowInfo[tuple[A], tuple[A2 | None]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A, A2], Info[B, B2]],
    ) -> RowInfo[tuple[A, B], tuple[A2 | None, B2 | None]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2]],
    ) -> RowInfo[tuple[A, B, C], tuple[A2 | None, B2 | None, C2 | None]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2]],
    ) -> RowInfo[tuple[A, B, C, D], tuple[A2 | None, B2 | None, C2 | None, D2 | None]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2]],
    ) -> RowInfo[tuple[A, B, C, D, E], tuple[A2 | None, B2 | None, C2 | None, D2 | None, E2 | None]]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2], Info[F, F2]],
    ) -> RowInfo[
        tuple[A, B, C, D, E, F], tuple[A2 | None, B2 | None, C2 | None, D2 | None, E2 | None, F2 | None]
    ]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[
            Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2], Info[F, F2], Info[G, G2]
        ],
    ) -> RowInfo[
        tuple[A, B, C, D, E, F, G],
        tuple[A2 | None, B2 | None, C2 | None, D2 | None, E2 | None, F2 | None, G2 | None],
    ]: ...
    @overload
    @staticmethod
    def ROW(
        field_types: tuple[
            Info[A, A2],
            Info[B, B2],
            Info[C, C2],
            Info[D, D2],
            Info[E, E2],
            Info[F, F2],
            Info[G, G2],
            Info[H, H2],
        ],
    ) -> RowInfo[
        tuple[A, B, C, D, E, F, G, H],
        tuple[A2 | None, B2 | None, C2 | None, D2 | None, E2 | None, F2 | None, G2 | None, H2 | None],
    ]: ...
    @overload
    @staticmethod
    def ROW(field_types: Sequence[Info[Any]]) -> Info[Row[Any], AnyTuple]: ...
    @staticmethod
    def ROW(field_types: Sequence[Info[Any]]) -> Info[Any, Any]:
        """Return the type of rows with unnamed fields; fields may be null, the row not.

        Args:
            field_types: one type per field; a tuple keeps exact element types for type checkers.
        """
        return RowTypeInfo(field_types)

    @overload
    @staticmethod
    def TUPLE(field_types: list[Info[Any]]) -> Info[tuple[Any, ...], AnyTuple]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[()]) -> TupleInfo[tuple[()], tuple[()]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: tuple[Info[A, A2]]) -> TupleInfo[tuple[A], tuple[A2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A, A2], Info[B, B2]],
    ) -> TupleInfo[tuple[A, B], tuple[A2, B2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2]],
    ) -> TupleInfo[tuple[A, B, C], tuple[A2, B2, C2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2]],
    ) -> TupleInfo[tuple[A, B, C, D], tuple[A2, B2, C2, D2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2]],
    ) -> TupleInfo[tuple[A, B, C, D, E], tuple[A2, B2, C2, D2, E2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2], Info[F, F2]],
    ) -> TupleInfo[tuple[A, B, C, D, E, F], tuple[A2, B2, C2, D2, E2, F2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[
            Info[A, A2], Info[B, B2], Info[C, C2], Info[D, D2], Info[E, E2], Info[F, F2], Info[G, G2]
        ],
    ) -> TupleInfo[tuple[A, B, C, D, E, F, G], tuple[A2, B2, C2, D2, E2, F2, G2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        field_types: tuple[
            Info[A, A2],
            Info[B, B2],
            Info[C, C2],
            Info[D, D2],
            Info[E, E2],
            Info[F, F2],
            Info[G, G2],
            Info[H, H2],
        ],
    ) -> TupleInfo[tuple[A, B, C, D, E, F, G, H], tuple[A2, B2, C2, D2, E2, F2, G2, H2]]: ...
    @overload
    @staticmethod
    def TUPLE(field_types: Sequence[Info[Any]]) -> Info[tuple[Any, ...], AnyTuple]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A, A2], /) -> TupleInfo[tuple[A], tuple[A2]]: ...
    @overload
    @staticmethod
    def TUPLE(a: Info[A, A2], b: Info[B, B2], /) -> TupleInfo[tuple[A, B], tuple[A2, B2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2], b: Info[B, B2], c: Info[C, C2], /
    ) -> TupleInfo[tuple[A, B, C], tuple[A2, B2, C2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2], b: Info[B, B2], c: Info[C, C2], d: Info[D, D2], /
    ) -> TupleInfo[tuple[A, B, C, D], tuple[A2, B2, C2, D2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2], b: Info[B, B2], c: Info[C, C2], d: Info[D, D2], e: Info[E, E2], /
    ) -> TupleInfo[tuple[A, B, C, D, E], tuple[A2, B2, C2, D2, E2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2], b: Info[B, B2], c: Info[C, C2], d: Info[D, D2], e: Info[E, E2], f: Info[F, F2], /
    ) -> TupleInfo[tuple[A, B, C, D, E, F], tuple[A2, B2, C2, D2, E2, F2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2],
        b: Info[B, B2],
        c: Info[C, C2],
        d: Info[D, D2],
        e: Info[E, E2],
        f: Info[F, F2],
        g: Info[G, G2],
        /,
    ) -> TupleInfo[tuple[A, B, C, D, E, F, G], tuple[A2, B2, C2, D2, E2, F2, G2]]: ...
    @overload
    @staticmethod
    def TUPLE(
        a: Info[A, A2],
        b: Info[B, B2],
        c: Info[C, C2],
        d: Info[D, D2],
        e: Info[E, E2],
        f: Info[F, F2],
        g: Info[G, G2],
        h: Info[H, H2],
        /,
    ) -> TupleInfo[tuple[A, B, C, D, E, F, G, H], tuple[A2, B2, C2, D2, E2, F2, G2, H2]]: ...
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
    ) -> Info[tuple[Any, ...], AnyTuple]: ...
    @staticmethod
    def TUPLE(*types: Any, field_types: Any = None) -> Info[Any, Any]:
        """Return the type of tuples: ``TUPLE([A, B])`` as in PyFlink, ``TUPLE((A, B))`` or ``TUPLE(A, B)``.

        The last two keep exact element types for type checkers, the first with ``typeinfo.mypy_plugin``.

        Raises:
            UnsupportedTypeError: a field is not a type, or types are given in two ways.
        """
        if field_types is not None:
            if types:
                raise UnsupportedTypeError("TUPLE takes its types by position or as field_types, not both")
            return TupleTypeInfo(field_types)
        if len(types) == 1 and not isinstance(types[0], Info):
            return TupleTypeInfo(types[0])
        return TupleTypeInfo(types)
