"""CREATE TABLE … LIKE and CREATE TABLE … AS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.sql_types.names import quoted_name
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.created_tables import create_table
from pystream.table.inserts import start_inserts
from pystream.table.query_tables import table_of_query
from pystream.table.schema import (
    Column,
    ComputedColumn,
    MetadataColumn,
    PhysicalColumn,
    PrimaryKey,
    Schema,
    Watermark,
)
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.statements.base import Statement, success
from pystream.table.table import Table
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["FEATURES", "CreateTableAs", "CreateTableLike"]

FEATURES: dict[str, tuple[str, ...]] = {
    "CONSTRAINTS": ("INCLUDING", "EXCLUDING"),
    "DISTRIBUTION": ("INCLUDING", "EXCLUDING"),
    "GENERATED": ("INCLUDING", "EXCLUDING", "OVERWRITING"),
    "METADATA": ("INCLUDING", "EXCLUDING", "OVERWRITING"),
    "OPTIONS": ("INCLUDING", "EXCLUDING", "OVERWRITING"),
    "PARTITIONS": ("INCLUDING", "EXCLUDING"),
    "WATERMARKS": ("INCLUDING", "EXCLUDING", "OVERWRITING"),
}
"""The parts of a table that LIKE takes over, and what may be said of each of them."""

_SOURCE = "source_rows"


@dataclass(frozen=True, slots=True)
class CreateTableLike(Statement):
    """``CREATE TABLE … LIKE``.

    Attributes:
        path: the name of the table.
        declared: its own columns, watermarks and keys.
        options: its own options.
        source: the name of the table that it is like.
        choices: what is done with each of the `FEATURES` of that table; by default, options are
            overwritten and the others included.
        if_not_exists: whether a table of that name may exist, which then stays.
        is_temporary: whether it ends with the program.
        partition_keys: its own partition keys.
        comment: its comment, if it has one.
    """

    path: str
    declared: tuple[Column | Watermark | PrimaryKey, ...]
    options: Mapping[str, str] = field(repr=False)
    source: str
    choices: Mapping[str, str]
    if_not_exists: bool = False
    is_temporary: bool = False
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the table."""
        source = environment._catalogs.get(self.source)
        if isinstance(source, Table) or source.view is not None:
            raise PlanError(f"CREATE TABLE {self.path} LIKE: {self.source!r} is a view; LIKE takes a table")
        table = CatalogBaseTable(
            self._schema(source.schema),
            self._partition_keys(source),
            self._options(source.options),
            self.comment,
        )
        create_table(
            environment, self.path, table, is_temporary=self.is_temporary, if_not_exists=self.if_not_exists
        )
        return success()

    def _choice(self, feature: str) -> str:
        return self.choices.get(feature, "OVERWRITING" if feature == "OPTIONS" else "INCLUDING")

    def _twice(self, what: str, feature: str) -> PlanError:
        ways = " or ".join(f"{way} {feature}" for way in FEATURES[feature] if way != "INCLUDING")
        return PlanError(f"CREATE TABLE {self.path} LIKE {self.source}: both have {what}; add {ways}")

    def _options(self, base: Mapping[str, str]) -> dict[str, str]:
        choice = self._choice("OPTIONS")
        if choice == "EXCLUDING":
            return dict(self.options)
        for key in self.options if choice == "INCLUDING" else ():
            if key in base:
                raise self._twice(f"the option {key!r}", "OPTIONS")
        return {**base, **self.options}

    def _partition_keys(self, base: CatalogBaseTable) -> tuple[str, ...]:
        """Return the own keys, or else those of the other table, even if they are excluded, as Flink does."""
        if self.partition_keys and base.partition_keys and self._choice("PARTITIONS") != "EXCLUDING":
            raise self._twice("partition keys", "PARTITIONS")
        return self.partition_keys or base.partition_keys

    def _schema(self, base: Schema) -> Schema:
        columns = {column.name: column for column in base.columns if self._takes(column)}
        watermarks = () if self._choice("WATERMARKS") == "EXCLUDING" else base.watermarks
        key = None if self._choice("CONSTRAINTS") == "EXCLUDING" else base.primary_key
        for part in self.declared:
            match part:
                case Watermark():
                    if watermarks and self._choice("WATERMARKS") != "OVERWRITING":
                        raise self._twice("a watermark", "WATERMARKS")
                    watermarks = (part,)
                case PrimaryKey():
                    if key is not None:
                        raise self._twice("a primary key", "CONSTRAINTS")
                    key = part
                case _:
                    self._check_column(part, columns.get(part.name))
                    columns[part.name] = part
        return Schema(tuple(columns.values()), watermarks, key).with_required_keys()

    def _takes(self, column: Column) -> bool:
        feature = _feature(column)
        return feature is None or self._choice(feature) != "EXCLUDING"

    def _check_column(self, own: Column, base: Column | None) -> None:
        if base is None:
            return
        feature = _feature(own)
        if feature is None or type(own) is not type(base):
            raise PlanError(f"CREATE TABLE {self.path} LIKE {self.source}: both have the column {own.name!r}")
        if self._choice(feature) != "OVERWRITING":
            raise self._twice(f"the column {own.name!r}", feature)


