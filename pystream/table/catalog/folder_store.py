"""The store of a file catalog: a folder for each database, and a JSON file for each object in it."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote
from uuid import uuid4

from pystream.errors import ConfigurationError
from pystream.table.catalog.objects import CatalogDatabase
from pystream.table.catalog.records import decoded, encoded
from pystream.table.catalog.stores import CatalogStore, Kept, Kind

__all__ = ["FolderStore"]

_DATABASE = "database.json"

T = TypeVar("T")


class FolderStore(CatalogStore):
    """A store that lasts: ``<folder>/<database>/{tables,functions,models}/<name>.json``.

    Files are replaced as a whole, so that other programs read the content before or after a change. Two
    programs that change one object at the same time leave the content of one of them. Methods raise a
    ConfigurationError, which names the file, if it cannot be read, written or removed.

    Args:
        folder: the folder, which is made if it is missing.

    Raises:
        ConfigurationError: the folder cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"the folder of the catalog cannot be made: {error}") from None

    def databases(self) -> list[str]:
        """Return the names of the databases, sorted."""
        return sorted(unquote(file.parent.name) for file in self._folder.glob(f"*/{_DATABASE}"))

    def database(self, name: str) -> CatalogDatabase | None:
        """Return a database, ``None`` if there is none of that name."""
        return _read(
            self._database(name) / _DATABASE,
            lambda content: CatalogDatabase(content["properties"], content["comment"]),
        )

    def put_database(self, name: str, database: CatalogDatabase) -> None:
        """Add or replace a database; the objects in it stay."""
        content = {"properties": database.properties, "comment": database.comment}
        _write(self._database(name) / _DATABASE, content)

    def remove_database(self, name: str) -> None:
        """Remove a database with all that is in it."""
        folder = self._database(name)
        with _reported(folder, "removed"):
            (folder / _DATABASE).unlink()
            shutil.rmtree(folder)

    def names(self, kind: Kind, database: str) -> list[str]:
        """Return the names of the objects of a kind in a database, sorted."""
        return sorted(unquote(file.stem) for file in (self._database(database) / kind).glob("*.json"))

    def has(self, kind: Kind, database: str, name: str) -> bool:
        """Return whether there is an object of a name, without reading it."""
        file = self._file(kind, database, name)
        with _reported(file, "read"):
            return file.exists()

    def get(self, kind: Kind, database: str, name: str) -> Any:
        """Return an object, ``None`` if there is none of that name."""
        return _read(self._file(kind, database, name), lambda content: decoded(kind, content))

    def put(self, kind: Kind, database: str, name: str, kept: Kept) -> None:
        """Add or replace an object."""
        _write(self._file(kind, database, name), encoded(kept))

    def remove(self, kind: Kind, database: str, name: str) -> None:
        """Remove an object."""
        file = self._file(kind, database, name)
        with _reported(file, "removed"):
            file.unlink()

    def _database(self, name: str) -> Path:
        return self._folder / _file_name(name)

    def _file(self, kind: Kind, database: str, name: str) -> Path:
        return self._database(database) / kind / f"{_file_name(name)}.json"


def _file_name(name: str) -> str:
    """Return a name as that of a file, without slashes and points; it may be too long for a file system."""
    return quote(name, safe="").replace(".", "%2E")


@contextmanager
def _reported(file: Path, done: str) -> Iterator[None]:
    """Raise a ConfigurationError that names the file if it cannot be read, written or removed."""
    try:
        yield
    except OSError as error:
        remedy = "use a shorter name" if error.errno == errno.ENAMETOOLONG else "make its folder accessible"
        raise ConfigurationError(f"{file} cannot be {done}: {error.strerror or error}; {remedy}") from None


def _read(file: Path, decode: Callable[[Any], T]) -> T | None:
    """Return what a file stands for, ``None`` if there is none."""
    with _reported(file, "read"):
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
    try:
        return decode(json.loads(content))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else error
        raise ConfigurationError(f"{file} is no file of a catalog: {reason}; restore or remove it") from None


def _write(file: Path, content: Any) -> None:
    written = file.with_name(f".{uuid4().hex}.part")
    with _reported(file, "written"):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with written.open("w", encoding="utf-8") as out:
                json.dump(content, out, ensure_ascii=False, indent=2)
                out.flush()
                os.fsync(out.fileno())
            written.replace(file)
        finally:
            written.unlink(missing_ok=True)
