"""Tables and views that a program adds to catalogs and removes from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog_manager import CatalogManager
from pystream.table.catalog_tables import connector_of_table
from pystream.table.connectors.registry import CONNECTORS

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["check_table", "create_table", "drop_entry"]


def create_table(
    environment: TableEnvironment,
    path: str,
    table: CatalogBaseTable,
    *,
    is_temporary: bool,
    if_not_exists: bool = False,
) -> bool:
    """Add a table, and return whether it is new.

    Args:
        environment: the environment.
        path: its name.
        table: the table.
        is_temporary: whether it ends with the program.
        if_not_exists: whether there may be a table or view of that name, which then stays.

    Raises:
        PlanError: there is one of that name; there is no such catalog or database; or a column of the
            partitions, the primary key or the watermark does not exist.
        ConfigurationError: an option of the connector is wrong.
    """
    manager = environment._catalogs
    identifier = manager.identify(path)
    if if_not_exists and manager.exists(identifier, is_temporary=is_temporary):
        return False
    check_table(manager.shown(identifier), table)
    manager.create(path, table, is_temporary=is_temporary)
    return True


def check_table(name: str, table: CatalogBaseTable) -> None:
    """Check the options of a table that has a known connector, and the names of its columns.

    Args:
        name: its name, for messages.
        table: the table.

    Raises:
        PlanError: a column of the partitions or the primary key does not exist.
        ConfigurationError: an option of the connector is wrong.
    """
    names = [column.name for column in table.schema.columns]
    for what, keys in (
        ("is partitioned by", table.partition_keys),
        ("has the primary key", table.schema.primary_key_columns),
        ("has a watermark for", [mark.column.split(".")[0] for mark in table.schema.watermarks]),
    ):
        for key in keys:
            if key not in names:
                raise PlanError(f"table {name!r} {what} {key!r}, but its columns are {', '.join(names)}")
    if table.options.get("connector") in CONNECTORS:  # others may be completed by LIKE, or read by nobody
        connector_of_table(name, table)


def drop_entry(
    manager: CatalogManager, path: str, *, views: bool, if_exists: bool, is_temporary: bool = False
) -> bool:
    """Remove a table or view, and return whether there was one of that name.

    Args:
        manager: the catalogs.
        path: its name.
        views: whether it is a view.
        if_exists: whether it may be missing.
        is_temporary: whether it is a temporary one.

    Raises:
        PlanError: it is missing, or hidden by a temporary one.
    """
    drop = manager.drop_temporary if is_temporary else manager.drop
    if drop(path, views=views):
        return True
    if not if_exists:
        identifier = manager.identify(path)
        place = (identifier.catalog_name, identifier.database_name, views)
        names = manager.temporary_names(*place) if is_temporary else manager.names(*place)
        what = f"{'temporary ' if is_temporary else ''}{'view' if views else 'table'}"
        raise manager.missing(identifier, what, names)
    return False
