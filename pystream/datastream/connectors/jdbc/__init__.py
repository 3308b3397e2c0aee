"""The connector of relational databases, under its module name in Flink."""

from __future__ import annotations

from pystream.datastream.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from pystream.datastream.connectors.jdbc.parameters import (
    JdbcGenericParameterValuesProvider,
    JdbcNumericBetweenParametersProvider,
    JdbcParameterValuesProvider,
)
from pystream.datastream.connectors.jdbc.sink import JdbcSink
from pystream.datastream.connectors.jdbc.source import JdbcSource, JdbcSourceBuilder

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
