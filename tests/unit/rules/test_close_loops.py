"""Loops in a plan: their members, their parallelism and refused programs."""

from __future__ import annotations

import pytest

from pystream.errors import PlanError
from pystream.hosts.lowering import lower
from pystream.kinds import PartitionKind
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.loops import loops
from pystream.plan.nodes import Chaining, FeedbackNode, IterationNode, Node, NodeSettings
from pystream.rules import optimize
from tests.unit.rules.plans import Program
from typeinfo import Types

OPTIONS = PlanOptions(max_parallelism=128)


class LoopProgram(Program):
    def iterate(self, before: Node) -> Node:
        return self.builder.add(
            IterationNode,
            inputs=(before.id,),
            type_info=Types.LONG,
            settings=NodeSettings("Iteration", parallelism=2, call_site="app.py:1"),
            max_wait_time_ms=0,
        )

    def close(self, head: Node, feedback: Node) -> Node:
        return self.builder.add(
            FeedbackNode,
            inputs=(feedback.id,),
            type_info=Types.LONG,
            settings=NodeSettings("Feedback", parallelism=2),
            head=head.id,
        )


def tasks(plan: Plan) -> list[tuple[str, int]]:
    return [(stage.task.name, stage.task.parallelism) for stage in lower(plan, batch=False)]


def test_a_sink_needs_the_whole_loop() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    body = program.map(head)
    feedback = program.close(head, program.map(body))
    aside = program.map(program.source())
    plan = program.plan(program.sink(body))
    assert feedback in plan.nodes
    assert aside not in plan.nodes
    assert loops(plan)[0].members == {head.id, body.id, feedback.id, feedback.inputs[0]}


def test_a_loop_is_one_task() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    body = program.map(head, chaining=Chaining.NEVER)
    program.close(head, body)
    plan = optimize(program.plan(program.sink(program.map(body, chaining=Chaining.HEAD))), OPTIONS)
    assert tasks(plan) == [
        ("Source: Source", 2),
        ("Iteration -> Map -> Feedback", 2),
        ("Map -> Sink: Sink", 2),
    ]


@pytest.mark.parametrize("kind", [kind for kind in PartitionKind if kind is not PartitionKind.FORWARD])
def test_a_loop_with_a_partitioning_has_one_subtask(kind: PartitionKind) -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    body = program.map(program.partition(head, kind))
    program.close(head, body)
    plan = optimize(program.plan(program.sink(program.map(body))), OPTIONS)
    assert tasks(plan) == [
        ("Source: Source", 2),
        ("Iteration -> Map -> Feedback", 1),
        ("Map -> Sink: Sink", 2),
    ]


def test_a_loop_with_different_parallelisms_has_one_subtask() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    program.close(head, program.map(head, parallelism=3))
    plan = optimize(program.plan(program.sink(head, parallelism=1)), OPTIONS)
    assert [name for name, parallelism in tasks(plan) if parallelism == 1] == [
        "Iteration -> Map -> Feedback -> Sink: Sink"
    ]


def test_side_outputs_have_the_subtasks_of_their_operator_in_the_loop() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    body = program.map(head, parallelism=3)
    program.close(head, body)
    side = program.side_output(body)
    keyed = program.map(program.partition(side, PartitionKind.HASH))
    plan = optimize(program.plan(program.sink(keyed)), OPTIONS)
    *_, receiving = lower(plan, batch=False)
    assert plan.by_id[side.id].parallelism == 1
    assert [edge.channels for edge in receiving.inputs] == [1]


def test_a_union_in_the_body_is_a_joint() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    merged = program.map(program.union(program.map(head), program.map(head)))
    program.close(head, merged)
    plan = optimize(program.plan(program.sink(merged)), OPTIONS)
    (stage,) = (stage for stage in lower(plan, batch=False) if "Iteration" in stage.task.name)
    ((joint,),) = [stage.task.joints]
    assert (joint.operator.label.uid, joint.channels) == (merged.uid, 2)


def test_nested_loops_are_merged() -> None:
    program = LoopProgram()
    outer = program.iterate(program.source())
    inner = program.iterate(program.map(outer))
    program.close(inner, program.map(inner))
    program.close(outer, program.map(inner))
    plan = program.plan(program.sink(inner))
    (loop,) = loops(plan)
    assert loop.head == outer.id
    assert inner.id in loop.members


def test_consecutive_loops_are_separate() -> None:
    program = LoopProgram()
    first = program.iterate(program.source())
    program.close(first, program.map(first))
    second = program.iterate(program.map(first))
    program.close(second, program.map(second))
    assert [loop.head for loop in loops(program.plan(program.sink(second)))] == [first.id, second.id]


def test_a_loop_that_is_not_closed_is_refused() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    with pytest.raises(
        PlanError, match=r"'Iteration' \(app.py:1\): the iteration has no feedback; call close_"
    ):
        optimize(program.plan(program.sink(program.map(head))), OPTIONS)


def test_a_stream_from_outside_is_refused() -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    merged = program.map(program.union(head, program.source()))
    program.close(head, merged)
    with pytest.raises(
        PlanError, match=r"'Source' comes into an iteration from outside; union or connect it"
    ):
        optimize(program.plan(program.sink(merged)), OPTIONS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            PlanOptions(128, batch=True),
            r"'Iteration' \(app.py:1\): iterations are not supported in batch mode.*STREAM",
        ),
        (
            PlanOptions(128, checkpointing=True),
            r"cannot be combined with checkpoints.*enable_checkpointing\(\)",
        ),
    ],
)
def test_batch_mode_and_checkpoints_are_refused(options: PlanOptions, message: str) -> None:
    program = LoopProgram()
    head = program.iterate(program.source())
    program.close(head, program.map(head))
    with pytest.raises(PlanError, match=message):
        optimize(program.plan(program.sink(head)), options)
