"""The events: people join, offer items in auctions, and bid for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

PERSON, AUCTION, BID = 0, 1, 2
"""Values of ``Event.event_type``."""

_EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who offers items or bids for them."""

    id: int
    name: str
    email_address: str
    credit_card: str
    city: str
    state: str
    date_time: datetime
    extra: str


@dataclass(frozen=True, slots=True)
class Auction:
    """An item that a person offers until ``expires``."""

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


@dataclass(frozen=True, slots=True)
class Bid:
    """The price, in cents, that a person bids for an item."""

    auction: int
    bidder: int
    price: int
    channel: str
    url: str
    date_time: datetime
    extra: str


@dataclass(frozen=True, slots=True)
class Event:
    """One of the three kinds of events; the fields of the others are ``None``."""

    event_type: int
    person: Person | None
    auction: Auction | None
    bid: Bid | None


def millis(time: datetime) -> int:
    """Return a time in milliseconds since 1970."""
    return (time - _EPOCH) // _MILLISECOND


def time_of(millis: int) -> datetime:
    """Return the time of milliseconds since 1970."""
    return _EPOCH + timedelta(milliseconds=millis)
