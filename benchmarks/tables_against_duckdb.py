"""Compare bounded queries of tables on the local host with DuckDB: the same queries over the same files.

Each query runs in a process of its own, `--turns` times; its time is the shortest, from the query to the
rows in Arrow or in a file. Rows of Parquet files have a BIGINT with 1,000 groups and one with a tenth as many
groups as rows, an INT, a DOUBLE, a STRING with 5,000 values and a TIMESTAMP; the smaller table of the join
has a tenth as many rows. The numbers of rows are checked to be those of DuckDB, which need not be in this
environment:

    pip install duckdb pyarrow          # in another environment
    python benchmarks/tables_against_duckdb.py --duckdb-python PATH [--rows 10000000] [--turns 3] [QUERY …]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_AGGREGATES = "COUNT(*) AS c, SUM(x) AS sx, AVG(y) AS ay, MIN(s) AS ms"
QUERIES: Mapping[str, str] = {
    "scan": "SELECT k, x, y, s FROM t",
    "calc": "SELECT k, x * 2 + 1 AS a, y * 1.5E0 AS b, UPPER(s) AS c FROM t WHERE x > 0 AND y < 50",
    "total": f"SELECT {_AGGREGATES} FROM t",
    "1,000 groups": f"SELECT k, {_AGGREGATES} FROM t GROUP BY k",
    "many groups": f"SELECT g, {_AGGREGATES} FROM t GROUP BY g",
    "distinct": "SELECT k, COUNT(DISTINCT s) AS c FROM t GROUP BY k",
    "sort": "SELECT k, x, y, s FROM t ORDER BY y",
    "first 100": "SELECT k, x, y, s FROM t ORDER BY y LIMIT 100",
    "join": "SELECT t.k, t.x, d.name FROM t JOIN d ON t.g = d.id",
    "left join": "SELECT t.k, t.x, d.name FROM t LEFT JOIN d ON t.g = d.id AND d.id > 10",
}
TO_FILE = "calc to a file"

_WAYS = ("pystream", "duckdb")


def write_tables(directory: Path, rows: int) -> None:
    """Write the files of both tables."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(1)
    texts = pa.array([f"s{number}" for number in range(5000)])
    few = max(rows // 10, 1)
    facts = pa.table(
        {
            "k": random.integers(0, 1000, rows),
            "g": random.integers(0, few, rows),
            "x": random.integers(-1000, 1000, rows).astype(np.int32),
            "y": random.random(rows) * 100,
            "s": texts.take(pa.array(random.integers(0, 5000, rows))),
            "ts": pa.array(1_700_000_000_000_000 + random.integers(0, 10**12, rows), pa.timestamp("us")),
        }
    )
    names = pa.table({"id": np.arange(few), "name": [f"n{number % 977}" for number in range(few)]})
    for name, table in (("t", facts), ("d", names)):
        directory.joinpath(name).mkdir()
        pq.write_table(table, directory / name / "part-0.parquet")


def of_pystream(directory: Path, query: str, target: Path | None) -> Callable[[], int]:
    """Return a function that runs a query and returns the number of rows."""
    from pystream.table import EnvironmentSettings, TableEnvironment

    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    environment.get_config().set("pystream.runner", "local").set("parallelism.default", "1")
    columns = {
        "t": "k BIGINT, g BIGINT, x INT, y DOUBLE, s STRING, ts TIMESTAMP(6)",
        "d": "id BIGINT, name STRING",
    }
    for name, declared in columns.items():
        options = f"'connector' = 'filesystem', 'path' = '{directory / name}', 'format' = 'parquet'"
        environment.execute_sql(f"CREATE TABLE {name} ({declared}) WITH ({options})")
    if target is None:
        return lambda: environment.sql_query(query)._rows().to_arrow().num_rows
    options = f"'connector' = 'filesystem', 'path' = '{target}', 'format' = 'parquet'"
    environment.execute_sql(f"CREATE TABLE r (k BIGINT, a INT, b DOUBLE, c STRING) WITH ({options})")

    def written() -> int:
        environment.execute_sql(f"INSERT INTO r {query}").wait()
        return 0

    return written


def of_duckdb(directory: Path, query: str, target: Path | None) -> Callable[[], int]:
    """Return a function that runs a query and returns the number of rows."""
    import duckdb

    connection: Any = duckdb.connect()
    for name in ("t", "d"):
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM '{directory / name}/*.parquet'")
    if target is None:
        return lambda: int(connection.sql(query).to_arrow_table().num_rows)

    def written() -> int:
        connection.execute(f"COPY ({query}) TO '{target}.parquet'")
        return 0

    return written


def measure(way: str, directory: Path, name: str, turns: int) -> None:
    """Print the shortest time of a query, and the number of its rows."""
    target = directory / f"written-{way}" if name == TO_FILE else None
    make = of_pystream if way == "pystream" else of_duckdb
    run = make(directory, QUERIES[name.split()[0] if target else name], target)
    times = []
    for _ in range(turns):
        started = time.perf_counter()
        rows = run()
        times.append(time.perf_counter() - started)
    print(json.dumps([min(times), rows]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("queries", nargs="*", metavar="QUERY", help="names of queries; all unless given")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--duckdb-python", default=sys.executable, help="a Python with duckdb and pyarrow")
    parser.add_argument("--measure", nargs=2, metavar=("WAY", "DIRECTORY"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure is not None:
        way, directory = arguments.measure
        measure(way, Path(directory), arguments.queries[0], arguments.turns)
        return
    with tempfile.TemporaryDirectory() as directory:
        write_tables(Path(directory), arguments.rows)
        print(f"{arguments.rows:,} rows   pystream, s   DuckDB, s   ratio")
        for name in arguments.queries or [*QUERIES, TO_FILE]:
            found = []
            for way, python in zip(_WAYS, (sys.executable, arguments.duckdb_python), strict=True):
                command = [python, __file__, name, "--measure", way, directory]
                command += ["--turns", str(arguments.turns)]
                found.append(json.loads(subprocess.check_output(command, text=True)))
            (own, rows), (other, expected) = found
            assert rows == expected, f"{name}: {rows} rows, and {expected} of DuckDB"
            print(f"{name:14} {own:>13.2f} {other:>11.2f} {own / other:>7.1f}", flush=True)


if __name__ == "__main__":
    main()
