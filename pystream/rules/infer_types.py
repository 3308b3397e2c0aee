"""Rule: infer the types of elements that the program does not declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pystream.inference import WINDOW, Emitted, Functions, Items, Unknown, Value, common_type, context, opened
from pystream.kinds import FunctionCall, Given
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    TYPE_OF_INPUT,
    CacheNode,
    FeedbackNode,
    IterationNode,
    Node,
    NotInferred,
    OperatorNode,
    PartitionNode,
    SideOutputNode,
    SinkNode,
    SourceNode,
    UnionNode,
    UnknownType,
)
from typeinfo.inferred import expected_type, inferred_as
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, is_pickled
from typeinfo.types import Types

__all__ = ["InferredTypes", "infer_types"]


def infer_types(plan: Plan, options: PlanOptions) -> Plan:
    """Set the types of nodes that declare none to those that their elements are expected to have.

    An inferred type changes how elements are carried, not what they are; see `InferredTypeInfo`. Keys and
    state keep their declared types.
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
        case PartitionNode() | SinkNode() | UnionNode() | CacheNode() | FeedbackNode() | IterationNode():
            return _as_before(node, before)
        case OperatorNode(type_origin=origin) if origin == TYPE_OF_INPUT:
            return _as_before(node, before)
        case OperatorNode(type_origin=NotInferred()):
            return node
        case OperatorNode(type_origin=UnknownType()) if not node.function.takes_batches:
            return _by_function(node, before, inputs)
        case SideOutputNode(type_origin=UnknownType()):
            return _side_output(node, inputs)
    return node


def _as_before(node: Node, before: list[Node]) -> Node:
    """Return a node with the type that the elements of all its inputs are expected to have, if it is one."""
    (common, *others) = {expected_type(one.type_info) for one in before}
    return node if others or is_pickled(common) else replace(node, type_info=inferred_as(common))


def _by_function(node: OperatorNode, before: list[Node], nodes: Mapping[int, Node]) -> Node:
    """Return an operator with the type of its function's results, or the reason why that is unknown."""
    calls = node.kind.calls(node.function.value, node.function.is_object)
    if not calls:
        return node
    found = common_type(result.main for result in _results(calls, node, nodes))
    if isinstance(found, Unknown):
        return replace(node, type_origin=NotInferred(f"{node.type_origin}, and it {found}"))
    return replace(node, type_info=inferred_as(found), type_origin=f"the code of {node.function.description}")


def _side_output(node: SideOutputNode, nodes: Mapping[int, Node]) -> Node:
    """Return a side output with the type of the results with its tag, if that is known."""
    operator = nodes[node.inputs[0]]
    if not isinstance(operator, OperatorNode):
        return node
    late = operator.kind.late_tags(operator.function.value)
    if node.tag in late:
        t = expected_type(nodes[operator.inputs[late[node.tag]]].type_info)
        return replace(node, type_info=inferred_as(t), type_origin=TYPE_OF_INPUT)
    calls = operator.kind.calls(operator.function.value, operator.function.is_object)
    results = _results(calls, operator, nodes)
    found = common_type(result.sides[node.tag] for result in results if node.tag in result.sides)
    if isinstance(found, Unknown):
        return node
    origin = f"the code of {operator.function.description}"
    return replace(node, type_info=inferred_as(found), type_origin=origin)


_ROUNDS = 3  # until the attributes of a function's object and its states have settled


def _results(calls: Iterable[FunctionCall], node: OperatorNode, nodes: Mapping[int, Node]) -> list[Emitted]:
    """Return the results of an operator's calls, with those for side outputs."""
    given = _Given(node, nodes)
    results: list[Emitted] = []
    for _ in range(_ROUNDS):
        results = [given.result(call) for call in calls]
        if given.functions.settled():
            break
    return results


class _Given:
    """The arguments that an operator gives to its functions.

    Args:
        node: the operator.
        nodes: the nodes before it, with their types.
    """

    def __init__(self, node: OperatorNode, nodes: Mapping[int, Node]) -> None:
        self._node = node
        self._nodes = nodes
        self.functions = Functions()

    def result(self, call: FunctionCall) -> Emitted:
        """Return the result of a call."""
        arguments = [self._argument(given) for given in call.arguments]
        return self.functions.result(call.function, arguments, many=call.many, skips_none=call.skips_none)

    def _argument(self, given: Given | FunctionCall | list[FunctionCall]) -> Value:
        match given:
            case Given.ELEMENT:
                return self._element(0)
            case Given.OTHER:
                return self._element(1)
            case Given.ELEMENTS:
                return Items(self._element(0))
            case Given.FIRST | Given.SECOND:
                return self._tagged(given is Given.SECOND)
            case Given.FIRSTS | Given.SECONDS:
                return Items(self._tagged(given is Given.SECONDS))
            case Given.KEY:
                return self._key()
            case Given.TIME:
                return Types.LONG()
            case Given.WINDOW:
                return WINDOW
            case FunctionCall():
                return self.result(given).main
            case [FunctionCall() as inner]:
                return Items(self.result(inner).main)
        return context(self._key() if self._node.keys else None)

    def _element(self, side: int) -> Value:
        return opened(self._nodes[self._node.inputs[side]].type_info)

    def _tagged(self, side: int) -> Value:
        """Return an element of one of the streams that a join tags with their side and unites."""
        union = self._nodes[self._node.inputs[0]]
        while not isinstance(union, UnionNode):
            union = self._nodes[union.inputs[0]]
        return opened(self._nodes[self._nodes[union.inputs[side]].inputs[0]].type_info)

    def _key(self) -> Value:
        key = self._node.keys[0]
        if key.type_info != PICKLED_BYTE_ARRAY:
            return opened(key.type_info)
        select = key.function.value
        call = select.get_key if key.function.is_object else select
        return self.functions.result(call, [self._element(0)]).main
