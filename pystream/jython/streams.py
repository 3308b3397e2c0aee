"""The streams of the Jython guide: those of `pystream.datastream`, with the guide's methods and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream import window
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.iterative_stream import IterativeStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.datastream.streams.windowed_stream import WindowedStream
from pystream.durations import Time
from pystream.engine.connectors.write_mode import WriteMode
from pystream.engine.windows.assigners import WindowAssigner
from pystream.jython.adapters import (
    FilterAdapter,
    FlatMapAdapter,
    KeyAdapter,
    MapAdapter,
    NamesAdapter,
    ReduceAdapter,
    Selected,
    WindowAdapter,
)
from pystream.jython.functions import (
    Collector,
    FilterFunction,
    FlatMapFunction,
    KeySelector,
    MapFunction,
    OutputSelector,
    ReduceFunction,
    SinkFunction,
    WindowFunction,
)
from pystream.jython.sinks import FunctionSink, SocketClientSink
from pystream.jython.text_files import TextFileSink
from pystream.plan.nodes import PrintTarget
from pystream.settings.options import RESUME, SAVEPOINT_PATH
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.types import Types

__all__ = [
    "PythonDataStream",
    "PythonIterativeStream",
    "PythonKeyedStream",
    "PythonSingleOutputStreamOperator",
    "PythonSplitStream",
    "PythonWindowedStream",
]

T = TypeVar("T", default=Any)
U = TypeVar("U", default=Any)
K = TypeVar("K", default=Any)

# The type of all elements but those of typed sources: a function may return other types than it declares.
_ANY = PICKLED_BYTE_ARRAY


class PythonDataStream(Generic[T]):
    """A stream of elements, which may be any Python objects that can be pickled.

    Operators make new streams and never change the one they are called on; a stream may feed several
    operators and sinks. Nothing runs before ``execute``. Functions are objects with the method that the
    operator calls, or plain functions with its parameters.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonDataStream`` of Flink 1.
    """

    def __init__(self, stream: DataStream[Any]) -> None:
        self._stream = stream

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._stream!r})"

    def union(self, *streams: PythonDataStream[T]) -> PythonDataStream[T]:
        """Merge with other streams. Duplicates are kept, even from a stream passed twice.

        The order between the streams is not defined.

        Raises:
            PlanTypeError: an argument is not a stream of this API.
            PlanError: the streams belong to different environments.
        """
        for stream in streams:
            require(stream, PythonDataStream, "union", "streams")
        inputs = [self._stream, *(stream._stream for stream in streams)]
        if len({stream._type for stream in inputs}) > 1:
            inputs = [_untyped(stream) for stream in inputs]
        first, *others = inputs
        return PythonDataStream(first.union(*others))

    def split(
        self, output_selector: OutputSelector[T] | Callable[[T], Iterable[str]]
    ) -> PythonSplitStream[T]:
        """Name the outputs that each element goes to, none or several, for ``select``.

        Args:
            output_selector: returns the names; called once for each element.

        Raises:
            PlanTypeError: it has no method ``select``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        named = self._stream.map(NamesAdapter(output_selector), _ANY).name("Split")
        return PythonSplitStream(self._stream, named, output_selector)

    def filter(self, f: FilterFunction[T] | Callable[[T], object]) -> PythonSingleOutputStreamOperator[T]:
        """Keep the elements that satisfy a predicate.

        Args:
            f: a FilterFunction; it must not change elements.

        Raises:
            PlanTypeError: it has no method ``filter``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._stream.filter(FilterAdapter(f)))

    def map(self, f: MapFunction[T, U] | Callable[[T], U]) -> PythonSingleOutputStreamOperator[U]:
        """Apply a function that returns exactly one result for each element.

        Args:
            f: a MapFunction; ``None`` is a result like any other.

        Raises:
            PlanTypeError: it has no method ``map``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._stream.map(MapAdapter(f), _ANY))

    def flat_map(
        self, f: FlatMapFunction[T, U] | Callable[[T, Collector[U]], object]
    ) -> PythonSingleOutputStreamOperator[U]:
        """Apply a function that emits any number of results for each element.

        Args:
            f: a FlatMapFunction, which gives its results to the collector.

        Raises:
            PlanTypeError: it has no method ``flatMap``, or that yields its results.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._stream.flat_map(FlatMapAdapter(f), _ANY))

    def key_by(self, selector: KeySelector[T, K] | Callable[[T], K]) -> PythonKeyedStream[T, K]:
        """Partition the stream by key, so that all elements of a key reach the same subtask.

        Args:
            selector: a KeySelector. Keys are compared as Python compares them; a key of ``None``, or one
                whose equality is not known, fails the job.

        Raises:
            PlanTypeError: it has no method ``getKey``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonKeyedStream(_untyped(self._stream).key_by(KeyAdapter(selector), _ANY))

    def iterate(self, max_wait_time_ms: int = 0) -> PythonIterativeStream[T]:
        """Start an iteration: a stream to which elements derived from it can be fed back.

        Args:
            max_wait_time_ms: how long Flink waits for feedback before it ends the loop, 0 for ever. A loop
                over bounded input ends as soon as no feedback is left, independent of this value.

        Raises:
            PlanError: the time is negative. When the program is executed: the loop is not closed, or a
                source is unbounded.
            PlanTypeError: the time is not an int.
        """
        return PythonIterativeStream(_untyped(self._stream).iterate(max_wait_time_ms))

    def write_as_text(self, path: str, mode: WriteMode = WriteMode.NO_OVERWRITE) -> None:
        """Write ``str`` of each element as a line in UTF-8, to part files in a directory.

        The files of a bounded job become visible when it has finished, those of an unbounded job at its
        checkpoints, exactly once. A job that is resumed, or starts from a savepoint, adds to the directory.

        Args:
            path: path or URI of the directory.
            mode: whether to refuse a target that exists and is not empty, or to remove it, when the job
                starts.

        Raises:
            PlanTypeError: ``mode`` is not a WriteMode.
            SinkError: when the program is executed: the target is refused, or cannot be written to.
        """
        require(mode, WriteMode, "write_as_text", "a WriteMode")
        get = self._stream.get_execution_environment().get_configuration().get
        continues = get(RESUME) or get(SAVEPOINT_PATH) is not None
        self._stream.sink_to(TextFileSink(path, mode, continues=continues))

    def write_to_socket(self, host: str, port: int, serialization_schema: Any) -> None:
        """Send the elements to a server, over one connection, at least once.

        Args:
            host: the server, which must accept the connection when the job starts.
            port: its port.
            serialization_schema: a SerializationSchema, or any object with ``serialize``, which returns the
                bytes of an element; text is sent in UTF-8.

        Raises:
            ConfigurationError: the port is out of bounds.
            PlanTypeError: the host is not a text, or the schema has no method ``serialize``.
        """
        client = SocketClientSink(host, port, serialization_schema)
        self._stream.sink_to(FunctionSink(client)).set_parallelism(1).name("Socket Client")

    def add_sink(self, sink_func: SinkFunction[T]) -> None:
        """Call a function for each element, at least once.

        Args:
            sink_func: a SinkFunction.

        Raises:
            PlanTypeError: it has no method ``invoke``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        self._stream.sink_to(FunctionSink(sink_func))

    def output(self, sink_identifier: str | None = None) -> None:
        """Print ``str`` of each element to the program's standard output, one line each.

        Args:
            sink_identifier: a prefix of each line, followed by ``"> "``, or ``None``.
        """
        lines = self._stream.map(str, Types.STRING()).name("Text")
        lines._sink("Print to Std. Out", PrintTarget(sink_identifier or "", shows_subtask=False))

    def print(self, sink_identifier: str | None = None) -> None:
        """Print the elements, as ``output`` does."""
        self.output(sink_identifier)


class PythonSingleOutputStreamOperator(PythonDataStream[T]):
    """The stream of an operator or source, which has settings; setters return the stream.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonSingleOutputStreamOperator`` of Flink 1.
    """

    def name(self, name: str) -> Self:
        """Set the display name.

        Raises:
            PlanTypeError: it is not a string.
        """
        self._stream.name(name)
        return self

    def uid(self, uid: str) -> Self:
        """Set an id that is stable across versions of a program and unique in the job.

        Raises:
            ConfigurationError: it is empty.
        """
        self._stream.uid(uid)
        return self

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the number of subtasks, overriding the environment's.

        Raises:
            ConfigurationError: it is not positive, or the operator cannot run in parallel.
        """
        self._stream.set_parallelism(parallelism)
        return self

    def get_parallelism(self) -> int:
        """Return the number of subtasks."""
        return self._stream.get_parallelism()


