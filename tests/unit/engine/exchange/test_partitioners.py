"""Where each partitioner sends elements."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import Elements
from pystream.engine.exchange.partitioners import PARTITIONERS
from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.spec import ExchangeOutput
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.kinds import PartitionKind
from typeinfo import Types
from typeinfo.pickling import dumps

JOB = JobInfo("0" * 32, "test")
LABEL = OperatorLabel("Custom", "partition-1", "", "app.py:3")


def spec(kind: PartitionKind, targets: int, function: Any = None) -> ExchangeOutput:
    return ExchangeOutput(0, LABEL, kind, targets, dumps(function), Types.LONG)


def route(
    kind: PartitionKind,
    senders: int,
    targets: int,
    batches: list[list[Any]],
    index: int = 0,
    function: Any = None,
) -> list[list[Any]]:
    """The elements that each target receives from one sender, in order."""
    subtask = SubtaskInfo(JOB, index, senders, 128, 0)
    partitioner = PARTITIONERS[kind](spec(kind, targets, function), subtask)
    got: list[list[Any]] = [[] for _ in range(targets)]
    for batch in batches:
        for (target, _), elements in partitioner.route(Elements(batch)):
            got[target] += elements.values
    return got


def test_rebalance_deals_out_in_turn_across_batches() -> None:
    assert route(PartitionKind.REBALANCE, 1, 3, [[0, 1], [2, 3, 4, 5], [6]]) == [[0, 3, 6], [1, 4], [2, 5]]


def test_senders_of_a_rebalance_begin_at_different_targets() -> None:
    firsts = [route(PartitionKind.REBALANCE, 4, 4, [["x"]], index).index(["x"]) for index in range(4)]
    assert sorted(firsts) == [0, 1, 2, 3]


@given(st.lists(st.lists(st.integers(), min_size=1), max_size=6), st.integers(1, 5), st.integers(0, 4))
def test_rebalance_is_even_complete_and_keeps_order(
    batches: list[list[int]], targets: int, index: int
) -> None:
    numbered = list(enumerate(value for batch in batches for value in batch))
    cut, start = [], 0
    for batch in batches:
        cut.append(numbered[start : start + len(batch)])
        start += len(batch)
    got = route(PartitionKind.REBALANCE, 5, targets, cut, index)
    assert sorted(pair for part in got for pair in part) == numbered
    assert all(part == sorted(part) for part in got)
    assert max(map(len, got)) - min(map(len, got)) <= 1


@pytest.mark.parametrize(
    ("senders", "receivers", "expected"),
    [(2, 4, [{0, 1}, {2, 3}]), (4, 2, [{0}, {0}, {1}, {1}]), (3, 3, [{0}, {1}, {2}]), (1, 3, [{0, 1, 2}])],
)
def test_rescale_keeps_to_a_share_of_the_receivers(
    senders: int, receivers: int, expected: list[set[int]]
) -> None:
    for index in range(senders):
        got = route(PartitionKind.RESCALE, senders, receivers, [list(range(12))], index)
        assert {target for target, part in enumerate(got) if part} == expected[index]


@given(st.integers(1, 9), st.integers(1, 9))
def test_rescale_reaches_every_receiver(senders: int, receivers: int) -> None:
    reached: set[int] = set()
    for index in range(senders):
        got = route(PartitionKind.RESCALE, senders, receivers, [list(range(9))], index)
        reached |= {target for target, part in enumerate(got) if part}
    assert reached == set(range(receivers))


def test_broadcast_reaches_every_target_with_everything() -> None:
    assert route(PartitionKind.BROADCAST, 1, 3, [[1, 2]]) == [[1, 2], [1, 2], [1, 2]]


def test_global_reaches_the_first_only() -> None:
    assert route(PartitionKind.GLOBAL, 2, 3, [[1, 2]], index=1) == [[1, 2], [], []]


def test_forward_reaches_the_target_of_the_same_number() -> None:
    assert route(PartitionKind.FORWARD, 3, 3, [[1, 2]], index=2) == [[], [], [1, 2]]


def test_shuffle_loses_nothing_and_reaches_all_about_equally() -> None:
    got = route(PartitionKind.SHUFFLE, 1, 4, [list(range(4000))])
    assert sorted(value for part in got for value in part) == list(range(4000))
    # A fair draw leaves this range with a probability below 1e-9.
    assert all(800 < len(part) < 1200 for part in got)


def parity(key: int, count: int) -> int:
    return key % count


def itself(value: Any) -> Any:
    return value


def test_custom_follows_the_partitioner() -> None:
    got = route(PartitionKind.CUSTOM, 1, 2, [[1, 2, 3, 4]], function=(parity, itself))
    assert got == [[2, 4], [1, 3]]


def one_too_many(key: Any, count: int) -> int:
    return count


def raising(key: Any, count: int) -> int:
    raise KeyError(key)


@pytest.mark.parametrize(
    ("partitioner", "message"),
    [(one_too_many, "returned 2 for the key 7; it must return an int from 0 to 1"), (raising, "KeyError: 7")],
)
def test_a_bad_partitioner_is_reported_with_operator_and_element(partitioner: Any, message: str) -> None:
    with pytest.raises(TaskFailure) as caught:
        route(PartitionKind.CUSTOM, 1, 2, [[7]], function=(partitioner, itself))
    report = caught.value.report
    assert message in report.summary
    assert (report.element, "app.py:3" in report.operator) == ("7", True)
