"""The rules that optimise a logical plan until it can be run; each is pure and idempotent."""

from __future__ import annotations

from collections.abc import Callable

from pystream.plan.graph import Plan, PlanOptions
from pystream.rules.assign_chains import assign_chains
from pystream.rules.choose_paths import choose_paths
from pystream.rules.close_loops import close_loops
from pystream.rules.divide_sources import divide_sources
from pystream.rules.explain_real_time import explain_real_time
from pystream.rules.fill_caches import fill_caches
from pystream.rules.infer_types import infer_types
from pystream.rules.keep_in_python import keep_in_python
from pystream.rules.lift_functions import lift_functions
from pystream.rules.make_partitions_explicit import make_partitions_explicit
from pystream.rules.queries_in_python import queries_in_python
from pystream.rules.read_in_real_time import read_in_real_time
from pystream.rules.resolve_settings import resolve_settings
from pystream.rules.run_over_columns import run_over_columns

__all__ = ["OPTIMIZING", "PREPARING", "RESOLVING", "RULES", "Rule", "optimize"]

Rule = Callable[[Plan, PlanOptions], Plan]

RESOLVING: tuple[Rule, ...] = (
    resolve_settings,
    close_loops,
    fill_caches,
    queries_in_python,
    infer_types,
    make_partitions_explicit,
)
"""Rules that resolve defaults and implicit parts of the program."""

OPTIMIZING: tuple[Rule, ...] = (divide_sources,)
"""Rules that change how the program runs, but not its results."""

PREPARING: tuple[Rule, ...] = (
    assign_chains,
    read_in_real_time,
    lift_functions,
    keep_in_python,
    run_over_columns,
    choose_paths,
    explain_real_time,
)
"""Rules that choose the tasks and the execution paths of operators."""

RULES = RESOLVING + OPTIMIZING + PREPARING


def optimize(plan: Plan, options: PlanOptions, rules: tuple[Rule, ...] = RULES) -> Plan:
    """Apply rules in order.

    Args:
        plan: the plan.
        options: the options of the environment.
        rules: all of them by default.

    Raises:
        PlanError: the program contradicts itself, e.g. two operators share a uid.
    """
    for rule in rules:
        plan = rule(plan, options)
    return plan
