"""CREATE TABLE, DROP TABLE and DROP VIEW."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.created_tables import create_table, drop_entry
from pystream.table.schema import Schema
from pystream.table.statements.base import Statement, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["CreateTable", "Drop"]


@dataclass(frozen=True, slots=True)
class CreateTable(Statement):
    """``CREATE TABLE``.

    Attributes:
        path: the name of the table.
        schema: its columns, keys and watermarks.
        options: the options of ``WITH``.
        if_not_exists: whether a table of that name may exist, which then stays.
        is_temporary: whether it ends with the program.
        partition_keys: the names of the columns that it is partitioned by.
        comment: its comment, if it has one.
    """

    path: str
    schema: Schema
    options: Mapping[str, str] = field(repr=False)
    if_not_exists: bool = False
    is_temporary: bool = False
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the table."""
        schema = self.schema.with_required_keys()
        table = CatalogBaseTable(schema, self.partition_keys, dict(self.options), self.comment)
        create_table(
            environment,
            self.path,
            table,
            is_temporary=self.is_temporary,
            if_not_exists=self.if_not_exists,
        )
        return success()


@dataclass(frozen=True, slots=True)
class Drop(Statement):
    """``DROP TABLE`` and ``DROP VIEW``.

    Attributes:
        path: the name of the table or view.
        if_exists: whether it may be missing.
        is_view: whether a view is dropped.
        is_temporary: whether it is a temporary one.
    """

    path: str
    if_exists: bool
    is_view: bool
    is_temporary: bool = False

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Remove the table or view; what a table holds stays."""
        manager = environment._catalogs
        drop_entry(
            manager, self.path, views=self.is_view, if_exists=self.if_exists, is_temporary=self.is_temporary
        )
        return success()
