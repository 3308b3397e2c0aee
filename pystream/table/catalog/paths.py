"""The names of tables, views and functions: with those of the database and of the catalog before them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pystream.errors import PlanError
from pystream.sql_types.names import quoted_name
from typeinfo.errors import short_repr

__all__ = ["HintedPath", "ObjectIdentifier", "ObjectPath", "joined_path", "path_parts"]

_PART = re.compile(r"`((?:[^`]|``)+)`|([^.`]+)")
_PLAIN = re.compile(r"[^.`]+")


def path_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a name; a part in backticks may contain dots, and a backtick if it is doubled.

    Raises:
        PlanError: it is no name.
    """
    if not isinstance(path, str) or not path:
        raise PlanError(f"the name of a table or function must be a non-empty str, not {short_repr(path)}")
    parts = []
    position = 0
    while found := _PART.match(path, position):
        parts.append(found[2] if found[1] is None else found[1].replace("``", "`"))
        position = found.end()
        if position == len(path):
            return tuple(parts)
        if path[position] != ".":
            break
        position += 1
    raise PlanError(f"{path!r} is no name; write parts with dots or backticks in backticks, as in `a.b`")


def joined_path(*parts: str) -> str:
    """Return parts as one name that `path_parts` divides into them."""
    return ".".join(part if _PLAIN.fullmatch(part) else quoted_name(part) for part in parts)


def _check_names(call: str, *names: object) -> None:
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise PlanError(f"{call}: a name must be a non-empty str, not {short_repr(name)}")


@dataclass(frozen=True, slots=True, order=True)
class ObjectPath:
    """The name of a table, view or function in a catalog, with that of its database.

    Mirrors ``org.apache.flink.table.catalog.ObjectPath``.

    Args:
        database_name: the name of the database.
        object_name: the name of the table, view or function.

    Raises:
        PlanError: a name is empty.

    Examples:
        >>> print(ObjectPath.from_string("db.t"))
        db.t
    """

    database_name: str
    object_name: str

    def __post_init__(self) -> None:
        _check_names("ObjectPath", self.database_name, self.object_name)

    def __str__(self) -> str:
        return self.get_full_name()

    @staticmethod
    def from_string(full_name: str) -> ObjectPath:
        """Return the path that a text ``database.object`` stands for.

        Raises:
            PlanError: it has not two parts.
        """
        parts = full_name.split(".") if isinstance(full_name, str) else []
        if len(parts) != 2:
            raise PlanError(f"ObjectPath.from_string takes 'database.object', not {short_repr(full_name)}")
        return ObjectPath(*parts)

    def get_database_name(self) -> str:
        """Return the name of the database."""
        return self.database_name

    def get_object_name(self) -> str:
        """Return the name of the table, view or function."""
        return self.object_name

    def get_full_name(self) -> str:
        """Return both names with a dot between them."""
        return f"{self.database_name}.{self.object_name}"

    def compare_to(self, other: ObjectPath) -> int:
        """Return a number below, of or above 0 as the full name is before, equal to or after another one."""
        own, its = self.get_full_name(), other.get_full_name()
        return (own > its) - (own < its)


@dataclass(frozen=True, slots=True, order=True)
class ObjectIdentifier:
    """The full name of a table, view or function.

    Mirrors ``org.apache.flink.table.catalog.ObjectIdentifier``.

    Args:
        catalog_name: the name of the catalog.
        database_name: the name of the database.
        object_name: the name of the table, view or function.

    Raises:
        PlanError: a name is empty, or no str.
    """

    catalog_name: str
    database_name: str
    object_name: str

    def __post_init__(self) -> None:
        _check_names("ObjectIdentifier", self.catalog_name, self.database_name, self.object_name)

    def __str__(self) -> str:
        return self.as_serializable_string()

    @staticmethod
    def of(catalog_name: str, database_name: str, object_name: str) -> ObjectIdentifier:
        """Return the identifier of three names.

        Raises:
            PlanError: a name is empty.
        """
        return ObjectIdentifier(catalog_name, database_name, object_name)

    def get_catalog_name(self) -> str:
        """Return the name of the catalog."""
        return self.catalog_name

    def get_database_name(self) -> str:
        """Return the name of the database."""
        return self.database_name

    def get_object_name(self) -> str:
        """Return the name of the table, view or function."""
        return self.object_name

    def to_object_path(self) -> ObjectPath:
        """Return the name without that of the catalog."""
        return ObjectPath(self.database_name, self.object_name)

    def to_list(self) -> list[str]:
        """Return the three names."""
        return [self.catalog_name, self.database_name, self.object_name]

    def as_serializable_string(self) -> str:
        """Return the names in backticks."""
        return ".".join(map(quoted_name, self.to_list()))

    def as_summary_string(self) -> str:
        """Return the names with dots between them."""
        return ".".join(self.to_list())


@dataclass(frozen=True, slots=True)
class HintedPath:
    """The name of a table, with options that replace its own.

    Attributes:
        path: the name.
        options: the options.
    """

    path: str
    options: Mapping[str, str]

    def __str__(self) -> str:
        return self.path
