"""Message and file formats, one module each; the names are loaded when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pystream.datastream.formats.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
    from pystream.datastream.formats.csv import CsvRowDeserializationSchema, CsvRowSerializationSchema
    from pystream.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
    from pystream.datastream.formats.parquet import (
        ParquetBulkWriters,
        ParquetColumnarRowInputFormat,
        ParquetWriterFactory,
    )

__all__ = [
    "AvroRowDeserializationSchema",
    "AvroRowSerializationSchema",
    "CsvRowDeserializationSchema",
    "CsvRowSerializationSchema",
    "JsonRowDeserializationSchema",
    "JsonRowSerializationSchema",
    "ParquetBulkWriters",
    "ParquetColumnarRowInputFormat",
    "ParquetWriterFactory",
]

_MODULES = ("avro", "csv", "json", "parquet")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    (module,) = (module for module in _MODULES if name.lower().startswith(module))
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return __all__
