"""Which reduce functions run over the fields of both elements, and that they stay the functions they were."""

from __future__ import annotations

import math
import traceback
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypedDict

import pytest

from pystream.engine.columns.column_forms import is_original, on_fields
from pystream.expressions.field_code import FieldCode
from pystream.lifting import NotLifted, replace_reduced
from typeinfo import Row, Types


@dataclass
class Sale:
    town: str
    price: float
    count: int


@dataclass
class Checked:
    town: str

    def __post_init__(self) -> None:
        self.town = self.town.strip()


@dataclass
class Listed:
    town: str
    prices: list[float] = field(default_factory=list)


class Pair(NamedTuple):
    first: int
    second: str


class Options(TypedDict):
    a: int
    b: str


NAMES = ["town", "price", "count"]
TYPES: Any = [Types.STRING(), Types.DOUBLE(), Types.LONG()]
SALE = Types.of(Sale)
ROW: Any = Types.ROW_NAMED(NAMES, TYPES)
PLAIN: Any = Types.ROW(TYPES)
TUPLE: Any = Types.TUPLE(TYPES)
A, B = ("Ely", 3.0, 1), ("Ayr", 4.0, 2)


def code_of(function: Any, t: Any) -> FieldCode:
    found = replace_reduced(function, t)
    assert isinstance(found, FieldCode), found
    return found


def reduced(function: Any, t: Any) -> list[Any]:
    """Return what code on fields reduces two elements to."""
    code = code_of(function, t)
    result: list[Any] = on_fields(function, code)(*A, *(B[position] for position in code.reads))
    return result


def reason_of(function: Any, t: Any) -> str:
    found = replace_reduced(function, t)
    assert isinstance(found, NotLifted), found
    return found.reason


def price_of(sale: Any) -> Any:
    return abs(sale.price)


def statements(a: Any, b: Any) -> Any:
    town, price, _ = a
    if math.hypot(price, b["price"]) < 5:
        return b
    if not town:
        raise ValueError(a.town)
    else:  # noqa: RET506 - as others may write it
        return Row(town=town, price=price_of(a) - price_of(b), count=b[2])


class Counter:
    def __init__(self) -> None:
        self.count = 0

    def reduce(self, a: Any, b: Any, step: int = 2) -> Any:
        self.count += step
        return Sale(a.town, self.larger(a, b.price), self.count)

    def larger(self, sale: Any, price: float) -> Any:
        return max(sale.price, price)


@pytest.mark.parametrize(
    ("function", "t", "reads", "result"),
    [
        (lambda a, b: Sale(a.town, math.hypot(a.price, b.price), b.count), SALE, (1, 2), ["Ely", 5.0, 2]),
        (lambda a, b: a if math.hypot(a.price, b.price) > 4 else b, SALE, (0, 1, 2), [*A]),
        (lambda a, b: b if math.hypot(a.price, b.price) > 4 else a, SALE, (0, 1, 2), [*B]),
        (lambda a, b: replace(a, price=math.hypot(a.price, b.price)), SALE, (1,), ["Ely", 5.0, 1]),
        (lambda a, b: replace(b, price=math.hypot(a.price, 0)), SALE, (0, 2), ["Ayr", 3.0, 2]),
        (lambda a, b: Sale(count=3, town=a.town, price=math.pi), SALE, (0,), ["Ely", math.pi, 3]),
        (lambda a, b: Row(town=a.town, price=b["price"], count=hash(a[2])), ROW, (1,), ["Ely", 4.0, 1]),
        (lambda a, b: Row(a[0], math.hypot(a[1], b[1]), b[2]), ROW, (1, 2), ["Ely", 5.0, 2]),
        (lambda a, b: (a[0], math.hypot(a[1], b[1]), b[2]), PLAIN, (1, 2), ["Ely", 5.0, 2]),
        (lambda a, b: (a[0], math.hypot(a[1], b[1]), b[2]), TUPLE, (1, 2), ["Ely", 5.0, 2]),
        (statements, ROW, (0, 1, 2), ["Ely", -1.0, 2]),
        (Counter().reduce, SALE, (1,), ["Ely", 4.0, 2]),
    ],
)
def test_code_returns_the_fields_of_the_result(function: Any, t: Any, reads: Any, result: Any) -> None:
    assert code_of(function, t).reads == reads
    assert reduced(function, t) == result


