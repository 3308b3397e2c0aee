"""Errors of keyed state."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["StateAccessError", "StateMigrationError", "StateStorageError", "TimeToLiveError"]


class StateAccessError(PyStreamError, RuntimeError):
    """State or timers were used without a current key, or a state was declared in two ways."""


class StateMigrationError(PyStreamError, RuntimeError):
    """Stored state has a type that cannot be migrated to the declared one.

    Mirrors ``org.apache.flink.util.StateMigrationException``.
    """


class StateStorageError(PyStreamError, TypeError):
    """State of a known type holds something that is not data, such as a function."""


class TimeToLiveError(PyStreamError, ValueError):
    """A time to live is invalid."""
