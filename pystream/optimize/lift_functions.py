"""Rule: let operators on tables run as expressions of the engine, where their functions can be expressed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pystream.lifting import (
    Expression,
    NotLifted,
    Op,
    conformed,
    lift,
    lift_condition,
    lift_flat_map,
    nullable_type,
    project,
)
from pystream.optimize.fold_by_key import fold_by_key
from pystream.plan.graph import Plan
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode, PartitionNode, SourceNode
from pystream.plan.options import PlanOptions
from pystream.runtime.spec import OperatorKind, PartitionKind
from typeinfo.collection import ListTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["lift_functions"]

_KINDS = frozenset({OperatorKind.MAP, OperatorKind.FILTER, OperatorKind.FLAT_MAP, OperatorKind.PROJECT})


def lift_functions(plan: Plan, options: PlanOptions) -> Plan:
    """Lift the functions of the operators that follow a table, up to the first one that cannot be.

    An operator is lifted if it belongs to the chain of a source the engine can read, follows it or another
    lifted operator directly and alone, and its function gives exactly what the expression gives. Where
    nothing can be run again, expressions are left out that do not hold for all values.
    """
    if not options.lifting:
        return plan
    changed: dict[int, OperatorNode] = {}
    for source in plan.nodes:
        if isinstance(source, SourceNode) and source.columnar:
            changed |= _Prefix(plan, source, options).nodes()
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


class _Prefix:
    """The operators that follow a table."""

    def __init__(self, plan: Plan, source: SourceNode, options: PlanOptions) -> None:
        self._plan = plan
        self._source = source
        self._options = options

    def nodes(self) -> dict[int, OperatorNode]:
        """Return the operators that were looked at, each with its step or the reason why it has none."""
        found: dict[int, OperatorNode] = {}
        before, type_info = self._source.id, self._source.type_info
        while (node := self._next(before) or self._aggregated(before)) is not None:
            step = self._step(node, type_info)
            if isinstance(step, NotLifted):
                found[node.id] = replace(node, not_native=step.reason)
                break
            found[node.id] = replace(node, native=step)
            before, type_info = node.id, step.type_info
        return found

    def _next(self, before: int) -> OperatorNode | None:
        match self._plan.consumers[before]:
            case (OperatorNode(kind=kind, keys=()) as node,) if (
                kind in _KINDS
                and node.chain == self._plan.by_id[before].chain
                and not node.function.once_a_batch
            ):
                return node
        return None

    def _aggregated(self, before: int) -> OperatorNode | None:
        """Return the operator that folds the elements of each key, if only its last results count."""
        match self._plan.consumers[before]:
            case (PartitionNode(kind=PartitionKind.HASH) as partition,) if self._options.batch:
                match self._plan.consumers[partition.id]:
                    case (OperatorNode(kind=OperatorKind.REDUCE, inputs=(_,)) as node,):
                        return node
        return None

    def _step(self, node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
        step = _lifted(node, type_info)
        if isinstance(step, NotLifted) or self._options.can_run_again or not _is_guarded(step.expression):
            return step
        return NotLifted("holds for some values only as an expression, and a lazy table cannot begin anew")


def _is_guarded(expression: Expression) -> bool:
    return expression.op is Op.GUARD or any(map(_is_guarded, expression.parts))


def _lifted(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    function = node.function.value
    match node.kind:
        case OperatorKind.PROJECT:
            return NativeStep(node.kind, project(type_info, function), node.type_info)
        case OperatorKind.FILTER:
            condition = lift_condition(function, type_info)
            return (
                condition if isinstance(condition, NotLifted) else NativeStep(node.kind, condition, type_info)
            )
        case OperatorKind.FLAT_MAP:
            return _held(node, lift_flat_map(function, type_info), many=True)
        case OperatorKind.REDUCE:
            return fold_by_key(node, type_info)
        case _:
            return _held(node, lift(function, [type_info]), many=False)


def _held(node: OperatorNode, lifted: Expression | NotLifted, *, many: bool) -> NativeStep | NotLifted:
    """Return the step of an operator whose results are held to the type it declares, if it does."""
    if isinstance(lifted, NotLifted):
        return lifted
    if isinstance(node.type_info, PickledBytesTypeInfo):
        own = lifted.type.slots()[0].type if many else nullable_type(lifted)
        return NativeStep(node.kind, lifted, own)
    held = conformed(lifted, ListTypeInfo(node.type_info) if many else node.type_info)
    return held if isinstance(held, NotLifted) else NativeStep(node.kind, held, node.type_info)
