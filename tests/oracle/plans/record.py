"""Record the plans of the queries in PyFlink, in streaming mode; see ../README.md.

Tests do not import this.
"""

from __future__ import annotations

import json
from typing import Any

from harness import RECORDED, TABLES, queries


def main() -> None:
    """Write the physical plan of each query, with its changelog modes."""
    from pyflink.table import EnvironmentSettings, ExplainDetail, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for name, columns in TABLES.items():
        t_env.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'datagen')")
    recorded: dict[str, Any] = {}
    for name, query in queries().items():
        text = t_env.sql_query(query).explain(ExplainDetail.CHANGELOG_MODE)
        plan = text.split("== Optimized Physical Plan ==\n")[1].split("\n== ")[0].rstrip()
        recorded[name] = {"query": query, "plan": plan.splitlines()}
    RECORDED.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
