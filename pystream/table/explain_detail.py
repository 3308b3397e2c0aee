"""ExplainDetail: what a plan shows besides."""

from __future__ import annotations

from enum import Enum

__all__ = ["ExplainDetail"]


class ExplainDetail(Enum):
    """A detail of the plans of ``explain``.

    Plans here show paths, types and what is updated already, and there are no costs and no advice: only the
    plan as JSON is added.

    Mirrors ``org.apache.flink.table.api.ExplainDetail``.
    """

    ESTIMATED_COST = 0
    """The cost of each operator by the estimates of Flink's planner; nothing is added."""

    CHANGELOG_MODE = 1
    """The changes that each operator emits; nothing is added."""

    JSON_EXECUTION_PLAN = 2
    """The plan as JSON for Flink's plan visualizer."""

    PLAN_ADVICE = 3
    """What Flink's planner advises; nothing is added."""
