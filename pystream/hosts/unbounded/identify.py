"""The identity of the job of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pystream.engine.operators.broadcast.state import BROADCAST_STATE, declared_types
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.evolution import StateType
from pystream.hosts.lowering import Stage
from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity, StateInfo
from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, OperatorNode, SinkNode, SourceNode
from pystream.plan.query import Query

__all__ = ["KnownStates", "identity_of", "known_states"]


class KnownStates(NamedTuple):
    """The states of an operator that are known before it runs: all but those that functions use.

    Attributes:
        types: their types by name.
        layout: their arrangement, if there are several.
    """

    types: Mapping[str, StateType] = {}
    layout: str = ""


def known_states(stages: Iterable[Stage]) -> dict[str, KnownStates]:
    """Return the states of operators that are known before the job starts, by uid."""
    return {spec.label.uid: _states(spec) for stage in stages for spec in stage.task.operators}


def identity_of(name: str, plan: Plan, known: Mapping[str, KnownStates]) -> JobIdentity:
    """Return the identity of a job.

    The states of functions are not part of it: they are created while the functions run.

    Args:
        name: the name of the job.
        plan: its optimised plan.
        known: the states that are known before it starts.
    """
    operators = (node for node in plan.nodes if isinstance(node, SourceNode | OperatorNode | SinkNode))
    return JobIdentity(name, tuple(_operator(node, known.get(node.uid, KnownStates())) for node in operators))


def _states(spec: OperatorSpec) -> KnownStates:
    broadcast = declared_types(spec.broadcast_states)
    types = {f"{BROADCAST_STATE}{name}": declared for name, declared in broadcast.items()}
    if not spec.kind.has_own_state:
        return KnownStates(types)
    try:
        operator = spec.kind.make(spec, False)
    except Exception:  # noqa: BLE001 - the task fails to create it, too, and reports that
        return KnownStates(types)
    assert isinstance(operator, KeyedOperator)
    own = {state.descriptor.name: StateType.of(state.descriptor) for state in operator.own_states()}
    return KnownStates(types | own, operator.layout)


def _has_position(node: Node) -> bool:
    return isinstance(node, SourceNode) and not isinstance(node.source, Query)


def _operator(node: Node, known: KnownStates) -> OperatorIdentity:
    keys = node.keys if isinstance(node, OperatorNode) else ()
    broadcast = node.broadcast_states if isinstance(node, OperatorNode) else ()
    return OperatorIdentity(
        uid=node.uid,
        name=node.settings.name,
        kind=node.kind.name if isinstance(node, OperatorNode) else type(node).__name__.removesuffix("Node"),
        chain=node.id if node.chain is None else node.chain,
        parallelism=node.parallelism,
        max_parallelism=node.max_parallelism,
        key_type=str(keys[0].type_info) if keys else "",
        has_state=bool(keys or broadcast) or _has_position(node),
        states=tuple(StateInfo.of(name, declared) for name, declared in known.types.items()),
        layout=known.layout,
    )
