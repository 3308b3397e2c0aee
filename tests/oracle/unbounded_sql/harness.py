"""The tables, queries and recorded results of SQL in streaming mode; imports neither PyFlink nor pystream."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"

Json = Any
Values = tuple[Any, ...]


def _module_of_batch_mode() -> Any:
    spec = importlib.util.spec_from_file_location("oracle_sql_of_batch_mode", HERE.parent / "sql/harness.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_batch = _module_of_batch_mode()
queries, tag = _batch.queries, _batch.tag


class Table(NamedTuple):
    """A table.

    Attributes:
        columns: the names and types of its columns.
        parts: its rows in order. None is late for the watermark of the earlier rows of its part.
        watermark: the expression of the watermark of ``ts``; empty for a bounded table.
    """

    columns: Sequence[tuple[str, str]]
    parts: Sequence[Sequence[Values]]
    watermark: str = ""

    def declared(self) -> str:
        """Return the columns and the watermark as in ``CREATE TABLE``."""
        columns = [f"{name} {kind}" for name, kind in self.columns]
        return ", ".join([*columns, f"WATERMARK FOR ts AS {self.watermark}"] if self.watermark else columns)

    def filler(self) -> Values:
        """Return a row of the far future, which is like no other and passes all conditions of queries.

        Watermarks of a query with WHERE are those of the rows that pass; in Flink they are those of all rows.
        """
        return tuple(_FILLERS.get(kind) for _, kind in self.columns)


def _at(seconds: float) -> datetime:
    return datetime(2024, 1, 1) + timedelta(seconds=seconds)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


FUTURE = datetime(2100, 1, 1)
_FILLERS = {
    "STRING": "filler",
    "DECIMAL(10, 2)": Decimal("9.99"),
    "TIMESTAMP(3)": FUTURE,
    "TIMESTAMP_LTZ(3)": FUTURE.replace(tzinfo=UTC),
}

_SALES = (
    ("shop", "STRING"),
    ("item", "STRING"),
    ("amount", "INT"),
    ("price", "DECIMAL(10, 2)"),
    ("weight", "DOUBLE"),
    ("ts", "TIMESTAMP(3)"),
)
_DELAYED = "ts - INTERVAL '2' SECOND"

TABLES = {
    "sales": Table(
        _SALES,
        [
            [
                ("a", "pen", 3, Decimal("1.25"), 0.5, _at(1)),
                ("b", "ink", -4, Decimal("2.50"), 1.5, _at(2)),
                ("a", "ink", 3, Decimal("2.50"), None, _at(2)),
                (None, "pen", 5, Decimal("-0.10"), 0.1, _at(4)),
                ("a", None, None, None, 2.0, _at(3)),
                ("b", "ink", 7, Decimal("99999999.99"), -1.0, _at(9)),
            ],
            [
                ("a", "pen", 100, Decimal("7.77"), 9.0, _at(3)),  # late in windows that end by 7 s
                ("b", "pap", 2_000_000_000, Decimal("0.33"), 0.25, _at(9)),
                (None, "pen", 6, None, 0.2, _at(10)),
                ("b", "ink", 1_000_000_000, Decimal("0.33"), 0.25, _at(12.5)),
                ("c", "pen", None, None, None, _at(17)),
                ("a", "pen", 8, Decimal("1.25"), 0.5, _at(18)),
            ],
            [
                ("c", "ink", 200, Decimal("5.00"), 1.0, _at(4)),  # late
                ("a", "ink", -9, Decimal("3.10"), 4.5, _at(33)),
                (None, None, None, None, None, _at(34)),
                ("c", "pen", 1, Decimal("1.00"), 1e10, _at(34)),
            ],
        ],
        _DELAYED,
    ),
    "returned": Table(
        _SALES,
        [[("b", "ink", -1, Decimal("1.00"), 3.0, _at(5)), ("a", None, 2, Decimal("0.01"), None, _at(21))]],
        _DELAYED,
    ),
    "orders": Table(
        (("id", "INT"), ("item", "STRING"), ("ts", "TIMESTAMP(3)")),
        [
            [
                (1, "pen", _at(0)),
                (2, "ink", _at(5)),
                (None, "pap", _at(6)),
                (3, "pen", _at(10)),
                (2, None, _at(12)),
            ]
        ],
        _DELAYED,
    ),
    "payments": Table(
        (("id", "INT"), ("paid", "DECIMAL(10, 2)"), ("note", "STRING"), ("ts", "TIMESTAMP(3)")),
        [
            [
                (1, Decimal("1.50"), "x", _at(0)),
                (2, Decimal("2.50"), None, _at(9)),
                (3, Decimal("3.50"), "y", _at(8)),
                (None, Decimal("4.50"), "z", _at(9)),
                (2, Decimal("5.50"), "x", _at(15)),
                (1, Decimal("6.50"), "x", _at(5)),
            ]
        ],
        "ts - INTERVAL '20' SECOND",
    ),
    "ticks": Table(
        (("symbol", "STRING"), ("price", "INT"), ("tax", "INT"), ("ts", "TIMESTAMP(3)")),
        [
            [
                ("a", 12, 1, _at(1)),
                ("b", 7, 1, _at(1)),
                ("a", 17, 2, _at(2)),
                ("b", 9, 2, _at(2)),
                (None, 5, 1, _at(2)),
                ("a", 21, 3, _at(4)),
                ("a", 19, 1, _at(3)),
                ("b", 10, 1, _at(3)),
                ("b", 5, 2, _at(4)),
                ("a", 25, 2, _at(5)),
                ("b", 10, 2, _at(5)),
                (None, 4, None, _at(5)),
                ("a", 18, 1, _at(6)),
                ("b", 7, 2, _at(6)),
                ("a", 15, 1, _at(7)),
                ("b", 14, 2, _at(7)),
                ("a", 14, 2, _at(8)),
                ("a", 24, 2, _at(9)),
                (None, 6, 1, _at(9)),
            ],
            [
                ("a", 100, 1, _at(4)),  # late
                ("b", None, 1, _at(10)),
                ("a", 25, 2, _at(10)),
                ("a", 19, 1, _at(11)),
                ("b", 20, 2, _at(12)),
                ("b", 11, 5, _at(12)),  # two at the same time
                ("b", 15, 3, _at(12)),
                ("a", 10, None, _at(13)),
                ("a", 11, 2, _at(14)),
                ("a", None, 3, _at(15)),
                (None, 3, 1, _at(15)),
                ("b", 13, 1, _at(16)),
                ("a", 13, 1, _at(16)),
                ("a", 14, 1, _at(17)),
                ("a", 16, 2, _at(18)),
            ],
            [
                ("b", 1, 1, _at(5)),  # late
                ("a", 2, 1, _at(30)),
                ("b", 2, 1, _at(30)),
                ("a", 4, 1, _at(31)),
                ("a", 10, 2, _at(32)),
                ("b", 15, 2, _at(33)),
                ("a", 25, 1, _at(34)),
                (None, 9, 1, _at(34)),
                ("a", 30, 1, _at(35)),
                ("a", 12, 2, _at(37)),
                (None, 8, 1, _at(37)),
                ("b", 1, 1, _at(38)),
                (None, 1, 2, _at(38)),
                ("a", 12, 3, _at(40)),
            ],
        ],
        _DELAYED,
    ),
    "calls": Table(
        (("n", "INT"), ("item", "STRING"), ("ts", "TIMESTAMP_LTZ(3)")),
        [
            [
                (0, "x", _instant("2024-03-30 22:30")),
                (1, "x", _instant("2024-03-31 00:10")),
                (2, "y", _instant("2024-03-31 00:50")),
                (3, "x", _instant("2024-03-31 01:05")),  # clocks are an hour ahead since 1:00
                (4, "x", _instant("2024-03-31 01:40")),
            ],
            [
                (5, "y", _instant("2024-03-31 01:20")),
                (6, "x", _instant("2024-03-31 02:10")),
            ],
            [
                (7, "x", _instant("2024-03-31 00:55")),  # late
                (8, "y", _instant("2024-03-31 03:00")),
                (9, "x", _instant("2024-03-31 22:00")),
                (10, "x", _instant("2024-03-31 22:30")),
                (11, "x", _instant("2024-10-26 22:10")),
                (12, "y", _instant("2024-10-26 23:30")),
                (13, "x", _instant("2024-10-27 00:10")),
                (14, "x", _instant("2024-10-27 00:40")),
                (15, "y", _instant("2024-10-27 01:05")),  # clocks are an hour back since 1:00
            ],
            [
                (16, "x", _instant("2024-10-27 00:20")),  # in the same local hour
                (17, "x", _instant("2024-10-27 01:30")),
                (18, "x", _instant("2024-10-27 01:59")),
                (19, "x", _instant("2024-10-27 02:05")),
            ],
            [
                (20, "y", _instant("2024-10-27 01:45")),  # late
                (21, "x", _instant("2024-10-27 02:50")),
                (22, "x", _instant("2024-10-27 23:10")),
                (23, "x", _instant("2024-10-28 00:10")),
            ],
        ],
        "ts - INTERVAL '1' SECOND",
    ),
    "shops": Table(
        (("shop", "STRING"), ("city", "STRING")), [[("a", "Rome"), (None, "Nowhere"), ("b", "Bari")]]
    ),
}
"""The tables by name; all but ``shops`` are unbounded in tests."""

VIEWS = (
    "CREATE TEMPORARY VIEW named AS SELECT shop AS place, amount AS n, ts FROM sales",
    "CREATE TEMPORARY VIEW totals AS SELECT window_time AS wt, shop, SUM(amount) AS total, COUNT(*) AS n "
    "FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) "
    "GROUP BY window_start, window_end, window_time, shop",
    "CREATE TEMPORARY VIEW cities AS SELECT shop, MAX(city) AS city FROM shops GROUP BY shop",
)

ZONES = {"local_windows": "Europe/Berlin"}
"""The local time zones of queries, by the names of their files; UTC unless given."""

VIEWS_OF = {
    "temporal_joins": (
        "CREATE TEMPORARY VIEW last_payments AS SELECT id, paid, note, ts FROM ("
        "SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM payments) WHERE rn = 1",
    ),
    "windows": (
        "CREATE TEMPORARY VIEW placed AS SELECT shop AS place, amount AS n, window_start AS b, "
        "window_end AS e, window_time AS t "
        "FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))",
        "CREATE TEMPORARY VIEW hopping AS SELECT window_end AS e, window_start AS b, amount AS n "
        "FROM TABLE(HOP(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))",
        "CREATE TEMPORARY VIEW visits AS SELECT window_end AS e, window_start AS b, shop AS place "
        "FROM TABLE(SESSION(TABLE sales PARTITION BY shop, DESCRIPTOR(ts), INTERVAL '5' SECOND))",
    ),
    "grouping_sets": (
        "CREATE TEMPORARY VIEW windowed AS SELECT shop AS place, amount AS n, window_start AS b, "
        "window_end AS e FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND))",
    ),
    "local_windows": (
        "CREATE TEMPORARY VIEW hourly AS SELECT n, window_start AS b, window_end AS e "
        "FROM TABLE(TUMBLE(TABLE calls, DESCRIPTOR(ts), INTERVAL '1' HOUR))",
    ),
    "over": (
        "CREATE TEMPORARY VIEW summed AS SELECT shop, ts, "
        "SUM(amount) OVER (PARTITION BY shop ORDER BY ts) AS s FROM sales",
    ),
    "patterns": (
        "CREATE TEMPORARY VIEW rises AS SELECT * FROM ticks MATCH_RECOGNIZE ("
        "PARTITION BY symbol ORDER BY ts MEASURES SUM(price) AS total, MATCH_ROWTIME() AS mt "
        "PATTERN (A B+ C) DEFINE B AS B.price > A.price, C AS C.price < B.price)",
    ),
    "unnest": (
        "CREATE TEMPORARY VIEW elements AS "
        "SELECT ts, x FROM sales CROSS JOIN UNNEST(ARRAY[amount, 1]) AS u(x)",
    ),
    "windows_of_conditions": (
        "CREATE TEMPORARY VIEW paid AS SELECT shop AS place, amount AS n, window_start AS b, window_end AS e "
        "FROM TABLE(TUMBLE(TABLE sales, DESCRIPTOR(ts), INTERVAL '5' SECOND)) WHERE price > 0",
    ),
}
"""Further views, by the name of the file of the queries that read them."""


def query_files() -> list[Path]:
    return sorted((HERE / "queries").glob("*.sql"))


def recorded(path: Path) -> dict[str, Json]:
    """Return the recorded results of each query of a file; none if it is not recorded yet."""
    file = RECORDED / f"{path.stem}.json"
    outcomes: dict[str, Json] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return outcomes


def is_of_filler(row: Sequence[Any]) -> bool:
    """Return whether a result is that of fillers."""
    return "filler" in row or FUTURE in row


def difference(expected: dict[str, Json], observed: dict[str, Json]) -> str | None:
    """Return how results differ from the recorded ones, if they do.

    Results start with the kind of the row. Updates are compared in order for each key, which are the columns
    whose names start with k; inserts in any order, unless the query ends with ORDER BY. That a time is an
    event time is not compared.
    """
    is_ordered = re.search(r"\bORDER BY [^()]*$", expected["query"]) is not None
    outcomes = [_sorted(outcome, is_ordered) for outcome in (expected, observed)]
    found: str | None = _batch.difference(*outcomes, True)
    return found


def applied(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return the rows that are left after changes, whose order may depend on that of the inputs."""
    left: Counter[str] = Counter()
    for kind, *values in rows:
        left[json.dumps(["+I", *values])] += 1 if kind in ("+I", "+U") else -1
    assert not any(n < 0 for n in left.values()), f"rows are retracted that are not there: {left}"
    return [json.loads(row) for row in left.elements()]


def _sorted(outcome: dict[str, Json], is_ordered: bool) -> dict[str, Json]:
    rows = outcome["rows"]
    if is_ordered:
        pass
    elif all(row[0] == "+I" for row in rows):
        rows = sorted(rows, key=_batch._sort_key)
    else:
        keys = [n for n, (name, _) in enumerate(outcome["columns"]) if name.startswith("k")]
        rows = sorted(rows, key=lambda row: json.dumps([row[n] for n in keys[1:]]))
    columns = [[name, kind.replace(" *ROWTIME*", "")] for name, kind in outcome["columns"]]
    return {**outcome, "columns": columns, "rows": rows}
