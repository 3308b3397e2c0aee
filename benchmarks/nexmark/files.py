"""Events as JSON Lines: an object for each event, with ``null`` for the kinds that it does not have.

There are two files, so that each of two workers reads one. One has every other event, the other has the rest;
both are in the order of arrival. For a single worker, which reads both in turn, the second one is late.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import fields
from datetime import datetime
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.nexmark.events import Auction, Bid, Event, Person
from benchmarks.nexmark.generator import SIDE_INPUT_KEYS, Generator

FILES = 2
EVENTS, SIDE_INPUT = "events", "side-input.csv"
"""The folder of the events and the file of the side input in a data set."""


class DataSets:
    """Data sets below a directory, each written at its first use.

    Args:
        root: the directory.
        events: number of events of the largest data set.
    """

    def __init__(self, root: Path, events: int) -> None:
        self._root = root
        self._events = events

    def counts(self, shape: str) -> list[int]:
        """Return the possible sizes of data sets: there is one."""
        return [self._events]

    def are_unique(self, shape: str, records: int) -> bool:
        """Return whether a data set has no event twice."""
        return True

    def directory(self, shape: str, records: int) -> Path:
        """Return the directory of a data set."""
        path = self._root / f"{shape}-{records}"
        if not path.exists():
            unfinished = path.with_suffix(".part")
            write(Generator().events(records), unfinished)
            unfinished.rename(path)
        return path


def write(events: Iterable[Event], directory: Path) -> None:
    """Write events, and the side input, to a directory, which is created."""
    lines = directory / EVENTS
    lines.mkdir(parents=True)
    with ExitStack() as stack:
        files = [stack.enter_context((lines / f"{number}.json").open("w")) for number in range(FILES)]
        for event, file in zip(events, cycle(files), strict=False):
            file.write(line(event))
            file.write("\n")
    pairs = (f"{key},{side_value(key)}\n" for key in range(SIDE_INPUT_KEYS))
    (directory / SIDE_INPUT).write_text("".join(pairs))


def side_value(key: int) -> str:
    """Return the value of a key in the side input."""
    return f"value {key}"


def line(event: Event) -> str:
    """Return an event as a JSON object."""
    return json.dumps(_plain(event), separators=(",", ":"))


def event_of(line: str) -> Event:
    """Return the event of a JSON object."""
    values = json.loads(line)
    return Event(
        values["event_type"],
        _record(Person, values["person"]),
        _record(Auction, values["auction"]),
        _record(Bid, values["bid"]),
    )


_TIMES = ("date_time", "expires")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(" ", "milliseconds")
    if isinstance(value, Event | Person | Auction | Bid):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value


def _record(kind: type[Any], values: dict[str, Any] | None) -> Any:
    if values is None:
        return None
    for name in _TIMES:
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    return kind(**values)
