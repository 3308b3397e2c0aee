"""Rules one by one, on small plans, and the properties of all rules."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pystream.rules
from pystream.errors import PlanError
from pystream.kinds import PartitionKind
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    Chaining,
    CollectTarget,
    ColumnsTarget,
    Node,
    OperatorNode,
    PartitionNode,
    SourceNode,
    UnionNode,
    UnknownType,
)
from pystream.rules import RULES, optimize
from pystream.rules.assign_chains import assign_chains
from pystream.rules.choose_paths import choose_paths
from pystream.rules.divide_sources import divide_sources
from pystream.rules.make_partitions_explicit import make_partitions_explicit
from pystream.rules.resolve_settings import resolve_settings
from tests.unit.rules.plans import Program, edges
from typeinfo import Types

OPTIONS = PlanOptions(max_parallelism=128)


def resolved(program: Program, *ends: Node) -> Plan:
    return make_partitions_explicit(resolve_settings(program.plan(*ends), OPTIONS), OPTIONS)


def chains(plan: Plan) -> list[list[str]]:
    found: dict[int | None, list[str]] = {}
    for node in plan.nodes:
        if not isinstance(node, PartitionNode):
            found.setdefault(node.chain, []).append(node.settings.name)
    return list(found.values())


def test_each_module_is_a_rule() -> None:
    modules = {module.name for module in pkgutil.iter_modules(pystream.rules.__path__)}
    assert modules == {rule.__name__ for rule in RULES}


class TestResolveSettings:
    def test_a_node_without_a_max_parallelism_gets_the_default(self) -> None:
        program = Program()
        plan = resolve_settings(program.plan(program.source(), program.source(max_parallelism=5)), OPTIONS)
        assert [node.settings.parallelism for node in plan.nodes] == [2, 2]
        assert [node.settings.max_parallelism for node in plan.nodes] == [128, 5]

    @pytest.mark.parametrize("field", ["uid", "uid_hash"])
    def test_an_id_used_twice_is_refused_with_both_places(self, field: str) -> None:
        program = Program()
        first = program.source(**{field: "same"}, call_site="app.py:1")
        second = program.source(**{field: "same"}, call_site="app.py:2")
        with pytest.raises(PlanError, match=r"'same'.*app\.py:1.*app\.py:2"):
            resolve_settings(program.plan(first, second), OPTIONS)

    def test_a_given_uid_equal_to_a_derived_one_is_refused(self) -> None:
        program = Program()
        with pytest.raises(PlanError, match="source-2"):
            resolve_settings(program.plan(program.source(uid="source-2"), program.source()), OPTIONS)

    def test_a_parallelism_above_its_maximum_is_refused(self) -> None:
        program = Program()
        with pytest.raises(PlanError, match=r"parallelism 9.*maximum 4.*set_max_parallelism\(9\)"):
            resolve_settings(program.plan(program.source(parallelism=9, max_parallelism=4)), OPTIONS)


class TestMakePartitionsExplicit:
    def test_equal_parallelism_is_one_to_one(self) -> None:
        program = Program()
        plan = resolved(program, program.map(program.source()))
        assert edges(plan) == {("SOURCE", "MAP")}

    def test_a_change_of_parallelism_rebalances(self) -> None:
        program = Program()
        plan = resolved(program, program.map(program.source(parallelism=1)))
        assert edges(plan) == {("SOURCE", "REBALANCE"), ("REBALANCE", "MAP")}

    def test_a_chosen_partitioning_stays_whatever_the_parallelism(self) -> None:
        program = Program()
        broadcast = program.partition(program.source(), PartitionKind.BROADCAST)
        assert edges(resolved(program, program.map(broadcast))) == {
            ("SOURCE", "BROADCAST"),
            ("BROADCAST", "MAP"),
        }

    def test_the_last_of_several_partitionings_counts(self) -> None:
        program = Program()
        twice = program.partition(
            program.partition(program.source(), PartitionKind.BROADCAST), PartitionKind.GLOBAL
        )
        assert edges(resolved(program, program.map(twice))) == {("SOURCE", "GLOBAL"), ("GLOBAL", "MAP")}

    def test_a_union_becomes_several_inputs(self) -> None:
        program = Program()
        source, other = program.source(), program.source(parallelism=1)
        nested = program.union(program.union(source, other), source)
        plan = resolved(program, program.map(nested))
        (target,) = (node for node in plan.nodes if isinstance(node, OperatorNode))
        kinds = [plan.by_id[id].kind for id in target.inputs if isinstance(plan.by_id[id], PartitionNode)]
        assert kinds == [PartitionKind.FORWARD, PartitionKind.REBALANCE, PartitionKind.FORWARD]
        assert [plan.by_id[id].inputs for id in target.inputs] == [(source.id,), (other.id,), (source.id,)]

    def test_a_partitioning_after_a_union_holds_for_each_input(self) -> None:
        program = Program()
        union = program.union(program.source(), program.source())
        plan = resolved(program, program.map(program.partition(union, PartitionKind.SHUFFLE)))
        kinds = [node.kind for node in plan.nodes if isinstance(node, PartitionNode)]
        assert kinds == [PartitionKind.SHUFFLE, PartitionKind.SHUFFLE]

    @pytest.mark.parametrize("target", [CollectTarget(None), ColumnsTarget()])
    def test_broadcast_elements_are_collected_from_one_subtask(self, target: Any) -> None:
        program = Program()
        one, other = program.source(), program.source()
        copied = program.union(program.partition(one, PartitionKind.BROADCAST), other)
        plan = resolved(program, program.sink(copied, target=target))
        assert [sink.settings.parallelism for sink in plan.sinks] == [1]
        assert edges(plan) == {
            ("SOURCE", "BROADCAST"),
            ("SOURCE", "REBALANCE"),
            ("BROADCAST", "SINK"),
            ("REBALANCE", "SINK"),
        }

    def test_elements_rebalanced_after_a_broadcast_are_collected_from_all_subtasks(self) -> None:
        program = Program()
        broadcast = program.partition(program.source(), PartitionKind.BROADCAST)
        dealt_out = program.partition(broadcast, PartitionKind.REBALANCE)
        plan = resolved(program, program.sink(dealt_out, target=CollectTarget(None)))
        assert [sink.settings.parallelism for sink in plan.sinks] == [2]

    def test_an_external_sink_receives_broadcast_elements_in_every_subtask(self) -> None:
        program = Program()
        broadcast = program.partition(program.source(), PartitionKind.BROADCAST)
        plan = resolved(program, program.sink(broadcast))
        assert [sink.settings.parallelism for sink in plan.sinks] == [2]

    def test_forward_to_another_parallelism_is_refused(self) -> None:
        program = Program()
        forward = program.partition(program.source(), PartitionKind.FORWARD)
        with pytest.raises(PlanError, match=r"forward\(\).*parallelism 2.*parallelism 3.*rebalance\(\)"):
            resolved(program, program.map(forward, parallelism=3))


class TestDivideSources:
    def divided(self, program: Program, *ends: Node) -> Plan:
        return divide_sources(resolved(program, *ends), OPTIONS)

    def test_a_divisible_source_takes_the_parallelism_of_its_only_consumer(self) -> None:
        program = Program()
        plan = self.divided(program, program.map(program.source(parallelism=1, divisible=True)))
        assert edges(plan) == {("SOURCE", "MAP")}
        assert plan.nodes[0].settings.parallelism == 2

    def test_an_indivisible_source_stays(self) -> None:
        program = Program()
        plan = self.divided(program, program.map(program.source(parallelism=1)))
        assert ("SOURCE", "REBALANCE") in edges(plan)

    def test_a_source_with_two_consumers_stays(self) -> None:
        program = Program()
        source = program.source(parallelism=1, divisible=True)
        plan = self.divided(program, program.map(source), program.map(source))
        assert plan.nodes[0].settings.parallelism == 1

    def test_a_source_in_a_union_stays(self) -> None:
        program = Program()
        union = program.union(program.source(parallelism=1, divisible=True), program.source())
        plan = self.divided(program, program.map(union))
        assert plan.nodes[0].settings.parallelism == 1

    def test_another_partitioning_stays(self) -> None:
        program = Program()
        source = program.source(parallelism=1, divisible=True)
        plan = self.divided(program, program.map(program.partition(source, PartitionKind.BROADCAST)))
        assert ("SOURCE", "BROADCAST") in edges(plan)


class TestAssignChains:
    def chained(self, program: Program, *ends: Node, chaining: bool = True) -> Plan:
        return assign_chains(resolved(program, *ends), replace(OPTIONS, chaining=chaining))

    def test_neighbours_of_one_parallelism_share_a_task(self) -> None:
        program = Program()
        assert chains(self.chained(program, program.sink(program.map(program.source())))) == [
            ["Source", "Map", "Sink"]
        ]

    def test_a_partitioning_ends_a_chain(self) -> None:
        program = Program()
        plan = self.chained(program, program.sink(program.map(program.source(parallelism=1))))
        assert chains(plan) == [["Source"], ["Map", "Sink"]]

    def test_disable_chaining_cuts_on_both_sides(self) -> None:
        program = Program()
        alone = program.map(program.source(), chaining=Chaining.NEVER)
        assert chains(self.chained(program, program.sink(alone))) == [["Source"], ["Map"], ["Sink"]]

    def test_start_new_chain_cuts_before_only(self) -> None:
        program = Program()
        head = program.map(program.source(), chaining=Chaining.HEAD)
        assert chains(self.chained(program, program.sink(head))) == [["Source"], ["Map", "Sink"]]

    def test_without_chaining_each_operator_is_a_task(self) -> None:
        program = Program()
        plan = self.chained(program, program.sink(program.map(program.source())), chaining=False)
        assert chains(plan) == [["Source"], ["Map"], ["Sink"]]

    def test_all_consumers_of_a_node_join_its_chain(self) -> None:
        program = Program()
        source = program.source()
        plan = self.chained(program, program.sink(source), program.map(source))
        assert chains(plan) == [["Source", "Sink", "Map"]]


class TestChoosePaths:
    def test_known_types_are_typed(self) -> None:
        program = Program()
        plan = choose_paths(resolved(program, program.map(program.source())), OPTIONS)
        assert [node.choice.path for node in plan.nodes if node.choice] == ["typed", "typed"]

    def test_an_operator_without_a_type_is_pickled_and_says_why(self) -> None:
        program = Program()
        end = program.map(program.source(), Types.PICKLED_BYTE_ARRAY)
        program.builder.set_type(end.id, Types.PICKLED_BYTE_ARRAY, UnknownType("no output_type"))
        choice = choose_paths(resolved(program, end), OPTIONS).nodes[-1].choice
        assert choice is not None
        assert choice.path == "pickled"
        assert "no output_type" in choice.why_not_faster

    def test_a_pickled_part_makes_the_whole_pickled(self) -> None:
        program = Program()
        end = program.map(program.source(), Types.TUPLE(Types.LONG, Types.PICKLED_BYTE_ARRAY))
        choice = choose_paths(resolved(program, end), OPTIONS).nodes[-1].choice
        assert choice is not None
        assert choice.path == "pickled"

    def test_strict_types_refuse_pickled_operators_by_name(self) -> None:
        program = Program()
        end = program.map(program.source(), Types.PICKLED_BYTE_ARRAY, call_site="app.py:7")
        with pytest.raises(PlanError, match=r"strict-types.*\n.*'Map' \(app\.py:7\)"):
            choose_paths(resolved(program, end), replace(OPTIONS, strict_types=True))


@st.composite
def programs(draw: st.DrawFn) -> Plan:
    """Any graph of up to a dozen nodes."""
    program = Program()
    nodes = [program.source(parallelism=1, divisible=True)]
    kinds = st.sampled_from(["source", "map", "partition", "union", "sink"])
    parallelism = st.integers(1, 3)
    for kind in draw(st.lists(kinds, max_size=10)):
        before = draw(st.sampled_from(nodes))
        if kind == "source":
            nodes.append(program.source(parallelism=draw(parallelism)))
        elif kind == "map":
            nodes.append(
                program.map(before, parallelism=draw(parallelism), chaining=draw(st.sampled_from(Chaining)))
            )
        elif kind == "partition":
            anywhere = [kind for kind in PartitionKind if kind is not PartitionKind.FORWARD]
            nodes.append(program.partition(before, draw(st.sampled_from(anywhere))))
        elif kind == "union":
            nodes.append(program.union(before, draw(st.sampled_from(nodes))))
        else:
            program.sink(before)
    ends = [program.sink(draw(st.sampled_from(nodes)))]
    return program.plan(*ends)


class TestAllRules:
    @given(programs())
    def test_each_is_idempotent(self, plan: Plan) -> None:
        for rule in RULES:
            plan = rule(plan, OPTIONS)
            assert rule(plan, OPTIONS) == plan

    @given(programs())
    def test_types_of_operators_and_sinks_are_kept(self, plan: Plan) -> None:
        optimized = optimize(plan, OPTIONS)
        for node in plan.nodes:
            if not isinstance(node, (UnionNode, PartitionNode)):
                assert optimized.by_id[node.id].type_info == node.type_info
        assert [sink.id for sink in optimized.sinks] == [sink.id for sink in plan.sinks]

    @given(programs())
    def test_inputs_are_one_to_one_or_partitionings(self, plan: Plan) -> None:
        optimized = optimize(plan, OPTIONS)
        for node in optimized.nodes:
            before = [optimized.by_id[id] for id in node.inputs]
            if isinstance(node, PartitionNode):
                assert not any(isinstance(source, (PartitionNode, UnionNode)) for source in before)
            elif (
                not isinstance(node, SourceNode)
                and len(before) == 1
                and not isinstance(before[0], PartitionNode)
            ):
                assert before[0].settings.parallelism == node.settings.parallelism
            else:
                assert all(isinstance(source, PartitionNode) for source in before)
