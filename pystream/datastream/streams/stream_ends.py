"""The ends of streams: sinks, standard output and collection of results."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require, require_int
from pystream.arguments.frames import frame_of_table
from pystream.datastream.connectors.base import Sink
from pystream.datastream.functions import SinkFunction
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.operator_settings import OperatorSettings
from pystream.engine.operators.elementwise import MAP
from pystream.engine.worker import standard_output
from pystream.errors import ArgumentTypeError
from pystream.plan.function import UserFunction, call_site
from pystream.plan.nodes import CollectTarget, ColumnsTarget, NodeSettings, PrintTarget, SinkNode
from typeinfo.arguments import checks_arguments
from typeinfo.inferred import InferredTypeInfo
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["DataStreamSink", "StreamEnds"]

T = TypeVar("T")


def _itself(value: T) -> T:
    return value


@hints_at_equivalents
class DataStreamSink(OperatorSettings):
    """A stream that ends in a sink; settings change the sink operator and return the handle.

    Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamSink``.
    """


@checks_arguments(ArgumentTypeError)
class StreamEnds(OperatorSettings, Generic[T]):
    """Methods that end a stream: sinks, printing and collecting."""

    def _described(self) -> list[str]:
        name, *settings = super()._described()
        return [name, str(self.get_type()), *settings]

    def get_type(self) -> TypeInformation[T]:
        """Return the type of the elements: the declared one, or else the one inferred from a function.

        An inferred type is an ``InferredTypeInfo``, whose ``value_type`` is the type that elements are
        expected to have. If nothing is known of them, it is that of pickled elements, and so is the type of
        a source for which none is declared.
        """
        return self._environment._type_of(self._node_id)

    @property
    def _type(self) -> TypeInformation[Any]:
        """The declared type of the elements; that of pickled elements if there is none."""
        return self._node.type_info

    def _declared(self, method: str) -> DataStream[T]:
        """Return the stream with a declared type, which is the inferred one if it has no other.

        An element that does not fit an inferred type fails the job there, as a result of a declared type
        would. The stream stays as it is if no type is inferred.

        Args:
            method: the user's call.
        """
        environment = self._environment
        t = environment._inferred_type(self._node_id)
        plain = environment._stream(self._node_id)
        if not isinstance(t, InferredTypeInfo):
            return plain
        declared = environment._operator(
            MAP,
            (self._node_id,),
            UserFunction.of(_itself, method, described=None),
            (t.value_type, f"inferred for {method}"),
            title=f"Inferred Type of {plain.get_name()}",
        )
        return declared.set_parallelism(plain.get_parallelism())

    def sink_to(self, sink: Sink[T]) -> DataStreamSink:
        """Write the elements to a sink when the program is executed, exactly once.

        Mirrors ``DataStream.sinkTo``.
        """
        require(sink, Sink, "sink_to", "a Sink such as a FileSink")
        return self._sink("Writer", sink.bind(self._type))

    def add_sink(self, sink_func: SinkFunction[T]) -> DataStreamSink:
        """Write the elements to a sink function when the program is executed.

        Mirrors ``DataStream.addSink``.
        """
        require(sink_func, SinkFunction, "add_sink", "a SinkFunction such as a StreamingFileSink")
        return self._sink("Unnamed", sink_func.bind(self._type))

    def foreach_batch(self, func: Callable[[DataFrame, int], object]) -> DataStreamSink:
        """Call a function with the elements of each checkpoint as a Spark DataFrame; on Spark only.

        Each element arrives at least once; see `ForeachBatchSink`.

        Args:
            func: called in this process with the DataFrame and the id of the checkpoint.

        Raises:
            PlanTypeError: ``func`` cannot be called.
            UnsupportedTypeError: the type of the elements is not known.
        """
        from pystream.datastream.connectors.foreach_batch import ForeachBatchSink

        return self._sink("Foreach Batch", ForeachBatchSink(func).bind(self._type))

    def print(self, sink_identifier: str | None = None) -> DataStreamSink:
        """Print each element to the program's standard output, one line each.

        A line starts with ``identifier:subtask> ``, the subtask counted from 1 and left out at parallelism 1.
        Lines appear while the job runs, those of one subtask after those of another. With a restart strategy,
        which may make other lines of the same elements, they appear when the job has finished.

        Args:
            sink_identifier: a prefix of each line, or ``None``.

        Mirrors ``DataStream.print``.
        """
        require(sink_identifier, (str, NoneType), "print", "a str as sink_identifier")
        return self._sink("Print to Std. Out", PrintTarget(sink_identifier or ""))

    @overload
    def execute_and_collect(
        self, job_execution_name: str | None = None, limit: None = None
    ) -> CloseableIterator[T]: ...
    @overload
    def execute_and_collect(self, job_execution_name: str | None = None, *, limit: int) -> list[T]: ...
    @overload
    def execute_and_collect(self, job_execution_name: str | None, limit: int) -> list[T]: ...
    def execute_and_collect(
        self, job_execution_name: str | None = None, limit: int | None = None
    ) -> CloseableIterator[T] | list[T]:
        """Run the program and return the elements of this stream.

        Only the operators that this stream depends on run; others and sinks wait for ``execute``.

        Args:
            job_execution_name: display name of the job.
            limit: maximum number of elements. Once it is reached, the last task of the stream stops;
                tasks before it, such as those before a ``union`` or ``rebalance``, read all of their input.
                With 0 nothing runs.

        Returns:
            An iterator to close, or to use in a ``with`` statement; a list if ``limit`` is given.

        Raises:
            JobExecutionError: the job failed.
            ConfigurationError: ``limit`` is negative.

        Mirrors ``DataStream.executeAndCollect``.

        Examples:
            >>> with env.from_collection(["a", "b"]).execute_and_collect() as results:
            ...     for result in results:
            ...         print(result)
            a
            b
        """
        if limit is not None:
            require_int(limit, "limit", 0)
            if limit == 0:
                return []
        collected: CloseableIterator[T] | list[T] = self._environment._collect(
            self._target("Collect", CollectTarget(limit)), job_execution_name, limit
        )
        return collected

    def take(self, n: int) -> list[T]:
        """Run the program until this stream has emitted ``n`` elements, and return them.

        Like ``execute_and_collect`` with a limit: only the operators that this stream depends on run.

        Args:
            n: maximum number of elements.

        Returns:
            The first elements, those of one subtask after those of another; fewer if there are no more.

        Raises:
            JobExecutionError: the job failed.
            ConfigurationError: ``n`` is negative.

        Examples:
            >>> env.generate_sequence(1, 10**12).filter(lambda n: n % 7 == 0).take(2)
            [7, 14]
        """
        require_int(n, "n", 0)
        return self.execute_and_collect(limit=n)

    def show(self, n: int = 20, truncate: int | None = 40) -> None:
        """Print the first ``n`` elements as a table, and say if there are more.

        A row, tuple or record has a column for each field, any other element one column ``value``; ``None``
        is ``null``. Row kinds are not shown.

        Args:
            n: maximum number of elements.
            truncate: maximum width of a cell, beyond which it is cut; ``None`` for no limit.

        Raises:
            JobExecutionError: the job failed.
            ConfigurationError: ``n`` is negative, or ``truncate`` is not positive.

        Examples:
            >>> from pystream.common import Types
            >>> pair = Types.ROW_NAMED(["name", "age"], [Types.STRING(), Types.INT()])
            >>> env.from_collection([("Ada", 36), ("Alan", None)], pair).show()
            name   age
            ----  ----
            Ada     36
            Alan  null
        """
        from pystream.datastream.streams.element_table import table_text

        require_int(n, "n", 0)
        if truncate is not None:
            require_int(truncate, "truncate", 1)
        elements = self.take(n + 1)
        table = table_text(elements[:n], self._type, truncate)
        more = f"only the first {n}\n" if len(elements) > n else ""
        standard_output.write(table + more)

    def to_data_frame(self) -> DataFrame:
        """Return the elements as a lazy Spark DataFrame; every action on it runs the stream's operators.

        A row, tuple or record has a column for each field, any other element one column ``value``. Row kinds
        are not kept. An inferred type counts as declared: an element that does not fit it fails the job.

        Of an unbounded program, the DataFrame is a streaming one, to be run with ``writeStream``: all its
        sources must be streaming DataFrames, and its operators stateless and not repartitioned. Functions are
        opened and closed once per batch.

        Raises:
            UnsupportedOperationError: the host is not Spark, or the program is unbounded and needs more.
        """
        stream = self._declared("to_data_frame")
        return self._environment._to_data_frame(stream._target("Columns", ColumnsTarget()))

    def to_arrow(self) -> pa.Table:
        """Run the program and return the elements as an Arrow table, with columns as in ``to_data_frame``.

        Raises:
            UnsupportedOperationError: a source is unbounded.
        """
        stream = self._declared("to_arrow")
        target = CollectTarget(None, as_columns=True)
        return self._environment._to_arrow(stream._target("Collect", target), stream._type)

    def to_pandas(self) -> pd.DataFrame:
        """Run the program and return the elements as a pandas DataFrame, whose values are unchanged.

        Integers, booleans and floats have the nullable types of pandas, such as ``Int64``, where a column has
        nulls or NaN. Lists, maps, nested rows and BIG_INT have the types of Arrow.

        Examples:
            >>> from pystream.common import Types
            >>> pair = Types.ROW_NAMED(["name", "age"], [Types.STRING(), Types.INT()])
            >>> env.from_collection([("Ada", 36), ("Alan", 41)], pair).to_pandas()
               name  age
            0   Ada   36
            1  Alan   41
        """
        return frame_of_table(self.to_arrow())

    def _sink(self, name: str, target: Any) -> DataStreamSink:
        node_id = self._target(name, target)
        self._environment._builder.schedule(node_id)
        return DataStreamSink(self._environment, node_id)

    def _target(self, name: str, target: Any) -> int:
        # Collecting sinks take elements from where they are, without a shuffle.
        takes = isinstance(target, (CollectTarget, ColumnsTarget))
        parallelism = self.get_parallelism() if takes else None
        node = self._environment._add(
            SinkNode,
            inputs=(self._node_id,),
            type_info=self._type,
            type_origin=self._node.type_origin,
            settings=NodeSettings(name, call_site=call_site(), parallelism=parallelism),
            target=target,
        )
        return node.id
