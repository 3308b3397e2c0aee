"""A function called once per batch has the same results as when it is called once per element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP
from pystream.rules.choose_paths import is_pickled
from tests.unit.engine.tasks import collect, operator, run
from tests.unit.engine.vectorised.functions import columns, vectorised
from typeinfo import Types
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import batches, type_infos

LONG, DOUBLE, STRING, BOOLEAN = Types.LONG(), Types.DOUBLE(), Types.STRING(), Types.BOOLEAN()
MAYBE_LONG, MAYBE_DOUBLE = Types.of(int | None), Types.of(float | None)
MAYBE_STRING = Types.of(str | None)
POINT = Types.ROW_NAMED(["x", "y"], [DOUBLE, DOUBLE])
PLACE = Types.ROW_NAMED(
    ["point", "tags", "scores"], [POINT, Types.LIST(STRING), Types.MAP(STRING, Types.LIST(LONG))]
)
PAIR = Types.ROW_NAMED(["number", "text"], [LONG, STRING])


def same_series(batch: pd.Series) -> pd.Series:
    return batch


def same_frame(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


def same_array(batch: pa.Array) -> pa.Array:
    return batch


def same_batch(rows: pa.RecordBatch) -> pa.RecordBatch:
    return rows


def fitting(t: TypeInformation[Any]) -> bool:
    return not is_pickled(t) and not (isinstance(t, FieldsTypeInfo) and not t.field_types)


def cut(elements: list[Any], at: list[int]) -> list[list[Any]]:
    places = sorted({place % (len(elements) + 1) for place in at} | {0, len(elements)})
    return [elements[a:b] for a, b in pairwise(places)]


def results(
    spec: Any, parts: list[list[Any]], takes: TypeInformation[Any], gives: TypeInformation[Any], table: bool
) -> list[Any]:
    arriving: list[Any] = [columns(takes, part) if table else part for part in parts]
    return run((spec,), arriving, gives, takes).get(0, [])


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data(), type_infos().filter(fitting), st.booleans(), st.booleans(), st.booleans())
def test_no_form_changes_a_value(
    data: st.DataObject, t: TypeInformation[Any], pandas: bool, table: bool, flat: bool
) -> None:
    elements = data.draw(batches(t, max_size=8))
    serializer = serializer_for(t)
    expected = serializer.from_batch(serializer.to_batch(elements))  # which does without the kinds of rows
    if has_columns(t):
        function: Any = same_frame if pandas else same_batch
    else:
        function = same_series if pandas else same_array
    spec = vectorised(FLAT_MAP if flat else MAP, function, t, t, collect(0, t))
    parts = cut(elements, data.draw(st.lists(st.integers(0, 8), max_size=3)))
    got = results(spec, parts, t, t, table)
    assert len(got) == len(expected)
    assert all(map(same, got, expected))


def series_of(body: Callable[[Any], Any], batch: pd.Series) -> pd.Series:
    result: pd.Series = body(batch)
    return result


def array_of(body: Callable[[Any], Any], batch: pa.Array) -> pa.Array:
    result: pa.Array = body(batch)
    return result


def frame_of(body: Callable[[Any], Any], rows: pd.DataFrame) -> Any:
    return body(rows)


def batch_of(body: Callable[[Any], Any], rows: pa.RecordBatch) -> Any:
    return body(rows)


def turned(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Exchange the coordinates; nulls of the whole stay."""
    point: Any = rows.column("point")
    fields = [point.field("y"), point.field("x")]
    other = pa.StructArray.from_arrays(fields, ["x", "y"], mask=point.is_null())
    return pa.RecordBatch.from_arrays([other, *rows.columns[1:]], rows.schema.names)


def small(t: TypeInformation[Any]) -> st.SearchStrategy[Any]:
    return st.none() | st.integers(-(2**60), 2**60) if t == MAYBE_LONG else st.integers(-(2**60), 2**60)


