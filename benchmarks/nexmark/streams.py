"""The streams that the queries read, for PyFlink, and for pystream under the name of PyFlink."""

from __future__ import annotations

from collections.abc import Iterator

from pyflink.common import Duration, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import DataStream

from benchmarks.nexmark.events import Auction, Bid, Event, Person, millis

_OUT_OF_ORDERNESS = Duration.of_seconds(4)


def type_of(element_class):
    """Return the type of a dataclass; PyFlink has none and pickles the elements."""
    return Types.of(element_class) if hasattr(Types, "of") else Types.PICKLED_BYTE_ARRAY()


class Streams:
    """The events of an environment, by kind, with event times and watermarks four seconds behind.

    Args:
        events: all events.
        side_input: the file of the side input.

    Attributes:
        bids: the bids without event times.
        side_input: the file of the side input.
    """

    def __init__(self, events: DataStream, side_input: str) -> None:
        self._events = events
        self.bids = events.flat_map(bid_of)
        self.side_input = side_input

    @property
    def persons(self) -> DataStream:
        """The persons."""
        return _timed(self._events.flat_map(person_of))

    @property
    def auctions(self) -> DataStream:
        """The auctions."""
        return _timed(self._events.flat_map(auction_of))

    @property
    def timed_bids(self) -> DataStream:
        """The bids with event times."""
        return _timed(self.bids)


def person_of(event: Event) -> Iterator[Person]:
    """Yield the person of an event, if it is one."""
    if event.person is not None:
        yield event.person


def auction_of(event: Event) -> Iterator[Auction]:
    """Yield the auction of an event, if it is one."""
    if event.auction is not None:
        yield event.auction


def bid_of(event: Event) -> Iterator[Bid]:
    """Yield the bid of an event, if it is one."""
    if event.bid is not None:
        yield event.bid


class _DateTime(TimestampAssigner):
    def extract_timestamp(self, value: Person | Auction | Bid, record_timestamp: int) -> int:
        """Return the time of a person, auction or bid."""
        return millis(value.date_time)


def _timed(stream: DataStream) -> DataStream:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(_OUT_OF_ORDERNESS)
    return stream.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(_DateTime()))
