"""The rules that turn a logical plan into one that can be run; each is pure and idempotent."""

from __future__ import annotations

from collections.abc import Callable

from pystream.optimize.assign_chains import assign_chains
from pystream.optimize.choose_paths import choose_paths
from pystream.optimize.divide_sources import divide_sources
from pystream.optimize.make_partitions_explicit import make_partitions_explicit
from pystream.optimize.resolve_settings import resolve_settings
from pystream.plan.graph import Plan
from pystream.plan.options import PlanOptions

__all__ = ["RULES", "Rule", "optimize"]

Rule = Callable[[Plan, PlanOptions], Plan]

RULES: tuple[Rule, ...] = (
    resolve_settings,
    make_partitions_explicit,
    divide_sources,
    assign_chains,
    choose_paths,
)


def optimize(plan: Plan, options: PlanOptions) -> Plan:
    """Apply all rules in order.

    Raises:
        PlanError: the program contradicts itself, e.g. two operators share a uid.
    """
    for rule in RULES:
        plan = rule(plan, options)
    return plan
