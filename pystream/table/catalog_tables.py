"""The tables of names: what a connector reads or a view computes, and the connectors that are written to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.settings.options import OPTIONS_HINTS
from pystream.sql_types.data_types import DataType
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog.paths import HintedPath, ObjectIdentifier
from pystream.table.catalog_manager import is_view
from pystream.table.columns import columns_of_schema
from pystream.table.connector_tables import table_of_connector
from pystream.table.connectors.base import Connector, TableDefinition
from pystream.table.connectors.registry import connector_of
from pystream.table.query_tables import table_of_query
from pystream.table.table import Table
from pystream.table.table_descriptor import TableDescriptor, catalog_table

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = [
    "Views",
    "connector_of_descriptor",
    "connector_of_table",
    "table_of_path",
    "table_with_options",
    "target_connector",
]


class Views:
    """The tables of the views that an environment has read, as long as none of its names changes.

    Several queries that read a view share its table, so that a job computes it once.

    Args:
        environment: the environment.
    """

    def __init__(self, environment: TableEnvironment) -> None:
        self._environment = environment
        self._tables: dict[ObjectIdentifier, tuple[object, Table]] = {}
        self._reading: set[ObjectIdentifier] = set()

    def table(self, identifier: ObjectIdentifier, view: CatalogBaseTable) -> Table:
        """Return the table of a view.

        Args:
            identifier: its name.
            view: the view.

        Raises:
            SqlError: its query is wrong.
            PlanError: a table that it reads does not exist, or has other columns than it had; or it reads
                itself.
        """
        environment = self._environment
        settings = environment.get_config().get_configuration().to_dict()
        state = (environment._catalogs.changes, environment._functions.changes, view, settings)
        known = self._tables.get(identifier)
        if known is None or known[0] != state:
            if identifier in self._reading:
                raise PlanError(f"view {environment._catalogs.shown(identifier)!r} reads itself")
            self._reading.add(identifier)
            try:
                known = self._tables[identifier] = state, self._computed(identifier, view)
            finally:
                self._reading.remove(identifier)
        return known[1]

    def _computed(self, identifier: ObjectIdentifier, view: CatalogBaseTable) -> Table:
        from pystream.table.sql.parser import parse_query

        assert view.view is not None
        table = table_of_query(self._environment, parse_query(view.view.expanded_query))
        own = columns_of_schema(view.schema, f"view {identifier}")
        names = [column.name for column in own]
        found = [column.name for column in table._columns]
        made_of = view.view.columns or found[: len(own)]  # unless known, new names by position
        was = [f"{name} {_shape(column.data_type)}" for name, column in zip(made_of, own, strict=False)]
        now = [f"{column.name} {_shape(column.data_type)}" for column in table._columns]
        if was != now or len(own) != len(now):
            raise PlanError(
                f"view {self._environment._catalogs.shown(identifier)!r} was made of other columns "
                f"({', '.join(was)}) than its query has now ({', '.join(now)}): create it again"
            )
        return table if names == found else table.alias(*names)


def _shape(data_type: DataType) -> str:
    """Return a type without what it says of nulls."""
    return str(data_type).replace(" NOT NULL", "")


def table_of_path(environment: TableEnvironment, path: str) -> Table:
    """Return a table or view by its name.

    Args:
        environment: the environment.
        path: the name.

    Raises:
        PlanError: there is none of that name, or it is only written to.
    """
    entry = environment._catalogs.get(path)
    if isinstance(entry, Table):
        return entry
    identifier = environment._catalogs.identify(path)
    if entry.view is not None:
        return environment._views.table(identifier, entry)
    return table_of_connector(environment, connector_of_table(environment._catalogs.shown(identifier), entry))


def connector_of_table(name: str, table: CatalogBaseTable) -> Connector:
    """Return the connector of a table of a catalog.

    Args:
        name: the name of the table, for messages.
        table: the table.

    Raises:
        ConfigurationError: there is no such connector, or one of its options is wrong.
        PlanError: there are no columns, or it has no such metadata as a column is to hold.
    """
    columns = columns_of_schema(table.schema, f"table {name!r}")
    return connector_of(
        TableDefinition(name, columns, table.schema, table.options, tuple(table.partition_keys))
    )


def connector_of_descriptor(descriptor: TableDescriptor, call: str) -> Connector:
    """Return the connector of a table without a name.

    Args:
        descriptor: describes the table.
        call: the call that needs it, for messages.

    Raises:
        PlanError: the descriptor has no schema.
        ConfigurationError: there is no such connector, or one of its options is wrong.
    """
    table = catalog_table(descriptor, call)
    return connector_of_table(f"*anonymous_{table.options.get('connector')}*", table)


def target_connector(environment: TableEnvironment, target: str | HintedPath | TableDescriptor) -> Connector:
    """Return the connector of a table that is written to.

    Args:
        environment: the environment.
        target: the name of the table, with the options of a hint, or its descriptor.

    Raises:
        PlanError: there is no table of that name, or it is a view.
        ConfigurationError: the connector does not take an option.
    """
    if isinstance(target, TableDescriptor):
        return connector_of_descriptor(target, "the table to write to")
    return _connector_of_path(environment, target, "a view, which cannot be written to")


def table_with_options(environment: TableEnvironment, path: HintedPath) -> Table:
    """Return a table with the options of a hint.

    Args:
        environment: the environment.
        path: the name and the options.

    Raises:
        PlanError: there is no table of that name, it is a view, or its connector only writes.
        ConfigurationError: the connector does not take an option.
    """
    connector = _connector_of_path(environment, path, "a view, and OPTIONS is for tables of connectors")
    return table_of_connector(environment, connector)


def _connector_of_path(environment: TableEnvironment, path: str | HintedPath, view: str) -> Connector:
    """Return the connector of a table.

    Args:
        environment: the environment.
        path: the name of the table, with the options of a hint.
        view: what is wrong with a view.
    """
    entry = environment._catalogs.get(str(path))
    if isinstance(entry, Table) or is_view(entry):
        raise PlanError(f"{str(path)!r} is {view}")
    if isinstance(path, HintedPath):
        if not environment.get_config().get_configuration().get(OPTIONS_HINTS):
            raise PlanError(f"the hint OPTIONS is not allowed: set {OPTIONS_HINTS.key!r} to 'true'")
        entry = replace(entry, options={**entry.options, **path.options})
    return connector_of_table(environment._catalogs.shown(environment._catalogs.identify(str(path))), entry)
