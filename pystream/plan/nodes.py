"""The nodes of a plan: sources, operators, partitionings, unions, loops and sinks, all immutable."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal

from pystream.expressions.expression import Expression
from pystream.expressions.field_code import FieldCode
from pystream.expressions.folds import Accumulation, Reduction
from pystream.expressions.key_columns import KeyColumns
from pystream.kinds import OperatorKind, PartitionKind, SourceColumns
from pystream.plan.cache import Cache
from pystream.plan.function import UserFunction
from pystream.plan.native import NativeStep
from typeinfo.info import TypeInformation

__all__ = [
    "CacheNode",
    "CacheTarget",
    "Chaining",
    "CollectTarget",
    "ColumnsTarget",
    "FeedbackNode",
    "IterationNode",
    "KeyFunction",
    "Node",
    "NodeSettings",
    "NotInferred",
    "OperatorNode",
    "PartitionNode",
    "Path",
    "PathChoice",
    "PrintTarget",
    "SideOutputNode",
    "SinkNode",
    "SourceNode",
    "TYPE_OF_INPUT",
    "UnionNode",
    "UnknownType",
]

Path = Literal["native", "arrow", "vectorised", "fields", "typed", "pickled"]


class Chaining(Enum):
    """Whether an operator may be chained to the previous and the next operator.

    Mirrors ``org.apache.flink.streaming.api.operators.ChainingStrategy``.
    """

    ALWAYS = "always"
    HEAD = "head"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """The settings of an operator.

    Attributes:
        name: display name.
        uid: the stable id given by the user, or ``None`` to derive one.
        uid_hash: the stable hash given by the user, or ``None``.
        parallelism: number of subtasks, or ``None`` until the node is added to a program.
        max_parallelism: upper bound of the parallelism, or ``None`` for the environment's.
        non_parallel: whether the parallelism is fixed at one.
        chaining: whether it may share a task with its neighbours.
        slot_sharing_group: name of the group, or ``None`` to inherit.
        buffer_timeout: flush interval in ms, -1 for the environment's.
        min_resources: the resources that it needs at least, an opaque description.
        preferred_resources: the resources that it prefers.
        description: a longer text for plans.
        call_site: the place in the program that added it.
        part_of: id of the node before it that is part of the same source, as one operator of Flink.
    """

    name: str
    uid: str | None = None
    uid_hash: str | None = None
    parallelism: int | None = None
    max_parallelism: int | None = None
    non_parallel: bool = False
    chaining: Chaining = Chaining.ALWAYS
    slot_sharing_group: str | None = None
    buffer_timeout: int = -1
    min_resources: Any = None
    preferred_resources: Any = None
    description: str = ""
    call_site: str = ""
    part_of: int | None = None


@dataclass(frozen=True, slots=True)
class PathChoice:
    """The execution path of an operator, and the reason for it.

    Attributes:
        path: the execution path.
        why_not_faster: the obstacle to a faster path and its remedy, empty if there is no faster path.
    """

    path: Path
    why_not_faster: str = ""


TYPE_OF_INPUT: Final = "the elements' type"
"""Origin of the produced type of operators that keep the type of their elements, for messages."""


class UnknownType(str):
    """The reason why a node does not know the type of its elements, as its ``type_origin``."""

    __slots__ = ()


class NotInferred(UnknownType):
    """The reason why a node does not know the type of its elements, after an attempt to infer it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Base class of the nodes of a plan.

    Attributes:
        id: position in the program; inputs have smaller ids.
        inputs: ids of its input nodes.
        type_info: type of the elements it emits.
        type_origin: the origin of that type, for ``explain``.
        settings: the user's settings.
        chain: id of the first node of the task it runs in; set by a rule.
        choice: the execution path; set by a rule.
    """

    id: int
    inputs: tuple[int, ...] = ()
    type_info: TypeInformation[Any]
    type_origin: str = ""
    settings: NodeSettings
    chain: int | None = None
    choice: PathChoice | None = None

    @property
    def parallelism(self) -> int:
        """The number of subtasks; only in a plan whose settings are resolved."""
        assert self.settings.parallelism is not None
        return self.settings.parallelism

    @property
    def max_parallelism(self) -> int:
        """The number of key groups; only in a plan whose settings are resolved."""
        assert self.settings.max_parallelism is not None
        return self.settings.max_parallelism

    @property
    def resolved_chain(self) -> int:
        """The id of the first node of its task; only in a plan divided into chains."""
        assert self.chain is not None
        return self.chain

    @property
    def title(self) -> str:
        """The name shown in plans and messages."""
        return self.settings.name

    @property
    def uid(self) -> str:
        """The stable id: the user's, or one derived from kind and position."""
        return self.settings.uid or f"{type(self).__name__.removesuffix('Node').lower()}-{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNode(Node):
    """A source.

    One that is a query has inputs: a sink for each stream that it reads, which makes columns of it.

    Attributes:
        source: a ``BoundedSource``, an ``UnboundedSource``, a ``Query``, or an object only Spark's host
            understands.
        divisible: whether elements may be distributed round-robin to any number of subtasks.
        columns: where the elements are columns, so that expressions can follow.
        not_columns: why those of a table are not, and what to do.
        observed: the type that its first elements have, if none is declared.
    """

    source: Any = field(repr=False)
    divisible: bool = False
    columns: SourceColumns = SourceColumns.NONE
    not_columns: str = ""
    observed: TypeInformation[Any] | None = None

    @property
    def title(self) -> str:
        """The name with the kind of node, as in ``Source: numbers``."""
        return f"Source: {self.settings.name}"


