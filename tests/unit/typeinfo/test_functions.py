from __future__ import annotations

import functools
import operator
import re
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, NewType, TypeVar

import pytest

from typeinfo import Row, Types
from typeinfo.functions import Inferred, base_argument, result_type, written_annotation

IN = TypeVar("IN")
OUT = TypeVar("OUT")
A = TypeVar("A")
B = TypeVar("B")


class MapFunction(Generic[IN, OUT]):
    def map(self, value: IN) -> OUT:
        raise AssertionError


@dataclass
class Order:
    id: int


class Crossed(MapFunction[B, A], Generic[A, B]):
    pass


class Wrapped(Crossed[list[A], str]):
    pass


class Innermost(Wrapped[int]):
    def map(self, value):
        return [value]


class ByMethod(MapFunction[Any, Any]):
    def map(self, value: str) -> Order:
        return Order(int(value))


class Unbound(MapFunction[IN, OUT]):
    pass


class Bare(MapFunction):
    def map(self, value):
        return value


class RowsOut(MapFunction[int, Row]):
    def map(self, value):
        return Row(value)


class Same(MapFunction[IN, IN]):
    def map(self, value: IN) -> IN:
        return value


class RightBase(MapFunction[int, str]):
    pass


class Right(RightBase):
    pass


class Diamond(Bare, Right):
    pass


class Callee:
    def __call__(self, value: int, other: str = "") -> dict[str, int]:
        return {}

    def method(self, value: bytes) -> Order:
        return Order(1)

    @staticmethod
    def static(value: float) -> bool:
        return True

    @classmethod
    def made(cls, value: str) -> list[int]:
        return []

    @functools.lru_cache  # noqa: B019
    def cached_method(self, value: int) -> str:
        return ""


class Holder(Generic[A]):
    def get(self, value: int) -> A:
        raise AssertionError


class IntHolder(Holder[int]):
    pass


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


def plain(value: int, other: str, *rest: float, keyword: bytes = b"") -> tuple[int, str]:
    return value, other


@logged
def wrapped(value: int) -> Order:
    return Order(value)


@functools.lru_cache
def cached(value: int) -> Order:
    return Order(value)


@functools.lru_cache
@logged
def twice_wrapped(value: int) -> "Order":  # noqa: UP037
    return Order(value)


def to_row(value: int) -> Row:
    return Row(value)


def to_any(value: int) -> Any:
    return value


def to_nothing(value: int) -> None:
    pass


def to_unknown(value: int) -> Nowhere:  # noqa: F821
    return value


def unannotated(value):
    return value


async def later(value: int) -> int:
    return value


async def stream(value: int) -> AsyncIterator[int]:
    yield value


Score = NewType("Score", float)

ORDER = Types.of(Order)

RESULTS = [
    (plain, Types.TUPLE(Types.LONG, Types.STRING)),
    (wrapped, ORDER),
    (cached, ORDER),
    (twice_wrapped, ORDER),
    (to_any, Types.PICKLED_BYTE_ARRAY),
    (to_nothing, Types.VOID),
    (functools.partial(plain, 1), Types.TUPLE(Types.LONG, Types.STRING)),
    (functools.partial(functools.partial(cached), 1), ORDER),
    (Callee(), Types.MAP(Types.STRING, Types.LONG)),
    (Callee().method, ORDER),
    (Callee.static, Types.BOOLEAN),
    (Callee().static, Types.BOOLEAN),
    (Callee.made, Types.LIST(Types.LONG)),
    (Callee().cached_method, Types.STRING),
    (functools.partial(Callee().method, b""), ORDER),
    (IntHolder().get, Types.LONG),
    (Holder[str]().get, Types.STRING),
    (Innermost(), Types.LIST(Types.LONG)),
    (ByMethod(), ORDER),
    (Same[float](), Types.DOUBLE),
    (int, Types.LONG),
    (str, Types.STRING),
    (float, Types.DOUBLE),
    (Decimal, Types.BIG_DEC),
    (Order, ORDER),
    (functools.partial(Order, id=1), ORDER),
    (Score, Types.DOUBLE),
]

