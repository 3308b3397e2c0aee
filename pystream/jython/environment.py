"""The environment of the Jython guide, and the factory that ``main(factory)`` gets it from."""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import Any, NoReturn, TypeVar

from pystream.arguments.checks import require
from pystream.common.job_execution_result import JobExecutionResult
from pystream.datastream.functions import SourceFunction
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import PlanTypeError, UnsupportedOperationError
from pystream.jython.adapters import SourceAdapter
from pystream.jython.streams import PythonSingleOutputStreamOperator
from pystream.settings.configuration import Configuration
from pystream.settings.modes import CheckpointingMode, Runner, TimeCharacteristic
from pystream.settings.options import RUNNER

__all__ = ["PythonEnvironmentFactory", "PythonStreamExecutionEnvironment"]

T = TypeVar("T")


class PythonStreamExecutionEnvironment:
    """Create sources, hold settings, and run all operators and sinks of a program.

    Mirrors ``org.apache.flink.streaming.python.api.environment.PythonStreamExecutionEnvironment`` of Flink 1.

    Args:
        environment: the environment that does the work.
    """

    def __init__(self, environment: StreamExecutionEnvironment) -> None:
        self._environment = environment

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._environment!r})"

    def create_python_source(self, source_function: SourceFunction[T]) -> PythonSingleOutputStreamOperator[T]:
        """Create a stream of parallelism 1 from a source written in Python.

        It counts as unbounded, though ``run`` may return; then the job ends.

        Args:
            source_function: a SourceFunction, or any object with ``run(ctx)`` and ``cancel()``.

        Raises:
            PlanTypeError: it lacks one of the methods.
            FunctionPicklingError: it cannot be pickled.
        """
        known = isinstance(source_function, SourceFunction)
        source: SourceFunction[T] = source_function if known else SourceAdapter(source_function)
        return _operator(self._environment.add_source(source))

    def from_elements(self, *args: T) -> PythonSingleOutputStreamOperator[T]:
        """Create a stream of parallelism 1 from the given elements, in their order.

        Raises:
            PlanTypeError: an element cannot be pickled; the message names its position.
        """
        return _operator(self._environment.from_collection(args))

    def from_collection(self, collection: Iterable[T]) -> PythonSingleOutputStreamOperator[T]:
        """Create a stream of parallelism 1 from the elements of an iterable that ends, in its order.

        Raises:
            PlanTypeError: it is not a collection of elements, or an element cannot be pickled.
        """
        return _operator(self._environment.from_collection(collection))

    def generate_sequence(self, frm: int, to: int) -> PythonSingleOutputStreamOperator[int]:
        """Create a parallel stream of the integers from ``frm`` to ``to``, both included.

        Raises:
            ConfigurationError: a bound is not an int of 64 bits.
        """
        return _operator(self._environment.generate_sequence(frm, to))

    def read_text_file(self, path: str) -> PythonSingleOutputStreamOperator[str]:
        """Create a stream of the lines of a text file in UTF-8, or of all files below a directory.

        Large files are cut, so that all subtasks read; each reads its lines in the order of the file.

        Args:
            path: a path or URI such as ``file:///…`` or ``hdfs://…``, also a pattern.

        Raises:
            PyStreamError: the file does not exist.
        """
        return _operator(self._environment.read_text_file(path))

    def read_text(self, path: str) -> PythonSingleOutputStreamOperator[str]:
        """Create a stream of lines, as ``read_text_file`` does."""
        return self.read_text_file(path)

    def socket_text_stream(self, host: str, port: int) -> PythonSingleOutputStreamOperator[str]:
        """Create an unbounded stream of parallelism 1 from lines in UTF-8 that a server sends over a socket.

        The stream ends when the server closes the connection.

        Raises:
            ConfigurationError: the port is out of bounds.
            PlanTypeError: the host is not a text.
        """
        return _operator(self._environment.socket_text_stream(host, port))

    def set_parallelism(self, parallelism: int) -> PythonStreamExecutionEnvironment:
        """Set the default number of subtasks of operators that are added from now on.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._environment.set_parallelism(parallelism)
        return self

    def get_parallelism(self) -> int:
        """Return the default number of subtasks."""
        return self._environment.get_parallelism()

    def enable_checkpointing(
        self, interval: int, mode: CheckpointingMode | None = None
    ) -> PythonStreamExecutionEnvironment:
        """Set the interval in ms of checkpoints, at which the output of unbounded jobs becomes visible.

        Args:
            interval: the interval.
            mode: has no effect: a job is always exactly once.
        """
        self._environment.enable_checkpointing(interval, mode)
        return self

    def set_stream_time_characteristic(self, characteristic: TimeCharacteristic) -> None:
        """Accept processing time, which is the time of ``time_window``.

        Raises:
            UnsupportedOperationError: another time is wanted; this API cannot assign timestamps.
        """
        if characteristic is not TimeCharacteristic.ProcessingTime:
            raise UnsupportedOperationError(
                "set_stream_time_characteristic: streams of this API have no timestamps; use processing "
                "time, or write the program for pystream.datastream"
            )
        self._environment.set_stream_time_characteristic(characteristic)

    def execute(self, job_name: str | None = None) -> JobExecutionResult:
        """Run all operators and sinks that no job has run yet, and wait for the end of the job.

        Args:
            job_name: display name of the job.

        Raises:
            PlanError: there is neither an operator nor a sink to run, or the program contradicts itself.
            SinkError: a target cannot be written to, or exists and must not be overwritten.
            JobExecutionError: the job failed.
        """
        require(
            job_name,
            (str, NoneType),
            "execute",
            "the name of the job (pystream run --local runs it in this process)",
        )
        return self._environment.execute(job_name)


class PythonEnvironmentFactory:
    """Creates execution environments; ``pystream run`` passes one to ``main(factory)``.

    Mirrors ``org.apache.flink.streaming.python.api.environment.PythonEnvironmentFactory`` of Flink 1.
    """

    def get_execution_environment(self) -> PythonStreamExecutionEnvironment:
        """Return a new environment with the settings of the place the program runs in.

        Settings come, the later winning, from ``$FLINK_CONF_DIR`` and from the command line of
        ``pystream run``.
        """
        return PythonStreamExecutionEnvironment(StreamExecutionEnvironment.get_execution_environment())

    def create_local_execution_environment(
        self, parallelism: int | Configuration | None = None, config: Configuration | None = None
    ) -> PythonStreamExecutionEnvironment:
        """Return a new environment that runs its jobs in this process, without Spark.

        Args:
            parallelism: the default number of subtasks; or the settings, as in the second form of Java.
            config: settings; those of the command line win.

        Raises:
            ConfigurationError: the parallelism is not positive.
        """
        if isinstance(parallelism, Configuration):
            if config is not None:
                raise PlanTypeError("create_local_execution_environment takes one configuration, not two")
            parallelism, config = None, parallelism
        settings = Configuration(config)
        settings.set(RUNNER, Runner.LOCAL)
        environment = StreamExecutionEnvironment.get_execution_environment(settings)
        if parallelism is not None:
            environment.set_parallelism(parallelism)
        return PythonStreamExecutionEnvironment(environment)

    def create_remote_execution_environment(self, host: str, port: int, *args: Any) -> NoReturn:
        """Refuse to connect to a cluster of Flink.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError(
            f"create_remote_execution_environment: {host}:{port} would be a cluster of Flink, and jobs run "
            "on Spark: use get_execution_environment(), and name the cluster when you run the script, by "
            "spark-submit, -Dspark.master=… or -Dspark.remote=…"
        )


def _operator(stream: DataStream[Any]) -> PythonSingleOutputStreamOperator[Any]:
    return PythonSingleOutputStreamOperator(stream)
