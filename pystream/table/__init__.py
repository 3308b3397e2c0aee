"""The table API: so far, only the data types that file formats are declared with."""

from __future__ import annotations

from pystream.table.types import DataTypes

__all__ = ["DataTypes"]