UNKNOWN = [
    (lambda value: value, "^a lambda has no annotations$"),
    (unannotated, "^unannotated has no annotation for its result$"),
    (len, "^len is built in"),
    (str.split, r"^str\.split is built in"),
    ("".join, r"^str\.join is built in"),
    (operator.itemgetter(0), "^__call__ of itemgetter has no annotations"),
    (to_row, r"^no type for the annotation of to_row: .*Types\.ROW"),
    (to_unknown, "^no type for the annotation of to_unknown: .*'Nowhere' .* is not known"),
    (later, "^later is asynchronous"),
    (stream, "^stream is asynchronous"),
    (Holder().get, r"^no type for the annotation of Holder\.get: .*type variable A"),
    (Unbound(), r"^no type for the annotation of Unbound: .*type variable OUT"),
    (Bare(), "^Bare.map has no annotation for its result$"),
    (RowsOut(), "^no type for the argument of MapFunction in RowsOut: .*Row"),
    (list, "^no type for the annotation of list: .*element type"),
    (object, "^object makes no values of a known class"),
    (3, "has no annotations"),
]


@pytest.mark.parametrize(("function", "expected"), RESULTS, ids=str)
def test_result_type(function, expected):
    inferred = result_type(function, "map", base=MapFunction)
    assert inferred.type == expected
    assert inferred.reason


@pytest.mark.parametrize(("function", "reason"), UNKNOWN, ids=str)
def test_unknown_results_have_a_reason(function, reason):
    inferred = result_type(function, "map", base=MapFunction)
    assert inferred.type is None
    assert re.search(reason, inferred.reason)


def test_the_origin_of_the_type_is_reported():
    assert result_type(plain).reason == "the annotation of plain"
    assert result_type(Innermost(), "map", base=MapFunction).reason == (
        "the argument of MapFunction in Innermost"
    )


def test_an_object_with_the_method_needs_no_base():
    class Duck:
        def map(self, value: int) -> str:
            return ""

    assert result_type(Duck(), "map").type == Types.STRING
    assert result_type(Duck(), "map", base=MapFunction).type == Types.STRING


def test_a_callable_that_is_not_a_function_object_is_called():
    class Both:
        def map(self, value: int) -> str:
            return ""

        def __call__(self, value: int) -> bytes:
            return b""

    assert result_type(Both(), "map", base=MapFunction).type == Types.of(bytes)
    assert result_type(Both(), "map").type == Types.STRING


def test_names_of_enclosing_functions_are_known():
    @dataclass
    class Local:
        a: int

    def of_frame(value: int) -> Local:
        return Local(value)

    def of_frame_alone(value: int) -> Local:
        raise AssertionError

    assert result_type(of_frame).type == Types.of(Local)
    assert result_type(of_frame_alone).type == Types.of(Local)
    assert result_type(closure()).type.get_field_names() == ["b"]


def closure():
    @dataclass
    class Local:
        b: int

    def of_closure(value: int) -> Local:
        return Local(value)

    return of_closure


class Numbers(list[int]):
    pass


class Stream(Iterable[A]):
    def __iter__(self):
        return iter(())


def iterator(v) -> Iterator[int]: ...
def iterable(v) -> Iterable[Order]: ...
def generator(v) -> Generator[str, None, int]: ...
def a_list(v) -> list[list[int]]: ...
def a_set(v) -> set[str]: ...
def sequence(v) -> Sequence[float]: ...
def any_tuple(v) -> tuple[int, ...]: ...
def same_tuple(v) -> tuple[int, int]: ...
def mixed_tuple(v) -> tuple[int, str]: ...
def maybe(v) -> list[int] | None: ...
def either(v) -> list[int] | Iterator[int]: ...
def quoted(v) -> Iterator[Order]: ...
def numbers(v) -> Numbers: ...
def of_stream(v) -> Stream[str]: ...
def bare(v) -> list: ...
def text(v) -> str: ...
def mapping(v) -> dict[str, int]: ...
def untyped(v) -> Any: ...
def rows(v) -> Iterator[Row]: ...


class Flat(MapFunction[int, str]):
    def map(self, value): ...


ITERABLES = [
    (iterator, Types.LONG),
    (iterable, ORDER),
    (generator, Types.STRING),
    (a_list, Types.LIST(Types.LONG)),
    (a_set, Types.STRING),
    (sequence, Types.DOUBLE),
    (any_tuple, Types.LONG),
    (same_tuple, Types.LONG),
    (maybe, Types.LONG),
    (either, Types.LONG),
    (quoted, ORDER),
    (numbers, Types.LONG),
    (of_stream, Types.STRING),
    (Flat(), Types.STRING),
    (functools.partial(iterator), Types.LONG),
]

