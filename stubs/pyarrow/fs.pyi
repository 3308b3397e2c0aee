"""File systems behind one interface."""

import datetime
from abc import ABC
from enum import IntEnum
from typing import Any

from pyarrow import NativeFile

class FileType(IntEnum):
    NotFound = 0
    Unknown = 1
    File = 2
    Directory = 3

class FileInfo:
    type: FileType
    path: str
    base_name: str
    extension: str
    is_file: bool
    size: int | None
    mtime: datetime.datetime | None
    mtime_ns: int | None

class FileSelector:
    base_dir: str
    allow_not_found: bool
    recursive: bool
    def __init__(self, base_dir: str, allow_not_found: bool = False, recursive: bool = False) -> None: ...

class FileSystem:
    type_name: str
    @staticmethod
    def from_uri(uri: str) -> tuple[FileSystem, str]: ...
    def get_file_info(self, paths_or_selector: Any) -> Any: ...
    def create_dir(self, path: str, *, recursive: bool = True) -> None: ...
    def delete_dir(self, path: str) -> None: ...
    def delete_file(self, path: str) -> None: ...
    def move(self, src: str, dest: str) -> None: ...
    def copy_file(self, src: str, dest: str) -> None: ...
    def open_input_file(self, path: str) -> NativeFile: ...
    def open_input_stream(
        self, path: str, compression: str | None = "detect", buffer_size: int | None = None
    ) -> NativeFile: ...
    def open_output_stream(
        self,
        path: str,
        compression: str | None = "detect",
        buffer_size: int | None = None,
        metadata: Any = None,
    ) -> NativeFile: ...
    def normalize_path(self, path: str) -> str: ...

class LocalFileSystem(FileSystem):
    def __init__(self, *, use_mmap: bool = False) -> None: ...

class SubTreeFileSystem(FileSystem):
    def __init__(self, base_path: str, base_fs: FileSystem) -> None: ...

class FileSystemHandler(ABC): ...

class FSSpecHandler(FileSystemHandler):
    def __init__(self, fs: Any) -> None: ...

class PyFileSystem(FileSystem):
    def __init__(self, handler: Any) -> None: ...
