"""Catalogs: databases with tables, views and functions by name, under the names of PyFlink."""

from __future__ import annotations

from pystream.table.catalog.catalog import Catalog, HiveCatalog, JdbcCatalog
from pystream.table.catalog.objects import (
    CatalogBaseTable,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogPartition,
    CatalogPartitionSpec,
)
from pystream.table.catalog.paths import ObjectIdentifier, ObjectPath

__all__ = [
    "Catalog",
    "CatalogBaseTable",
    "CatalogDatabase",
    "CatalogDescriptor",
    "CatalogFunction",
    "CatalogPartition",
    "CatalogPartitionSpec",
    "HiveCatalog",
    "JdbcCatalog",
    "ObjectIdentifier",
    "ObjectPath",
]
