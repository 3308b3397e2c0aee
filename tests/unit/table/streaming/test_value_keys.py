"""Keys by which the values of rows are found again."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pystream.table.streaming.value_keys import are_same, fields_key
from typeinfo.instant import Instant

NOON = dt.datetime(2020, 1, 1, 12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.0, -0.0),
        (Decimal("1.0"), Decimal("1.00")),
        ([0.0], [-0.0]),
        (NOON.replace(tzinfo=dt.UTC), NOON.replace(hour=13, tzinfo=ZoneInfo("Europe/Paris"))),
    ],
    ids=str,
)
def test_equal_values_that_are_written_differently_have_keys_of_their_own(one: Any, other: Any) -> None:
    assert one == other
    assert fields_key((1, one)) != fields_key((1, other))
    assert not are_same((1, one), (1, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NOON, dt.datetime(2020, 1, 1, 12)),
        (NOON.time(), dt.time(12)),
        (NOON.replace(tzinfo=dt.UTC), dt.datetime(2020, 1, 1, 12, tzinfo=dt.UTC)),
        (Instant(1, 5), Instant(1, 5)),
        (dt.timedelta(1), dt.timedelta(hours=24)),
        (Decimal("1.0"), Decimal("1.0")),
    ],
    ids=str,
)
def test_values_that_are_the_same_share_a_key(one: Any, other: Any) -> None:
    assert fields_key((1, one)) == fields_key((1, other))
    assert are_same((1, one), (1, other))


def test_times_are_keys_themselves() -> None:
    assert fields_key((NOON,)) == ((dt.datetime, NOON),)
    assert fields_key((Instant(1, 5), dt.timedelta(1))) == (Instant(1, 5), dt.timedelta(1))
