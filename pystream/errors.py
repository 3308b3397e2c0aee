"""The errors pystream raises on purpose; all derive from `PyStreamError`."""

from __future__ import annotations

from typeinfo.errors import PyStreamError, TypeCheckError, TypeInferenceError, UnsupportedTypeError

__all__ = [
    "ConfigurationError",
    "DependencyError",
    "JobCancelledError",
    "JobExecutionError",
    "PlanError",
    "PlanTypeError",
    "PyStreamError",
    "TypeCheckError",
    "TypeInferenceError",
    "UnsupportedOperationError",
    "UnsupportedTypeError",
]


class ConfigurationError(PyStreamError, ValueError):
    """Report a setting whose value is not allowed; the message names the setting, the value and the range."""


class DependencyError(PyStreamError):
    """Report a file or package for the workers that is missing or unusable; the message names it."""


class PlanError(PyStreamError, ValueError):
    """Report a program that cannot be turned into a plan."""


class PlanTypeError(PlanError, TypeError):
    """Report an argument of the wrong class, such as a number where a function is taken."""


class JobExecutionError(PyStreamError):
    """Report a job that failed while it ran."""


class JobCancelledError(JobExecutionError):
    """Report a job that was cancelled before it finished."""


class UnsupportedOperationError(PyStreamError):
    """Report a call that Flink offers and this engine cannot carry out; the message says why."""