class PythonSplitStream(PythonDataStream[T]):
    """A stream whose elements have the names of outputs; without ``select``, it is all of them.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonSplitStream`` of Flink 1.
    """

    def __init__(self, stream: DataStream[Any], named: DataStream[Any], selector: object) -> None:
        super().__init__(stream)
        self._named = named
        self._selector = selector

    def select(self, *output_names: str) -> PythonDataStream[T]:
        """Return the elements of one output or of several, each once.

        Args:
            output_names: names that the selector returns.

        Raises:
            PlanError: there are none.
            PlanTypeError: a name is not a text.
        """
        selected = self._named.flat_map(Selected(output_names, self._selector), _ANY)
        return PythonDataStream(selected.name(f"Select {', '.join(output_names)}"))


class PythonIterativeStream(PythonDataStream[T]):
    """The elements of a stream and those fed back to it.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonIterativeStream`` of Flink 1.
    """

    _stream: IterativeStream[Any]

    def __init__(self, stream: IterativeStream[Any]) -> None:
        super().__init__(stream)

    def close_with(self, feedback: PythonDataStream[T]) -> PythonDataStream[T]:
        """Feed the elements of a stream back to this one; may be called for several streams.

        Args:
            feedback: a stream that is made from this one.

        Returns:
            The feedback stream.

        Raises:
            PlanError: the stream is not made from this one.
            PlanTypeError: it is not a stream of this API.
        """
        require(feedback, PythonDataStream, "close_with", "a stream made from the iteration")
        self._stream.close_with(feedback._stream)
        return feedback


