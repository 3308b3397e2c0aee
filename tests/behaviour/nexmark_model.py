"""The results of the queries of NEXMark, by loops over all events.

Results are tuples of the fields, those of nested records included. The model has no state and no watermarks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

from benchmarks.nexmark.events import Auction, Bid, Event, Person

Rows: TypeAlias = "Iterable[tuple[Any, ...]]"

_WINDOW, _SLIDE = timedelta(seconds=10), timedelta(seconds=2)


class Model:
    """The results of all queries, in methods of their names.

    Args:
        events: the events in the order of arrival.
        side_input: the value of each key.
    """

    def __init__(self, events: list[Event], side_input: dict[int, str]) -> None:
        self.persons: list[Person] = [event.person for event in events if event.person]
        self.auctions: list[Auction] = [event.auction for event in events if event.auction]
        self.bids: list[Bid] = [event.bid for event in events if event.bid]
        self.side_input = side_input

    def q0(self) -> Rows:
        return [(b.auction, b.bidder, b.price, b.date_time, b.extra) for b in self.bids]

    def q1(self) -> Rows:
        return [(b.auction, b.bidder, _euros(b), b.date_time, b.extra) for b in self.bids]

    def q2(self) -> Rows:
        return [(b.auction, b.price) for b in self.bids if b.auction % 123 == 0]

    def q3(self) -> Rows:
        for a in self.auctions:
            for p in self.persons:
                if a.seller == p.id and a.category == 10 and p.state in ("OR", "ID", "CA"):
                    yield p.name, p.city, p.state, a.id

    def q4(self) -> Rows:
        prices = defaultdict(list)
        for auction, bid in self._sales():
            prices[auction.category].append(bid.price)
        return [(category, sum(each) // len(each)) for category, each in prices.items()]

    def q5(self) -> Rows:
        counts: dict[datetime, Counter[int]] = defaultdict(Counter)
        for b in self.bids:
            last = _start(b.date_time, _SLIDE)
            for back in range(5):
                counts[last - back * _SLIDE][b.auction] += 1
        for counter in counts.values():
            most = max(counter.values())
            yield from ((auction, count) for auction, count in counter.items() if count == most)

    def q6(self) -> Rows:
        prices = defaultdict(list)
        for auction, bid in sorted(self._sales(), key=lambda sale: (sale[0].expires, sale[0].id)):
            prices[auction.seller].append(bid.price)
        return [(seller, sum(each[-10:]) // len(each[-10:])) for seller, each in prices.items()]

    def q7(self) -> Rows:
        for bids in _grouped(self.bids, lambda b: _start(b.date_time, _WINDOW)).values():
            most = max(b.price for b in bids)
            for b in bids:
                if b.price == most:
                    yield b.auction, b.price, b.bidder, b.date_time, b.extra

    def q8(self) -> Rows:
        sellers = {(a.seller, _start(a.date_time, _WINDOW)) for a in self.auctions}
        for p in self.persons:
            if (p.id, _start(p.date_time, _WINDOW)) in sellers:
                yield p.id, p.name, _start(p.date_time, _WINDOW)

    def q9(self) -> Rows:
        for a, b in self._sales():
            yield (*_fields(a), b.auction, b.bidder, b.price, b.date_time, b.extra)

    def q10(self) -> Rows:
        for b in self.bids:
            yield b.auction, b.bidder, b.price, b.date_time, b.extra, _day(b), b.date_time.strftime("%H:%M")

    def q11(self) -> Rows:
        for bidder, bids in _grouped(self.bids, lambda b: b.bidder).items():
            times = sorted(b.date_time for b in bids)
            first = 0
            for at in range(1, len(times) + 1):
                if at == len(times) or times[at] - times[at - 1] > _WINDOW:
                    yield bidder, at - first, times[first], times[at - 1] + _WINDOW
                    first = at

    def q12(self) -> Rows:
        """Return the number of bids of each person; the windows are those of the clock."""
        return Counter(b.bidder for b in self.bids).items()

    def q13(self) -> Rows:
        return [
            (b.auction, b.bidder, b.price, b.date_time, self.side_input[b.auction % 10_000])
            for b in self.bids
        ]

    def q14(self) -> Rows:
        for b in self.bids:
            if 1_000_000 < _euros(b) < 50_000_000:
                hour = b.date_time.hour
                part = "dayTime" if hour in range(8, 19) else "otherTime" if hour in (7, 19) else "nightTime"
                yield b.auction, b.bidder, _euros(b), part, b.date_time, b.extra, list(b.extra).count("c")

    def q15(self) -> Rows:
        return [(day, *_counts(bids)) for day, bids in _grouped(self.bids, _day).items()]

    def q16(self) -> Rows:
        for (channel, day), bids in _grouped(self.bids, lambda b: (b.channel, _day(b))).items():
            yield channel, day, max(b.date_time.strftime("%H:%M") for b in bids), *_counts(bids)

    def q17(self) -> Rows:
        for (auction, day), bids in _grouped(self.bids, lambda b: (b.auction, _day(b))).items():
            prices = [b.price for b in bids]
            total = sum(prices)
            ranks = [len(each) for each in _by_rank(bids)]
            yield auction, day, *ranks, min(prices), max(prices), total // len(prices), total

    def q18(self) -> Rows:
        for bids in _grouped(self.bids, lambda b: (b.bidder, b.auction)).values():
            yield _fields(max(reversed(bids), key=lambda b: b.date_time))

    def q19(self) -> Rows:
        for bids in _grouped(self.bids, lambda b: b.auction).values():
            for rank, b in enumerate(sorted(bids, key=lambda b: (-b.price, b.date_time))[:10], start=1):
                yield (*_fields(b), rank)

    def q20(self) -> Rows:
        for a in self.auctions:
            for b in self.bids:
                if a.id == b.auction and a.category == 10:
                    yield (*_fields(b), *_fields(a)[1:])

    def q21(self) -> Rows:
        names = ["apple", "google", "facebook", "baidu"]
        for b in self.bids:
            if b.channel.lower() in names:
                yield b.auction, b.bidder, b.price, b.channel, str(names.index(b.channel.lower()))
            elif "&channel_id=" in b.url:
                channel_id = re.split("&channel_id=", b.url)[1]
                yield b.auction, b.bidder, b.price, b.channel, channel_id

    def q22(self) -> Rows:
        for b in self.bids:
            yield b.auction, b.bidder, b.price, b.channel, *b.url.split("/")[3:6]

    def _sales(self) -> Iterator[tuple[Auction, Bid]]:
        """Yield each auction that somebody bids for in time, with the first of the highest bids."""
        bids = _grouped(self.bids, lambda b: b.auction)
        for a in self.auctions:
            valid = [b for b in bids.get(a.id, ()) if a.date_time <= b.date_time <= a.expires]
            if valid:
                yield a, min(valid, key=lambda b: (-b.price, b.date_time))


def _grouped(bids: list[Bid], key: Callable[[Bid], Any]) -> dict[Any, list[Bid]]:
    groups = defaultdict(list)
    for bid in bids:
        groups[key(bid)].append(bid)
    return groups


def _fields(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in record.__dataclass_fields__)


def _euros(bid: Bid) -> Decimal:
    return Decimal(bid.price * 908).scaleb(-3)


def _start(time: datetime, size: timedelta) -> datetime:
    """Return the start of the window of a time; windows begin at whole minutes."""
    minute = time.replace(second=0, microsecond=0)
    return minute + (time - minute) // size * size


def _day(bid: Bid) -> str:
    return bid.date_time.date().isoformat()


def _by_rank(bids: list[Bid]) -> list[list[Bid]]:
    """Return all bids, and those of each rank."""
    low = [b for b in bids if b.price < 10_000]
    high = [b for b in bids if b.price >= 1_000_000]
    return [bids, low, [b for b in bids if b not in low and b not in high], high]


def _counts(bids: list[Bid]) -> Iterator[int]:
    """Yield the numbers of bids, bidders and auctions, each in all and by rank."""
    ranks = _by_rank(bids)
    yield from (len(each) for each in ranks)
    yield from (len({b.bidder for b in each}) for each in ranks)
    yield from (len({b.auction for b in each}) for each in ranks)