@dataclass(frozen=True, slots=True)
class KeyFunction:
    """A key selector and the type of its keys.

    Attributes:
        function: the user's function.
        type_info: type of the keys.
        columns: the function as expressions over columns, if it has that form; set by a rule.
    """

    function: UserFunction
    type_info: TypeInformation[Any]
    columns: KeyColumns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNode(Node):
    """An operator with one input or two.

    Attributes:
        kind: the kind of the operator.
        function: the user's function; for some kinds a plan that contains it, such as a WindowPlan; for
            PROJECT the tuple of field positions.
        keys: the key selector of each input; empty for operators without keys.
        broadcast_states: descriptors of the states changed by the elements of the second, broadcast input.
        native: its step on the columns of a table, if it was lifted; set by a rule.
        not_native: the reason why its function was not lifted, if that was attempted; set by a
            rule.
        arrow: the columns of its results, its condition, or the list of its results, as expressions that have
            kernels; empty if they have none; set by a rule.
        fields: the code of its function on the fields of elements, if it takes columns; set by a rule.
        not_fields: the reason why its function needs whole elements, if it could have columns; set by a rule.
        fold: the fold of columns that its function is, if it is one; set by a rule.
        not_results: the reason why the results of this fold are made by calls, if they are; set by a rule.
    """

    kind: OperatorKind
    function: UserFunction
    keys: tuple[KeyFunction, ...] = ()
    broadcast_states: tuple[Any, ...] = ()
    native: NativeStep | None = None
    not_native: str = ""
    arrow: tuple[Expression, ...] = ()
    fields: FieldCode | None = None
    not_fields: str = ""
    fold: Reduction | Accumulation | None = None
    not_results: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOutputNode(Node):
    """The results of an operator with a certain tag.

    Attributes:
        tag: id of the tag.
    """

    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionNode(Node):
    """A partitioning of elements among the subtasks of the next operator.

    Attributes:
        kind: the strategy.
        function: for CUSTOM, the pair (partitioner, key selector).
        key: for HASH, the key selector.
        side: the input of the next operator that it feeds; set by a rule.
    """

    kind: PartitionKind
    function: UserFunction | None = None
    key: KeyFunction | None = None
    side: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionNode(Node):
    """The union of several inputs of one type, with duplicates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationNode(Node):
    """The head of a loop: merges its input and its feedbacks.

    Attributes:
        max_wait_time_ms: how long Flink would wait for feedback; a bounded loop ends when none is left.
    """

    max_wait_time_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackNode(Node):
    """The end of a loop, which feeds elements back to its head.

    Attributes:
        head: id of the loop's IterationNode.
    """

    head: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheNode(Node):
    """A cached stream: the elements of its input, stored when a job computes them.

    Attributes:
        cache: the cache to fill.
    """

    cache: Cache = field(repr=False)

    @property
    def title(self) -> str:
        """The name, with a note if the cache is filled."""
        return f"{self.settings.name} ({'filled' if self.cache.is_filled else 'empty'})"


@dataclass(frozen=True, slots=True)
class CacheTarget:
    """A cache that the job fills.

    Attributes:
        cache: the cache.
        generation: its generation when the job was planned.
    """

    cache: Cache
    generation: int


@dataclass(frozen=True, slots=True)
class PrintTarget:
    """Prints to the driver's standard output, one line per element.

    Attributes:
        identifier: a prefix of each line, or empty.
        shows_subtask: whether lines start with the subtask number at a parallelism above 1.
        to_error: whether it prints to standard error instead.
    """

    identifier: str
    shows_subtask: bool = True
    to_error: bool = False


@dataclass(frozen=True, slots=True)
class CollectTarget:
    """Returns elements to the program.

    Attributes:
        limit: maximum number of elements, or ``None`` for all.
        as_columns: whether they are returned as batches of columns.
    """

    limit: int | None
    as_columns: bool = False


@dataclass(frozen=True, slots=True)
class ColumnsTarget:
    """A Spark data frame, for the program or for a query.

    Attributes:
        as_type: the type of its rows, if it is not that of the elements.
    """

    as_type: TypeInformation[Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkNode(Node):
    """A sink.

    Attributes:
        target: a ``BoundedSink`` or one of the targets of this module.
    """

    target: Any = field(repr=False)

    @property
    def title(self) -> str:
        """The name with the kind of node, as in ``Sink: results``."""
        return f"Sink: {self.settings.name}"

    @property
    def is_for_driver(self) -> bool:
        """Whether its elements go to the driver, to be printed or returned to the program."""
        return isinstance(self.target, (CollectTarget, PrintTarget))
