"""Rule: infer the types of elements that the program does not declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pystream.inference import CONTEXT, WINDOW, Items, Unknown, Value, common_type, opened, result_of_call
from pystream.kinds import FunctionCall, Given
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    TYPE_OF_INPUT,
    CacheNode,
    FeedbackNode,
    Node,
    NotInferred,
    OperatorNode,
    PartitionNode,
    SinkNode,
    SourceNode,
    UnionNode,
    UnknownType,
)
from typeinfo.inferred import InferredTypeInfo, inferred_as
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.types import Types

__all__ = ["InferredTypes", "infer_types"]


def infer_types(plan: Plan, options: PlanOptions) -> Plan:
    """Set the types of nodes that declare none to those that their elements are expected to have.

    An inferred type changes how elements are carried, not what they are; see `InferredTypeInfo`. Keys, state
    and side outputs keep their declared types.
    """
    if not options.infer_types:
        return plan
    found: dict[int, Node] = {}
    for node in plan.nodes:
        found[node.id] = _typed(node, found)
    return Plan(tuple(found.values()))


class InferredTypes:
    """The inferred types of a program that is being built, each inferred once."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Node, Node]] = {}  # as it is, and with its type

    def of(self, plan: Plan, id: int) -> TypeInformation[Any]:
        """Return the type of the elements of a node.

        Args:
            plan: the node and those that it needs.
            id: the node.
        """
        typed: dict[int, Node] = {}
        for node in plan.nodes:
            before, found = self._found.get(node.id, (None, None))
            if found is None or before is not node:
                found = _typed(node, typed)
                self._found[node.id] = node, found
            typed[node.id] = found
        return typed[id].type_info


def _typed(node: Node, inputs: Mapping[int, Node]) -> Node:
    """Return a node with an inferred type, if none is declared and one is found.

    Args:
        node: the node.
        inputs: the nodes before it, with their types.
    """
    if node.type_info != PICKLED_BYTE_ARRAY:
        return node
    before = [inputs[id] for id in node.inputs]
    match node:
        case SourceNode(observed=TypeInformation() as observed):
            return replace(node, type_info=inferred_as(observed), type_origin="its elements")
        case PartitionNode() | SinkNode() | UnionNode() | CacheNode() | FeedbackNode():
            return _as_before(node, before)
        case OperatorNode(type_origin=origin) if origin == TYPE_OF_INPUT:
            return _as_before(node, before)
        case OperatorNode(type_origin=NotInferred()):
            return node
        case OperatorNode(type_origin=UnknownType()) if not node.function.takes_batches:
            return _by_function(node, before)
    return node


def _as_before(node: Node, before: list[Node]) -> Node:
    """Return a node with the inferred type of its inputs, if they have the same."""
    types = {one.type_info for one in before}
    (common, *others) = types
    return node if others or not isinstance(common, InferredTypeInfo) else replace(node, type_info=common)


def _by_function(node: OperatorNode, before: list[Node]) -> Node:
    """Return an operator with the type of its function's results, or the reason why that is unknown."""
    calls = node.kind.calls(node.function.value, node.function.is_object)
    if not calls:
        return node
    found = common_type([_results(call, node, before) for call in calls])
    if isinstance(found, Unknown):
        return replace(node, type_origin=NotInferred(f"{node.type_origin}, and it {found}"))
    return replace(node, type_info=inferred_as(found), type_origin=f"the code of {node.function.description}")


def _results(call: FunctionCall, node: OperatorNode, before: list[Node]) -> Value:
    arguments = [_argument(given, node, before) for given in call.arguments]
    return result_of_call(call.function, arguments, many=call.many, skips_none=call.skips_none)


def _argument(
    given: Given | FunctionCall | list[FunctionCall], node: OperatorNode, before: list[Node]
) -> Value:
    match given:
        case Given.ELEMENT:
            return opened(before[0].type_info)
        case Given.OTHER:
            return opened(before[1].type_info)
        case Given.ELEMENTS:
            return Items(opened(before[0].type_info))
        case Given.OTHERS:
            return Items(opened(before[1].type_info))
        case Given.KEY:
            return _key(node, before)
        case Given.TIME:
            return Types.LONG()
        case Given.WINDOW:
            return WINDOW
        case FunctionCall():
            return _results(given, node, before)
        case [FunctionCall() as inner]:
            return Items(_results(inner, node, before))
    return CONTEXT


def _key(node: OperatorNode, before: list[Node]) -> Value:
    key = node.keys[0]
    if key.type_info != PICKLED_BYTE_ARRAY:
        return opened(key.type_info)
    select = key.function.value
    call = select.get_key if key.function.is_object else select
    return result_of_call(call, [opened(before[0].type_info)])
