"""Rule: undo lifting where expressions in the engine would slow down the job or delay its elements."""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile

from pystream.kinds import SourceColumns
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    CollectTarget,
    ColumnsTarget,
    Node,
    OperatorNode,
    SinkNode,
    SourceNode,
)

__all__ = ["keep_in_python"]

_READ_BY_PYTHON = (
    "Python reads the source and would get the results; a fold or to_data_frame() would keep them in Spark"
)
_READ_IN_EPOCHS = "Python reads the source of an unbounded job; Spark makes numbers and its own streams"
_WAITED_FOR = "as an expression it would delay results that a limited job waits for"


def keep_in_python(plan: Plan, options: PlanOptions) -> Plan:
    """Undo lifting where elements would take a detour through the engine or wait in it.

    Workers send elements to Spark fast, but receive them slowly. So an expression after a source read by
    workers pays off only if Spark folds the elements, or if its results stay there.

    Spark sends elements to Python in batches of 10,000. If few elements pass a filter and a Python
    function drops some of these, the elements of a limited job could wait for a batch that is never full;
    those of an unbounded job wait for the end of the epoch at most.
    """
    changed: dict[int, OperatorNode] = {}
    for source in plan.nodes:
        if not isinstance(source, SourceNode):
            continue
        steps = plan.native_operators_after(source)
        if not steps or any(_is_fold(step) for step in steps):
            continue
        if plan.unbounded_sources:
            if source.columns is not SourceColumns.SPARK:
                changed |= _without_step(steps, _READ_IN_EPOCHS)
            continue
        if source.columns is SourceColumns.WORKERS and not _stays(plan, steps[-1]):
            changed |= _without_step(steps, _READ_BY_PYTHON)
        elif plan.limit_after(steps[-1]) is None and _ends_early(plan, steps[-1]):
            changed |= _without_step(_from_first_filter(steps), _WAITED_FOR)
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


def _is_fold(step: OperatorNode) -> bool:
    return step.kind.lifting is not None and step.kind.lifting.is_fold


def _stays(plan: Plan, last: OperatorNode) -> bool:
    """Return whether results only go to a Spark data frame."""
    match plan.consumers[last.id]:
        case (SinkNode(target=ColumnsTarget()),):
            return True
    return False


def _ends_early(plan: Plan, last: OperatorNode) -> bool:
    """Return whether a job stops the operators of a chain once it has all elements it needs."""
    node: Node = last
    while True:
        match plan.consumers[node.id]:
            case (SinkNode(target=CollectTarget(limit)),):
                return limit is not None
            case (OperatorNode(inputs=(_,)) as node,):
                pass
            case _:
                return False


def _from_first_filter(steps: list[OperatorNode]) -> list[OperatorNode]:
    return list(dropwhile(lambda step: not (step.kind.lifting and step.kind.lifting.may_drop), steps))


def _without_step(steps: list[OperatorNode], reason: str) -> dict[int, OperatorNode]:
    return {step.id: replace(step, native=None, not_native=reason) for step in steps}
