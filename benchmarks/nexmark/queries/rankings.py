"""The last bid and the highest ones: q18 and q19."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from pyflink.common import Types
from pyflink.datastream import DataStream, KeyedProcessFunction, RuntimeContext
from pyflink.datastream.state import ListStateDescriptor

from benchmarks.nexmark.events import Bid
from benchmarks.nexmark.streams import Streams, type_of

_NUMBERS = Types.TUPLE([Types.LONG(), Types.LONG()])
_TOP = 10


def q18(streams: Streams) -> DataStream:
    """Find the last bid of each person for each item."""
    return streams.bids.key_by(lambda bid: (bid.bidder, bid.auction), _NUMBERS).reduce(_later)


def _later(a: Bid, b: Bid) -> Bid:
    return a if a.date_time > b.date_time else b


@dataclass(frozen=True, slots=True)
class RankedBid:
    """A bid with its rank among those for the item."""

    bid: Bid
    rank_number: int


def q19(streams: Streams) -> DataStream:
    """Rank the ten highest bids of each auction; of equal ones the first comes first."""
    return streams.bids.key_by(lambda bid: bid.auction).process(_Top())


def _order(bid: Bid) -> tuple[int, datetime]:
    return -bid.price, bid.date_time


class _Top(KeyedProcessFunction):
    def open(self, runtime_context: RuntimeContext) -> None:
        self._top = runtime_context.get_list_state(ListStateDescriptor("top", type_of(Bid)))

    def process_element(self, bid: Bid, ctx: KeyedProcessFunction.Context) -> Iterator[RankedBid]:
        top = list(self._top.get())
        place = bisect_right(top, _order(bid), key=_order)
        if place < _TOP:
            top = [*top[:place], bid, *top[place : _TOP - 1]]
            self._top.update(top)
            for rank in range(place, len(top)):
                yield RankedBid(top[rank], rank + 1)
