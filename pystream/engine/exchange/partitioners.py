"""Partitioners: assign the elements of a batch to subtasks of the next task."""

from __future__ import annotations

import pickle
import random
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pystream.engine.events import Elements, Timestamps
from pystream.engine.failure import ElementFailure, TaskFailure, call_each, short_repr
from pystream.engine.keys import CodedKeys, InvalidKeyError, KeyGroups, KeyReader
from pystream.engine.lifecycle import Lifecycle
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import ExchangeOutput
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.timestamps import taken_timestamps
from pystream.engine.vectorised.columns import ColumnValues
from pystream.kinds import PartitionKind
from typeinfo.errors import PyStreamError

__all__ = ["PartitionError", "StreamPartitioner", "PARTITIONERS"]

_BEFORE_GROUPS = -1  # rows reach a subtask in the order of their groups

Routed: TypeAlias = "Iterator[tuple[tuple[int, int], Elements]]"


class PartitionError(PyStreamError, ValueError):
    """A partitioner returned an index that is not a subtask of the next task."""


class StreamPartitioner(ABC):
    """Divide batches among the subtasks of the next task, keeping the order for each."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        self._targets = spec.targets

    def open(self, environment: OperatorEnvironment) -> None:  # noqa: B027 - few call user functions
        """Prepare user functions; called once, before the first batch."""

    def close(self) -> None:  # noqa: B027
        """Release the resources of user functions; called once, after a failure too."""

    @abstractmethod
    def route(self, elements: Elements) -> Routed:
        """Yield target addresses (subtask and key group, or 0), each with its elements."""


class Forward(StreamPartitioner):
    """Send each element to the subtask with the sender's number."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._target = subtask.index

    def route(self, elements: Elements) -> Routed:
        yield (self._target, 0), elements


class Global(StreamPartitioner):
    """Send all elements to the first subtask."""

    def route(self, elements: Elements) -> Routed:
        yield (0, 0), elements


class Broadcast(StreamPartitioner):
    """Send all elements to every subtask, before those of other inputs if they must come first."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._group = _BEFORE_GROUPS if spec.first else 0

    def route(self, elements: Elements) -> Routed:
        for target in range(self._targets):
            yield (target, self._group), elements


class RoundRobin(StreamPartitioner):
    """Send elements to the subtasks ``first`` to ``first + count - 1`` in turn.

    Subtasks start at different targets, so that many short inputs do not all fill the first one.
    """

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._first, self._count = self._span(subtask)
        self._turn = subtask.index % self._count

    def _span(self, subtask: SubtaskInfo) -> tuple[int, int]:
        return 0, self._targets

    def route(self, elements: Elements) -> Routed:
        count, values, timestamps = self._count, elements.values, elements.timestamps
        for offset in range(min(count, len(values))):
            times = None if timestamps is None else timestamps[offset::count]
            yield (self._first + (self._turn + offset) % count, 0), Elements(values[offset::count], times)
        self._turn = (self._turn + len(values)) % count


class Rescale(RoundRobin):
    """Send elements in turn to a subset of the subtasks: with 2 senders and 4 receivers, to two each.

    With more senders than receivers, neighbouring senders share one receiver.
    """

    def _span(self, subtask: SubtaskInfo) -> tuple[int, int]:
        senders, receivers, index = subtask.parallelism, self._targets, subtask.index
        if senders >= receivers:
            return index * receivers // senders, 1
        first = -(-index * receivers // senders)
        end = -(-(index + 1) * receivers // senders)
        return first, end - first


class Shuffle(StreamPartitioner):
    """Send each element to a random subtask, uniformly, and the same one in every run."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._random = random.Random(f"{spec.edge} {subtask.index}")

    def route(self, elements: Elements) -> Routed:
        drawn = self._random.choices(range(self._targets), k=len(elements.values))
        return _divided(elements, drawn, [(target, 0) for target in range(self._targets)])


