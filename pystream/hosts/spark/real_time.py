"""Jobs in Spark's Real-Time Mode: a query for each sink, without Python in the path of a record."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, NamedTuple

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.utils import is_remote

from pystream.engine.connectors.files import java_location, local_path
from pystream.engine.connectors.kafka.sink import KafkaOutput
from pystream.engine.connectors.kafka.source import KafkaInput
from pystream.errors import (
    CheckpointError,
    ConfigurationError,
    JobCancelledError,
    JobExecutionError,
    UnsupportedOperationError,
)
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.hosts.spark.bounded import building_frames
from pystream.hosts.spark.errors import error_to_report, errors_not_logged, expression_failure
from pystream.hosts.spark.kafka_frames import elements_of, records_of, sink_options
from pystream.hosts.spark.packages import KNOWN, SPARK_PACKAGES, has_from_start
from pystream.hosts.spark.query_logs import query_not_logged
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.session_settings import session_settings
from pystream.hosts.spark.unbounded import query_settings
from pystream.hosts.unbounded.control import JobControl
from pystream.hosts.unbounded.identify import identity_of
from pystream.hosts.unbounded.job_directory import Ending, directory_name
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.lost_state import StateLostError
from pystream.hosts.unbounded.opening import open_job_directory
from pystream.hosts.unbounded.requests import Requests
from pystream.hosts.unbounded.running_job import RunningJob
from pystream.hosts.unbounded.starting_offsets import StartingOffsets, partition_count
from pystream.plan.native import NativeStep
from pystream.plan.nodes import Node, OperatorNode, SourceNode
from pystream.settings.modes import Runner
from pystream.settings.options import METRICS_JSON

__all__ = ["RealTimeJob"]

_LOG = logging.getLogger(__name__)

_PAUSE = 0.1  # seconds between two looks at the queries
_SHORTEST = 5_000  # ms; Spark has no shorter batches in this mode
_INTERVAL = 60_000  # ms; of checkpoints, unless the program sets one
_NO_SAVEPOINTS = (
    "Real-Time Mode has no savepoints; stop the job, and resume it from its directory "
    "(execution.checkpointing.dir)"
)


class Pipeline(NamedTuple):
    """The way of elements to a sink.

    Attributes:
        uid: of the sink.
        source: the source.
        steps: the steps in between.
        sink: the sink.
    """

    uid: str
    source: SourceNode
    steps: tuple[NativeStep, ...]
    sink: KafkaOutput

    @property
    def input(self) -> KafkaInput:
        """The topics of the source."""
        assert isinstance(self.source.source, KafkaInput)
        return self.source.source


class RealTimeJob(Job):
    """A job in Spark's Real-Time Mode.

    Spark runs a task for each partition of a topic, which passes records on as they come, and stores offsets
    at the end of each of its batches: the interval of checkpoints. After a failure, it reads the records
    since then again.

    Args:
        request: the plan and settings.
    """

    def __init__(self, request: JobRequest) -> None:
        super().__init__(request)
        self._settings = request.unbounded
        self._restarts = 0
        self._stopping = threading.Event()

    def _prepare(self) -> None:
        self._pipelines = list(_pipelines(self.request))
        self._refuse_settings()
        plan, name = self.request.plan, self.request.name
        slots = self._session().sparkContext.defaultParallelism
        identity = identity_of(name, plan, {})
        self._directory = open_job_directory(self._settings, identity, {}, self.job_id, Runner.SPARK)
        try:
            self.job_id: str = self._directory.job_id
            self._offsets = StartingOffsets.of(
                self._directory, {each.source.uid: each.input for each in self._pipelines}
            )
            self._require_slots(slots)
            self._offsets.store()
            metrics = JobMetrics(name, self.job_id)
            self._control = RunningJob(metrics, Requests(), _NO_SAVEPOINTS)
            self._metrics = metrics
            self.control: JobControl | None = self._control
        except BaseException:
            self._directory.close()
            raise

    def _refuse_settings(self) -> None:
        if self._settings.savepoint:
            raise CheckpointError(
                f"job {self.request.name!r} cannot start from a savepoint: {_NO_SAVEPOINTS}"
            )
        if self.request.metrics_file is not None:
            raise ConfigurationError(
                f"{METRICS_JSON.key}: a job in Real-Time Mode has no epochs to report; leave it out"
            )

    def _session(self) -> SparkSession:
        """Return a session with Spark's Kafka connector.

        Raises:
            UnsupportedOperationError: it is one of Spark Connect, or was started without the connector,
                whose classes the results of tasks have in this mode.
        """
        conf = dict(self.request.spark_conf)
        packages = [each for each in conf.get(SPARK_PACKAGES, "").split(",") if each]
        if not any(each == "kafka" or each.startswith(KNOWN["kafka"]) for each in packages):
            conf[SPARK_PACKAGES] = ",".join([*packages, "kafka"])
        session = get_session(conf, is_unbounded=True)
        if is_remote():
            raise UnsupportedOperationError(
                "pystream.real-time: Spark Connect does not tell the number of its task slots; use a "
                "session without it"
            )
        if not has_from_start(session, "kafka"):
            raise UnsupportedOperationError(
                "pystream.real-time: the running Spark session was started without Spark's Kafka connector, "
                f"which Real-Time Mode needs from the start: set {SPARK_PACKAGES} to kafka when the session "
                "starts, or stop it first"
            )
        return session

    def _require_slots(self, slots: int) -> None:
        """Check that Spark can run a task for each partition at the same time.

        Args:
            slots: the number of tasks that can run.

        Raises:
            ConfigurationError: it cannot, so that some partitions would not be read.
        """
        needed = sum(partition_count(each.input) for each in self._pipelines)
        if needed > slots:
            raise ConfigurationError(
                f"job {self.request.name!r}: Real-Time Mode needs a task slot for each partition that a sink "
                f"gets records of, {needed} in all, and Spark has {slots}: set spark.master to "
                f"local[{needed}], or use a larger cluster; with a session that is running, stop that first"
            )

    def _metrics_at_end(self) -> Mapping[str, Any]:
        ending = Ending.FAILED
        try:
            while not self._ran():
                self._restarts += 1
                self._metrics.restart(self._restarts)
            ending = Ending.FINISHED if self._directory.is_temporary else Ending.INTERRUPTED
        except JobCancelledError:
            ending = Ending.INTERRUPTED if self._is_interrupted else Ending.CANCELED
            raise
        finally:
            if not self._directory.is_temporary and ending.keeps_state(self._settings.retention):
                _LOG.info("job %r can resume from %s", self.request.name, self._directory.location)
            self._directory.end(ending, self._settings.retention)
        return self._metrics.snapshot().metrics

    def _ran(self) -> bool:
        """Run an attempt until the job ends, or fails and is to be restarted; return whether it has ended."""
        try:
            self._directory.check()
            self._run_queries()
        except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
            if self._cancelled.is_set():
                raise self._cancellation() from None
            failure = self._error_to_report(error)
            is_final = isinstance(failure, JobCancelledError | StateLostError)
            pause = None if is_final else self._pause(failure)
            if pause is None:
                raise failure from failure.__cause__
            _LOG.warning("job %r restarts in %.3g s: %s", self.request.name, pause, failure)
            self._control.is_restarting = True
            self._stopping.wait(pause)
            self._control.is_restarting = False
        if self._cancelled.is_set():
            raise self._cancellation()
        return self._stopping.is_set()

    def _run_queries(self) -> None:
        """Run a query for each sink until the job is stopped or one of them ends.

        Raises:
            Exception: the failure of a query.
        """
        queries: list[StreamingQuery] = []
        spark = self._session()
        with query_not_logged(), errors_not_logged(), ExitStack() as stopping:
            with (
                building_frames(spark, None),
                session_settings(spark, self._query_settings()),
            ):
                for pipeline in self._pipelines:
                    query = self._started(spark, pipeline)
                    stopping.callback(_stop, query)
                    queries.append(query)
            while not self._stopping.wait(_PAUSE):
                self._directory.check_lock()
                ended = next((query for query in queries if not query.isActive), None)
                if ended is not None:
                    raise ended.exception() or JobCancelledError(
                        f"job {self.request.name!r} was cancelled: its streaming query was stopped; end the "
                        "job with JobClient.cancel()"
                    )

    def _started(self, spark: SparkSession, pipeline: Pipeline) -> StreamingQuery:
        offsets = self._offsets.by_source[pipeline.source.uid]
        elements = elements_of(spark, pipeline.input, offsets, pipeline.steps)
        interval = max(self._settings.publish_interval or _INTERVAL, _SHORTEST)
        location = java_location(f"{self._directory.real_time}/{directory_name(pipeline.uid)}")
        writer: Any = (  # PySpark's stubs do not know the trigger
            records_of(elements, pipeline.sink)
            .writeStream.format("kafka")
            .queryName(f"{self.request.name} {pipeline.uid} {self.job_id[:8]}")
            .options(**sink_options(pipeline.sink))
            .option("checkpointLocation", location)
            .outputMode("update")
        )
        query: StreamingQuery = writer.trigger(realTime=f"{interval} milliseconds").start()
        return query

    def _query_settings(self) -> dict[str, str]:
        is_local = local_path(self._directory.location) is not None
        return query_settings(self._settings.spark, self.request.spark_conf, is_local=is_local)

    def _error_to_report(self, error: BaseException) -> BaseException:
        found = expression_failure(error)
        if found is not None:
            return JobExecutionError(f"job {self.request.name!r}: {found}")
        return error_to_report(self.request.name, error)

    def stop(self) -> None:
        """End the job; it can resume if it has a directory."""
        self._stopping.set()

    def _interrupt(self) -> None:
        self._stopping.set()

    def collected(self, sink_id: int) -> Iterator[list[Any]]:
        return iter(())  # nothing is collected: it writes to topics only

    def discard(self) -> None:
        """Do nothing: nothing is collected."""


def _pipelines(request: JobRequest) -> Iterator[Pipeline]:
    """Yield the way to each sink of a plan that Real-Time Mode can run."""
    plan = request.plan
    for sink in plan.sinks:
        assert isinstance(sink.target, KafkaOutput)
        steps: list[NativeStep] = []
        node: Node = plan.by_id[sink.inputs[0]]
        while isinstance(node, OperatorNode):
            assert node.native is not None
            steps.insert(0, node.native)
            node = plan.by_id[node.inputs[0]]
        assert isinstance(node, SourceNode)
        yield Pipeline(sink.uid, node, tuple(steps), sink.target)


def _stop(query: StreamingQuery) -> None:
    with suppress(Exception):  # the failure of the job is reported, not that of its end
        query.stop()
