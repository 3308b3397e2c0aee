"""TaskSpec: the picklable description of a task, with its operators and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.connectors.interfaces import BoundedSink, EpochSink
from pystream.engine.failure import OperatorLabel
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.expressions.key_columns import KeyColumns
from pystream.kinds import OperatorKind, PartitionKind
from typeinfo.info import TypeInformation

__all__ = [
    "BROADCAST_SIDE",
    "CacheOutput",
    "CollectOutput",
    "ColumnsOutput",
    "Consumer",
    "DroppingOutput",
    "ExchangeOutput",
    "FeedbackSpec",
    "JointSpec",
    "KeySpec",
    "OperatorSpec",
    "PortSpec",
    "PrintOutput",
    "SideOutputSpec",
    "SinkOutput",
    "TaskSpec",
    "operators_of",
]


BROADCAST_SIDE = 1
"""The broadcast input of an operator with broadcast state."""


@dataclass(frozen=True, slots=True)
class KeySpec:
    """Key selector and key type of a keyed stream.

    Attributes:
        selector: the cloudpickled function from an element to its key.
        type_info: the type of the keys; pickled if it is not known.
        is_object: whether the selector is an object that is opened, and called by ``get_key``.
        columns: the selector as expressions over columns, ``None`` if it is called with each element.
    """

    selector: bytes
    type_info: TypeInformation[Any]
    is_object: bool = False
    columns: KeyColumns | None = None


@dataclass(frozen=True, slots=True)
class OperatorSpec:
    """An operator of a chain.

    Attributes:
        label: its name in messages.
        kind: the kind of the operator.
        function: the cloudpickled user function, in a VectorFunction if it takes batches; for some kinds a
            plan that contains it (WindowPlan, WatermarkPlan, IntervalJoinPlan, AsyncPlan); for PROJECT the
            field positions.
        is_object: whether the function is an instance of a function class, called by its methods.
        output_type: the type that its results must have.
        trusted: whether results have that type by construction, so that they are not validated.
        consumers: the consumers of its results; each receives all of them.
        keys: the key selector of each input; empty for operators without keys.
        side_outputs: the consumers of results with an OutputTag; those of other tags are dropped.
        broadcast_states: descriptors of the states changed by the elements of the second, broadcast input.
        columns: the forms in which the function runs over columns, ``None`` if it takes elements only.
    """

    label: OperatorLabel
    kind: OperatorKind
    function: bytes
    output_type: TypeInformation[Any]
    trusted: bool
    consumers: tuple[Consumer, ...]
    is_object: bool = False
    keys: tuple[KeySpec, ...] = ()
    side_outputs: tuple[SideOutputSpec, ...] = ()
    broadcast_states: tuple[MapStateDescriptor[Any, Any], ...] = ()
    columns: ColumnForms | None = None

    @property
    def becomes_columns(self) -> bool:
        """Whether results only become columns, and so are validated, and copied, when they are encoded."""
        match self.consumers:
            case (ColumnsOutput() | CollectOutput(as_columns=True),):
                return True
        return False

    @property
    def keeps_state(self) -> bool:
        """Whether the operator has state that must survive an epoch."""
        return self.kind.keeps_state(self.function, bool(self.keys))


@dataclass(frozen=True, slots=True)
class SideOutputSpec:
    """A side output and its consumers.

    Attributes:
        tag: id of its OutputTag.
        type_info: the type that its elements must have.
        consumers: their consumers.
    """

    tag: str
    type_info: TypeInformation[Any]
    consumers: tuple[Consumer, ...]


@dataclass(frozen=True, slots=True)
class ExchangeOutput:
    """Sends elements to the subtasks of another task.

    Attributes:
        edge: number of the edge within the job.
        label: the operator that partitions, for messages.
        kind: the partitioning.
        targets: parallelism of the receiving task.
        function: for CUSTOM, the cloudpickled pair (partitioner, key selector).
        type_info: type of the elements.
        key: for HASH, the function from an element to its key.
        key_groups: for HASH, the number of key groups.
        by_group: for HASH, whether each row holds elements of one key group only.
        first: for BROADCAST, whether its elements precede those of all other edges.
    """

    edge: int
    label: OperatorLabel
    kind: PartitionKind
    targets: int
    function: bytes
    type_info: TypeInformation[Any]
    key: KeySpec | None = None
    key_groups: int = 0
    by_group: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class CollectOutput:
    """Sends elements to the driver.

    Attributes:
        edge: number of the edge within the job.
        type_info: type of the elements.
        limit: the maximum number of elements that the driver needs from a subtask, or ``None``.
        as_columns: whether they are sent as batches of columns.
    """

    edge: int
    type_info: TypeInformation[Any]
    limit: int | None
    as_columns: bool = False


@dataclass(frozen=True, slots=True)
class PrintOutput:
    """Sends each element as a line of text to the driver, which prints it.

    Attributes:
        edge: number of the edge within the job.
        type_info: type of the elements, which decides their text.
        identifier: a prefix of each line, or empty.
        show_subtask: whether each line starts with the 1-based subtask number.
    """

    edge: int
    type_info: TypeInformation[Any]
    identifier: str
    show_subtask: bool


@dataclass(frozen=True, slots=True)
class CacheOutput:
    """Caches elements, with their timestamps and watermarks, for later jobs.

    Its task always has another output.

    Attributes:
        edge: number of the edge within the job.
        type_info: type of the elements.
    """

    edge: int
    type_info: TypeInformation[Any]


@dataclass(frozen=True, slots=True)
class ColumnsOutput:
    """Returns elements to the host as columns; it is the only output of its task.

    Attributes:
        type_info: the type of the elements.
        as_type: the type of the columns, if it is another one that the elements are made fit for.
    """

    type_info: TypeInformation[Any]
    as_type: TypeInformation[Any] | None = None


@dataclass(frozen=True, slots=True)
class DroppingOutput:
    """Drops elements: the results of an operator that runs for its effects.

    Attributes:
        edge: number of the edge within the job, on which the driver gets the metrics of the task.
    """

    edge: int


@dataclass(frozen=True, slots=True)
class SinkOutput:
    """Writes elements to a sink; the driver commits them.

    Attributes:
        edge: number of the edge within the job.
        label: the sink.
        sink: the target.
        by_epochs: whether each epoch is committed, instead of the files of the whole job.
    """

    edge: int
    label: OperatorLabel
    sink: BoundedSink | EpochSink
    by_epochs: bool = False


@dataclass(frozen=True, slots=True)
class PortSpec:
    """One input edge of a joint of the same task.

    Attributes:
        joint: uid of the joint's operator.
        side: the input of the operator that its elements are for.
    """

    joint: str
    side: int


@dataclass(frozen=True, slots=True)
class FeedbackSpec:
    """Feeds elements back to the head of a loop of the same task, after all elements before them.

    Attributes:
        head: uid of the head.
    """

    head: str


Consumer = (
    OperatorSpec
    | PortSpec
    | FeedbackSpec
    | ExchangeOutput
    | CollectOutput
    | PrintOutput
    | CacheOutput
    | ColumnsOutput
    | DroppingOutput
    | SinkOutput
)


@dataclass(frozen=True, slots=True)
class JointSpec:
    """A joint: an operator with several input edges within its task, its ports.

    Attributes:
        operator: the operator.
        channels: the number of ports.
    """

    operator: OperatorSpec
    channels: int


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """The description of a task, the same for all its subtasks.

    Attributes:
        name: the operator names joined by `` -> ``.
        parallelism: number of subtasks.
        max_parallelism: upper bound of the parallelism.
        input_label: the operator that emitted the input elements, for messages.
        input_type: type of the input elements; of the first input, if there are two.
        consumers: their consumers.
        channels: the number of channels of watermarks.
        joints: the operators with several input edges within the task, senders before receivers.
    """

    name: str
    parallelism: int
    max_parallelism: int
    input_label: OperatorLabel
    input_type: TypeInformation[Any]
    consumers: tuple[Consumer, ...]
    channels: int = 1
    joints: tuple[JointSpec, ...] = ()

    @property
    def operators(self) -> list[OperatorSpec]:
        """All operators, downstream first."""
        return operators_of((*self.consumers, *(joint.operator for joint in self.joints)))

    @property
    def passes_columns(self) -> bool:
        """Whether the task does nothing but turn its elements into columns."""
        match self.consumers:
            case (ColumnsOutput(type_info=t),):
                return t == self.input_type
        return False

    @property
    def keeps_state(self) -> bool:
        """Whether an operator has state that must survive an epoch."""
        return any(operator.keeps_state for operator in self.operators)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle operators in a flat list, as the nesting depth of pickles is limited."""
        operators = self.operators
        numbers = {id(operator): number for number, operator in enumerate(operators)}

        def numbered(consumers: Iterable[Consumer]) -> tuple[Any, ...]:
            return tuple(numbers.get(id(consumer), consumer) for consumer in consumers)

        own = {field.name: getattr(self, field.name) for field in fields(self)}
        own["consumers"] = numbered(self.consumers)
        own["joints"] = tuple((numbers[id(joint.operator)], joint.channels) for joint in self.joints)
        return _unpickled, ([_following(operator, numbered) for operator in operators], own)


