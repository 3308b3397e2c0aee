"""Kinds of operators, partitionings and event-time windows, in the words that plans and the engine share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

__all__ = [
    "AlignedWindows",
    "EventWindows",
    "Lifting",
    "OperatorKind",
    "PartitionKind",
    "SessionWindows",
    "SourceColumns",
]


class SourceColumns(Enum):
    """The processes that have the elements of a source as columns."""

    NONE = "none"
    DRIVER = "the driver"
    WORKERS = "Python workers"
    SPARK = "Spark"


class Lifting(Enum):
    """The use of the expression that a function is lifted to."""

    MAP = "computes the result"
    PROJECTION = "selects fields"
    PREDICATE = "keeps elements for which it is true"
    FLAT_MAP = "computes a list of results"
    TIMESTAMP = "computes the event time"
    FOLD = "folds the elements of a key"
    WINDOW_FOLD = "folds the elements of a window"

    @property
    def is_fold(self) -> bool:
        """Whether it makes one result of many elements."""
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


@dataclass(frozen=True, slots=True)
class OperatorKind:
    """Kind of operator: its properties, and the factory of its operators.

    Each is described in the module of its operator, which must not import pyarrow at its top level:
    programs are built without it.

    Attributes:
        name: its display name, as in Flink.
        make: returns the operator of an ``OperatorSpec``, its function unpickled but not yet opened; the
            second argument tells whether keyed operators work on one key after another.
        method: the method of its function class that can be lifted.
        inputs: the number of its inputs.
        takes_batches: whether its function may take batches of elements.
        keeps_type: whether results have their type by construction.
        one_to_one: whether each element has one result.
        side_outputs: whether its function can emit elements to side outputs.
        lifting: the use of the expression that its function can be lifted to, ``None`` if it cannot.
    """

    name: str
    make: Callable[[Any, bool], Any] = field(compare=False, repr=False)
    method: str = ""
    inputs: int = 1
    takes_batches: bool = False
    keeps_type: bool = False
    one_to_one: bool = False
    side_outputs: bool = False
    lifting: Lifting | None = None


class PartitionKind(Enum):
    """Partitioning between operators; the value is Flink's name."""

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
    """Windows that all keys share: tumbling, or sliding.

    Attributes:
        size: in ms.
        slide: from one beginning to the next, in ms; tumbling windows have their size.
        offset: offset of the beginnings of windows from multiples of the slide, in ms.
    """

    size: int
    slide: int
    offset: int


@dataclass(frozen=True, slots=True)
class SessionWindows:
    """Windows of a key that end where nothing comes for some time.

    Attributes:
        gap: how long after its last element a session ends, in ms; one that comes just then belongs to it.
    """

    gap: int


EventWindows = AlignedWindows | SessionWindows
