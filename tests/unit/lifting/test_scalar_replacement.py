"""Which functions run over the fields of their elements, and that they stay the functions they were."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import pickle
import traceback
from collections.abc import Callable
from dataclasses import InitVar, dataclass, replace
from typing import Any, NamedTuple, TypedDict

import cloudpickle
import pytest

from pystream.engine.columns.column_forms import is_original
from pystream.engine.columns.column_forms import on_fields as function_of
from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from pystream.lifting import NotLifted, replace_element
from pystream.lifting.records import has_plain_replace
from typeinfo import Row, Types
from typeinfo.composite import RecordTypeInfo
from typeinfo.info import TypeInformation


@dataclass
class Order:
    id: int
    amount: float
    name: str

    @property
    def double(self) -> float:
        return 2 * self.amount


@dataclass
class Checked:
    id: int

    def __post_init__(self) -> None:
        self.id = abs(self.id)


class Pair(NamedTuple):
    first: int
    second: str


class Options(TypedDict):
    a: int
    b: str


class Tagged(NamedTuple):
    id: int
    tags: list[str]


ROW = Types.ROW_NAMED(["id", "amount", "name"], [Types.LONG(), Types.DOUBLE(), Types.STRING()])
ORDER = Types.of(Order)
PAIR = Types.of(Pair)
OPTIONS = Types.of(Options)
TAGGED = Types.of(Tagged)
TUPLE = Types.TUPLE([Types.LONG(), Types.DOUBLE(), Types.STRING()])
LONG, DOUBLE, STRING = Types.LONG(), Types.DOUBLE(), Types.STRING()
factor = 3


def replaced(
    function: Any, element_type: Any, result_type: TypeInformation[Any] | None
) -> FieldCode | NotLifted:
    return replace_element(function, element_type, result_type)


def code_of(function: Any, element_type: Any, result_type: TypeInformation[Any] | None = None) -> FieldCode:
    found = replaced(function, element_type, result_type)
    assert isinstance(found, FieldCode), found
    return found


def on_fields(function: Any, element_type: Any, code: FieldCode) -> Callable[..., Any]:
    return function_of(function, code)


def scaled(r: Order, by: int = 2) -> float:
    """Return an amount."""
    if r.id < 0:
        return 0.0
    total = r.amount * by
    for _ in range(3):
        total += len(r.name)
    return total


def unpacks(t: tuple[int, float, str]) -> float:
    a, b, c = t
    return a + b + len(c)


ORDERS = [Order(1, 2.5, "a"), Order(-7, 0.1, "bcd"), Order(0, -0.0, "")]


class Scale:
    def __init__(self, by: float) -> None:
        self.by = by

    def map(self, r: Order) -> float:
        return r.amount * self.by


def half(r: Order, by: float = 2) -> float:
    return r.amount / by


def named_half(r: Order, *, sign: str = "-") -> str:
    return f"{sign}{half(r, by=4)}{r.name}"


def numbers_of(order: Order) -> Any:
    yield from range(order.id)


def no_field(r: Order) -> int:
    return 7


class Tools:
    @staticmethod
    def initial(r: Order) -> str:
        return r.name[:1]


OF_ORDERS: list[tuple[Callable[[Order], Any], tuple[int, ...]]] = [
    (lambda r: r.id * factor, (0,)),
    (lambda r: f"{r.name}:{r.amount:.2f}", (1, 2)),
    (scaled, (0, 1, 2)),
    (lambda r: math.floor(r.amount) if r.id else None, (0, 1)),
    (lambda r: [r.id + i for i in range(2)], (0,)),
    (lambda r: (lambda n: n + r.id)(1), (0,)),
    (Scale(3).map, (1,)),
    (lambda r: half(r), (1,)),
    (lambda r: half(r=r, by=r.id or 3), (0, 1)),
    (lambda r: [half(r), half(r, 3), r.id], (0, 1)),
    (lambda r: named_half(r, sign="+"), (1, 2)),
    (lambda r: list(numbers_of(r)), (0,)),
    (lambda r: Tools.initial(r), (2,)),
    (lambda r: r.id + no_field(r), (0,)),
    (lambda r: (lambda n: n + half(r))(1), (1,)),
    (lambda r: half(r, no_field(r=r)), (1,)),
]


@pytest.mark.parametrize(("function", "reads"), OF_ORDERS)
def test_a_function_of_fields_gives_what_the_function_gives(
    function: Callable[[Order], Any], reads: tuple[int, ...]
) -> None:
    code = code_of(function, ORDER)
    call = on_fields(function, ORDER, code)
    assert code.reads == reads
    fields = [(order.id, order.amount, order.name) for order in ORDERS]
    assert [call(*(f[at] for at in reads)) for f in fields] == [function(order) for order in ORDERS]


def test_variables_of_the_functions_around_it_stay_the_same_variables() -> None:
    seen = []
    total = 0

    def add(r: Order) -> int:
        nonlocal total
        total += r.id
        seen.append(r.name)
        return total

    call = on_fields(add, ORDER, code_of(add, ORDER, LONG))
    assert [call(1, "a"), call(2, "b")] == [1, 3]
    assert (seen, total) == (["a", "b"], 3)


def test_names_of_variables_do_not_collide() -> None:
    def add(r: Order) -> int:
        r_id = 10
        return r_id + r.id

    call = on_fields(add, ORDER, code_of(add, ORDER, LONG))
    assert call(1) == 11


def test_tracebacks_show_the_function_where_it_was_written() -> None:
    def divide(r: Order) -> float:
        shown = r.name
        return len(shown) / (r.id)

    def place(function: Callable[..., Any], *arguments: Any) -> traceback.FrameSummary:
        with pytest.raises(ZeroDivisionError) as caught:
            function(*arguments)
        return traceback.extract_tb(caught.value.__traceback__)[-1]

    plain = place(divide, Order(0, 1.0, "a"))
    code = code_of(divide, ORDER, DOUBLE)
    assert code.code is not None
    assert code.code.co_qualname == divide.__code__.co_qualname
    own = place(on_fields(divide, ORDER, code), 0, "a")
    assert own == plain
    columns = (plain.colno, plain.end_colno, plain.end_lineno)
    assert (own.colno, own.end_colno, own.end_lineno) == columns


def test_tracebacks_tell_equal_lambdas_on_one_line_apart() -> None:
    first, second = (lambda r: 1 / r.id), (lambda r: 1 / r.id)
    for function in (first, second):
        code = code_of(function, ORDER, DOUBLE).code
        assert code is not None
        columns = {position[2:] for position in code.co_positions() if position[3]}
        assert columns < {position[2:] for position in function.__code__.co_positions() if position[3]}


RESULTS: list[tuple[Any, Any, Any, tuple[int | None, ...] | None]] = [
    (lambda r: Row(r.id, r.amount * 2, r.name), ROW, ROW, (0, None, 2)),
    (lambda r: Row(id=r.id, amount=1.0, name=r.name + "!"), ROW, ROW, (0, None, None)),
    (lambda r: Row(name=r.name, id=r.id, amount=r.amount * 2), ROW, ROW, (0, None, 2)),
    (lambda r: Row(amount=r.amount * 2, id=r.id + 1, name=""), ROW, ROW, None),
    (lambda r: (r.id, r.amount, r.name) if r.id else (r.id, 0.0, r.name), ROW, TUPLE, (0, None, 2)),
    (lambda r: Order(r.id + 1, r.amount, name=r.name), ORDER, ORDER, (None, 1, 2)),
    (lambda r: Order(r.id, r.amount), ORDER, ORDER, None),
    (lambda r: replace(r, amount=r.amount * 2), ORDER, ORDER, (0, None, 2)),
    (lambda r: dataclasses.replace(r, name=r.name + "!", id=0), ORDER, ORDER, (None, 1, None)),
    (lambda r: replace(r, id=1) if r.id else r, ORDER, ORDER, (None, 1, 2)),
    (lambda r: replace(make(r.id), amount=r.amount), ORDER, ORDER, None),
    (lambda p: p._replace(second=p.second.upper()), PAIR, PAIR, (0, None)),
    (lambda p: Pair(p.first, p[1]), PAIR, PAIR, (0, 1)),
    (lambda o: {"a": o["a"], "b": o["b"].upper()}, OPTIONS, OPTIONS, (0, None)),
    (lambda r: make(r.id), ORDER, ORDER, None),
    (lambda r: Checked(r.id), ORDER, Types.of(Checked), None),
    (lambda r: r.name, ORDER, STRING, (2,)),
    (lambda r: r.name.upper(), ORDER, STRING, (None,)),
    (lambda r: r.id, ORDER, DOUBLE, (None,)),
]


def make(number: int) -> Order:
    return Order(number, 1.0, "")


@pytest.mark.parametrize(("function", "element_type", "result_type", "columns"), RESULTS)
def test_constructors_become_columns(
    function: Any, element_type: Any, result_type: Any, columns: tuple[int | None, ...] | None
) -> None:
    code = code_of(function, element_type, result_type)
    assert code.results == columns
    assert code.is_called is (columns is None or None in columns)


factors = {"a": 2}


def test_columns_that_depend_on_the_fields_alone_are_apart_from_calls() -> None:
    def apart(function: Any) -> Any:
        code = replace_element(function, ORDER, ROW, is_computed=lambda expression: True)
        assert isinstance(code, FieldCode)
        if code.reduced is None:
            return None
        return [isinstance(result, Expression) for result in code.reduced.results or ()]

    scale = 2.0
    assert apart(lambda r: Row(r.id + 1, abs(r.amount), make(r.id).name)) == [True, True, False]
    assert apart(lambda r: Row(r.id, r.amount, make(r.id).name)) is None
    assert apart(lambda r: Row(r.id * factor, r.amount * scale, make(r.id).name)) is None
    assert apart(lambda r: Row(r.id + 1, factors[r.name], r.name + "!")) == [True, False, True]
    assert apart(lambda r: Row(r.id + 1, 0.5, make(1).name)) is None
    assert apart(lambda r: Row(r.id + 1, r.amount, r.name) if r.id else make(r.id)) is None


def pairs(r: Order) -> Any:
    for number in range(r.id):
        yield (r.name, number)


def delegates(r: Order) -> Any:
    yield from pairs(r.id)  # type: ignore[arg-type]


def delegates_at_the_end(r: Order) -> Any:
    yield (r.name, 0)
    yield from [(r.name, 1)]


MANY: list[tuple[Any, tuple[None, ...] | None]] = [
    (pairs, (None, None)),
    (lambda r: [(r.name, 1), (r.name, r.id)], (None, None)),
    (lambda r: [(r.name, n) for n in range(3)] if r.id else None, (None, None)),
    (lambda r: sorted([(r.name, 1)]), None),
    (delegates, None),
    (delegates_at_the_end, None),
]


@pytest.mark.parametrize(("function", "columns"), MANY)
def test_results_of_flat_maps_become_columns(function: Any, columns: tuple[None, ...] | None) -> None:
    result_type: Any = Types.TUPLE([STRING, LONG])
    code = replace_element(function, ORDER, result_type, many=True)
    assert isinstance(code, FieldCode)
    assert code.results == columns


def test_a_result_that_is_missing_on_one_way_is_not_handed_on() -> None:
    def name(r: Order) -> str | None:
        if r.id:
            return r.name
        return None

    assert code_of(name, ORDER, Types.of(str | None)).results == (None,)


def test_only_fields_that_are_read_are_parameters() -> None:
    code = code_of(lambda r: Row(r.id, r.amount * 2, r.name), ROW, ROW)
    assert code.reads == (1,)
    assert code.code is not None
    assert code.code.co_varnames == ("r_amount",)


def assigns(r: Order) -> int:
    r.id = 3
    return r.id


def rebinds(r: Order) -> int:
    r = Order(1, 1.0, "")
    return r.id


def looks_around(r: Order) -> str:
    return str(locals()) + r.name


def stars(t: tuple[int, float, str]) -> int:
    a, *_ = t
    return a


def generates(r: Order) -> Any:
    yield r.id


REFUSED: list[tuple[Any, Any, str]] = [
    (lambda r: str(r), ORDER, "uses its element as a whole (test_scalar_replacement.py:"),
    (lambda r: [r], ORDER, "uses its element as a whole"),
    (lambda r: r.double, ORDER, "uses .double of Order, which is not one of its fields"),
    (lambda r: r[r.id], ROW, "reads a field that depends on a value"),
    (lambda r: r[7], ROW, "which always fails"),
    (lambda t: len(t.tags), TAGGED, "reads tags, of ListTypeInfo<String>, whose values can be changed"),
    (assigns, ORDER, "changes its element"),
    (rebinds, ORDER, "binds r again"),
    (looks_around, ORDER, "calls locals(), which may see its element"),
    (stars, TUPLE, "uses its element as a whole"),
    (generates, ORDER, "is a generator function"),
    (lambda r: (lambda r: r)(r.id), ORDER, "binds r again"),
    (lambda r: 1, ORDER, "reads no field of its element"),
    (lambda a, b: a.id, ORDER, "takes other arguments"),
    (len, ORDER, "is not a function written in Python"),
    (eval("lambda r: r.id"), ORDER, "has no source that is available"),
]


@pytest.mark.parametrize(("function", "element_type", "reason"), REFUSED)
def test_a_function_that_needs_its_element_is_refused_with_the_reason(
    function: Any, element_type: Any, reason: str
) -> None:
    found = replaced(function, element_type, LONG)
    assert isinstance(found, NotLifted)
    assert reason in found.reason


def test_defaults_that_hold_code_are_those_of_the_function() -> None:
    def keyed(
        r: Order, key: Any = lambda number: number * 2, *, some: Any = tuple(n for n in range(3))
    ) -> Any:
        return key(r.id) + len(some)

    assert on_fields(keyed, ORDER, code_of(keyed, ORDER, LONG))(4) == 11


def test_a_condition_between_equal_results_is_evaluated() -> None:
    function = lambda r: Pair(r.id, r.name) if 1 // r.id else Pair(r.id, second=r.name)  # noqa: E731
    code = code_of(function, ORDER, Types.of(Pair))
    assert code.results == (0, 2)
    assert code.is_called


@dataclass
class Scaled:
    a: str
    scale: InitVar[str] = "s"
    b: str = "d"


class Initialised(NamedTuple("Initialised", [("id", int), ("name", str)])):
    def __init__(self, *arguments: Any) -> None:
        super().__init__()


def test_constructors_that_do_more_than_store_are_called() -> None:
    assert code_of(lambda r: Scaled(r.name, r.name), ORDER, Types.of(Scaled)).results is None
    assert code_of(lambda r: Initialised(r.id, r.name), ORDER, Types.of(Initialised)).results is None


def test_functions_of_scalars_make_columns() -> None:
    def shortened(text: str) -> Any:
        text = text[:3]
        return Row(id=len(text), amount=0.5, name=text)

    assert code_of(lambda text: Row(len(text), 0.5, text), STRING, ROW).results == (None, None, 0)
    assert code_of(shortened, STRING, ROW).results == (None, None, None)
    assert code_of(str.upper, STRING, STRING) == FieldCode(None, (0,), None, (None,))
    assert code_of(lambda text: make(len(text)), STRING, ORDER).results is None


def test_a_list_without_fields_is_not_replaced() -> None:
    found = replaced(len, Types.LIST(LONG), LONG)
    assert found == NotLifted("takes values of ListTypeInfo<Long>, which can be changed")


def test_a_field_may_have_any_name() -> None:
    function = lambda _: _.debug__ + 1  # noqa: E731
    t = Types.ROW_NAMED(["debug__"], [LONG])
    assert on_fields(function, t, code_of(function, t, LONG))(1) == 2


def test_unpacking_reads_all_fields() -> None:
    code = code_of(unpacks, TUPLE, DOUBLE)
    assert code.reads == (0, 1, 2)
    assert on_fields(unpacks, TUPLE, code)(1, 0.5, "ab") == unpacks((1, 0.5, "ab"))


def test_a_named_tuple_that_was_pickled_by_value_has_a_plain_replace() -> None:
    class Local(NamedTuple):
        a: int

    t = Types.of(pickle.loads(cloudpickle.dumps(Local)))
    assert isinstance(t, RecordTypeInfo)
    assert has_plain_replace(t)


def test_fields_are_replaced_in_the_order_in_which_they_are_written() -> None:
    numbers = itertools.count()

    def numbered(p: Pair) -> Pair:
        return p._replace(second=f"{next(numbers)}{p.first}", first=next(numbers) + p.first)

    found = replace_element(numbered, PAIR, PAIR)
    assert isinstance(found, NotLifted) or found.results is None


def test_helpers_keep_their_defaults_and_the_variables_around_them() -> None:
    calls: list[int] = []

    def counted(number: int, r: Order, seen: list[int] = []) -> int:  # noqa: B006 - calls share the list
        seen.append(number + r.id)
        return sum(seen)

    def noted(r: Order) -> int:
        calls.append(r.id)
        return counted(1, r) + counted(r=r, number=2)

    function = lambda r: noted(r)  # noqa: E731
    call = on_fields(function, ORDER, code_of(function, ORDER, LONG))
    assert [call(1), function(Order(10, 1.0, ""))] == [2 + 5, 16 + 28]
    assert calls == [1, 10]


def test_decorated_helpers_take_the_element() -> None:
    @functools.wraps(half)
    def wrapped(*args: Any, **kwargs: Any) -> float:
        return half(*args, **kwargs)

    found = replaced(lambda r: wrapped(r), ORDER, LONG)
    assert isinstance(found, NotLifted)
    assert "calls half(), which takes any number of arguments" in found.reason


def test_helpers_that_functions_set_again_take_the_element() -> None:
    def first(r: Order) -> int:
        return r.id

    def swap() -> int:
        nonlocal first
        first = lambda r: -1  # noqa: E731
        return 0

    found = replaced(lambda r: swap() + first(r), ORDER, LONG)
    assert isinstance(found, NotLifted)
    assert "hands its element to first(), which functions of the program set again" in found.reason


class Rates:
    @staticmethod
    def first(r: Order) -> int:
        return r.id

    @staticmethod
    def second(r: Order) -> int:
        return r.id


def swap_rates() -> int:
    Rates.first = staticmethod(lambda r: -1)  # type: ignore[method-assign]
    setattr(Rates, "second", staticmethod(lambda r: -1))  # noqa: B010
    return 0


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda r: swap_rates() + Rates.first(r), "Rates.first"),
        (lambda r: swap_rates() + Rates.second(r), "Rates.second"),
    ],
)
def test_helpers_that_functions_set_as_attributes_take_the_element(function: Any, name: str) -> None:
    found = replaced(function, ORDER, LONG)
    assert isinstance(found, NotLifted)
    assert f"hands its element to {name}(), which functions of the program set again" in found.reason


class Priced:
    """A function object whose method hands its element to others."""

    def __init__(self, by: float) -> None:
        self.by = by
        self.seen: list[int] = []
        self.held = half

    def __call__(self, r: Order) -> Order:
        return Order(self.number(r, 1) + self.doubled(order=r), self.price(r) + half(r), r.name)

    def number(self, r: Order, plus: int) -> int:
        self.seen.append(r.id)
        return len(self.seen) + plus

    def price(self, order: Order) -> float:
        return self.scaled(order) + 1

    def scaled(self, order: Order) -> float:
        return order.amount * self.by

    @staticmethod
    def doubled(order: Order) -> int:
        return 2 * order.id

    def calls_held(self, r: Order) -> float:
        return self.held(r)

    def calls_replaced(self, r: Order) -> float:
        return self.replaced_later(r)

    def replaced_later(self, r: Order) -> float:
        return r.amount

    def replace(self) -> None:
        self.replaced_later = half  # type: ignore[method-assign, assignment]

    def rebinds_itself(self, r: Order) -> float:
        self = Other(3)
        return self.scaled(r)


class Other(Priced):
    def scaled(self, order: Order) -> float:
        return order.amount - self.by


@pytest.mark.parametrize("cls", [Priced, Other])
def test_methods_of_the_same_object_take_fields(cls: type[Priced]) -> None:
    plain, priced = cls(3), cls(3)
    code = pickle.loads(cloudpickle.dumps(code_of(priced.__call__, ORDER, ORDER)))
    assert (code.reads, code.results) == ((0, 1), (None, None, 2))
    call = on_fields(priced.__call__, ORDER, code)
    for order in (Order(1, 0.5, "a"), Order(2, 1.5, "b")):
        wanted = plain(order)
        assert call(order.id, order.amount) == (wanted.id, wanted.amount)
    assert priced.seen == [1, 2]


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        (Priced(1).calls_held, "uses its element as a whole"),
        (Priced(1).calls_replaced, "hands its element to self.replaced_later(), which functions of the"),
        (Priced(1).rebinds_itself, "uses its element as a whole"),
    ],
)
def test_methods_that_may_be_others_take_the_element(method: Any, reason: str) -> None:
    found = replaced(method, ORDER, DOUBLE)
    assert isinstance(found, NotLifted)
    assert reason in found.reason


def test_code_on_fields_is_not_of_methods_that_are_set_while_the_program_runs() -> None:
    priced = Priced(1)
    code = code_of(priced.price, ORDER, DOUBLE)
    assert is_original(priced.price, code)
    vars(priced)["scaled"] = half
    assert not is_original(priced.price, code)
    vars(priced)["scaled"] = Priced(1).scaled
    assert not is_original(priced.price, code)
    del vars(priced)["scaled"]
    assert is_original(priced.price, code)
    priced.__class__ = Other
    assert not is_original(priced.price, code)


def test_a_method_that_an_object_shadows_takes_the_element() -> None:
    shadowed = Priced(1)
    vars(shadowed)["scaled"] = half
    found = replaced(shadowed.price, ORDER, DOUBLE)
    assert isinstance(found, NotLifted)
    assert "uses its element as a whole" in found.reason


def test_helpers_are_found_in_a_function_that_was_sent() -> None:
    function = lambda r: named_half(r)  # noqa: E731
    code = pickle.loads(cloudpickle.dumps((function, code_of(function, ORDER, STRING))))
    assert on_fields(code[0], ORDER, code[1])(1.0, "a") == "-0.25a"


def test_tracebacks_show_helpers_where_they_were_written() -> None:
    def divide(order: Order) -> float:
        return 1 / (order.id)

    def outer(r: Order) -> float:
        return 1 + divide(r)

    def frames(function: Callable[..., Any], argument: Any) -> list[tuple[Any, ...]]:
        with pytest.raises(ZeroDivisionError) as caught:
            function(argument)
        found = traceback.extract_tb(caught.value.__traceback__)[1:]
        return [(f.name, f.lineno, f.colno, f.end_lineno, f.end_colno) for f in found]

    plain = frames(outer, Order(0, 1.0, "a"))
    assert frames(on_fields(outer, ORDER, code_of(outer, ORDER, DOUBLE)), 0) == plain
    assert [frame[0] for frame in plain] == ["outer", "divide"]


KEPT: list[Any] = []


def keeps(order: Order) -> int:
    KEPT.append(order)
    return order.id


def keeps_later(r: Order) -> int:
    return keeps(r)


def binds(r: Order) -> int:
    r = Order(1, 1.0, "")
    return r.id


def repeats(r: Order) -> int:
    return repeats(r) if r.id else 0


def any_number(*orders: Order) -> int:
    return len(orders)


def optional(r: Order | None = None) -> int:
    return r.id if r else 0


@functools.lru_cache
def cached(r: Order) -> int:
    return r.id


def sees_itself(r: Order) -> str:
    return f"{r.id}{locals()}"


def changes(r: Order) -> int:
    r.id = 3
    return r.id


HANDED_ON: list[tuple[Any, str]] = [
    (
        lambda r: keeps(r),
        "hands its element to keeps(), which uses its element as a whole (test_scalar_replacement.py:",
    ),
    (
        lambda r: keeps_later(r),
        "to keeps_later(), which hands its element to keeps(), which uses its element as a whole",
    ),
    (lambda r: binds(r), "hands its element to binds(), which binds r again"),
    (lambda r: repeats(r), "which calls itself with it"),
    (repeats, "hands its element to repeats(), which calls itself with it"),
    (lambda r: any_number(r), "calls any_number(), which takes any number of arguments"),
    (lambda r: half(*[1], r), "any number of arguments"),  # type: ignore[arg-type]
    (lambda r: half(r, 1, 2), "calls half() with arguments it does not take"),  # type: ignore[call-arg]
    (lambda r: half(r, r), "uses its element as a whole"),  # type: ignore[arg-type]
    (lambda r: optional(r), "takes it as r, which may be left out"),
    (lambda r: cached(r), "uses its element as a whole"),
    (lambda r: sees_itself(r), "hands its element to sees_itself(), which calls locals()"),
    (lambda r: changes(r), "hands its element to changes(), which changes its element"),
    (lambda r: [half := 1, half(r)], "uses its element as a whole"),  # type: ignore[operator]
    (lambda r, half=half: half(r), "uses its element as a whole"),
    (lambda r: Tagged(r, []).id, "uses its element as a whole"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("function", "reason"), HANDED_ON)
def test_a_helper_that_needs_the_element_is_named(function: Any, reason: str) -> None:
    found = replaced(function, ORDER, LONG)
    assert isinstance(found, NotLifted)
    assert reason in found.reason
