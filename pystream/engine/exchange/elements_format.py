"""ElementsFormat: elements of one type as bytes, in plain form or as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import ipc

from pystream.engine.events import list_of
from pystream.engine.vectorised.columns import ColumnValues, Layout, layout_of
from typeinfo.inferred import expected_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled
from typeinfo.serde import serializer_for
from typeinfo.serde.serializer import InferredSerializer

__all__ = ["ElementsFormat", "Payload", "bytes_of", "columns_of"]

Payload: TypeAlias = bytes | ColumnValues
"""Elements as bytes, or as columns if they stay in this process."""

_PLAIN = b"\0"
_COLUMNS = b"\1"


class ElementsFormat:
    """Write and read batches of elements of one type, in the form in which they are at hand.

    Columns are written as an Arrow message without its schema, which the type determines. The form is the
    last byte, so that the message, and with it the numbers that it holds, are aligned in memory.

    Args:
        type_info: the type.

    Attributes:
        pickled: the number of batches written that do not have the inferred type, if the type is inferred.
    """

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        self._serializer = serializer_for(type_info)
        columns = expected_type(type_info)
        self._layout = None if is_pickled(columns) else layout_of(columns)
        self.pickled: int = 0

    def dump(self, values: Sequence[Any]) -> bytes:
        """Write elements.

        Raises:
            TypeCheckError: an element cannot be pickled although it must be.
        """
        return bytes_of(self.share(values))

    def share(self, values: Sequence[Any]) -> Payload:
        """Return columns as they are in Arrow, where nothing can change, and other elements as bytes.

        Raises:
            TypeCheckError: an element cannot be pickled although it must be.
        """
        if isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout:
            return ColumnValues(values.layout, values.batch)
        return self._dump_list(list_of(values)) + _PLAIN

    def _dump_list(self, values: list[Any]) -> bytes:
        serializer = self._serializer
        if not isinstance(serializer, InferredSerializer) or not serializer.can_fit:
            return serializer.serialize(values)
        if serializer.fits(values):
            return serializer.pack(values)
        self.pickled += 1
        return serializer.pickle(values)

    def load(self, data: Payload | memoryview) -> Sequence[Any]:
        """Read elements: columns as such, others as a list."""
        if isinstance(data, ColumnValues):
            return data
        if data[-1:] == _PLAIN:
            return self._serializer.deserialize(bytes(data[:-1]))
        assert self._layout is not None
        return columns_of(data, self._layout)

    def load_list(self, data: Payload) -> list[Any]:
        """Read elements as a list."""
        return list_of(self.load(data))


def columns_of(payload: Payload | memoryview, layout: Layout) -> ColumnValues:
    """Read a payload that holds columns of a layout; they stay in its memory."""
    if isinstance(payload, ColumnValues):
        return payload
    message = pa.py_buffer(memoryview(payload)[:-1])
    return ColumnValues(layout, ipc.read_record_batch(message, layout.schema))


def bytes_of(payload: Payload) -> bytes:
    """Return a payload as bytes."""
    if isinstance(payload, ColumnValues):
        return b"".join((payload.batch.serialize(), _COLUMNS))
    return payload
