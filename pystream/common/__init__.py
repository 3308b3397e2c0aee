"""Types, rows, time, configuration and jobs, as ``pyflink.common`` exports them.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.common.completable_future import CompletableFuture
    from pystream.common.execution_config import ExecutionConfig
    from pystream.common.input_dependency_constraint import InputDependencyConstraint
    from pystream.common.job_client import JobClient
    from pystream.common.job_execution_result import JobExecutionResult
    from pystream.common.job_id import JobID
    from pystream.common.job_status import JobStatus
    from pystream.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
    from pystream.common.serialization import (
        ByteArraySchema,
        DeserializationSchema,
        Encoder,
        SerializationSchema,
        SimpleStringSchema,
    )
    from pystream.common.serializer import TypeSerializer
    from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
    from pystream.durations import Duration, Time
    from pystream.settings.config_options import ConfigOption, ConfigOptions
    from pystream.settings.configuration import Configuration
    from pystream.settings.modes import ExecutionMode
    from pystream.settings.resource_spec import ResourceSpec
    from typeinfo.info import TypeInformation
    from typeinfo.instant import Instant
    from typeinfo.row import Row, RowKind
    from typeinfo.types import Types

__all__ = [
    "ByteArraySchema",
    "CompletableFuture",
    "ConfigOption",
    "ConfigOptions",
    "Configuration",
    "DeserializationSchema",
    "Duration",
    "Encoder",
    "ExecutionConfig",
    "ExecutionMode",
    "InputDependencyConstraint",
    "Instant",
    "JobClient",
    "JobExecutionResult",
    "JobID",
    "JobStatus",
    "ResourceSpec",
    "RestartStrategies",
    "RestartStrategyConfiguration",
    "Row",
    "RowKind",
    "SerializationSchema",
    "SimpleStringSchema",
    "Time",
    "TimestampAssigner",
    "TypeInformation",
    "TypeSerializer",
    "Types",
    "WatermarkStrategy",
]

if not TYPE_CHECKING:  # else checkers would take every name for one of the package
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "CompletableFuture": "pystream.common.completable_future",
            "ConfigOption": "pystream.settings.config_options",
            "ConfigOptions": "pystream.settings.config_options",
            "Configuration": "pystream.settings.configuration",
            "ExecutionConfig": "pystream.common.execution_config",
            "ExecutionMode": "pystream.settings.modes",
            "InputDependencyConstraint": "pystream.common.input_dependency_constraint",
            "JobClient": "pystream.common.job_client",
            "JobExecutionResult": "pystream.common.job_execution_result",
            "JobID": "pystream.common.job_id",
            "JobStatus": "pystream.common.job_status",
            "ResourceSpec": "pystream.settings.resource_spec",
            "RestartStrategies": "pystream.common.restart_strategy",
            "RestartStrategyConfiguration": "pystream.common.restart_strategy",
            "ByteArraySchema": "pystream.common.serialization",
            "DeserializationSchema": "pystream.common.serialization",
            "Encoder": "pystream.common.serialization",
            "SerializationSchema": "pystream.common.serialization",
            "SimpleStringSchema": "pystream.common.serialization",
            "TypeSerializer": "pystream.common.serializer",
            "Duration": "pystream.durations",
            "Time": "pystream.durations",
            "TimestampAssigner": "pystream.common.watermark_strategy",
            "WatermarkStrategy": "pystream.common.watermark_strategy",
            "TypeInformation": "typeinfo.info",
            "Instant": "typeinfo.instant",
            "Row": "typeinfo.row",
            "RowKind": "typeinfo.row",
            "Types": "typeinfo.types",
        },
    )
