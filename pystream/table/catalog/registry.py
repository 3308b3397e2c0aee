"""The kinds of catalogs that ``CREATE CATALOG`` makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from pystream.engine.connectors.files import local_path
from pystream.errors import ConfigurationError, ConnectorError
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
            catalog, ``path``, a folder of this machine or its ``file:`` URI.

    Raises:
        ConfigurationError: an option is missing, unknown or wrong.
    """
    own = dict(options)
    own.pop("property-version", None)
    kind = own.pop("type", None)
    if kind not in _KINDS:
        found = "needs the option 'type'" if kind is None else f"has the unknown type {kind!r}"
        raise ConfigurationError(
            f"catalog {name!r} {found}; there are {', '.join(_KINDS)}; declare tables of other systems in "
            "one of these, by CREATE TABLE"
        )
    make, known = _KINDS[kind]
    unknown = own.keys() - known
    if unknown:
        raise ConfigurationError(
            f"catalog {name!r} of type {kind!r} has no option {min(unknown)!r}; the options are "
            f"{', '.join(known)}"
        )
    if not own.get(_DATABASE, "default").strip():
        raise ConfigurationError(
            f"catalog {name!r}: the option {_DATABASE!r} is empty; give a name or leave it out"
        )
    return make(name, own)


def _in_memory(name: str, options: Mapping[str, str]) -> Catalog:
    return Catalog(MemoryStore(), name, options.get(_DATABASE, "default"))


def _in_files(name: str, options: Mapping[str, str]) -> Catalog:
    location = options.get("path", "")
    try:
        path = local_path(location)
    except ConnectorError as error:
        raise ConfigurationError(f"catalog {name!r}: {error}") from None
    if path is None:
        raise ConfigurationError(
            f"catalog {name!r}: the option 'path' must be a folder of this machine such as '/data/catalog' "
            f"or 'file:///data/catalog', not {location!r}"
        )
    if not path:
        raise ConfigurationError(f"catalog {name!r} of type 'file' needs the option 'path', a folder")
    return Catalog(FolderStore(Path(path)), name, options.get(_DATABASE, "default"))


_KINDS: dict[str, tuple[Callable[[str, Mapping[str, str]], Catalog], tuple[str, ...]]] = {
    "generic_in_memory": (_in_memory, (_DATABASE,)),
    "file": (_in_files, ("path", _DATABASE)),
}
