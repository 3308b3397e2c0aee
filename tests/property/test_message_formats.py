"""Values of a type survive round trips through JSON, CSV and Parquet."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.parquet import ParquetParts, ParquetReader
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import csv_reader
from pystream.engine.formats.csv_writer import csv_writer
from pystream.engine.formats.json_reader import json_reader
from pystream.engine.formats.json_writer import json_writer
from pystream.errors import SerializationError
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.serde import serializer_for
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import type_infos, values

COMPOSITES = type_infos().map(lambda t: t if isinstance(t, FieldsTypeInfo) else TupleTypeInfo([t]))
NULL = "∅"


def conformed(t: TypeInformation[Any], value: Any) -> Any:
    """Return a value as a column holds it, where decimals have the declared scale."""
    serializer = serializer_for(t)
    (result,) = serializer.from_batch(serializer.to_batch([value]))
    return result


def written(write: Any, value: Any) -> bytes:
    try:
        message: bytes = write(value)
    except SerializationError as error:
        if "date value out of range" not in str(error):  # instants go further than Python's calendar
            raise
        reject()
    return message


@given(COMPOSITES, st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_values_survive_json(t: FieldsTypeInfo[Any], data: st.DataObject) -> None:
    try:
        write, read = json_writer(t), json_reader(t)
    except UnsupportedTypeError:
        reject()
    value = data.draw(values(t))
    assert same(conformed(t, read(written(write, value))), conformed(t, value), kinds=False)


def is_told_apart(value: object) -> bool:
    """Return whether a cell cannot be mistaken for null, an empty list, or a list of more elements."""
    if isinstance(value, (list, tuple, set, frozenset, Row)):
        parts = list(value)
        return all(map(is_told_apart, parts)) and parts not in ([None], [""], [b""])
    return not isinstance(value, str) or (value != NULL and ";" not in value)


@given(st.lists(type_infos(max_leaves=1), min_size=1, max_size=5), st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_values_survive_csv(fields: list[TypeInformation[Any]], data: st.DataObject) -> None:
    t: RowTypeInfo[Any] = RowTypeInfo(fields)
    options = CsvOptions(
        field_delimiter=data.draw(st.sampled_from(",;|\t")),
        quote=data.draw(st.sampled_from("\"'")),
        escape=data.draw(st.sampled_from([None, "\\", "~"])),
        array_element_delimiter=";;",
        null_literal=NULL,
    )
    assume(not any(isinstance(field, RecordTypeInfo) for field in fields))
    try:
        write, read = csv_writer(t, options), csv_reader(t, options)
    except UnsupportedTypeError:
        reject()
    value = data.draw(values(t))
    assume(all(map(is_told_apart, value)))
    assert same(conformed(t, read(written(write, value))), conformed(t, value), kinds=False)


@given(type_infos(), st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_values_survive_parquet(t: TypeInformation[Any], data: st.DataObject) -> None:
    elements = data.draw(st.lists(values(t), max_size=4))
    stream = pa.BufferOutputStream()
    parts = ParquetParts(t)
    part = parts.open(stream)
    if elements:
        part.write(parts.encoder()(elements), 0, None)
    part.close()
    content = stream.getvalue().to_pybytes()
    file: Any = pa.BufferReader(content)
    split = FileSplit(0, 0, len(content), InputFile("/", "/f", len(content)))
    found = [value for batch in ParquetReader(t, 3).read(file, split) for value in batch]
    assert len(found) == len(elements)
    assert all(same(a, b, kinds=False) for a, b in zip(found, elements, strict=True))
