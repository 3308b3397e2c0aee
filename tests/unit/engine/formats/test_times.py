"""Dates and times as text: each style takes the forms that Flink 2.3 takes for it, and no others."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.times import TimeStyle, time_parser

TIMESTAMPS = """
2020-01-02T03:04:05|2020-01-02 03:04:05|2020-01-02T03:04:05Z|2020-01-02 03:04:05Z|2020-01-02T03:04:05.1
2020-01-02 03:04:05.1|2020-01-02 03:04:05.123456000|2020-01-02T03:04:05.123456000|2020-01-02 03:04:05.
2020-01-02 03:04:05.1234567890|2020-01-02 03:04|2020-01-02T03:04|2020-01-02 03|2020-01-02|2020-1-2 03:04:05
2020-1-2T03:04:05|2020-01-02 3:04:05|2020-01-02 03:4:05|2020-01-02 03:04:5| 2020-01-02 03:04:05|
2020-01-02 03:04:05 |2020-01-02T03:04:05+01:00|2020-01-02T03:04:05.5+01:00|2020-01-02 03:04:05+01:00
2020-01-02 03:04:05.5Z|2020-01-02T03:04:05.5Z|2020-01-02T03:04Z|2020-01-02 03:04:05z|2020-01-02T03:04:05 Z
2020-01-02 03:04:60|2020-13-01 03:04:05|2020-02-32 03:04:05|12020-01-02 03:04:05|20200102T030405
9999-12-31 23:59:59.999999|9999-12-31T23:59:59.999999|2020-01-02  03:04:05|2020-01-02T03:04:05UTC|null
2020/01/02 03:04:05|1577934245|2020-W01-4T03:04:05|0001-01-01 00:00:00
""".replace("\n", "|").split("|")[1:]
DATES = """
2020-01-02|2020-1-2| 2020-01-02|2020-01-02 |2020-01-02Z|2020-01-02T00:00:00|2020-02-32|2020-13-01|0001-01-01
12020-01-02|9999-12-31|20200102|2020/01/02|20-01-02|2020-001|2020-01-00|2020-1-02|2020-01-2|2020-01|18000
""".replace("\n", "|").split("|")[1:]
TIMES = """
03:04:05|03:04|03|3:04:05|03:4:05|03:04:5|03:04:05Z|03:04:05z|03:04Z|03:04:05.1234567890|03:04:05.1Z
 03:04:05|03:04:05 |23:59:60|25:00:00|03:04:05+01:00|T03:04:05|030405|3600|null
""".replace("\n", "|").split("|")[1:]

LENIENT_DATES = "2020-01-02|2020-1-2|0001-01-01|9999-12-31|2020-1-02|2020-01-2"
STRICT_DATES = "2020-01-02|0001-01-01|9999-12-31"
BLANK = (
    "2020-01-02 03:04:05|2020-01-02 03:04:05.1|2020-01-02 03:04:05.123456000|2020-01-02 03:04:05.|"
    "9999-12-31 23:59:59.999999|0001-01-01 00:00:00"
)
ZONED_BLANK = "2020-01-02 03:04:05Z|2020-01-02 03:04:05.5Z"
TAKEN: dict[TimeStyle, dict[str, str]] = {
    "RFC-3339": {
        "date": STRICT_DATES,
        "time": "03:04:05Z|03:04:05.1Z",  # Flink writes no fractions and refuses them.
        "timestamp": "2020-01-02T03:04:05Z|2020-01-02T03:04:05.5Z",
        "instant": "2020-01-02T03:04:05Z|2020-01-02T03:04:05.5Z|2020-01-02T03:04:05+01:00|"
        "2020-01-02T03:04:05.5+01:00",
    },
    "SQL": {"date": STRICT_DATES, "time": "03:04:05", "timestamp": BLANK, "instant": ZONED_BLANK},
    "ISO-8601": {
        "date": STRICT_DATES,
        "time": "03:04:05",
        "timestamp": "2020-01-02T03:04:05|2020-01-02T03:04:05.1|2020-01-02T03:04:05.123456000|"
        "2020-01-02T03:04|9999-12-31T23:59:59.999999",
        "instant": "2020-01-02T03:04:05Z|2020-01-02T03:04:05.5Z|2020-01-02T03:04Z",
    },
    "CSV": {
        "date": LENIENT_DATES,
        "time": "03:04:05|03:04",
        "timestamp": f"{BLANK}| 2020-01-02 03:04:05|2020-01-02 03:04:05 ",
        "instant": ZONED_BLANK,
    },
    "JDBC": {
        "date": LENIENT_DATES,
        "time": "03:04:05|3:04:05|03:4:05|03:04:5",
        "timestamp": f"{BLANK}| 2020-01-02 03:04:05|2020-01-02 03:04:05 |2020-1-2 03:04:05|"
        "2020-01-02 3:04:05|2020-01-02 03:4:05|2020-01-02 03:04:5",
        "instant": ZONED_BLANK,
    },
}
TEXTS = {"date": DATES, "time": TIMES, "timestamp": TIMESTAMPS, "instant": TIMESTAMPS}


def outcome(style: TimeStyle, kind: str, text: str) -> Any:
    try:
        return getattr(time_parser(style), f"read_{kind}")(text)
    except FieldError:
        return None


@pytest.mark.parametrize("style", TAKEN)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_style_takes_the_forms_that_flink_takes(style: TimeStyle, kind: str) -> None:
    taken = {text for text in TEXTS[kind] if outcome(style, kind, text) is not None}
    assert taken == set(TAKEN[style][kind].split("|"))


@pytest.mark.parametrize("style", TAKEN)
def test_days_and_hours_that_do_not_exist_are_errors(style: TimeStyle) -> None:
    """Flink takes another day: 29 February, 1 March or the next one."""
    separator, zone = ("T" if style in ("RFC-3339", "ISO-8601") else " "), "Z" if style == "RFC-3339" else ""
    for text in (f"2020-02-30{separator}03:04:05{zone}", f"2020-01-02{separator}24:00:00{zone}"):
        assert outcome(style, "timestamp", text) is None
    assert outcome(style, "date", "2020-02-30") is None
    assert outcome(style, "time", f"24:00:00{zone}") is None
