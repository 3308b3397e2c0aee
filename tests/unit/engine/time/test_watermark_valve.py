"""The watermark of an input is the lowest of its channels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.time.watermark_valve import WatermarkValve


def test_one_channel_is_the_input() -> None:
    valve = WatermarkValve(1)
    assert valve.watermark == NO_TIMESTAMP
    assert valve.advance("a", 5) == 5
    assert valve.advance("a", 7) == 7
    assert valve.watermark == 7


def test_every_channel_is_waited_for() -> None:
    valve = WatermarkValve(2)
    assert valve.advance("a", 5) is None
    assert valve.advance("b", 3) == 3
    assert valve.advance("a", 6) is None
    assert valve.advance("b", 10) == 6


def test_what_lies_back_changes_nothing() -> None:
    valve = WatermarkValve(1)
    valve.advance("a", 5)
    assert valve.advance("a", 5) is None
    assert valve.advance("a", 4) is None
    assert valve.watermark == 5


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-9, 9))))
def test_it_is_the_lowest_of_the_highest(steps: list[tuple[int, int]]) -> None:
    valve = WatermarkValve(3)
    reached = [NO_TIMESTAMP] * 3
    given_out = []
    for channel, watermark in steps:
        reached[channel] = max(reached[channel], watermark)
        emitted = valve.advance(channel, watermark)
        assert valve.watermark == min(reached)
        if emitted is not None:
            given_out.append(emitted)
    assert given_out == sorted(set(given_out))
    assert (given_out[-1] if given_out else NO_TIMESTAMP) == min(reached)
