"""Timestamps computed from columns are those of calls with elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common.watermark_strategy import TimestampAssigner
from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.assign_watermarks import ASSIGN_WATERMARKS, WatermarkPlan
from pystream.engine.spec import OperatorSpec
from pystream.engine.time.watermark_generators import NoWatermarks
from pystream.engine.vectorised.columns import ColumnValues
from pystream.plan.function import UserFunction
from pystream.plan.nodes import NodeSettings, OperatorNode
from pystream.rules.run_over_columns.forms import timestamps_over_columns
from tests.unit.engine.columns.orders import ORDER, Order, columns
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import label
from typeinfo.pickling import dumps
from typeinfo.testing.strategies import values


class Assigner(TimestampAssigner):
    def __init__(self) -> None:
        self.by = 10

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value.id) // self.by


EXTRACTORS: list[tuple[Callable[[Any, int], Any], str]] = [
    (lambda o, time: o.id, "arrow"),
    (lambda o, time: o.id // 3 * 2, "arrow"),
    (lambda o, time: 10 // o.id, "arrow"),
    (lambda o, time: time + len(o.name), "fields"),
    (lambda o, time: o.id if o.amount is None else "late", "fields"),
    (Assigner().extract_timestamp, "arrow"),
    (lambda o, time: hash(o), ""),
]


def spec_of(extract: Any) -> OperatorSpec:
    plan = WatermarkPlan(extract, NoWatermarks)
    function = UserFunction.of(plan, "assign_timestamps_and_watermarks", described=extract)
    node = OperatorNode(
        id=1,
        inputs=(0,),
        type_info=ORDER,
        settings=NodeSettings("Timestamps"),
        kind=ASSIGN_WATERMARKS,
        function=function,
    )
    node = timestamps_over_columns(node, ORDER)
    forms = ColumnForms(ORDER, node.arrow, node.fields) if node.arrow or node.fields else None
    return OperatorSpec(
        label=label("Timestamps"),
        kind=ASSIGN_WATERMARKS,
        function=dumps(plan),
        output_type=ORDER,
        trusted=True,
        consumers=(),
        columns=forms,
    )


def outcome(spec: OperatorSpec, given: Any, times: list[int] | None) -> Any:
    try:
        events: list[Any] = list(opened(spec).process(Elements(given, times), 0))
    except TaskFailure as failure:
        return failure.report
    return [(list(event.values), list(event.timestamps)) for event in events if isinstance(event, Elements)]


@pytest.mark.parametrize(("extract", "way"), EXTRACTORS)
@settings(max_examples=15, deadline=None)
@given(orders=st.lists(values(ORDER), min_size=1, max_size=6), timed=st.booleans())
def test_timestamps_of_columns_are_those_of_elements(
    extract: Any, way: str, orders: list[Order], timed: bool
) -> None:
    spec = spec_of(extract)
    forms = spec.columns
    assert way == ("" if forms is None else "arrow" if forms.expressions else "fields")
    times = list(range(len(orders))) if timed else None
    expected = outcome(replace(spec, columns=None), orders, times)
    assert repr(outcome(spec, columns(orders), times)) == repr(expected)


def test_columns_are_handed_on() -> None:
    given = columns([Order(1, None, "a")])
    events: list[Any] = list(opened(spec_of(lambda o, time: o.id)).process(Elements(given), 0))
    assert any(event.values is given or isinstance(event.values, ColumnValues) for event in events)
