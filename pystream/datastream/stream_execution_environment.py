"""StreamExecutionEnvironment: creates sources, holds settings and runs programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Never, TypeAlias, get_args

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require
from pystream.arguments.collections import collection_elements
from pystream.arguments.frames import table_of_frame
from pystream.common.io import InputFormat
from pystream.common.job_client import JobClient
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.datastream.connectors.base import Source, SplitSource
from pystream.datastream.connectors.data_generator import DataGeneratorSource
from pystream.datastream.connectors.file_system import FileEnumeratorProvider, FileSource, StreamFormat
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.environment import execution
from pystream.datastream.environment.dependencies import EnvironmentDependencies
from pystream.datastream.environment.function_sources import function_source, socket_text
from pystream.datastream.functions import MapFunction, SourceFunction
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.connectors.collection import ArrowSource, CollectionSource
from pystream.engine.connectors.function_source import RunnableSource
from pystream.engine.failure import short_repr
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.hosts.host import Host
from pystream.kinds import OperatorKind
from pystream.lazy import re_exports
from pystream.plan.explain import Explanation, PlanStage, execution_plan
from pystream.plan.function import UserFunction, call_site, picklable
from pystream.plan.graph import PlanBuilder, PlanOptions, RunnablePlan
from pystream.plan.nodes import ColumnsTarget, Node, NodeSettings, OperatorNode, SourceNode, UnknownType
from pystream.plan.query import Query, ResultColumn
from pystream.rules import OPTIMIZING, RESOLVING, RULES, Rule, optimize
from pystream.rules.explain_real_time import refuse_local_host, refuse_obstacles
from pystream.rules.infer_types import InferredTypes
from pystream.settings.configuration import Configuration
from pystream.settings.global_configuration import load_configuration
from pystream.settings.modes import Runner
from pystream.settings.options import (
    INFER_TYPES,
    JOB_NAME,
    LIFTING,
    METRICS_JSON,
    PROGRESS,
    REAL_TIME,
    RUNTIME_MODE,
    STRICT_TYPES,
)
from pystream.settings.submission import refuse_to_run, submitted_options
from pystream.sql_types.decimals import as_read, rounded
from typeinfo.arguments import checks_arguments
from typeinfo.errors import TypeCheckError, summarize
from typeinfo.info import TypeInformation, require_type
from typeinfo.observed import observed_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.types import Types

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from pystream.common.execution_config import ExecutionConfig as ExecutionConfig
    from pystream.datastream.checkpoint_config import CheckpointConfig as CheckpointConfig
    from pystream.datastream.checkpointing_mode import CheckpointingMode as CheckpointingMode
    from pystream.datastream.execution_mode import RuntimeExecutionMode as RuntimeExecutionMode
    from pystream.datastream.slot_sharing_group import SlotSharingGroup as SlotSharingGroup
    from pystream.datastream.streams.stream_ends import DataStreamSink
    from pystream.datastream.utils import ResultTypeQueryable as ResultTypeQueryable
    from pystream.hosts.job_request import JobRequest
    from pystream.serializers import PickleSerializer as PickleSerializer
else:
    __getattr__ = re_exports(__name__)

__all__ = ["StreamExecutionEnvironment"]

T = TypeVar("T")
V = TypeVar("V")
# The type of elements after encoding by type_info.
OUT = TypeVar("OUT", default=V)
NODE = TypeVar("NODE", bound=Node)
# No argument has this type: a parameter that mentions it makes mypy infer the other arguments first, so that
# it checks each element of a list against the type_info instead of first joining their types.
ReadLater: TypeAlias = Callable[[V], Never]

_RULES_OF_STAGE: dict[PlanStage, tuple[Rule, ...]] = {
    "logical": (),
    "optimized": RESOLVING + OPTIMIZING,
    "physical": RULES,
}

_OBSERVED = 1_000  # elements of a collection, from which its type is inferred


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class StreamExecutionEnvironment(EnvironmentDependencies):
    """Create sources, hold settings, and run all operators and sinks of a program.

    Settings live in one configuration under Flink's keys, so that setters, ``configure`` and the command line
    agree. Mirrors ``org.apache.flink.streaming.api.environment.StreamExecutionEnvironment``.

    Args:
        configuration: initial settings, copied.
    """

    def __init__(self, configuration: Configuration | None = None) -> None:
        super().__init__(configuration)
        self._builder = PlanBuilder()
        self._types = InferredTypes()
        self._is_sink_driven = False
        self._fixed_host: Host | None = None  # a host that cannot be selected by settings

    def __repr__(self) -> str:
        mode = self._configuration.get(RUNTIME_MODE).name
        return (
            f"{type(self).__name__}(parallelism={self._resolved_parallelism()}, runtime_mode={mode}, "
            f"pending={len(self._builder.pending)})"
        )

    @staticmethod
    def get_execution_environment(configuration: Configuration | None = None) -> StreamExecutionEnvironment:
        """Return a new environment with the settings of the place the program runs in.

        Settings come, the later winning, from ``$FLINK_CONF_DIR``, from ``configuration``, and from the
        command line of ``pystream run``.

        Args:
            configuration: initial settings, copied.
        """
        environment = StreamExecutionEnvironment(load_configuration())
        if configuration is not None:
            environment.configure(configuration)
        environment.configure(Configuration.from_dict(submitted_options()))
        return environment

    # Sources

    def from_collection(
        self, collection: Iterable[V] | ReadLater[V], type_info: TypeInformation[OUT, V] | None = None
    ) -> DataStream[OUT]:
        """Create a stream of parallelism 1 from a collection, in its order.

        Args:
            collection: the elements: any iterable that ends; an empty one makes an empty stream. One of
                unknown length that takes much memory brings a warning, before it is refused.
            type_info: their type; pickled where it is left out.

        Raises:
            PlanTypeError: ``collection`` is not a collection of elements, such as a DataFrame or a text; the
                message says what to use instead. Or its iterator does not end.
            PlanTypeError: an element cannot be pickled; the message names its position.
            TypeCheckError: an element does not fit the type; the message names its position and the place.

        Mirrors ``StreamExecutionEnvironment.fromCollection``.

        Examples:
            >>> from pystream.common import Types
            >>> env.from_collection([1, 2], Types.INT()).take(2)
            [1, 2]
            >>> env.from_collection([1, "two"], Types.INT())
            Traceback (most recent call last):
            typeinfo.errors.TypeCheckError: from_collection: element 1: 'two' (str) is not an INT; ...
        """
        elements = collection_elements(collection)
        if type_info is None:
            observed = observed_type(elements[:_OBSERVED])
            return self._collection(elements, PICKLED_BYTE_ARRAY, UnknownType("no type_info"), observed)
        return self._collection(_conformed(elements, type_info), type_info, "type_info")

    def from_elements(
        self, *elements: V, type_info: TypeInformation[OUT, V] | None = None
    ) -> DataStream[OUT]:
        """Create a stream of parallelism 1 from the given elements, as ``from_collection`` does."""
        return self.from_collection(elements, type_info)

    def generate_sequence(self, from_: int, to: int) -> DataStream[int]:
        """Create a parallel stream of the integers from ``from_`` to ``to``, both included."""
        return self.from_source(
            NumberSequenceSource(from_, to), WatermarkStrategy.no_watermarks(), "Sequence Source", Types.LONG
        )

    def read_text_file(self, file_path: str, charset_name: str = "UTF-8") -> DataStream[str]:
        """Create a stream of the lines of a text file, or of all files below a directory.

        Large files are cut, so that all subtasks read; each reads its lines in the order of the file.

        Args:
            file_path: a path or URI, also a pattern such as ``/logs/*.txt``; compressed files are known by
                their extension.
            charset_name: the charset of the files.

        Raises:
            PyStreamError: the file does not exist.
        """
        lines = StreamFormat.text_line_format(charset_name)
        source = FileSource.for_record_stream_format(lines, file_path).set_file_enumerator(
            FileEnumeratorProvider.default_splittable_file_enumerator()
        )
        return self.from_source(
            source.build(), WatermarkStrategy.no_watermarks(), "Text File Source", Types.STRING
        )

    def from_source(
        self,
        source: Source[T],
        watermark_strategy: WatermarkStrategy[T],
        source_name: str,
        type_info: TypeInformation[T] | None = None,
    ) -> DataStream[T]:
        """Create a stream from a source.

        Args:
            source: such as a FileSource or a NumberSequenceSource.
            watermark_strategy: assigns timestamps and generates watermarks; without a timestamp assigner,
                elements have the timestamps of the source, such as those of Kafka records, if it has any.
            source_name: display name.
            type_info: type of the elements; the source's own by default.

        Raises:
            PlanError: ``type_info`` is not the type that the source produces.
            PyStreamError: the source's input is missing.

        Mirrors ``StreamExecutionEnvironment.fromSource``.
        """
        require(source, Source, "from_source", "a Source such as a FileSource")
        require(
            watermark_strategy,
            WatermarkStrategy,
            "from_source",
            "a WatermarkStrategy such as WatermarkStrategy.no_watermarks()",
        )
        produced = source.get_produced_type()
        if type_info is not None and require_type(type_info, "type_info") != produced:
            raise PlanError(
                f"from_source({source_name!r}): type_info is {type_info}, but the source produces {produced}"
            )
        stream: DataStream[Any]
        if isinstance(source, DataGeneratorSource):
            stream = self._source(source_name, source.reader(), Types.LONG(), "the source")
            generator: MapFunction[Any, Any] | Callable[[Any], Any] = source.generator_function
            stream = self._part_of_source(stream, stream.map(generator, produced))
        elif isinstance(source, SplitSource):
            by_split = watermark_strategy.has_watermarks
            stream = self._split_source(source, source_name, by_split=by_split)
            if by_split:
                watermarked = stream._assign_split_watermarks(watermark_strategy, produced)
                return self._part_of_source(stream, watermarked)
        else:
            stream = self._source(
                source_name, source.reader(), produced, "the source", non_parallel=not source.is_parallel()
            )
        if watermark_strategy.timestamp_assigner or watermark_strategy.generator_supplier:
            stream = self._part_of_source(stream, stream.assign_timestamps_and_watermarks(watermark_strategy))
        return stream

    def create_input(
        self, input_format: InputFormat[T], type_info: TypeInformation[T] | None = None
    ) -> DataStream[T]:
        """Create a stream of the records of an input format, such as an ``AvroInputFormat``.

        Args:
            input_format: reads the records.
            type_info: type of the elements; the format's own by default.

        Raises:
            PlanError: ``type_info`` is not the type of the records.
            PyStreamError: the input is missing.

        Mirrors ``StreamExecutionEnvironment.createInput``.
        """
        require(input_format, InputFormat, "create_input", "an InputFormat such as an AvroInputFormat")
        return self.from_source(
            input_format.source(), WatermarkStrategy.no_watermarks(), "Custom File Source", type_info
        )

    def add_source(
        self,
        source_func: SourceFunction[V] | Source[V],
        source_name: str = "Custom Source",
        type_info: TypeInformation[OUT, V] | None = None,
    ) -> DataStream[OUT]:
        """Create a stream from a source function, which counts as unbounded.

        A source written in Python has parallelism 1. A connector, such as a ``FlinkKafkaConsumer`` or an
        ``RMQSource``, is read as by ``from_source``, without watermarks.

        Args:
            source_func: emits the elements; what is exactly once is described at `SourceFunction`.
            source_name: display name.
            type_info: type of the elements; else that of a source that is a ``ResultTypeQueryable``, else
                they are pickled. An element that does not fit it fails the job.

        Raises:
            PlanTypeError: it is not a SourceFunction.
            FunctionPicklingError: it cannot be pickled.

        Mirrors ``StreamExecutionEnvironment.addSource``.
        """
        if isinstance(source_func, Source):
            source: Source[Any] = source_func
            return self.from_source(source, WatermarkStrategy.no_watermarks(), source_name, type_info)
        wanted = "a SourceFunction, a class with run(ctx) and cancel()"
        require(source_func, SourceFunction, "add_source", wanted)
        return self._function_source(source_func, source_name, type_info)

    def socket_text_stream(
        self, hostname: str, port: int, delimiter: str = "\n", max_retry: int = 0
    ) -> DataStream[str]:
        """Create a stream of parallelism 1 from text in UTF-8 that a server sends over a socket.

        A restarted job reconnects: what was sent meanwhile is lost, as are the few records that had arrived
        but the job had not yet taken; what it has taken is processed exactly once. A connection that
        cannot be made fails the job.

        Args:
            hostname: the server.
            port: its port.
            delimiter: the text that ends a record; with a line feed, a carriage return before it is left out.
            max_retry: number of connections in all, each half a second after the server closed the one
                before; the stream ends with the first one for 0 or 1, never for -1.

        Raises:
            ConfigurationError: the port or ``max_retry`` is out of bounds, or the delimiter is empty.

        Mirrors ``StreamExecutionEnvironment.socketTextStream``.
        """
        function = socket_text(hostname, port, delimiter, max_retry)
        return self._function_source(function, "Socket Stream", Types.STRING())

    def from_data_frame(self, data_frame: DataFrame) -> DataStream[Any]:
        """Create a stream of the rows of a Spark DataFrame, lazily.

        The type comes from its schema: rows with its columns as fields; a frame made by
        ``DataStream.to_data_frame`` has the type it was made from.

        A streaming frame, of ``spark.readStream``, is an unbounded source. Its options limit the rows of an
        epoch, such as ``maxFilesPerTrigger``; epochs start every ``pystream.batch-interval``. Spark keeps its
        position in the job's directory, from which the job resumes exactly once if the source can be read
        again; a savepoint has none.

        Raises:
            UnsupportedTypeError: a column has a type without counterpart; the message names it.
        """
        source, type_info = execution.data_frame_source(data_frame)
        return self._source("DataFrame", source, type_info, "the schema")

    def from_arrow(self, table: pa.Table) -> DataStream[Any]:
        """Create a stream of the rows of an Arrow table, typed by its schema as in ``from_data_frame``.

        Raises:
            UnsupportedTypeError: a column has a type without counterpart; the message names it.
        """
        import pyarrow as pa

        from typeinfo.formats.arrow import from_arrow_schema

        require(table, pa.Table, "from_arrow", "an Arrow table")
        type_info = as_read(from_arrow_schema(table.schema))
        source = ArrowSource(table, type_info)
        return self._source("Arrow Table", source, type_info, "the schema", not_columns=source.not_columns)

    def from_pandas(self, frame: pd.DataFrame) -> DataStream[Any]:
        """Create a stream of the rows of a pandas DataFrame, typed as in ``from_arrow``.

        An index without a name is left out. One with a name is refused: ``frame.reset_index()`` makes it a
        column, ``frame.reset_index(drop=True)`` drops it.

        Raises:
            UnsupportedTypeError: there are no columns, a name is not a string or occurs twice, a column holds
                periods, intervals, sparse or mixed values, or the index has a name; the message names it.
        """
        import pandas as pd

        require(frame, pd.DataFrame, "from_pandas", "a pandas DataFrame")
        return self.from_arrow(table_of_frame(frame))

    # Running

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run all operators and sinks that no job has run yet, and wait for the end of the job.

        An operator runs even if nothing uses its results, which are dropped then. Operators and sinks count
        as run even if the job fails: another execution runs what was added since then, and what that needs.

        Raises:
            PlanError: there is neither an operator nor a sink to run, or the program contradicts itself.
            JobExecutionError: the job failed; no sink shows any of its output then, except for lines
                printed before, unless only printing failed.
            PyStreamError: a sink cannot be written to; no sink shows any output then.

        Mirrors ``StreamExecutionEnvironment.execute``.
        """
        return execution.start(self._host(), self._next_request(job_name)).wait()

    def execute_async(self, job_name: str | None = None) -> JobClient:
        """Start the job and return its client without waiting.

        Raises:
            PlanError: there is neither an operator nor a sink to run, or the program contradicts itself.
        """
        return execution.start(self._host(), self._next_request(job_name)).client

    def _next_request(self, job_name: str | None) -> JobRequest:
        """Return the job of all operators and sinks that no job has run yet."""
        return self._request(self._pending(), job_name)

    def get_execution_plan(self) -> str:
        """Return the plan that ``execute`` would run, as JSON for Flink's plan visualizer.

        Raises:
            PlanError: there is neither an operator nor a sink to run.
        """
        return self._json_plan(self._pending())

    def explain(self, stage: PlanStage = "physical") -> Explanation:
        """Return the plan that ``execute`` would run: operators, types, paths and why no faster path applies.

        The result is a ``str`` to print; ``to_mermaid()`` and ``to_svg()`` draw it.

        Args:
            stage: the plan as written, after the rules, or as tasks.

        Raises:
            PlanError: there is neither an operator nor a sink to run, or no such stage.
        """
        return self._explain(self._pending(), stage)

    def close(self) -> None:
        """Discard what no job has run yet, and empty all caches; the shared Spark session stays."""
        self._builder.unschedule(self._builder.pending)
        for node in self._builder.caches:
            node.cache.invalidate()

    # Used by streams

    def _collect(self, sink_id: int, job_name: str | None, limit: int | None) -> Any:
        request = self._request([sink_id], job_name)
        elements: CloseableIterator[Any] = execution.collect(self._host(), request, sink_id)
        if limit is None:
            return elements
        with elements:
            return list(islice(elements, limit))

    def _start_sinks(self, sinks: Sequence[DataStreamSink], job_name: str | None) -> execution.StartedJob:
        """Start a job of the given sinks only; ``execute`` leaves them out then."""
        return execution.start(self._host(), self._request([sink._node_id for sink in sinks], job_name))

    def _explain_sinks(self, sinks: Sequence[DataStreamSink]) -> Explanation:
        """Return the plan of a job of the given sinks only, which no later job runs."""
        ids = [sink._node_id for sink in sinks]
        self._builder.unschedule(ids)
        return self._explain(ids, "physical")

    def _json_plan(self, ids: list[int]) -> str:
        """Return the plan of a job of the given operators and sinks as JSON."""
        return execution_plan(optimize(self._program(ids).plan, self._plan_options(ids), RESOLVING))

    def _pending(self) -> list[int]:
        """Return the ids of the operators and sinks that no job has run yet.

        Raises:
            PlanError: there are none.
        """
        pending = self._builder.pending
        if not pending:
            raise PlanError(
                "nothing to run: no operator or sink was added since the last job; add one first, such as "
                "map(), print() or sink_to(), or call execute_and_collect() on a stream"
            )
        return pending

    def _sink_driven(self) -> StreamExecutionEnvironment:
        """Return a view of this environment, through which added operators run only where sinks need them.

        Tables and data sets are made through it: what is only declared is not computed. It shares the
        program and all settings.
        """
        view = copy(self)
        view._is_sink_driven = True
        return view

    def _schedule_operator(self, id: int) -> None:
        """Have the next execution run an operator, whether or not anything uses its results."""
        if not self._is_sink_driven:
            self._builder.schedule(id)

    def _to_arrow(self, sink_id: int, type_info: TypeInformation[Any]) -> pa.Table:
        return execution.to_arrow(self._host(), self._request([sink_id], None), sink_id, type_info)

    def _to_data_frame(self, sink_id: int) -> DataFrame:
        return self._host().to_data_frame(self._request([sink_id], None, can_run_again=False))

    def _host(self) -> Host:
        return self._fixed_host or execution.host_of(self._configuration)

    def _request(self, ends: list[int], job_name: str | None, *, can_run_again: bool = True) -> JobRequest:
        """Return the job of the given operators and sinks, as submitted to a host.

        ``execute`` leaves out what it runs.

        Args:
            ends: ids of the sinks and operators.
            job_name: its display name, or ``None`` for the one in the settings.
            can_run_again: as in `PlanOptions`.
        """
        from pystream.hosts.job_request import JobRequest
        from pystream.hosts.unbounded.settings import UnboundedSettings

        self._builder.unschedule(self._builder.plan(ends).by_id)
        program = self._program(ends)
        options = self._plan_options(ends)
        options = replace(options, can_run_again=can_run_again and options.can_run_again)
        plan = optimize(program.plan, options)
        refuse_to_run(lambda: Explanation.of(plan, "physical", str(self._host().runner)))
        if options.real_time:
            refuse_obstacles(plan)
        strategy = execution.restart_strategy_of(self._configuration, plan, self.get_restart_strategy())
        return JobRequest(
            plan=plan,
            without_lifting=partial(optimize, program.plan, replace(options, lifting=False)),
            cached=program.cached,
            name=self._job_name(job_name),
            parameters=self.get_config().get_global_job_parameters(),
            spark_conf=self._spark_conf(),
            dependencies=self._dependencies,
            restarts=strategy.restarts,
            new_backoff=strategy.new_backoff,
            progress=self._configuration.get(PROGRESS),
            logging=execution.log_settings(self._configuration),
            unbounded=UnboundedSettings.of(self._configuration),
            metrics_file=self._configuration.get(METRICS_JSON),
            execution=execution.settings_of(self._configuration, options.batch),
        )

    def _type_of(self, id: int) -> TypeInformation[Any]:
        """Return the type of the elements of a node: if none is declared, that inferred from a function."""
        node = self._builder.node(id)
        return node.type_info if isinstance(node, SourceNode) else self._inferred_type(id)

    def _inferred_type(self, id: int) -> TypeInformation[Any]:
        """Return the type of the elements of a node; of a source without one, that of its first elements."""
        if not self._configuration.get(INFER_TYPES):
            return self._builder.node(id).type_info
        return self._types.of(self._builder.plan([id]), id)

    def _stream(self, id: int) -> DataStream[Any]:
        """Return the stream of the elements of a node, without keys."""
        return DataStream(self, id)

    def _program(self, ids: list[int]) -> RunnablePlan:
        return self._builder.program(ids, batch=self._is_batch(ids))

    def _is_batch(self, ids: list[int]) -> bool:
        return execution.is_batch(self._configuration, self._builder.plan(ids).unbounded_sources)

    def _plan_options(self, ids: list[int]) -> PlanOptions:
        is_real_time = self._configuration.get(REAL_TIME)
        options = PlanOptions(
            max_parallelism=self.get_max_parallelism(),
            chaining=self.is_chaining_enabled(),
            strict_types=self._configuration.get(STRICT_TYPES),
            infer_types=self._configuration.get(INFER_TYPES),
            lifting=self._configuration.get(LIFTING),
            fields=self._configuration.get(LIFTING),
            batch=self._is_batch(ids),
            checkpointing=self._checkpoint_config.is_checkpointing_enabled(),
            can_run_again=not is_real_time,
            real_time=is_real_time,
        )
        if self._host().runner is Runner.LOCAL:
            if is_real_time:
                refuse_local_host()
            return replace(options, lifting=False, why_not_lifted="the local host runs only Python")
        return options

    def _explain(self, ids: list[int], stage: PlanStage) -> Explanation:
        stages = get_args(PlanStage)
        if stage not in stages:
            raise PlanError(
                f"explain: stage must be one of {', '.join(map(repr, stages))}, not {short_repr(stage)}"
            )
        plan = optimize(self._program(ids).plan, self._plan_options(ids), _RULES_OF_STAGE[stage])
        return Explanation.of(plan, stage, str(self._host().runner))

    def _job_name(self, job_name: str | None) -> str:
        return job_name or self._configuration.get(JOB_NAME) or "Flink Streaming Job"

    def _collection(
        self,
        elements: list[Any],
        type_info: TypeInformation[T, Any],
        origin: str,
        observed: TypeInformation[Any] | None = None,
    ) -> DataStream[T]:
        try:
            source = CollectionSource.of(elements)
        except Exception as error:
            raise _unpicklable(elements, error) from error
        return self._source(
            "Collection Source",
            source,
            type_info,
            origin,
            observed=observed,
            divisible=True,
            non_parallel=True,
        )

    def _part_of_source(self, before: DataStream[Any], stream: DataStream[T]) -> DataStream[T]:
        """Apply the settings of an operator to the source before it, too."""
        self._builder.set(stream._node_id, part_of=before._node_id)
        return stream

    def _split_source(self, source: SplitSource[Any], name: str, *, by_split: bool) -> DataStream[Any]:
        """Create a stream of the elements of a source with splits, in tuples with these if asked for."""

        def type_of(type_info: TypeInformation[Any]) -> TypeInformation[Any]:
            return Types.TUPLE([Types.STRING(), Types.INT(), type_info]) if by_split else type_info

        reader = source.split_reader() if by_split else source.reader()
        stream = self._source(
            name,
            reader,
            type_of(source.record_type()),
            "the source",
            non_parallel=not source.is_parallel(),
        )
        function = source.deserializer(by_split=by_split)
        if function is None:
            return stream
        return self._part_of_source(stream, stream.process(function, type_of(source.get_produced_type())))

    def _function_source(
        self, function: RunnableSource, name: str, type_info: TypeInformation[Any] | None
    ) -> DataStream[Any]:
        source, origin = function_source(function, type_info)
        return self._source(name, source, source.type_info, origin, non_parallel=True)

    def _source(
        self,
        name: str,
        source: Any,
        type_info: TypeInformation[Any],
        origin: str,
        *,
        observed: TypeInformation[Any] | None = None,
        divisible: bool = False,
        non_parallel: bool = False,
        not_columns: str = "",
    ) -> DataStream[Any]:
        settings = NodeSettings(
            name,
            call_site=call_site(),
            parallelism=1 if non_parallel else None,
            non_parallel=non_parallel,
        )
        node = self._add(
            SourceNode,
            type_info=type_info,
            type_origin=origin,
            settings=settings,
            source=source,
            observed=observed,
            divisible=divisible,
            columns=source.columns,
            not_columns=not_columns,
        )
        return DataStream(self, node.id)

    def _resolve_query(
        self, query: Query, inputs: Sequence[DataStream[Any]]
    ) -> tuple[Query, list[ResultColumn]]:
        return self._host().resolve_query(self._spark_conf(), query, [stream._type for stream in inputs])

    def _query(
        self,
        query: Query,
        inputs: Sequence[DataStream[Any]],
        names: Sequence[str],
        type_info: TypeInformation[Any],
    ) -> DataStream[Any]:
        """Create the stream of the results of a query.

        Args:
            query: the query.
            inputs: the streams that it reads.
            names: their display names.
            type_info: the type of the results.
        """
        sinks = [
            stream._target(name, ColumnsTarget(rounded(stream._type)))
            for name, stream in zip(names, inputs, strict=True)
        ]
        parallelism = 1 if query.is_ordered else None
        if not query.is_bounded:  # then each subtask computes the results of one of the stream
            parallelism = inputs[0].get_parallelism()
        node = self._add(
            SourceNode,
            inputs=tuple(sinks),
            type_info=type_info,
            type_origin="the query",
            settings=NodeSettings("Query", call_site=call_site(), parallelism=parallelism),
            source=query,
            columns=query.columns,
        )
        return DataStream(self, node.id)

    def _operator(
        self,
        kind: OperatorKind,
        inputs: tuple[int, ...],
        function: UserFunction,
        result: tuple[TypeInformation[Any], str],
        *,
        title: str | None = None,
        settings: NodeSettings | None = None,
        **fields: Any,
    ) -> DataStream[Any]:
        """Add an operator to the program and return the stream of its results.

        Args:
            kind: the kind of the operator.
            inputs: its input nodes.
            function: the user's function.
            result: the type of its results, and the origin of that type.
            title: its display name; that of the kind unless given.
            settings: its settings, if there is more to say than a display name.
            fields: further fields of the `OperatorNode`, such as ``keys``.
        """
        type_info, origin = result
        node = self._add(
            OperatorNode,
            inputs=inputs,
            type_info=type_info,
            type_origin=origin,
            settings=settings or NodeSettings(title or kind.name, call_site=call_site()),
            kind=kind,
            function=function,
            **fields,
        )
        self._schedule_operator(node.id)
        return DataStream(self, node.id)

    def _add(self, kind: type[NODE], /, *, settings: NodeSettings, **fields: Any) -> NODE:
        """Add a node to the program, with the default parallelism at this time."""
        if settings.parallelism is None:
            settings = replace(settings, parallelism=self._resolved_parallelism())
        return self._builder.add(kind, settings=settings, **fields)


def _conformed(elements: list[Any], type_info: TypeInformation[Any]) -> list[Any]:
    from typeinfo.serde import serializer_for

    require_type(type_info, "type_info")
    try:
        return serializer_for(type_info).conform(elements)
    except TypeCheckError as error:
        at = "" if error.index is None else f"element {error.index}: "
        raise TypeCheckError(f"from_collection: {at}{error}", index=error.index) from None


def _unpicklable(elements: list[Any], error: Exception) -> PlanTypeError:
    culprits = ((index, element) for index, element in enumerate(elements) if not picklable(element))
    index, element = next(culprits, (None, elements))
    what = "the elements" if index is None else f"element {index}, {short_repr(element)},"
    return PlanTypeError(
        f"from_collection: {what} cannot be sent to the workers: {summarize(error)}; make what "
        "cannot be pickled there, in open() of a function class"
    )
