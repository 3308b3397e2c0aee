"""Empty caches in a plan: a sink fills each, in the task that computes its elements."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.hosts.lowering import lower
from pystream.kinds import PartitionKind
from pystream.plan.cache import Cache
from pystream.plan.graph import PlanOptions
from pystream.plan.nodes import (
    CacheNode,
    CacheTarget,
    Chaining,
    CollectTarget,
    ColumnsTarget,
    Node,
    NodeSettings,
    SourceNode,
)
from pystream.rules import RULES, optimize
from pystream.rules.fill_caches import fill_caches
from tests.unit.rules.plans import Program, edges

OPTIONS = PlanOptions(max_parallelism=128)


class Kept:
    channels = 3
    batch = False

    def are_there(self) -> bool:
        return True

    def source(self) -> str:
        return "the files"


class CachingProgram(Program):
    def cache(self, before: Node) -> CacheNode:
        return self.builder.add(
            CacheNode,
            inputs=(before.id,),
            type_info=before.type_info,
            settings=NodeSettings("Cache", parallelism=2),
            cache=Cache(),
        )

    def after(self, before: Node) -> Node:
        node = self.map(before)
        self.builder.set(node.id, name="After")
        return node


def test_a_sink_fills_an_empty_cache_and_readers_use_its_input() -> None:
    program = CachingProgram()
    cache = program.cache(program.map(program.source()))
    plan = fill_caches(program.plan(program.sink(program.after(cache))), OPTIONS)
    assert edges(plan) == {
        ("SOURCE", "MAP"),
        ("MAP", "CACHE (EMPTY)"),
        ("MAP", "AFTER"),
        ("AFTER", "SINK"),
    }
    (sink,) = (node for node in plan.sinks if isinstance(node.target, CacheTarget))
    assert sink.target == CacheTarget(cache.cache, 0)
    assert fill_caches(plan, OPTIONS) == plan


@pytest.mark.parametrize("target", [CollectTarget(3), ColumnsTarget()])
def test_a_program_that_may_not_read_all_elements_fills_none(target: Any) -> None:
    program = CachingProgram()
    plan = fill_caches(program.plan(program.sink(program.cache(program.source()), target)), OPTIONS)
    assert edges(plan) == {("SOURCE", "SINK")}


def test_a_program_that_collects_everything_fills_it() -> None:
    program = CachingProgram()
    sink = program.sink(program.cache(program.source()), CollectTarget(None))
    plan = fill_caches(program.plan(sink), OPTIONS)
    assert edges(plan) == {("SOURCE", "SINK"), ("SOURCE", "CACHE (EMPTY)")}


@pytest.mark.parametrize("chaining", Chaining)
@pytest.mark.parametrize("of_side_output", [False, True])
@pytest.mark.parametrize("partitioned", [False, True])
def test_it_is_filled_in_the_task_that_computes_it(
    chaining: Chaining, of_side_output: bool, partitioned: bool
) -> None:
    program = CachingProgram()
    operator = program.map(program.source(parallelism=1), chaining=chaining, parallelism=3)
    cache = program.cache(program.side_output(operator) if of_side_output else operator)
    after = program.partition(cache, PartitionKind.REBALANCE) if partitioned else cache
    plan = optimize(program.plan(program.sink(program.map(after))), OPTIONS, RULES)
    assert plan.by_id[cache.id].chain == plan.by_id[operator.id].chain
    filling = [stage for stage in lower(plan, batch=False) if stage.caches]
    assert [(stage.chain, stage.task.parallelism) for stage in filling] == [(operator.id, 3)]
    ((number, node),) = filling[0].caches
    assert node == plan.by_id[cache.id]
    assert number not in filling[0].outputs


def test_a_filled_cache_becomes_a_source() -> None:
    program = CachingProgram()
    cache = program.cache(program.map(program.source()))
    sink = program.sink(program.after(cache))
    cache.cache.fill(Kept(), 0)
    plan, cached = program.builder.program([sink.id], batch=False)
    assert edges(plan) == {("CACHE (FILLED)", "AFTER"), ("AFTER", "SINK")}
    source = plan.by_id[cache.id]
    assert isinstance(source, SourceNode)
    assert (source.source, source.settings.parallelism) == ("the files", 3)
    assert len(cached) == 1
    assert program.builder.program([sink.id], batch=True).plan == program.plan(sink)


def test_caches_that_a_plan_does_not_read_are_not_referenced() -> None:
    program = CachingProgram()
    cache = program.cache(program.source())
    cache.cache.fill(Kept(), 0)
    later = program.cache(program.map(cache))
    later.cache.fill(Kept(), 0)
    aside = program.sink(program.source())
    assert program.builder.program([aside.id], batch=False).cached == ()
    plan, cached = program.builder.program([program.sink(later).id], batch=False)
    assert cache.id not in plan.by_id
    assert len(cached) == 1


def test_consecutive_caches_are_all_filled() -> None:
    program = CachingProgram()
    first = program.cache(program.source())
    second = program.cache(program.map(first))
    plan = fill_caches(program.plan(program.sink(second)), OPTIONS)
    targets = [sink.target for sink in plan.sinks]
    assert targets[:2] == [CacheTarget(first.cache, 0), CacheTarget(second.cache, 0)]
    assert edges(plan) == {
        ("SOURCE", "CACHE (EMPTY)"),
        ("SOURCE", "MAP"),
        ("MAP", "CACHE (EMPTY)"),
        ("MAP", "SINK"),
    }