class PythonKeyedStream(PythonDataStream[T], Generic[T, K]):
    """A stream partitioned by key: the elements of a key reach the same subtask, in order of arrival.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonKeyedStream`` of Flink 1.
    """

    _stream: KeyedStream[Any, Any]

    def __init__(self, stream: KeyedStream[Any, Any]) -> None:
        super().__init__(stream)

    def reduce(self, f: ReduceFunction[T] | Callable[[T, T], T]) -> PythonSingleOutputStreamOperator[T]:
        """Reduce the elements of each key; emit every intermediate result, but only the last in batch mode.

        Args:
            f: a ReduceFunction, which combines the result so far, initially the first element, with a new
                element.

        Raises:
            PlanTypeError: it has no method ``reduce``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._stream.reduce(ReduceAdapter(f)))

    def count_window(self, size: int, slide: int | None = None) -> PythonWindowedStream[T, K]:
        """Group the elements of each key into windows by count.

        Windows that tumble emit nothing until they are full. Those that slide are evaluated every ``slide``
        elements over the last ``size`` ones, or as many as there are.

        Args:
            size: number of elements in a window.
            slide: number of elements between two evaluations; ``None`` for windows that tumble.

        Raises:
            WindowError: a number is not positive.
        """
        if slide is None:
            return PythonWindowedStream(self._stream.count_window(size))
        # PyFlink's windows that slide by count, which these are not, are evaluated only when they are full.
        windows = self._stream.window(window.GlobalWindows.create())
        windows.trigger(window.CountTrigger.of(slide)).evictor(window.CountEvictor.of(size))
        return PythonWindowedStream(windows)

    def time_window(self, size: Time, slide: Time | None = None) -> PythonWindowedStream[T, K]:
        """Group the elements of each key into windows of processing time.

        Windows that are not complete at the end of bounded input are evaluated then.

        Args:
            size: their length.
            slide: the length of time between the starts of two windows; ``None`` for windows that tumble.

        Raises:
            WindowError: a length is not positive.
        """
        assigner: WindowAssigner[Any, Any]
        if slide is None:
            assigner = window.TumblingProcessingTimeWindows.of(size)
        else:
            assigner = window.SlidingProcessingTimeWindows.of(size, slide)
        return PythonWindowedStream(self._stream.window(assigner))


class PythonWindowedStream(Generic[T, K]):
    """The windows of a keyed stream; each window belongs to one key.

    Mirrors ``org.apache.flink.streaming.python.api.datastream.PythonWindowedStream`` of Flink 1.
    """

    def __init__(self, windows: WindowedStream[Any, Any, Any]) -> None:
        self._windows = windows

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._windows!r})"

    def reduce(self, f: ReduceFunction[T] | Callable[[T, T], T]) -> PythonSingleOutputStreamOperator[T]:
        """Reduce the elements of each window to one value.

        Args:
            f: a ReduceFunction, which combines the result so far with a new element.

        Raises:
            PlanTypeError: it has no method ``reduce``.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._windows.reduce(ReduceAdapter(f)))

    def apply(
        self,
        f: WindowFunction[T, U, K, Any] | Callable[[K, Any, Sequence[T], Collector[U]], object],
    ) -> PythonSingleOutputStreamOperator[U]:
        """Apply a function to all elements of each window.

        Args:
            f: a WindowFunction, which gives its results to the collector.

        Raises:
            PlanTypeError: it has no method ``apply``, or that yields its results.
            FunctionPicklingError: it cannot be sent to workers.
        """
        return PythonSingleOutputStreamOperator(self._windows.apply(WindowAdapter(f), _ANY))


def _itself(value: T) -> T:
    return value


def _untyped(stream: DataStream[Any]) -> DataStream[Any]:
    """Return a stream whose elements, and what functions make of them, may be any objects."""
    if stream._type == _ANY:
        return stream
    return stream.map(_itself, _ANY).name("Untyped")
