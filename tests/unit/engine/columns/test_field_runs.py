"""Runs over fields give the results, times and errors of calls with elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues
from pystream.expressions.field_code import FieldCode
from pystream.expressions.kernels import has_kernels
from pystream.kinds import OperatorKind
from pystream.lifting import replace_element
from tests.unit.engine.columns.orders import ORDER, Order, columns, outcome
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import label
from typeinfo import Row, Types
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps
from typeinfo.testing.strategies import values

LONG, STRING = Types.LONG(), Types.STRING()
ROW: Any = Types.ROW_NAMED(["id", "name"], [LONG, Types.STRING()])


def spec_of(kind: OperatorKind, function: Any, takes: Any, gives: TypeInformation[Any]) -> OperatorSpec:
    result_type = None if kind is FILTER else gives
    many = kind is FLAT_MAP
    code = replace_element(function, takes, result_type, many=many, is_computed=has_kernels)
    assert isinstance(code, FieldCode), code
    return OperatorSpec(
        label=label(kind.name),
        kind=kind,
        function=dumps(function),
        output_type=gives,
        trusted=kind is FILTER,
        consumers=(),
        columns=ColumnForms(takes, (), code),
    )


def stops(o: Order) -> int:
    return next(iter([o.id][o.id % 2 :]))


def sometimes(o: Order) -> Any:  # noqa: RET503 - as it is tested
    if o.id % 2:
        return Row(o.id, o.name)


def sometimes_text(o: Order) -> Any:  # noqa: RET503
    if o.id % 2:
        return o.name


MAPS: list[tuple[Callable[[Order], Any], Any]] = [
    (lambda o: Order(o.id, o.amount, o.name), ORDER),
    (lambda o: o, ORDER),
    (lambda o: o if o.id else Order(hash(o.name), None, ""), ORDER),
    (lambda o: Order(o.id // 2, None if o.amount is None else o.amount / 3, o.name[::-1]), ORDER),
    (lambda o: replace(o, name=str(o.amount)[: 9 // o.id]), ORDER),
    (lambda o: replace(o, amount=hash(o.name)), ORDER),
    (lambda o: Row(10 // o.id, o.name), ROW),
    (lambda o: Row(o.id + 1, o.name) if o.id else Row(0, "none"), ROW),
    (lambda o: Row(o.id, o.amount), ROW),
    (lambda o: (o.amount, o.name + "!"), Types.TUPLE([Types.DOUBLE(), Types.STRING()])),
    (lambda o: (o.amount, o.name), Types.TUPLE([Types.DOUBLE(), Types.STRING()])),
    (lambda o: {"id": o.id, "name": o.name * 2}, ROW),
    (lambda o: o.id * o.id, LONG),
    (stops, LONG),
    (sometimes, ROW),
    (sometimes_text, Types.STRING()),
    (lambda o: o.amount, Types.of(float | None)),
    (lambda o: o.name if o.amount else None, Types.STRING()),
]


@pytest.mark.parametrize("case", MAPS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5), timed=st.booleans())
def test_maps_over_fields_give_what_calls_with_elements_give(
    case: tuple[Any, Any], orders: list[Order], timed: bool
) -> None:
    spec = spec_of(MAP, case[0], ORDER, case[1])
    times = list(range(len(orders))) if timed else None
    assert outcome(spec, columns(orders), times) == outcome(spec, orders, times)


seen: list[str] = []


def note(text: str) -> str:
    seen.append(text)
    return text


@settings(max_examples=40, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5))
def test_columns_apart_from_calls_change_neither_results_nor_calls(orders: list[Order]) -> None:
    function = lambda o: Row(2**62 // o.id * 4, note(o.name))  # noqa: E731
    spec = spec_of(MAP, function, ORDER, ROW)
    assert spec.columns is not None
    assert spec.columns.fields is not None
    assert spec.columns.fields.reduced is not None
    assert spec.columns.fields.reduced.reads == (2,)
    seen.clear()
    wanted = outcome(spec, orders, None)
    calls = seen.copy()
    seen.clear()
    assert outcome(spec, columns(orders), None) == wanted
    assert seen == calls


def inferred(function: Any, t: TypeInformation[Any]) -> OperatorSpec:
    """Return a map whose results are expected to have a type."""
    code = replace_element(function, ORDER, t, is_computed=has_kernels, is_declared=False)
    assert isinstance(code, FieldCode), code
    return OperatorSpec(
        label=label("Map"),
        kind=MAP,
        function=dumps(function),
        output_type=Types.PICKLED_BYTE_ARRAY(),
        trusted=True,
        consumers=(),
        columns=ColumnForms(ORDER, (), code, None, t),
    )


def unlike(text: str) -> Any:
    return note(text) if len(text) < 2 else len(text)


@pytest.mark.parametrize(
    ("function", "types"),
    [
        (lambda o: (2**62 // o.id * 4, unlike(o.name)), [LONG, STRING]),
        (lambda o: (o.amount, o.id * 2**61, unlike(o.name)), [Types.of(float | None), LONG, STRING]),
        (lambda o: (o.id > 2, note(o.name), o.id - 1), [Types.BOOLEAN(), STRING, LONG]),
    ],
)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5))
def test_columns_of_inferred_types_are_computed_apart_from_calls(
    function: Any, types: list[Any], orders: list[Order]
) -> None:
    spec = inferred(function, Types.TUPLE(types))
    assert spec.columns is not None
    assert spec.columns.fields is not None
    assert spec.columns.fields.reduced is not None
    seen.clear()
    wanted = outcome(spec, orders, None)
    calls = seen.copy()
    seen.clear()
    assert outcome(spec, columns(orders), None) == wanted
    assert seen == calls


def test_columns_that_are_converted_to_the_inferred_type_are_not_computed_apart() -> None:
    spec = inferred(lambda o: (o.id + 1, note(o.name)), Types.TUPLE([Types.DOUBLE(), STRING]))
    assert spec.columns is not None
    assert spec.columns.fields is not None
    assert spec.columns.fields.reduced is None


def letters(o: Order) -> Iterator[Any]:
    for letter in o.name[:3]:
        if o.id % 2:
            yield Row(o.id, letter)
        else:
            yield Row(-o.id, letter.upper())


def stops_between(o: Order) -> Iterator[int]:
    yield o.id
    yield next(iter([o.id][o.id % 2 :]))


FLAT_MAPS: list[tuple[Callable[[Order], Any], Any]] = [
    (letters, ROW),
    (lambda o: [Row(o.id, o.name), Row(o.id + 1, o.name)] if o.id % 2 else None, ROW),
    (lambda o: (Row(n, o.name) for n in range(o.id % 3)), ROW),
    (lambda o: [Row(o.id, o.amount)], ROW),
    (lambda o: [o, Order(6 // o.id, o.amount, o.name), o], ORDER),
    (lambda o: o.name.split("a"), Types.STRING()),
    (lambda o: [o.id // o.id, 7], LONG),
    (stops_between, LONG),
]


@pytest.mark.parametrize("case", FLAT_MAPS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5), timed=st.booleans())
def test_flat_maps_over_fields_give_what_calls_with_elements_give(
    case: tuple[Any, Any], orders: list[Order], timed: bool
) -> None:
    spec = spec_of(FLAT_MAP, case[0], ORDER, case[1])
    times = list(range(len(orders))) if timed else None
    assert outcome(spec, columns(orders), times) == outcome(spec, orders, times)


def rebinds(text: str) -> Any:
    text = text.strip("a")
    return Row(len(text), text)


def split(text: str) -> Iterator[Any]:
    for part in text.split("a"):
        yield Row(len(text), part)


OF_TEXTS: list[tuple[OperatorKind, Any, Any]] = [
    (MAP, lambda text: Row(len(text), text), ROW),
    (MAP, lambda text: Row(len(text), text) if text else None, ROW),
    (MAP, rebinds, ROW),
    (MAP, str.upper, STRING),
    (MAP, lambda text: int(text) if text else len(text), LONG),
    (MAP, lambda text: text[5], STRING),
    (MAP, lambda text: [text, text], Types.LIST(STRING)),
    (FILTER, lambda text: text.count("a") % 2, STRING),
    (FILTER, bool, STRING),
    (FLAT_MAP, split, ROW),
    (FLAT_MAP, lambda text: text.split("a"), STRING),
    (FLAT_MAP, lambda text: [len(text), text] if len(text) == 1 else None, LONG),
]


@pytest.mark.parametrize("case", OF_TEXTS)
@settings(max_examples=15, deadline=None)
@given(texts=st.lists(st.text("ab1é", max_size=4), min_size=1, max_size=5), timed=st.booleans())
def test_functions_of_scalars_give_over_columns_what_calls_give(
    case: tuple[Any, Any, Any], texts: list[str], timed: bool
) -> None:
    kind, function, gives = case
    spec = spec_of(kind, function, STRING, gives)
    times = list(range(len(texts))) if timed else None
    assert outcome(spec, columns(texts, STRING), times) == outcome(spec, texts, times)


FILTERS: list[Callable[[Order], Any]] = [
    lambda o: o.id % 3,
    lambda o: o.amount is not None and o.amount > 0,
    lambda o: o.name,
    stops,
    lambda o: 1 / o.id > 0,
]


@pytest.mark.parametrize("predicate", FILTERS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5), timed=st.booleans())
def test_filters_over_fields_keep_what_calls_with_elements_keep(
    predicate: Any, orders: list[Order], timed: bool
) -> None:
    spec = spec_of(FILTER, predicate, ORDER, ORDER)
    times = list(range(len(orders))) if timed else None
    assert outcome(spec, columns(orders), times) == outcome(spec, orders, times)


def test_fields_that_are_handed_on_are_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of(MAP, lambda o: Order(o.id + 1, o.amount, o.name), ORDER, ORDER)
    given_values = columns([Order(1, None, "a"), Order(2, 0.5, "b")])
    (event,) = opened(spec).process(Elements(given_values), 0)
    assert isinstance(event, Elements)
    assert isinstance(event.values, ColumnValues)
    assert event.values.batch.to_pydict() == {"id": [2, 3], "amount": [None, 0.5], "name": ["a", "b"]}
    assert [column._values is None for column in given_values.columns] == [False, True, True]


def test_a_filter_decodes_only_the_fields_that_it_reads() -> None:
    spec = spec_of(FILTER, lambda o: o.id > 1, ORDER, ORDER)
    given_values = columns([Order(1, None, "a"), Order(2, 0.5, "b")])
    (event,) = opened(spec).process(Elements(given_values, [10, 20]), 0)
    assert isinstance(event, Elements)
    assert isinstance(event.values, ColumnValues)
    assert (list(event.values), list(event.timestamps or ())) == ([Order(2, 0.5, "b")], [20])
    assert [column._values is None for column in given_values.columns] == [False, True, True]


def test_an_error_names_the_element_and_the_line_of_the_function() -> None:
    def divide(o: Order) -> float:
        return 1 / o.id

    spec = spec_of(MAP, divide, ORDER, Types.DOUBLE())
    with pytest.raises(TaskFailure) as caught:
        list(opened(spec).process(Elements(columns([Order(1, None, "a"), Order(0, 0.5, "b")])), 0))
    assert "Order(id=0, amount=0.5, name='b')" in str(caught.value)
    assert "return 1 / o.id" in str(caught.value)
