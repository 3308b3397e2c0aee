"""Options of a submission, as by ``pystream run``, for the environments that the program creates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

__all__ = ["ProgramPlanned", "refuse_to_run", "submit_options", "submit_to_be_planned", "submitted_options"]

_options: dict[str, str] = {}
_to_be_planned = False


class ProgramPlanned(BaseException):
    """Ends a program before its first job; not an Exception, so that programs do not catch it.

    Attributes:
        plan: the plan of the job.
    """

    def __init__(self, plan: str) -> None:
        super().__init__(plan)
        self.plan = plan


def submit_options(options: Mapping[str, str]) -> None:
    """Set the options of this process, by Flink's keys, replacing earlier ones."""
    _options.clear()
    _options.update(options)


def submitted_options() -> dict[str, str]:
    """Return the options of this process, by Flink's keys; empty unless submitted."""
    return dict(_options)


def submit_to_be_planned() -> None:
    """Request that the program of this process is planned, not run."""
    global _to_be_planned
    _to_be_planned = True


def refuse_to_run(plan: Callable[[], str]) -> None:
    """End the program of this process if only its plan is requested.

    Args:
        plan: returns the plan of the job about to run.

    Raises:
        ProgramPlanned: only the plan is requested.
    """
    if _to_be_planned:
        raise ProgramPlanned(plan())
