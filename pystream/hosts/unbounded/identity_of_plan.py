"""Describe the operators of a plan, by which a job is recognised when it resumes."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity
from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, OperatorNode, SinkNode, SourceNode

__all__ = ["identity_of"]


def identity_of(name: str, plan: Plan) -> JobIdentity:
    """Return the identity of a job.

    Args:
        name: its name.
        plan: its plan.
    """
    nodes = [node for node in plan.nodes if node.chain is not None]
    return JobIdentity(
        name,
        max((node.parallelism for node in nodes), default=1),
        max((node.max_parallelism for node in nodes), default=1),
        tuple(_operators(nodes)),
    )


def _operators(nodes: list[Node]) -> Iterator[OperatorIdentity]:
    for node in nodes:
        match node:
            case OperatorNode():
                key_type = str(node.keys[0].type_info) if node.keys else ""
                kind, has_state = node.kind.name, bool(node.keys or node.broadcast_states)
            case SourceNode():
                key_type, kind, has_state = "", "Source", True
            case SinkNode():
                key_type, kind, has_state = "", "Sink", False
            case _:
                continue
        yield OperatorIdentity(
            node.uid, node.title, kind, node.resolved_chain, node.parallelism, key_type, has_state
        )
