"""Record the results of the SQL queries in PyFlink, in batch mode; see ../README.md.

Tests do not import this.

A worker process runs the queries of a file that are not recorded yet, or have changed since; if its JVM dies,
another one continues.
"""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness import RECORDED, is_ordered, queries, query_files, recorded, statements, tag

sys.path.append(str(Path(__file__).parent.parent))
from java_rows import java_rows, plain

JAVA_CAUSE = re.compile(r"^(?:Caused by|): ([\w.$]+(?:Exception|Error))(?:: (.*))?$", re.MULTILINE)


class ConnectionLostError(Exception):
    """The JVM has died."""


def environment() -> Any:
    from pyflink.table import EnvironmentSettings, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    settings = {
        "parallelism.default": "1",
        "table.local-time-zone": "UTC",
        "pekko.ask.timeout": "5 min",
        "table.exec.resource.default-parallelism": "1",
    }
    for key, value in settings.items():
        t_env.get_config().set(key, value)
    for statement in statements():
        t_env.execute_sql(statement)
    return t_env


def observe(t_env: Any, query: str) -> dict[str, Any]:
    """Return the columns and rows of a query, or its error."""
    try:
        table = t_env.sql_query(query)
        schema = table._j_table.getResolvedSchema()
        columns = [[c.getName(), c.getDataType().toString()] for c in schema.getColumns()]
        values = [[tag(plain(row.getField(n))) for n in range(len(columns))] for row in java_rows(table)]
    except Exception as error:  # noqa: BLE001 - any error is an outcome
        causes = JAVA_CAUSE.findall(str(error))
        if not causes and type(error).__module__.startswith("py4j"):
            raise ConnectionLostError from None
        name, message = causes[-1] if causes else (type(error).__name__, str(error).splitlines()[0])
        return {"query": query, "error": name, "message": message}
    if not is_ordered(query):
        values.sort(key=lambda row: json.dumps(row, sort_keys=True))
    return {"query": query, "columns": columns, "rows": values}


def missing(path: Path, outcomes: dict[str, Any]) -> dict[str, str]:
    """Return the queries of a file without the outcome of the same text."""
    return {n: q for n, q in queries(path).items() if outcomes.get(n, {}).get("query") != q}


def work(path: Path) -> None:
    logging.disable()
    t_env = environment()
    outcomes = recorded(path)
    for name, query in missing(path, outcomes).items():
        outcomes[name] = observe(t_env, query)
        entries = (
            f"{json.dumps(n)}: {json.dumps(outcomes[n], ensure_ascii=False)}"
            for n in queries(path)
            if n in outcomes
        )
        (RECORDED / f"{path.stem}.json").write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")
        if "error" in outcomes[name]:
            print(f"{path.stem}::{name}: {outcomes[name]['message']}", flush=True)


def main(names: list[str]) -> None:
    if names[:1] == ["--worker"]:
        work(Path(names[1]))
        return
    for path in query_files():
        while (not names or path.stem in names) and missing(path, recorded(path)):
            subprocess.run([sys.executable, __file__, "--worker", str(path)], stderr=subprocess.DEVNULL)
        print(f"{path.stem}: {len(recorded(path))} queries", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
