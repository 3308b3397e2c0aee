"""Elements that are columns are written as the same elements are one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from pystream.common.serialization import Encoder, SerializationSchema
from pystream.engine.connectors.row_parts import Records
from pystream.engine.failure import ElementFailure
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_column_writer import csv_column_writer
from pystream.engine.formats.csv_writer import csv_writer
from pystream.engine.formats.json_column_writer import json_column_writer
from pystream.engine.formats.json_writer import json_writer
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.errors import SerializationError
from tests.property.test_fast_json import Event
from typeinfo import Row, TypeCheckError, Types
from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.serde import serializer_for
from typeinfo.testing.strategies import type_infos, values

T = Types
SCALARS: list[Any] = [T.LONG, T.INT, T.BYTE, T.STRING, T.DOUBLE, T.FLOAT, T.BOOLEAN, T.BIG_DEC, T.BIG_INT]
SCALARS += [T.SQL_TIMESTAMP, T.LOCAL_DATE_TIME, T.INSTANT, T.SQL_DATE, T.SQL_TIME]
ROWS: st.SearchStrategy[Any] = st.lists(st.sampled_from(SCALARS), min_size=1, max_size=4).map(T.ROW)
TYPES = st.one_of(ROWS, ROWS.map(lambda t: T.ROW([t, T.LONG])), st.just(T.of(Event)), type_infos())
DOUBLES = st.floats() | st.floats(-1e10, 1e10) | st.sampled_from([0.0, -0.0, 1e-4, 9e-5, 1e-3, 1e7, 1e9, 1.0])


def columns_of(t: Any, elements: list[Any]) -> ColumnValues:
    try:
        return ColumnValues(layout_of(t), serializer_for(t).to_batch(elements))
    except (TypeCheckError, OverflowError):
        reject()


class OneByOne(SerializationSchema[Any]):
    """A schema that writes single elements only."""

    def __init__(self, write: Callable[[Any], bytes]) -> None:
        self._write = write

    def serialize(self, element: Any) -> bytes:
        return self._write(element)


def written(call: Callable[[], Any]) -> Any:
    """Return what is written, or the error."""
    try:
        return call()
    except (SerializationError, ElementFailure) as error:
        return type(error)


def check(at_once: Any, one_by_one: Any, elements: ColumnValues) -> None:
    """Check what is written at once, if it is."""
    found = at_once.messages(elements)
    expected = written(lambda: [one_by_one(element) for element in elements])
    assert found is None or found.to_pylist() == expected
    lines = at_once.lines(elements)
    if lines is not None:
        parts = Encoder.serialized_lines(OneByOne(one_by_one)).bind(elements.layout.type)
        expected = written(lambda: parts.encoder()(list(elements)).pieces)
        assert Records(lines).pieces == expected
        assert Records(lines.slice(1)).data == b"".join(expected[1:])


@given(TYPES, st.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_json_is_written_alike(t: Any, data: st.DataObject) -> None:
    try:
        writer = json_writer(t)
    except UnsupportedTypeError:
        reject()
    at_once = json_column_writer(t)
    if at_once is None:
        reject()
    check(at_once, writer, columns_of(t, data.draw(st.lists(values(t), max_size=3))))


OPTIONS = [
    CsvOptions(),
    CsvOptions(field_delimiter="|", null_literal="null"),
    CsvOptions(quote=None),
    CsvOptions(escape="\\"),
    CsvOptions(field_delimiter="~", quote="'"),
]


@given(TYPES, st.sampled_from(OPTIONS), st.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_csv_is_written_alike(t: Any, options: CsvOptions, data: st.DataObject) -> None:
    if not isinstance(t, FieldsTypeInfo):
        reject()
    try:
        writer = csv_writer(t, options)
    except UnsupportedTypeError:
        reject()
    at_once = csv_column_writer(t, options)
    if at_once is None:
        reject()
    check(at_once, writer, columns_of(t, data.draw(st.lists(values(t), max_size=3))))


@given(st.lists(st.none() | DOUBLES, min_size=1, max_size=3), st.sampled_from(OPTIONS))
@settings(max_examples=80)
def test_doubles_are_written_alike(numbers: list[float | None], options: CsvOptions) -> None:
    t: Any = T.ROW([T.DOUBLE])
    elements = columns_of(t, [Row(number) for number in numbers])
    check(json_column_writer(t), json_writer(t), elements)
    check(csv_column_writer(t, options), csv_writer(t, options), elements)


TEXTS = ["", "a", "a b", 'say "x"', "\\", "\n", "é,|'", "x" * 24, "x" * 25, "null", "\x00", "#1", "-"]


@pytest.mark.parametrize("options", OPTIONS)
def test_text_is_written_alike(options: CsvOptions) -> None:
    t: Any = T.ROW([T.STRING, T.LONG])
    for text in [*TEXTS, None]:
        elements = columns_of(t, [Row("plain", 1), Row(text, None)])
        check(json_column_writer(t), json_writer(t), elements)
        check(csv_column_writer(t, options), csv_writer(t, options), elements)


def test_usual_rows_are_written_at_once() -> None:
    t: Any = T.ROW([T.STRING, T.LONG, T.DOUBLE, T.BOOLEAN])
    elements = columns_of(t, [Row("a b", 1, 1.5, True), Row(None, None, None, None)])
    json, csv = json_column_writer(t), csv_column_writer(t, CsvOptions())
    assert json is not None
    assert csv is not None
    for writer in (json, csv):
        assert writer.messages(elements) is not None
        assert writer.messages(ColumnValues(layout_of(t), values=[Row("a", 1, 1.0, True)])) is None
