"""Rule: say which operators prevent Spark's Real-Time Mode, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn

from pystream.errors import UnsupportedOperationError
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, OperatorNode, PartitionNode, PathChoice, SinkNode, SourceNode
from pystream.rules.read_in_real_time import source_obstacle
from typeinfo.info import TypeInformation

__all__ = ["explain_real_time", "refuse_local_host", "refuse_obstacles"]

_ONLY = "only map, flat_map, filter and project can be Spark expressions there"
_UNUSED = "only what leads to a KafkaSink runs there, and nothing uses its results"


def explain_real_time(plan: Plan, options: PlanOptions) -> Plan:
    """Say of each node that prevents Real-Time Mode why it does; sources and sinks of others are native."""
    if not options.real_time:
        return plan
    reasons, behind = _obstacles(plan)

    def choice(node: Node) -> PathChoice | None:
        if node.id in reasons:
            path = "typed" if node.choice is None else node.choice.path
            return PathChoice(path, f"prevents Real-Time Mode: {reasons[node.id]}")
        is_end = isinstance(node, SourceNode | SinkNode) and node.id not in behind
        return PathChoice("native") if is_end else node.choice

    return Plan(tuple(replace(node, choice=choice(node)) for node in plan.nodes))


def refuse_obstacles(plan: Plan) -> None:
    """Raise an error for a program that Real-Time Mode cannot run.

    Args:
        plan: its optimised plan.

    Raises:
        UnsupportedOperationError: it cannot; the message names each operator concerned.
    """
    reasons, _ = _obstacles(plan)
    if reasons:
        lines = [f"  {_place(plan, plan.by_id[id])}: {reason}" for id, reason in reasons.items()]
        raise UnsupportedOperationError(
            "pystream.real-time is on, and these operators cannot run in Spark's Real-Time Mode:\n"
            + "\n".join(lines)
            + "\nChange them, or set pystream.real-time to false"
        )


def refuse_local_host() -> NoReturn:
    """Raise an error: the local host has no Real-Time Mode.

    Raises:
        UnsupportedOperationError: always.
    """
    raise UnsupportedOperationError(
        "pystream.real-time: only Spark has a Real-Time Mode; set pystream.runner to spark, or "
        "pystream.real-time to false"
    )


def _place(plan: Plan, node: Node) -> str:
    if isinstance(node, PartitionNode):
        return f"{node.kind.value} before {' and '.join(repr(n.title) for n in plan.consumers[node.id])}"
    return f"{node.title!r} ({node.settings.call_site})"


def _obstacles(plan: Plan) -> tuple[dict[int, str], set[int]]:
    """Return why nodes prevent Real-Time Mode, by id; and the ids of these and of all nodes that follow them.

    What could be lifted if nothing before prevented it is left out, as is the type of what reaches sinks.
    """
    found: dict[int, str] = {}
    behind: set[int] = set()
    for node in plan.nodes:
        follows = not behind.isdisjoint(node.inputs)
        reason = _obstacle(plan, node, follows=follows)
        if reason:
            found[node.id] = reason
        if reason or follows:
            behind.add(node.id)
    return found, behind


def _obstacle(plan: Plan, node: Node, *, follows: bool) -> str:
    match node:
        case SourceNode():
            return source_obstacle(node)
        case SinkNode():
            return _of_sink(node, plan.by_id[node.inputs[0]], follows=follows)
        case PartitionNode():
            if any(isinstance(after, OperatorNode) and after.keys for after in plan.consumers[node.id]):
                return ""
            return (
                "elements stay in their partitions; leave it out, and give the operators before and after it "
                "the same parallelism"
            )
        case OperatorNode() if not plan.consumers[node.id]:
            return _UNUSED
        case OperatorNode() if node.native is not None:
            return ""
        case OperatorNode() if follows and node.kind.lifting is not None and node.kind.lifting.is_elementwise:
            return ""
        case OperatorNode() if node.not_native:
            return f"it is not a Spark expression: {node.not_native}"
    return _ONLY


def _of_sink(node: SinkNode, before: Node, *, follows: bool) -> str:
    find = getattr(node.target, "obstacle_to_real_time", None)
    if find is None:
        return "only a KafkaSink can be written to there"
    return "" if follows else str(find(_type_after(before)))


def _type_after(node: Node) -> TypeInformation[Any]:
    if isinstance(node, OperatorNode) and node.native is not None:
        return node.native.type_info
    return node.type_info