def operators_of(consumers: Iterable[Consumer]) -> list[OperatorSpec]:
    """Return the operators among the consumers and all downstream operators, downstream first."""
    found = []
    ahead = list(consumers)
    while ahead:
        consumer = ahead.pop()
        if isinstance(consumer, OperatorSpec):
            found.append(consumer)
            ahead += consumer.consumers
            for side in consumer.side_outputs:
                ahead += side.consumers
    return found[::-1]


def _following(operator: OperatorSpec, consumers: Any) -> OperatorSpec:
    """Return an operator with other consumers, in the main output and in side outputs."""
    sides = (replace(side, consumers=consumers(side.consumers)) for side in operator.side_outputs)
    return replace(operator, consumers=consumers(operator.consumers), side_outputs=tuple(sides))


def _unpickled(operators: Sequence[OperatorSpec], own: dict[str, Any]) -> TaskSpec:
    whole: list[OperatorSpec] = []

    def named(consumers: Iterable[Any]) -> tuple[Consumer, ...]:
        return tuple(whole[one] if isinstance(one, int) else one for one in consumers)

    for operator in operators:
        whole.append(_following(operator, named))
    own["consumers"] = named(own["consumers"])
    own["joints"] = tuple(JointSpec(whole[number], channels) for number, channels in own["joints"])
    return TaskSpec(**own)
