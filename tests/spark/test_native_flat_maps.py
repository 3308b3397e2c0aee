"""Native flat maps: the same program has the same results as without lifting, in the same order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.common import Configuration
from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import JobExecutionError
from tests.explained import last_path, why_not_faster
from tests.spark.test_native import calls_python
from typeinfo import Row, TypeInformation

LONG, DOUBLE, STRING = Types.LONG(), Types.DOUBLE(), Types.STRING()
READING = Types.ROW_NAMED(["id", "value", "name"], [LONG, DOUBLE, STRING])
COUNTED = Types.TUPLE([STRING, LONG])
SCHEMA = "id long, value double, name string"
VALUES = [(1, 0.5, "a b"), (2, None, ""), (3, -0.0, " b, c a "), (4, float("nan"), "stop b")]


def both_rows(r: Any) -> Any:
    return [r, Row(r[0] + 1, 0.25, r[2])]


def changed_order(r: Any) -> Any:
    yield Row(name=r.name, id=-r.id, value=1)
    if r.id > 2:
        yield r
    yield (0, None, None)


def words(r: Any) -> Any:
    for word in r.name.split():
        if word == "stop":
            continue
        yield word.strip(","), 1


def words_or_nothing(r: Any) -> Any:
    if not r.name:
        return
    yield from [(w, n) for n, w in enumerate(r.name.split(" ")) if w]


def gathered(r: Any) -> Any:
    found: list[Any] = []
    for word in r.name.split():
        found.append((word, len(word)))
    found += [("end", r.id)]
    return found


def nothing_for_some(r: Any) -> Any:
    if r.id % 2:
        return [(r.name, 1)]
    return None


def numbers(r: Any) -> Any:
    return [r.id % 10, r.value if r.id % 2 else 7, None] if r.id != 3 else []


def program(
    spark: SparkSession, function: Callable[..., Any], declared: TypeInformation[Any] | None, *, lifting: bool
) -> DataStream[Any]:
    env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)
    env.configure(Configuration.from_dict({"pystream.lifting": str(lifting).lower()}))
    return env.from_data_frame(spark.createDataFrame(VALUES, SCHEMA)).flat_map(function, declared)


@pytest.mark.parametrize(
    ("function", "declared", "count"),
    [
        (both_rows, READING, 8),
        (changed_order, READING, 10),
        (words, COUNTED, 6),
        (words_or_nothing, COUNTED, 7),
        (gathered, COUNTED, 11),
        (nothing_for_some, COUNTED, 2),
        (numbers, Types.of(float | None), 9),
    ],
)
def test_results_are_those_of_python(
    spark: SparkSession,
    function: Any,
    declared: Any,
    count: int,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    lifted = program(spark, function, declared, lifting=True)
    assert last_path(lifted) == "native", lifted.explain()
    assert not calls_python(lifted.to_data_frame(), capsys)
    found = list(map(repr, lifted.execute_and_collect()))
    assert not caplog.records
    assert found == list(map(repr, program(spark, function, declared, lifting=False).execute_and_collect()))
    assert len(found) == count


def unpacked(r: Any) -> Any:
    first, second = r.name.split(" ")
    return [(first, len(second))]


def test_a_list_of_another_length_is_an_error_of_python(spark: SparkSession) -> None:
    stream = program(spark, unpacked, COUNTED, lifting=True)
    assert last_path(stream) == "native"
    with pytest.raises(JobExecutionError, match=r"not enough values to unpack \(expected 2, got 1\)"):
        list(stream.execute_and_collect())


def first_only(r: Any) -> Any:
    for word in r.name.split():
        yield word
        break


def until_stop(r: Any) -> Any:
    for word in r.name.split():
        if word == "stop":
            return
        yield word


def total(r: Any) -> Any:
    length = 0
    for word in r.name.split():
        length = length + len(word)
        yield length


@pytest.mark.parametrize(
    ("function", "declared", "reason"),
    [
        (
            both_rows,
            None,
            "returns RowTypeInfo(id: Long, value: Double, name: String) in one case and RowType",
        ),
        (both_rows, STRING, "returns Row where String is declared"),
        (lambda r: [Row(id=1, value=2.0)], READING, "returns 2 fields where RowTypeInfo"),
        (
            lambda r: [Row(id=1, value=2.0, text="")],
            READING,
            "returns a Row of ['id', 'value', 'text'] where",
        ),
        (lambda r: [300, "a"], Types.BYTE(), "returns 300 where Byte is declared, which always fails"),
        (lambda r: zip(r.name.split(), "ab", strict=False), COUNTED, "calls zip(), which is not lifted"),
        (lambda r: r.name, STRING, "returns its results as str, which is not lifted"),
        (first_only, STRING, "leaves a loop by 'break', which is not lifted"),
        (until_stop, STRING, "returns from within a loop, which is not lifted"),
        (total, LONG, "changes length in a loop"),
    ],
)
def test_why_a_flat_map_is_left_to_python(
    spark: SparkSession, function: Any, declared: Any, reason: str
) -> None:
    stream = program(spark, function, declared, lifting=True)
    line = why_not_faster(stream)
    assert last_path(stream) != "native"
    assert reason in line
    assert "(test_native_flat_maps.py:" in line
