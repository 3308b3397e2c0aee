"""Reductions of columns: results, times, state and errors of calls with elements."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.columns.folded_columns import folded_columns
from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.functions import AggregateFunction, ReduceFunction
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.metrics.values import CounterValue
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.engine.windows import aligned_operator, count_operator, session_operator
from pystream.engine.windows.builtin_triggers import EventTimeTrigger
from pystream.engine.windows.count_windows import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.plan import WindowCall, WindowPlan
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows
from pystream.expressions.field_code import FieldCode
from pystream.expressions.folds import Accumulation, Fold, Reduction
from pystream.field_aggregations import FieldAggregation
from pystream.kinds import OperatorKind
from pystream.lifting import (
    NotLifted,
    lift_add,
    lift_field_fold,
    lift_reduce,
    replace_element,
    replace_reduced,
)
from pystream.plan.function import UserFunction
from pystream.plan.nodes import KeyFunction
from pystream.rules.run_over_columns.forms import fold_with_results, key_over_columns
from tests.unit.engine.driving import opened, snapshot_of
from tests.unit.engine.tasks import label
from typeinfo import Row, Types
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.pickling import dumps
from typeinfo.row import RowKind
from typeinfo.serde import serializer_for


@dataclass
class Bid:
    key: str
    time: int
    price: int
    rate: float
    note: str | None
    size: int | None


BID: Any = Types.of(Bid)
ROW: Any = Types.ROW_NAMED(
    ["key", "time", "n", "x"], [Types.STRING(), Types.LONG(), Types.INT(), Types.DOUBLE()]
)
LATE = OutputTag("late", BID)

FLOATS = st.sampled_from([0.0, -0.0, 1.5, 0.1, math.nan, math.inf, -math.inf, -2.25, 1e300])
LONGS = st.sampled_from([0, 1, -3, 7, 2**62, -(2**63), 2**63 - 1])
BIDS = st.builds(
    Bid,
    st.sampled_from("abc"),
    st.integers(0, 40),
    LONGS,
    FLOATS,
    st.sampled_from([None, "", "u", "\U0001f600"]),
    st.sampled_from([None, 1, 2, 3]),
)
ROWS = st.builds(
    lambda key, time, n, x: Row(key=key, time=time, n=n, x=x),
    st.sampled_from("ab"),
    st.integers(0, 40),
    st.sampled_from([1, 2**31 - 1, -5]),
    FLOATS,
)


def of_kind(row: Any, kind: RowKind) -> Any:
    row.set_row_kind(kind)
    return row


OF_KINDS = st.builds(of_kind, ROWS, st.sampled_from([RowKind.INSERT, RowKind.INSERT, RowKind.DELETE]))


def field(kind: Any, name: Any) -> Callable[..., Any]:
    return FieldAggregation(kind, name).reduce


BID_REDUCTIONS: list[Any] = [
    lambda a, b: Bid(a.key, a.time, a.price + b.price, b.rate + a.rate, b.note, a.size),
    lambda a, b: Bid(b.key, b.time, max(a.price, b.price), min(a.rate, b.rate), a.note, b.size),
    lambda a, b: replace(a, time=min(b.time, a.time), rate=max(a.rate, b.rate), note=b.note),
    lambda a, b: b,
    lambda a, b: a,
    *(field(kind, "rate") for kind in ("sum", "min", "max", "min_by", "max_by")),
    *(field(kind, "price") for kind in ("sum", "min_by", "max_by")),
    field("min", "key"),
    field("max_by", "size"),
    field("sum", "size"),
]
ROW_REDUCTIONS: list[Any] = [
    lambda a, b: Row(a[0], a[1], a[2] + b[2], a[3] + b[3]),
    lambda a, b: (b[0], b[1], max(a[2], b[2]), a[3]),
    field("sum", "n"),
    field("max_by", 3),
]


def reduction_of(function: Any, type_info: Any) -> Reduction | NotLifted:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, FieldAggregation):
        return lift_field_fold(owner.kind, owner.field, type_info, in_order=True)
    return lift_reduce(getattr(function, "reduce", function), type_info, in_order=True)


def has_positions(type_info: Any) -> bool:
    """Return whether elements are tuples, or rows without names."""
    return isinstance(type_info, TupleTypeInfo) or getattr(type_info, "field_names", None) is None


def time_of(value: Any) -> int:
    time: int = value.time if hasattr(value, "time") else value[1]
    return time


def _first(value: Any) -> Any:
    return value[0]


def _key(value: Any) -> Any:
    return value.key


def spec_of(
    kind: OperatorKind, function: Any, reduce: Any, type_info: Any, result_type: Any = None
) -> OperatorSpec:
    unknown = Types.PICKLED_BYTE_ARRAY

    select = _first if has_positions(type_info) else _key
    key = key_over_columns(KeyFunction(UserFunction.of(select, "key_by"), unknown), type_info)
    assert key.columns is not None
    fold = (
        lift_add(reduce, type_info, key.columns.parts[0])
        if isinstance(reduce, AggregateFunction)
        else reduction_of(reduce, type_info)
    )
    if isinstance(fold, NotLifted):
        fields = (
            replace_element(reduce.add, type_info, None, others=1)
            if isinstance(reduce, AggregateFunction)
            else replace_reduced(getattr(reduce, "reduce", reduce), type_info)
        )
        assert isinstance(fields, FieldCode), fields
        columns = ColumnForms(type_info, fields=fields)
    else:
        if isinstance(fold, Accumulation):
            found = fold_with_results(fold, reduce, unknown, result_type)
            fold = fold if isinstance(found, NotLifted) else found
        columns = ColumnForms(type_info, fold=fold)
    return OperatorSpec(
        label=label(kind.name),
        kind=kind,
        function=dumps(function),
        output_type=result_type or type_info,
        trusted=False,
        consumers=(),
        keys=(KeySpec(dumps(select), unknown, columns=key.columns),),
        columns=columns,
    )


def columns_of(values: list[Any], type_info: Any) -> ColumnValues:
    layout = layout_of(type_info)
    return ColumnValues(layout, layout.batch(serializer_for(type_info).to_batch(values).columns))


Step = tuple[str, Any]
"""Elements, as columns or as a list; a watermark; or a snapshot, from which a new operator goes on."""


def steps_of(values: Any, listed: Any = None) -> Any:
    batches = st.lists(values, min_size=1, max_size=40)
    step = st.one_of(
        st.tuples(st.just("columns"), batches),
        st.tuples(st.just("columns"), batches),
        st.tuples(st.just("list"), batches if listed is None else st.lists(listed, min_size=1, max_size=3)),
        st.tuples(st.just("watermark"), st.integers(0, 45)),
        st.tuples(st.just("snapshot"), st.none()),
    )
    return st.lists(step, min_size=1, max_size=6)


def shown(value: Any) -> str:
    return f"{value.get_row_kind()} {value}" if isinstance(value, Row) else repr(value)


@pytest.fixture(autouse=True, scope="module")
def _no_batch_is_too_small() -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(patch.object(aligned_operator, "_FEWEST_PER_WINDOW", 0))
        for module in (count_operator, session_operator):
            stack.enter_context(patch.object(module, "_FEWEST_ELEMENTS", 0))
        stack.enter_context(patch("pystream.engine.columns.folded_columns._FEWEST_RESULTS", 0))
        for least in ("_FEWEST_RUNNING", "_FEWEST_PER_ROUND"):
            stack.enter_context(patch(f"pystream.engine.columns.number_folds.{least}", 0))
        yield


def outcome(spec: Any, steps: list[Step], *, over_columns: bool, timed: bool, batch: bool = False) -> Any:
    """Run steps over columns, or by calls; then windows are those of the assigner, fired by the trigger."""
    serves = staticmethod(lambda plan: over_columns and plan.is_counted)
    with patch.object(count_operator.CountWindowOperator, "serves", serves):
        return outcome_of(spec, steps, over_columns=over_columns, timed=timed, batch=batch)


def outcome_of(spec: Any, steps: list[Step], *, over_columns: bool, timed: bool, batch: bool) -> Any:
    """Return all results with their times, and the state at the end, or the report of the failure.

    That is for a result of another type the error, and the element that it is the result for.
    """
    operator: Any = opened(spec, batch)
    type_info = state_type(spec)
    results: list[Any] = []
    states: list[Any] = []
    origins: list[Any] = []
    watermark = -1

    def take(events: Any) -> None:
        for event in events:
            if isinstance(event, Elements):
                values = list(event.values)
                if event.tag is None:
                    origins.append(event.origin)
                    values = list(map(shown, serializer_for(spec.output_type).conform(values)))
                stamps: Any = event.timestamps or [None] * len(values)
                results.append((event.tag, list(zip(values, stamps, strict=True))))

    try:
        for name, given_values in steps:
            if name == "watermark":
                watermark = max(watermark, given_values)
                take(operator.advance(watermark))
            elif name == "snapshot":
                stored = pickle.loads(pickle.dumps(snapshot_of(operator)))
                operator = opened(spec, batch, stored)
                states.append(conformed(stored[1].tables, type_info))
            else:
                values: Any = [*given_values]
                times: Any = list(map(time_of, values)) if timed else None
                if over_columns and name == "columns":
                    values = columns_of(values, spec.columns.element_type)
                take(operator.process(Elements(values, times), 0))
        take(operator.advance(10_000))
    except TaskFailure as failure:
        return failure.report
    except TypeCheckError as error:
        return str(error), "" if origins[-1] is None else origins[-1](error.index)
    flat: dict[Any, list[Any]] = {}
    for tag, pairs in results:
        flat.setdefault(tag, []).extend(pairs)
    states.append(conformed(snapshot_of(operator)[1].tables, type_info))
    return repr(flat), repr(states), operator.count_state_entries()


def state_type(spec: Any) -> Any:
    """Return the type of what elements are folded to; pickled if it is not known."""
    forms = spec.columns
    if forms is not None and forms.fold is not None:
        return forms.fold.type
    is_reduced = forms is not None and forms.fields is not None and forms.fields.results is not None
    return forms.element_type if is_reduced else Types.PICKLED_BYTE_ARRAY()


def conformed(state: Any, type_info: Any) -> Any:
    """Return the values in a state as values of their type, as they are when they are next used."""
    if isinstance(state, list):
        return [(one.start, one.end, one.changed, one.key, conformed(one.held, type_info)) for one in state]
    if not isinstance(state, dict):
        try:
            return serializer_for(type_info).conform([state])[0]
        except TypeCheckError:  # a sum out of range
            return state
    return sorted((key, conformed(value, type_info)) for key, value in state.items())


@pytest.mark.parametrize("reduce", BID_REDUCTIONS)
@settings(max_examples=12, deadline=None)
@given(steps=steps_of(BIDS))
def test_every_result_is_that_of_calls(reduce: Any, steps: list[Step]) -> None:
    spec = spec_of(REDUCE, reduce, reduce, BID)
    expected = outcome(spec, steps, over_columns=False, timed=False)
    assert outcome(spec, steps, over_columns=True, timed=False) == expected


@pytest.mark.parametrize("reduce", ROW_REDUCTIONS)
@settings(max_examples=12, deadline=None)
@given(steps=steps_of(ROWS, OF_KINDS))
def test_every_row_is_that_of_calls(reduce: Any, steps: list[Step]) -> None:
    spec = spec_of(REDUCE, reduce, reduce, ROW)
    expected = outcome(spec, steps, over_columns=False, timed=False)
    assert outcome(spec, steps, over_columns=True, timed=False) == expected


WINDOWS: list[Any] = [
    TumblingEventTimeWindows(10, 0),
    TumblingEventTimeWindows(7, 3),
    SlidingEventTimeWindows(20, 10, 0),
    SlidingEventTimeWindows(15, 10, 0),
    SlidingEventTimeWindows(5, 8, 1),
    EventTimeSessionWindows(3),
    EventTimeSessionWindows(1),
    CountTumblingWindowAssigner(3),
    CountTumblingWindowAssigner(1),
    CountSlidingWindowAssigner(5, 2),
    CountSlidingWindowAssigner(2, 3),
]


@pytest.mark.parametrize("assigner", WINDOWS, ids=repr)
@pytest.mark.parametrize("reduce", [BID_REDUCTIONS[0], BID_REDUCTIONS[1], field("max_by", "size")])
@settings(max_examples=12, deadline=None)
@given(steps=steps_of(BIDS), late=st.booleans())
def test_windows_are_those_of_calls(assigner: Any, reduce: Any, steps: list[Step], late: bool) -> None:
    plan = WindowPlan(
        assigner=assigner,
        trigger=assigner.get_default_trigger(None),
        element_type=BID,
        reduce=reduce,
        late_tag=LATE if late else None,
    )
    spec = spec_of(WINDOW, plan, reduce, BID)
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


@pytest.mark.parametrize("assigner", [WINDOWS[0], WINDOWS[5], WINDOWS[9]], ids=repr)
@pytest.mark.parametrize("reduce", ROW_REDUCTIONS)
@settings(max_examples=12, deadline=None)
@given(steps=steps_of(ROWS, OF_KINDS))
def test_windows_of_rows_are_those_of_calls(assigner: Any, reduce: Any, steps: list[Step]) -> None:
    trigger = assigner.get_default_trigger(None)
    plan = WindowPlan(assigner=assigner, trigger=trigger, element_type=ROW, reduce=reduce)
    spec = spec_of(WINDOW, plan, reduce, ROW)
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


class Average(AggregateFunction[Any, Any, Any]):
    def create_accumulator(self) -> tuple[float, int]:
        return 0.0, 0

    def add(self, value: Bid, accumulator: tuple[float, int]) -> tuple[float, int]:
        return accumulator[0] + value.rate, accumulator[1] + 1

    def get_result(self, accumulator: tuple[float, int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, a: tuple[float, int], b: tuple[float, int]) -> tuple[float, int]:
        return a[0] + b[0], a[1] + b[1]


class Highest(Average):
    def create_accumulator(self) -> Any:
        return None, None, "", 0

    def add(self, value: Bid, accumulator: Any) -> Any:
        best, _, _, sizes = accumulator
        best = value.price if best is None or value.price > best else best
        if value.size is not None:
            sizes += value.size
        return best, value.key, value.note or "none", sizes

    def get_result(self, accumulator: Any) -> float:
        return repr(accumulator)  # type: ignore[return-value]


class Tally(Average):
    def create_accumulator(self) -> Any:
        return 10

    def add(self, value: Bid, accumulator: Any) -> Any:
        return accumulator + (value.price // value.size if value.size else 1)

    def get_result(self, accumulator: Any) -> float:
        return repr(accumulator)  # type: ignore[return-value]


class Noted(Tally):
    def add(self, value: Bid, accumulator: Any) -> Any:
        return max(accumulator, value.price) if value.note else accumulator

    def merge(self, a: Any, b: Any) -> Any:
        return max(a, b)


class Doubled(Tally):
    def add(self, value: Bid, accumulator: Any) -> Any:
        return accumulator + value.price * 2  # kernels compute no more than 64 bits

    def merge(self, a: Any, b: Any) -> Any:
        return a - b


class Ratio(Average):
    def create_accumulator(self) -> Any:
        return 0, 0

    def add(self, value: Bid, accumulator: Any) -> Any:
        return accumulator[0] + value.time, accumulator[1] + value.price

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[1] % 7, accumulator[0] / accumulator[1], accumulator[0]


class Small(Tally):
    def get_result(self, accumulator: Any) -> Any:
        return accumulator


class Absent(Tally):
    def get_result(self, accumulator: Any) -> Any:
        return None if accumulator % 2 else accumulator


COLUMN_RESULTS = [
    (Average(), Types.DOUBLE()),
    (Ratio(), Types.TUPLE([Types.LONG(), Types.DOUBLE(), Types.LONG()])),
    (Small(), Types.LONG()),
    (Small(), Types.BYTE()),
]
"""Aggregate functions whose results are columns, with a declared type, which some results do not fit."""


@pytest.mark.parametrize(("aggregate", "result_type"), COLUMN_RESULTS)
def test_results_of_accumulators_are_columns(aggregate: Any, result_type: Any) -> None:
    assigner: Any = WINDOWS[0]
    plan = WindowPlan(assigner=assigner, trigger=EventTimeTrigger(), element_type=BID, aggregate=aggregate)
    operator: Any = opened(spec_of(WINDOW, plan, aggregate, BID, result_type))
    operator._contents.read = None  # is not called
    bids = [Bid("a", 0, 1, 0.5, None, None), Bid("b", 1, 2, 0.5, None, None)]
    list(operator.process(Elements(columns_of(bids, BID), [0, 1]), 0))
    (results,) = [event for event in operator.advance(10_000) if isinstance(event, Elements)]
    assert isinstance(results.values, ColumnValues)
    assert results.values.layout is layout_of(result_type)


@pytest.mark.parametrize("assigner", [WINDOWS[0], WINDOWS[3], WINDOWS[5], WINDOWS[9]], ids=repr)
@pytest.mark.parametrize(
    ("aggregate", "result_type"),
    [
        *COLUMN_RESULTS,
        (Absent(), Types.LONG()),
        (Highest(), Types.STRING()),
        (Tally(), Types.STRING()),
        (Noted(), Types.STRING()),
        (Doubled(), Types.STRING()),
    ],
    ids=["average", "ratio", "small", "byte", "absent", "highest", "tally", "noted", "doubled"],
)
@settings(max_examples=12, deadline=None)
@given(steps=steps_of(BIDS))
def test_accumulators_are_those_of_calls(
    assigner: Any, aggregate: Any, result_type: Any, steps: list[Step]
) -> None:
    trigger = assigner.get_default_trigger(None)
    plan = WindowPlan(assigner=assigner, trigger=trigger, element_type=BID, aggregate=aggregate)
    spec = spec_of(WINDOW, plan, aggregate, BID, result_type)
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


class Listed(Average):
    def create_accumulator(self) -> Any:
        return ([],)

    def add(self, value: Bid, accumulator: Any) -> Any:
        accumulator[0].append((value.note, math.atan2(value.rate, value.size)))  # type: ignore[arg-type]
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        return repr(accumulator)

    def merge(self, a: Any, b: Any) -> Any:
        return (a[0] + b[0],)


class Latest(Listed):
    def add(self, value: Bid, accumulator: Any) -> Any:
        return ([*accumulator[0][-2:], math.isqrt(value.price)],)


class Kept(Listed):
    def add(self, value: Bid, accumulator: Any) -> Any:
        return None if math.isqrt(value.time) % 3 == 0 else (accumulator[0], value.size)

    def get_result(self, accumulator: Any) -> Any:
        return accumulator[1]  # not every size is a text


class Repeated:
    def apply(self, key: Any, window: Any, results: Any) -> Any:
        return [f"{key} {result}" for result in results for _ in range(2)]


@pytest.mark.parametrize("assigner", WINDOWS, ids=repr)
@pytest.mark.parametrize("aggregate", [Listed(), Latest(), Kept()], ids=["listed", "latest", "kept"])
@settings(max_examples=8, deadline=None)
@given(steps=steps_of(BIDS), late=st.booleans(), is_applied=st.booleans())
def test_fields_are_added_as_elements_are(
    assigner: Any, aggregate: Any, steps: list[Step], late: bool, is_applied: bool
) -> None:
    plan = WindowPlan(
        assigner=assigner,
        trigger=assigner.get_default_trigger(None),
        element_type=BID,
        aggregate=aggregate,
        late_tag=LATE if late else None,
        call=WindowCall.APPLY if is_applied else WindowCall.NOTHING,
        function=Repeated() if is_applied else None,
    )
    spec = spec_of(WINDOW, plan, aggregate, BID, Types.STRING())
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


@pytest.mark.parametrize("assigner", [WINDOWS[0], WINDOWS[2], WINDOWS[5]], ids=repr)
def test_late_elements_whose_fields_are_not_added_are_whole(assigner: Any) -> None:
    plan = WindowPlan(
        assigner=assigner, trigger=EventTimeTrigger(), element_type=BID, aggregate=Latest(), late_tag=LATE
    )
    spec = spec_of(WINDOW, plan, Latest(), BID, Types.STRING())
    bids = [Bid("a", time, 4, 0.5, "note", 1) for time in (5, 45, 6)]
    steps = [("watermark", 40), ("columns", bids)]
    found = outcome(spec, steps, over_columns=True, timed=True)
    assert found == outcome(spec, steps, over_columns=False, timed=True)
    assert repr([(bids[0], 5), (bids[2], 6)]) in found[0]


@pytest.mark.parametrize("aggregate", [Kept(), Tally()], ids=["fields", "folds"])
@pytest.mark.parametrize("size", [1, 2])
def test_a_result_of_a_full_window_names_the_element_that_fills_it(aggregate: Any, size: int) -> None:
    assigner: Any = CountTumblingWindowAssigner(size)
    trigger = assigner.get_default_trigger(None)
    plan = WindowPlan(assigner=assigner, trigger=trigger, element_type=BID, aggregate=aggregate)
    spec = spec_of(WINDOW, plan, aggregate, BID, Types.BYTE())
    bids = [Bid("a", time, 2**40, 0.5, "note", 2**30 if time > 2 else 1) for time in (1, 2, 5, 5)]
    steps = [("columns", bids)]
    found = outcome(spec, steps, over_columns=True, timed=True)
    assert found == outcome(spec, steps, over_columns=False, timed=True)
    assert found[1] in map(repr, bids)


@pytest.mark.parametrize("assigner", [WINDOWS[0], WINDOWS[5], WINDOWS[7]], ids=repr)
def test_fields_that_are_not_added_are_not_decoded(assigner: Any) -> None:
    trigger = assigner.get_default_trigger(None)
    plan = WindowPlan(assigner=assigner, trigger=trigger, element_type=BID, aggregate=Latest(), late_tag=LATE)
    operator: Any = opened(spec_of(WINDOW, plan, Latest(), BID, Types.STRING()))
    values = columns_of([Bid("a", 0, 4, 0.5, None, None), Bid("b", 1, 9, 0.5, None, None)], BID)
    list(operator.process(Elements(values, [0, 1]), 0))
    assert [column._values is not None for column in values.columns] == [
        False,
        False,
        True,
        False,
        False,
        False,
    ]


def nearest(bid: Bid) -> float:
    return math.floor(bid.time / 2) + abs(bid.rate)


def chosen(a: Bid, b: Bid) -> Bid:
    if math.isqrt(a.time) % 2 and (b.note or a.size):
        return b
    if math.isqrt(b.time) == 3:
        return Bid(b.key, a.time, a.price, nearest(a) - nearest(b), note=f"{a.note}{b.note}", size=a.size)
    return replace(a, note=b.note)


class Counting:
    def __init__(self) -> None:
        self.calls = 0

    def reduce(self, a: Bid, b: Bid) -> Bid:
        self.calls += 1
        return Bid(b.key, self.larger(a), self.calls, b.rate, a.note, self.larger(b))

    def larger(self, bid: Bid) -> int:
        return max(bid.time, bid.size or 0)


class Traced(ReduceFunction[Any]):
    """Uses the key of its element and a state of that key."""

    def open(self, runtime_context: Any) -> None:
        self.number = runtime_context.get_state(ValueStateDescriptor("number", Types.LONG()))

    def reduce(self, a: Bid, b: Bid) -> Bid:
        number = (self.number.value() or 0) + 1
        self.number.update(number)
        return Bid(a.key, a.time, number, b.rate, a.note, a.size)


REDUCED_BY_FIELDS: list[Any] = [
    lambda a, b: Bid(a.key, b.time, a.price, math.atan2(a.rate, b.rate), a.note, b.size),
    lambda a, b: a if math.isqrt(a.time) % 3 else b,
    lambda a, b: replace(b, time=a.time, price=a.price - math.isqrt(b.price)),  # of a negative price
    lambda a, b: replace(b, price=a.price * 2 + math.isqrt(b.time)),  # beyond 64 bits
    lambda a, b: replace(b, rate=math.isqrt(b.time) + a.size),  # an int, or size is None
    lambda a, b: Bid(a.key, a.time, None if math.isqrt(b.time) == 5 else b.price, b.rate, a.note, a.size),  # type: ignore[arg-type]
    chosen,
    Counting(),
]
"""Reduce functions of bids that are no folds of columns."""

NAMES = ["key", "time", "n", "x"]
PLAIN: Any = Types.ROW([Types.STRING(), Types.LONG(), Types.INT(), Types.DOUBLE()])
QUAD: Any = Types.TUPLE([Types.STRING(), Types.LONG(), Types.INT(), Types.DOUBLE()])


class Quad(NamedTuple):
    key: str
    time: int
    n: int
    x: float


ROWS_BY_FIELDS: list[Any] = [
    lambda a, b: Row(key=a.key, time=b["time"], n=a[2], x=math.atan2(a.x, b.x)),
    lambda a, b: Row(a[0], b[1], b[2], math.atan2(a[3], b[3])),
    lambda a, b: (a[0], b[1], b[2], math.atan2(a[3], b[3])),
    lambda a, b: (
        b if math.isqrt(a.time) % 2 else Row(key=a.key, time=a.time, n=b.n + math.isqrt(b.time), x=0)
    ),
]


def many_of(type_info: Any) -> Any:
    """Return a strategy of elements of a type, of the fields of rows."""
    if isinstance(type_info, TupleTypeInfo):
        return ROWS.map(tuple)
    if isinstance(type_info, RowTypeInfo):
        return ROWS.map(lambda row: Row(**dict(zip(type_info.get_field_names(), row, strict=True))))
    return ROWS.map(lambda row: Quad(*row))


@pytest.mark.parametrize("reduce", [*REDUCED_BY_FIELDS, Traced()])
@settings(max_examples=25, deadline=None)
@given(steps=steps_of(BIDS))
def test_every_result_by_fields_is_that_of_calls(reduce: Any, steps: list[Step]) -> None:
    spec = replace(spec_of(REDUCE, reduce, reduce, BID), is_object=hasattr(reduce, "reduce"))
    expected = outcome(spec, steps, over_columns=False, timed=False)
    assert outcome(spec, steps, over_columns=True, timed=False) == expected


@pytest.mark.parametrize(
    ("type_info", "reduce"),
    [
        *((ROW, reduce) for reduce in ROWS_BY_FIELDS),
        (PLAIN, ROWS_BY_FIELDS[1]),
        (PLAIN, ROWS_BY_FIELDS[2]),
        (PLAIN, lambda a, b: a if math.isqrt(a.f1) % 2 else b),
        (QUAD, ROWS_BY_FIELDS[2]),
        (Types.of(Quad), lambda a, b: a._replace(n=math.isqrt(b[1]))),
        (Types.of(Quad), lambda a, b: Quad(a.key, b[1], n=math.isqrt(a.time), x=b.x)),
    ],
)
@settings(max_examples=25, deadline=None)
@given(data=st.data(), windowed=st.booleans())
def test_every_row_by_fields_is_that_of_calls(type_info: Any, reduce: Any, data: Any, windowed: bool) -> None:
    assigner: Any = data.draw(st.sampled_from(WINDOWS)) if windowed else None
    function: Any = reduce
    if windowed:
        trigger = assigner.get_default_trigger(None)
        function = WindowPlan(assigner=assigner, trigger=trigger, element_type=type_info, reduce=reduce)
    listed = OF_KINDS if type_info is ROW else None
    steps = data.draw(steps_of(many_of(type_info), listed))
    spec = spec_of(WINDOW if windowed else REDUCE, function, reduce, type_info)
    expected = outcome(spec, steps, over_columns=False, timed=windowed)
    assert outcome(spec, steps, over_columns=True, timed=windowed) == expected


@pytest.mark.parametrize("assigner", WINDOWS, ids=repr)
@settings(max_examples=80, deadline=None)
@given(
    reduce=st.sampled_from(REDUCED_BY_FIELDS),
    steps=steps_of(BIDS),
    late=st.booleans(),
    is_applied=st.booleans(),
)
def test_windows_by_fields_are_those_of_calls(
    assigner: Any, reduce: Any, steps: list[Step], late: bool, is_applied: bool
) -> None:
    plan = WindowPlan(
        assigner=assigner,
        trigger=assigner.get_default_trigger(None),
        element_type=BID,
        reduce=reduce,
        late_tag=LATE if late else None,
        call=WindowCall.APPLY if is_applied else WindowCall.NOTHING,
        function=Repeated() if is_applied else None,
    )
    spec = spec_of(WINDOW, plan, reduce, BID, Types.STRING() if is_applied else BID)
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


def spec_in(assigner: Any, reduce: Any) -> OperatorSpec:
    """Return a reduction of bids in windows, or a rolling one."""
    if assigner is None:
        return spec_of(REDUCE, reduce, reduce, BID)
    trigger = assigner.get_default_trigger(None)
    plan = WindowPlan(assigner=assigner, trigger=trigger, element_type=BID, reduce=reduce)
    return spec_of(WINDOW, plan, reduce, BID)


@pytest.mark.parametrize("reduce", [REDUCED_BY_FIELDS[0], BID_REDUCTIONS[0]], ids=["fields", "fold"])
@settings(max_examples=25, deadline=None)
@given(steps=steps_of(BIDS), timed=st.booleans())
def test_the_last_result_of_each_key_is_that_of_calls(reduce: Any, steps: list[Step], timed: bool) -> None:
    spec = spec_of(REDUCE, reduce, reduce, BID)
    expected = outcome(spec, steps, over_columns=False, timed=timed, batch=True)
    assert outcome(spec, steps, over_columns=True, timed=timed, batch=True) == expected


def decoded(operator: Any, bids: list[Bid]) -> list[str]:
    """Let elements arrive; return the names of their fields that have become Python values."""
    values = columns_of(bids, BID)
    list(operator.process(Elements(values, [bid.time for bid in bids]), 0))
    assert values._values is None
    names = BID.get_field_names()
    return [name for name, column in zip(names, values.columns, strict=True) if column._values is not None]


@pytest.mark.parametrize("assigner", [None, WINDOWS[0], WINDOWS[5]], ids=repr)
def test_fields_that_a_reduction_does_not_read_are_decoded_of_the_first_elements(assigner: Any) -> None:
    reduce: Any = lambda a, b: replace(a, rate=math.atan2(a.rate, b.rate))  # noqa: E731
    operator: Any = opened(spec_in(assigner, reduce))
    bids = [Bid("a", 0, 4, 0.5, None, None), Bid("a", 1, 9, 0.5, None, None)]
    assert decoded(operator, bids) == BID.get_field_names()
    assert decoded(operator, bids) == ["rate"]


@pytest.mark.parametrize("assigner", [None, WINDOWS[0], WINDOWS[5]], ids=repr)
def test_results_of_a_reduction_by_fields_are_columns(assigner: Any) -> None:
    operator: Any = opened(spec_in(assigner, REDUCED_BY_FIELDS[0]))
    events = list(operator.process(Elements(columns_of([Bid("a", 0, 4, 0.5, None, None)], BID), [0]), 0))
    events += operator.advance(10_000)
    (results,) = [event for event in events if isinstance(event, Elements)]
    assert isinstance(results.values, ColumnValues)


@pytest.mark.parametrize("assigner", [None, WINDOWS[0], WINDOWS[5], WINDOWS[9]], ids=repr)
def test_state_is_made_of_whole_elements(assigner: Any) -> None:
    operator: Any = opened(spec_in(assigner, REDUCED_BY_FIELDS[0]))
    bids = [Bid("a", 0, 4, 0.0, None, None), Bid("a", 1, 9, 0.5, None, None)]
    list(operator.process(Elements(columns_of(bids, BID), [0, 1]), 0))
    assert "Bid(key='a', time=1, price=4, rate=0.0, note=None, size=None)" in repr(snapshot_of(operator)[1])


@pytest.mark.parametrize("assigner", [None, WINDOWS[0], WINDOWS[3], WINDOWS[5], WINDOWS[9]], ids=repr)
def test_a_reduction_goes_on_from_a_savepoint_of_the_other_kind(assigner: Any) -> None:
    by_fields = spec_in(assigner, chosen)
    by_calls = replace(by_fields, columns=None)
    bids = [Bid("a", time, 1, rate, "u", 1) for time, rate in [(0, 0.5), (6, 2.0), (7, -3.0), (4, 1.0)]]
    found = []
    for first, second in [(by_calls, by_calls), (by_calls, by_fields), (by_fields, by_calls)]:
        operator: Any = opened(first)
        events: list[Any] = []
        for spec, some in [(first, bids[:2]), (second, bids[2:])]:
            operator = opened(spec, snapshot=pickle.loads(pickle.dumps(snapshot_of(operator))))
            events += operator.process(Elements(columns_of(some, BID), [bid.time for bid in some]), 0)
        events += operator.advance(10_000)
        found.append([value for event in events if isinstance(event, Elements) for value in event.values])
    assert found[0] == found[1] == found[2]


class Opened(Counting):
    def open(self, runtime_context: Any) -> None:
        vars(self)["larger"] = lambda bid: -1

    def close(self) -> None:
        pass


@pytest.mark.parametrize("assigner", [None, WINDOWS[0]], ids=repr)
def test_a_method_that_open_replaces_takes_whole_elements(assigner: Any) -> None:
    reduce = Opened()
    spec = replace(spec_in(assigner, reduce), is_object=True)
    steps = [("columns", [Bid("a", 0, 4, 0.0, None, 1), Bid("a", 1, 9, 0.5, None, 2)])]
    found = outcome(spec, steps, over_columns=True, timed=True)
    assert found == outcome(spec, steps, over_columns=False, timed=True)
    assert "time=-1" in found[0]


@pytest.mark.parametrize(("price", "pickled"), [(2**62, 1), (2**61, 0)])
def test_results_that_are_not_of_their_inferred_type_are_as_they_were(price: int, pickled: int) -> None:
    reduce: Any = lambda a, b: replace(a, price=a.price + b.price + math.isqrt(b.time))  # noqa: E731
    spec = spec_of(REDUCE, reduce, reduce, BID)
    assert spec.columns is not None
    forms = replace(spec.columns, inferred=BID)
    registry = MetricRegistry()
    inferred = replace(spec, columns=forms, output_type=Types.PICKLED_BYTE_ARRAY())
    operator: Any = opened(inferred, metrics=registry.group("test"))
    bids = [Bid("a", 0, price, 0.0, None, None), Bid("a", 1, price, 0.5, None, None)]
    (event,) = operator.process(Elements(columns_of(bids, BID), None), 0)
    assert list(event.values) == [bids[0], replace(bids[0], price=2 * price + 1)]
    assert isinstance(event.values, ColumnValues) == (not pickled)
    counted = registry.snapshot()
    assert counted == ({"test.numBatchesPickled": CounterValue(1)} if pickled else {})


def session_spec(function: Any, **more: Any) -> OperatorSpec:
    plan = WindowPlan(
        assigner=EventTimeSessionWindows(3), trigger=EventTimeTrigger(), element_type=BID, **more
    )
    return spec_of(WINDOW, plan, function, BID, Types.STRING() if "aggregate" in more else BID)


@pytest.mark.parametrize("assigner", [WINDOWS[5], WINDOWS[6]], ids=repr)
@pytest.mark.parametrize("reduce", [REDUCED_BY_FIELDS[0], REDUCED_BY_FIELDS[1], chosen])
@settings(max_examples=60, deadline=None)
@given(steps=steps_of(BIDS.map(lambda bid: replace(bid, key="a"))), is_applied=st.booleans())
def test_sessions_by_fields_are_those_of_the_operator_of_all_windows(
    assigner: Any, reduce: Any, steps: list[Step], is_applied: bool
) -> None:
    plan = WindowPlan(
        assigner=assigner,
        trigger=EventTimeTrigger(),
        element_type=BID,
        reduce=reduce,
        call=WindowCall.APPLY if is_applied else WindowCall.NOTHING,
        function=Repeated() if is_applied else None,
    )
    spec = spec_of(WINDOW, plan, reduce, BID, Types.STRING() if is_applied else BID)
    with patch.object(session_operator.SessionWindowOperator, "serves", staticmethod(lambda plan: False)):
        expected = outcome(replace(spec, columns=None), steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True)[0] == expected[0]


@pytest.mark.parametrize("kinds", ["ccc", "lcc", "clc", "ccl", "llc"])
@pytest.mark.parametrize("reduce", [REDUCED_BY_FIELDS[0], chosen], ids=["lambda", "chosen"])
def test_sessions_merge_by_fields_as_they_do_by_calls(reduce: Any, kinds: str) -> None:
    spec = session_spec(reduce, reduce=reduce)
    bids = [
        Bid("a", time, price, rate, note, 1)
        for time, price, rate, note in [(0, 1, 0.5, "u"), (6, 10, 2.0, None), (3, 5, -3.0, "v")]
    ]
    steps = [("columns" if kind == "c" else "list", [bid]) for kind, bid in zip(kinds, bids, strict=True)]
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


def test_elements_that_merged_sessions_cannot_add_as_columns_are_added_once() -> None:
    spec = session_spec(Doubled(), aggregate=Doubled())
    bids = [Bid("a", time, price, 0.5, None, None) for time, price in [(0, 1), (6, 10), (3, 2**62), (9, 5)]]
    expected = outcome(spec, [("columns", bids)], over_columns=False, timed=True)
    assert outcome(spec, [("columns", bids)], over_columns=True, timed=True) == expected


def test_sessions_that_have_ended_are_not_kept() -> None:
    operator: Any = opened(session_spec(BID_REDUCTIONS[0], reduce=BID_REDUCTIONS[0]))
    for time in range(0, 15_000, 10):
        bid = Bid("a", time, 1, 0.5, None, None)
        list(operator.process(Elements(columns_of([bid], BID), [time]), 0))
        list(operator.advance(time + 3))
    assert not operator._folded.slots
    assert all(len(column) < 1_100 for column in operator._folded._columns)


def test_elements_that_one_window_cannot_reduce_as_columns_are_added_once() -> None:
    reduce = field("sum", "n")
    plan = WindowPlan(assigner=WINDOWS[0], trigger=EventTimeTrigger(), element_type=ROW, reduce=reduce)
    spec = spec_of(WINDOW, plan, reduce, ROW)
    row = Row(key="a", time=15, n=1, x=0.5)
    deleted = of_kind(Row(key="a", time=15, n=1, x=0.5), RowKind.DELETE)
    steps = [("list", [deleted]), ("columns", [Row(key="a", time=5, n=3, x=0.5), row])]
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


@pytest.mark.parametrize("kind", ["min", "max", "min_by"])
@pytest.mark.parametrize("rates", [[0.0, -0.0], [-0.0, 0.0], [math.nan, 1.0], [1.0, math.nan]], ids=str)
@pytest.mark.parametrize("windowed", [True, False])
def test_of_equal_floats_the_first_is_kept(kind: Any, rates: list[float], windowed: bool) -> None:
    reduce = field(kind, "rate")
    plan = WindowPlan(assigner=WINDOWS[0], trigger=EventTimeTrigger(), element_type=BID, reduce=reduce)
    spec = spec_of(WINDOW, plan, reduce, BID) if windowed else spec_of(REDUCE, reduce, reduce, BID)
    steps = [("columns", [Bid("a", time, 1, rate, None, 1) for time, rate in enumerate(rates)])]
    expected = outcome(spec, steps, over_columns=False, timed=True)
    assert outcome(spec, steps, over_columns=True, timed=True) == expected


@pytest.mark.parametrize(
    ("function", "folds"),
    [
        (BID_REDUCTIONS[0], [Fold.FIRST, Fold.FIRST, Fold.SUM, Fold.SUM, Fold.LAST, Fold.FIRST]),
        (BID_REDUCTIONS[1], [Fold.LAST, Fold.LAST, Fold.MAX, Fold.MIN, Fold.FIRST, Fold.LAST]),
        (field("min_by", "rate"), [Fold.CHOSEN] * 3 + [Fold.MIN] + [Fold.CHOSEN] * 2),
    ],
)
def test_folds_in_order(function: Any, folds: list[Fold]) -> None:
    assert reduction_of(function, BID) == Reduction(BID, tuple(folds))


def with_rate(a: Bid, rate: float) -> Bid:
    return Bid(a.key, a.time, a.price, rate, a.note, a.size)


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: with_rate(a, min(b.rate, a.rate)),
        lambda a, b: with_rate(a, a.rate if a.rate < b.rate else b.rate),
        lambda a, b: with_rate(a, a.rate * b.rate),
        lambda a, b: with_rate(a, a.rate + b.price),
    ],
)
def test_floats_are_folded_in_the_very_form_of_the_function(function: Any) -> None:
    assert isinstance(reduction_of(function, BID), NotLifted)


def test_nothing_is_called() -> None:
    def reduce(a: Bid, b: Bid) -> Bid:
        return Bid(a.key, a.time, a.price + b.price, a.rate, a.note, a.size)

    spec = spec_of(REDUCE, reduce, reduce, BID)
    operator: Any = opened(spec)
    operator._reduce = None
    bids = [Bid("a", 1, price, 0.5, None, None) for price in (1, 2, 3)]
    (event,) = operator.process(Elements(columns_of(bids, BID), [1, 2, 3]), 0)
    assert isinstance(event.values, ColumnValues)
    assert event.values.batch.column(2).to_pylist() == [1, 3, 6]
    assert event.timestamps == [1, 2, 3]


def test_a_null_that_a_group_has_is_no_number() -> None:
    t = Types.ROW_NAMED(["k", "v"], [Types.STRING(), Types.LONG()])
    reduction = lift_reduce(lambda a, b: Row(k=a.k, v=a.v + b.v), t, in_order=True)
    assert isinstance(reduction, Reduction)
    folded = folded_columns(reduction, {"a": Row(k="a", v=None)})
    batch = layout_of(t).encode([Row(k="a", v=number) for number in (1, 2, 3)])
    assert folded.add(ColumnValues(layout_of(t), batch), ["a"], np.zeros(3, np.int64)) is None


def test_a_fault_of_folds_is_not_taken_for_an_error_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*arguments: Any) -> None:
        raise TypeError("a fault")

    monkeypatch.setattr("pystream.engine.columns.group_part.folded_numbers", faulty)
    t = Types.ROW_NAMED(["k", "v"], [Types.STRING(), Types.LONG()])
    reduction = lift_reduce(lambda a, b: Row(k=a.k, v=a.v + b.v), t, in_order=True)
    assert isinstance(reduction, Reduction)
    batch = layout_of(t).encode([Row(k="a", v=number) for number in (1, 2, 3)])
    with pytest.raises(TypeError, match="a fault"):
        folded_columns(reduction, {}).add(ColumnValues(layout_of(t), batch), ["a"], np.zeros(3, np.int64))
