"""Errors raised by pystream; all derive from `PyStreamError`."""

from __future__ import annotations

from typeinfo.errors import PyStreamError, TypeCheckError, TypeInferenceError, UnsupportedTypeError

__all__ = [
    "ArgumentTypeError",
    "CheckpointError",
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
    "SqlError",
    "TypeCheckError",
    "TypeInferenceError",
    "UnknownAttributeError",
    "UnsupportedOperationError",
    "UnsupportedTypeError",
]


class ConfigurationError(PyStreamError, ValueError):
    """A setting has an invalid value; the message names the setting, the value and the allowed range."""


class DependencyError(PyStreamError):
    """A file or package for the workers is missing or unusable; the message names it."""


class PlanError(PyStreamError, ValueError):
    """A program cannot be translated into a plan."""


class PlanTypeError(PlanError, TypeError):
    """An argument has the wrong class, such as a number instead of a function."""


class ArgumentTypeError(PlanTypeError, ConfigurationError):
    """An argument of a call, or a setting, has the wrong class; the message names it and what it must be."""


class JobExecutionError(PyStreamError):
    """A job failed while it ran."""


class JobCancelledError(JobExecutionError):
    """A job was cancelled before it finished."""


class UnsupportedOperationError(PyStreamError):
    """An operation of Flink is not supported by this engine; the message says why."""


class UnknownAttributeError(PyStreamError, AttributeError):
    """An object has no such attribute; the message names the one to use instead."""


class SqlError(PyStreamError, ValueError):
    """A SQL statement is wrong or not supported; the message names the place in it.

    Args:
        message: what is wrong.
        fragment: the part of the query that Spark complains of, in its dialect.
    """

    def __init__(self, message: str, fragment: str = "") -> None:
        super().__init__(message)
        self.fragment = fragment


class CheckpointError(PyStreamError):
    """A checkpoint or savepoint cannot be written, read or resumed; the message names the path."""


class ConnectorError(PyStreamError):
    """An input or output cannot be reached; the message names the path."""


class SourceError(ConnectorError):
    """An input is missing or cannot be read; the message names the path and the place in it."""


class SinkError(ConnectorError):
    """An output cannot be written; the message names the path."""


class SerializationError(PyStreamError, ValueError):
    """A format cannot write an element; the message names the field."""


class DeserializationError(PyStreamError, ValueError):
    """A format cannot read a message; the message names the field."""
