"""Loops: the nodes of a plan that belong to an iteration."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.plan.graph import Plan
from pystream.plan.nodes import FeedbackNode, IterationNode

__all__ = ["Loop", "loops", "loops_by_member"]


@dataclass(frozen=True, slots=True)
class Loop:
    """An iteration, merged with all iterations that overlap it.

    Attributes:
        head: id of the iteration's first node.
        members: ids of all nodes on a path from a head to one of its feedbacks, both included.
    """

    head: int
    members: frozenset[int]


def loops(plan: Plan) -> tuple[Loop, ...]:
    """Return the iterations of a plan in program order; overlapping ones are merged."""
    found: list[Loop] = []
    for head in plan.nodes:
        if not isinstance(head, IterationNode):
            continue
        members = _members(plan, head)
        overlapping = [loop for loop in found if loop.members & members]
        found = [loop for loop in found if loop not in overlapping]
        found.append(
            Loop(
                min([head.id, *(loop.head for loop in overlapping)]),
                members.union(*(loop.members for loop in overlapping)),
            )
        )
    return tuple(sorted(found, key=lambda loop: loop.head))


def loops_by_member(plan: Plan) -> dict[int, Loop]:
    """Return the loop of each node in a loop, by the node's id."""
    return {member: loop for loop in loops(plan) for member in loop.members}


def _members(plan: Plan, head: IterationNode) -> frozenset[int]:
    after = {head.id}
    for node in plan.nodes:
        if after.intersection(node.inputs):
            after.add(node.id)
    before = {node.id for node in plan.nodes if isinstance(node, FeedbackNode) and node.head == head.id}
    for node in reversed(plan.nodes):
        if node.id in before:
            before.update(node.inputs)
    return frozenset((after & before) | {head.id})
