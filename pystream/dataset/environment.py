"""Environment: creates data sets and runs programs of the DataSet API."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require
from pystream.common.job_execution_result import JobExecutionResult
from pystream.common.watermark_strategy import WatermarkStrategy
from pystream.dataset import custom_types
from pystream.dataset.custom_types import CustomType, Deserializer, Serializer
from pystream.dataset.element_types import common_type
from pystream.dataset.files import CsvParser, records
from pystream.dataset.sets.data_set import DataSet
from pystream.dataset.sets.operators import itself, mapped
from pystream.datastream.execution_mode import RuntimeExecutionMode
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.composite import TupleTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["Environment", "get_environment"]

T = TypeVar("T")

_LOCAL_MASTER = "local[*]"


def get_environment() -> Environment:
    """Return a new environment with the settings of the place the program runs in.

    Mirrors ``ExecutionEnvironment.getExecutionEnvironment``.
    """
    return Environment(StreamExecutionEnvironment.get_execution_environment())


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class Environment:
    """Create data sets, hold settings, and run all operators that lead to a sink.

    A program runs in batch mode on the host that the settings select. Mirrors
    ``org.apache.flink.api.java.ExecutionEnvironment``.

    Args:
        streams: the environment whose operators the data sets are made of.
    """

    def __init__(self, streams: StreamExecutionEnvironment) -> None:
        self._streams = streams.set_runtime_mode(RuntimeExecutionMode.BATCH)._sink_driven()
        self._custom_types: tuple[CustomType, ...] = ()

    def __repr__(self) -> str:
        return f"Environment(parallelism={self.get_parallelism()})"

    # Settings

    def set_parallelism(self, parallelism: int) -> None:
        """Set the parallelism of the operators, sources and sinks that are added from now on.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._streams.set_parallelism(parallelism)

    def get_parallelism(self) -> int:
        """Return the parallelism of operators that have none of their own."""
        return self._streams._resolved_parallelism()

    def set_degree_of_parallelism(self, degree: int) -> None:
        """Set the parallelism; the older name of ``set_parallelism``."""
        self.set_parallelism(degree)

    def get_degree_of_parallelism(self) -> int:
        """Return the parallelism; the older name of ``get_parallelism``."""
        return self.get_parallelism()

    def register_custom_type(
        self, type: type[T], serializer: Serializer[T], deserializer: Deserializer[T]
    ) -> None:
        """Convert objects of a class by the program's own functions when they are sent between operators.

        Other objects are pickled. To be called before the operators that use the class are added.

        Args:
            type: the class; its subclasses are not included.
            serializer: has ``serialize(value)``, which returns bytes.
            deserializer: has ``_deserialize(read)``, which returns the object; ``read(n)`` returns the next n
                of its bytes.

        Raises:
            PlanTypeError: an argument lacks that.
        """
        require(type, _CLASS, "register_custom_type", "a class")
        for owner, method in ((serializer, "serialize"), (deserializer, "_deserialize")):
            if not callable(getattr(owner, method, None)):
                raise PlanTypeError(f"register_custom_type: {owner!r} has no method {method}")
        self._custom_types = (*self._custom_types, CustomType(type, serializer, deserializer))
        custom_types.install(self._custom_types)

    # Sources

    def read_text(self, path: str) -> DataSet[str]:
        """Read the lines of a text file, or of all files below a directory.

        Args:
            path: a path or URI such as ``file:///in`` or ``hdfs://host/in``; large files are read in
                parallel.

        Raises:
            PyStreamError: it does not exist; raised when the program is executed.

        Mirrors ``ExecutionEnvironment.readTextFile``.
        """
        return DataSet(self, self._streams.read_text_file(path))

    def read_csv(
        self,
        path: str,
        types: Sequence[TypeInformation[Any]],
        line_delimiter: str = "\n",
        field_delimiter: str = ",",
    ) -> DataSet[tuple[Any, ...]]:
        """Read the records of a delimited file as tuples; quotes have no meaning.

        Args:
            path: as in ``read_text``.
            types: the types of the fields, constants of ``flink.plan.Constants`` such as INT; further fields
                of a record are ignored.
            line_delimiter: separates records. Files are read whole unless it is a line feed, which stands
                for any line end.
            field_delimiter: separates the fields of a record.

        Raises:
            PlanTypeError: a type is not such a constant, or a delimiter is not a text.
            PlanError: there are no types, or a delimiter is empty.
            JobExecutionError: a record lacks a field, or a field is not of its type; raised when the program
                is executed.

        Mirrors ``ExecutionEnvironment.readCsvFile``.
        """
        require(types, (tuple, list), "read_csv", "a tuple of types such as (INT, STRING)")
        kinds = tuple(types)
        for kind in kinds:
            if not isinstance(kind, TypeInformation) or kind not in _CSV_TYPES:
                raise PlanTypeError(f"read_csv takes types such as INT and STRING, not {kind!r}")
        if not kinds:
            raise PlanError("read_csv needs the type of at least one field")
        for name, delimiter in (("line_delimiter", line_delimiter), ("field_delimiter", field_delimiter)):
            require(delimiter, str, "read_csv", f"a str as {name}")
            if not delimiter:
                raise PlanError(f"read_csv: {name} must not be empty")
        lines = self._records(path, line_delimiter)
        tuples = lines.map(CsvParser(kinds, field_delimiter), TupleTypeInfo(kinds)).name("CSV")
        return DataSet(self, tuples)

    def _records(self, path: str, delimiter: str) -> DataStream[str]:
        if delimiter == "\n":
            return self._streams.read_text_file(path)
        source = records(path, delimiter)
        return self._streams.from_source(source, WatermarkStrategy.no_watermarks(), "Text File Source")

    def from_elements(self, *elements: T) -> DataSet[T]:
        """Create a data set from elements; it is typed if all are of one simple type, or tuples of such.

        Raises:
            PlanTypeError: an element cannot be pickled; the message names its position.

        Mirrors ``ExecutionEnvironment.fromElements``.

        Examples:
            >>> _ = batch.from_elements("a", "b").output()
            >>> _ = batch.execute()
            a
            b
        """
        type_info = common_type(elements)
        if type_info is not None:
            try:
                return DataSet(self, self._streams.from_collection(elements, type_info))
            except TypeCheckError:  # an integer beyond 64 bits, or text that is not valid Unicode
                pass
        pickled = self._streams.from_collection(elements)
        if self._custom_types:
            # Its subtasks install the custom types, whatever they send the elements to.
            pickled = mapped(pickled, "Custom types", itself, self._custom_types)
        return DataSet(self, pickled)

    def generate_sequence(self, frm: int, to: int) -> DataSet[int]:
        """Create a data set of the integers from ``frm`` to ``to``, both included, in parallel.

        Mirrors ``ExecutionEnvironment.generateSequence``.
        """
        return DataSet(self, self._streams.generate_sequence(frm, to))

    # Running

    def execute(self, local: bool = False, debug: bool = False) -> JobExecutionResult:
        """Run all sinks added since the last execution, and wait for the end of the job.

        Args:
            local: whether the job runs on this machine, even if settings name a Spark cluster; it runs in
                this process if they select the local host.
            debug: whether the plan is printed to standard error first.

        Raises:
            PlanError: there is no sink.
            JobExecutionError: the job failed; no sink shows any of its output then, except for lines printed
                before.
            SinkError: a sink's path exists and must not be overwritten, or cannot be written to; nothing has
                run then.

        Mirrors ``ExecutionEnvironment.execute``.
        """
        if local:
            self._streams._configuration.set_string("spark.master", _LOCAL_MASTER)
        if debug:
            print(self._streams.explain(), file=sys.stderr)
        return self._streams.execute("DataSet job")


_CLASS = type
_CSV_TYPES = frozenset(
    {
        Types.BOOLEAN(),
        Types.BYTE(),
        Types.SHORT(),
        Types.INT(),
        Types.LONG(),
        Types.FLOAT(),
        Types.DOUBLE(),
        Types.STRING(),
    }
)
