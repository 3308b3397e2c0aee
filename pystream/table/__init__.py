"""The table API: so far, only data types, for the columns of files."""

from __future__ import annotations

from pystream.table.types import DataTypes

__all__ = ["DataTypes"]
