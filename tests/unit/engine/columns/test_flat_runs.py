"""Flat maps as kernels give the results, their order, times and errors of calls with elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.columns import flat_run
from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import MAX_BATCH, Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FLAT_MAP
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues
from pystream.expressions.expression import Expression
from pystream.expressions.result_lists import has_result_kernels
from pystream.lifting import lift_flat_map, result_list
from tests.unit.engine.columns.orders import ORDER, Order, columns, outcome
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import label
from typeinfo import Row, Types
from typeinfo.pickling import dumps
from typeinfo.testing.strategies import values

LONG, STRING = Types.LONG(), Types.STRING()
ROW: Any = Types.ROW_NAMED(["id", "name"], [LONG, STRING])
MAYBE = Types.of(float | None)


@dataclass
class Event:
    id: int
    order: Order | None
    tags: list[int]


EVENT = Types.of(Event)


def spec_of(function: Any, gives: Any, element_type: Any = EVENT) -> OperatorSpec:
    """Return a flat map that has kernels, and where they do not compute a batch, only calls."""
    lifted = lift_flat_map(function, element_type, gives)
    assert isinstance(lifted, Expression), lifted
    results = result_list(lifted)
    assert isinstance(results, Expression), results
    assert has_result_kernels(results)
    return OperatorSpec(
        label=label("Flat Map"),
        kind=FLAT_MAP,
        function=dumps(function),
        output_type=gives,
        trusted=False,
        consumers=(),
        columns=ColumnForms(element_type, (results,)),
    )


def order_of(event: Event) -> Iterator[Order]:
    if event.order is not None:
        yield event.order


def several(event: Event) -> Iterator[int]:
    yield event.id
    if event.id % 2:
        yield 10 // (event.id - 1)
    elif event.order is None:
        return
    yield len(event.order.name) if event.order is not None else -1
    yield 7


def nested(event: Event) -> Iterator[Any]:
    if event.id > 0:
        if event.order is None:
            yield Row(0, "none")
            yield Row(event.id, "none")
        else:
            yield Row(event.order.id, event.order.name)
        yield Row(event.id, "end")


def loops(event: Event) -> Iterator[int]:
    yield event.id
    for i in range(3):
        for tag in event.tags:
            if tag > i:
                yield tag - i
            elif tag == 0:
                yield 10 // (event.id - 3)
        yield -i
    yield from event.tags


def items_of_branches(event: Event) -> Iterator[tuple[int, int]]:
    if event.id % 3:
        for number, tag in enumerate([t + 1 for t in event.tags if t != 1]):
            yield number, tag
            yield event.id, 7 // tag
        yield 0, 0


CASES: list[tuple[Callable[[Event], Any], Any]] = [
    (order_of, ORDER),
    (lambda e: [] if e.order is None else [(e.order.id + 1, e.order.name)], Types.TUPLE([LONG, STRING])),
    (lambda e: [Row(10 // e.id, "a")], ROW),
    (lambda e: [e.order.amount] if e.order is not None and 9 // e.id else [], MAYBE),
    (lambda e: [e.id] if e.id % 2 else None, LONG),
    (lambda e: [(e.tags, e.order)] if e.id else [], Types.TUPLE([Types.LIST(LONG), Types.of(Order | None)])),
    (lambda e: [e, e], EVENT),
    (lambda e: (e.id, e.id * 3, -e.id), LONG),
    (lambda e: [e.id, 10 // e.id] if e.id else [], LONG),
    (lambda e: [Row(e.id, "a"), Row(e.id, "b")], ROW),
    (lambda e: [None, 0.0 * e.id, e.id / 7], MAYBE),
    (lambda e: [1] if e.order is None else [e.id, 2] if e.id > 2 else [], LONG),
    (several, LONG),
    (nested, ROW),
    (lambda e: e.tags, LONG),
    (lambda e: [(e.id, t * 2) for t in e.tags if t > 0], Types.TUPLE([LONG, LONG])),
    (lambda e: range(e.id % 4), LONG),
    (lambda e: [e.id * i for i in (1, 2, 5)], LONG),
    (lambda e: [(i, t) for i, t in enumerate(e.tags) if t % 2], Types.TUPLE([LONG, LONG])),
    (lambda e: (w for w in str(e.id).split("1") if w), STRING),
    (loops, LONG),
    (items_of_branches, Types.TUPLE([LONG, LONG])),
]


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=15, deadline=None)
@given(events=st.lists(values(EVENT), min_size=1, max_size=6), timed=st.booleans())
def test_flat_maps_as_kernels_give_what_calls_with_elements_give(
    case: tuple[Any, Any], events: list[Event], timed: bool
) -> None:
    spec = spec_of(*case)
    times = list(range(len(events))) if timed else None
    assert outcome(spec, columns(events, EVENT), times) == outcome(spec, events, times)


def run(function: Any, gives: Any, orders: list[Order], times: list[int] | None = None) -> list[Elements]:
    """Return the results of kernels alone."""
    operator: Any = opened(spec_of(function, gives, ORDER))
    operator._calls = []
    events = list(operator.process(Elements(columns(orders), times), 0))
    assert all(isinstance(event.values, ColumnValues) and event.values.are_columns for event in events)
    return events


def test_results_come_in_the_order_of_the_elements_with_their_times() -> None:
    def function(o: Order) -> Iterator[tuple[int, str]]:
        yield o.id, "first"
        if o.id % 2:
            yield o.id, o.name
        yield o.id, "last"

    (found,) = run(function, Types.TUPLE([LONG, STRING]), [Order(1, None, "a"), Order(2, None, "b")], [5, 6])
    assert list(found.values) == [(1, "first"), (1, "a"), (1, "last"), (2, "first"), (2, "last")]
    assert list(found.timestamps or ()) == [5, 5, 5, 6, 6]
    assert found.origin is not None
    assert found.origin(3) == "Order(id=2, amount=None, name='b')"


def test_a_branch_is_evaluated_only_for_the_elements_that_take_it() -> None:
    (found,) = run(
        lambda o: [10 // o.id, 1] if o.id else [-1], LONG, [Order(0, None, ""), Order(5, None, "")]
    )
    assert list(found.values) == [-1, 2, 1]


def test_batches_of_results_are_bounded() -> None:
    orders = [Order(number, None, "") for number in range(MAX_BATCH)]
    found = run(lambda o: [o.id, -o.id, 0], LONG, orders)
    assert [len(elements.values) for elements in found] == [MAX_BATCH] * 3
    assert found[1].origin is not None
    assert found[1].origin(2) == f"Order(id={(MAX_BATCH + 2) // 3}, amount=None, name='')"
    assert [*chain.from_iterable(elements.values for elements in found)] == [
        value for order in orders for value in (order.id, -order.id, 0)
    ]


def test_many_results_are_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_run, "_MOST", 6)
    orders = [Order(number - 5, 0.5, "") for number in range(7)]
    spec = spec_of(lambda o: [o.id, 10 // o.id], LONG, ORDER)
    found: list[Elements] = []
    with pytest.raises(TaskFailure, match="Order\\(id=0, "):
        found.extend(opened(spec).process(Elements(columns(orders)), 0))  # type: ignore[arg-type]
    assert [list(elements.values) for elements in found[:1]] == [[-5, -2, -4, -3, -3, -4]]
    assert isinstance(found[0].values, ColumnValues)


def test_items_of_lists_have_the_times_of_their_elements() -> None:
    orders = [Order(number, None, "") for number in (0, 2, 0, 1)]
    (found,) = run(lambda o: [i + 1 for i in range(o.id)], LONG, orders, [5, 6, 7, 8])
    assert list(found.values) == [1, 2, 1]
    assert list(found.timestamps or ()) == [6, 6, 8]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab\t\n\x1c\x85\xa0\u2003\u200b\u3000 é"), max_size=8), min_size=1))
def test_words_are_those_of_python(lines: list[str]) -> None:
    found = run(lambda o: [w for w in o.name.split()], STRING, [Order(0, None, line) for line in lines])  # noqa: C416
    assert [*chain.from_iterable(e.values for e in found)] == [
        word for line in lines for word in line.split()
    ]


def test_too_many_items_are_left_to_calls() -> None:
    orders = [Order(3, None, ""), Order(1 << 21, None, "")]
    events = opened(spec_of(lambda o: range(o.id), LONG, ORDER)).process(Elements(columns(orders)), 0)
    first: Any = next(iter(events))
    assert isinstance(first.values, list)
    assert first.values[:5] == [0, 1, 2, 0, 1]


def test_elements_without_results_give_no_batch() -> None:
    assert run(lambda o: [o.id] if o.id < 0 else [], LONG, [Order(1, None, "")]) == []
