"""Rule: set the maximum parallelism of every operator, and reject duplicate uids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pystream.errors import PlanError
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, SideOutputNode

__all__ = ["resolve_settings"]


def resolve_settings(plan: Plan, options: PlanOptions) -> Plan:
    """Set the maximum parallelism from the options for nodes that set none.

    A side output has the parallelism and max parallelism of its operator.

    Raises:
        PlanError: two operators have the same uid or uid hash, or a parallelism exceeds its upper bound.
    """
    _refuse_duplicates("uid", ((n, n.uid) for n in plan.nodes))
    _refuse_duplicates("uid hash", ((n, n.settings.uid_hash) for n in plan.nodes))
    resolved: dict[int, Node] = {}
    for node in plan.nodes:
        owner = resolved[node.inputs[0]] if isinstance(node, SideOutputNode) else None
        resolved[node.id] = _resolved(node, options) if owner is None else _like(node, owner)
    return Plan(tuple(resolved.values()))


def _resolved(node: Node, options: PlanOptions) -> Node:
    settings = node.settings
    parallelism = settings.parallelism
    assert parallelism is not None
    max_parallelism = settings.max_parallelism or options.max_parallelism
    if max_parallelism < 0:
        max_parallelism = default_max_parallelism(parallelism)
    if parallelism > max_parallelism:
        raise PlanError(
            f"{settings.name!r} ({settings.call_site}) has parallelism {parallelism}, above its maximum "
            f"{max_parallelism}; lower it or call set_max_parallelism({parallelism})"
        )
    return replace(node, settings=replace(settings, max_parallelism=max_parallelism))


def _like(node: Node, owner: Node) -> Node:
    settings = replace(
        node.settings,
        parallelism=owner.settings.parallelism,
        max_parallelism=owner.settings.max_parallelism,
    )
    return replace(node, settings=settings)


def default_max_parallelism(parallelism: int) -> int:
    """Return Flink's number of key groups: 1.5 times the parallelism as a power of two, 128 to 32767."""
    power_of_two = 1 << (parallelism + parallelism // 2 - 1).bit_length()
    return min(max(power_of_two, 128), 32767)


def _refuse_duplicates(what: str, values: Iterable[tuple[Node, str | None]]) -> None:
    seen: dict[str, Node] = {}
    for node, value in values:
        if value is None:
            continue
        other = seen.setdefault(value, node)
        if other is not node:
            raise PlanError(
                f"{what} {value!r} is used by both {other.settings.name!r} ({other.settings.call_site}) and "
                f"{node.settings.name!r} ({node.settings.call_site}); it must be unique in a job"
            )
