"""The queries of NEXMark, as programs and as SQL, give the results of a model."""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest

from benchmarks.nexmark import files, sql
from benchmarks.nexmark.events import PERSON, Event, Person
from benchmarks.nexmark.generator import SIDE_INPUT_KEYS, Generator
from pystream.common import Row, RowKind
from pystream.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment, Table
from pystream.table.udf import udf
from tests.behaviour.nexmark_model import Model

KEYS = {"q4": 1, "q6": 1, "q15": 1, "q16": 2, "q17": 2, "q18": 2, "q19": 2}
"""The number of fields of the key, for queries whose last result of a key is the valid one."""

LOOKUP = "q13 as a lookup join"
QUERIES = [*sql.QUERIES, LOOKUP]
UNBOUNDED_ON_SPARK = ["q9", LOOKUP]
ENDS = 50
"""The number of events of the far future after which nothing more is expected of a query."""


class Data(NamedTuple):
    """Events in files, and the results of their queries."""

    directory: Path
    lines: list[str]
    model: Model


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    # The events pass midnight; they are up to two seconds out of order.
    midnight = datetime(2026, 1, 1)
    generator = Generator(
        seed=3, start=midnight - timedelta(seconds=25), events_per_second=10, first=4_900, shuffled=20
    )
    events = list(generator.events(600))
    directory = tmp_path_factory.mktemp("nexmark") / "data"
    files.write(events, directory)
    lines = list(map(files.line, events))
    return Data(
        directory, lines, Model(events, {key: files.side_value(key) for key in range(SIDE_INPUT_KEYS)})
    )


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


@pytest.mark.local_only("queries run on Spark together")
@pytest.mark.parametrize("name", QUERIES)
def test_a_bounded_query(env2: StreamExecutionEnvironment, data: Data, name: str) -> None:
    t_env = _tables(env2.set_runtime_mode(RuntimeExecutionMode.BATCH), data.directory)
    with _query(t_env, name).execute().collect() as rows:
        _check(name, [tuple(row) for row in rows], data.model)


@pytest.mark.spark_only("queries run on the local host one by one")
def test_bounded_queries(env2: StreamExecutionEnvironment, data: Data) -> None:
    t_env = _tables(env2.set_runtime_mode(RuntimeExecutionMode.BATCH), data.directory)
    results = [t_env.to_data_stream(_query(t_env, name)).map(_named(name)) for name in QUERIES]
    found: dict[str, list[Any]] = {name: [] for name in QUERIES}
    with results[0].union(*results[1:]).execute_and_collect() as rows:
        for name, row in rows:
            found[name].append(tuple(row))
    for name, each in found.items():
        _check(name, each, data.model)


def test_q10_writes_partitions(env2: StreamExecutionEnvironment, data: Data, tmp_path: Path) -> None:
    t_env = _tables(env2.set_runtime_mode(RuntimeExecutionMode.BATCH), data.directory)
    t_env.execute_sql(sql.PARTITIONED.format(path=tmp_path))
    t_env.execute_sql(f"INSERT INTO q10 {sql.QUERIES['q10']}").wait()
    found = []
    for file in tmp_path.glob("dt=*/hm=*/part-*"):
        dt, hm = (unquote(part.partition("=")[2]) for part in file.parts[-3:-1])
        for auction, bidder, price, text, extra in csv.reader(file.read_text().splitlines()):
            at = datetime.fromisoformat(text)
            found.append((int(auction), int(bidder), int(price), at, extra, dt, hm))
    _check("q10", found, data.model)


@pytest.mark.local_only("a few queries run on Spark together")
@pytest.mark.parametrize("name", QUERIES)
def test_an_unbounded_query(env: StreamExecutionEnvironment, data: Data, tmp_path: Path, name: str) -> None:
    _check_unbounded(env, [name], data, tmp_path)


@pytest.mark.spark_only("all queries run on the local host")
@pytest.mark.time_limit(480)
def test_unbounded_queries(env: StreamExecutionEnvironment, data: Data, tmp_path: Path) -> None:
    _check_unbounded(env, UNBOUNDED_ON_SPARK, data, tmp_path)


def _tables(env: StreamExecutionEnvironment, directory: Path, options: str = "") -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(env)
    for statement in (*sql.statements(directory, options), *sql.VIEWS.values()):
        t_env.execute_sql(statement)
    t_env.create_temporary_function("count_char", udf(sql.count_char))
    return t_env


def _query(t_env: StreamTableEnvironment, name: str) -> Table:
    query = sql.LOOKUP if name == LOOKUP else sql.QUERIES[name]
    if name == "q12":  # windows of the clock, for which a test would wait
        query = query.replace("'10' SECOND", "'1' SECOND")
    return t_env.sql_query(query)


def _check_unbounded(
    env: StreamExecutionEnvironment, names: Sequence[str], data: Data, directory: Path
) -> None:
    """Check what the changes of queries leave of events in a folder that later ones are added to.

    A person of the far future follows the events, so that windows end, and then others one by one, until
    nothing is missing; one more shows that nothing is added.
    """
    expected = {name: Counter(getattr(data.model, name.split()[0])()) for name in names}
    (directory / files.EVENTS).mkdir()
    (directory / files.SIDE_INPUT).symlink_to(data.directory / files.SIDE_INPUT)
    t_env = _tables(env, directory, ", 'source.monitor-interval' = '20 ms'")
    queries = {name: _query(t_env, name) for name in names}
    queries["ends"] = t_env.sql_query("SELECT id FROM person WHERE id < 0")
    streams = [t_env.to_changelog_stream(table).map(_changed(name)) for name, table in queries.items()]
    left: dict[str, Counter[Any]] = {name: Counter() for name in queries}
    _add(directory, 0, data.lines)
    found: dict[str, Counter[Any]] = {}
    is_complete = False
    with streams[0].union(*streams[1:]).execute_and_collect() as changes:
        for name, change, row in changes:
            left[name][row] += change
            if name == "ends":
                found = {each: +_counted(each, left[each]) for each in names}
                end = len(left["ends"])
                if is_complete or end == ENDS:
                    break
                is_complete = found == expected
                _add(directory, end, [])
    assert found == expected


def _counted(name: str, rows: Counter[Any]) -> Counter[Any]:
    """Return the rows that the model has: those of q12 are of windows of the clock."""
    if name != "q12":
        return rows
    counts: Counter[int] = Counter()
    for (bidder, count, *_), times in rows.items():
        counts[bidder] += count * times
    return Counter(list(counts.items()))


def _add(directory: Path, number: int, lines: Sequence[str]) -> None:
    """Add a file of events to the folder, which ends with a person of the far future."""
    time.sleep(number * 0.01)
    at = datetime(2100, 1, 1) + timedelta(seconds=number)
    end = Person(-1 - number, "", "", "", "", "", at, "")
    part = directory / "part"
    part.write_text("\n".join([*lines, files.line(Event(PERSON, end, None, None)), ""]))
    part.rename(directory / files.EVENTS / f"{number}.json")


def _changed(name: str) -> Callable[[Row[Any]], tuple[str, int, tuple[Any, ...]]]:
    def changed(row: Row[Any]) -> tuple[str, int, tuple[Any, ...]]:
        is_added = row.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER)
        return name, 1 if is_added else -1, tuple(row)

    return changed


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
    expected = Counter(getattr(model, name.split()[0])())
    assert expected
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
