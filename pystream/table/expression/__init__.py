"""Expressions of tables, under their module name in Flink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
from pystream.table.expression.expression import Expression
from pystream.table.expression.json_options import (
    JsonExistsOnError,
    JsonOnNull,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
)
from pystream.table.expression.units import TimeIntervalUnit, TimePointUnit

if TYPE_CHECKING:
    from pystream.common.type_variables import T as T
    from pystream.table.types import DataType as DataType
    from pystream.table.types import DataTypes as DataTypes
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "Expression",
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "TimeIntervalUnit",
    "TimePointUnit",
]
