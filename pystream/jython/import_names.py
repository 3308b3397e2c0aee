"""The modules below ``org.apache.flink`` that scripts import, and the modules that define their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["IMPORT_NAMES"]

_FUNCTIONS = "pystream.jython.functions"
_SCHEMAS: dict[str, str] = dict.fromkeys(
    ("DeserializationSchema", "SerializationSchema", "SimpleStringSchema"), "pystream.common.serialization"
)

IMPORT_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "org.apache.flink.api.common.functions": {
        **dict.fromkeys(
            (
                "FilterFunction",
                "FlatMapFunction",
                "MapFunction",
                "ReduceFunction",
                "RichFilterFunction",
                "RichFlatMapFunction",
                "RichFunction",
                "RichMapFunction",
                "RichReduceFunction",
            ),
            _FUNCTIONS,
        ),
        "RuntimeContext": "pystream.jython.runtime_context",
    },
    "org.apache.flink.api.common.serialization": _SCHEMAS,
    "org.apache.flink.api.java.functions": {"KeySelector": _FUNCTIONS},
    "org.apache.flink.configuration": {"Configuration": "pystream.common"},
    "org.apache.flink.core.fs.FileSystem": {"WriteMode": "pystream.engine.connectors.write_mode"},
    "org.apache.flink.core.fs.FileSystem.WriteMode": dict.fromkeys(
        ("NO_OVERWRITE", "OVERWRITE"), "pystream.engine.connectors.write_mode"
    ),
    "org.apache.flink.streaming.api": dict.fromkeys(
        ("CheckpointingMode", "TimeCharacteristic"), "pystream.datastream"
    ),
    "org.apache.flink.streaming.api.collector.selector": {"OutputSelector": _FUNCTIONS},
    "org.apache.flink.streaming.api.functions.sink": dict.fromkeys(
        ("RichSinkFunction", "SinkFunction"), _FUNCTIONS
    ),
    "org.apache.flink.streaming.api.functions.source": {"SourceFunction": "pystream.datastream.functions"},
    "org.apache.flink.streaming.api.functions.windowing": dict.fromkeys(
        ("RichWindowFunction", "WindowFunction"), _FUNCTIONS
    ),
    "org.apache.flink.streaming.api.windowing.time.Time": dict.fromkeys(
        ("days", "hours", "milliseconds", "minutes", "seconds"), "pystream.jython.times"
    ),
    "org.apache.flink.streaming.python.api.datastream": dict.fromkeys(
        (
            "PythonDataStream",
            "PythonIterativeStream",
            "PythonKeyedStream",
            "PythonSingleOutputStreamOperator",
            "PythonSplitStream",
            "PythonWindowedStream",
        ),
        "pystream.jython.streams",
    ),
    "org.apache.flink.streaming.python.api.environment": dict.fromkeys(
        ("PythonEnvironmentFactory", "PythonStreamExecutionEnvironment"), "pystream.jython.environment"
    ),
    "org.apache.flink.streaming.util.serialization": _SCHEMAS,
    "org.apache.flink.util": {"Collector": _FUNCTIONS},
}
"""For each module, the names that it has, each with the module that defines it."""
