"""Plans for the tests of the rules, built as the API builds them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.engine.operators.elementwise import FLAT_MAP, MAP
from pystream.kinds import OperatorKind, PartitionKind
from pystream.plan.function import UserFunction
from pystream.plan.graph import Plan, PlanBuilder
from pystream.plan.nodes import (
    Node,
    NodeSettings,
    OperatorNode,
    PartitionNode,
    PrintTarget,
    SideOutputNode,
    SinkNode,
    SourceNode,
    UnionNode,
)
from typeinfo import Types
from typeinfo.info import TypeInformation


def identity(value: Any) -> Any:
    return value


def _settings(name: str, settings: Mapping[str, Any] = MappingProxyType({})) -> NodeSettings:
    return NodeSettings(name, **{"parallelism": 2, **settings})


class Program:
    """A program under construction; each method adds a node and returns it."""

    def __init__(self) -> None:
        self.builder = PlanBuilder()

    def source(self, type_info: TypeInformation[Any] = Types.LONG, **settings: Any) -> Node:
        divisible = settings.pop("divisible", False)
        return self.builder.add(
            SourceNode,
            type_info=type_info,
            type_origin="type_info",
            settings=_settings("Source", settings),
            source=NumberSequence(0, 9),
            divisible=divisible,
        )

    def map(self, before: Node, type_info: TypeInformation[Any] = Types.LONG, **settings: Any) -> Node:
        return self._operator(MAP, before, type_info, settings)

    def flat_map(self, before: Node, type_info: TypeInformation[Any] = Types.LONG, **settings: Any) -> Node:
        return self._operator(FLAT_MAP, before, type_info, settings)

    def _operator(
        self, kind: OperatorKind, before: Node, type_info: TypeInformation[Any], settings: dict[str, Any]
    ) -> Node:
        return self.builder.add(
            OperatorNode,
            inputs=(before.id,),
            type_info=type_info,
            type_origin="output_type",
            settings=_settings("Map", settings),
            kind=kind,
            function=UserFunction.of(identity, "map"),
        )

    def side_output(self, before: Node) -> Node:
        return self.builder.add(
            SideOutputNode,
            inputs=(before.id,),
            type_info=before.type_info,
            settings=_settings("Side"),
            tag="tag",
        )

    def partition(self, before: Node, kind: PartitionKind) -> Node:
        return self.builder.add(
            PartitionNode,
            inputs=(before.id,),
            type_info=before.type_info,
            settings=_settings(kind.name),
            kind=kind,
        )

    def union(self, *before: Node) -> Node:
        return self.builder.add(
            UnionNode,
            inputs=tuple(node.id for node in before),
            type_info=before[0].type_info,
            settings=_settings("Union"),
        )

    def sink(self, before: Node, target: Any = None, **settings: Any) -> Node:
        return self.builder.add(
            SinkNode,
            inputs=(before.id,),
            type_info=before.type_info,
            settings=_settings("Sink", settings),
            target=target or PrintTarget(""),
        )

    def plan(self, *ends: Node) -> Plan:
        return self.builder.plan(node.id for node in ends)


def edges(plan: Plan) -> set[tuple[str, str]]:
    """Each edge as the names of its ends; a partitioning is named by its kind."""
    return {
        (plan.by_id[source].settings.name.upper(), node.settings.name.upper())
        for node in plan.nodes
        for source in node.inputs
    }
