"""Joins of two kinds of events by id: q3 and q20."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pyflink.datastream import DataStream, KeyedCoProcessFunction, RuntimeContext
from pyflink.datastream.state import ListStateDescriptor, ValueStateDescriptor

from benchmarks.nexmark.events import Auction, Bid, Person
from benchmarks.nexmark.streams import Streams, type_of

_CATEGORY = 10
_STATES = ("OR", "ID", "CA")


@dataclass(frozen=True, slots=True)
class LocalItem:
    """An auction with the place of its seller."""

    name: str
    city: str
    state: str
    id: int


def q3(streams: Streams) -> DataStream:
    """Find who sells items of a category in some states."""
    persons = streams.persons.filter(lambda person: person.state in _STATES)
    auctions = streams.auctions.filter(lambda auction: auction.category == _CATEGORY)
    joined = persons.key_by(lambda person: person.id).connect(auctions.key_by(lambda auction: auction.seller))
    return joined.process(_Join(Person, Auction, _local_item), type_of(LocalItem))


def _local_item(person: Person, auction: Auction) -> LocalItem:
    return LocalItem(person.name, person.city, person.state, auction.id)


@dataclass(frozen=True, slots=True)
class AuctionBid:
    """A bid with its auction."""

    auction: int
    bidder: int
    price: int
    channel: str
    url: str
    bid_date_time: datetime
    bid_extra: str
    item_name: str
    description: str
    initial_bid: int
    reserve: int
    auction_date_time: datetime
    expires: datetime
    seller: int
    category: int
    auction_extra: str


def q20(streams: Streams) -> DataStream:
    """Add the auction to each bid for an item of a category."""
    auctions = streams.auctions.filter(lambda auction: auction.category == _CATEGORY)
    bids = streams.timed_bids.key_by(lambda bid: bid.auction)
    joined = auctions.key_by(lambda auction: auction.id).connect(bids)
    return joined.process(_Join(Auction, Bid, _auction_bid), type_of(AuctionBid))


def _auction_bid(auction: Auction, bid: Bid) -> AuctionBid:
    return AuctionBid(
        bid.auction,
        bid.bidder,
        bid.price,
        bid.channel,
        bid.url,
        bid.date_time,
        bid.extra,
        auction.item_name,
        auction.description,
        auction.initial_bid,
        auction.reserve,
        auction.date_time,
        auction.expires,
        auction.seller,
        auction.category,
        auction.extra,
    )


class _Join(KeyedCoProcessFunction):
    """Joins the one element of a key with the many of the other stream, which may come first.

    Args:
        one: class of the elements of the first stream.
        many: class of the elements of the second stream.
        pair: makes a result of both.
    """

    def __init__(self, one: type[Any], many: type[Any], pair: Callable[[Any, Any], Any]) -> None:
        self._types = type_of(one), type_of(many)
        self._pair = pair

    def open(self, runtime_context: RuntimeContext) -> None:
        one, many = self._types
        self._one = runtime_context.get_state(ValueStateDescriptor("one", one))
        self._waiting = runtime_context.get_list_state(ListStateDescriptor("waiting", many))

    def process_element1(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        self._one.update(value)
        for other in self._waiting.get():
            yield self._pair(value, other)
        self._waiting.clear()

    def process_element2(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        one = self._one.value()
        if one is None:
            self._waiting.add(value)
        else:
            yield self._pair(one, value)
