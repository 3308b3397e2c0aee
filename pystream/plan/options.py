"""Options of the environment that hold for a whole plan and its execution."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PlanOptions"]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Defaults and switches the rules obey.

    Attributes:
        max_parallelism: of operators that set none; -1 derives it from their parallelism.
        chaining: whether neighbours may share a task.
        strict_types: whether a plan with pickled elements is refused.
        batch: whether the plan runs in batch mode.
        checkpointing: whether checkpoints were asked for.
        lifting: whether functions may run as expressions of Spark.
        why_not_lifted: the reason if they may not.
        can_run_again: whether the job can begin anew without lifting, should an expression meet a value it
            was not made for.
    """

    max_parallelism: int
    chaining: bool = True
    strict_types: bool = False
    batch: bool = False
    checkpointing: bool = False
    lifting: bool = True
    why_not_lifted: str = "pystream.lifting is off"
    can_run_again: bool = True
