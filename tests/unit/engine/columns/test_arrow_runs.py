"""Runs as kernels give the results, times and errors of calls with elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements
from pystream.engine.operators.elementwise import FILTER, MAP
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.expressions.expression import Expression
from pystream.expressions.kernels import has_kernels
from pystream.kinds import OperatorKind
from pystream.lifting import columns_of, lift, lift_condition
from tests.unit.engine.columns.orders import ORDER, Order, columns, outcome
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import label
from typeinfo import Row, Types
from typeinfo.pickling import dumps
from typeinfo.testing.strategies import values

LONG = Types.LONG()
ROW: Any = Types.ROW_NAMED(["id", "name"], [LONG, Types.STRING()])


def spec_of(kind: OperatorKind, function: Any, gives: Any) -> OperatorSpec:
    """Return an operator that has kernels, and where they do not compute a batch, only calls."""
    lifted = lift_condition(function, ORDER) if kind is FILTER else lift(function, [ORDER], gives)
    assert isinstance(lifted, Expression), lifted
    found = columns_of(lifted)
    assert isinstance(found, list)
    assert all(map(has_kernels, found))
    return OperatorSpec(
        label=label(kind.name),
        kind=kind,
        function=dumps(function),
        output_type=gives,
        trusted=kind is FILTER,
        consumers=(),
        columns=ColumnForms(ORDER, tuple(found)),
    )


MAPS: list[tuple[Callable[[Order], Any], Any]] = [
    (lambda o: Order(o.id + 1, o.amount, o.name + "!"), ORDER),
    (lambda o: Row(10 // o.id, o.name), ROW),
    (lambda o: Row(o.id * 3, o.name) if o.id else Row(0, "none"), ROW),
    (lambda o: o.id % 7, LONG),
    (lambda o: o.amount, Types.of(float | None)),
    (lambda o: -1.0 if o.amount is None else o.amount / 3, Types.DOUBLE()),
]


@pytest.mark.parametrize("case", MAPS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5), timed=st.booleans())
def test_maps_as_kernels_give_what_calls_with_elements_give(
    case: tuple[Any, Any], orders: list[Order], timed: bool
) -> None:
    spec = spec_of(MAP, *case)
    times = list(range(len(orders))) if timed else None
    assert outcome(spec, columns(orders), times) == outcome(spec, orders, times)


FILTERS: list[Callable[[Order], Any]] = [
    lambda o: o.id % 3,
    lambda o: o.amount is not None and o.amount > 0,
    lambda o: 1 // o.id > 0,
    lambda o: o.name,
]


@pytest.mark.parametrize("predicate", FILTERS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=5), timed=st.booleans())
def test_filters_as_kernels_keep_what_calls_with_elements_keep(
    predicate: Any, orders: list[Order], timed: bool
) -> None:
    spec = spec_of(FILTER, predicate, ORDER)
    times = list(range(len(orders))) if timed else None
    assert outcome(spec, columns(orders), times) == outcome(spec, orders, times)


def test_kernels_call_nothing() -> None:
    def called(o: Order) -> int:
        return o.id + 1

    spec = spec_of(MAP, called, LONG)
    operator: Any = opened(spec)
    operator._calls = []
    (event,) = operator.process(Elements(columns([Order(1, None, "a"), Order(2, 0.5, "b")])), 0)
    assert isinstance(event.values, ColumnValues)
    assert event.values.layout is layout_of(LONG)
    assert event.values.batch.to_pydict() == {"value": [2, 3]}
