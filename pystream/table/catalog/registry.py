"""The kinds of catalogs that ``CREATE CATALOG`` makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pystream.errors import ConfigurationError
from pystream.table.catalog.catalog import Catalog
from pystream.table.catalog.folder_store import FolderStore
from pystream.table.catalog.stores import MemoryStore

__all__ = ["catalog_of"]

_DATABASE = "default-database"


def catalog_of(name: str, options: Mapping[str, str]) -> Catalog:
    """Return a catalog.

    Args:
        name: its name.
        options: ``type``, which is ``generic_in_memory`` or ``file``; ``default-database``; for a file
            catalog, ``path``, a folder.

    Raises:
        ConfigurationError: an option is missing or unknown.
    """
    own = dict(options)
    own.pop("property-version", None)
    kind = own.pop("type", None)
    if kind not in _KINDS:
        found = "needs the option 'type'" if kind is None else f"has the unknown type {kind!r}"
        raise ConfigurationError(f"catalog {name!r} {found}; there are {', '.join(_KINDS)}")
    make, known = _KINDS[kind]
    unknown = own.keys() - known
    if unknown:
        raise ConfigurationError(
            f"catalog {name!r} of type {kind!r} has no option {min(unknown)!r}; the options are "
            f"{', '.join(known)}"
        )
    return make(name, own)


def _in_memory(name: str, options: Mapping[str, str]) -> Catalog:
    return Catalog(MemoryStore(), name, options.get(_DATABASE, "default"))


def _in_files(name: str, options: Mapping[str, str]) -> Catalog:
    path = options.get("path")
    if not path:
        raise ConfigurationError(f"catalog {name!r} of type 'file' needs the option 'path', a folder")
    folder = Path(path.removeprefix("file://"))
    return Catalog(FolderStore(folder), name, options.get(_DATABASE, "default"))


_KINDS: dict[str, tuple[Callable[[str, Mapping[str, str]], Catalog], tuple[str, ...]]] = {
    "generic_in_memory": (_in_memory, (_DATABASE,)),
    "file": (_in_files, ("path", _DATABASE)),
}
