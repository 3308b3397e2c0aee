"""ORC format: files read as rows, and written from elements of any type."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

from typing_extensions import TypeVar

from pystream.common.serialization import BulkWriterFactory
from pystream.datastream.connectors.file_system.columnar import (
    ColumnarRowInputFormat,
    ColumnarWriterFactory,
    Option,
    chosen,
    fraction,
    positive,
    writer_options,
)
from pystream.engine.connectors.orc import OrcParts, OrcReader
from pystream.errors import ArgumentTypeError
from pystream.settings.configuration import Configuration
from pystream.sql_types.data_types import DataType, type_info_of
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["OrcBulkWriters", "OrcColumnarRowInputFormat"]

OUT = TypeVar("OUT", covariant=True, default=Any)

_OPTIONS: dict[str, Option] = {
    "orc.compress": (
        "compression",
        chosen(none="uncompressed", zlib="zlib", snappy="snappy", lz4="lz4", zstd="zstd"),
    ),
    "orc.compress.size": ("compression_block_size", positive),
    "orc.compression.strategy": ("compression_strategy", chosen(speed="speed", compression="compression")),
    "orc.stripe.size": ("stripe_size", positive),
    "orc.row.index.stride": ("row_index_stride", positive),
    "orc.block.padding.tolerance": ("padding_tolerance", fraction),
    "orc.dictionary.key.threshold": ("dictionary_key_size_threshold", fraction),
    "orc.write.format": ("file_version", chosen(**{"0_11": "0.11", "0_12": "0.12"})),
}
_WITHOUT_COLUMN = {type(None), time, timedelta}


class OrcColumnarRowInputFormat(ColumnarRowInputFormat[OUT]):
    """Read the rows of ORC files.

    Args:
        row_type: the type of the elements; its fields are the columns to read, found by name, and other
            columns are ignored. ``None`` takes the type from the schema of the first file.
        batch_size: how many rows are read at once.
        is_case_sensitive: whether the names of columns are compared as written.

    Raises:
        ConfigurationError: ``batch_size`` is not positive.
        UnsupportedTypeError: ``row_type`` is not a type.

    Mirrors ``org.apache.flink.orc.OrcColumnarRowInputFormat``.
    """

    _reader_class = OrcReader


@checks_arguments(ArgumentTypeError)
class OrcBulkWriters:
    """Factory of writers of ORC files.

    Mirrors ``org.apache.flink.orc.writer.OrcBulkWriterFactory`` as PyFlink names it.
    """

    @staticmethod
    def for_row_type(
        row_type: DataType | TypeInformation[Any],
        writer_properties: Configuration | None = None,
        hadoop_config: Configuration | None = None,
    ) -> BulkWriterFactory[Any]:
        """Return a writer of rows.

        Args:
            row_type: the type of the elements, usually ``DataTypes.ROW([…])``.
            writer_properties: ORC's options ``orc.compress`` (ZLIB unless set), ``orc.compress.size``,
                ``orc.compression.strategy``, ``orc.stripe.size``, ``orc.row.index.stride``,
                ``orc.block.padding.tolerance``, ``orc.dictionary.key.threshold`` and ``orc.write.format``.
            hadoop_config: the same options, which those of ``writer_properties`` override.

        Raises:
            ConfigurationError: an option is not one of these, or its value is not valid.
            UnsupportedTypeError: ORC has no column for a field of the type; the message names it.
        """
        _require_columns(type_info_of(row_type, "row_type"), "")
        options = {"compression": "zlib"} | writer_options(hadoop_config, _OPTIONS, "hadoop_config")
        options |= writer_options(writer_properties, _OPTIONS, "writer_properties")
        return _OrcWriterFactory(row_type, options)


class _OrcWriterFactory(ColumnarWriterFactory[Any]):
    _format = "ORC"
    _parts_class = OrcParts


def _require_columns(t: TypeInformation[Any], path: str) -> None:
    if isinstance(t, ScalarTypeInfo) and t.value_class in _WITHOUT_COLUMN:
        raise UnsupportedTypeError(
            f"ORC has no column for {path.lstrip('.') or 'elements'} of type {t}; write a number or text"
        )
    for slot in t.slots():
        _require_columns(slot.type, path + slot.segment)
