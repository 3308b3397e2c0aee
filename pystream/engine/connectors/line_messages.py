"""Files of messages, one per line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.engine.connectors.file_source import Skipped, can_split_lines, line_place, texts_in
from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.lines import lines_of
from pystream.engine.connectors.splits import FileSplit
from pystream.engine.exception_encoding import summarize
from pystream.errors import PyStreamError, SourceError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pyarrow import NativeFile

__all__ = ["LineMessageReader"]

_BYTES = "latin-1"  # maps each byte to one character
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class LineMessageReader:
    """Read elements from files with one message per line.

    Attributes:
        deserialize: returns the element in a message, or ``None`` if there is none.
        type_info: the type of the elements.
        skips_bad_lines: whether a line that cannot be read is left out instead of an error.
    """

    yields_columns: ClassVar[bool] = False

    deserialize: Callable[[bytes], Any]
    type_info: TypeInformation[Any]
    skips_bad_lines: bool

    def can_split(self, file: InputFile) -> bool:
        """Return whether line ends can be found from the middle of the file."""
        return can_split_lines(file, _BYTES)

    def read(self, file: NativeFile, split: FileSplit) -> Iterator[list[Any]]:
        """Yield the elements of the lines that start in the range, in order.

        Raises:
            SourceError: a line cannot be read; the message names file and line.
        """
        from typeinfo.serde import serializer_for

        conform = serializer_for(self.type_info).conform
        skipped = Skipped(split)
        number = 0
        for lines in lines_of(texts_in(file, split, _BYTES, mark_undecodable=False)):
            elements = []
            for line in lines:
                number += 1
                message = line.encode(_BYTES)
                if number == 1 and split.start == 0:
                    message = message.removeprefix(_BYTE_ORDER_MARK)
                try:
                    element = self.deserialize(message)
                    if element is not None:
                        elements += conform([element])
                except Exception as error:  # a user's schema may raise anything
                    if not self.skips_bad_lines:
                        reason = str(error) if isinstance(error, PyStreamError) else summarize(error)
                        raise SourceError(
                            f"{split.file.path}, {line_place(split, number)}: {reason}; correct the line, or "
                            "skip such lines with ignore_parse_errors=True"
                        ) from error
                    skipped.add(number)
            if elements:
                yield elements
        skipped.report()
