"""Rule: let functions that only read fields of their elements run over the fields, if these are columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pystream.kinds import Lifting, SourceColumns
from pystream.lifting import NotLifted, replace_element
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, OperatorNode, SourceNode
from pystream.rules.lift_functions.liftable import sent
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.layout import has_columns
from typeinfo.pickled import is_pickled
from typeinfo.pickling import classes_as_pickled

__all__ = ["replace_elements"]


_ELEMENTWISE = Lifting.MAP, Lifting.PREDICATE, Lifting.FLAT_MAP


def replace_elements(plan: Plan, options: PlanOptions) -> Plan:
    """Replace the elements of functions by their fields, along chains that begin with columns.

    A map, filter or flat map without keys is replaced if its input is columns in the same task: those of a
    source, of a lifted operator, or of an operator that was replaced itself.
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
                    changed[node.id] = found = _on_fields(node, element_type)
                    if found.fields is not None and (
                        found.kind.keeps_type or found.fields.results is not None
                    ):
                        columns.add(node.id)
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


def _element_type(plan: Plan, node: OperatorNode) -> FieldsTypeInfo[Any] | None:
    """Return the type of the elements of an operator that could take columns, ``None`` for others."""
    before = plan.by_id[node.inputs[0]]
    is_elementwise = node.kind.lifting in _ELEMENTWISE and not node.keys
    if (
        is_elementwise
        and not node.function.takes_batches
        and node.chain == before.chain
        and has_columns(before.type_info)
        and not is_pickled(before.type_info)
        and not is_pickled(node.type_info)
    ):
        return before.type_info
    return None


def _on_fields(node: OperatorNode, element_type: FieldsTypeInfo[Any]) -> OperatorNode:
    from typeinfo.serde.copiers import copier_for  # needs pyarrow

    value = sent(node.function)
    if isinstance(value, NotLifted):
        return replace(node, not_fields=value.reason)
    function = getattr(value, node.kind.method) if node.function.is_object else value
    result_type = None if node.kind.keeps_type else node.type_info
    many = node.kind.lifting is Lifting.FLAT_MAP
    code = replace_element(function, element_type, result_type, lambda t: copier_for(t) is None, many=many)
    if isinstance(code, NotLifted):
        return replace(node, not_fields=code.reason)
    return replace(node, fields=code)
