"""ALTER TABLE."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.created_tables import check_table
from pystream.table.schema import Column, ComputedColumn, PrimaryKey, Schema, Watermark
from pystream.table.statements.base import Statement, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = [
    "AddParts",
    "AlterTable",
    "DropColumns",
    "DropPrimaryKey",
    "DropWatermark",
    "ModifyParts",
    "Placed",
    "RenameColumn",
    "RenameTable",
    "ResetOptions",
    "SetOptions",
]


@dataclass(frozen=True, slots=True)
class Placed:
    """A column, watermark or key that is added or modified.

    Attributes:
        part: the column, watermark or key.
        place: ``FIRST``, ``AFTER`` and the name of a column, or nothing.
    """

    part: Column | Watermark | PrimaryKey
    place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AlterTable(Statement):
    """A statement that changes a table of a catalog.

    Attributes:
        path: the name of the table.
        if_exists: whether it may be missing.
    """

    path: str
    if_exists: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Replace the table in its catalog by a changed one."""
        manager = environment._catalogs
        identifier = manager.identify(self.path)
        is_temporary = manager.is_temporary(identifier)
        table = None if is_temporary else manager.find_permanent(identifier)
        if table is None and self.if_exists:
            return success()
        if is_temporary:
            raise PlanError(f"{self.path!r} is temporary; ALTER TABLE changes tables of catalogs")
        if table is None:
            names = manager.permanent_names(identifier.catalog_name, identifier.database_name, views=False)
            raise manager.missing(identifier, "table of a catalog", names)
        if table.view is not None:
            raise PlanError(f"{self.path!r} is a view: ALTER VIEW changes it")
        if isinstance(self, RenameTable):
            manager.rename(identifier, manager.renamed(identifier, self.new_path))
            return success()
        changed = self.changed(table)
        check_table(manager.shown(identifier), changed)
        manager.alter(identifier, changed)
        return success()

    @abstractmethod
    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the changed table.

        Raises:
            PlanError: what is to be changed does not exist, or is needed.
        """

    def _error(self, complaint: str) -> PlanError:
        return PlanError(f"ALTER TABLE {self.path}: {complaint}")


@dataclass(frozen=True, slots=True)
class RenameTable(AlterTable):
    """``ALTER TABLE name RENAME TO name``.

    Attributes:
        new_path: the new name, in the same database.
    """

    new_path: str

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table itself."""
        return table


@dataclass(frozen=True, slots=True)
class SetOptions(AlterTable):
    """``ALTER TABLE name SET (…)``.

    Attributes:
        options: the options that change.
    """

    options: Mapping[str, str] = field(repr=False)

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table with other options."""
        return replace(table, options={**table.options, **self.options})


@dataclass(frozen=True, slots=True)
class ResetOptions(AlterTable):
    """``ALTER TABLE name RESET (…)``.

    Attributes:
        keys: the options that are left out.
    """

    keys: tuple[str, ...]

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table without some options."""
        if not self.keys or "connector" in self.keys:
            raise self._error("RESET takes one option or more, but not 'connector', which stays")
        return replace(table, options={k: v for k, v in table.options.items() if k not in self.keys})


