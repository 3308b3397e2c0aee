"""The store of a file catalog: a folder for each database, and a JSON file for each object in it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from uuid import uuid4

from pystream.errors import ConfigurationError
from pystream.table.catalog.objects import CatalogDatabase
from pystream.table.catalog.records import decoded, encoded
from pystream.table.catalog.stores import CatalogStore, Kept, Kind

__all__ = ["FolderStore"]

_DATABASE = "database.json"


class FolderStore(CatalogStore):
    """A store that lasts: ``<folder>/<database>/{tables,functions}/<name>.json``.

    Files are replaced as a whole, so that other programs read the content before or after a change. Two
    programs that change one object at the same time leave the content of one of them.

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
        content = _read(self._database(name) / _DATABASE)
        return None if content is None else CatalogDatabase(content["properties"], content["comment"])

    def put_database(self, name: str, database: CatalogDatabase) -> None:
        """Add or replace a database; the objects in it stay."""
        content = {"properties": database.properties, "comment": database.comment}
        _write(self._database(name) / _DATABASE, content)

    def remove_database(self, name: str) -> None:
        """Remove a database with all that is in it."""
        folder = self._database(name)
        (folder / _DATABASE).unlink()
        shutil.rmtree(folder)

    def names(self, kind: Kind, database: str) -> list[str]:
        """Return the names of the objects of a kind in a database, sorted."""
        return sorted(unquote(file.stem) for file in (self._database(database) / kind).glob("*.json"))

    def get(self, kind: Kind, database: str, name: str) -> Any:
        """Return an object, ``None`` if there is none of that name."""
        content = _read(self._file(kind, database, name))
        return None if content is None else decoded(kind, content)

    def put(self, kind: Kind, database: str, name: str, kept: Kept) -> None:
        """Add or replace an object."""
        _write(self._file(kind, database, name), encoded(kept))

    def remove(self, kind: Kind, database: str, name: str) -> None:
        """Remove an object."""
        self._file(kind, database, name).unlink()

    def _database(self, name: str) -> Path:
        return self._folder / _file_name(name)

    def _file(self, kind: Kind, database: str, name: str) -> Path:
        return self._database(database) / kind / f"{_file_name(name)}.json"


def _file_name(name: str) -> str:
    """Return a name that no file system refuses or takes for another."""
    return quote(name, safe="").replace(".", "%2E")


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise ConfigurationError(f"{file} is no file of a catalog: {error}; restore or remove it") from None


def _write(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_name(f".{uuid4().hex}.part")
    try:
        with written.open("w", encoding="utf-8") as out:
            json.dump(content, out, ensure_ascii=False, indent=2)
            out.flush()
            os.fsync(out.fileno())
        written.replace(file)
    finally:
        written.unlink(missing_ok=True)
