"""ColumnarRowInputFormat: base of the formats that read rows from columnar files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from typing_extensions import TypeVar

from pystream.datastream.connectors.file_system.source import BulkFormat
from pystream.engine.connectors.columns import ColumnReader
from pystream.engine.connectors.files import list_files
from pystream.errors import ConfigurationError, SourceError
from pystream.table.types import DataType, type_info_of
from typeinfo.info import TypeInformation

__all__ = ["ColumnarRowInputFormat"]

OUT = TypeVar("OUT", covariant=True, default=Any)


class ColumnarRowInputFormat(BulkFormat[OUT]):
    """Read rows from columnar files.

    Args:
        row_type: the type of the elements; ``None`` takes it from the schema of the first file.
        batch_size: how many rows are read at once.
        is_case_sensitive: whether the names of columns are compared as written.

    Raises:
        ConfigurationError: ``batch_size`` is not positive.
        UnsupportedTypeError: ``row_type`` is not a type.
    """

    _reader_class: ClassVar[type[ColumnReader]]

    def __init__(
        self, row_type: TypeInformation[OUT] | DataType | None, batch_size: int, is_case_sensitive: bool
    ) -> None:
        if not isinstance(batch_size, int) or batch_size <= 0:
            raise ConfigurationError(f"batch_size must be a positive int, not {batch_size!r}")
        self._row_type = None if row_type is None else type_info_of(row_type, "row_type")
        self._batch_size = batch_size
        self._is_case_sensitive = is_case_sensitive

    def get_produced_type(self, locations: Sequence[str]) -> TypeInformation[OUT]:
        """Return the type of the elements.

        Raises:
            SourceError: no type is declared, and no file exists whose schema could be read.
        """
        if self._row_type is not None:
            return self._row_type
        for location in locations:
            for file in list_files(location):
                return self._reader_class.type_of(file)
        paths = ", ".join(locations)
        raise SourceError(
            f"there is no {self._reader_class.format} file at {paths} to infer the type from; give row_type"
        )

    def reader(self, locations: Sequence[str]) -> ColumnReader:
        """Return the reader of the files at the given locations."""
        t = self.get_produced_type(locations)
        return self._reader_class(t, self._batch_size, self._is_case_sensitive)
