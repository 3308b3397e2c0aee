"""The generator of events: the same events for the same settings.

Of 50 events one is a person, three are auctions and 46 are bids, in this order. Ids count up, so that the
number of an event tells which people and auctions exist. Half of the bids are for a hot auction, and three
quarters by a hot bidder, as are three quarters of the auctions by a hot seller: one of each hundred. The
others are drawn from the latest ones, and from a few that do not exist yet: some bids precede their auctions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random

from benchmarks.nexmark.events import AUCTION, BID, PERSON, Auction, Bid, Event, Person

FIRST_ID = 1_000
CATEGORIES = range(10, 15)
SIDE_INPUT_KEYS = 10_000

_PERSONS, _AUCTIONS, _GROUP = 1, 3, 50
_HOT_GROUP = 100
_ACTIVE_PERSONS, _OPEN_AUCTIONS, _LEAD = 1_000, 100, 10
_CHANNELS = 10_000
_HOT_CHANNELS = ("Google", "Facebook", "Baidu", "Apple")

_FIRST_NAMES = ("Ada", "Ben", "Carol", "Dan", "Eve", "Frank", "Grace", "Hugo", "Iris", "Jack", "Kim")
_LAST_NAMES = ("Abbott", "Baker", "Clark", "Davis", "Evans", "Foster", "Green", "Hill", "Irwin")
_CITIES = ("Phoenix", "Los Angeles", "Boise", "Portland", "Bend", "Salem", "Seattle", "Kent", "Cheyenne")
_STATES = ("AZ", "CA", "ID", "OR", "WA", "WY")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Generator:
    """Generates events.

    Attributes:
        seed: seed of the random choices.
        start: time of the first event.
        events_per_second: number of events in a second of event time.
        first: number of the first event.
        shuffled: number of consecutive events that come in random order; 1 for the order of event time.
    """

    seed: int = 1
    start: datetime = datetime(2026, 1, 1)
    events_per_second: int = 10_000
    first: int = 0
    shuffled: int = 1

    def events(self, count: int) -> Iterator[Event]:
        """Yield events in the order in which they arrive."""
        random = Random(self.seed)
        for start in range(0, count, self.shuffled):
            numbers = range(self.first + start, self.first + min(start + self.shuffled, count))
            group = [self._event(number, random) for number in numbers]
            if self.shuffled > 1:
                random.shuffle(group)
            yield from group

    def _event(self, number: int, random: Random) -> Event:
        group, place = divmod(number, _GROUP)
        persons = (group + 1) * _PERSONS
        auctions = group * _AUCTIONS + min(place - _PERSONS + 1, _AUCTIONS)
        time = self._time(number)
        if place < _PERSONS:
            return Event(PERSON, _person(persons, time, random), None, None)
        if place < _PERSONS + _AUCTIONS:
            return Event(AUCTION, None, self._auction(number, auctions, persons, random), None)
        return Event(BID, None, None, _bid(auctions, persons, time, random))

    def _auction(self, number: int, auctions: int, persons: int, random: Random) -> Auction:
        hot = random.random() < 3 / 4
        initial = _price(random)
        time = self._time(number)
        events = 2 * _OPEN_AUCTIONS * _GROUP // _AUCTIONS  # twice those until all open auctions are new ones
        lasts = random.random() * events / self.events_per_second
        return Auction(
            id=FIRST_ID + auctions - 1,
            item_name=_word(random, 3, 20),
            description=_word(random, 20, 100),
            initial_bid=initial,
            reserve=initial + _price(random),
            date_time=time,
            expires=time + timedelta(milliseconds=1 + int(lasts * 1_000)),
            seller=FIRST_ID + (_hot(persons) if hot else _recent(persons, _ACTIVE_PERSONS, random)),
            category=random.choice(CATEGORIES),
            extra=_word(random, 200, 400),
        )

    def _time(self, number: int) -> datetime:
        return self.start + timedelta(milliseconds=(number - self.first) * 1_000 // self.events_per_second)


def _person(persons: int, time: datetime, random: Random) -> Person:
    return Person(
        id=FIRST_ID + persons - 1,
        name=f"{random.choice(_FIRST_NAMES)} {random.choice(_LAST_NAMES)}",
        email_address=f"{_word(random, 3, 7)}@{_word(random, 3, 5)}.com",
        credit_card=" ".join(f"{random.randrange(10_000):04}" for _ in range(4)),
        city=random.choice(_CITIES),
        state=random.choice(_STATES),
        date_time=time,
        extra=_word(random, 80, 140),
    )


def _bid(auctions: int, persons: int, time: datetime, random: Random) -> Bid:
    is_hot_auction = random.random() < 1 / 2
    is_hot_bidder = random.random() < 3 / 4
    channel, url = random.choice(_hot_channels() if random.random() < 1 / 2 else _channels())
    return Bid(
        auction=FIRST_ID + (_hot(auctions) if is_hot_auction else _recent(auctions, _OPEN_AUCTIONS, random)),
        # The bidder after the hot seller, so that people do not bid for their own items.
        bidder=FIRST_ID + (_hot(persons) + 1 if is_hot_bidder else _recent(persons, _ACTIVE_PERSONS, random)),
        price=_price(random),
        channel=channel,
        url=url,
        date_time=time,
        extra=_word(random, 50, 85),
    )


def _hot(count: int) -> int:
    """Return the first number of the latest hundred numbers below ``count``."""
    return (count - 1) // _HOT_GROUP * _HOT_GROUP


def _recent(count: int, active: int, random: Random) -> int:
    """Return one of the latest numbers below ``count``, or one of the next few."""
    return random.randrange(max(count - active, 0), count + _LEAD)


def _price(random: Random) -> int:
    return round(100 * 10 ** (6 * random.random()))


@cache
def _hot_channels() -> list[tuple[str, str]]:
    random = Random(0)
    return [(name, _url(random)) for name in _HOT_CHANNELS]


@cache
def _channels() -> list[tuple[str, str]]:
    random = Random(1)
    channels = []
    for number in range(_CHANNELS):
        url = _url(random)
        if random.random() < 9 / 10:
            url += f"&channel_id={random.randrange(2**31)}"
        channels.append((f"channel-{number}", url))
    return channels


def _url(random: Random) -> str:
    folders = "/".join(_word(random, 3, 5) for _ in range(3))
    return f"https://auctions.example/{folders}/item.htm?query=1"


@cache
def _letters() -> str:
    return "".join(Random(2).choices(_LETTERS, k=100_000))


def _word(random: Random, least: int, most: int) -> str:
    """Return random letters."""
    length = random.randint(least, most)
    at = int(random.random() * (len(_letters()) - length))
    return _letters()[at : at + length]
