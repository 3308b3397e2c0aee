"""Catalogs: databases with tables, views, functions and models by name, under the names of PyFlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
from pystream.table.catalog.catalog import Catalog, HiveCatalog, JdbcCatalog
from pystream.table.catalog.functions import Procedure
from pystream.table.catalog.objects import (
    CatalogBaseTable,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogModel,
    CatalogPartition,
    CatalogPartitionSpec,
)
from pystream.table.catalog.paths import ObjectIdentifier, ObjectPath
from pystream.table.catalog.statistics import CatalogColumnStatistics, CatalogTableStatistics
from pystream.table.constraints import Constraint, UniqueConstraint
from pystream.table.resolved_columns import Column, ComputedColumn, MetadataColumn, PhysicalColumn
from pystream.table.resolved_schema import ResolvedSchema
from pystream.table.watermark_spec import WatermarkSpec

if TYPE_CHECKING:
    from pystream.settings.configuration import Configuration as Configuration
    from pystream.sql_types.data_types import DataType as DataType
    from pystream.table.resolved_expression import ResolvedExpression as ResolvedExpression
    from pystream.table.schema import Schema as Schema
    from pystream.table.table_schema import TableSchema as TableSchema
else:
    __getattr__ = re_exports(__name__)

__all__ = [
    "Catalog",
    "CatalogBaseTable",
    "CatalogColumnStatistics",
    "CatalogDatabase",
    "CatalogDescriptor",
    "CatalogFunction",
    "CatalogModel",
    "CatalogPartition",
    "CatalogPartitionSpec",
    "CatalogTableStatistics",
    "Column",
    "ComputedColumn",
    "Constraint",
    "HiveCatalog",
    "JdbcCatalog",
    "MetadataColumn",
    "ObjectIdentifier",
    "ObjectPath",
    "PhysicalColumn",
    "Procedure",
    "ResolvedSchema",
    "UniqueConstraint",
    "WatermarkSpec",
]
