"""The tables, queries and recorded times to live; imports neither PyFlink nor pystream."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"

SETUP = [
    *(
        f"CREATE TABLE {name} (k INT, v INT, t TIMESTAMP(3), WATERMARK FOR t AS t, p AS PROCTIME()) "
        "WITH ('connector' = 'datagen')"
        for name in "abc"
    ),
    "CREATE VIEW w AS SELECT k, v FROM a",
]
"""The statements that declare the tables, which never end, and a view."""

TTL = "1 h"
"""The time to live that hints do not change."""


def queries() -> list[str]:
    """Return the queries."""
    return [
        line.removesuffix(";") for line in (HERE / "queries.sql").read_text(encoding="utf-8").splitlines()
    ]
