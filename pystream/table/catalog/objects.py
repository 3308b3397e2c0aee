"""The contents of catalogs: databases, tables, views, functions, models and partitions."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pystream.arguments.checks import require_text
from pystream.errors import ArgumentTypeError
from pystream.settings.configuration import Configuration
from pystream.table.schema import Schema
from pystream.table.table_schema import TableSchema
from typeinfo.arguments import checks_arguments

__all__ = [
    "CatalogBaseTable",
    "CatalogDatabase",
    "CatalogDescriptor",
    "CatalogFunction",
    "CatalogModel",
    "CatalogPartition",
    "CatalogPartitionSpec",
    "View",
]


class _Described:
    """An object with a comment; equal if all of its parts are."""

    comment: str | None

    def get_comment(self) -> str | None:
        """Return the comment, ``None`` if there is none."""
        return self.comment

    def get_description(self) -> str | None:
        """Return the comment, as Flink does."""
        return self.comment

    def get_detailed_description(self) -> str | None:
        """Return the comment, as Flink does."""
        return self.comment

    def copy(self) -> Self:
        """Return a copy."""
        return copy.deepcopy(self)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogDatabase(_Described):
    """A database of a catalog; made by ``create_instance``.

    Mirrors ``org.apache.flink.table.catalog.CatalogDatabase``.
    """

    properties: dict[str, str] = field(default_factory=dict)
    comment: str | None = None

    @staticmethod
    def create_instance(properties: Mapping[str, str], comment: str | None = None) -> CatalogDatabase:
        """Return a database with some properties."""
        return CatalogDatabase(dict(properties), comment)

    def get_properties(self) -> dict[str, str]:
        """Return the properties."""
        return dict(self.properties)


@dataclass(frozen=True, slots=True)
class View:
    """The query of a view.

    Attributes:
        original_query: its text as it was written.
        expanded_query: its text with the full names of tables.
        columns: the names of the columns of the query, if they are known; those of the view may differ.
    """

    original_query: str
    expanded_query: str
    columns: tuple[str, ...] = ()


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogBaseTable(_Described):
    """A table or view of a catalog; made by ``create_table`` and ``create_view``.

    Mirrors ``org.apache.flink.table.catalog.CatalogBaseTable``.
    """

    schema: Schema
    partition_keys: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict, repr=False)
    comment: str | None = None
    view: View | None = None

    @staticmethod
    def create_table(
        schema: TableSchema | Schema,
        partition_keys: Sequence[str] = (),
        properties: Mapping[str, str] | None = None,
        comment: str | None = None,
    ) -> CatalogBaseTable:
        """Return a table.

        Args:
            schema: its columns.
            partition_keys: the names of the columns that it is partitioned by.
            properties: the options of its connector.
            comment: its comment.
        """
        return CatalogBaseTable(_declared(schema), tuple(partition_keys), dict(properties or {}), comment)

    @staticmethod
    def create_view(
        original_query: str,
        expanded_query: str,
        schema: TableSchema | Schema,
        properties: Mapping[str, str],
        comment: str | None = None,
    ) -> CatalogBaseTable:
        """Return a view.

        Args:
            original_query: the text of its query.
            expanded_query: the same with the full names of tables, which is what queries read.
            schema: its columns.
            properties: its properties.
            comment: its comment.
        """
        view = View(original_query, expanded_query)
        return CatalogBaseTable(_declared(schema), (), dict(properties), comment, view)

    @property
    def kind(self) -> str:
        """``view`` or ``table``, for messages."""
        return "table" if self.view is None else "view"

    def get_options(self) -> dict[str, str]:
        """Return the options of the connector, or the properties of the view."""
        return dict(self.options)

    def get_unresolved_schema(self) -> Schema:
        """Return the columns as they are declared."""
        return self.schema


def _declared(schema: TableSchema | Schema) -> Schema:
    if isinstance(schema, Schema):
        return schema
    return Schema.new_builder().from_fields(schema.get_field_names(), schema.get_field_data_types()).build()


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogFunction(_Described):
    """A function of a catalog; made by ``create_instance``.

    Mirrors ``org.apache.flink.table.catalog.CatalogFunction``.
    """

    class_name: str
    function_language: str = "Python"
    comment: str | None = None

    def __post_init__(self) -> None:
        require_text(
            self.class_name, "CatalogFunction", "class_name", "the place of the function, as module.name"
        )

    @staticmethod
    def create_instance(class_name: str, function_language: str = "Python") -> CatalogFunction:
        """Return a function.

        Args:
            class_name: where it is, as ``module.name``.
            function_language: ``Python``; functions of other languages are kept but cannot be called.

        Raises:
            ConfigurationError: the name is empty.
        """
        return CatalogFunction(class_name, function_language)

    def get_class_name(self) -> str:
        """Return where the function is, as ``module.name``."""
        return self.class_name

    def get_function_language(self) -> str:
        """Return the language of the function."""
        return self.function_language

    def get_options(self) -> dict[str, str]:
        """Return no options: functions in Python have none."""
        return {}


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogModel(_Described):
    """A model of a catalog; made by ``create_model``.

    Mirrors ``org.apache.flink.table.catalog.CatalogModel``.
    """

    input_schema: Schema
    output_schema: Schema
    options: dict[str, str] = field(default_factory=dict, repr=False)
    comment: str | None = None

    @staticmethod
    def create_model(
        input_schema: Schema,
        output_schema: Schema,
        options: Mapping[str, str] | None = None,
        comment: str | None = None,
    ) -> CatalogModel:
        """Return a model.

        Args:
            input_schema: the columns that it takes.
            output_schema: the columns that it returns.
            options: its options, such as those of its provider.
            comment: its comment.
        """
        return CatalogModel(input_schema, output_schema, dict(options or {}), comment)

    def get_options(self) -> dict[str, str]:
        """Return the options."""
        return dict(self.options)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class CatalogPartition(_Described):
    """A partition of a table; made by ``create_instance``.

    Mirrors ``org.apache.flink.table.catalog.CatalogPartition``.
    """

    properties: dict[str, str] = field(default_factory=dict)
    comment: str | None = None

    @staticmethod
    def create_instance(properties: Mapping[str, str], comment: str | None = None) -> CatalogPartition:
        """Return a partition with some properties."""
        return CatalogPartition(dict(properties), comment)

    def get_properties(self) -> dict[str, str]:
        """Return the properties."""
        return dict(self.properties)


@checks_arguments(ArgumentTypeError)
class CatalogPartitionSpec:
    """The values of columns that stand for partitions of a table; their order has no meaning.

    Mirrors ``org.apache.flink.table.catalog.CatalogPartitionSpec``.

    Args:
        partition_spec: the values by the names of the columns.
    """

    def __init__(self, partition_spec: Mapping[str, str]) -> None:
        self._values = dict(partition_spec)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self._values.items())
        return f"CatalogPartitionSpec{{{{{values}}}}}"

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, CatalogPartitionSpec) and self._values == other._values

    def get_partition_spec(self) -> dict[str, str]:
        """Return the values by the names of the columns."""
        return dict(self._values)


@checks_arguments(ArgumentTypeError)
class CatalogDescriptor:
    """The options of a catalog, for ``TableEnvironment.create_catalog``; made by ``of``.

    Mirrors ``org.apache.flink.table.catalog.CatalogDescriptor``.
    """

    def __init__(self, catalog_name: str, configuration: Configuration, comment: str | None = None) -> None:
        require_text(catalog_name, "CatalogDescriptor", "catalog_name", "the name of the catalog")
        self.name = catalog_name
        self.options: dict[str, str] = configuration.to_dict()
        self.comment = comment

    @staticmethod
    def of(catalog_name: str, configuration: Configuration, comment: str | None = None) -> CatalogDescriptor:
        """Return the descriptor of a catalog.

        Args:
            catalog_name: its name.
            configuration: its options, such as ``type``.
            comment: its comment.

        Raises:
            ConfigurationError: the name is empty.
        """
        return CatalogDescriptor(catalog_name, configuration, comment)
