"""UserDefinedFunction: the base class of function classes that queries call."""

from __future__ import annotations

from abc import ABC

from pystream.engine.function_context import FunctionContext

__all__ = ["UserDefinedFunction"]


class UserDefinedFunction(ABC):  # noqa: B024 - each kind of function adds its own abstract method
    """A function with a life cycle on every task.

    An instance is pickled when it is given a name in SQL, and rebuilt in each task. What cannot be pickled,
    such as a connection, is made in ``open``.
    Mirrors ``org.apache.flink.table.functions.UserDefinedFunction``.
    """

    def open(self, function_context: FunctionContext) -> None:  # noqa: B027 - most functions need neither
        """Prepare the function; called once per task before the first call."""

    def close(self) -> None:  # noqa: B027
        """Release resources; called once per task after the last call, also after a failure."""

    def is_deterministic(self) -> bool:
        """Return whether equal arguments always have equal results, so that some calls may be left out."""
        return True
