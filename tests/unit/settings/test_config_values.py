"""The text of settings, as Flink 2.3 reads and writes it."""

from __future__ import annotations

from enum import Enum

import pytest

from pystream.common.time import Duration
from pystream.settings import config_values
from pystream.settings.config_values import enum_of, parse_list, to_text
from pystream.settings.memory_size import MemorySize


class Colour(Enum):
    RED = 0
    Dark_Green = 1


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("5", Duration.of_millis(5)),
        ("5ms", Duration.of_millis(5)),
        (" 5 s ", Duration.of_seconds(5)),
        ("3 min", Duration.of_minutes(3)),
        ("3m", Duration.of_minutes(3)),
        ("2 h", Duration.of_hours(2)),
        ("1 d", Duration.of_days(1)),
        ("2 days", Duration.of_days(2)),
        ("90 Minutes", Duration.of_minutes(90)),
        ("7 µs", Duration.of_nanos(7000)),
        ("9 nanos", Duration.of_nanos(9)),
        ("PT5S", Duration.of_seconds(5)),
        ("pt1h", Duration.of_hours(1)),
        ("P1D", Duration.of_days(1)),
        ("P1DT2H3M4.5S", Duration.of_millis(93_784_500)),
        ("PT-1.5S", Duration.of_millis(-1500)),
        ("PT-1M-30S", Duration.of_seconds(-90)),
        ("-PT1M-30S", Duration.of_seconds(-30)),
    ],
)
def test_durations_are_read(text: str, duration: Duration) -> None:
    assert config_values.DURATION.parse(text) == duration


@pytest.mark.parametrize(
    "text", ["", "7us", "1.5 s", "-1 s", "5 weeks", "P", "PT", "P1DT", "s", "5 5 s", "\u0661 s"]
)
def test_malformed_durations_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        config_values.DURATION.parse(text)


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (Duration.of_millis(0), "0 ms"),
        (Duration.of_millis(999), "999 ms"),
        (Duration.of_millis(1500), "1500 ms"),
        (Duration.of_seconds(60), "1 min"),
        (Duration.of_seconds(90), "90 s"),
        (Duration.of_hours(24), "1 d"),
        (Duration.of_hours(25), "25 h"),
        (Duration.of_nanos(1000), "1 µs"),
        (Duration.of_nanos(1001), "1001 ns"),
    ],
)
def test_durations_are_written_in_the_largest_unit(duration: Duration, text: str) -> None:
    assert to_text(duration) == text


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("7", 7),
        ("7b", 7),
        ("7 bytes", 7),
        ("1k", 1 << 10),
        (" 3 kb ", 3 << 10),
        ("1kibibytes", 1 << 10),
        ("64 mb", 64 << 20),
        ("1 MebiBytes", 1 << 20),
        ("2g", 2 << 30),
        ("1t", 1 << 40),
    ],
)
def test_memory_sizes_are_read(text: str, size: int) -> None:
    assert config_values.MEMORY.parse(text) == MemorySize(size)


@pytest.mark.parametrize("text", ["", "1.5g", "-1", "2 xb", "kb"])
def test_malformed_memory_sizes_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        config_values.MEMORY.parse(text)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a;b", ["a", "b"]),
        ("a; b ", ["a", "b"]),
        ("a", ["a"]),
        ("", []),
        ("[]", []),
        ("[a, b]", ["a", "b"]),
        ("['a;b', c]", ["a;b", "c"]),
        ("- a\n- b", ["a", "b"]),
        ("'a;b';c", ["a;b", "c"]),
        ("'a''b';\"c\"", ["a'b", "c"]),
        ("[{a: b}, [c]]", ["{a: b}", "[c]"]),
        ("{broken", ["{broken"]),
    ],
)
def test_lists_are_read(text: str, items: list[str]) -> None:
    assert parse_list(text) == items


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", {}),
        ("{}", {}),
        ("a:1,b:2", {"a": "1", "b": "2"}),
        ("a: 1, b: 2", {"a": "1", "b": "2"}),
        ("{a: 1, b: x}", {"a": "1", "b": "x"}),
        ("{a: '1'}", {"a": "1"}),
        ("a: 1\nb: 2", {"a": "1", "b": "2"}),
        ("{a: {b: c}}", {"a": "{b: c}"}),
    ],
)
def test_maps_are_read(text: str, entries: dict[str, str]) -> None:
    assert config_values.MAP.parse(text) == entries


@pytest.mark.parametrize("text", ["a", "a:b:c", "a,b:c"])
def test_malformed_maps_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        config_values.MAP.parse(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (5, "5"),
        (1.5, "1.5"),
        ("x", "x"),
        (Colour.Dark_Green, "Dark_Green"),
        (["a", "b"], "[a, b]"),
        (("a", "b"), "[a, b]"),
        (["a b", "c: d"], "[a b, 'c: d']"),
        (["1", "true", "", "[x]", "é"], "['1', 'true', '', '[x]', é]"),
        ({"b": "1", "a": "x:y, z"}, "{b: '1', a: 'x:y, z'}"),
        (b"abc", "!!binary |-\n  YWJj"),
    ],
)
def test_values_are_written(value: object, text: str) -> None:
    assert to_text(value) == text


@pytest.mark.parametrize("text", ["\x85", "\u2028", "\u2029é", "\n", "\0", "😀"])
def test_unusual_characters_are_kept(text: str) -> None:
    assert parse_list(to_text([text])) == [text]
    assert config_values.MAP.parse(to_text({text: text})) == {text: text}


def test_enum_members_are_read_in_any_case() -> None:
    kind = enum_of(Colour)
    assert kind.parse("red") is Colour.RED
    assert kind.parse("DARK_GREEN") is Colour.Dark_Green
    assert kind.allowed == "one of RED, Dark_Green"
    with pytest.raises(ValueError):
        kind.parse("dark-green")


@pytest.mark.parametrize("text", ["1e3", "1_0", " 1", "", "5L", "1.0", "\u0663", "2147483648"])
def test_malformed_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        config_values.INT.parse(text)
    with pytest.raises(ValueError):
        config_values.DOUBLE.parse("1_0")
    assert config_values.INT.parse("+5") == 5
    assert config_values.LONG.parse("-9223372036854775808") == -(2**63)


def test_programs_pass_values_of_the_right_class_or_text() -> None:
    assert config_values.INT.accept("5") == 5
    assert config_values.DOUBLE.accept(3) == 3.0
    assert config_values.DURATION.accept("5 s") == Duration.of_seconds(5)
    for kind, value in (
        (config_values.INT, True),
        (config_values.DOUBLE, True),
        (config_values.INT, 1.0),
        (config_values.STRING, 5),
        (config_values.BOOLEAN, 1),
        (config_values.DURATION, 5),
        (config_values.DOUBLE, None),
    ):
        with pytest.raises(ValueError):
            kind.accept(value)
