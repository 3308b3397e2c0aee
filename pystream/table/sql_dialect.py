"""SqlDialect: the language of statements."""

from __future__ import annotations

from enum import Enum

__all__ = ["SqlDialect"]


class SqlDialect(Enum):
    """The language of statements: Flink's SQL, or that of Hive, which is not supported.

    Mirrors ``org.apache.flink.table.api.SqlDialect``.
    """

    DEFAULT = 0
    """Flink's SQL."""

    HIVE = 1
    """The language of Hive, which ``set_sql_dialect`` refuses."""
