"""Read the queries and the recorded results of SQL; imports neither PyFlink nor pystream."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"

Json = Any


def statements() -> list[str]:
    """Return the statements that make the tables."""
    text = (HERE / "tables.sql").read_text(encoding="utf-8").replace("{tables}", str(HERE / "tables"))
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def query_files() -> list[Path]:
    return sorted((HERE / "queries").glob("*.sql"))


def queries(path: Path) -> dict[str, str]:
    """Return the queries of a file, each by the name in the comment before it."""
    parts = re.split(r"^-- (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: query.strip() for name, query in zip(parts[::2], parts[1::2], strict=True)}


def recorded(path: Path) -> dict[str, Json]:
    """Return the recorded outcome of each query of a file; none if it is not recorded yet."""
    file = RECORDED / f"{path.stem}.json"
    outcomes: dict[str, Json] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return outcomes


def is_ordered(query: str) -> bool:
    """Return whether ORDER BY belongs to the whole query, not to a part in parentheses."""
    before = None
    while before != query:
        before, query = query, re.sub(r"\([^()]*\)", "", query)
    return "ORDER BY" in query


def tag(value: Any) -> Json:
    """Encode a value as JSON that includes its Python type."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return {"float": repr(value)}
    if kind in (bytes, bytearray):
        return {"bytes": value.hex()}
    if kind is list:
        return [tag(item) for item in value]
    if kind is tuple or kind.__name__ == "Row":
        return {"row": [tag(item) for item in value]}
    if kind is dict:
        entries = ([tag(key), tag(item)] for key, item in value.items())
        return {"map": sorted(entries, key=json.dumps)}
    if kind is decimal.Decimal:
        return {"decimal": f"{value:f}"}
    if isinstance(value, (datetime.date, datetime.time)):
        return {kind.__name__: str(value)}
    if kind.__name__ == "Instant":
        return tag(datetime.datetime.fromtimestamp(value.to_epoch_milli() / 1000, datetime.UTC))
    return {"object": kind.__name__, "text": str(value)}


def difference(expected: dict[str, Json], observed: dict[str, Json], ordered: bool) -> str | None:
    """Return how an outcome differs from the recorded one, if it does.

    Lengths of text, digits of times and NOT NULL are not compared, nor the messages of errors.
    """
    if "error" in expected or "error" in observed:
        same = "error" in expected and "error" in observed
        return None if same else f"expected {_told(expected)}, got {_told(observed)}"
    columns = [[_general(column) for column in outcome["columns"]] for outcome in (expected, observed)]
    if columns[0] != columns[1]:
        changes = [f"{a} is {b}" for a, b in zip(*columns, strict=False) if a != b]
        return f"columns: {', '.join(changes) or columns}"
    tolerances = [1e-6 if "FLOAT" in column else 1e-9 for column in columns[0]]
    rows = [
        outcome["rows"] if ordered else sorted(outcome["rows"], key=_sort_key)
        for outcome in (expected, observed)
    ]
    parts = []
    for n, (tolerance, (name, _)) in enumerate(zip(tolerances, expected["columns"], strict=True)):
        values = [[row[n] for row in part] for part in rows]
        if not _close(*values, tolerance):
            parts.append(f"{name}: {values[0]} is {values[1]}")
    return f"rows: {'; '.join(parts)}" if parts else None


def _told(outcome: dict[str, Json]) -> str:
    return f"the error {outcome['message']}" if "error" in outcome else f"the rows {outcome['rows']}"


_GENERAL = (
    (r" NOT NULL", ""),
    (r"\b(VARCHAR|CHAR)\(\d+\)", "STRING"),
    (r"\b(VARBINARY|BINARY)\(\d+\)", "BYTES"),
    (r"\b(TIME|TIMESTAMP|TIMESTAMP_LTZ)\(\d\)", r"\1"),
)


def _general(column: list[str]) -> str:
    name, kind = column
    for pattern, replacement in _GENERAL:
        kind = re.sub(pattern, replacement, kind)
    return f"{name} {kind}"


def _sort_key(row: Json) -> str:
    """Sort numbers that are equal, or differ slightly, alike."""
    text = json.dumps(row, sort_keys=True)
    return re.sub(r'"(-?\d+\.\d+(?:e[-+]\d+)?)"', lambda number: f"{float(number[1]):.4g}", text)


def _close(a: Json, b: Json, tolerance: float) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_close(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        if "float" in a:
            x, y = float(a["float"]), float(b["float"])
            return math.isclose(x, y, rel_tol=tolerance) or (math.isnan(x) and math.isnan(y))
        return all(_close(a[key], b[key], tolerance) for key in a)
    return bool(a == b) and type(a) is type(b)
