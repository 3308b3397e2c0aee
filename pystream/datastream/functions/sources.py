"""Base class of sources written in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, Self, TypeVar

from pystream.engine.connectors.function_source import CheckpointedFunction
from pystream.engine.connectors.source_context import SourceContext
from pystream.errors import UnsupportedOperationError

__all__ = ["CheckpointedFunction", "SourceContext", "SourceFunction"]

OUT = TypeVar("OUT", covariant=True)


class SourceFunction(ABC, Generic[OUT]):
    """A source written in Python, for ``add_source``; it is unbounded, though its ``run`` may return.

    An instance is pickled when it is added, and rebuilt in the driver, where ``run`` is called in a thread of
    its own; connections are made there. What the job has taken from it becomes part of a checkpoint before it
    is processed, so that a job that fails processes it again, exactly once. What comes next depends on the
    function:

    - With ``snapshot_state`` and ``restore_state`` (`CheckpointedFunction`), a restarted function is restored
      to the state it had when the job last took elements, and ``run`` resumes from there: nothing is lost,
      nothing doubled, provided that it changes its state and emits under the same
      ``ctx.get_checkpoint_lock()``.
    - Without, ``run`` starts over. A function that generates elements emits them again; one
      that listens to a service loses what was sent meanwhile, and the few elements that it had emitted but
      the job had not yet taken.

    An exception in ``run`` fails the job. Mirrors
    ``org.apache.flink.streaming.api.functions.source.SourceFunction``.

    Raises:
        UnsupportedOperationError: the name of a Java class was passed, which only PyFlink accepts.

    Examples:
        >>> from pystream.datastream import SourceFunction
        >>> class Numbers(SourceFunction[int]):
        ...     def __init__(self):
        ...         self.next = 0
        ...         self.is_running = True
        ...
        ...     def run(self, ctx):
        ...         while self.is_running:
        ...             with ctx.get_checkpoint_lock():
        ...                 ctx.collect(self.next)
        ...                 self.next += 1
        ...
        ...     def cancel(self):
        ...         self.is_running = False
        ...
        ...     def snapshot_state(self):
        ...         return self.next
        ...
        ...     def restore_state(self, state):
        ...         self.next = state
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if cls is SourceFunction and args:
            raise UnsupportedOperationError(
                f"SourceFunction({', '.join(map(repr, args))}): source functions written in Java cannot run "
                "on Spark; use from_source with a FileSource, or write a subclass with run() and cancel()"
            )
        return super().__new__(cls)

    @abstractmethod
    def run(self, ctx: SourceContext[OUT], /) -> None:
        """Emit elements until there are no more, or until ``cancel`` was called.

        Args:
            ctx: emits them; a call waits while the job is behind, and ends ``run`` once it was cancelled.
        """

    @abstractmethod
    def cancel(self) -> None:
        """Make ``run`` return, for example by setting a flag that it checks; called from another thread."""
