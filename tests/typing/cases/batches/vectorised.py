"""Batch functions, with the types of pandas-stubs."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, assert_type

import pandas as pd
import pyarrow as pa

from pystream.common import Types
from pystream.datastream import DataStream, KeyedStream, MapFunction


def series(batch: pd.Series) -> pd.Series:
    return batch


def floats(batch: pd.Series[float]) -> pd.Series[float]:
    return batch


def frame(rows: pd.DataFrame) -> pd.DataFrame:
    return rows


def array(batch: pa.Array) -> pa.Array:
    return batch


def integers(batch: pa.Int64Array) -> pa.Int64Array:
    return batch


def rows(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch


def several(batch: pd.Series) -> Iterator[pd.Series]:
    yield batch


class Scaled(MapFunction[Any, Any]):
    def map(self, value: pd.Series) -> pd.Series:
        return value * 2


class Doubled:
    def __call__(self, batch: pd.Series) -> pd.Series:
        return batch * 2


def scaled(batch: pd.Series, by: int) -> pd.Series:
    return batch * by


def wrong_element(value: str) -> int:
    return len(value)


def no_batch(batch: pd.Series) -> list[int]:
    return list(batch)


def the_declared_type_is_that_of_the_result(stream: DataStream[float]) -> None:
    assert_type(stream.map(series, output_type=Types.DOUBLE()), DataStream[float])
    assert_type(stream.map(floats, Types.LONG()), DataStream[int])
    assert_type(stream.map(frame, Types.STRING()), DataStream[str])
    assert_type(stream.map(array, Types.LONG()), DataStream[int])
    assert_type(stream.map(integers, Types.LONG()), DataStream[int])
    assert_type(stream.map(rows, Types.LONG()), DataStream[int])
    stream.map(Scaled(), Types.LONG())
    assert_type(stream.flat_map(series, Types.LONG()), DataStream[int])
    assert_type(stream.flat_map(several, Types.LONG()), DataStream[int])
    assert_type(stream.filter(series), DataStream[float])
    assert_type(stream.key_by(series, Types.LONG()), KeyedStream[float, int])
    assert_type(stream.key_by(series, Types.LONG()).map(series, Types.STRING()), DataStream[str])


def any_callable_may_be_vectorised(stream: DataStream[float]) -> None:
    assert_type(stream.map(Doubled(), Types.LONG()), DataStream[int])
    assert_type(stream.map(functools.partial(scaled, by=3), Types.LONG()), DataStream[int])
    assert_type(stream.flat_map(Doubled(), Types.LONG()), DataStream[int])
    assert_type(stream.filter(Doubled()), DataStream[float])
    assert_type(stream.key_by(Doubled(), Types.LONG()), KeyedStream[float, int])


def functions_of_elements_are_still_checked(stream: DataStream[float]) -> None:
    assert_type(stream.map(lambda value: str(value)), DataStream[str])
    assert_type(stream.flat_map(lambda value: [value]), DataStream[float])
    assert_type(stream.key_by(lambda value: int(value)), KeyedStream[float, int])
    stream.map(wrong_element)  # E: "Callable[[str], int]"; expected "Callable[[float],
    stream.flat_map(wrong_element)  # E: "Callable[[str], int]"; expected "Callable[[float], Iterable[
    stream.map(no_batch, Types.LONG())  # E: expected "Callable[[float], int] | MapFunction[float, int]
    stream.filter(wrong_element)  # E: "Callable[[str], int]"; expected "Callable[[float], object]
    stream.key_by(wrong_element)  # E: "Callable[[str], int]"; expected "Callable[[float],
