"""Tables on typed streams, under the names of PyFlink."""

from __future__ import annotations

from pystream.sql_types.data_types import DataTypes
from pystream.table.schema import Schema

__all__ = ["DataTypes", "Schema"]
