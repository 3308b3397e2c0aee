"""Undo of lifting after files, and in limited jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.engine.operators.elementwise import FILTER, MAP
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.windows.factory import WINDOW
from pystream.kinds import OperatorKind, PartitionKind, SourceColumns
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.native import NativeStep
from pystream.plan.nodes import CollectTarget, ColumnsTarget, Node, OperatorNode, PrintTarget, SourceNode
from pystream.rules.keep_in_python import keep_in_python
from tests.unit.rules.plans import Program

OPTIONS = PlanOptions(max_parallelism=128)
STEP = cast(NativeStep, "a step")  # the rule only tests for its presence


def kept(
    program: Program, *ends: Node, lifted: dict[int, OperatorKind], by_workers: bool = True
) -> list[int]:
    """Return the operators that the rule leaves native; the others must have the expected reason."""
    nodes = [
        replace(node, columns=SourceColumns.WORKERS if by_workers else SourceColumns.SPARK)
        if isinstance(node, SourceNode)
        else replace(node, native=STEP, kind=lifted[node.id])
        if isinstance(node, OperatorNode) and node.id in lifted
        else node
        for node in program.plan(*ends).nodes
    ]
    plan = keep_in_python(Plan(tuple(nodes)), OPTIONS)
    operators = [node for node in plan.nodes if isinstance(node, OperatorNode) and node.id in lifted]
    assert all(bool(node.native) != bool(node.not_native) for node in operators)
    reason = "fold or to_data_frame()" if by_workers else "a limited job waits for"
    assert all(reason in node.not_native for node in operators if node.native is None)
    return [node.id for node in operators if node.native is not None]


@pytest.mark.parametrize("target", [PrintTarget(""), CollectTarget(None)])
def test_operators_whose_results_return_to_python_are_not_native(target: Any) -> None:
    program = Program()
    one = program.map(program.source())
    two = program.map(one)
    lifted = {one.id: FILTER, two.id: MAP}
    assert kept(program, program.sink(two, target), lifted=lifted) == []


def test_operators_that_end_in_a_table_are_native() -> None:
    program = Program()
    one = program.map(program.source())
    two = program.map(one)
    lifted = {one.id: FILTER, two.id: MAP}
    assert kept(program, program.sink(two, ColumnsTarget()), lifted=lifted) == [one.id, two.id]


def test_operators_before_a_python_function_are_not_native() -> None:
    program = Program()
    one = program.map(program.source())
    python = program.map(one)
    lifted = {one.id: MAP}
    assert kept(program, program.sink(python, ColumnsTarget()), lifted=lifted) == []


def test_an_operator_with_a_table_and_another_sink_is_not_native() -> None:
    program = Program()
    one = program.map(program.source())
    ends = program.sink(one, ColumnsTarget()), program.sink(one)
    assert kept(program, *ends, lifted={one.id: MAP}) == []


@pytest.mark.parametrize("kind", [REDUCE, WINDOW])
def test_operators_around_a_fold_are_native(kind: OperatorKind) -> None:
    program = Program()
    before = program.map(program.source())
    fold = program.map(program.partition(before, PartitionKind.HASH))
    after = program.map(fold)
    lifted = {before.id: MAP, fold.id: kind, after.id: MAP}
    assert kept(program, program.sink(after), lifted=lifted) == [before.id, fold.id, after.id]


def test_operators_on_a_source_that_spark_reads_stay_native() -> None:
    program = Program()
    one = program.map(program.source())
    lifted = {one.id: MAP}
    assert kept(program, program.sink(one), lifted=lifted, by_workers=False) == [one.id]


def test_a_filter_before_a_python_filter_is_not_native_in_a_limited_job() -> None:
    program = Program()
    one = program.map(program.source())
    two = program.map(one)
    three = program.map(two)
    python = program.flat_map(three)
    lifted = {one.id: MAP, two.id: FILTER, three.id: MAP}
    for limit, expected in ((3, [one.id]), (None, [one.id, two.id, three.id])):
        end = program.sink(python, CollectTarget(limit))
        assert kept(program, end, lifted=lifted, by_workers=False) == expected


def test_a_filter_is_native_in_a_limited_job_that_the_engine_can_limit() -> None:
    program = Program()
    one = program.map(program.source())
    python = program.map(one)
    end = program.sink(python, CollectTarget(3))
    assert kept(program, end, lifted={one.id: FILTER}, by_workers=False) == [one.id]


def test_a_filter_before_an_exchange_is_native_in_a_limited_job() -> None:
    program = Program()
    one = program.map(program.source())
    python = program.flat_map(program.partition(one, PartitionKind.HASH))
    end = program.sink(python, CollectTarget(3))
    assert kept(program, end, lifted={one.id: FILTER}, by_workers=False) == [one.id]


@pytest.mark.parametrize("columns", SourceColumns)
def test_only_tables_of_spark_are_kept_in_unbounded_jobs(columns: SourceColumns) -> None:
    program = Program()
    source = program.source()
    end = program.sink(program.map(source), CollectTarget(5))
    unbounded = NumberSequence(0, 1, is_bounded=False)
    nodes = [
        replace(node, columns=columns, source=unbounded)
        if isinstance(node, SourceNode)
        else replace(node, native=STEP)
        if isinstance(node, OperatorNode)
        else node
        for node in program.plan(end).nodes
    ]
    (operator,) = (
        node for node in keep_in_python(Plan(tuple(nodes)), OPTIONS).nodes if isinstance(node, OperatorNode)
    )
    assert bool(operator.native) == (columns is SourceColumns.SPARK)
