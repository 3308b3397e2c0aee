"""Hypothesis strategies: types, their values and batches, invalid values, streams of events.

Needs the ``testing`` extra. Nothing of the library imports this package.
"""

from __future__ import annotations

from typeinfo.testing.strategies.examples import (
    RECORDS,
    Boxed,
    Colour,
    Entry,
    Key,
    Level,
    Nothing,
    Pair,
    Reading,
    Word,
)
from typeinfo.testing.strategies.kinds import row_types, type_infos
from typeinfo.testing.strategies.streams import Event, EventStream, Watermark, event_streams
from typeinfo.testing.strategies.values import (
    ValuesError,
    batches,
    invalid_values,
    records,
    register_values,
    values,
)

__all__ = [
    "RECORDS",
    "Boxed",
    "Colour",
    "Entry",
    "Event",
    "EventStream",
    "Key",
    "Level",
    "Nothing",
    "Pair",
    "Reading",
    "ValuesError",
    "Watermark",
    "Word",
    "batches",
    "event_streams",
    "invalid_values",
    "records",
    "register_values",
    "row_types",
    "type_infos",
    "values",
]
