"""An exchange by key: where elements, times and watermarks arrive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import MAX_WATERMARK, Elements, Watermark
from pystream.engine.exchange import batch_encoder
from pystream.engine.exchange import exchange as exchanges
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.exchange import Exchange
from pystream.engine.exchange.rows import END_OF_CHANNEL, END_OF_GROUPS, OutputRow
from pystream.engine.exchange.send_buffer import read_frame
from pystream.engine.failure import TaskFailure
from pystream.engine.keys import KeyGroups
from pystream.engine.spec import ExchangeOutput, KeySpec
from pystream.engine.task_info import SubtaskInfo
from pystream.kinds import PartitionKind
from tests.unit.engine.tasks import JOB, label
from typeinfo import Types
from typeinfo.pickling import dumps

GROUPS = 8
TYPE = Types.PICKLED_BYTE_ARRAY


def exchange(targets: int = 3, by_group: bool = False, select: Any = None, channel: int = 0) -> Exchange:
    key = KeySpec(dumps(select or (lambda value: value[0])), TYPE)
    spec = ExchangeOutput(
        7, label("Hash"), PartitionKind.HASH, targets, b"", TYPE, key, key_groups=GROUPS, by_group=by_group
    )
    return Exchange(spec, label("Source"), SubtaskInfo(JOB, channel, 2, GROUPS, 0))


def events(rows: list[OutputRow]) -> list[Any]:
    deserialize = ElementsFormat(TYPE).load_list
    return [event for row in rows for event in read_frame(row.payload, deserialize)]


def values(rows: list[OutputRow]) -> list[Any]:
    return [value for event in events(rows) if isinstance(event, Elements) for value in event.values]


def by_target(rows: list[OutputRow]) -> dict[int, list[OutputRow]]:
    shares = defaultdict(list)
    for row in rows:
        shares[row.target].append(row)
    return shares


PAIRS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 99)), min_size=1, max_size=50)


@given(PAIRS, st.integers(1, GROUPS), st.booleans())
def test_the_group_of_a_key_decides_its_subtask(
    pairs: list[tuple[str, int]], targets: int, by_group: bool
) -> None:
    sender = exchange(targets, by_group)
    rows = [*sender.write(Elements(pairs)), *sender.finish()]
    groups = KeyGroups(GROUPS)
    for row in rows:
        for key, _ in values([row]):
            assert row.target == groups[key] * targets // GROUPS
            assert row.group == (groups[key] if by_group else 0)
    assert sorted(values(rows)) == sorted(pairs)


@given(PAIRS)
def test_elements_of_a_key_keep_order_and_times(pairs: list[tuple[str, int]]) -> None:
    sender = exchange()
    half = len(pairs) // 2
    for part in (pairs[:half], pairs[half:]):
        if part:
            assert list(sender.write(Elements(part, [number for _, number in part]))) == []
    rows = list(sender.finish())
    arrived = defaultdict(list)
    for event in events(rows):
        for (key, number), time in zip(event.values, event.timestamps, strict=True):
            assert time == number
            arrived[key].append(number)
    assert arrived == {key: [n for k, n in pairs if k == key] for key, _ in pairs}


EVENTS = st.lists(st.one_of(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([1, 9_000])), st.none()))


@given(EVENTS, st.lists(st.integers(1, 9)), st.integers(1, 4))
def test_rows_do_not_depend_on_the_batches_in_which_elements_come(
    sequence: list[tuple[str, int] | None], sizes: list[int], targets: int
) -> None:
    """``None`` is a watermark; elements of 9,000 bytes shorten the rows after them."""

    def sent(sizes: Iterator[int]) -> list[OutputRow]:
        with patch.multiple(exchanges, _MAX_BUFFERED=9), patch.multiple(batch_encoder, ROW_BYTES=20_000):
            sender = exchange(targets)
            rows: list[OutputRow] = []
            batch: list[Any] = []
            size = next(sizes)
            for number, event in enumerate(sequence):
                if event is not None:
                    batch.append((event[0], "x" * event[1], number))
                if batch and (event is None or len(batch) == size):
                    rows += sender.write(Elements(batch, [value[2] for value in batch]))
                    batch, size = [], next(sizes)
                if event is None:
                    sender.advance(number)
            if batch:
                rows += sender.write(Elements(batch, [value[2] for value in batch]))
            return sorted([*rows, *sender.finish()])

    assert sent(chain(sizes, repeat(3))) == sent(repeat(1)) == sent(repeat(1_000))


def test_watermarks_follow_the_elements_to_every_subtask() -> None:
    sender = exchange(targets=3)
    list(sender.write(Elements([("a", 1)])))
    sender.advance(10)
    list(sender.write(Elements([("a", 2)])))
    sender.advance(20)
    sender.advance(MAX_WATERMARK)
    shares = by_target(list(sender.finish()))
    home = KeyGroups(GROUPS)["a"] * 3 // GROUPS
    for target in range(3):
        expected = [Watermark(20)]
        if target == home:
            expected = [Elements([("a", 1)]), Watermark(10), Elements([("a", 2)]), Watermark(20)]  # type: ignore[list-item]
        assert [event for event in events(shares[target]) if event != Elements([])] == expected


def test_key_groups_one_by_one_need_no_watermarks() -> None:
    sender = exchange(by_group=True)
    list(sender.write(Elements([("a", 1)])))
    sender.advance(10)
    assert events(list(sender.finish())) == [Elements([("a", 1)])]


def test_every_subtask_hears_of_the_end_behind_all_else() -> None:
    sender = exchange(targets=2, channel=1)
    rows = [*sender.write(Elements([("a", 1)])), *sender.finish(), *sender.end(b"measured")]
    ends = [row for row in rows if row.seq == END_OF_CHANNEL]
    assert ends == rows[-2:]
    assert [(row.edge, row.target, row.group, row.channel, row.payload) for row in ends] == [
        (7, 0, END_OF_GROUPS, 1, b"measured"),
        (7, 1, END_OF_GROUPS, 1, b""),
    ]


def test_rows_of_a_channel_are_numbered() -> None:
    sender = exchange(targets=1)
    rows = [*sender.write(Elements([("a", number) for number in range(20_000)])), *sender.finish()]
    assert [row.seq for row in rows] == list(range(len(rows)))
    assert len(rows) > 1
    assert values(rows) == [("a", number) for number in range(20_000)]


def test_few_keys_fill_rows_whatever_the_number_of_key_groups() -> None:
    with patch.multiple(exchanges, _MAX_BUFFERED=GROUPS):
        sender = exchange(by_group=True)
        rows = [*sender.write(Elements([("a", number) for number in range(10_000)])), *sender.finish()]
    assert len(rows) < 20


@pytest.mark.parametrize("size", [1, 1_000])
def test_elements_of_many_keys_are_not_held_back(size: int) -> None:
    pairs = [("abcdefgh"[number % 8], number) for number in range(10_000)]
    with patch.multiple(exchanges, _MAX_BUFFERED=1_000):
        sender = exchange(by_group=True)
        sent = [
            row
            for start in range(0, 10_000, size)
            for row in sender.write(Elements(pairs[start : start + size]))
        ]
    assert len(values(sent)) == 8_191


@pytest.mark.parametrize(
    ("select", "reason"),
    [
        (lambda value: None, "None"),
        (lambda value: [object()], "cannot be a key"),
        (lambda value: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_an_element_without_a_key_is_named(select: Any, reason: str) -> None:
    with pytest.raises(TaskFailure, match=rf"(?s)'Hash'.*{reason}.*element: \('a', 1\)"):
        list(exchange(select=select).write(Elements([("a", 1)])))
