"""Rule: let functions run over the columns of their elements: as kernels of Arrow, or over fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.kinds import Lifting, SourceColumns
from pystream.lifting import NotLifted, columns_of, replace_element
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, OperatorNode, SourceNode
from pystream.rules.lift_functions.functions import elementwise_step
from pystream.rules.lift_functions.liftable import sent
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled
from typeinfo.pickling import classes_as_pickled

__all__ = ["run_over_columns"]


_ELEMENTWISE = Lifting.MAP, Lifting.PROJECTION, Lifting.PREDICATE, Lifting.FLAT_MAP


def run_over_columns(plan: Plan, options: PlanOptions) -> Plan:
    """Let functions run over columns, along chains that begin with columns.

    A map, filter or flat map without keys does if its input is columns in the same task: those of a source,
    of a lifted operator, or of an operator that runs over columns itself.
    """
    if not options.fields:
        return plan
    changed: dict[int, Node] = {}
    columns: set[int] = set()
    with classes_as_pickled():
        for node in plan.nodes:
            if isinstance(node, SourceNode):
                if node.columns is not SourceColumns.NONE:
                    columns.add(node.id)
            elif isinstance(node, OperatorNode) and columns.issuperset(node.inputs):
                if node.native is not None:
                    columns.add(node.id)
                elif (element_type := _element_type(plan, node)) is not None:
                    changed[node.id] = found = _over_columns(node, element_type)
                    if found.arrow or (found.fields and (found.kind.keeps_type or found.fields.results)):
                        columns.add(node.id)
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


def _element_type(plan: Plan, node: OperatorNode) -> TypeInformation[Any] | None:
    """Return the type of the elements of an operator that could take columns, ``None`` for others."""
    before = plan.by_id[node.inputs[0]]
    is_elementwise = node.kind.lifting in _ELEMENTWISE and not node.keys
    if (
        is_elementwise
        and not node.function.takes_batches
        and node.chain == before.chain
        and not is_pickled(before.type_info)
        and not is_pickled(node.type_info)
    ):
        return before.type_info
    return None


def _over_columns(node: OperatorNode, element_type: TypeInformation[Any]) -> OperatorNode:
    """Return an operator with the forms of its function over columns, or the reason for none."""
    found = replace(node, arrow=_kernels(node, element_type))
    return found if node.kind.lifting is Lifting.PROJECTION else _on_fields(found, element_type)


def _kernels(node: OperatorNode, element_type: TypeInformation[Any]) -> tuple[Expression, ...]:
    """Return the expressions of an operator, if all of them have kernels, else nothing."""
    from pystream.expressions.kernels import BASIC, has_kernels  # needs pyarrow

    if node.kind.lifting is Lifting.FLAT_MAP:
        return ()
    step = elementwise_step(node, element_type, timed=False)
    columns = step if isinstance(step, NotLifted) else columns_of(step.expression)
    if isinstance(columns, NotLifted) or not all(
        has_kernels(c) and (c.op is Op.FIELD or c.type in BASIC) for c in columns
    ):
        return ()
    return tuple(columns)


def _on_fields(node: OperatorNode, element_type: TypeInformation[Any]) -> OperatorNode:
    """Return an operator with the code of its function on fields, or the reason for none."""
    value = sent(node.function)
    if isinstance(value, NotLifted):
        return replace(node, not_fields=value.reason)
    function = getattr(value, node.kind.method) if node.function.is_object else value
    result_type = None if node.kind.keeps_type else node.type_info
    many = node.kind.lifting is Lifting.FLAT_MAP
    code = replace_element(function, element_type, result_type, many=many)
    if isinstance(code, NotLifted):
        return replace(node, not_fields=code.reason)
    return replace(node, fields=code)
