"""InputDependencyConstraint: when a task may be scheduled."""

from __future__ import annotations

from enum import Enum

__all__ = ["InputDependencyConstraint"]


class InputDependencyConstraint(Enum):
    """Whether any or all inputs of a task must be ready before it starts.

    It has no effect: the host schedules the tasks. Mirrors
    ``org.apache.flink.api.common.InputDependencyConstraint``.
    """

    ANY = 0
    ALL = 1
