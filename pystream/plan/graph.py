"""Plan: the immutable graph of a program, the options for its rules, and the builder that adds operators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from pystream.plan.cache import CachedElements
from pystream.plan.nodes import (
    CacheNode,
    CollectTarget,
    FeedbackNode,
    Node,
    OperatorNode,
    PartitionNode,
    SinkNode,
    SourceNode,
)

__all__ = ["Plan", "PlanBuilder", "PlanOptions", "RunnablePlan"]

N = TypeVar("N", bound=Node)
_NONE: Mapping[int, Node] = MappingProxyType({})


@dataclass(frozen=True)
class Plan:
    """A program as a directed acyclic graph.

    Attributes:
        nodes: inputs precede the nodes that use them.
    """

    nodes: tuple[Node, ...]

    @cached_property
    def by_id(self) -> dict[int, Node]:
        """The nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def consumers(self) -> dict[int, tuple[Node, ...]]:
        """For each id, the nodes that use its elements, once per use."""
        found: dict[int, list[Node]] = {node.id: [] for node in self.nodes}
        for node in self.nodes:
            for source in node.inputs:
                found[source].append(node)
        return {id: tuple(nodes) for id, nodes in found.items()}

    @property
    def sinks(self) -> tuple[SinkNode, ...]:
        """The sinks in program order, without those for queries."""
        sinks = (node for node in self.nodes if isinstance(node, SinkNode))
        return tuple(node for node in sinks if not self.consumers[node.id])

    @property
    def unbounded_sources(self) -> tuple[SourceNode, ...]:
        """The sources that do not end, in program order."""
        sources = (node for node in self.nodes if isinstance(node, SourceNode))
        return tuple(node for node in sources if not node.source.is_bounded)

    def native_operators_after(self, node: Node) -> list[OperatorNode]:
        """Return the operators with a native step that follow a node one after another."""
        found: list[OperatorNode] = []
        while True:
            match self.consumers[node.id]:
                case (PartitionNode() as node,):
                    pass
                case (OperatorNode() as node,) if node.native is not None:
                    found.append(node)
                case _:
                    return found

    def limit_after(self, node: Node) -> int | None:
        """Return the maximum number of elements needed from a node, or ``None`` if unknown.

        It is known if operators with one result per element, and no exchange, lead from the node to a
        collecting sink with a limit.
        """
        while True:
            match self.consumers[node.id]:
                case (SinkNode(target=CollectTarget(limit)),):
                    return limit
                case (OperatorNode() as node,) if node.kind.one_to_one:
                    pass
                case _:
                    return None


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Defaults and switches for the rules.

    Attributes:
        max_parallelism: of operators that set none; -1 derives it from their parallelism.
        chaining: whether neighbours may share a task.
        strict_types: whether a plan with pickled elements is refused.
        batch: whether the plan runs in batch mode.
        checkpointing: whether checkpoints are enabled.
        lifting: whether functions may run as expressions of Spark.
        why_not_lifted: the reason if they may not.
        fields: whether functions may run over the fields of elements that are columns.
        can_run_again: whether the job can restart without lifting if an expression meets a value that it
            does not support.
        infer_types: whether types that are not declared are inferred.
        real_time: whether the job is to run in Spark's Real-Time Mode.
    """

    max_parallelism: int
    chaining: bool = True
    strict_types: bool = False
    batch: bool = False
    checkpointing: bool = False
    lifting: bool = True
    why_not_lifted: str = "pystream.lifting is off"
    fields: bool = True
    can_run_again: bool = True
    infer_types: bool = True
    real_time: bool = False


class RunnablePlan(NamedTuple):
    """A plan to run, with the caches that it reads.

    Attributes:
        plan: the plan, in which filled caches are sources.
        cached: the elements of these caches, to be kept referenced while they may be read.
    """

    plan: Plan
    cached: tuple[CachedElements, ...]


class PlanBuilder:
    """Holds the nodes of a program while it is built; nodes are replaced, never modified."""

    def __init__(self) -> None:
        self._nodes: dict[int, Node] = {}
        self._pending: set[int] = set()

    def add(self, kind: type[N], /, **fields: Any) -> N:
        """Add a node with the next id."""
        node = kind(id=len(self._nodes) + 1, **fields)
        self._nodes[node.id] = node
        return node

    def node(self, id: int) -> Node:
        """Return the current version of a node."""
        return self._nodes[id]

    def consumers(self, id: int) -> tuple[Node, ...]:
        """Return the nodes added so far that use the elements of a node."""
        return tuple(node for node in self._nodes.values() if id in node.inputs)

    def leads_to(self, before: int, after: int) -> bool:
        """Return whether the elements of one node reach another node, added later."""
        return any(node.id == before for node in self.plan([after]).nodes)

    def set(self, id: int, **settings: Any) -> None:
        """Change settings of a node, and of the nodes before it that are part of the same source.

        The source has the uid and its hash; nodes after it have a uid made of it.
        """
        node = self._nodes[id]
        if node.settings.part_of is not None and isinstance(node, OperatorNode):
            self.set(node.settings.part_of, **settings)
            settings.pop("uid_hash", None)
            if settings.get("uid"):
                settings["uid"] = f"{settings['uid']}:{node.kind.name}"
        self._nodes[id] = replace(node, settings=replace(node.settings, **settings))

    def set_type(self, id: int, type_info: Any, origin: str) -> None:
        """Change the type of a node that has no consumers yet."""
        self._nodes[id] = replace(self._nodes[id], type_info=type_info, type_origin=origin)

    @property
    def pending(self) -> list[int]:
        """The nodes to run that no job has run yet, in program order; without parts of sources."""
        return [id for id in sorted(self._pending) if self._nodes[id].settings.part_of is None]

    def schedule(self, id: int) -> None:
        """Have a node run, whether or not another one uses its elements."""
        self._pending.add(id)

    def unschedule(self, ids: Iterable[int]) -> None:
        """Take nodes out of those that are still to run."""
        self._pending.difference_update(ids)

    @property
    def caches(self) -> tuple[CacheNode, ...]:
        """The cached streams in program order."""
        return tuple(node for node in self._nodes.values() if isinstance(node, CacheNode))

    def program(self, ids: Iterable[int], *, batch: bool) -> RunnablePlan:
        """Return the part of the program that the given nodes need, with filled caches as sources.

        Args:
            ids: the nodes.
            batch: whether it is to run in batch mode.
        """
        filled = {
            node.id: (node, elements)
            for node in self.caches
            if (elements := node.cache.elements(batch=batch)) is not None
        }
        plan = self.plan(ids, {id: _reading(*cache) for id, cache in filled.items()})
        return RunnablePlan(plan, tuple(elements for id, (_, elements) in filled.items() if id in plan.by_id))

    def plan(self, ids: Iterable[int], instead: Mapping[int, Node] = _NONE) -> Plan:
        """Return the part of the program that the given nodes need, including the nodes.

        A loop is included together with all its inputs.

        Args:
            ids: the nodes.
            instead: nodes that replace others.
        """
        nodes = {**self._nodes, **instead}
        feedbacks = [node for node in nodes.values() if isinstance(node, FeedbackNode)]
        wanted: set[int] = set()
        open_ids = list(ids)
        while open_ids:
            id = open_ids.pop()
            if id not in wanted:
                wanted.add(id)
                open_ids += nodes[id].inputs
                open_ids += [feedback.id for feedback in feedbacks if feedback.head == id]
        return Plan(tuple(nodes[id] for id in sorted(wanted)))


def _reading(node: CacheNode, elements: CachedElements) -> SourceNode:
    return SourceNode(
        id=node.id,
        type_info=node.type_info,
        type_origin="the cached stream",
        settings=replace(
            node.settings,
            name=node.title,
            parallelism=elements.channels,
            max_parallelism=elements.channels,
        ),
        source=elements.source(),
    )
