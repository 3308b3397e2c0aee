"""The connector of relational databases, under its module name in Flink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from pystream.datastream.connectors.jdbc.parameters import (
    JdbcGenericParameterValuesProvider,
    JdbcNumericBetweenParametersProvider,
    JdbcParameterValuesProvider,
)
from pystream.datastream.connectors.jdbc.sink import JdbcSink
from pystream.datastream.connectors.jdbc.source import JdbcSource, JdbcSourceBuilder
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.typeinfo import RowTypeInfo as RowTypeInfo
    from pystream.datastream.functions import SinkFunction as SinkFunction
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "JdbcConnectionOptions",
    "JdbcExecutionOptions",
    "JdbcGenericParameterValuesProvider",
    "JdbcNumericBetweenParametersProvider",
    "JdbcParameterValuesProvider",
    "JdbcSink",
    "JdbcSource",
    "JdbcSourceBuilder",
]
