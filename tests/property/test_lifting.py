"""Lifted functions return what Python does, or raise: random functions on random values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.expressions.expression import Operation
from pystream.expressions.kernels import Kernels, NotComputedError, has_kernels, is_computed
from pystream.hosts.spark.expressions import castable, to_column
from pystream.lifting import Expression, NotLifted, lift, nullable_type
from tests.property.lifted_functions import FIELDS, ROW, function_of, random_row
from tests.unit.lifting.model import Raised, evaluate
from typeinfo import Row, TypeInformation, Types
from typeinfo.composite import RowTypeInfo
from typeinfo.extended import optional_of
from typeinfo.formats.arrow import spark_layout, to_arrow_schema
from typeinfo.formats.spark import to_spark_schema
from typeinfo.row import make_row
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import codec_for
from typeinfo.testing.sameness import same


def outcome(function: Callable[[Any], Any], row: Row[Any]) -> tuple[Any, ...]:
    try:
        return ("value", function(row))
    except Exception as error:  # noqa: BLE001 - whatever Python raises
        return ("raised", error)


@pytest.mark.parametrize("part", range(8))
def test_expressions_have_the_results_of_functions(part: int) -> None:
    lifted = values = 0
    for seed in range(part * 400, part * 400 + 400):
        text, function = function_of(seed)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        lifted += 1
        r = random.Random(seed)
        for _ in range(20):
            fields = random_row(r)
            row: Row[Any] = Row(**fields)
            kind, wanted = outcome(function, row)
            try:
                found = evaluate(expression, [row])
            except Raised:
                continue
            assert kind == "value", f"{text}{fields}\nPython: {wanted!r}, lifted: {found!r}\n{expression}"
            assert same(found, wanted), f"{text}{fields}\nPython: {wanted!r}, lifted: {found!r}\n{expression}"
            values += 1
    assert lifted > 200, f"only {lifted} of 400 functions were lifted"
    assert values > 1500, f"only {values} values were compared"


def over_columns(expression: Expression, rows: list[Row[Any]]) -> list[Any]:
    """Return the values of an expression for all rows, computed by kernels.

    Raises:
        NotComputedError: it has none for one of them, or kernels do not compute it.
    """
    columns = serializer_for(ROW).to_batch(rows).columns
    codec = codec_for(nullable_type(expression))
    return codec.decode(Kernels(columns.__getitem__, len(rows)).column(expression, codec.arrow))


@pytest.mark.parametrize("part", range(4))
def test_kernels_have_the_results_of_python_text_or_none(part: int) -> None:
    used: set[Operation] = set()
    computed = 0
    for seed in range(part * 500, part * 500 + 500):
        text, function = function_of(seed)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        for node in nodes_of(expression):
            assert node.op.fits(node), f"{text}{node}"
        if not is_computed(expression.type) or not has_kernels(expression):
            continue
        r = random.Random(seed)
        rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(12)]
        failing = [row for row in rows if failure_of(expression, row) is not None]
        for row in failing[:2]:
            with pytest.raises(NotComputedError):
                pytest.fail(f"{text}{row}\n{over_columns(expression, [row])!r}, not an error\n{expression}")
        held = [row for row in rows if row not in failing]
        try:
            found = over_columns(expression, held)
        except NotComputedError:
            continue
        for row, value in zip(held, found, strict=True):
            wanted = evaluate(expression, [row])
            assert same(value, wanted), f"{text}{row}\n{value!r}, not {wanted!r}\n{expression}"
            computed += 1
        used.update(node.op for node in nodes_of(expression))
    assert computed > 1500, f"only {computed} values were compared"
    assert len(used) > 40, f"only {sorted(op.name for op in used)} were used"


def nodes_of(expression: Expression) -> Iterator[Expression]:
    yield expression
    for part in expression.parts:
        yield from nodes_of(part)


ROWS = 25
"""Rows that each group of functions is computed for, in one job."""


@pytest.mark.spark
@pytest.mark.parametrize("group", range(4))
def test_columns_have_the_results_of_functions(spark: SparkSession, group: int) -> None:
    r = random.Random(group)
    rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(ROWS)]
    frame = table_of(spark, ROW, rows)
    inputs = [(ROW, [F.col(name) for name in FIELDS])]
    columns: list[Any] = []
    functions = []
    for seed in range(group * 40, group * 40 + 40):
        text, function = function_of(seed)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        held = [number for number, row in enumerate(rows) if failure_of(expression, row) is None]
        if held and expression.size < 300:
            value = F.when(F.col("number").isin(held), to_column(expression, inputs))
            nullable = value.cast(
                castable(expression.type)
            )  # which the fields of a struct are not by themselves
            columns.append(nullable.alias(f"c{len(columns)}"))
            functions.append((text, function, expression, held))
    assert len(columns) > 15
    found = frame.select("number", *columns).toArrow()
    for position, (text, function, expression, held) in enumerate(functions):
        t = optional_of(nullable_type(expression))
        values = serializer_for(t).from_batch(
            pa.record_batch({"value": found.column(f"c{position}").combine_chunks()})
        )
        by_number = dict(zip(found.column("number").to_pylist(), values, strict=True))
        for number in held:
            wanted = function(rows[number])
            assert same(by_number[number], wanted), (
                f"{text}{rows[number]}\n{by_number[number]!r}, not {wanted!r}"
            )


@pytest.mark.spark
def test_columns_raise_where_guards_fail(spark: SparkSession) -> None:
    r = random.Random(0)
    rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(ROWS)]
    failing: dict[str, tuple[str, Expression, int]] = {}  # one example of each reason
    for seed in range(160):
        text, function = function_of(seed)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        for number, row in enumerate(rows):
            failure = failure_of(expression, row)
            if failure is not None:
                failing.setdefault(failure, (text, expression, number))
    assert len(failing) > 8
    frame = table_of(spark, ROW, rows)
    inputs = [(ROW, [F.col(name) for name in FIELDS])]
    for text, expression, number in failing.values():
        one = frame.where(F.col("number") == number).select(to_column(expression, inputs).alias("value"))
        with pytest.raises(PySparkException):
            pytest.fail(f"{text}{rows[number]}\nhas the value {one.collect()}, where a guard fails")


def failure_of(expression: Expression, row: Row[Any]) -> str | None:
    """Return why an expression raises for a row, ``None`` if it has a value."""
    try:
        evaluate(expression, [row])
    except Raised as error:
        return str(error)
    return None


def table_of(spark: SparkSession, t: TypeInformation[Any], values: list[Any]) -> DataFrame:
    """Return a table of values, with their numbers in a column of their own."""
    batch = serializer_for(t).to_batch(values)
    layout = spark_layout(to_arrow_schema(t))
    table = pa.Table.from_batches([batch.cast(layout)]).append_column("number", pa.array(range(len(values))))
    schema = to_spark_schema(t).add("number", "long")
    # Spark compiles the plan as in real programs, unless it is a local relation.
    return spark.createDataFrame(table, schema).coalesce(1)


DECLARED: dict[type, list[TypeInformation[Any]]] = {
    int: [
        Types.LONG(),
        Types.INT(),
        Types.SHORT(),
        Types.BYTE(),
        Types.DOUBLE(),
        Types.FLOAT(),
        Types.BOOLEAN(),
    ],
    bool: [Types.BOOLEAN(), Types.LONG()],
    float: [Types.DOUBLE(), Types.FLOAT(), Types.LONG()],
    str: [Types.STRING(), Types.LONG()],
    list: [Types.LIST(Types.LONG()), Types.BASIC_ARRAY(Types.INT()), Types.LIST(Types.STRING())],
    tuple: [
        Types.TUPLE([Types.LONG(), Types.LONG()]),
        Types.ROW([Types.DOUBLE(), Types.STRING()]),
        Types.ROW_NAMED(["p", "q"], [Types.INT(), Types.FLOAT()]),
    ],
    Row: [
        Types.ROW_NAMED(["b", "a"], [Types.LONG(), Types.LONG()]),
        Types.ROW([Types.LONG(), Types.STRING()]),
        Types.TUPLE([Types.DOUBLE(), Types.LONG()]),
    ],
}


def test_results_are_converted_to_declared_types_as_by_serializers() -> None:
    compared = raised = 0
    for seed in range(4000, 4400):
        text, function = function_of(seed)
        r = random.Random(seed)
        rows: list[Row[Any]] = [Row(**random_row(r)) for _ in range(12)]
        wanted = [outcome(function, row) for row in rows]
        for declared in {
            t for kind, value in wanted if kind == "value" for t in DECLARED.get(type(value), ())
        }:
            for t in (declared, optional_of(declared)):
                held = lift(function, [ROW], t)
                if isinstance(held, NotLifted):
                    continue
                for row, (kind, value) in zip(rows, wanted, strict=True):
                    try:
                        found = evaluate(held, [row])
                    except Raised:
                        raised += 1
                        continue
                    assert kind == "value", f"{text}{row}: {found!r} as {t}"
                    (conform,) = serializer_for(t).conform([value])
                    assert same(_named(found, declared), conform), (
                        f"{text}{row}: {found!r}, not {conform!r} as {t}"
                    )
                    compared += 1
    assert compared > 1300
    assert raised > 170


def _named(value: Any, t: TypeInformation[Any]) -> Any:
    """Return a row with the names of its type, as reading a column makes it."""
    return (
        make_row(value, t.get_field_names())
        if isinstance(value, Row) and isinstance(t, RowTypeInfo)
        else value
    )
