"""WatermarkValve: the watermark of an input is the lowest of its channels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.events import NO_TIMESTAMP
from pystream.engine.time.watermark_valve import WatermarkValve


def test_one_channel() -> None:
    valve = WatermarkValve(1)
    assert valve.watermark == NO_TIMESTAMP
    assert valve.advance("a", 5) == 5
    assert valve.advance("a", 7) == 7
    assert valve.watermark == 7


def test_the_watermark_waits_for_all_channels() -> None:
    valve = WatermarkValve(2)
    assert valve.advance("a", 5) is None
    assert valve.advance("b", 3) == 3
    assert valve.advance("a", 6) is None
    assert valve.advance("b", 10) == 6


def test_lower_watermarks_are_ignored() -> None:
    valve = WatermarkValve(1)
    valve.advance("a", 5)
    assert valve.advance("a", 5) is None
    assert valve.advance("a", 4) is None
    assert valve.watermark == 5


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-9, 9))))
def test_the_watermark_is_the_minimum_over_channels(steps: list[tuple[int, int]]) -> None:
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


def test_a_channel_that_is_removed_does_not_hold_back_the_watermark() -> None:
    valve = WatermarkValve(2)
    valve.advance("a", 5)
    valve.advance("b", 3)
    valve.remove("b")
    assert valve.watermark == 3
    assert valve.advance("c", 4) == 4
    valve.mark("a", idle=True)
    valve.remove("a")
    assert valve.resize(1) is None
    assert not valve.is_idle
    assert valve.advance("c", 6) == 6


class TestIdleChannels:
    def test_an_idle_channel_does_not_hold_back_the_watermark(self) -> None:
        valve = WatermarkValve(2)
        valve.advance("a", 5)
        assert valve.mark("b", idle=True) == 5
        assert valve.advance("a", 7) == 7
        assert not valve.is_idle

    def test_a_watermark_makes_a_channel_active(self) -> None:
        valve = WatermarkValve(2)
        valve.advance("a", 5)
        valve.mark("b", idle=True)
        assert valve.advance("b", 6) is None
        assert valve.advance("a", 9) == 6

    def test_a_channel_that_is_behind_holds_nothing_back_until_it_has_caught_up(self) -> None:
        valve = WatermarkValve(2)
        valve.advance("a", 5)
        valve.mark("b", idle=True)
        valve.mark("b", idle=False)
        assert valve.advance("a", 7) == 7
        assert valve.advance("b", 6) is None
        assert valve.advance("a", 8) == 8
        assert valve.advance("b", 8) is None
        assert valve.advance("a", 9) is None
        assert valve.advance("b", 10) == 9

    def test_when_the_last_channel_becomes_idle_the_highest_watermark_counts(self) -> None:
        valve = WatermarkValve(2)
        valve.advance("a", 5)
        valve.advance("b", 3)
        valve.mark("a", idle=True)
        assert valve.mark("b", idle=True) == 5
        assert valve.is_idle

    def test_it_does_not_if_another_channel_held_it_back(self) -> None:
        valve = WatermarkValve(2)
        valve.advance("a", 3)
        valve.advance("b", 5)
        assert valve.mark("a", idle=True) == 5
        valve.advance("a", 4)
        assert valve.mark("b", idle=True) is None
        assert valve.mark("a", idle=True) is None
        assert valve.is_idle

    def test_a_snapshot_holds_idle_channels(self) -> None:
        first, second = WatermarkValve(2), WatermarkValve(2)
        first.advance("a", 5)
        first.mark("b", idle=True)
        second.restore(first.snapshot())
        assert second.advance("a", 6) == 6


def test_idle_channels_of_a_restored_valve_do_not_hold_back_event_time() -> None:
    valve = WatermarkValve(3)
    valve.restore((100, {}, set(), set()))
    assert valve.advance(0, 200) is None
    assert valve.mark(0, idle=True) is None
    assert valve.mark(1, idle=True) is None
    assert valve.mark(2, idle=True) == 200
