"""The queries of NEXMark, as programs and as SQL, give the results of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.nexmark import files, sql
from benchmarks.nexmark.generator import SIDE_INPUT_KEYS, Generator
from pystream.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment
from pystream.table.udf import udf
from tests.behaviour.nexmark_model import Model

KEYS = {"q4": 1, "q6": 1, "q15": 1, "q16": 2, "q17": 2, "q18": 2, "q19": 2}
"""The number of fields of the key, for queries whose last result of a key is the valid one."""

LOCAL = [name for name in sql.QUERIES if name not in ("q6", "q12")]
ON_SPARK = ["q6", "q12"]
"""The queries that are run: only Spark has ``OVER`` ordered by two columns (q6) and ``PROCTIME`` (q12)."""


class Data(NamedTuple):
    """Events in files, and the results of their queries."""

    directory: Path
    model: Model


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    # The events pass midnight; they are up to two seconds out of order.
    midnight = datetime(2026, 1, 1)
    generator = Generator(
        seed=17, start=midnight - timedelta(seconds=50), events_per_second=10, first=1_200, shuffled=20
    )
    events = list(generator.events(1_000))
    directory = tmp_path_factory.mktemp("nexmark") / "data"
    files.write(events, directory)
    return Data(directory, Model(events, {key: files.side_value(key) for key in range(SIDE_INPUT_KEYS)}))


@pytest.mark.parametrize(
    "mode",
    [
        RuntimeExecutionMode.STREAMING,
        pytest.param(
            RuntimeExecutionMode.BATCH, marks=pytest.mark.local_only("modes are those of operators")
        ),
    ],
)
def test_programs(
    env2: StreamExecutionEnvironment, pyflink_names: None, data: Data, mode: RuntimeExecutionMode
) -> None:
    from benchmarks.nexmark.queries import PROGRAMS
    from benchmarks.nexmark.reading import streams

    env2.set_runtime_mode(mode)
    read = streams(env2, data.directory)
    results = [program(read).map(_named(name)) for name, program in PROGRAMS.items()]
    found: dict[str, list[Any]] = {name: [] for name in PROGRAMS}
    with results[0].union(*results[1:]).execute_and_collect() as rows:
        for name, row in rows:
            found[name].append(_flat(row))
    for name, each in found.items():
        _check(name, each, data.model)


def test_queries(env2: StreamExecutionEnvironment, host: str, data: Data) -> None:
    names = LOCAL if host == "local" else ON_SPARK
    env2.set_runtime_mode(RuntimeExecutionMode.BATCH)
    t_env = StreamTableEnvironment.create(env2)
    for statement in sql.statements(data.directory):
        t_env.execute_sql(statement)
    t_env.create_temporary_function("count_char", udf(sql.count_char))
    results = []
    for name in names:
        if name in sql.VIEWS:
            t_env.execute_sql(sql.VIEWS[name])
        results.append(t_env.to_data_stream(t_env.sql_query(sql.QUERIES[name])).map(_named(name)))
    found: dict[str, list[Any]] = {name: [] for name in names}
    with results[0].union(*results[1:]).execute_and_collect() as rows:
        for name, row in rows:
            found[name].append(tuple(row))
    for name, each in found.items():
        _check(name, each, data.model)


def _named(name: str) -> Callable[[Any], tuple[str, Any]]:
    return lambda row: (name, row)


def _flat(value: Any) -> tuple[Any, ...]:
    """Return the fields of a record, those of nested ones included."""
    if is_dataclass(value):
        return tuple(each for field in fields(value) for each in _flat(getattr(value, field.name)))
    return (value,)


def _check(name: str, found: list[tuple[Any, ...]], model: Model) -> None:
    if name in KEYS:
        found = list({_key(name, row): row for row in found}.values())
    if name == "q12":
        counts: Counter[int] = Counter()
        for bidder, count, *_ in found:
            counts[bidder] += count
        found = list(counts.items())
    expected = Counter(getattr(model, name)())
    assert Counter(found) == expected, name


def _key(name: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (row[0], row[-1]) if name == "q19" else row[: KEYS[name]]


@pytest.mark.parametrize(
    ("hour", "part"),
    [
        (6, "nightTime"),
        (7, "otherTime"),
        (8, "dayTime"),
        (18, "dayTime"),
        (19, "otherTime"),
        (20, "nightTime"),
    ],
)
def test_parts_of_the_day(pyflink_names: None, hour: int, part: str) -> None:
    from benchmarks.nexmark.queries.stateless import time_of_day

    assert time_of_day(hour) == part
