"""Text output: a line for each element, in part files below a directory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from pystream.common.serialization import Encoder
from pystream.datastream.connectors.base import Sink
from pystream.datastream.connectors.file_system import BucketAssigner, FileSink
from pystream.engine.connectors.file_sink import FilesOutput
from pystream.engine.connectors.storage import Storage, storage_of
from pystream.errors import SinkError
from pystream.jython.write_mode import WriteMode
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
        """Refuse to write to a target that exists, or remove it, by the mode.

        Raises:
            SinkError: it exists, holds what no text output wrote, or cannot be written to.
        """
        storage, path = storage_of(self.base_path)
        try:
            names = storage.names(path)
            is_file = not names and storage.obstacle(path) is not None and storage.exists(path)
            if not self.continues and (is_file or any(not name.startswith(".") for name in names)):
                self._make_room(storage, path, is_file=is_file)
        except OSError as error:
            raise SinkError(f"cannot reach output path {self.base_path}: {error}") from error
        super(_Target, self).check()

    def _make_room(self, storage: Storage, path: str, *, is_file: bool) -> None:
        if self.mode is WriteMode.NO_OVERWRITE:
            raise SinkError(
                f"output path {self.base_path} exists: remove it, or call "
                "write_as_text(path, WriteMode.OVERWRITE) to replace it"
            )
        if is_file:
            storage.remove(path)
            return
        foreign = [name for name in storage.files_below(path) if "/" in name and not name.startswith(".")]
        if foreign:
            raise SinkError(
                f"output path {self.base_path} has a directory {min(foreign).partition('/')[0]!r}, which no "
                "write_as_text has written: remove it yourself, or write to another path"
            )
        storage.remove_tree(path)


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
