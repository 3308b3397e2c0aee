"""The generated code for JSON does what the slow reader and writer do, errors included."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, get_args
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st

from pystream.engine.formats import times
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import fields_of
from pystream.engine.formats.json_reader import json_reader
from pystream.engine.formats.json_writer import json_writer
from pystream.errors import DeserializationError, SerializationError
from typeinfo import Row, Types
from typeinfo.composite import FieldsTypeInfo, TupleTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values

T = Types


@dataclass
class Event:
    id: int
    name: str | None
    ratio: float
    is_new: bool
    at: datetime
    day: date | None


SCALARS = [T.LONG, T.INT, T.BYTE, T.STRING, T.DOUBLE, T.FLOAT, T.BOOLEAN, T.BIG_INT, T.BIG_DEC]
SCALARS += [T.SQL_TIMESTAMP, T.LOCAL_DATE_TIME, T.INSTANT, T.SQL_DATE, T.SQL_TIME, T.CHAR]
ROWS = st.lists(st.sampled_from(SCALARS), min_size=1, max_size=5).map(T.ROW)
COMPOSITES = st.one_of(
    ROWS,
    st.just(T.of(Event)),
    st.tuples(ROWS, ROWS).map(T.ROW),
    type_infos().map(lambda t: t if isinstance(t, FieldsTypeInfo) else TupleTypeInfo([t])),
)

OPTIONS = [(False, False), (True, False), (False, True)]
SHAPES = ["2020-01-31T12:34:56", "2020-01-31 23:59:59.123456", "2020-02-29T00:00:00.5Z", "2020-01-31"]
NUMBERS = st.one_of(
    st.integers(-(2**70), 2**70).map(str),
    st.sampled_from([2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1]).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(
        ["-0", "-0.0", "1e400", "1E2", "0.1e-400", "1.50", "NaN", "-Infinity", "01", "1.", "9" * 400]
    ),
)
STRINGS = st.one_of(
    st.text().map(json.dumps),
    st.text().map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.sampled_from(
        ['"\\ud800"', '"\ud800"', '"1"', '" 12 "', '"true"', '"NaN"', '"1e3"', '"\\x"', '"\x01"']
    ),
    st.datetimes().map(lambda moment: f'"{moment.isoformat()}Z"'),
    st.datetimes().map(lambda moment: f'"{moment.isoformat(" ", "milliseconds")}"'),
    st.dates().map(lambda day: f'"{day}"'),
)
NODES = st.recursive(
    st.one_of(NUMBERS, STRINGS, st.sampled_from(["null", "true", "false"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)}]"),
        st.lists(st.tuples(st.sampled_from(["f0", "f1", "id"]), inner), max_size=3).map(
            lambda parts: "{" + ",".join(f'"{name}": {part}' for name, part in parts) + "}"
        ),
    ),
    max_leaves=5,
)


def outcome(call: Callable[[Any], Any], argument: Any) -> tuple[str, Any]:
    try:
        return "value", call(argument)
    except (DeserializationError, SerializationError, FieldError) as error:
        return "error", str(error)


def agree(fast: tuple[str, Any], slow: tuple[str, Any]) -> bool:
    return fast[0] == slow[0] and same(fast[1], slow[1]) and repr(fast[1]) == repr(slow[1])


@st.composite
def messages(draw: st.DrawFn, t: FieldsTypeInfo[Any]) -> bytes:
    """Draw a message with a value of the type, or with any values, perhaps damaged."""
    names = [field.name for field in fields_of(t)]
    if draw(st.booleans()):
        value = draw(values(t))
        try:
            text = json_writer(t)(value).decode()
        except SerializationError:
            reject()
        entries = json.loads(text)
        if names and draw(st.booleans()):
            entries[draw(st.sampled_from(names))] = None
            text = json.dumps(entries)
    else:
        chosen = draw(st.lists(st.sampled_from([*names, "more"]), max_size=len(names) + 2))
        text = "{" + ",".join(f"{json.dumps(name)}:{draw(NODES)}" for name in chosen) + "}"
    message = text.encode(
        draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32-be"])), "surrogatepass"
    )
    if draw(st.integers(0, 4)) == 0:
        place = draw(st.integers(0, len(message)))
        message = message[:place] + draw(st.binary(max_size=2)) + message[place + draw(st.integers(0, 2)) :]
    return message


@given(COMPOSITES, st.sampled_from(OPTIONS), st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_messages_are_read_alike(
    t: FieldsTypeInfo[Any], options: tuple[bool, bool], data: st.DataObject
) -> None:
    try:
        reader = json_reader(t, *options)
    except UnsupportedTypeError:
        reject()
    message = data.draw(messages(t))
    assert agree(outcome(reader, message), outcome(reader.read_exactly, message))


EDGES = (2**7, 2**15, 2**31, 2**63, 2**64)
TEXTS = ["0", "-0", "-0.0", "1", "1.0", "1.5", "1.50", "1e2", "1E+400", "-1e-400", "01", "1."]
TEXTS += [str(sign * edge + more) for sign in (1, -1) for edge in EDGES for more in (-1, 0, 1)]
TEXTS += ["9" * 30, "9" * 400, "123456789012345678901234567890.125"]
TEXTS += ["null", "true", "false", "nul", "NaN", "Infinity"]
TEXTS += ['""', '"x"', '" 1 "', '"1"', '"1.5"', '"true"', '"NaN"']
TEXTS += ['"\\u00e9"', '"\\ud800"', '"\ud800"', '"\x01"', '"é']
TEXTS += [f'"{text}"' for text in SHAPES] + ['"12:34:56"', '"12:34:56.5Z"', '"2020-01-31T12:34:56+01:00"']
TEXTS += ["[]", "{}", "[1, 18446744073709551616]", '{"a": 1.50}', '["x", null]', "[" * 200 + "]" * 200]
FORMS = ('{"f0":%s,"f1":1}', '{"f0":[%s]}', '{"f0":{"a":%s}}', '{"f0":1,"f0": %s,"f2":2}', "%s")


@pytest.mark.parametrize("t", [*SCALARS, *map(T.LIST, SCALARS[:6]), T.MAP(T.STRING, T.STRING)], ids=str)
def test_single_values_are_read_alike(t: TypeInformation[Any]) -> None:
    for options in OPTIONS:
        reader = json_reader(T.ROW([t, T.INT]), *options)  # type: ignore[arg-type]
        for text in TEXTS:
            for form in FORMS:
                message = (form % text).encode("utf-8", "surrogatepass")
                assert agree(outcome(reader, message), outcome(reader.read_exactly, message)), message


@given(COMPOSITES, st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_elements_are_written_alike(t: FieldsTypeInfo[Any], data: st.DataObject) -> None:
    try:
        writer = json_writer(t, data.draw(st.sampled_from(["RFC-3339", "SQL", "ISO-8601"])))
    except UnsupportedTypeError:
        reject()
    element = data.draw(values(t))
    parts = list(element) if isinstance(element, (tuple, Row)) else []
    if parts:
        others = st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.booleans(), st.datetimes())
        position = data.draw(st.integers(0, len(parts) - 1))
        parts[position] = data.draw(st.one_of(st.just(parts[position]), others))
        element = data.draw(st.sampled_from([element, tuple(parts), tuple(parts)[1:], None]))
    assert agree(outcome(writer, element), outcome(writer.write_exactly, element))


DIGITS = "0123456789"


@st.composite
def times_of_day(draw: st.DrawFn) -> str:
    """Draw a text like a timestamp, with some characters replaced, inserted or left out."""
    text = draw(st.one_of(st.sampled_from(SHAPES), st.datetimes().map(str)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 2))
        text = text[:place] + draw(st.text(f"{DIGITS}-:.,TZ+ W٣", max_size=2)) + text[place + length :]
    return text


@given(times_of_day())
@example("2020-01-31T24:00:00")
@example("2020-01-31T12:34:56.1+01")
@example("20200131T123456.123")
@example("2020-01-31x12:34:56")
@example("2020-W01-1")
@settings(max_examples=500)
def test_times_are_parsed_alike(text: str) -> None:
    for style in get_args(times.TimeStyle):
        parser = times.time_parser(style)
        for parse in (parser.read_timestamp, parser.read_instant):
            with patch.object(parser, "_separators", frozenset()):
                slow = outcome(parse, text)
            assert agree(outcome(parse, text), slow)
        with patch.object(times, "_DATE_SEPARATORS", ""):
            slow = outcome(parser.read_date, text)
        assert agree(outcome(parser.read_date, text), slow)


def test_usual_messages_take_the_fast_way() -> None:
    """Else all of the above would hold, and nothing would be gained."""
    named: TypeInformation[Any] = T.ROW_NAMED(
        ["id", "name", "ratio", "is_new", "at", "day"],
        [T.LONG, T.STRING, T.DOUBLE, T.BOOLEAN, T.SQL_TIMESTAMP, T.SQL_DATE],
    )
    message = b'{"id":1,"name":"x","ratio":0.5,"is_new":true,"at":"2020-01-31T12:34:56Z","day":"2020-01-31"}'
    for t in (named, T.of(Event)):
        reader, writer = json_reader(t), json_writer(t)  # type: ignore[arg-type]
        with patch.object(type(reader), "read_exactly"), patch.object(type(writer), "write_exactly"):
            element = reader(message)
            assert element is not None
            assert writer(element) == message


def test_an_object_of_another_class_or_with_more_attributes_is_written_by_neither() -> None:
    writer = json_writer(T.of(Event))  # type: ignore[arg-type]
    event = Event(1, "x", 0.5, True, datetime(2020, 1, 31), None)
    assert outcome(writer, event)[0] == "value"
    other = outcome(writer, SimpleNamespace(**vars(event)))
    assert "give an instance of Event" in other[1]
    event.more = 1  # type: ignore[attr-defined]
    result = outcome(writer, event)
    assert agree(result, outcome(writer.write_exactly, event))
    assert "attributes ['more'], which are not fields" in result[1]
