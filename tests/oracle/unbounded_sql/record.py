"""Record the results of the SQL queries in PyFlink, in streaming mode; see ../README.md.

Tests do not import this.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from harness import RECORDED, TABLES, VIEWS, VIEWS_OF, ZONES, queries, query_files, tag

sys.path.append(str(Path(__file__).parent.parent))
from java_rows import java_rows, plain


def environment(directory: Path, zone: str = "UTC") -> Any:
    from pyflink.table import EnvironmentSettings, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    settings = {
        "parallelism.default": "1",
        "table.local-time-zone": zone,
        "pipeline.auto-watermark-interval": "1 ms",  # a watermark after each row that is later than others
    }
    for key, value in settings.items():
        t_env.get_config().set(key, value)
    for name, table in TABLES.items():
        names = [column for column, _ in table.columns]
        lines = [
            json.dumps(dict(zip(names, row, strict=True)), default=text)
            for part in table.parts
            for row in part
        ]
        file = directory / f"{name}-{zone.replace('/', '-')}.json"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        t_env.execute_sql(
            f"CREATE TEMPORARY TABLE {name} ({table.declared()}) WITH "
            f"('connector' = 'filesystem', 'format' = 'json', 'path' = '{file}')"
        )
    for view in (*VIEWS, *(view for views in VIEWS_OF.values() for view in views)):
        t_env.execute_sql(view)
    return t_env


def text(value: Any) -> str:
    """Return a value as JSON has it for Flink."""
    is_instant = isinstance(value, datetime) and value.tzinfo is not None
    return f"{value:%Y-%m-%d %H:%M:%S}Z" if is_instant else str(value)


def observe(t_env: Any, query: str) -> dict[str, Any]:
    """Return the columns of a query and its rows, which start with their kinds."""
    table = t_env.sql_query(query)
    columns = [
        [c.getName(), c.getDataType().toString()] for c in table._j_table.getResolvedSchema().getColumns()
    ]
    fields = range(len(columns))
    values = [
        [row.getKind().shortString(), *(tag(plain(row.getField(n))) for n in fields)]
        for row in java_rows(table)
    ]
    return {"query": query, "columns": [["kind", "STRING"], *columns], "rows": values}


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        for path in query_files():
            if names and path.stem not in names:
                continue
            t_env = environment(Path(directory), ZONES.get(path.stem, "UTC"))
            entries = []
            for name, query in queries(path).items():
                outcome = observe(t_env, query)
                entries.append(f"{json.dumps(name)}: {json.dumps(outcome, ensure_ascii=False)}")
                print(f"{path.stem}::{name}: {len(outcome['rows'])} rows", flush=True)
            file = RECORDED / f"{path.stem}.json"
            file.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
