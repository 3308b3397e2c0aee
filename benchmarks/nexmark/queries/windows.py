"""Windows: q5, q7, q8, q11 and q12."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pyflink.common import Time
from pyflink.datastream import AggregateFunction, DataStream, ProcessWindowFunction
from pyflink.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)

from benchmarks.nexmark.events import Auction, Bid, Person, time_of
from benchmarks.nexmark.streams import Streams

_SIZE, _SLIDE = Time.seconds(10), Time.seconds(2)


class _Count(AggregateFunction):
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: Bid, accumulator: int) -> int:
        return accumulator + 1

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, a: int, b: int) -> int:
        return a + b


@dataclass(frozen=True, slots=True)
class HotItem:
    """The number of bids for an item in a window."""

    auction: int
    num: int


def q5(streams: Streams) -> DataStream:
    """Find the items with the most bids in the last ten seconds, every two seconds."""
    windows = streams.timed_bids.key_by(lambda bid: bid.auction).window(
        SlidingEventTimeWindows.of(_SIZE, _SLIDE)
    )
    # The counts of a window have the time of its end: those of one slide are those of one window.
    counts = windows.aggregate(_Count(), _AuctionCount()).window_all(TumblingEventTimeWindows.of(_SLIDE))
    return counts.aggregate(_MostBids()).flat_map(_items)


class _AuctionCount(ProcessWindowFunction):
    def process(
        self, key: int, context: ProcessWindowFunction.Context, elements: Iterable[int]
    ) -> Iterator[HotItem]:
        for count in elements:
            yield HotItem(key, count)


class _MostBids(AggregateFunction):
    def create_accumulator(self) -> list[HotItem]:
        return []

    def add(self, value: HotItem, accumulator: list[HotItem]) -> list[HotItem]:
        return self.merge(accumulator, [value])

    def get_result(self, accumulator: list[HotItem]) -> list[HotItem]:
        return accumulator

    def merge(self, a: list[HotItem], b: list[HotItem]) -> list[HotItem]:
        if not a or not b or a[0].num == b[0].num:
            return a + b
        return a if a[0].num > b[0].num else b


def _items(items: list[HotItem]) -> list[HotItem]:
    return items


@dataclass(frozen=True, slots=True)
class HighestBid:
    """A bid with the highest price in a window."""

    auction: int
    price: int
    bidder: int
    date_time: datetime
    extra: str


def q7(streams: Streams) -> DataStream:
    """Find the bids with the highest price every ten seconds."""
    windows = streams.timed_bids.window_all(TumblingEventTimeWindows.of(_SIZE))
    return windows.aggregate(_HighestPrice()).flat_map(_highest_bids)


class _HighestPrice(AggregateFunction):
    def create_accumulator(self) -> list[Bid]:
        return []

    def add(self, value: Bid, accumulator: list[Bid]) -> list[Bid]:
        if accumulator and value.price < accumulator[0].price:
            return accumulator
        return self.merge(accumulator, [value])

    def get_result(self, accumulator: list[Bid]) -> list[Bid]:
        return accumulator

    def merge(self, a: list[Bid], b: list[Bid]) -> list[Bid]:
        if not a or not b or a[0].price == b[0].price:
            return a + b
        return a if a[0].price > b[0].price else b


def _highest_bids(bids: list[Bid]) -> Iterator[HighestBid]:
    for bid in bids:
        yield HighestBid(bid.auction, bid.price, bid.bidder, bid.date_time, bid.extra)


@dataclass(frozen=True, slots=True)
class NewSeller:
    """A person who has joined and opened an auction in a window."""

    id: int
    name: str
    stime: datetime


@dataclass(frozen=True, slots=True)
class _Seen:
    id: int
    name: str | None  # that of a person, None for a seller


def q8(streams: Streams) -> DataStream:
    """Find people who open an auction in the ten seconds in which they join."""
    seen = streams.persons.map(_joined).union(streams.auctions.map(_sells))
    windows = seen.key_by(lambda seen: seen.id).window(TumblingEventTimeWindows.of(_SIZE))
    return windows.process(_NewSeller())


def _joined(person: Person) -> _Seen:
    return _Seen(person.id, person.name)


def _sells(auction: Auction) -> _Seen:
    return _Seen(auction.seller, None)


class _NewSeller(ProcessWindowFunction):
    def process(
        self, key: int, context: ProcessWindowFunction.Context, elements: Iterable[_Seen]
    ) -> Iterator[NewSeller]:
        names = {seen.name for seen in elements}
        if None in names:
            for name in names - {None}:
                yield NewSeller(key, name, time_of(context.window().start))


@dataclass(frozen=True, slots=True)
class BidderCount:
    """The number of bids of a person in a window."""

    bidder: int
    bid_count: int
    starttime: datetime
    endtime: datetime


def q11(streams: Streams) -> DataStream:
    """Count the bids of each person until they pause for ten seconds."""
    bids = streams.timed_bids.key_by(lambda bid: bid.bidder)
    return bids.window(EventTimeSessionWindows.with_gap(_SIZE)).aggregate(_Count(), _BidderCount())


def q12(streams: Streams) -> DataStream:
    """Count the bids of each person in ten seconds of processing time."""
    bids = streams.bids.key_by(lambda bid: bid.bidder)
    return bids.window(TumblingProcessingTimeWindows.of(_SIZE)).aggregate(_Count(), _BidderCount())


class _BidderCount(ProcessWindowFunction):
    def process(
        self, key: int, context: ProcessWindowFunction.Context, elements: Iterable[int]
    ) -> Iterator[BidderCount]:
        window = context.window()
        for count in elements:
            yield BidderCount(key, count, time_of(window.start), time_of(window.end))