FLOATS = st.floats(width=64)
PLACES = st.tuples(
    st.none() | st.tuples(FLOATS, st.none() | FLOATS),
    st.none() | st.lists(st.text(max_size=2), max_size=3),
    st.none()
    | st.dictionaries(st.text(max_size=2), st.none() | st.lists(small(LONG), max_size=2), max_size=3),
)
BODIES: dict[str, tuple[Any, ...]] = {
    # kind, elements, their type, result type, called once per element, called once per batch
    "integers": (MAP, small(LONG), LONG, LONG, lambda v: v * 2 + 1, partial(series_of, lambda s: s * 2 + 1)),
    "integers beside nulls": (
        MAP,
        small(MAYBE_LONG),
        MAYBE_LONG,
        MAYBE_LONG,
        lambda v: None if v is None else v // 3 - 1,
        partial(series_of, lambda s: s // 3 - 1),
    ),
    "integers in Arrow": (
        MAP,
        small(MAYBE_LONG),
        MAYBE_LONG,
        MAYBE_LONG,
        lambda v: None if v is None else v + 1,
        partial(array_of, lambda a: pc.add(a, 1)),
    ),
    "floats": (MAP, FLOATS, DOUBLE, DOUBLE, lambda v: v * 0.5, partial(series_of, lambda s: s * 0.5)),
    "NaN is no null": (
        MAP,
        st.none() | FLOATS,
        MAYBE_DOUBLE,
        MAYBE_DOUBLE,
        lambda v: None if v is None else v + 1.0,
        partial(series_of, lambda s: s + 1.0),
    ),
    "nulls found": (
        MAP,
        st.none() | FLOATS,
        MAYBE_DOUBLE,
        BOOLEAN,
        lambda v: v is None,
        partial(array_of, lambda a: pc.is_null(a)),
    ),
    "text": (
        MAP,
        st.none() | st.text(st.characters(codec="ascii"), max_size=4),
        MAYBE_STRING,
        MAYBE_LONG,
        lambda v: None if v is None else len(v),
        partial(series_of, lambda s: s.str.len()),
    ),
    "a filter": (
        FILTER,
        small(LONG),
        LONG,
        LONG,
        lambda v: v % 3 == 0,
        partial(series_of, lambda s: s % 3 == 0),
    ),
    "a filter of rows": (
        FILTER,
        st.tuples(st.integers(-5, 5), st.text(max_size=2)),
        PAIR,
        PAIR,
        lambda row: row.number > 0,
        partial(frame_of, lambda rows: rows.number > 0),
    ),
    "rows in rows": (
        MAP,
        PLACES,
        PLACE,
        PLACE,
        lambda v: (None if v[0] is None else (v[0].y, v[0].x), v.tags, v.scores),
        partial(batch_of, turned),
    ),
    "lists in maps": (
        FLAT_MAP,
        PLACES,
        PLACE,
        Types.of(dict[str, list[int] | None] | None),
        lambda v: [v.scores, v.scores],
        partial(
            batch_of,
            lambda rows: rows.column("scores").take(pc.divide(pa.array(range(2 * rows.num_rows)), 2)),
        ),
    ),
    "a filter of lists": (
        FILTER,
        PLACES,
        PLACE,
        PLACE,
        lambda v: v.tags is not None and len(v.tags) > 1,
        partial(
            batch_of,
            lambda rows: pc.greater(pc.list_value_length(rows.column("tags")).fill_null(0), 1),
        ),
    ),
    "repetition": (
        FLAT_MAP,
        st.integers(0, 4),
        LONG,
        LONG,
        lambda v: [v] * v,
        partial(series_of, lambda s: s.repeat(s)),
    ),
}


@pytest.mark.parametrize("name", BODIES)
@given(st.data(), st.booleans())
def test_a_body_has_the_same_results_per_batch_and_per_element(
    name: str, data: st.DataObject, table: bool
) -> None:
    kind, strategy, takes, gives, each, batch = BODIES[name]
    elements = serializer_for(takes).conform(data.draw(st.lists(strategy, max_size=12)))
    parts = cut(elements, data.draw(st.lists(st.integers(0, 12), max_size=3)))
    once_an_element = operator(kind, each, collect(0, gives), output_type=gives)
    once_a_batch = vectorised(kind, batch, takes, gives, collect(0, gives))
    expected = results(once_an_element, parts, takes, gives, table)
    got = results(once_a_batch, parts, takes, gives, table)
    assert len(got) == len(expected)
    assert all(map(same, got, expected)), (got, expected)
