"""ForeachBatchSink: passes the elements of each checkpoint to a function, as a Spark DataFrame."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeVar

from pystream.datastream.connectors.base import Sink
from pystream.datastream.environment.execution import to_frame
from pystream.engine.connectors.batch_sink import BatchesOutput
from pystream.errors import ArgumentTypeError, PlanTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError, short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["ForeachBatchSink"]

IN = TypeVar("IN", contravariant=True, default=Any)


@checks_arguments(ArgumentTypeError)
class ForeachBatchSink(Sink[IN]):
    """Call a function in the process of the program with the elements of each checkpoint as a DataFrame.

    It corresponds to Spark's ``DataStreamWriter.foreachBatch``, and runs on Spark only. The function is not
    called at a checkpoint without new elements. A call that failed, or may have failed, is repeated with the
    same elements and id when the job is resumed: each element arrives at least once, and exactly once if the
    function ignores an id that it has seen. A bounded job calls it once, with the id 0, before the files of
    file sinks become visible. Elements pass through the memory of the driver, and are kept in the job's
    directory until the call.

    Args:
        func: called with the DataFrame, whose columns are those of ``DataStream.to_data_frame``, and the id
            of the checkpoint, which increases; it is not sent to the workers. If it raises, the job fails.

    Raises:
        PlanTypeError: ``func`` cannot be called.
    """

    def __init__(self, func: Callable[[DataFrame, int], object]) -> None:
        if not callable(func):
            raise PlanTypeError(
                f"foreach_batch takes a function of a DataFrame and an id, not {short_repr(func)}"
            )
        self._func = func

    def bind(self, type_info: TypeInformation[IN]) -> BatchesOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            UnsupportedTypeError: the type of the elements is not known.
        """
        if isinstance(type_info, PickledBytesTypeInfo):
            raise UnsupportedTypeError(
                "foreach_batch needs the type of the elements: give output_type to the operator before it"
            )
        return BatchesOutput(type_info, partial(_call, self._func))


def _call(func: Callable[[DataFrame, int], object], table: pa.Table, epoch: int) -> None:
    func(to_frame(table), epoch)
