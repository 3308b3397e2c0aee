"""Partitioners: which subtasks of the next task each element of a batch goes to."""

from __future__ import annotations

import pickle
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from operator import length_hint
from typing import Any

from pystream.runtime.failure import TaskFailure, short_repr
from pystream.runtime.spec import ExchangeOutput, PartitionKind
from pystream.runtime.task_info import SubtaskInfo
from typeinfo.errors import PyStreamError

__all__ = ["PartitionError", "Partitioner", "make_partitioner"]

Routed = Iterator[tuple[int, list[Any]]]


class PartitionError(PyStreamError, ValueError):
    """Report a target that is no subtask of the next task."""


class Partitioner(ABC):
    """Divides batches among the subtasks of the next task, keeping their order for each."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        self._targets = spec.targets

    @abstractmethod
    def route(self, values: list[Any]) -> Routed:
        """Yield pairs of target subtask and the elements it gets."""


class Forward(Partitioner):
    """Each subtask sends to the one of its own number."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._target = subtask.index

    def route(self, values: list[Any]) -> Routed:
        yield self._target, values


class Global(Partitioner):
    """All elements go to the first subtask."""

    def route(self, values: list[Any]) -> Routed:
        yield 0, values


class Broadcast(Partitioner):
    """All elements go to every subtask."""

    def route(self, values: list[Any]) -> Routed:
        for target in range(self._targets):
            yield target, values


class RoundRobin(Partitioner):
    """Elements go to the subtasks ``first`` to ``first + count - 1`` in turn.

    Subtasks start at different targets, so that many short inputs do not all fill the first one.
    """

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._first, self._count = self._span(subtask)
        self._turn = subtask.index % self._count

    def _span(self, subtask: SubtaskInfo) -> tuple[int, int]:
        return 0, self._targets

    def route(self, values: list[Any]) -> Routed:
        count = self._count
        for offset in range(min(count, len(values))):
            yield self._first + (self._turn + offset) % count, values[offset::count]
        self._turn = (self._turn + len(values)) % count


class Rescale(RoundRobin):
    """Elements go in turn to a share of the subtasks: with 2 senders and 4 receivers, to two each.

    With more senders than receivers, neighbouring senders share one receiver.
    """

    def _span(self, subtask: SubtaskInfo) -> tuple[int, int]:
        senders, receivers, index = subtask.parallelism, self._targets, subtask.index
        if senders >= receivers:
            return index * receivers // senders, 1
        first = -(-index * receivers // senders)
        end = -(-(index + 1) * receivers // senders)
        return first, end - first


class Shuffle(Partitioner):
    """Each element goes to a subtask drawn at random, all equally likely."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._random = random.Random()

    def route(self, values: list[Any]) -> Routed:
        drawn = self._random.choices(range(self._targets), k=len(values))
        return _grouped(values, drawn, self._targets)


class Custom(Partitioner):
    """A user function names the subtask for the key of each element."""

    def __init__(self, spec: ExchangeOutput, subtask: SubtaskInfo) -> None:
        super().__init__(spec, subtask)
        self._label = spec.label
        self._partition, self._key = pickle.loads(spec.function)

    def route(self, values: list[Any]) -> Routed:
        remaining = iter(values)
        try:
            drawn = [self._target(value) for value in remaining]
        except Exception as error:
            element = short_repr(values[len(values) - length_hint(remaining) - 1])
            raise TaskFailure.of(self._label, error, element) from error
        return _grouped(values, drawn, self._targets)

    def _target(self, value: Any) -> int:
        key = self._key(value)
        target = self._partition(key, self._targets)
        if type(target) is int and 0 <= target < self._targets:
            return target
        raise PartitionError(
            f"the partitioner gave {target!r} for the key {short_repr(key)}; "
            f"it must give an int from 0 to {self._targets - 1}"
        )


def _grouped(values: list[Any], targets: list[int], count: int) -> Routed:
    groups: list[list[Any]] = [[] for _ in range(count)]
    for value, target in zip(values, targets, strict=True):
        groups[target].append(value)
    return ((target, group) for target, group in enumerate(groups) if group)


_PARTITIONERS: dict[PartitionKind, type[Partitioner]] = {
    PartitionKind.FORWARD: Forward,
    PartitionKind.GLOBAL: Global,
    PartitionKind.BROADCAST: Broadcast,
    PartitionKind.REBALANCE: RoundRobin,
    PartitionKind.RESCALE: Rescale,
    PartitionKind.SHUFFLE: Shuffle,
    PartitionKind.CUSTOM: Custom,
}


def make_partitioner(spec: ExchangeOutput, subtask: SubtaskInfo) -> Partitioner:
    """Return the partitioner of one sending subtask."""
    return _PARTITIONERS[spec.kind](spec, subtask)
