"""Text output: a line for each element, in part files below a directory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from pystream.common.serialization import Encoder
from pystream.datastream.connectors.base import Sink
from pystream.datastream.connectors.file_system import BucketAssigner, FileSink
from pystream.engine.connectors.file_sink import FilesOutput
from pystream.engine.connectors.write_mode import WriteMode, remove_earlier_files, require_room
from typeinfo.info import TypeInformation

__all__ = ["TextFileSink"]


class _Lines(Encoder[Any]):
    """Encode ``str`` of an element as a line."""

    def encode(self, element: Any) -> bytes:
        return f"{element!s}\n".encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target(FilesOutput):
    """Part files in a directory that the job creates or replaces.

    Attributes:
        mode: what to do if it exists and is not empty.
        continues: whether the job continues one that has written to it.
    """

    mode: WriteMode
    continues: bool

    def check(self) -> None:
        """Refuse to write to a target that exists, or remove its files, by the mode.

        Raises:
            SinkError: it exists, holds what no text output wrote, or cannot be written to.
        """
        if not self.continues:
            require_room(self.base_path, self.mode)
            if self.mode is WriteMode.OVERWRITE:
                remove_earlier_files(self.base_path)
        super(_Target, self).check()


class TextFileSink(Sink[Any]):
    """Write ``str`` of each element as a line, in UTF-8.

    Args:
        path: path or URI of the directory for the part files.
        mode: what to do if it exists and is not empty.
        continues: whether the job continues one that has written to it.

    Raises:
        ConfigurationError: no file system has such a path.
    """

    def __init__(self, path: str, mode: WriteMode, *, continues: bool) -> None:
        builder = FileSink.for_row_format(path, _Lines())
        self._sink = builder.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build()
        self._mode = mode
        self._continues = continues

    def bind(self, type_info: TypeInformation[Any]) -> _Target:
        """Return the output that the runtime writes elements to."""
        output = self._sink.bind(type_info)
        settings = {field.name: getattr(output, field.name) for field in fields(output)}
        return _Target(**settings, mode=self._mode, continues=self._continues)
