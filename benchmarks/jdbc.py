"""Compare the JDBC sink and source with the Python clients of databases themselves.

Run ``python -m benchmarks.jdbc [ROWS] [ROUNDS]``, which needs PostgreSQL and MariaDB. The contenders take
turns, so that disturbances affect all of them. Figures are medians, in thousands of rows a second, and ratios
to the client's own ``executemany``, or to its own loop over the rows of a query.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from pystream.common import Instant, Row, Types, WatermarkStrategy
from pystream.datastream.connectors.jdbc import JdbcSink, JdbcSource
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.sink import JdbcWriter
from pystream.testing import local_environment
from tests.servers.databases import Database, database_at
from tests.servers.mariadb import MariadbServer
from tests.servers.postgresql import PostgresqlServer

BATCH = 5000
ROW = Types.ROW_NAMED(
    ["id", "n", "name", "price", "ratio", "at", "seen", "done"],
    [
        Types.LONG(),
        Types.INT(),
        Types.STRING(),
        Types.BIG_DEC(),
        Types.DOUBLE(),
        Types.SQL_TIMESTAMP(),
        Types.INSTANT(),
        Types.BOOLEAN(),
    ],
)
START = datetime(2024, 1, 1)


def value(n: int) -> tuple[Any, ...]:
    at = START + timedelta(seconds=n)
    price = Decimal(n) / 100
    return n, n % 1000, f"name {n}", price, n / 7, at, at.replace(tzinfo=UTC), n % 2 == 0


def batches(rows: list[Any]) -> list[list[Any]]:
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


class Contest:
    """The contenders on one database.

    Args:
        database: the database.
        count: the number of rows.
    """

    def __init__(self, database: Database, count: int) -> None:
        self.database = database
        self.rows = [value(n) for n in range(count)]
        self.elements = [Row(*row[:6], Instant.of_datetime(row[6]), row[7]) for row in self.rows]
        kinds = column_kinds(ROW, "benchmark")
        columns = [f"{n} {database.types[k]}" for n, k in zip(ROW.get_field_names(), kinds, strict=True)]
        self.table = database.create("benchmark", columns)
        self.insert = f"INSERT INTO {self.table} VALUES ({', '.join('?' * len(columns))})"
        self.select = f"SELECT * FROM {self.table}"

    def writers(self) -> Mapping[str, Callable[[], None]]:
        found = {"executemany": self.executemany, "JdbcSink": self.sink, "a job with JdbcSink": self.job}
        if self.database.system == "postgresql":
            found["COPY"] = self.copy
            if importlib.util.find_spec("sqlalchemy"):
                found["SQLAlchemy"] = self.sqlalchemy
            if importlib.util.find_spec("adbc_driver_postgresql"):
                found |= {"ADBC executemany": self.adbc, "ADBC ingest": self.adbc_ingest}
        return found

    def readers(self) -> Mapping[str, Callable[[], int]]:
        return {
            "fetchmany": self.fetchmany,
            "JdbcSource": self.source,
            "a job with JdbcSource": self.reading_job,
        }

    def executemany(self) -> None:
        marks = ", ".join((["?"] if self.database.system == "sqlite" else ["%s"]) * len(ROW.field_types))
        insert = f"INSERT INTO {self.table} VALUES ({marks})"
        rows = self.rows
        if self.database.system == "sqlite":
            rows = [(*row[:3], str(row[3]), row[4], str(row[5]), str(row[6]), row[7]) for row in rows]
        with closing(self.database.connect()) as connection:
            cursor = connection.cursor()
            for batch in batches(rows):
                cursor.execute("BEGIN")
                cursor.executemany(insert, batch)
                cursor.execute("COMMIT")

    def copy(self) -> None:
        with closing(self.database.connect()) as connection:
            for batch in batches(self.rows):
                with connection.cursor().copy(f"COPY {self.table} FROM STDIN") as copy:
                    for row in batch:
                        copy.write_row(row)

    def sink(self) -> None:
        output = JdbcSink.sink(self.insert, ROW, self.database.options).bind(ROW)
        with closing(JdbcWriter(output)) as writer:
            for batch in batches(self.elements):
                writer.write(batch)
            writer.finish()

    def job(self) -> None:
        env = local_environment()
        sink = JdbcSink.sink(self.insert, ROW, self.database.options)
        env.from_collection(self.elements, ROW).add_sink(sink)
        env.execute()

    def sqlalchemy(self) -> None:
        import sqlalchemy

        database = self.database
        address = database.url.removeprefix("jdbc:postgresql://")
        engine = sqlalchemy.create_engine(
            f"postgresql+psycopg://{database.user}:{database.password}@{address}"
        )
        marks = ", ".join(["%s"] * len(ROW.field_types))
        with engine.connect() as connection:
            for batch in batches(self.rows):
                connection.exec_driver_sql(f"INSERT INTO {self.table} VALUES ({marks})", batch)
                connection.commit()
        engine.dispose()

    def adbc(self) -> None:
        marks = ", ".join(f"${n}" for n in range(1, len(ROW.field_types) + 1))
        with self._adbc_connection() as connection, connection.cursor() as cursor:
            for batch in self._arrow():
                cursor.executemany(f"INSERT INTO {self.table} VALUES ({marks})", batch)
                connection.commit()

    def adbc_ingest(self) -> None:
        with self._adbc_connection() as connection, connection.cursor() as cursor:
            for batch in self._arrow():
                cursor.adbc_ingest(self.table, batch, mode="append")
                connection.commit()

    def _adbc_connection(self) -> Any:
        import adbc_driver_postgresql.dbapi

        database = self.database
        address = database.url.removeprefix("jdbc:")
        login = f"{database.user}:{database.password}@"
        return adbc_driver_postgresql.dbapi.connect(address.replace("//", f"//{login}"))

    def _arrow(self) -> list[Any]:
        from typeinfo.serde import serializer_for

        return [serializer_for(ROW).to_batch(batch) for batch in batches(self.elements)]

    def fetchmany(self) -> int:
        count = 0
        with closing(self.database.connect()) as connection:
            cursor = connection.cursor()
            cursor.execute(self.select)
            while rows := cursor.fetchmany(2048):
                count += len([Row(*row) for row in rows])
        return count

    def source(self) -> int:
        return sum(map(len, self._source().reader().read(())))

    def reading_job(self) -> int:
        env = local_environment()
        rows = env.from_source(self._source(), WatermarkStrategy.no_watermarks(), "rows")
        ids = rows.map(lambda row: row[0], Types.LONG())
        with ids.execute_and_collect() as found:
            return len(list(found))

    def _source(self) -> JdbcSource[Any]:
        database = self.database
        builder = JdbcSource.builder().set_db_url(database.url).set_sql(self.select)
        builder.set_username(database.user).set_password(database.password)
        return builder.set_type_information(ROW).build()


def main(count: int, rounds: int) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        PostgresqlServer() as postgresql,
        MariadbServer() as mariadb,
    ):
        for server in (postgresql, mariadb, Path(directory, "benchmark.db")):
            contest = Contest(database_at(server), count)
            times: dict[str, list[float]] = {}
            for _ in range(rounds + 1):  # the first round warms up
                for name, write in contest.writers().items():
                    contest.database.execute(f"DELETE FROM {contest.table}")
                    started = time.perf_counter()
                    write()
                    times.setdefault(name, []).append(time.perf_counter() - started)
                    found = contest.database.rows(f"SELECT count(*), min(id), max(id) FROM {contest.table}")
                    assert found == [(count, 0, count - 1)], (name, found)
                for name, read in contest.readers().items():
                    started = time.perf_counter()
                    found_rows = read()
                    times.setdefault(name, []).append(time.perf_counter() - started)
                    assert found_rows == count, (name, found_rows)
            report(contest, count, times)


def report(contest: Contest, count: int, times: Mapping[str, list[float]]) -> None:
    print(f"{contest.database.system}: {count:,} rows of 8 columns, batches of {BATCH:,}")
    for names, base in ((contest.writers(), "executemany"), (contest.readers(), "fetchmany")):
        for name in names:
            median = statistics.median(times[name][1:])
            ratio = statistics.median(times[base][1:]) / median
            print(f"  {name:<22} {count / median / 1000:8.1f} k rows/s {ratio:6.2f}")


if __name__ == "__main__":
    arguments = [int(argument.replace("_", "")) for argument in sys.argv[1:]]
    main(*arguments, *(100_000, 5)[len(arguments) :])
