"""Calls on partitions: elements are combined in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import pytest

from pystream.dataset.partitions import CombineCall, PreReduceCall
from pystream.engine.context import RuntimeContext
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.task_info import SubtaskInfo
from tests.unit.engine.tasks import JOB

CALL = TypeVar("CALL", bound=CombineCall | PreReduceCall)


def opened(call: CALL) -> CALL:
    call.open(RuntimeContext(SubtaskInfo(JOB, 0, 1, 128, 0), "Test", MetricRegistry().group("Test")))
    return call


def passed_on(call: CombineCall | PreReduceCall, values: Any) -> Iterator[Any]:
    for value in values:
        yield from call.process(value)


def total() -> PreReduceCall:
    return opened(PreReduceCall(lambda a, b: a + b, "reduce", (), lambda value: value % 10))


def test_elements_are_held_while_combining_makes_them_fewer() -> None:
    call = total()
    assert list(passed_on(call, range(200_000))) == []
    assert dict(call.end()) == {key: sum(range(key, 200_000, 10)) for key in range(10)}


def test_elements_are_passed_on_when_they_have_too_many_keys() -> None:
    call = opened(PreReduceCall(lambda a, b: a + b, "reduce", (), lambda value: value))
    passed = list(passed_on(call, range(200_000)))
    assert len(passed) > 100_000
    assert [*passed, *call.end()] == [(value, value) for value in range(200_000)]


@pytest.mark.parametrize(
    "call",
    [
        CombineCall(lambda group: [sum(group)], "", (), lambda value: [value]),
        PreReduceCall(lambda a, b: a + b, "reduce", (), lambda value: [value]),
    ],
    ids=["combine", "reduce"],
)
def test_elements_whose_key_cannot_be_hashed_are_passed_on(call: CombineCall | PreReduceCall) -> None:
    call = opened(call)
    assert list(passed_on(call, [1, 1])) == [([1], 1), ([1], 1)]
    assert list(call.end()) == []
