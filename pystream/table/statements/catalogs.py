"""Statements on catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pystream.errors import ConfigurationError
from pystream.sql_types.names import quoted_name, quoted_text
from pystream.table.catalog.registry import catalog_of
from pystream.table.statements.base import Pattern, Statement, listing, names_listing, success, text_result
from pystream.table.statements.texts import option_lines
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = [
    "CreateCatalog",
    "DescribeCatalog",
    "DropCatalog",
    "ResetCatalog",
    "SetCatalog",
    "SetCatalogComment",
    "ShowCatalogs",
    "ShowCreateCatalog",
    "ShowCurrentCatalog",
    "UseCatalog",
]


@dataclass(frozen=True, slots=True)
class CreateCatalog(Statement):
    """``CREATE CATALOG``.

    Attributes:
        name: its name.
        options: the options of ``WITH``.
        if_not_exists: whether there may be one of that name, which then stays.
        comment: its comment, if it has one.
    """

    name: str
    options: Mapping[str, str] = field(repr=False)
    if_not_exists: bool = False
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Make and add the catalog."""
        if not (self.if_not_exists and environment._catalogs.has_catalog(self.name)):
            environment._catalogs.create_catalog(self.name, self.options, self.comment)
        return success()


@dataclass(frozen=True, slots=True)
class DropCatalog(Statement):
    """``DROP CATALOG``.

    Attributes:
        name: its name.
        if_exists: whether it may be missing.
    """

    name: str
    if_exists: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Remove the catalog; what it holds stays where it is kept."""
        environment._catalogs.drop_catalog(self.name, self.if_exists)
        return success()


@dataclass(frozen=True, slots=True)
class SetCatalog(Statement):
    """``ALTER CATALOG name SET (…)``.

    Attributes:
        name: its name.
        options: the options that change.
    """

    name: str
    options: Mapping[str, str] = field(repr=False)

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Change options; they are checked, and count when the catalog is made again."""
        known = environment._catalogs.known(self.name)
        options = {**known.options, **self.options}
        catalog_of(self.name, options)
        environment._catalogs.replace_catalog(self.name, replace(known, options=options))
        return success()


@dataclass(frozen=True, slots=True)
class ResetCatalog(Statement):
    """``ALTER CATALOG name RESET (…)``.

    Attributes:
        name: its name.
        keys: the options that are left out.
    """

    name: str
    keys: tuple[str, ...]

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Leave options out."""
        known = environment._catalogs.known(self.name)
        if "type" in self.keys or not self.keys:
            raise ConfigurationError(
                f"ALTER CATALOG {self.name} RESET takes one option or more, but not 'type', which stays"
            )
        options = {key: value for key, value in known.options.items() if key not in self.keys}
        environment._catalogs.replace_catalog(self.name, replace(known, options=options))
        return success()


@dataclass(frozen=True, slots=True)
class SetCatalogComment(Statement):
    """``ALTER CATALOG name COMMENT 'text'``.

    Attributes:
        name: its name.
        comment: its new comment.
    """

    name: str
    comment: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Replace the comment."""
        known = environment._catalogs.known(self.name)
        environment._catalogs.replace_catalog(self.name, replace(known, comment=self.comment))
        return success()


@dataclass(frozen=True, slots=True)
class UseCatalog(Statement):
    """``USE CATALOG``.

    Attributes:
        name: the catalog that becomes the current one.
    """

    name: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Make the catalog and its default database the current ones."""
        environment._catalogs.use_catalog(self.name)
        return success()


@dataclass(frozen=True, slots=True)
class ShowCatalogs(Statement):
    """``SHOW CATALOGS``.

    Attributes:
        pattern: those that are shown; all unless given.
    """

    pattern: Pattern | None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the names of the catalogs."""
        return names_listing("catalog name", environment._catalogs.catalogs(), self.pattern)


@dataclass(frozen=True, slots=True)
class ShowCurrentCatalog(Statement):
    """``SHOW CURRENT CATALOG``."""

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the name of the current catalog."""
        return names_listing("current catalog name", [environment._catalogs.current_catalog])


@dataclass(frozen=True, slots=True)
class DescribeCatalog(Statement):
    """``DESCRIBE CATALOG [EXTENDED]``.

    Attributes:
        name: its name.
        is_extended: whether its options are shown, too.
    """

    name: str
    is_extended: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the name, type, comment and options of the catalog."""
        known = environment._catalogs.known(self.name)
        rows: list[list[str | None]] = [
            ["name", self.name],
            ["type", known.options.get("type")],
            ["comment", known.comment],
        ]
        if self.is_extended:
            own = sorted(known.options.items())
            rows.extend([f"option:{key}", value] for key, value in own if key != "type")
        return listing(["info name", "info value"], rows)


@dataclass(frozen=True, slots=True)
class ShowCreateCatalog(Statement):
    """``SHOW CREATE CATALOG``.

    Attributes:
        name: its name.
    """

    name: str

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the statement that makes the catalog."""
        known = environment._catalogs.known(self.name)
        lines = [f"CREATE CATALOG {quoted_name(self.name)}"]
        if known.comment is not None:
            lines.append(f"COMMENT {quoted_text(known.comment)}")
        return text_result("\n".join([*lines, *option_lines(known.options), ""]))
