"""Kinds of operators, partitionings and event-time windows, shared by plans and the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

__all__ = [
    "AlignedWindows",
    "EventWindows",
    "FunctionCall",
    "Given",
    "Lifting",
    "OperatorKind",
    "PartitionKind",
    "SessionWindows",
    "SourceColumns",
    "WindowFold",
    "keeps_no_state",
    "keeps_state",
]


def keeps_state(function: bytes, has_keys: bool) -> bool:
    """Return true: for kinds whose operators always have state that must survive an epoch."""
    return True


def keeps_no_state(function: bytes, has_keys: bool) -> bool:
    """Return false: for kinds whose operators have no state that must survive an epoch."""
    return False


class SourceColumns(Enum):
    """The process in which the elements of a source are available as columns."""

    NONE = "none"
    DRIVER = "the driver"
    WORKERS = "Python workers"
    TIMED = "Python workers, with timestamps"
    SPARK = "Spark"


class Lifting(Enum):
    """The purpose of the expression that a function is lifted to."""

    MAP = "computes the result"
    PROJECTION = "selects fields"
    PREDICATE = "keeps elements for which it is true"
    FLAT_MAP = "computes a list of results"
    TIMESTAMP = "computes the event time"
    FOLD = "folds the elements of a key"
    WINDOW_FOLD = "folds the elements of a window"

    @property
    def is_fold(self) -> bool:
        """Whether it combines many elements into one result."""
        return self in (Lifting.FOLD, Lifting.WINDOW_FOLD)

    @property
    def is_elementwise(self) -> bool:
        """Whether the results for an element depend on it alone."""
        return not self.is_fold and self is not Lifting.TIMESTAMP

    @property
    def keeps_columns(self) -> bool:
        """Whether results are elements, unchanged."""
        return self in (Lifting.PREDICATE, Lifting.TIMESTAMP)

    @property
    def may_drop(self) -> bool:
        """Whether there may be no result for an element."""
        return self in (Lifting.PREDICATE, Lifting.FLAT_MAP)


class Given(Enum):
    """An argument that an operator gives to a function."""

    ELEMENT = "an element"
    OTHER = "an element of the second input"
    ELEMENTS = "an iterable of elements"
    FIRST = "an element of the first of two joined streams"
    SECOND = "an element of the second of two joined streams"
    FIRSTS = "an iterable of elements of the first of two joined streams"
    SECONDS = "an iterable of elements of the second of two joined streams"
    KEY = "a key"
    TIME = "a time in ms"
    WINDOW = "a window"
    CONTEXT = "a context"


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a user function by an operator, from which the type of its results may be inferred.

    Attributes:
        function: the function, or bound method.
        arguments: what it is given; the results of another call, or an iterable of these in a list.
        many: whether it returns, or generates, any number of results.
        skips_none: whether a result of ``None`` is left out.
    """

    function: Any
    arguments: tuple[Given | FunctionCall | list[FunctionCall], ...]
    many: bool = False
    skips_none: bool = False


def no_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    """Return nothing: for kinds from whose function the type of results is not inferred."""
    return ()


def no_late_tags(function: Any) -> Mapping[str, int]:
    """Return nothing: for kinds without side outputs of late elements."""
    return {}


@dataclass(frozen=True, slots=True)
class OperatorKind:
    """A kind of operator: its properties and its factory.

    Each is described in the module of its operator, which must not import pyarrow at its top level:
    programs are built without it.

    Attributes:
        name: its display name, as in Flink.
        make: returns the operator of an ``OperatorSpec``, its function unpickled but not yet opened; the
            second argument says whether keyed operators process one key after another.
        method: the method of its function class that can be lifted.
        inputs: the number of its inputs.
        takes_batches: whether its function may be a batch function, called once per batch of elements.
        takes_columns: whether its function takes all elements of a batch at once where they are columns.
        keeps_type: whether results have their type by construction.
        one_to_one: whether each element has one result.
        side_outputs: whether its function can emit elements to side outputs.
        lifting: the purpose of the expression that its function can be lifted to, ``None`` if it cannot.
        liftable: for TIMESTAMP and WINDOW_FOLD, where the function is a description made by the engine:
            returns the timestamp extractor or the `WindowFold` in it, ``None`` if the operator does more.
        keeps_state: returns whether an operator has state that must survive an epoch, given its pickled
            function and whether it has keys.
        has_own_state: whether it has keyed state itself, apart from that of its function.
        calls: returns the calls whose results are those of the operator, given its function, and whether that
            is an object.
        late_tags: returns the ids of the side outputs of late elements, with the input that these are of.
    """

    name: str
    make: Callable[[Any, bool], Any] = field(compare=False, repr=False)
    method: str = ""
    inputs: int = 1
    takes_batches: bool = False
    takes_columns: bool = False
    keeps_type: bool = False
    one_to_one: bool = False
    side_outputs: bool = False
    lifting: Lifting | None = None
    liftable: Callable[[Any], Any] | None = field(default=None, compare=False, repr=False)
    keeps_state: Callable[[bytes, bool], bool] = field(default=keeps_state, compare=False, repr=False)
    has_own_state: bool = False
    calls: Callable[[Any, bool], tuple[FunctionCall, ...]] = field(
        default=no_calls, compare=False, repr=False
    )
    late_tags: Callable[[Any], Mapping[str, int]] = field(default=no_late_tags, compare=False, repr=False)


class PartitionKind(Enum):
    """A partitioning between operators; the value is Flink's name."""

    FORWARD = "FORWARD"
    REBALANCE = "REBALANCE"
    RESCALE = "RESCALE"
    SHUFFLE = "SHUFFLE"
    BROADCAST = "BROADCAST"
    GLOBAL = "GLOBAL"
    CUSTOM = "CUSTOM"
    HASH = "HASH"


@dataclass(frozen=True, slots=True)
class AlignedWindows:
    """Windows shared by all keys: tumbling or sliding.

    Attributes:
        size: in ms.
        slide: interval between the starts of windows, in ms; the size for tumbling windows.
        offset: offset of the starts of windows from multiples of the slide, in ms.
    """

    size: int
    slide: int
    offset: int


@dataclass(frozen=True, slots=True)
class SessionWindows:
    """Session windows of a key.

    Attributes:
        gap: time without elements after which a session ends, in ms; an element exactly then still joins it.
    """

    gap: int


EventWindows = AlignedWindows | SessionWindows


@dataclass(frozen=True, slots=True)
class WindowFold:
    """A fold of the contents of windows that fire once: at their end, or when they are full.

    Attributes:
        windows: the windows of event time; ``None`` for windows of a number of elements.
        function: the user's reduce or aggregate function.
        reduce: the reduce function as it is called, ``None`` for an aggregate function.
        accumulator_type: the type of the accumulators of an aggregate function.
        has_function: whether a window function is called with the results.
        keeps_late: whether late elements go to a side output.
        is_repeated: whether late elements are added to windows that have ended, each with another result;
            in batch mode there are none.
    """

    windows: EventWindows | None
    function: Any
    reduce: Callable[[Any, Any], Any] | None
    accumulator_type: Any
    has_function: bool = False
    keeps_late: bool = False
    is_repeated: bool = False
