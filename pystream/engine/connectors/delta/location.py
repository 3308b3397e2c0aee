"""Where a Delta table is, and how its log and its files are opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pystream.engine.connectors.files import local_path
from pystream.engine.connectors.packages import client_library
from pystream.errors import ConnectorError

if TYPE_CHECKING:
    from deltalake import DeltaTable
    from pyarrow.fs import FileSystem

__all__ = ["DeltaLocation", "failures", "load_client"]


def load_client() -> None:
    """Import the client library, which is an extra of pystream.

    Raises:
        DependencyError: it is not installed.
    """
    client_library("deltalake", "delta")


@contextmanager
def failures(kind: type[ConnectorError], what: str) -> Iterator[None]:
    """Raise the errors of the client library as another one, without their backtrace.

    Args:
        kind: the error.
        what: what failed, such as ``cannot read the Delta table /a``.
    """
    from deltalake.exceptions import DeltaError

    try:
        yield
    except (DeltaError, OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise kind(f"{what}: {reason}") from error


@dataclass(frozen=True, slots=True)
class DeltaLocation:
    """The place of a Delta table.

    Attributes:
        uri: its directory: an absolute path, or a URI of an object store.
        options: those of the object store, which may be credentials.
    """

    uri: str
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        load_client()

    def __str__(self) -> str:
        return self.uri

    def exists(self) -> bool:
        """Return whether there is a table.

        Raises:
            ConnectorError: the place cannot be reached.
        """
        from deltalake import DeltaTable

        with failures(ConnectorError, f"cannot look for a Delta table in {self.uri}"):
            return DeltaTable.is_deltatable(self.client_uri, dict(self.options))

    def open(self, version: int | str | datetime | None = None) -> DeltaTable:
        """Return a version of the table.

        Args:
            version: its number, or the time at which it was the latest; the latest by default.

        Raises:
            ConnectorError: there is no table, no such version, or it cannot be read.
        """
        from deltalake import DeltaTable

        of_version = "" if version is None else f"version {version} of "
        with failures(ConnectorError, f"cannot read {of_version}the Delta table {self.uri}"):
            table = DeltaTable(self.client_uri, storage_options=dict(self.options))
            if version is not None:
                table.load_as_version(version)
            return table

    def filesystem(self) -> FileSystem:
        """Return the file system of the files, in which paths are relative to the directory."""
        from deltalake.fs import DeltaStorageHandler
        from pyarrow.fs import PyFileSystem

        return PyFileSystem(DeltaStorageHandler(self.client_uri, dict(self.options)))

    @property
    def client_uri(self) -> str:
        """The place in the form of the client library."""
        path = local_path(self.uri)
        return self.uri if path is None else path
