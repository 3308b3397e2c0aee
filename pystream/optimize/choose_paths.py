"""Rule: choose for every operator how its elements are carried, and say why not faster."""

from __future__ import annotations

from dataclasses import replace

from pystream.errors import PlanError
from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, OperatorNode, PartitionNode, PathChoice, SinkNode, SourceNode
from pystream.plan.options import PlanOptions
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["choose_paths"]


def choose_paths(plan: Plan, options: PlanOptions) -> Plan:
    """Set ``choice`` on every node.

    Raises:
        PlanError: strict types are on and a node carries pickled elements.
    """
    chosen = tuple(replace(node, choice=_choice(plan, node)) for node in plan.nodes)
    if options.strict_types:
        _refuse_pickled(chosen)
    return Plan(chosen)


def _choice(plan: Plan, node: Node) -> PathChoice:
    if _is_native(node):
        return PathChoice("native", "an expression of the engine, without Python")
    if isinstance(node, PartitionNode) and any(map(_is_native, plan.consumers[node.id])):
        return PathChoice("native", "the engine's own shuffle")
    why = f"; {node.not_native}" if isinstance(node, OperatorNode) and node.not_native else ""
    if is_pickled(node.type_info):
        return PathChoice("pickled", node.type_origin + why)
    pickled = [id for id in node.inputs if is_pickled(plan.by_id[id].type_info)]
    if pickled:
        names = ", ".join(repr(plan.by_id[id].settings.name) for id in pickled)
        return PathChoice("pickled", f"its input is pickled: {names}")
    if isinstance(node, OperatorNode) and node.function.once_a_batch:
        return PathChoice("vectorised", "one call a batch")
    if isinstance(node, OperatorNode):
        return PathChoice("typed", f"a Python function of one element: one call an element{why}")
    if isinstance(node, SourceNode) and node.by_workers:
        return PathChoice("typed", f"{node.type_origin}; Python reads it, as columns")
    if isinstance(node, (SinkNode, PartitionNode)):
        return PathChoice("typed", "elements are handed over as Python values")
    return PathChoice("typed", node.type_origin)


def _is_native(node: Node) -> bool:
    return isinstance(node, OperatorNode) and node.native is not None


def is_pickled(type_info: TypeInformation[object]) -> bool:
    """Tell whether elements of a type, or parts of them, are carried as pickled bytes."""
    return isinstance(type_info, PickledBytesTypeInfo) or any(
        is_pickled(slot.type) for slot in type_info.slots()
    )


def _refuse_pickled(nodes: tuple[Node, ...]) -> None:
    lines = [
        f"  {node.settings.name!r} ({node.settings.call_site}): {node.choice.reason}"
        for node in nodes
        if is_pickled(node.type_info) and node.choice and not isinstance(node, (SinkNode, PartitionNode))
    ]
    if lines:
        raise PlanError(
            "pystream.strict-types is on, and these operators give elements of no known type:\n"
            + "\n".join(lines)
        )
