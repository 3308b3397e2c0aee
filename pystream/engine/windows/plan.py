"""WindowPlan: the picklable description of a window operator, validated when a program is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pystream.engine.functions import missing_aggregate_methods
from pystream.engine.output_tag import OutputTag
from pystream.engine.windows.arguments import whole
from pystream.engine.windows.assigners import MergingWindowAssigner, WindowAssigner
from pystream.engine.windows.builtin_triggers import CountTrigger, EventTimeTrigger
from pystream.engine.windows.count_windows import (
    CountAssigner,
    CountSlidingWindowAssigner,
    CountTumblingWindowAssigner,
)
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.evictors import Evictor
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows
from pystream.engine.windows.triggers import Trigger
from pystream.kinds import AlignedWindows, EventWindows, FunctionCall, SessionWindows, WindowFold
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["CallsFunction", "WindowCall", "WindowPlan"]


class WindowCall(Enum):
    """The kind of a window function; the value is the name of its method."""

    NOTHING = ""
    APPLY = "apply"
    PROCESS = "process"


class CallsFunction:
    """A window function that calls a user's function, which must be opened and closed.

    Args:
        function: the user's function.
    """

    def __init__(self, function: Any) -> None:
        self.function = function

    def calls(self) -> tuple[FunctionCall, ...]:
        """Return the calls whose results are its own, nothing if their type is not to be inferred."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowPlan:
    """The description of a window operation; pickled as the function of an OperatorSpec.

    Attributes:
        assigner: assigns windows to elements.
        trigger: when a window fires.
        element_type: type of the elements.
        evictor: removes elements before or after the function, or ``None``.
        allowed_lateness: how long after its end an event-time window accepts elements, in ms.
        late_tag: side output of elements that come later, or ``None`` to drop and count them.
        reduce: the reduce function, or object with ``reduce``, or ``None``.
        aggregate: the AggregateFunction, or ``None``.
        accumulator_type: type of its accumulators.
        call: the kind of window function.
        function: the window function; with ``NOTHING`` it is ``None``, and the aggregate is the result.
        all_windows: whether the stream has no keys, and the function takes none.

    Raises:
        WindowTypeError: a part is of the wrong class, or the trigger cannot merge as the windows do.
        WindowError: the allowed lateness is negative.
    """

    assigner: WindowAssigner[Any, Any]
    trigger: Trigger[Any, Any]
    element_type: TypeInformation[Any] = PICKLED_BYTE_ARRAY
    evictor: Evictor[Any, Any] | None = None
    allowed_lateness: int = 0
    late_tag: OutputTag[Any] | None = None
    reduce: Any = None
    aggregate: Any = None
    accumulator_type: TypeInformation[Any] = PICKLED_BYTE_ARRAY
    call: WindowCall = WindowCall.NOTHING
    function: Any = None
    all_windows: bool = False

    def __post_init__(self) -> None:
        _require(self.assigner, WindowAssigner, "assigner")
        _require(self.trigger, Trigger, "trigger")
        if self.evictor is not None:
            _require(self.evictor, Evictor, "evictor")
        if self.late_tag is not None:
            _require(self.late_tag, OutputTag, "late output tag")
        if whole(self.allowed_lateness, "allowed_lateness") < 0:
            raise WindowError(f"allowed_lateness must not be negative, not {self.allowed_lateness} ms")
        if isinstance(self.assigner, MergingWindowAssigner) and not self.trigger.can_merge():
            raise WindowTypeError(
                f"windows of {self.assigner!r} merge, and {self.trigger!r} cannot: use a trigger whose"
                f" can_merge() is True and that has on_merge()"
            )
        if self.reduce is not None and not callable(self.fold):
            raise WindowTypeError(f"a window takes a ReduceFunction or a function, not {self.reduce!r}")
        if self.aggregate is not None and (missing := missing_aggregate_methods(self.aggregate)):
            raise WindowTypeError(f"an AggregateFunction needs {missing}(), which {self.aggregate!r} lacks")

    @property
    def user_functions(self) -> tuple[Any, ...]:
        """The functions to open and close: reduce, aggregate and window function, each possibly ``None``."""
        function = self.function
        called = function.function if isinstance(function, CallsFunction) else function
        return self.reduce, self.aggregate, called

    def window_fold(self) -> WindowFold | None:
        """Return the fold of windows, ``None`` if there is none or their trigger may fire repeatedly."""
        if self.evictor is not None or (self.reduce is None and self.aggregate is None):
            return None
        windows = _event_windows(self.assigner) if type(self.trigger) is EventTimeTrigger else None
        if windows is None and not self.is_counted:
            return None
        is_aggregate = self.aggregate is not None
        return WindowFold(
            windows,
            self.aggregate if is_aggregate else self.reduce,
            None if is_aggregate else self.fold,
            self.accumulator_type,
            has_function=self.call is not WindowCall.NOTHING,
            keeps_late=self.late_tag is not None,
            is_repeated=self.allowed_lateness > 0 and windows is not None,
        )

    @property
    def is_counted(self) -> bool:
        """Whether windows hold a number of elements, and fire once they do."""
        return (
            isinstance(self.assigner, CountAssigner)
            and type(self.assigner) in (CountTumblingWindowAssigner, CountSlidingWindowAssigner)
            and type(self.trigger) is CountTrigger
            and self.trigger.window_size == self.assigner.window_size
            and self.evictor is None
        )

    @property
    def fold(self) -> Callable[[Any, Any], Any]:
        """The reduce function as a function."""
        fold: Callable[[Any, Any], Any] = getattr(self.reduce, "reduce", self.reduce)
        return fold


def _event_windows(assigner: WindowAssigner[Any, Any]) -> EventWindows | None:
    if type(assigner) is TumblingEventTimeWindows:
        return AlignedWindows(assigner.size, assigner.size, assigner.offset)
    if type(assigner) is SlidingEventTimeWindows:
        return AlignedWindows(assigner.size, assigner.slide, assigner.offset)
    if type(assigner) is EventTimeSessionWindows:
        return SessionWindows(assigner.session_gap)
    return None


def _require(part: Any, cls: type[Any], name: str) -> None:
    if not isinstance(part, cls):
        hint = f"; did you mean {part.__name__}(…)?" if isinstance(part, type) else ""
        raise WindowTypeError(
            f"the {name} of a window must be of class {cls.__name__}, not {short_repr(part)}{hint}"
        )
