"""The collector keeps order and times, and side outputs apart."""

from __future__ import annotations

from typing import Any

from pystream.engine.events import NO_TIMESTAMP, Elements
from pystream.engine.output_tag import OutputTag
from pystream.engine.results.collector import Collector, joined
from typeinfo import Types

SIDE = OutputTag("side", Types.INT())


def taken(out: Collector) -> list[Elements]:
    return [batch._replace(origin=None) for batch in out.take()]


def test_results_keep_order_and_time() -> None:
    out = Collector()
    out.add_all([1, 2], 10)
    out.add(3, 20)
    out.add_all([], 30)
    assert taken(out) == [Elements([1, 2, 3], [10, 10, 20])]
    assert taken(out) == []


def test_times_are_left_out_where_there_are_none() -> None:
    out = Collector()
    out.add_all([1], NO_TIMESTAMP)
    assert taken(out) == [Elements([1])]
    out.add_all([1], NO_TIMESTAMP)
    out.add(2, 5)
    assert taken(out) == [Elements([1, 2], [NO_TIMESTAMP, 5])]
    out.add(3, NO_TIMESTAMP)
    assert taken(out) == [Elements([3])]


def test_pairs_with_a_tag_go_aside() -> None:
    out = Collector()
    other: OutputTag[Any] = OutputTag("other")
    out.add_all([(SIDE, 1), 2, (other, (3, 4)), (SIDE, 5)], 10)
    main, *sides = taken(out)
    assert main == Elements([2], [10])
    assert sides == [Elements([1, 5], [10, 10], "side"), Elements([(3, 4)], [10], "other")]


def test_only_pairs_that_begin_with_a_tag_go_aside() -> None:
    results = [(1, SIDE), (SIDE,), (SIDE, 1, 2), [SIDE, 1], SIDE, ("side", 1)]
    out = Collector()
    out.add_all(results, 1)
    (main,) = out.take()
    assert main.values == results


def test_results_show_what_they_are_made_from() -> None:
    out = Collector()
    out.element = "a"
    out.add_all([1, (SIDE, 2), 3], 10)
    out.element = "b"
    out.add(4, 20)
    first = list(out.take())
    out.add(5, 30)  # of a timer
    main, side = joined([*first, *out.take()])
    assert isinstance(main, Elements)
    assert isinstance(side, Elements)
    assert main.origin is not None
    assert side.origin is not None
    assert [main.origin(index) for index in range(4)] == ["'a'", "'a'", "'b'", ""]
    assert side.origin(0) == "'a'"


def test_a_full_collector_says_so() -> None:
    out = Collector()
    out.add_all(range(8_191), NO_TIMESTAMP)
    assert not out.is_full
    out.add(0, NO_TIMESTAMP)
    assert out.is_full
    list(out.take())
    assert not out.is_full


def test_results_aside_alone_give_no_main_batch() -> None:
    out = Collector()
    out.add_side(SIDE, 1, 5)
    assert taken(out) == [Elements([1], [5], "side")]