def _feature(column: Column) -> str | None:
    match column:
        case ComputedColumn():
            return "GENERATED"
        case MetadataColumn():
            return "METADATA"
    return None


@dataclass(frozen=True, slots=True)
class CreateTableAs(Statement):
    """``CREATE [OR REPLACE] TABLE … AS query``.

    Attributes:
        path: the name of the table.
        declared: its own columns, watermarks and keys; a text is the name of a column of the query.
        options: its options.
        query: the query.
        if_not_exists: whether a table of that name may exist, which then stays as it is.
        replaces: whether a table of that name may exist, which is replaced.
        partition_keys: the names of the columns that it is partitioned by.
        comment: its comment, if it has one.
    """

    path: str
    declared: tuple[Column | Watermark | PrimaryKey | str, ...]
    options: Mapping[str, str] = field(repr=False)
    query: ParsedQuery
    if_not_exists: bool = False
    replaces: bool = False
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the table, and start a job that writes the rows of the query to it."""
        manager = environment._catalogs
        identifier = manager.identify(self.path)
        old = manager.find_permanent(identifier)
        if old is not None and self.if_not_exists:
            return success()
        rows = table_of_query(environment, self.query)
        schema = self._schema(rows)
        table = CatalogBaseTable(schema, self.partition_keys, dict(self.options), self.comment)
        if old is not None and self.replaces:
            manager.drop(self.path, views=False)
        try:
            create_table(environment, self.path, table, is_temporary=False)
            return start_inserts(environment, [(self.path, _fitted(environment, rows, schema), False)])
        except BaseException:
            if manager.find_permanent(identifier) not in (None, old):  # a temporary table may hide it
                manager.catalog(identifier.catalog_name).drop_table(identifier.to_object_path(), False)
            if old is not None and manager.find_permanent(identifier) is None:
                manager.create(self.path, old, is_temporary=False)
            raise

    def _schema(self, rows: Table) -> Schema:
        found: dict[str, Column] = {c.name: PhysicalColumn(c.name, c.data_type) for c in rows._columns}
        names = [part for part in self.declared if isinstance(part, str)]
        if names:
            return Schema(tuple(self._chosen(found, names)))
        own = {
            part.name: part
            for part in self.declared
            if isinstance(part, PhysicalColumn | ComputedColumn | MetadataColumn)
        }
        marks = tuple(part for part in self.declared if isinstance(part, Watermark))
        keys = [part for part in self.declared if isinstance(part, PrimaryKey)]
        columns = (*own.values(), *(column for name, column in found.items() if name not in own))
        return Schema(columns, marks, keys[0] if keys else None).with_required_keys()

    def _chosen(self, found: Mapping[str, Column], names: list[str]) -> list[Column]:
        unknown = [name for name in names if name not in found]
        if unknown or len(names) != len(found) or len(self.declared) != len(names):
            raise PlanError(
                f"CREATE TABLE {self.path} AS: names without types are those of all columns of the query, "
                f"{', '.join(found)}, in another order"
            )
        return [found[name] for name in names]


def _fitted(environment: TableEnvironment, rows: Table, schema: Schema) -> Table:
    """Return the rows of a query as those of a table with more columns, whose others are null."""
    from pystream.table.sql.parser import parse_query

    own = {column.name for column in rows._columns}
    written = [
        column
        for column in schema.columns
        if isinstance(column, PhysicalColumn)
        or (isinstance(column, MetadataColumn) and not column.is_virtual)
    ]
    if [column.name for column in written] == [column.name for column in rows._columns]:
        return rows
    values = [
        quoted_name(column.name)
        if column.name in own
        else f"CAST(NULL AS {column.data_type.nullable()}) AS {quoted_name(column.name)}"
        for column in written
    ]
    query = parse_query(f"SELECT {', '.join(values)} FROM {_SOURCE}")
    return table_of_query(environment, query, {_SOURCE: rows})