@dataclass(frozen=True, slots=True)
class _ChangeParts(AlterTable):
    parts: tuple[Placed, ...]

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table with other columns, watermarks or keys."""
        schema = table.schema
        for placed in self.parts:
            match placed.part:
                case Watermark() as mark:
                    self._check(bool(schema.watermarks), f"a watermark for {mark.column!r}")
                    schema = replace(schema, watermarks=(mark,))
                case PrimaryKey() as key:
                    self._check(schema.primary_key is not None, "a primary key")
                    schema = replace(schema, primary_key=key)
                case column:
                    names = [one.name for one in schema.columns]
                    self._check(column.name in names, f"the column {column.name!r}")
                    columns = self._placed(schema.columns, column, placed.place)
                    schema = replace(schema, columns=columns)
        return replace(table, schema=schema.with_required_keys())

    @abstractmethod
    def _check(self, exists: bool, what: str) -> None:
        """Refuse to add what exists, or to modify what does not."""

    def _placed(
        self, columns: Sequence[Column], column: Column, place: tuple[str, ...]
    ) -> tuple[Column, ...]:
        names = [one.name for one in columns]
        others = [one for one in columns if one.name != column.name]
        position = names.index(column.name) if column.name in names else len(others)
        match place:
            case ("FIRST",):
                position = 0
            case ("AFTER", before):
                others_names = [one.name for one in others]
                if before not in others_names:
                    raise self._error(f"there is no column {before!r} to stand behind; {_listed(others)}")
                position = others_names.index(before) + 1
        return (*others[:position], column, *others[position:])


@dataclass(frozen=True, slots=True)
class AddParts(_ChangeParts):
    """``ALTER TABLE name ADD …``.

    Attributes:
        parts: the columns, watermarks and keys.
    """

    def _check(self, exists: bool, what: str) -> None:
        if exists:
            raise self._error(f"there is already {what}; MODIFY or DROP it")


@dataclass(frozen=True, slots=True)
class ModifyParts(_ChangeParts):
    """``ALTER TABLE name MODIFY …``.

    Attributes:
        parts: the columns, watermarks and keys.
    """

    def _check(self, exists: bool, what: str) -> None:
        if not exists:
            raise self._error(f"there is no {what.partition(' ')[2]}; ADD it")


@dataclass(frozen=True, slots=True)
class RenameColumn(AlterTable):
    """``ALTER TABLE name RENAME column TO column``.

    Attributes:
        old: the name of the column.
        new: its new name.
    """

    old: str
    new: str

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table with a column of another name, also in the keys."""
        columns = table.schema.columns
        self._check_free(table, self.old)
        if any(column.name == self.new for column in columns):
            raise self._error(f"there is already the column {self.new!r}")
        renamed = tuple(
            replace(column, name=self.new) if column.name == self.old else column for column in columns
        )
        key = table.schema.primary_key
        if key is not None:
            key = replace(key, columns=tuple(self.new if one == self.old else one for one in key.columns))
        keys = tuple(self.new if one == self.old else one for one in table.partition_keys)
        return replace(
            table, schema=replace(table.schema, columns=renamed, primary_key=key), partition_keys=keys
        )

    def _check_free(self, table: CatalogBaseTable, name: str) -> None:
        _check_known(self, table, name)
        for user in _users(table.schema, name, ()):
            raise self._error(f"the column {name!r} is read by {user}; DROP or MODIFY that first")


@dataclass(frozen=True, slots=True)
class DropColumns(AlterTable):
    """``ALTER TABLE name DROP column``.

    Attributes:
        names: the names of the columns.
    """

    names: tuple[str, ...]

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table without some columns."""
        schema = table.schema
        for name in self.names:
            _check_known(self, table, name)
            users = [*_users(schema, name, self.names)]
            if name in schema.primary_key_columns:
                users.append("the primary key")
            if name in table.partition_keys:
                users.append("the partition keys")
            if users:
                raise self._error(f"the column {name!r} is read by {users[0]}; DROP or MODIFY that first")
        columns = tuple(column for column in schema.columns if column.name not in self.names)
        if not columns:
            raise self._error("a table has one column at least")
        return replace(table, schema=replace(schema, columns=columns))


@dataclass(frozen=True, slots=True)
class DropPrimaryKey(AlterTable):
    """``ALTER TABLE name DROP PRIMARY KEY`` and ``DROP CONSTRAINT``.

    Attributes:
        name: the name of the key, if it is given.
    """

    name: str | None = None

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table without its primary key."""
        key = table.schema.primary_key
        if key is None or self.name not in (None, key.name):
            named = "" if self.name is None else f" {self.name!r}"
            raise self._error(f"there is no primary key{named}")
        return replace(table, schema=replace(table.schema, primary_key=None))


@dataclass(frozen=True, slots=True)
class DropWatermark(AlterTable):
    """``ALTER TABLE name DROP WATERMARK``."""

    def changed(self, table: CatalogBaseTable) -> CatalogBaseTable:
        """Return the table without its watermark."""
        if not table.schema.watermarks:
            raise self._error("there is no watermark")
        return replace(table, schema=replace(table.schema, watermarks=()))


def _check_known(statement: AlterTable, table: CatalogBaseTable, name: str) -> None:
    if all(column.name != name for column in table.schema.columns):
        raise statement._error(f"there is no column {name!r}; {_listed(table.schema.columns)}")


def _listed(columns: Sequence[Column]) -> str:
    return f"there are {', '.join(column.name for column in columns)}"


def _users(schema: Schema, name: str, leaving: Sequence[str]) -> list[str]:
    """Return what reads a column: computed columns that stay, and the watermark."""
    from pystream.table.sql.expression_names import names_in

    computed = [
        f"the computed column {column.name!r}"
        for column in schema.columns
        if isinstance(column, ComputedColumn)
        and column.name not in leaving
        and name in names_in(column.expression)
    ]
    marks = [
        "the watermark"
        for mark in schema.watermarks
        if name == mark.column.split(".")[0] or name in names_in(mark.expression)
    ]
    return [*computed, *marks]
