"""What the environment decides for a whole plan."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PlanOptions"]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Defaults and switches the rules obey.

    Attributes:
        parallelism: of operators that set none.
        max_parallelism: of operators that set none; -1 derives it from their parallelism.
        chaining: whether neighbours may share a task.
        strict_types: whether a plan with pickled elements is refused.
    """

    parallelism: int
    max_parallelism: int
    chaining: bool = True
    strict_types: bool = False
