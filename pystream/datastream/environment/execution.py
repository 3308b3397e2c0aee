"""Job submission: the host that runs a job, its client and its results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pystream.common.job_client import JobClient, converted
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.job_id import JobID
from pystream.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.engine.task_info import AsyncCallSettings, Execution
from pystream.engine.worker.logs import LogSettings
from pystream.errors import JobCancelledError, PlanError, UnsupportedOperationError
from pystream.hosts.host import Host, LocalHost, SparkHost
from pystream.plan.nodes import SourceNode
from pystream.settings.config_options import ConfigOptions
from pystream.settings.configuration import Configuration
from pystream.settings.modes import RetryStrategy, Runner, RuntimeExecutionMode
from pystream.settings.options import (
    ASYNC_SCALAR_ATTEMPTS,
    ASYNC_SCALAR_CALLS,
    ASYNC_SCALAR_RETRY_DELAY,
    ASYNC_SCALAR_RETRY_STRATEGY,
    ASYNC_SCALAR_TIMEOUT,
    AUTO_WATERMARK_INTERVAL,
    BUNDLE_SIZE,
    FIRE_TIMERS_AT_END,
    LOCAL_SEED,
    LOCAL_TIME_ZONE,
    LOG_LEVEL,
    LOG_LEVELS,
    RUNNER,
    RUNTIME_MODE,
    LogLevel,
)
from pystream.sql_types.decimals import as_read
from pystream.waiting import joined, result_of
from pystream.zones import zone_of_machine

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from pystream.hosts.job import Job, JobOutcome
    from pystream.hosts.job_request import JobRequest
    from pystream.plan.graph import Plan
    from typeinfo.info import TypeInformation

__all__ = [
    "StartedJob",
    "collect",
    "data_frame_source",
    "host_of",
    "is_batch",
    "log_settings",
    "restart_strategy_of",
    "settings_of",
    "start",
    "to_arrow",
    "to_frame",
    "wait",
    "wait_for_started_jobs",
]

T = TypeVar("T")

SECONDS_TO_CLEAN_UP = 10.0

_started: list[StartedJob] = []


def is_batch(configuration: Configuration, unbounded: Sequence[SourceNode]) -> bool:
    """Return whether a program runs in batch mode; AUTOMATIC means batch if all its sources are bounded.

    Args:
        configuration: the settings.
        unbounded: the unbounded sources of the program.

    Raises:
        PlanError: batch mode is set, and a source is unbounded.
    """
    mode = configuration.get(RUNTIME_MODE)
    if mode is RuntimeExecutionMode.BATCH and unbounded:
        names = " and ".join(repr(node.settings.name) for node in unbounded)
        raise PlanError(
            f"batch mode needs bounded sources: {names} {'is' if len(unbounded) == 1 else 'are'} unbounded; "
            "set the runtime mode to STREAMING or AUTOMATIC, or let the source end"
        )
    return mode is not RuntimeExecutionMode.STREAMING and not unbounded


def host_of(configuration: Configuration) -> Host:
    """Return the host selected by the settings."""
    if configuration.get(RUNNER) is Runner.LOCAL:
        return LocalHost(seed=configuration.get(LOCAL_SEED))
    return SparkHost()


class StartedJob(NamedTuple):
    """A job that has been started.

    Attributes:
        client: its client.
        wait: waits for its result; the first interrupt or termination signal ends an unbounded job after the
            current epoch, and cancels a bounded one.
    """

    client: JobClient
    wait: Callable[[], JobExecutionResult]


def start(host: Host, request: JobRequest) -> StartedJob:
    """Start a job."""
    from pystream.hosts.unbounded.signals import stopping_on_signals

    running = host.submit(request)
    job_id = JobID(running.job_id)

    def result(outcome: JobOutcome) -> JobExecutionResult:
        return JobExecutionResult(job_id, outcome.runtime_millis, outcome.metrics)

    client = JobClient(
        job_id,
        converted(running.future, result),
        running.cancel,
        running.control,
        request.unbounded.savepoint_directory,
    )
    future = client.get_job_execution_result()

    def wait_for_end() -> JobExecutionResult:
        stopping = stopping_on_signals(running.stop) if request.plan.unbounded_sources else nullcontext()
        with stopping:
            return wait(future.result, running.interrupt)

    job = StartedJob(client, wait_for_end)
    _started[:] = [*(one for one in _started if not _has_ended(one)), job]
    return job


def _has_ended(job: StartedJob) -> bool:
    return job.client.get_job_execution_result().done()


def wait_for_started_jobs() -> None:
    """Wait until the jobs have ended that a program has started and left running.

    Raises:
        JobExecutionError: one of them failed.
    """
    for job in list(_started):
        if not _has_ended(job):
            with suppress(JobCancelledError):
                job.wait()


def collect(host: Host, request: JobRequest, sink_id: int) -> CloseableIterator[Any]:
    """Start a job and return an iterator over the elements of its collecting sink."""
    running = host.submit(request)
    batches = _batches(running, sink_id)

    def close() -> None:
        running.cancel()
        running.discard()
        running.join(SECONDS_TO_CLEAN_UP)

    return CloseableIterator((element for batch in batches for element in batch), close)


def _batches(running: Job, sink_id: int) -> Generator[Any]:
    """Yield the batches of a collecting sink as they arrive; raise the job's failure, if any."""
    try:
        yield from running.collected(sink_id)
    except (KeyboardInterrupt, SystemExit):
        _interrupt(partial(result_of, running.future), running.interrupt)
        raise
    else:
        wait(partial(result_of, running.future), running.interrupt)
    finally:
        if running.future.done():
            running.discard()


