"""Rule: leave to Python what the engine could do, but only with elements that Python reads and gets back."""

from __future__ import annotations

from dataclasses import replace

from pystream.optimize.lift_functions import FOLDS
from pystream.plan.graph import Plan
from pystream.plan.nodes import ColumnsTarget, Node, OperatorNode, PartitionNode, SinkNode, SourceNode
from pystream.plan.options import PlanOptions

__all__ = ["keep_in_python"]

_REASON = "Python reads the source and would get the results back; a fold or to_data_frame() would keep them"


def keep_in_python(plan: Plan, options: PlanOptions) -> Plan:
    """Call the functions of lifted operators after all, where elements would make a detour to the engine.

    What workers read they hand over to the engine fast, but what they get from it they get slowly. So it pays
    only if the engine folds the elements, or if they stay with it.
    """
    changed: dict[int, OperatorNode] = {}
    for source in plan.nodes:
        if isinstance(source, SourceNode) and source.by_workers:
            steps = _steps_after(plan, source)
            if not (any(step.kind in FOLDS for step in steps) or (steps and _stays(plan, steps[-1]))):
                changed |= {step.id: replace(step, native=None, not_native=_REASON) for step in steps}
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


def _steps_after(plan: Plan, node: Node) -> list[OperatorNode]:
    steps: list[OperatorNode] = []
    while True:
        match plan.consumers[node.id]:
            case (PartitionNode() as node,):
                pass
            case (OperatorNode() as node,) if node.native is not None:
                steps.append(node)
            case _:
                return steps


def _stays(plan: Plan, last: OperatorNode) -> bool:
    """Tell whether results become a table of the engine, and nothing else."""
    match plan.consumers[last.id]:
        case (SinkNode(target=ColumnsTarget()),):
            return True
    return False
