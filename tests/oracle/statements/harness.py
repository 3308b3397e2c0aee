"""Read the scripts of statements and their recorded results; imports neither PyFlink nor pystream."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"

Json = Any


def script_files() -> list[Path]:
    return sorted((HERE / "scripts").glob("*.sql"))


def scripts(path: Path) -> dict[str, list[str]]:
    """Return the statements of each script of a file, by the name in the comment before it.

    An empty line ends a statement.
    """
    parts = re.split(r"^-- (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        name: [statement.strip() for statement in text.strip().split("\n\n") if statement.strip()]
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def recorded(path: Path) -> dict[str, list[Json]]:
    """Return the recorded outcomes of each script of a file."""
    file = RECORDED / f"{path.stem}.json"
    outcomes: dict[str, list[Json]] = json.loads(file.read_text(encoding="utf-8"))
    return outcomes


def observed(t_env: Any, statement: str) -> Json:
    """Return the columns, rows and kind of the result of a statement.

    Those of a query or a job are not read.
    """
    result = t_env.execute_sql(statement)
    kind = str(getattr(result.get_result_kind(), "name", result.get_result_kind()))
    schema = result.get_table_schema()
    if re.match(r"SELECT|INSERT|EXECUTE|(CREATE|REPLACE)\b.* TABLE .* AS SELECT|REPLACE", statement):
        return {"kind": kind, "columns": schema.get_field_names()}
    with result.collect() as rows:
        values = [list(row) for row in rows]
    return {"kind": kind, "columns": schema.get_field_names(), "rows": values}
