"""StreamExecutionEnvironment: where a program begins, is configured and is run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from pystream.common.configuration import Configuration
from pystream.common.execution_config import ExecutionConfig
from pystream.common.global_configuration import load_configuration
from pystream.common.job_client import JobClient
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.options import (
    BUFFER_TIMEOUT,
    BUFFER_TIMEOUT_ENABLED,
    JOB_NAME,
    OPERATOR_CHAINING,
    RUNTIME_MODE,
    SAVEPOINT_DIRECTORY,
    STRICT_TYPES,
    TIME_CHARACTERISTIC,
    apply_configuration,
)
from pystream.common.restart_strategy import RestartStrategyConfiguration
from pystream.common.submission import submitted_options
from pystream.common.time import Duration
from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream import execution
from pystream.datastream.checkpoint_config import CheckpointConfig
from pystream.datastream.checkpointing_mode import CheckpointingMode
from pystream.datastream.closeable_iterator import CloseableIterator
from pystream.datastream.connectors.base import Source
from pystream.datastream.connectors.file_system import FileSource, StreamFormat
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.data_stream import DataStream
from pystream.datastream.execution_mode import RuntimeExecutionMode
from pystream.datastream.functions import SourceFunction
from pystream.datastream.operator_settings import check_parallelism
from pystream.datastream.slot_sharing_group import SlotSharingGroup
from pystream.datastream.state_backend import StateBackend
from pystream.datastream.time_characteristic import TimeCharacteristic
from pystream.errors import ConfigurationError, PlanError, UnsupportedOperationError
from pystream.optimize import OPTIMIZING, RESOLVING, RULES, optimize
from pystream.plan.dependencies import Dependencies
from pystream.plan.explain import Stage, execution_plan, explain
from pystream.plan.function import call_site
from pystream.plan.graph import Plan, PlanBuilder
from pystream.plan.nodes import NodeSettings, SourceNode
from pystream.plan.options import PlanOptions
from pystream.runtime.connectors.collection import ArrowSource, CollectionSource
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.types import Types

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["StreamExecutionEnvironment"]

T = TypeVar("T")


class StreamExecutionEnvironment:
    """Make sources, hold settings, and run everything that ends in a sink.

    Settings live in one configuration under Flink's keys, so that setters, ``configure`` and the command line
    agree. Mirrors ``org.apache.flink.streaming.api.environment.StreamExecutionEnvironment``.

    Args:
        configuration: settings to begin with, copied.
    """

    _default_local_parallelism: int | None = None

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._configuration = Configuration()
        self._config = ExecutionConfig(self._configuration)
        self._checkpoint_config = CheckpointConfig(self._configuration)
        self._builder = PlanBuilder()
        self._sinks: list[int] = []
        self._slot_sharing_groups: dict[str, SlotSharingGroup] = {}
        self._dependencies = Dependencies()
        if configuration is not None:
            self.configure(configuration)

    @staticmethod
    def get_execution_environment(configuration: Configuration | None = None) -> StreamExecutionEnvironment:
        """Return a new environment for where the program runs.

        Settings come, the later winning, from ``$FLINK_CONF_DIR``, from ``configuration``, and from the
        command line of ``pystream run``.

        Args:
            configuration: settings to begin with, copied.
        """
        environment = StreamExecutionEnvironment(load_configuration())
        if configuration is not None:
            environment.configure(configuration)
        environment.configure(Configuration.from_dict(submitted_options()))
        return environment

    # Settings

    def get_config(self) -> ExecutionConfig:
        """Return the configuration of the execution, which is live: setting there is setting here."""
        return self._config

    def get_configuration(self) -> Configuration:
        """Return a copy of all settings by key."""
        return Configuration(self._configuration)

    def configure(self, configuration: Configuration) -> None:
        """Take over settings by Flink's keys; what is not named stays.

        ``python.files``, ``python.archives``, ``python.requirements`` and ``python.executable`` reach the
        workers; ``spark.*`` goes to the Spark session.

        Raises:
            ConfigurationError: a value is not allowed.
        """
        apply_configuration(configuration, self._configuration)
        self._dependencies.configure(configuration.to_dict())

    def set_parallelism(self, parallelism: int) -> StreamExecutionEnvironment:
        """Set the number of subtasks of operators that set none of their own.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._config.set_parallelism(check_parallelism(parallelism))
        return self

    def get_parallelism(self) -> int:
        """Return the default number of subtasks: the one set, else the number of cores of this machine."""
        parallelism = self._config.get_parallelism()
        return parallelism if parallelism > 0 else self.get_default_local_parallelism()

    def set_max_parallelism(self, max_parallelism: int) -> StreamExecutionEnvironment:
        """Set the upper bound of the parallelism, 1 to 32767, which is also the number of key groups."""
        self._config.set_max_parallelism(check_parallelism(max_parallelism, "max parallelism"))
        return self

    def get_max_parallelism(self) -> int:
        """Return the upper bound of the parallelism, -1 where none was set."""
        return self._config.get_max_parallelism()

    @classmethod
    def get_default_local_parallelism(cls) -> int:
        """Return the parallelism of environments that set none: by default the number of usable cores."""
        if StreamExecutionEnvironment._default_local_parallelism is not None:
            return StreamExecutionEnvironment._default_local_parallelism
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    @classmethod
    def set_default_local_parallelism(cls, parallelism: int) -> None:
        """Set the parallelism of all environments of this process that set none."""
        StreamExecutionEnvironment._default_local_parallelism = check_parallelism(parallelism)

    def set_runtime_mode(self, execution_mode: RuntimeExecutionMode) -> StreamExecutionEnvironment:
        """Choose STREAMING, BATCH or AUTOMATIC semantics, as ``execution.runtime-mode`` does.

        Stateless operators give the same elements in all modes.
        """
        self._configuration.set(RUNTIME_MODE, execution_mode)
        return self

    def set_buffer_timeout(self, timeout_millis: int) -> StreamExecutionEnvironment:
        """Set the flush interval in ms; 0 flushes every element, -1 full buffers only.

        Accepted for Flink's sake: no effect, since a bounded job hands on full batches.

        Raises:
            ConfigurationError: it is below -1.
        """
        if timeout_millis < -1:
            raise ConfigurationError(f"a buffer timeout must be -1 or more, not {timeout_millis}")
        self._configuration.set(BUFFER_TIMEOUT_ENABLED, timeout_millis >= 0)
        if timeout_millis >= 0:
            self._configuration.set(BUFFER_TIMEOUT, Duration.of_millis(timeout_millis))
        return self

    def get_buffer_timeout(self) -> int:
        """Return the flush interval in ms, -1 for full buffers only."""
        if not self._configuration.get(BUFFER_TIMEOUT_ENABLED):
            return -1
        return self._configuration.get(BUFFER_TIMEOUT).to_millis()

    def disable_operator_chaining(self) -> StreamExecutionEnvironment:
        """Run every operator in a task of its own."""
        self._configuration.set(OPERATOR_CHAINING, False)
        return self

    def is_chaining_enabled(self) -> bool:
        """Tell whether neighbouring operators may share a task."""
        return self._configuration.get(OPERATOR_CHAINING)

    def register_slot_sharing_group(self, slot_sharing_group: SlotSharingGroup) -> StreamExecutionEnvironment:
        """Register a slot sharing group with its resources.

        Accepted for Flink's sake: Spark places tasks itself, so that it has no effect.
        """
        self._slot_sharing_groups[slot_sharing_group.get_name()] = slot_sharing_group
        return self

    def set_restart_strategy(self, restart_strategy_configuration: RestartStrategyConfiguration) -> None:
        """Choose whether a job that fails starts anew, from the beginning."""
        self._config.set_restart_strategy(restart_strategy_configuration)

    def get_restart_strategy(self) -> RestartStrategyConfiguration:
        """Return what happens when a job fails."""
        return self._config.get_restart_strategy()

    def set_stream_time_characteristic(self, characteristic: TimeCharacteristic) -> None:
        """Choose the notion of time; event and ingestion time set the watermark interval to 200 ms."""
        self._configuration.set(TIME_CHARACTERISTIC, characteristic)
        timed = characteristic is not TimeCharacteristic.ProcessingTime
        self._config.set_auto_watermark_interval(200 if timed else 0)

    def get_stream_time_characteristic(self) -> TimeCharacteristic:
        """Return the notion of time."""
        return self._configuration.get(TIME_CHARACTERISTIC)

    def add_default_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Record a Kryo serializer for a Java class and its subclasses; no effect without Java elements."""
        self._config.add_default_kryo_serializer(type_class_name, serializer_class_name)

    def register_type_with_kryo_serializer(self, type_class_name: str, serializer_class_name: str) -> None:
        """Record a Kryo serializer for a Java class; no effect without Java elements."""
        self._config.register_type_with_kryo_serializer(type_class_name, serializer_class_name)

    def register_type(self, type_class_name: str) -> None:
        """Record a Java class for serialization; no effect without Java elements."""
        self._config.register_pojo_type(type_class_name)

    # Checkpoints and state

    def get_checkpoint_config(self) -> CheckpointConfig:
        """Return the checkpoint settings, which are live."""
        return self._checkpoint_config

    def enable_checkpointing(
        self, interval: int, mode: CheckpointingMode | None = None
    ) -> StreamExecutionEnvironment:
        """Set the checkpoint interval in ms; no effect on bounded programs, which restart from the start.

        Args:
            interval: at least 10 ms.
            mode: EXACTLY_ONCE unless set.
        """
        self._checkpoint_config.set_checkpoint_interval(interval)
        if mode is not None:
            self._checkpoint_config.set_checkpointing_mode(mode)
        return self

    def get_checkpoint_interval(self) -> int:
        """Return the checkpoint interval in ms, -1 where checkpoints are off."""
        return self._checkpoint_config.get_checkpoint_interval()

    def get_checkpointing_mode(self) -> CheckpointingMode:
        """Return the checkpoint mode."""
        return self._checkpoint_config.get_checkpointing_mode()

    def set_state_backend(self, state_backend: StateBackend) -> StreamExecutionEnvironment:
        """Choose how Flink holds state; stored, without effect on Spark."""
        state_backend.attach(self._configuration)
        return self

    def get_state_backend(self) -> StateBackend | None:
        """Return the state backend set or configured."""
        return StateBackend.from_configuration(self._configuration)

    def set_default_savepoint_directory(self, directory: str) -> StreamExecutionEnvironment:
        """Set where savepoints go when no directory is given; bounded jobs take none."""
        self._configuration.set(SAVEPOINT_DIRECTORY, directory)
        return self

    def get_default_savepoint_directory(self) -> str | None:
        """Return where savepoints go when no directory is given."""
        return self._configuration.get(SAVEPOINT_DIRECTORY)

    # Dependencies

    def add_python_file(self, file_path: str) -> None:
        """Make a Python file, package directory, wheel or zip importable in functions on the workers.

        Raises:
            PyStreamError: there is no such file.
        """
        self._dependencies.add_python_file(file_path)

    def set_python_requirements(
        self, requirements_file_path: str, requirements_cache_dir: str | None = None
    ) -> None:
        """Install the packages of a requirements file for the workers.

        Args:
            requirements_file_path: a pip requirements file.
            requirements_cache_dir: a directory of packages to install from without a network.

        Raises:
            PyStreamError: there is no such file or directory.
        """
        self._dependencies.set_python_requirements(requirements_file_path, requirements_cache_dir)

    def add_python_archive(self, archive_path: str, target_dir: str | None = None) -> None:
        """Unpack a zip archive in the workers' directory, where functions open its files by relative path.

        Args:
            archive_path: a zip, jar, whl or egg file.
            target_dir: the directory's name; the archive's file name by default.

        Raises:
            PyStreamError: there is no such file, or it is no zip archive.
        """
        self._dependencies.add_python_archive(archive_path, target_dir)

    def set_python_executable(self, python_exec: str) -> None:
        """Choose the workers' interpreter; a path may lead into an archive."""
        self._dependencies.set_python_executable(python_exec)

    def register_cached_file(self, file_path: str, name: str, executable: bool = False) -> None:
        """Send a file to the workers, where ``RuntimeContext.get_cached_file(name)`` gives its local path.

        Raises:
            PyStreamError: there is no such file, or the name is taken.
        """
        self._dependencies.register_cached_file(file_path, name, executable)

    def register_cache_file(self, file_path: str, file_name: str, executable: bool = False) -> None:
        """Do as `register_cached_file`: its name in Flink's first proposal of this API."""
        self.register_cached_file(file_path, file_name, executable)

    def get_cached_files(self) -> list[tuple[str, str]]:
        """Return name and path of the files registered."""
        return [(name, str(file.path)) for name, file in self._dependencies.cached_files.items()]

    def add_jars(self, *jars_path: str) -> None:
        """Add jar files to the Spark session, as ``spark.jars``; effective if it has not been started yet.

        Args:
            jars_path: paths or URLs.
        """
        self._add_to_list("pipeline.jars", jars_path)

    def add_classpaths(self, *classpaths: str) -> None:
        """Record URLs for the class path of Java functions; there are none here, so it has no effect.

        Raises:
            ConfigurationError: a URL has no protocol such as ``file://``.
        """
        for url in classpaths:
            if "://" not in url and not url.startswith("file:"):
                raise ConfigurationError(
                    f"a classpath must be a URL with a protocol such as file://, not {url!r}"
                )
        self._add_to_list("pipeline.classpaths", classpaths)

    # Sources

    def from_collection(
        self, collection: Iterable[T], type_info: TypeInformation[T] | None = None
    ) -> DataStream[T]:
        """Make a stream of parallelism one from a collection, in its order.

        Args:
            collection: the elements; an empty one gives an empty stream.
            type_info: their type; pickled where it is left out.

        Raises:
            PlanError: ``collection`` is no collection of elements.
            TypeCheckError: an element does not fit the type; the message names its position and the place.

        Mirrors ``StreamExecutionEnvironment.fromCollection``.
        """
        if isinstance(collection, (str, bytes, bytearray)) or not isinstance(collection, Iterable):
            raise PlanError(
                f"from_collection takes a list or another collection of elements, not {collection!r}"
            )
        elements = list(collection)
        if type_info is None:
            return self._collection(elements, PICKLED_BYTE_ARRAY, "no type_info")
        return self._collection(_conformed(elements, type_info), type_info, "type_info")

    def from_elements(self, *elements: T, type_info: TypeInformation[T] | None = None) -> DataStream[T]:
        """Make a stream of parallelism one from the elements given, as ``from_collection`` does."""
        return self.from_collection(elements, type_info)

    def generate_sequence(self, from_: int, to: int) -> DataStream[int]:
        """Make a stream of the integers from ``from_`` to ``to``, both included, in parallel."""
        return self.from_source(
            NumberSequenceSource(from_, to), WatermarkStrategy.no_watermarks(), "Sequence Source", Types.LONG
        )

    def read_text_file(self, file_path: str, charset_name: str = "UTF-8") -> DataStream[str]:
        """Make a stream of the lines of a text file or of all files below a directory.

        Args:
            file_path: a path or URI; compressed files are known by their extension.
            charset_name: how the bytes are decoded.

        Raises:
            PyStreamError: there is no such file.
        """
        source = FileSource.for_record_stream_format(StreamFormat.text_line_format(charset_name), file_path)
        return self.from_source(
            source.build(), WatermarkStrategy.no_watermarks(), "Text File Source", Types.STRING
        )

    def from_source(
        self,
        source: Source[T],
        watermark_strategy: WatermarkStrategy,
        source_name: str,
        type_info: TypeInformation[T] | None = None,
    ) -> DataStream[T]:
        """Make a stream from a source.

        Args:
            source: such as a FileSource or a NumberSequenceSource.
            watermark_strategy: how event time is derived.
            source_name: display name.
            type_info: type of the elements; the source's own by default.

        Raises:
            UnsupportedOperationError: the source is unbounded, or the strategy assigns timestamps.
            PlanError: ``type_info`` is not what the source gives.
            PyStreamError: the source's input is missing.

        Mirrors ``StreamExecutionEnvironment.fromSource``.
        """
        if not isinstance(source, Source):
            raise PlanError(f"from_source takes a Source such as a FileSource, not {source!r}")
        if watermark_strategy.timestamp_assigner is not None:
            raise UnsupportedOperationError(
                f"from_source({source_name!r}): timestamp assigners need event time, not supported yet"
            )
        produced = source.get_produced_type()
        if type_info is not None and require_type(type_info, "type_info") != produced:
            raise PlanError(
                f"from_source({source_name!r}): type_info is {type_info}, but the source gives {produced}"
            )
        return self._source(source_name, source.reader(), produced, "the source")

    def add_source(
        self,
        source_func: SourceFunction[T],
        source_name: str = "Custom Source",
        type_info: TypeInformation[T] | None = None,
    ) -> DataStream[T]:
        """Refuse: source functions are unbounded, and this version runs bounded programs.

        Raises:
            UnsupportedOperationError: always; the message names the source to use instead.
        """
        raise UnsupportedOperationError(
            f"add_source({source_func!r}): source functions are unbounded, and only bounded sources can run; "
            f"use from_source with a FileSource or NumberSequenceSource, or from_collection"
        )

    def from_data_frame(self, data_frame: DataFrame) -> DataStream[Any]:
        """Make a stream of the rows of a Spark DataFrame, lazily.

        The type comes from its schema: rows with its columns as fields; a frame made by
        ``DataStream.to_data_frame`` gives back the type it was made from.

        Raises:
            UnsupportedTypeError: a column has a type without counterpart; the message names it.
        """
        source, type_info = execution.data_frame_source(data_frame)
        return self._source("DataFrame", source, type_info, "the schema")

    def from_arrow(self, table: pa.Table) -> DataStream[Any]:
        """Make a stream of the rows of an Arrow table, typed by its schema as ``from_data_frame`` is.

        Raises:
            UnsupportedTypeError: a column has a type without counterpart; the message names it.
        """
        from typeinfo.formats.arrow import from_arrow_schema

        type_info = from_arrow_schema(table.schema)
        return self._source("Arrow Table", ArrowSource.of(table, type_info), type_info, "the schema")

    def from_pandas(self, frame: pd.DataFrame) -> DataStream[Any]:
        """Make a stream of the rows of a pandas DataFrame without its index, typed as by ``from_arrow``."""
        import pyarrow as pa

        return self.from_arrow(pa.Table.from_pandas(frame, preserve_index=False))

    # Running

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run everything that ends in a sink added since the last execution, and wait for its end.

        The sinks count as executed even where an error stops the program: another execution begins anew.

        Raises:
            PlanError: there is no sink, or the program contradicts itself.
            JobExecutionError: the job failed; no sink shows any of its output then.

        Mirrors ``StreamExecutionEnvironment.execute``.
        """
        client = self.execute_async(job_name)
        return execution.wait(client.get_job_execution_result().result, client.cancel)

    def execute_async(self, job_name: str | None = None) -> JobClient:
        """Start what ``execute`` runs, and return a client of the job without waiting.

        Raises:
            PlanError: there is no sink, or the program contradicts itself.
        """
        self._require_sinks()
        sinks, self._sinks = self._sinks, []
        return execution.start(self, self._optimized(sinks), self._job_name(job_name))

    def get_execution_plan(self) -> str:
        """Return what ``execute`` would run, as the JSON text of Flink's plan visualizer.

        Raises:
            PlanError: there is no sink.
        """
        self._require_sinks()
        plan = self._builder.plan(self._sinks)
        return execution_plan(optimize(plan, self._plan_options(), RESOLVING))

    def explain(self, stage: Stage = "physical") -> str:
        """Print and return what ``execute`` would run: operators, types, paths and why not faster ones.

        Args:
            stage: the plan as written, after the rules, or as tasks.
        """
        self._require_sinks()
        return self._explain(self._sinks, stage)

    def close(self) -> None:
        """Forget the sinks that were not executed; the Spark session, being shared, stays."""
        self._sinks.clear()

    # What streams need

    def _collect(self, sink_id: int, job_name: str | None, limit: int | None) -> Any:
        if limit is not None and (type(limit) is not int or limit <= 0):
            raise ConfigurationError(f"limit must be a positive int, not {limit!r}")
        plan = self._optimized([sink_id])
        elements: CloseableIterator[Any] = execution.collect(self, plan, self._job_name(job_name), sink_id)
        if limit is None:
            return elements
        with elements:
            return [element for element, _ in zip(elements, range(limit), strict=False)]

    def _require_sinks(self) -> None:
        if not self._sinks:
            raise PlanError(
                "No operators defined in streaming topology. Cannot execute: end a stream in a sink first, "
                "e.g. with print() or sink_to(), or call execute_and_collect() on it"
            )

    def _optimized(self, sinks: list[int]) -> Plan:
        return optimize(self._builder.plan(sinks), self._plan_options())

    def _plan_options(self) -> PlanOptions:
        return PlanOptions(
            parallelism=self.get_parallelism(),
            max_parallelism=self.get_max_parallelism(),
            chaining=self.is_chaining_enabled(),
            strict_types=self._configuration.get(STRICT_TYPES),
        )

    def _explain(self, ids: list[int], stage: Stage) -> str:
        rules = {"logical": (), "optimized": RESOLVING + OPTIMIZING, "physical": RULES}[stage]
        text = explain(optimize(self._builder.plan(ids), self._plan_options(), rules), stage)
        print(text)
        return text

    def _job_name(self, job_name: str | None) -> str:
        return job_name or self._configuration.get(JOB_NAME) or "Flink Streaming Job"

    def _spark_conf(self) -> dict[str, str]:
        settings = self._configuration.to_dict()
        conf = {key: value for key, value in settings.items() if key.startswith("spark.")}
        if jars := settings.get("pipeline.jars"):
            conf["spark.jars"] = ",".join(jars.split(";"))
        return conf

    def _add_to_list(self, key: str, values: tuple[str, ...]) -> None:
        before = Configuration.parse_list_value(self._configuration.get_string(key, ""))
        self._configuration.set_string(key, ";".join([*before, *values]))

    def _collection(self, elements: list[Any], type_info: TypeInformation[T], origin: str) -> DataStream[T]:
        source = CollectionSource.of(elements)
        return self._source("Collection Source", source, type_info, origin, divisible=True)

    def _source(
        self,
        name: str,
        source: Any,
        type_info: TypeInformation[Any],
        origin: str,
        *,
        divisible: bool = False,
    ) -> DataStream[Any]:
        settings = NodeSettings(
            name,
            call_site=call_site(),
            parallelism=1 if divisible else None,
            non_parallel=divisible,
        )
        node = self._builder.add(
            SourceNode,
            type_info=type_info,
            type_origin=origin,
            settings=settings,
            source=source,
            divisible=divisible,
        )
        return DataStream(self, node.id)


def _conformed(elements: list[Any], type_info: TypeInformation[Any]) -> list[Any]:
    from typeinfo.serde import serializer_for

    require_type(type_info, "type_info")
    try:
        return serializer_for(type_info).conform(elements)
    except TypeCheckError as error:
        at = "" if error.index is None else f"element {error.index}: "
        raise TypeCheckError(f"from_collection: {at}{error}", error.path, error.index) from None
