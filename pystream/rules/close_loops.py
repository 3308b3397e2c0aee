"""Rule: make every loop run as one task, or raise an error that says why it cannot."""

from __future__ import annotations

from dataclasses import replace

from pystream.errors import PlanError
from pystream.kinds import PartitionKind
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.loops import Loop, loops
from pystream.plan.nodes import FeedbackNode, IterationNode, Node, PartitionNode, SideOutputNode, UnionNode

__all__ = ["close_loops"]


def close_loops(plan: Plan, options: PlanOptions) -> Plan:
    """Set the parallelism of loops to one, unless elements never change subtasks.

    Raises:
        PlanError: a loop is not closed, a stream from outside meets it elsewhere than at its head, or the
            program runs in batch mode or with checkpoints.
    """
    found = loops(plan)
    if found:
        _refuse_modes(plan.by_id[found[0].head], options)
        _refuse_unbounded(plan.by_id[found[0].head], plan)
    alone: set[int] = set()
    for loop in found:
        _check(plan, loop)
        if not _stays_in_subtasks(plan, loop):
            alone |= loop.members
    alone.update(n.id for n in plan.nodes if isinstance(n, SideOutputNode) and n.inputs[0] in alone)
    return Plan(tuple(_in_one_subtask(node) if node.id in alone else node for node in plan.nodes))


def _in_one_subtask(node: Node) -> Node:
    return replace(node, settings=replace(node.settings, parallelism=1))


def _refuse_modes(head: Node, options: PlanOptions) -> None:
    where = f"{head.settings.name!r} ({head.settings.call_site})"
    if options.batch:
        raise PlanError(
            f"{where}: iterations are not supported in batch mode, in which each operator processes all of "
            "its input before the next one starts; set_runtime_mode(RuntimeExecutionMode.STREAMING)"
        )
    if options.checkpointing:
        raise PlanError(
            f"{where}: an iteration cannot be combined with checkpoints, which would lose the elements "
            "inside the loop; leave out enable_checkpointing()"
        )


def _refuse_unbounded(head: Node, plan: Plan) -> None:
    """Refuse loops in unbounded jobs: elements inside a loop are not part of checkpoints."""
    if plan.unbounded_sources:
        source = plan.unbounded_sources[0]
        raise PlanError(
            f"{head.settings.name!r} ({head.settings.call_site}): an iteration needs bounded sources, but "
            f"{source.settings.name!r} is unbounded; use keyed state and timers instead"
        )


def _check(plan: Plan, loop: Loop) -> None:
    members = [plan.by_id[id] for id in sorted(loop.members)]
    closed = {node.head for node in members if isinstance(node, FeedbackNode)}
    for node in members:
        where = f"{node.settings.name!r} ({node.settings.call_site})"
        if isinstance(node, IterationNode):
            if node.id not in closed:
                raise PlanError(f"{where}: the iteration has no feedback; call close_with(feedback) on it")
            continue
        for id in node.inputs:
            if id not in loop.members:
                raise PlanError(
                    f"{where}: {plan.by_id[id].settings.name!r} comes into an iteration from outside; "
                    "union or connect it before iterate()"
                )


def _stays_in_subtasks(plan: Plan, loop: Loop) -> bool:
    members = [plan.by_id[id] for id in loop.members]
    parallelism = plan.by_id[loop.head].settings.parallelism
    return all(
        len(node.inputs) == 1
        and not isinstance(node, UnionNode)
        and (not isinstance(node, PartitionNode) or node.kind is PartitionKind.FORWARD)
        and node.settings.parallelism == parallelism
        for node in members
        if node.id != loop.head
    )
