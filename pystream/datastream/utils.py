"""DataStreamUtils: collection of a stream, and reinterpretation as a keyed stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pystream.common.io import ResultTypeQueryable
from pystream.datastream.functions import KeySelector
from pystream.datastream.streams.closeable_iterator import CloseableIterator
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.key_functions import key_function
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.configuration import Configuration as Configuration
    from pystream.common.typeinfo import BasicArrayTypeInfo as BasicArrayTypeInfo
    from pystream.common.typeinfo import ListTypeInfo as ListTypeInfo
    from pystream.common.typeinfo import MapTypeInfo as MapTypeInfo
    from pystream.common.typeinfo import ObjectArrayTypeInfo as ObjectArrayTypeInfo
    from pystream.common.typeinfo import PrimitiveArrayTypeInfo as PrimitiveArrayTypeInfo
    from pystream.common.typeinfo import RowTypeInfo as RowTypeInfo
    from pystream.common.typeinfo import TupleTypeInfo as TupleTypeInfo
    from pystream.common.typeinfo import TypeInformation as TypeInformation
    from pystream.common.typeinfo import Types as Types
    from pystream.common.types import Row as Row
    from pystream.common.types import RowKind as RowKind
else:
    __getattr__ = re_exports(__name__)


__all__ = ["DataStreamUtils", "ResultTypeQueryable"]

T = TypeVar("T")
K = TypeVar("K")


class DataStreamUtils:
    """Collect a stream, or treat it as keyed without partitioning it.

    Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamUtils``.
    """

    @staticmethod
    def reinterpret_as_keyed_stream(
        stream: DataStream[T], key_selector: Callable[[T], K] | KeySelector[T, K]
    ) -> KeyedStream[T, K]:
        """Treat a stream as keyed without partitioning it by key.

        That is right only where all elements of a key are in one subtask already, as after a keyed operator
        that keeps keys. Mirrors ``org.apache.flink.streaming.api.datastream.DataStreamUtils``.
        """
        key = key_function(stream._type, key_selector, None)
        return KeyedStream(stream._environment, stream._node_id, key)

    @staticmethod
    def collect(stream: DataStream[T]) -> CloseableIterator[T]:
        """Run the program and return a closeable iterator over the elements of a stream.

        Raises:
            JobExecutionError: the job failed.
        """
        return stream.execute_and_collect()