def to_arrow(host: Host, request: JobRequest, sink_id: int, type_info: TypeInformation[Any]) -> pa.Table:
    """Run a job and return the elements of its collecting sink as an Arrow table.

    Raises:
        UnsupportedOperationError: a source is unbounded.
    """
    if request.plan.unbounded_sources:
        source = request.plan.unbounded_sources[0]
        raise UnsupportedOperationError(
            f"to_arrow: a table holds all elements, but {source.settings.name!r} is unbounded; use take(n) "
            "or execute_and_collect()"
        )
    import pyarrow as pa

    from typeinfo.formats.arrow import to_arrow_schema

    running = host.submit(request)
    return pa.Table.from_batches(_batches(running, sink_id), to_arrow_schema(type_info))


def data_frame_source(frame: DataFrame) -> tuple[Any, TypeInformation[Any]]:
    """Return a Spark table as a source, together with the type of its rows."""
    from pystream.hosts.spark.frame_source import DataFrameSource
    from typeinfo.formats.spark import from_spark_schema

    return DataFrameSource.of(frame), as_read(from_spark_schema(frame.schema))


def to_frame(table: pa.Table) -> DataFrame:
    """Return a table as a Spark DataFrame."""
    from pystream.hosts.spark.frames import frame_of

    return frame_of(table)


def wait(result: Callable[[], T], cancel: Callable[[], object]) -> T:
    """Wait for a job's result; an interrupt or a termination signal first stops the job and cleans up."""
    try:
        return result()
    except (KeyboardInterrupt, SystemExit):
        _interrupt(result, cancel)
        raise


def _interrupt(result: Callable[[], object], cancel: Callable[[], object]) -> None:
    cancel()
    cleaning = Thread(target=_until_over, args=(result,), daemon=True)
    cleaning.start()
    joined(cleaning, SECONDS_TO_CLEAN_UP)


def _until_over(result: Callable[[], object]) -> None:
    with suppress(Exception):  # the interrupt is raised, not the job's own failure
        result()


def restart_strategy_of(
    configuration: Configuration, plan: Plan, chosen: RestartStrategyConfiguration
) -> RestartStrategyConfiguration:
    """Return the restart strategy of a job: the chosen one, or else the default for its kind.

    Args:
        configuration: the settings.
        plan: the plan of the job.
        chosen: the strategy of the environment.
    """
    is_chosen = not isinstance(chosen, RestartStrategies.FallbackRestartStrategyConfiguration)
    if is_chosen or not plan.unbounded_sources:
        return chosen
    return RestartStrategies.of_unbounded_job(configuration)


def settings_of(configuration: Configuration, batch: bool) -> Execution:
    """Return the settings of a job, such as its watermark interval.

    Args:
        configuration: the settings.
        batch: whether it runs in batch mode.
    """
    zone = configuration.get(LOCAL_TIME_ZONE)
    return Execution(
        batch=batch,
        fires_timers_at_end=batch or configuration.get(FIRE_TIMERS_AT_END),
        watermark_interval=configuration.get(AUTO_WATERMARK_INTERVAL).to_millis(),
        bundle_size=configuration.get(BUNDLE_SIZE),
        async_calls=_async_calls(configuration),
        time_zone=zone_of_machine() if zone == LOCAL_TIME_ZONE.default else zone,
    )


def log_settings(configuration: Configuration) -> LogSettings:
    """Return the level, for each logger, from which workers send log records to the driver."""
    level = ConfigOptions.key(LOG_LEVELS.key).enum_type(LogLevel).no_default_value()
    overrides = {name: level.read(text) for name, text in configuration.get(LOG_LEVELS).items()}
    levels = {name: chosen.value for name, chosen in overrides.items() if chosen is not None}
    return LogSettings(configuration.get(LOG_LEVEL).value, levels)


def _async_calls(configuration: Configuration) -> AsyncCallSettings:
    retries = configuration.get(ASYNC_SCALAR_RETRY_STRATEGY) is RetryStrategy.FIXED_DELAY
    return AsyncCallSettings(
        configuration.get(ASYNC_SCALAR_CALLS),
        configuration.get(ASYNC_SCALAR_TIMEOUT).to_millis() / 1000,
        configuration.get(ASYNC_SCALAR_ATTEMPTS) if retries else 1,
        configuration.get(ASYNC_SCALAR_RETRY_DELAY).to_millis() / 1000,
    )
