"""The identity of the job of a plan."""

from __future__ import annotations

from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity, StateInfo
from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, OperatorNode, SinkNode, SourceNode

__all__ = ["identity_of"]


def identity_of(name: str, plan: Plan) -> JobIdentity:
    """Return the identity of a job.

    Keyed states are not part of it: functions create them while they run.

    Args:
        name: the name of the job.
        plan: its optimised plan.
    """
    operators = (node for node in plan.nodes if isinstance(node, SourceNode | OperatorNode | SinkNode))
    return JobIdentity(name, tuple(map(_operator, operators)))


def _operator(node: Node) -> OperatorIdentity:
    keys = node.keys if isinstance(node, OperatorNode) else ()
    broadcast = node.broadcast_states if isinstance(node, OperatorNode) else ()
    return OperatorIdentity(
        uid=node.uid,
        name=node.settings.name,
        kind=node.kind.name if isinstance(node, OperatorNode) else type(node).__name__.removesuffix("Node"),
        chain=node.id if node.chain is None else node.chain,
        parallelism=node.parallelism,
        max_parallelism=node.max_parallelism,
        key_type=str(keys[0].type_info) if keys else "",
        has_state=bool(keys or broadcast) or isinstance(node, SourceNode),
        states=tuple(StateInfo(state.name, state.KIND, str(state.type_info)) for state in broadcast),
    )
