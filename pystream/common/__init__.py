"""Types, rows, time, configuration and jobs, as ``pyflink.common`` exports them.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.common.completable_future import CompletableFuture as CompletableFuture
    from pystream.common.execution_config import ExecutionConfig as ExecutionConfig
    from pystream.common.input_dependency_constraint import (
        InputDependencyConstraint as InputDependencyConstraint,
    )
    from pystream.common.job_client import JobClient as JobClient
    from pystream.common.job_execution_result import JobExecutionResult as JobExecutionResult
    from pystream.common.job_id import JobID as JobID
    from pystream.common.job_status import JobStatus as JobStatus
    from pystream.common.restart_strategy import RestartStrategies as RestartStrategies
    from pystream.common.restart_strategy import RestartStrategyConfiguration as RestartStrategyConfiguration
    from pystream.common.serialization import AvroRowDeserializationSchema as AvroRowDeserializationSchema
    from pystream.common.serialization import AvroRowSerializationSchema as AvroRowSerializationSchema
    from pystream.common.serialization import ByteArraySchema as ByteArraySchema
    from pystream.common.serialization import CsvRowDeserializationSchema as CsvRowDeserializationSchema
    from pystream.common.serialization import CsvRowSerializationSchema as CsvRowSerializationSchema
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import Encoder as Encoder
    from pystream.common.serialization import JsonRowDeserializationSchema as JsonRowDeserializationSchema
    from pystream.common.serialization import JsonRowSerializationSchema as JsonRowSerializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.common.serialization import SimpleStringSchema as SimpleStringSchema
    from pystream.common.serializer import TypeSerializer as TypeSerializer
    from pystream.common.watermark_strategy import TimestampAssigner as TimestampAssigner
    from pystream.common.watermark_strategy import WatermarkStrategy as WatermarkStrategy
    from pystream.durations import Duration as Duration
    from pystream.durations import Time as Time
    from pystream.settings.config_options import ConfigOption as ConfigOption
    from pystream.settings.config_options import ConfigOptions as ConfigOptions
    from pystream.settings.configuration import Configuration as Configuration
    from pystream.settings.modes import ExecutionMode as ExecutionMode
    from pystream.settings.resource_spec import ResourceSpec as ResourceSpec
    from typeinfo.info import TypeInformation as TypeInformation
    from typeinfo.instant import Instant as Instant
    from typeinfo.row import Row as Row
    from typeinfo.row import RowKind as RowKind
    from typeinfo.types import Types as Types
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