class Custom(StreamPartitioner):
    """Send each element to the subtask that a user-defined function of the key returns."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._label = spec.label
        functions = dict(zip(("partition", "get_key"), pickle.loads(spec.function), strict=True))
        self._partition, self._key = (getattr(owner, name, owner) for name, owner in functions.items())
        owners = [owner for name, owner in functions.items() if hasattr(owner, name)]
        self._hooks = Lifecycle(spec.label, owners)

    def open(self, environment: OperatorEnvironment) -> None:
        self._hooks.open(environment.runtime_context())

    def close(self) -> None:
        self._hooks.close()

    def route(self, elements: Elements) -> Routed:
        try:
            drawn = call_each(self._target, elements.values)
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        return _divided(elements, drawn, [(target, 0) for target in range(self._targets)])

    def _target(self, value: Any) -> int:
        key = self._key(value)
        target = self._partition(key, self._targets)
        if type(target) is int and 0 <= target < self._targets:
            return target
        raise PartitionError(
            f"the partitioner returned {target!r} for the key {short_repr(key)}; "
            f"it must return an int from 0 to {self._targets - 1}"
        )


class Hash(StreamPartitioner):
    """Send each element to the subtask that owns the key group of its key."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        assert spec.key is not None
        self._reader = KeyReader(spec.key, spec.label)
        self._groups = KeyGroups(spec.key_groups)
        targets = [group * spec.targets // spec.key_groups for group in range(spec.key_groups)]
        self._target_of = None if spec.by_group else targets
        groups = enumerate(targets) if spec.by_group else ((0, target) for target in range(spec.targets))
        self._addresses = [(target, group) for group, target in groups]

    def open(self, environment: OperatorEnvironment) -> None:
        self._reader.open(environment)

    def close(self) -> None:
        self._reader.close()

    def route(self, elements: Elements) -> Routed:
        keys = self._reader.read(elements.values)
        try:
            drawn = list(map(self._groups.__getitem__, keys.distinct_slots))
        except (InvalidKeyError, TypeError) as error:
            raise self._reader.failure(elements.values, keys, error) from error
        if self._target_of is not None:
            drawn = list(map(self._target_of.__getitem__, drawn))
        if isinstance(keys, CodedKeys) and isinstance(elements.values, ColumnValues):
            numbers = np.array(drawn, np.int64)[keys.codes]
            return _divided_columns(elements.values, elements.timestamps, numbers, self._addresses)
        return _divided(elements, drawn, self._addresses)


def _divided(elements: Elements, drawn: list[int], addresses: list[tuple[int, int]]) -> Routed:
    values, timestamps = elements.values, elements.timestamps
    if isinstance(values, ColumnValues) and values.are_columns:
        return _divided_columns(values, timestamps, np.array(drawn), addresses)
    return _divided_list(values, timestamps, drawn, addresses)


def _divided_list(
    values: Sequence[Any], timestamps: Timestamps | None, drawn: list[int], addresses: list[tuple[int, int]]
) -> Routed:
    shares: defaultdict[int, list[Any]] = defaultdict(list)
    for value, number in zip(values, drawn, strict=True):
        shares[number].append(value)
    if timestamps is None:
        return ((addresses[i], Elements(share)) for i, share in shares.items())
    times: defaultdict[int, list[int]] = defaultdict(list)
    for timestamp, number in zip(timestamps, drawn, strict=True):
        times[number].append(timestamp)
    return ((addresses[i], Elements(share, times[i])) for i, share in shares.items())


def _divided_columns(
    values: ColumnValues,
    timestamps: Timestamps | None,
    drawn: npt.NDArray[np.int64],
    addresses: list[tuple[int, int]],
) -> Routed:
    """Divide columns: sort them by address once, so that each share is a slice."""
    order = np.argsort(drawn.astype(np.uint16), kind="stable")  # a radix sort
    ordered = values.taken(order)
    times = None if timestamps is None else taken_timestamps(timestamps, order)
    numbers, starts = np.unique(drawn[order], return_index=True)
    bounds = [*starts.tolist(), len(order)]
    for number, start, end in zip(numbers.tolist(), bounds, bounds[1:], strict=False):
        yield addresses[number], Elements(ordered[start:end], None if times is None else times[start:end])


PARTITIONERS: dict[PartitionKind, type[StreamPartitioner]] = {
    PartitionKind.FORWARD: Forward,
    PartitionKind.GLOBAL: Global,
    PartitionKind.BROADCAST: Broadcast,
    PartitionKind.REBALANCE: RoundRobin,
    PartitionKind.RESCALE: Rescale,
    PartitionKind.SHUFFLE: Shuffle,
    PartitionKind.CUSTOM: Custom,
    PartitionKind.HASH: Hash,
}
