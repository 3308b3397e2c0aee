"""Files whose elements are converted while they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pystream.engine.connectors.file_source import FileReader
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Cast
from pystream.errors import SourceError

if TYPE_CHECKING:
    from pyarrow import NativeFile

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["ConvertedReader"]


class AtOnce(Protocol):
    """Converts many elements at once."""

    def of(self, elements: Sequence[Any]) -> ColumnValues | None:
        """Return converted elements as columns, ``None`` if they are to be converted one by one."""
        ...


class Conversion(Cast, Protocol):
    """A conversion of elements."""

    def columns(self) -> AtOnce:
        """Return the conversion of many elements at once."""
        ...


@dataclass(frozen=True, slots=True)
class ConvertedReader:
    """Read the elements of another reader, converted.

    Attributes:
        reader: the other reader.
        conversion: converts an element, or raises `FieldError`.
    """

    reader: FileReader
    conversion: Conversion

    def yields_columns(self) -> bool:
        """Return True: elements are columns."""
        return True

    def can_split(self, file: InputFile) -> bool:
        """Return whether the file may be read from the middle."""
        return self.reader.can_split(file)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[Sequence[Any]]:
        """Yield the converted elements in the range, in order.

        Raises:
            SourceError: an element cannot be converted; the message names the file and its place.
        """
        convert = self.conversion.converter()
        assert convert is not None
        at_once = self.conversion.columns()
        number = 0
        for elements in self.reader.read(file, split):
            columns = at_once.of(elements)
            if columns is not None:
                number += len(columns)
                yield columns
                continue
            converted = []
            try:
                for element in elements:
                    number += 1
                    converted.append(convert(element))
            except FieldError as error:
                after = f" after byte {split.start}" if split.start else ""
                raise SourceError(
                    f"{split.file.path}, record {number}{after}: {error}; declare a type that holds the value"
                ) from error
            yield converted
