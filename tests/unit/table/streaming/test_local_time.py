"""Local times where clocks change."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream import zones
from pystream.common import Time
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.engine.connectors.buckets import time_zone
from pystream.errors import ConfigurationError
from pystream.table.streaming.local_time import LocalTime
from pystream.table.streaming.local_windows import LocalTimeWindows
from pystream.zones import zone_of_machine

BERLIN = LocalTime("Europe/Berlin")
HOUR = 3_600_000
ZONES = st.sampled_from(["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "GMT+05:45", "Z"])
INSTANTS = st.datetimes(datetime(2023, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))


def milliseconds(text: str) -> int:
    """Return the milliseconds since 1970 at a time in UTC, or those that a local clock has passed."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@given(ZONES, INSTANTS)
def test_the_local_time_is_that_of_the_clock(zone: str, instant: datetime) -> None:
    clock = instant.astimezone(time_zone(zone)).replace(tzinfo=None)
    time = LocalTime(zone)
    local = time.at(int(instant.timestamp() * 1000))
    assert time.to_datetime(local) == clock.replace(microsecond=clock.microsecond // 1000 * 1000)
    assert time.of_datetime(time.to_datetime(local)) == local


@pytest.mark.parametrize(
    ("local", "first", "last"),
    [  # as Flink's TimeWindowUtil has them
        ("2024-03-31 01:59:59.999", "2024-03-31 00:59:59.999", "2024-03-31 00:59:59.999"),
        ("2024-03-31 02:30", "2024-03-31 01:30", "2024-03-31 01:00"),  # skipped
        ("2024-03-31 03:00", "2024-03-31 01:00", "2024-03-31 01:00"),
        ("2024-10-27 01:59", "2024-10-26 23:59", "2024-10-26 23:59"),
        ("2024-10-27 02:30", "2024-10-27 00:30", "2024-10-27 01:30"),  # twice
        ("2024-10-27 03:00", "2024-10-27 02:00", "2024-10-27 02:00"),
    ],
)
def test_instants_of_local_times(local: str, first: str, last: str) -> None:
    assert BERLIN.instant(milliseconds(local)) == milliseconds(first)
    assert BERLIN.last_instant(milliseconds(local)) == milliseconds(last)


@given(ZONES.filter(lambda zone: zone != "Australia/Lord_Howe"), INSTANTS)  # changes by half an hour
def test_a_window_has_not_ended_while_it_is_assigned(zone: str, instant: datetime) -> None:
    windows = LocalTimeWindows(TumblingEventTimeWindows.of(Time.minutes(30)), LocalTime(zone))
    time = int(instant.timestamp() * 1000)
    (window,) = windows.at("", time)
    assert time <= window.max_timestamp() <= time + 3 * HOUR // 2


def test_offsets_that_do_not_change() -> None:
    assert LocalTime("Asia/Kathmandu").fixed_offset is None  # it has changed in 1986
    assert LocalTime("GMT-08:00").fixed_offset == -8 * HOUR
    assert LocalTime().fixed_offset == LocalTime("UTC").fixed_offset == 0
    assert BERLIN.fixed_offset is None


def test_a_local_time_travels_by_its_name() -> None:
    copy = pickle.loads(pickle.dumps(BERLIN))
    assert copy.at(0) == HOUR


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no time zone 'Europe/Atlantis'"):
        LocalTime("Europe/Atlantis")


def test_the_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":America/New_York")
    assert zone_of_machine() == "America/New_York"
    monkeypatch.delenv("TZ")
    monkeypatch.setattr(Path, "resolve", lambda self: Path("/usr/share/zoneinfo/Europe/Rome"))
    assert zone_of_machine() == "Europe/Rome"


def test_the_zone_of_a_machine_with_a_copied_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TZ", raising=False)
    copy = tmp_path / "localtime"
    monkeypatch.setattr(zones, "_LOCAL_TIME", copy)
    assert zone_of_machine() == "Z"
    (tmp_path / "Asia").mkdir()
    (tmp_path / "Asia" / "Tokyo").write_bytes(b"TZif of Tokyo")
    monkeypatch.setattr(zones, "TZPATH", [str(tmp_path)])
    copy.write_bytes(b"TZif of Tokyo")
    assert zone_of_machine() == "Asia/Tokyo"
    copy.write_bytes(b"TZif of nowhere")
    with pytest.raises(ConfigurationError, match=r"set table\.local-time-zone, or the variable TZ"):
        zone_of_machine()


def test_a_day_has_as_many_hours_as_its_clock_passes() -> None:
    windows = LocalTimeWindows(TumblingEventTimeWindows.of(Time.days(1)), BERLIN)
    lengths = []
    for day in ("2024-03-31", "2024-06-01", "2024-10-27"):
        (window,) = windows.at("", milliseconds(f"{day} 12:00"))
        lengths.append(timedelta(milliseconds=window.last + 1 - BERLIN.instant(window.start)))
    assert [length // timedelta(hours=1) for length in lengths] == [23, 24, 25]
