"""Settings of a submission, such as by ``pystream run``, for the environments that the program creates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

__all__ = ["ProgramPlanned", "refuse_to_run", "submit_options", "submit_to_be_planned", "submitted_options"]

_options: dict[str, str] = {}
_to_be_planned = False


class ProgramPlanned(BaseException):
    """End a program where it would run its first job; no error, so that programs do not catch it.

    Attributes:
        plan: the plan of the job.
    """

    def __init__(self, plan: str) -> None:
        super().__init__(plan)
        self.plan = plan


def submit_options(options: Mapping[str, str]) -> None:
    """Set the options of this process, by Flink's keys, instead of those set before."""
    _options.clear()
    _options.update(options)


def submitted_options() -> dict[str, str]:
    """Return the options of this process, by Flink's keys; none unless it was started with some."""
    return dict(_options)


def submit_to_be_planned() -> None:
    """Have the program of this process planned, not run."""
    global _to_be_planned
    _to_be_planned = True


def refuse_to_run(plan: Callable[[], str]) -> None:
    """End the program of this process if it is to be planned only.

    Args:
        plan: returns the plan of the job it was about to run.

    Raises:
        ProgramPlanned: it is to be planned only.
    """
    if _to_be_planned:
        raise ProgramPlanned(plan())
