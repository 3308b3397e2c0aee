"""Lifted flat maps have the results that they have in Python, validated by the declared type, or raise."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.engine.columns.flat_run import FlatRun
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.expressions.result_lists import has_result_kernels
from pystream.hosts.spark.expressions import castable, to_column
from pystream.lifting import Expression, NotLifted, lift_flat_map, result_list
from tests.property.flat_map_functions import DECLARED, flat_map_text
from tests.property.lifted_functions import FIELDS, ROW, random_row
from tests.property.test_lifting import failure_of, table_of
from tests.unit.lifting.model import Raised, compiled, evaluate
from typeinfo import Row, TypeInformation, Types
from typeinfo.extended import optional_of
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same


class Collecting:
    """A collector as in PyFlink: it gathers the elements that it is passed."""

    def __init__(self) -> None:
        self.collected: list[Any] = []

    def collect(self, value: Any) -> None:
        self.collected.append(value)


def results_of(function: Callable[..., Any], row: Row[Any], t: TypeInformation[Any]) -> list[Any]:
    """Return the results of a flat map, validated by a type as between operators."""
    if function.__code__.co_argcount == 2:
        collector = Collecting()
        function(row, collector)
        given = collector.collected
    else:
        given = list(function(row) or ())
    return serializer_for(t).conform(given)


def lifted_flat_map(seed: int, kind: str) -> tuple[str, Callable[..., Any], Expression | NotLifted]:
    text = flat_map_text(seed, kind)
    function = compiled(text, math=math, Row=Row)
    collects = function.__code__.co_argcount == 2
    return text, function, lift_flat_map(function, ROW, DECLARED[kind], collects=collects)


@pytest.mark.parametrize("kind", DECLARED)
def test_expressions_have_the_results_of_flat_maps(kind: str) -> None:
    t = DECLARED[kind]
    lifted = values = raised = 0
    for seed in range(250):
        text, function, expression = lifted_flat_map(seed, kind)
        if isinstance(expression, NotLifted):
            continue
        lifted += 1
        r = random.Random(seed)
        for _ in range(15):
            row: Row[Any] = Row(**random_row(r))
            try:
                found = evaluate(expression, [row])
            except Raised:
                raised += 1
                continue
            wanted = results_of(function, row, t)
            assert same(found, wanted), f"{text}{row}\nPython: {wanted!r}, lifted: {found!r}\n{expression}"
            values += len(wanted)
    assert lifted > 100, f"only {lifted} of 250 functions were lifted"
    assert values > 500, f"only {values} values were compared"
    assert raised > 50


ROWS = 25


@pytest.mark.spark
@pytest.mark.parametrize("kind", DECLARED)
def test_columns_have_the_results_of_flat_maps(spark: SparkSession, kind: str) -> None:
    t: Any = DECLARED[kind]
    r = random.Random(kind)
    rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(ROWS)]
    frame = table_of(spark, ROW, rows)
    inputs = [(ROW, [F.col(name) for name in FIELDS])]
    compared = []
    for seed in range(1000, 1025):
        text, function, expression = lifted_flat_map(seed, kind)
        if isinstance(expression, NotLifted) or expression.size > 250:
            continue
        held = [number for number, row in enumerate(rows) if failure_of(expression, row) is None]
        if held:
            compared.append((text, function, expression, held))
    assert len(compared) > 6
    columns = [
        F.when(F.col("number").isin(held), to_column(expression, inputs))
        .cast(castable(Types.LIST(t)))
        .alias(f"c{position}")
        for position, (_, _, expression, held) in enumerate(compared)
    ]
    found = frame.select("number", *columns).toArrow()
    lists = serializer_for(optional_of(Types.LIST(t)))
    for position, (text, function, _, held) in enumerate(compared):
        column = found.column(f"c{position}").combine_chunks()
        values = lists.from_batch(pa.record_batch({"value": column}))
        by_number = dict(zip(found.column("number").to_pylist(), values, strict=True))
        for number in held:
            wanted = results_of(function, rows[number], t)
            assert same(by_number[number], wanted), f"{text}{rows[number]}\n{by_number[number]!r}\n{wanted!r}"


@pytest.mark.parametrize("kind", DECLARED)
def test_kernels_have_the_results_of_flat_maps(kind: str) -> None:
    t: Any = DECLARED[kind]
    layout, to_batch = layout_of(ROW), serializer_for(ROW).to_batch
    compared = beyond = 0
    for seed in range(60):
        text, function, expression = lifted_flat_map(seed, kind)
        results = expression if isinstance(expression, NotLifted) else result_list(expression)
        if isinstance(results, NotLifted) or not has_result_kernels(results):
            continue
        flat_map = FlatRun(results, t)
        r = random.Random(seed)
        for count in (1, 3, 8):
            rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(count)]
            batch = layout.batch(to_batch(rows).columns)
            events: Any = flat_map.process(ColumnValues(layout, batch), list(range(count)))
            if events is None:
                beyond += 1
                continue
            found = [
                (value, time) for e in events for value, time in zip(e.values, e.timestamps, strict=True)
            ]
            wanted = [(value, at) for at, row in enumerate(rows) for value in results_of(function, row, t)]
            assert same(found, wanted), f"{text}{rows}\nPython: {wanted!r}, kernels: {found!r}"
            compared += len(wanted)
    assert compared > 50
    assert beyond > 0
