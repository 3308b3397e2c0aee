"""Queries of sold items, which are known when their auctions expire: q4, q6 and q9."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

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
    return auctions.connect(streams.timed_bids.key_by(lambda bid: bid.auction)).process(_Winner())


class _Winner(KeyedCoProcessFunction):
    def open(self, runtime_context: RuntimeContext) -> None:
        self._auction = runtime_context.get_state(ValueStateDescriptor("auction", type_of(Auction)))
        self._best = runtime_context.get_state(ValueStateDescriptor("best", type_of(Bid)))
        self._early = runtime_context.get_list_state(ListStateDescriptor("early", type_of(Bid)))

    def process_element1(self, auction: Auction, ctx: KeyedCoProcessFunction.Context) -> Iterator[Sale]:
        self._auction.update(auction)
        ctx.timer_service().register_event_time_timer(millis(auction.expires))
        for bid in self._early.get():
            self._consider(bid, auction)
        self._early.clear()
        yield from ()

    def process_element2(self, bid: Bid, ctx: KeyedCoProcessFunction.Context) -> Iterator[Sale]:
        auction = self._auction.value()
        if auction is not None:
            self._consider(bid, auction)
        else:
            self._early.add(bid)
            ctx.timer_service().register_event_time_timer(millis(bid.date_time))
        yield from ()

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext) -> Iterator[Sale]:
        auction = self._auction.value()
        if auction is None:  # bids at this time have no auction, or it has expired
            self._early.update([bid for bid in self._early.get() if millis(bid.date_time) > timestamp])
        elif timestamp == millis(auction.expires):
            best = self._best.value()
            if best is not None:
                yield _sale(auction, best)
            self._auction.clear()
            self._best.clear()

    def _consider(self, bid: Bid, auction: Auction) -> None:
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
    prices = q9(streams).map(_category_price).key_by(lambda prices: prices.category).reduce(_add_prices)
    return prices.map(_category_average)


def _category_price(sale: Sale) -> _Prices:
    return _Prices(sale.category, sale.price, 1)


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
    return q9(streams).key_by(lambda sale: sale.seller).process(_LastPrices())


class _LastPrices(KeyedProcessFunction):
    """Averages the last prices in the order in which the auctions expire, not in that of arrival."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self._waiting = runtime_context.get_list_state(ListStateDescriptor("waiting", type_of(Sale)))
        self._prices = runtime_context.get_list_state(ListStateDescriptor("prices", Types.LONG()))

    def process_element(self, sale: Sale, ctx: KeyedProcessFunction.Context) -> Iterator[SellerAverage]:
        self._waiting.add(sale)
        ctx.timer_service().register_event_time_timer(millis(sale.expires))
        yield from ()

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[SellerAverage]:
        waiting = sorted(self._waiting.get(), key=lambda sale: (sale.expires, sale.id))
        prices = list(self._prices.get())
        while waiting and millis(waiting[0].expires) <= timestamp:
            sale = waiting.pop(0)
            prices = [*prices, sale.price][-_PRICES:]
            yield SellerAverage(sale.seller, sum(prices) // len(prices))
        self._waiting.update(waiting)
        self._prices.update(prices)
