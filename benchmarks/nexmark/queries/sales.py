"""Queries of sold items, which are known when their auctions expire: q4, q6 and q9."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pyflink.common import Types
from pyflink.datastream import DataStream, KeyedCoProcessFunction, KeyedProcessFunction, RuntimeContext
from pyflink.datastream.state import ListStateDescriptor, ValueStateDescriptor

from benchmarks.nexmark.events import Auction, Bid, millis
from benchmarks.nexmark.streams import Streams, type_of

_PRICES = 10


@dataclass(frozen=True, slots=True)
class Sale:
    """An auction with its winning bid."""

    id: int
    item_name: str
    description: str
    initial_bid: int
    reserve: int
    date_time: datetime
    expires: datetime
    seller: int
    category: int
    extra: str
    auction: int
    bidder: int
    price: int
    bid_date_time: datetime
    bid_extra: str


def q9(streams: Streams) -> DataStream:
    """Find the winning bid of each auction: the first of the highest ones before it expires."""
    auctions = streams.auctions.key_by(lambda auction: auction.id)
    bids = streams.timed_bids.key_by(lambda bid: bid.auction)
    return auctions.connect(bids).process(_Winner(Auction, Bid, _sale), type_of(Sale))


@dataclass(frozen=True, slots=True)
class _Lot:
    """The part of an auction that the prices of sold items depend on."""

    id: int
    date_time: datetime
    expires: datetime
    seller: int
    category: int


@dataclass(frozen=True, slots=True)
class _Offer:
    """The part of a bid that the prices of sold items depend on."""

    auction: int
    price: int
    date_time: datetime


def _lot(auction: Auction) -> _Lot:
    return _Lot(auction.id, auction.date_time, auction.expires, auction.seller, auction.category)


def _offer(bid: Bid) -> _Offer:
    return _Offer(bid.auction, bid.price, bid.date_time)


def _sold(streams: Streams, result: Callable[[_Lot, _Offer], Any], result_class: type[Any]) -> DataStream:
    """Return a result for each sold item, made of its auction and the winning bid."""
    lots = streams.auctions.map(_lot).key_by(lambda lot: lot.id)
    offers = streams.timed_bids.map(_offer).key_by(lambda offer: offer.auction)
    return lots.connect(offers).process(_Winner(_Lot, _Offer, result), type_of(result_class))


class _Winner(KeyedCoProcessFunction):
    """Finds the winning bid of each auction.

    Args:
        auction: class of the auctions.
        bid: class of the bids.
        result: makes a result of an auction and its winning bid.
    """

    def __init__(self, auction: type[Any], bid: type[Any], result: Callable[[Any, Any], Any]) -> None:
        self._types = type_of(auction), type_of(bid)
        self._result = result

    def open(self, runtime_context: RuntimeContext) -> None:
        auction, bid = self._types
        self._auction = runtime_context.get_state(ValueStateDescriptor("auction", auction))
        self._best = runtime_context.get_state(ValueStateDescriptor("best", bid))
        self._early = runtime_context.get_list_state(ListStateDescriptor("early", bid))

    def process_element1(self, auction: Any, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        self._auction.update(auction)
        ctx.timer_service().register_event_time_timer(millis(auction.expires))
        for bid in self._early.get():
            self._consider(bid, auction)
        self._early.clear()
        yield from ()

    def process_element2(self, bid: Any, ctx: KeyedCoProcessFunction.Context) -> Iterator[Any]:
        auction = self._auction.value()
        if auction is not None:
            self._consider(bid, auction)
        else:
            self._early.add(bid)
            ctx.timer_service().register_event_time_timer(millis(bid.date_time))
        yield from ()

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext) -> Iterator[Any]:
        auction = self._auction.value()
        if auction is None:  # bids at this time have no auction, or it has expired
            self._early.update([bid for bid in self._early.get() if millis(bid.date_time) > timestamp])
        elif timestamp == millis(auction.expires):
            best = self._best.value()
            if best is not None:
                yield self._result(auction, best)
            self._auction.clear()
            self._best.clear()

    def _consider(self, bid: Any, auction: Any) -> None:
        if auction.date_time <= bid.date_time <= auction.expires:
            best = self._best.value()
            if best is None or (bid.price, best.date_time) > (best.price, bid.date_time):
                self._best.update(bid)


def _sale(auction: Auction, bid: Bid) -> Sale:
    return Sale(
        auction.id,
        auction.item_name,
        auction.description,
        auction.initial_bid,
        auction.reserve,
        auction.date_time,
        auction.expires,
        auction.seller,
        auction.category,
        auction.extra,
        bid.auction,
        bid.bidder,
        bid.price,
        bid.date_time,
        bid.extra,
    )


@dataclass(frozen=True, slots=True)
class CategoryAverage:
    """The average price of the items of a category."""

    id: int
    final: int


@dataclass(frozen=True, slots=True)
class _Prices:
    category: int
    total: int
    count: int


def q4(streams: Streams) -> DataStream:
    """Average the prices of sold items by category."""
    prices = _sold(streams, _category_price, _Prices).key_by(lambda prices: prices.category)
    return prices.reduce(_add_prices).map(_category_average)


def _category_price(lot: _Lot, offer: _Offer) -> _Prices:
    return _Prices(lot.category, offer.price, 1)


def _add_prices(a: _Prices, b: _Prices) -> _Prices:
    return _Prices(a.category, a.total + b.total, a.count + b.count)


def _category_average(prices: _Prices) -> CategoryAverage:
    return CategoryAverage(prices.category, prices.total // prices.count)


@dataclass(frozen=True, slots=True)
class SellerAverage:
    """The average price of a seller's last items."""

    seller: int
    avg_price: int


def q6(streams: Streams) -> DataStream:
    """Average the prices of the last ten items that each seller sold."""
    return _sold(streams, _price, _Price).key_by(lambda price: price.seller).process(_LastPrices())


@dataclass(frozen=True, slots=True)
class _Price:
    """The price of a sold item."""

    seller: int
    id: int
    expires: datetime
    price: int


def _price(lot: _Lot, offer: _Offer) -> _Price:
    return _Price(lot.seller, lot.id, lot.expires, offer.price)


class _LastPrices(KeyedProcessFunction):
    """Averages the last prices in the order in which the auctions expire, not in that of arrival."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self._waiting = runtime_context.get_list_state(ListStateDescriptor("waiting", type_of(_Price)))
        self._prices = runtime_context.get_list_state(ListStateDescriptor("prices", Types.LONG()))

    def process_element(self, price: _Price, ctx: KeyedProcessFunction.Context) -> Iterator[SellerAverage]:
        self._waiting.add(price)
        ctx.timer_service().register_event_time_timer(millis(price.expires))
        yield from ()

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[SellerAverage]:
        waiting = sorted(self._waiting.get(), key=lambda price: (price.expires, price.id))
        prices = list(self._prices.get())
        while waiting and millis(waiting[0].expires) <= timestamp:
            sold = waiting.pop(0)
            prices = [*prices, sold.price][-_PRICES:]
            yield SellerAverage(sold.seller, sum(prices) // len(prices))
        self._waiting.update(waiting)
        self._prices.update(prices)