def test_named_tuples_and_dicts_have_fields() -> None:
    pairs: Any = lambda a, b: a._replace(first=hash(b.first))  # noqa: E731
    assert on_fields(pairs, code_of(pairs, Types.of(Pair)))(1, "x", 7) == [7, "x"]
    dicts: Any = lambda a, b: {"b": a["b"], "a": hash(b["a"])}  # noqa: E731
    assert on_fields(dicts, code_of(dicts, Types.of(Options)))(1, "x", 7) == [7, "x"]


WHOLE = "uses its element as a whole"
OTHER = "returns neither one of its elements nor a new one"


@pytest.mark.parametrize(
    ("function", "t", "reason"),
    [
        (lambda a, b: max(a, b), TUPLE, WHOLE),
        (lambda a, b: a if print(b) else b, SALE, WHOLE),
        (lambda a, b: Row(a.town, hash(a.price), a.count), ROW, OTHER),  # the next call finds no a.town
        (lambda a, b: Row(a[0], hash(b["price"]), a[2]), ROW, OTHER),  # nor, where windows merge, b["price"]
        (lambda a, b: (a.town, hash(a.price), a.count), ROW, OTHER),
        (lambda a, b: Row(count=1, price=hash(a[1]), town=a[0]), ROW, OTHER),  # a[1] is another field then
        (lambda a, b: Sale(a.town, hash(a.price), a.count), ROW, OTHER),
        (lambda a, b: (a.town, a.price, hash(b.count)), SALE, OTHER),
        (lambda a, b: Checked(a.town * hash(b.town)), Types.of(Checked), OTHER),
        (lambda a, b: math.hypot(a, b), Types.DOUBLE(), "takes elements without fields"),
        (lambda a, b: a if hash(b.town) else b, Types.of(Listed), "reads prices, of"),
        (lambda a, b, c: a, SALE, "takes other arguments than two elements"),
        (lambda a: a, SALE, "takes other arguments than two elements"),
        (lambda a, b: (yield a), SALE, "is a generator function"),
        (lambda a, b: a if locals() else b, SALE, "calls locals(), which may see its element"),
        (max, TUPLE, "is not a function written in Python"),
    ],
)
def test_functions_of_whole_elements_are_none_of_fields(function: Any, t: Any, reason: str) -> None:
    assert reason in reason_of(function, t)


def changing(a: Any, b: Any) -> Any:
    a.price = hash(b.price)
    return a


def binding(a: Any, b: Any) -> Any:
    if a.price:
        a = b
    return Sale(a.town, hash(a.price), b.count)


def ending(a: Any, b: Any) -> Any:  # noqa: RET503 - it may return None
    if hash(a.price):
        return b


def returning(a: Any, b: Any) -> Any:
    if hash(a.price):
        return  # noqa: RET502 - it may return None
    return b


def looping(a: Any, b: Any) -> Any:  # noqa: RET503 - it may return None
    for _ in range(a.count):
        return b


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (changing, "changes its element"),
        (binding, "binds a again"),
        (ending, "may return None"),
        (returning, OTHER),
        (looping, "may return None"),
    ],
)
def test_statements_that_fields_cannot_replace(function: Any, reason: str) -> None:
    assert reason in reason_of(function, SALE)


def test_an_error_has_the_line_and_the_place_of_the_function() -> None:
    def failing(a: Any, b: Any) -> Any:
        return Sale(
            a.town,
            math.sqrt(b.price),
            a.count,
        )

    traces = []
    for call, arguments in [
        (failing, (Sale(*A), Sale("Ayr", -4.0, 2))),
        (on_fields(failing, code_of(failing, SALE)), (*A, -4.0)),
    ]:
        with pytest.raises(ValueError) as raised:
            call(*arguments)
        traces.append("".join(traceback.format_tb(raised.tb)[1:]))
    assert traces[0] == traces[1]
    assert "math.sqrt(b.price)" in traces[0]


def test_a_helper_that_is_replaced_is_noticed() -> None:
    counter = Counter()
    code = code_of(counter.reduce, SALE)
    assert is_original(counter.reduce, code)
    vars(counter)["larger"] = lambda sale, price: 0.0
    assert not is_original(counter.reduce, code)
