"""The errors pystream raises on purpose; all derive from `PyStreamError`."""

from __future__ import annotations

from typeinfo.errors import PyStreamError, TypeCheckError, TypeInferenceError, UnsupportedTypeError

__all__ = [
    "ConfigurationError",
    "ConnectorError",
    "DependencyError",
    "DeserializationError",
    "JobCancelledError",
    "JobExecutionError",
    "PlanError",
    "PlanTypeError",
    "PyStreamError",
    "SerializationError",
    "SinkError",
    "SourceError",
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


class ConnectorError(PyStreamError):
    """Report an input or output that cannot be reached; the message names the path."""


class SourceError(ConnectorError):
    """Report an input that is missing or cannot be read; the message names the path and the place in it."""


class SinkError(ConnectorError):
    """Report an output that cannot be written; the message names the path."""


class SerializationError(PyStreamError, ValueError):
    """Report an element that a format cannot write; the message names the field."""


class DeserializationError(PyStreamError, ValueError):
    """Report a message that a format cannot read; the message names the field."""
