"""Catalogs: databases with tables, views and functions by name, under the names of PyFlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
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

if TYPE_CHECKING:
    from pystream.settings.configuration import Configuration as Configuration
    from pystream.sql_types.data_types import DataType as DataType
    from pystream.table.resolved_schema import ResolvedSchema as ResolvedSchema
    from pystream.table.schema import Schema as Schema
    from pystream.table.table_schema import TableSchema as TableSchema
else:
    __getattr__ = re_exports(__name__)

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
