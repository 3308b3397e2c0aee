"""Queries over unbounded streams become operators where Spark cannot read their stream as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.elementwise import FLAT_MAP
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.kinds import PartitionKind, SourceColumns
from pystream.plan.function import UserFunction
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Chaining, ColumnsTarget, Node, NodeSettings, OperatorNode, SourceNode
from pystream.plan.query import InputColumn, Query, QueryInput, QueryOperator
from pystream.rules.queries_in_python import queries_in_python
from tests.unit.rules.plans import Program, identity
from typeinfo import Types
from typeinfo.info import TypeInformation

OPTIONS = PlanOptions(max_parallelism=128)
IN_PYTHON = QueryOperator(FLAT_MAP, UserFunction.of(identity, "sql_query"))


@dataclass
class Endless:
    is_bounded: bool = False
    columns: SourceColumns = field(default=SourceColumns.NONE)


class QueryingProgram(Program):
    """A program with unbounded sources and queries."""

    def source(self, type_info: TypeInformation[Any] = Types.LONG, **settings: Any) -> Node:
        return self.builder.add(
            SourceNode,
            type_info=type_info,
            settings=NodeSettings("Source", **{"parallelism": 2, **settings}),
            source=Endless(),
        )

    def query(
        self, before: Node, in_python: QueryOperator | None = IN_PYTHON, *, is_bounded: bool = False
    ) -> Node:
        query = Query(
            "SELECT n + 1 FROM {t0}",
            (QueryInput("t0", (InputColumn("n", 0),)),),
            {},
            is_ordered=False,
            is_bounded=is_bounded,
            combines_rows=False,
            in_python=in_python,
        )
        sink = self.sink(before, ColumnsTarget())
        return self.builder.add(
            SourceNode,
            inputs=(sink.id,),
            type_info=Types.LONG,
            settings=NodeSettings("Query", parallelism=2),
            source=query,
        )

    def ending(self, *queries: Node) -> Plan:
        return self.plan(*(self.sink(query) for query in queries))


def changed(plan: Plan, options: PlanOptions = OPTIONS) -> list[str]:
    """Return for each query the reason why it became an operator; an empty text for none."""
    after = queries_in_python(plan, options)
    found = []
    for node in plan.nodes:
        if isinstance(node, SourceNode) and isinstance(node.source, Query):
            now = after.by_id[node.id]
            if now == node:
                found.append("")
                assert node.inputs[0] in after.by_id
                continue
            assert isinstance(now, OperatorNode)
            (sink,) = node.inputs
            assert sink not in after.by_id
            assert now.inputs == plan.by_id[sink].inputs
            assert (now.kind, now.function) == (IN_PYTHON.kind, IN_PYTHON.function)
            assert (now.settings, now.type_info) == (node.settings, node.type_info)
            found.append(now.not_native)
    return found


def test_spark_computes_a_query_of_the_source() -> None:
    program = QueryingProgram()
    inner = program.query(program.map(program.source()))
    assert changed(program.ending(program.query(inner))) == ["", ""]


def test_python_computes_queries_of_one_stream() -> None:
    program = QueryingProgram()
    source = program.source()
    plan = program.ending(program.query(source), program.query(source))
    assert changed(plan) == ["other operators read its table, too"] * 2


def test_python_computes_a_query_of_a_stream_that_an_operator_reads_further_up() -> None:
    program = QueryingProgram()
    source = program.source()
    plan = program.plan(program.sink(program.query(program.map(source))), program.sink(source))
    assert changed(plan) == ["other operators read its table, too"]


def test_a_query_of_a_query_that_python_computes_follows_it() -> None:
    program = QueryingProgram()
    source = program.source()
    inner = program.query(source)
    plan = program.plan(program.sink(program.query(inner)), program.sink(source))
    assert changed(plan) == ["other operators read its table, too"] * 2


def test_a_query_that_python_cannot_compute_stays() -> None:
    program = QueryingProgram()
    source = program.source()
    assert changed(program.plan(program.sink(program.query(source, None)), program.sink(source))) == [""]


def apart(program: QueryingProgram) -> list[Node]:
    return [
        program.partition(program.source(), PartitionKind.REBALANCE),
        program.map(program.partition(program.source(), PartitionKind.HASH)),
        program.union(program.source(), program.source()),
        program.map(program.source(), parallelism=3),
        program.map(program.source(), chaining=Chaining.NEVER),
        program.map(program.source(), chaining=Chaining.HEAD),
    ]


@pytest.mark.parametrize("number", range(6))
def test_python_computes_a_query_of_elements_of_other_tasks(number: int) -> None:
    program = QueryingProgram()
    plan = program.ending(program.query(apart(program)[number]))
    (reason,) = changed(plan)
    assert reason == "its table comes from other tasks than those that read the source"


def test_without_chaining_python_computes_queries() -> None:
    program = QueryingProgram()
    plan = program.ending(program.query(program.source()))
    assert changed(plan, PlanOptions(max_parallelism=128, chaining=False)) != [""]


def test_python_computes_a_query_after_an_operator_with_state() -> None:
    program = QueryingProgram()
    stateful = program._operator(REDUCE, program.source(), Types.LONG, {})
    stateless = program._operator(ASYNC_WAIT, program.source(), Types.LONG, {})
    plan = program.ending(program.query(stateful), program.query(stateless))
    assert changed(plan) == ["its table comes from an operator that keeps state", ""]


def test_queries_of_bounded_streams_stay() -> None:
    program = QueryingProgram()
    source = Program.source(program)
    queries = [program.query(source, is_bounded=True) for _ in range(2)]
    assert changed(program.ending(*queries)) == ["", ""]
