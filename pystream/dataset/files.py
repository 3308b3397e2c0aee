"""Files of data sets: delimited records in, and text out with a write mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pystream.datastream.connectors.base import Sink, Source
from pystream.datastream.connectors.file_system import FileSource, StreamFormat
from pystream.engine.connectors.buckets import BasePathBuckets
from pystream.engine.connectors.file_sink import FilesOutput, Replaced
from pystream.engine.connectors.file_source import FileReader
from pystream.engine.connectors.files import InputFile, absolute_location
from pystream.engine.connectors.part_file import Rolling
from pystream.engine.connectors.row_parts import EncodeBatch, EncodedRows, Pieces, RowParts
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.connectors.text_files import texts_in
from pystream.engine.connectors.write_mode import WriteMode, require_room
from pystream.engine.events import MAX_BATCH
from pystream.errors import PyStreamError
from typeinfo.basic import STRING
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["CsvLine", "CsvParser", "CsvRecordError", "TextFileSink", "records"]


class CsvRecordError(PyStreamError, ValueError):
    """A record of a CSV file, or an element to be written as one, does not have the right fields."""


def records(path: str, delimiter: str) -> Source[str]:
    """Return a source of the texts between delimiters in files, which are read whole."""
    return FileSource.for_record_stream_format(_Records(delimiter), path).build()


class _Records(StreamFormat[str]):
    def __init__(self, delimiter: str) -> None:
        self._delimiter = delimiter

    def reader(self, locations: Sequence[str]) -> FileReader:
        return _RecordReader(self._delimiter)

    def get_produced_type(self, locations: Sequence[str]) -> TypeInformation[str]:
        return STRING


@dataclass(frozen=True, slots=True)
class _RecordReader:
    """Reads the texts between delimiters."""

    delimiter: str

    def yields_columns(self) -> bool:
        return False

    def can_split(self, file: InputFile) -> bool:
        return False

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        rest = ""
        for text in texts_in(file, split, "UTF-8", mark_undecodable=False, remedy="write the file in UTF-8"):
            *complete, rest = (rest + text).split(self.delimiter)
            for start in range(0, len(complete), MAX_BATCH):
                yield complete[start : start + MAX_BATCH]
        if rest:
            yield [rest]


class CsvParser:
    """Parses records into tuples.

    Args:
        types: the types of the fields; further fields of a record are ignored.
        delimiter: separates fields.
    """

    def __init__(self, types: Sequence[TypeInformation[Any]], delimiter: str) -> None:
        self._parsers = [_PARSERS[type_info.value_class] for type_info in types]
        self._delimiter = delimiter

    def __call__(self, record: str) -> tuple[Any, ...]:
        """Return the fields of a record.

        Raises:
            CsvRecordError: a field is missing, or its text is not a value of its type.
        """
        fields = record.split(self._delimiter)
        if len(fields) < len(self._parsers):
            raise CsvRecordError(f"{record!r} has {len(fields)} fields, not {len(self._parsers)}")
        try:
            return tuple([parse(text) for parse, text in zip(self._parsers, fields, strict=False)])
        except ValueError as error:
            raise CsvRecordError(f"{record!r}: {error}") from None


def _boolean(text: str) -> bool:
    value = _BOOLEANS.get(text.strip().lower())
    if value is None:
        raise ValueError(f"{text!r} is neither true nor false")
    return value


_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_PARSERS: dict[type[Any], Callable[[str], Any]] = {bool: _boolean, int: int, float: float, str: str}


class CsvLine:
    """Formats the fields of an element as text, each by ``str``."""

    def __init__(self, delimiter: str) -> None:
        self._delimiter = delimiter

    def __call__(self, value: Any) -> str:
        if not isinstance(value, (tuple, list)):
            raise CsvRecordError(
                f"write_csv takes tuples, not {short_repr(value)}; write_text takes any elements"
            )
        return self._delimiter.join(map(str, value))


class TextFileSink(Sink[str]):
    """Writes texts to part files in a directory.

    Args:
        path: the directory.
        line_end: written after each text.
        write_mode: what to do if the path exists.
    """

    def __init__(self, path: str, line_end: str, write_mode: WriteMode) -> None:
        self._path = absolute_location(path)
        self._line_end = line_end
        self._write_mode = write_mode

    def bind(self, type_info: TypeInformation[str]) -> FilesOutput:
        return _TextOutput(
            base_path=self._path,
            format=_TextParts(self._line_end),
            buckets=BasePathBuckets(),
            rolling=Rolling(),
            check_interval=60_000,
            prefix="part",
            suffix="",
            replaced=Replaced.ALL if self._write_mode is WriteMode.OVERWRITE else Replaced.NONE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextOutput(FilesOutput):
    """Part files below a path that is new, or is replaced as a whole."""

    def check(self) -> None:
        overwrites = self.replaced is Replaced.ALL
        require_room(self.base_path, WriteMode.OVERWRITE if overwrites else WriteMode.NO_OVERWRITE)
        FilesOutput.check(self)


@dataclass(frozen=True, slots=True)
class _TextParts(RowParts):
    line_end: str

    def encoder(self) -> EncodeBatch:
        return self._encoded

    def _encoded(self, values: Sequence[str]) -> EncodedRows:
        return Pieces([f"{value}{self.line_end}".encode() for value in values])