NOT_ITERABLES = [
    (mixed_tuple, "elements of more than one type: Long, String"),
    (to_nothing, "None has no elements"),
    (bare, "list does not state the type of its elements"),
    (text, r"str does not state .*Iterator\[…\]"),
    (mapping, r"dict\[str, int\] does not state"),
    (untyped, "Any does not state"),
    (rows, r"Types\.ROW"),
    (plain, "elements of more than one type"),
]


@pytest.mark.parametrize(("function", "expected"), ITERABLES, ids=str)
def test_elements_of_an_iterable_result(function, expected):
    assert result_type(function, "map", base=MapFunction, unwrap_iterable=True).type == expected


@pytest.mark.parametrize(("function", "reason"), NOT_ITERABLES, ids=str)
def test_unknown_elements_have_a_reason(function, reason):
    inferred = result_type(function, "map", base=MapFunction, unwrap_iterable=True)
    assert inferred.type is None
    assert re.search(reason, inferred.reason)


PARAMETERS = [
    (plain, 0, "int"),
    (plain, 1, "str"),
    (plain, 2, "float"),
    (plain, 7, "float"),
    (functools.partial(plain, 1), 0, "str"),
    (functools.partial(plain, value=1), 0, "str"),
    (wrapped, 0, "int"),
    (cached, 0, "int"),
    (Callee(), 1, "str"),
    (Callee().method, 0, "bytes"),
    (Callee().cached_method, 0, "int"),
    (Callee.static, 0, "float"),
    (Callee().static, 0, "float"),
    (Callee.made, 0, "str"),
    (ByMethod(), 0, "str"),
    (Same[float](), 0, "IN"),
]


@pytest.mark.parametrize(("function", "position", "annotation"), PARAMETERS, ids=str)
def test_the_written_annotation_of_a_parameter(function, position, annotation):
    written = written_annotation(function, position, "map", base=MapFunction)
    assert written is not None
    assert written.annotation == annotation


@pytest.mark.parametrize(
    ("function", "position"),
    [(unannotated, 0), (wrapped, 1), (lambda v: v, 0), (len, 0), (Order, 0), (Innermost(), 0)],
    ids=str,
)
def test_parameters_without_a_written_annotation(function, position):
    assert written_annotation(function, position, "map", base=MapFunction) is None


def test_base_argument():
    found = base_argument(Innermost, MapFunction, 1)
    assert found is not None
    assert found.annotation == list[A]
    assert base_argument(Innermost, MapFunction, 0).annotation is str
    assert base_argument(Innermost, MapFunction, -1).annotation == list[A]
    assert base_argument(Innermost, MapFunction, 2) is None
    assert base_argument(Same[int], MapFunction, 1).annotation is int
    assert base_argument(Bare, MapFunction, 0) is None
    assert base_argument(Diamond, MapFunction, 1).annotation is str
    assert base_argument(Unbound, MapFunction, 0) is None
    assert base_argument(Order, MapFunction, 0) is None


@functools.singledispatch
def parsed(value: object) -> int:
    return 0


@parsed.register
def _(value: str) -> str:
    return value


@functools.singledispatch
def counted(value: object) -> int:
    return 0


@counted.register
def _(value: str) -> int:
    return len(value)


class Choosing(MapFunction[Any, Any]):
    @functools.singledispatchmethod
    def map(self, value: Any) -> int:
        return 0

    @map.register
    def _(self, value: str) -> str:
        return value


def test_functions_chosen_by_class_must_agree() -> None:
    assert result_type(counted).type == Types.LONG
    assert result_type(parsed) == Inferred(
        None, "parsed dispatches to 2 functions with different annotations"
    )
    assert written_annotation(counted, 0) is None
    assert "dispatches to one of several methods" in result_type(Choosing(), "map").reason


class Hostile:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"{name} is not to be asked for")

    def __call__(self, value: int) -> int:
        return value


class Mute:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"{name} is not to be asked for")


def test_no_code_of_the_object_runs() -> None:
    assert result_type(Hostile()).type == Types.LONG
    written = written_annotation(Hostile(), 0, "map", base=MapFunction)
    assert written is not None
    assert written.annotation == "int"
    assert result_type(Mute(), "map", base=MapFunction).type is None
