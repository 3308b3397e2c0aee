"""COPY of PostgreSQL in place of INSERT … VALUES, where both do the same."""

from __future__ import annotations

import re
from typing import Any

from pystream.engine.connectors.jdbc.database import Connection

__all__ = ["copy_of"]

_NAME = r'(?:[A-Za-z_][\w$]*|"(?:[^"]|"")+")'
_VALUE = r"%s(?:::\w+)?"
_INSERT = re.compile(
    rf"\s*INSERT\s+INTO\s+(?P<table>{_NAME}(?:\.{_NAME})?)\s*(?:\(\s*(?P<columns>{_NAME}(?:\s*,\s*{_NAME})*)\s*\))?"
    rf"\s*VALUES\s*\(\s*(?P<values>{_VALUE}(?:\s*,\s*{_VALUE})*)\s*\)\s*;?\s*",
    re.IGNORECASE,
)
_COLUMNS = """
SELECT a.attname, t.typname
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
WHERE c.oid = to_regclass(%s) AND c.relkind IN ('r', 'p') AND NOT c.relhasrules AND NOT c.relrowsecurity
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity <> 'a'
ORDER BY a.attnum
"""


def copy_of(connection: Connection, sql: str) -> str | None:
    """Return the COPY that adds the same rows as a prepared statement; ``None`` if there is none.

    The statement is an INSERT of nothing but values into a plain table, whose columns have the very types
    that the values are cast to: else the cast may convert what COPY refuses.

    Args:
        connection: is asked for the columns of the table.
        sql: the statement.
    """
    match = _INSERT.fullmatch(sql)
    if match is None:
        return None
    types: dict[str, str] = dict(_rows(connection, match["table"]))
    casts = [value.partition("::")[2] for value in re.findall(_VALUE, match["values"])]
    names = [_folded(name) for name in re.findall(_NAME, match["columns"] or "")] or [*types][: len(casts)]
    if len(names) != len(casts) or not types.keys() >= set(names):
        return None
    if any(cast not in ("", types[name]) for name, cast in zip(names, casts, strict=True)):
        return None
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    return f"COPY {match['table']} ({columns}) FROM STDIN"


def _rows(connection: Connection, table: str) -> list[Any]:
    rows: list[Any] = connection.execute(_COLUMNS, [table]).fetchall()
    return rows


def _folded(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name.lower()
