"""Queries that look at one bid at a time: q0, q1, q2, q10, q13, q14, q21 and q22."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from pyflink.datastream import DataStream, MapFunction, RuntimeContext

from benchmarks.nexmark.events import Bid
from benchmarks.nexmark.generator import SIDE_INPUT_KEYS
from benchmarks.nexmark.streams import Streams

_EUROS_PER_DOLLAR = Decimal("0.908")


@dataclass(frozen=True, slots=True)
class PlainBid:
    """A bid without its channel."""

    auction: int
    bidder: int
    price: int
    date_time: datetime
    extra: str


def q0(streams: Streams) -> DataStream:
    """Pass the bids through."""
    return streams.bids.map(_plain)


def _plain(bid: Bid) -> PlainBid:
    return PlainBid(bid.auction, bid.bidder, bid.price, bid.date_time, bid.extra)


@dataclass(frozen=True, slots=True)
class EuroBid:
    """A bid in euros."""

    auction: int
    bidder: int
    price: Decimal
    date_time: datetime
    extra: str


def q1(streams: Streams) -> DataStream:
    """Convert prices from dollars to euros."""
    return streams.bids.map(_in_euros)


def _in_euros(bid: Bid) -> EuroBid:
    return EuroBid(bid.auction, bid.bidder, bid.price * _EUROS_PER_DOLLAR, bid.date_time, bid.extra)


@dataclass(frozen=True, slots=True)
class AuctionPrice:
    """A price that was bid in an auction."""

    auction: int
    price: int


def q2(streams: Streams) -> DataStream:
    """Select the bids of some auctions."""
    return streams.bids.filter(lambda bid: bid.auction % 123 == 0).map(_price)


def _price(bid: Bid) -> AuctionPrice:
    return AuctionPrice(bid.auction, bid.price)


@dataclass(frozen=True, slots=True)
class LoggedBid:
    """A bid with the folder of its day and minute."""

    auction: int
    bidder: int
    price: int
    date_time: datetime
    extra: str
    dt: str
    hm: str


def q10(streams: Streams) -> DataStream:
    """Write the bids of each minute to a folder."""
    return streams.bids.map(_logged)


def _logged(bid: Bid) -> LoggedBid:
    time = bid.date_time
    return LoggedBid(bid.auction, bid.bidder, bid.price, time, bid.extra, f"{time:%Y-%m-%d}", f"{time:%H:%M}")


@dataclass(frozen=True, slots=True)
class EnrichedBid:
    """A bid with a value from the side input."""

    auction: int
    bidder: int
    price: int
    date_time: datetime
    value: str


def q13(streams: Streams) -> DataStream:
    """Look up a value for each bid in a file."""
    return streams.bids.map(_Enrich(streams.side_input))


class _Enrich(MapFunction):
    def __init__(self, path: str) -> None:
        self._path = path

    def open(self, runtime_context: RuntimeContext) -> None:
        with open(self._path, newline="") as file:
            self._values = {int(key): value for key, value in csv.reader(file)}

    def map(self, bid: Bid) -> EnrichedBid:
        value = self._values[bid.auction % SIDE_INPUT_KEYS]
        return EnrichedBid(bid.auction, bid.bidder, bid.price, bid.date_time, value)


@dataclass(frozen=True, slots=True)
class CountedBid:
    """A bid in euros with the time of day and a count of letters."""

    auction: int
    bidder: int
    price: Decimal
    bid_time_type: str
    date_time: datetime
    extra: str
    c_counts: int


def q14(streams: Streams) -> DataStream:
    """Select by price, and compute fields by functions of the program."""
    return streams.bids.filter(_is_in_range).map(_counted)


def _is_in_range(bid: Bid) -> bool:
    return 1_000_000 < bid.price * _EUROS_PER_DOLLAR < 50_000_000


def _counted(bid: Bid) -> CountedBid:
    return CountedBid(
        bid.auction,
        bid.bidder,
        bid.price * _EUROS_PER_DOLLAR,
        time_of_day(bid.date_time.hour),
        bid.date_time,
        bid.extra,
        bid.extra.count("c"),
    )


def time_of_day(hour: int) -> str:
    """Return the part of the day that an hour is in."""
    if 8 <= hour <= 18:
        return "dayTime"
    if hour <= 6 or hour >= 20:
        return "nightTime"
    return "otherTime"


_CHANNEL_IDS = {"apple": "0", "google": "1", "facebook": "2", "baidu": "3"}
_CHANNEL_ID = re.compile("(?:&|^)channel_id=([^&]*)")


@dataclass(frozen=True, slots=True)
class ChannelBid:
    """A bid with the id of its channel."""

    auction: int
    bidder: int
    price: int
    channel: str
    channel_id: str


def q21(streams: Streams) -> DataStream:
    """Find the id of the channel in its name or in the URL; leave out bids without one."""
    return streams.bids.flat_map(_with_channel_id)


def _with_channel_id(bid: Bid) -> list[ChannelBid]:
    found = _CHANNEL_IDS.get(bid.channel.lower())
    if found is None:
        match = _CHANNEL_ID.search(bid.url)
        if match is None:
            return []
        found = match[1]
    return [ChannelBid(bid.auction, bid.bidder, bid.price, bid.channel, found)]


@dataclass(frozen=True, slots=True)
class SplitBid:
    """A bid with the folders of its URL."""

    auction: int
    bidder: int
    price: int
    channel: str
    dir1: str
    dir2: str
    dir3: str


def q22(streams: Streams) -> DataStream:
    """Split the URL of each bid."""
    return streams.bids.map(_split)


def _split(bid: Bid) -> SplitBid:
    parts = bid.url.split("/")
    return SplitBid(bid.auction, bid.bidder, bid.price, bid.channel, parts[3], parts[4], parts[5])
