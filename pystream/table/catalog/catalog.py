"""Catalog: databases with tables, views, functions and models by name."""

from __future__ import annotations

from pystream.errors import UnsupportedOperationError
from pystream.table.catalog.functions import CatalogFunctions
from pystream.table.catalog.models import CatalogModels
from pystream.table.catalog.statistics import CatalogStatistics

__all__ = ["Catalog", "HiveCatalog", "JdbcCatalog"]


class Catalog(CatalogStatistics, CatalogFunctions, CatalogModels):
    """Databases with tables, views, functions and models by name.

    Upper and lower case of the names of tables differ, of those of functions not.
    Mirrors ``org.apache.flink.table.catalog.Catalog``.
    """


class HiveCatalog(Catalog):
    """Refuse a catalog of Hive, which only Java reads."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise UnsupportedOperationError(
            "HiveCatalog is written in Java; use CREATE CATALOG … WITH ('type' = 'file', 'path' = '…')"
        )


class JdbcCatalog(Catalog):
    """Refuse a catalog of a database, which only Java reads."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise UnsupportedOperationError(
            "JdbcCatalog is written in Java; use tables WITH ('connector' = 'jdbc') in another catalog"
        )
