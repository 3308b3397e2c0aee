"""Bases of the columnar formats: input formats, writer factories, and the options of their writers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import TypeVar

from pystream.common.serialization import BulkWriterFactory
from pystream.datastream.connectors.file_system.source import BulkFormat
from pystream.engine.connectors.columns import GROUP_BYTES, ColumnParts, ColumnReader
from pystream.engine.connectors.files import list_files
from pystream.errors import ArgumentTypeError, ConfigurationError, SourceError
from pystream.settings.configuration import Configuration
from pystream.sql_types.data_types import DataType, type_info_of
from pystream.sql_types.decimals import as_read
from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError, short_repr
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ColumnarRowInputFormat",
    "ColumnarWriterFactory",
    "Option",
    "chosen",
    "declared_columns",
    "flag",
    "fraction",
    "positive",
    "writer_options",
]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)

Option = tuple[str, Callable[[str], Any]]
"""Name of the writer's argument that an option sets, and a parser of its value."""


@checks_arguments(ArgumentTypeError)
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
        self,
        row_type: TypeInformation[OUT] | DataType | None = None,
        batch_size: int = 16_384,
        is_case_sensitive: bool = True,
    ) -> None:
        if not isinstance(batch_size, int) or batch_size <= 0:
            raise ConfigurationError(f"batch_size must be a positive int, not {short_repr(batch_size)}")
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
                return as_read(self._reader_class.type_of(file))
        paths = ", ".join(locations)
        raise SourceError(
            f"there is no {self._reader_class.format} file at {paths} to infer the type from; give row_type"
        )

    def reader(self, locations: Sequence[str]) -> ColumnReader:
        """Return the reader of the files at the given locations."""
        t = self.get_produced_type(locations)
        return self._reader_class(t, self._batch_size, self._is_case_sensitive)


class ColumnarWriterFactory(BulkWriterFactory[IN]):
    """Write elements to columnar files.

    Args:
        row_type: the type of the elements; ``None`` takes that of the stream.
        options: arguments of the writer, and ``group_bytes``.

    Raises:
        UnsupportedTypeError: ``row_type`` is not a type.
    """

    _format: ClassVar[str]
    _parts_class: ClassVar[type[ColumnParts]]

    def __init__(self, row_type: TypeInformation[IN] | DataType | None, options: Mapping[str, Any]) -> None:
        self._type = None if row_type is None else type_info_of(row_type, "row_type")
        self._row_type = row_type
        self._options = options

    def bind(self, type_info: TypeInformation[IN]) -> ColumnParts:
        """Return the writer that workers use.

        Raises:
            UnsupportedTypeError: neither the stream nor the factory declares a type.
        """
        t = type_info if self._type is None else self._type
        if isinstance(t, PickledBytesTypeInfo):
            raise UnsupportedTypeError(
                f"{self._format} needs the type of the elements: give output_type to the operator before the "
                "sink, or a type to the writer factory"
            )
        options = dict(self._options)
        group_bytes = options.pop("group_bytes", GROUP_BYTES)
        return self._parts_class(t, declared_columns(self._row_type), tuple(options.items()), group_bytes)


def declared_columns(row_type: object) -> pa.Schema | None:
    """Return the columns that a data type declares, or ``None`` for other types, which declare their own."""
    if not isinstance(row_type, DataType):
        return None
    from typeinfo.formats.arrow import to_arrow_schema

    return to_arrow_schema(row_type.type_info)


def writer_options(config: Configuration | None, known: Mapping[str, Option], role: str) -> dict[str, Any]:
    """Return the arguments of the writer for the options in a configuration.

    Raises:
        ConfigurationError: an option is unknown, or its value is not valid.
    """
    if config is None:
        return {}
    if not isinstance(config, Configuration):
        raise ConfigurationError(f"{role} must be a Configuration, not {short_repr(config)}")
    arguments = {}
    for key, value in config.to_dict().items():
        if key not in known:
            options = f"the options are {', '.join(known)}" if known else "there are no options"
            raise ConfigurationError(f"{role}: {key} is not supported; {options}")
        argument, read = known[key]
        try:
            arguments[argument] = read(value)
        except (ValueError, KeyError):
            raise ConfigurationError(f"{role}: {value!r} is not a valid value of {key}") from None
    return arguments


def chosen(**values: str) -> Callable[[str], str]:
    """Return a parser that maps words to values, ignoring case."""
    return lambda text: values[text.strip().lower().replace(".", "_")]


def positive(text: str) -> int:
    """Parse an integer of one or more."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def fraction(text: str) -> float:
    """Parse a number from 0 to 1."""
    if not 0 <= (number := float(text)) <= 1:
        raise ValueError(text)
    return number


def flag(text: str) -> bool:
    """Parse ``true`` or ``false``, ignoring case."""
    return {"true": True, "false": False}[text.strip().lower()]
