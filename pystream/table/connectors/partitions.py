"""The partitions of tables of files: their columns, as the names of directories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pystream.common.serialization import BulkWriterFactory, Encoder
from pystream.datastream.connectors.file_system import BucketAssigner
from pystream.engine.connectors.file_source import DirectoryFilter, FileReader
from pystream.engine.connectors.files import HIDDEN
from pystream.engine.connectors.part_file import PartFormat
from pystream.engine.connectors.partitioned_files import (
    ChosenPartitions,
    PartitionedParts,
    PartitionedReader,
    PartitionedRowParts,
    escaped,
)
from pystream.engine.connectors.row_parts import RowParts
from pystream.engine.formats.errors import FieldError
from pystream.errors import ConfigurationError, UnsupportedTypeError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.evaluation import Evaluation
from pystream.table.formats.avro_records import RecordsOfRows
from pystream.table.functions.conversion import conversion
from pystream.table.functions.errors import ConversionError, SqlArithmeticError
from pystream.table.functions.kinds import NUMBERS, Kind, kind_of
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["PartitionCondition", "Partitions"]

_KINDS = {*NUMBERS, Kind.TEXT, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP}
_TEXT = DataTypes.STRING()
_NO_SECONDS = ":00"


class PartitionCondition(NamedTuple):
    """A condition on the partition keys of a table.

    Attributes:
        text: its text.
        keys: the keys that it reads.
        evaluation: computes it of the values of these.
    """

    text: str
    keys: tuple[str, ...]
    evaluation: Evaluation


class Partitions:
    """The columns of a table that are directories, ``key=value`` one in the other.

    A null and an empty text have the name of the default partition.

    Args:
        columns: all columns of the table.
        keys: the names of those that are directories, in the order of these.
        default_name: the name of the default partition.
        owner: the table, for messages.

    Raises:
        ConfigurationError: no column is left for the files, directories would be hidden, or the name of the
            default partition is none of a directory.
        UnsupportedTypeError: a directory cannot be named by values of the type of a column.
    """

    def __init__(
        self, columns: Sequence[TableColumn], keys: Sequence[str], default_name: str, owner: str
    ) -> None:
        self._names = tuple(column.name for column in columns)
        by_name = {column.name: column for column in columns}
        self._keys = [by_name[key] for key in keys]
        self._default_name = default_name
        self.inner_columns: tuple[TableColumn, ...] = tuple(
            column for column in columns if column.name not in keys
        )
        self._inner = tuple(column.position for column in self.inner_columns)
        if not default_name or escaped(default_name) != default_name:
            raise ConfigurationError(
                f"{owner}: partition.default-name must be the name of a directory, not {default_name!r}"
            )
        if not self.inner_columns:
            raise ConfigurationError(
                f"{owner} is partitioned by all of its columns; its files would be empty"
            )
        for column in self._keys:
            if kind_of(column.data_type) not in _KINDS:
                raise UnsupportedTypeError(
                    f"{owner} is partitioned by {column}, but directories are named by text, numbers, "
                    "booleans, dates and TIMESTAMP"
                )
            if column.name.startswith(HIDDEN):
                raise ConfigurationError(
                    f"{owner} is partitioned by {column.name!r}, but directories whose names start with "
                    f"{' or '.join(HIDDEN)} are hidden; rename the column"
                )

    def reader(self, reader: FileReader) -> FileReader:
        """Return a reader of all columns, made of one of the columns in files."""
        keys = tuple(column.position for column in self._keys)
        reads = _Reads({column.name: column.data_type for column in self._keys})
        return PartitionedReader(reader, self._names, self._inner, keys, reads, self._default_name)

    def encoder(self, encoder: Encoder[Row[Any]]) -> Encoder[Row[Any]]:
        """Return an encoder of rows of all columns, made of one of those in files."""
        return _InnerEncoder(encoder, row_type(self.inner_columns), self._inner)

    def writers(
        self, writers: BulkWriterFactory[Any], records: RecordsOfRows | None
    ) -> BulkWriterFactory[Any]:
        """Return writers of rows of all columns, made of those of the columns in files.

        Args:
            writers: the writers of the columns in files.
            records: makes what they write of rows, ``None`` if these are rows.
        """
        return _InnerWriters(writers, row_type(self.inner_columns), self._inner, records)

    def chosen(self, conditions: Sequence[PartitionCondition]) -> DirectoryFilter:
        """Return a filter of the directories of those partitions for which conditions may be true."""
        reads = _Reads({column.name: column.data_type for column in self._keys})
        keys = tuple(column.name for column in self._keys)
        evaluations = tuple((condition.keys, condition.evaluation) for condition in conditions)
        return ChosenPartitions(keys, reads, self._default_name, evaluations)

    def assigner(self) -> BucketAssigner[Row[Any]]:
        """Return the assigner of rows to directories."""
        keys = [(column.position, escaped(column.name), column.data_type) for column in self._keys]
        return _Assigner(keys, self._default_name)


class _Reads:
    """Make the values of columns from the texts of directories.

    Args:
        types: the types of the columns by name.
    """

    def __init__(self, types: Mapping[str, DataType]) -> None:
        self._types = types

    def readers(self) -> Mapping[str, Callable[[str], Any]]:
        """Return for each column the function that makes a value of its text, or raises `FieldError`."""
        return {name: partial(_value_of, _conversion(_TEXT, t), t) for name, t in self._types.items()}


def _conversion(source: DataType, target: DataType) -> Callable[[Any], Any]:
    convert = conversion(source, target)
    assert convert is not None
    return convert


def _value_of(convert: Callable[[Any], Any], data_type: DataType, text: str) -> Any:
    if kind_of(data_type) is Kind.TIMESTAMP:
        text = text.replace("T", " ", 1)
        text = f"{text}{_NO_SECONDS}" if text.count(":") == 1 else text
    try:
        return convert(text)
    except (ConversionError, SqlArithmeticError) as error:
        raise FieldError(f"{text!r} is no {data_type}") from error


def _text_of(convert: Callable[[Any], Any], data_type: DataType, value: Any) -> str:
    text = str(convert(value))
    match kind_of(data_type):
        case Kind.BOOLEAN:
            return text.lower()
        case Kind.TIMESTAMP:
            return text.replace(" ", "T", 1)
    return text


class _Assigner(BucketAssigner[Row[Any]]):
    def __init__(self, keys: Sequence[tuple[int, str, DataType]], default_name: str) -> None:
        self._arguments = (keys, default_name)
        self._keys = [(p, name, partial(_text_of, _conversion(t, _TEXT), t)) for p, name, t in keys]
        self._default_name = default_name

    def __reduce__(self) -> Any:
        return type(self), self._arguments

    def get_bucket_id(self, element: Row[Any], context: Any) -> str:
        return "/".join(f"{name}={self._name(text_of, element[p])}" for p, name, text_of in self._keys)

    def _name(self, text_of: Callable[[Any], str], value: Any) -> str:
        text = None if value is None else text_of(value)
        return escaped(text) if text else self._default_name


class _InnerEncoder(Encoder[Row[Any]]):
    """Encode the fields of rows that are in files."""

    def __init__(self, encoder: Encoder[Row[Any]], t: RowTypeInfo[Any], inner: tuple[int, ...]) -> None:
        self._encoder = encoder
        self._type = t
        self._inner = inner

    def encode(self, element: Row[Any]) -> bytes:
        return self._encoder.encode(Row(*(element[position] for position in self._inner)))

    def bind(self, type_info: TypeInformation[Row[Any]]) -> RowParts:
        return PartitionedRowParts(
            self._encoder.bind(self._type), tuple(self._type.get_field_names()), self._inner
        )


class _InnerWriters(BulkWriterFactory[Any]):
    """Write the fields of rows that are in files."""

    def __init__(
        self,
        writers: BulkWriterFactory[Any],
        t: RowTypeInfo[Any],
        inner: tuple[int, ...],
        records: RecordsOfRows | None,
    ) -> None:
        self._writers = writers
        self._type = t
        self._inner = inner
        self._records = records

    def bind(self, type_info: TypeInformation[Any]) -> PartFormat:
        names = tuple(self._type.get_field_names())
        return PartitionedParts(self._writers.bind(self._type), names, self._inner, self._records)
