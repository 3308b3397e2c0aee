"""PlanOptions: environment settings that apply to a whole plan."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PlanOptions"]


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
        can_run_again: whether the job can restart without lifting if an expression meets a value that it
            does not support.
    """

    max_parallelism: int
    chaining: bool = True
    strict_types: bool = False
    batch: bool = False
    checkpointing: bool = False
    lifting: bool = True
    why_not_lifted: str = "pystream.lifting is off"
    can_run_again: bool = True
