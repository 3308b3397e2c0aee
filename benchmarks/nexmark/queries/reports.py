"""Statistics of each day: q15, q16 and q17."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyflink.common import Types
from pyflink.datastream import DataStream, KeyedProcessFunction, RuntimeContext
from pyflink.datastream.state import MapStateDescriptor, ValueStateDescriptor

from benchmarks.nexmark.events import Bid
from benchmarks.nexmark.streams import Streams, type_of

_TEXTS = Types.TUPLE([Types.STRING(), Types.STRING()])
_NUMBER_AND_TEXT = Types.TUPLE([Types.LONG(), Types.STRING()])


@dataclass(frozen=True, slots=True)
class Ranks:
    """How many there are, in all and by the rank of the price."""

    total: int = 0
    rank1: int = 0
    rank2: int = 0
    rank3: int = 0

    def plus(self, bits: int) -> Ranks:
        """Count one more in each place whose bit is set."""
        return Ranks(
            self.total + (bits & 1),
            self.rank1 + (bits >> 1 & 1),
            self.rank2 + (bits >> 2 & 1),
            self.rank3 + (bits >> 3 & 1),
        )


def rank_of(price: int) -> int:
    """Return the rank of a price, from 1 to 3."""
    return 1 if price < 10_000 else 2 if price < 1_000_000 else 3


@dataclass(frozen=True, slots=True)
class DayReport:
    """The numbers of bids of a day, and of different bidders and auctions."""

    day: str
    bids: Ranks
    bidders: Ranks
    auctions: Ranks


def q15(streams: Streams) -> DataStream:
    """Count bids, bidders and auctions of each day, by rank of the price."""
    return streams.bids.key_by(_day, Types.STRING()).process(_DayReport())


@dataclass(frozen=True, slots=True)
class ChannelReport:
    """The numbers of bids of a channel and day until a minute, and of different bidders and auctions."""

    channel: str
    day: str
    minute: str
    bids: Ranks
    bidders: Ranks
    auctions: Ranks


def q16(streams: Streams) -> DataStream:
    """Count bids, bidders and auctions of each channel and day, by rank of the price."""
    return streams.bids.key_by(lambda bid: (bid.channel, _day(bid)), _TEXTS).process(_ChannelReport())


def _day(bid: Bid) -> str:
    return f"{bid.date_time:%Y-%m-%d}"


class _Report(KeyedProcessFunction):
    """Counts the bids of a key, and the different bidders and auctions."""

    def open(self, runtime_context: RuntimeContext) -> None:
        def counted(name):
            number = runtime_context.get_state(ValueStateDescriptor(name, type_of(Ranks)))
            return number, runtime_context.get_map_state(
                MapStateDescriptor(f"{name} seen", Types.LONG(), Types.INT())
            )

        self._bids = runtime_context.get_state(ValueStateDescriptor("bids", type_of(Ranks)))
        self._bidders, self._auctions = counted("bidders"), counted("auctions")

    def counts(self, bid: Bid) -> tuple[Ranks, Ranks, Ranks]:
        """Count a bid, and return all counts."""
        places = 1 | 1 << rank_of(bid.price)  # the total and the rank
        bids = (self._bids.value() or Ranks()).plus(places)
        self._bids.update(bids)
        return (
            bids,
            _distinct(self._bidders, bid.bidder, places),
            _distinct(self._auctions, bid.auction, places),
        )


def _distinct(counted, key: int, places: int) -> Ranks:
    """Count a key in the places where it has not been counted yet."""
    number, seen = counted
    ranks = number.value() or Ranks()
    before = seen.get(key) or 0
    new = places & ~before
    if new:
        seen.put(key, before | new)
        ranks = ranks.plus(new)
        number.update(ranks)
    return ranks


class _DayReport(_Report):
    def process_element(self, bid: Bid, ctx: KeyedProcessFunction.Context) -> Iterator[DayReport]:
        yield DayReport(_day(bid), *self.counts(bid))


class _ChannelReport(_Report):
    def open(self, runtime_context: RuntimeContext) -> None:
        super().open(runtime_context)
        self._minute = runtime_context.get_state(ValueStateDescriptor("minute", Types.STRING()))

    def process_element(self, bid: Bid, ctx: KeyedProcessFunction.Context) -> Iterator[ChannelReport]:
        minute = max(self._minute.value() or "", f"{bid.date_time:%H:%M}")
        self._minute.update(minute)
        yield ChannelReport(bid.channel, _day(bid), minute, *self.counts(bid))


@dataclass(frozen=True, slots=True)
class AuctionReport:
    """The numbers and the prices of the bids for an item on a day."""

    auction: int
    day: str
    total_bids: int
    rank1_bids: int
    rank2_bids: int
    rank3_bids: int
    min_price: int
    max_price: int
    avg_price: int
    sum_price: int


@dataclass(frozen=True, slots=True)
class _Prices:
    auction: int
    day: str
    bids: int
    rank1: int
    rank2: int
    rank3: int
    least: int
    most: int
    total: int


def q17(streams: Streams) -> DataStream:
    """Count and sum the bids of each auction and day."""
    prices = streams.bids.map(_prices).key_by(lambda prices: (prices.auction, prices.day), _NUMBER_AND_TEXT)
    return prices.reduce(_add).map(_report)


def _prices(bid: Bid) -> _Prices:
    price = bid.price
    return _Prices(
        auction=bid.auction,
        day=_day(bid),
        bids=1,
        rank1=1 if price < 10_000 else 0,
        rank2=1 if 10_000 <= price < 1_000_000 else 0,
        rank3=1 if price >= 1_000_000 else 0,
        least=price,
        most=price,
        total=price,
    )


def _add(a: _Prices, b: _Prices) -> _Prices:
    return _Prices(
        auction=a.auction,
        day=a.day,
        bids=a.bids + b.bids,
        rank1=a.rank1 + b.rank1,
        rank2=a.rank2 + b.rank2,
        rank3=a.rank3 + b.rank3,
        least=min(a.least, b.least),
        most=max(a.most, b.most),
        total=a.total + b.total,
    )


def _report(p: _Prices) -> AuctionReport:
    average = p.total // p.bids
    return AuctionReport(
        p.auction, p.day, p.bids, p.rank1, p.rank2, p.rank3, p.least, p.most, average, p.total
    )
