"""TableDescriptor and FormatDescriptor: tables of connectors as a program describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pystream.arguments.checks import require_text
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError
from pystream.settings.config_options import ConfigOption
from pystream.settings.config_values import to_text
from pystream.sql_types.names import options_clause, quoted_name, quoted_text
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.schema import Schema
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["FormatDescriptor", "TableDescriptor", "catalog_table", "described_option"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class FormatDescriptor:
    """A format of messages or files and its options; made by ``FormatDescriptor.for_format``.

    Mirrors ``org.apache.flink.table.api.FormatDescriptor``.

    Examples:
        >>> print(FormatDescriptor.for_format("json").option("ignore-parse-errors", "true").build())
        json[{ignore-parse-errors=true}]
    """

    format_name: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def __post_init__(self) -> None:
        require_text(
            self.format_name, "FormatDescriptor", "format_name", "the name of a format such as 'json'"
        )

    def __str__(self) -> str:
        return f"{self.format_name}[{{{', '.join(f'{k}={v}' for k, v in self.options.items())}}}]"

    def __hash__(self) -> int:
        return hash((self.format_name, frozenset(self.options.items())))

    @staticmethod
    def for_format(format: str) -> FormatDescriptor.Builder:
        """Return a builder of the descriptor of a format, such as ``json``."""
        return FormatDescriptor.Builder(format)

    def get_format(self) -> str:
        """Return the name of the format."""
        return self.format_name

    def get_options(self) -> dict[str, str]:
        """Return the options, without the name of the format before them."""
        return dict(self.options)

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a `FormatDescriptor`; every method returns the builder."""

        def __init__(self, format: str) -> None:
            self._format = format
            self._options: dict[str, str] = {}

        def option(self, key: str | ConfigOption[Any], value: Any) -> FormatDescriptor.Builder:
            """Set an option, without the name of the format before it.

            Raises:
                ConfigurationError: the key is a str, but the value is not.
            """
            self._options.update([described_option(key, value)])
            return self

        def build(self) -> FormatDescriptor:
            """Return the descriptor."""
            return FormatDescriptor(self._format, MappingProxyType(dict(self._options)))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class TableDescriptor:
    """A table of a connector, like ``CREATE TABLE``; made by ``TableDescriptor.for_connector``.

    Mirrors ``org.apache.flink.table.api.TableDescriptor``.

    Examples:
        >>> from pystream.table import DataTypes, Schema
        >>> schema = Schema.new_builder().column("n", DataTypes.INT()).build()
        >>> print(TableDescriptor.for_connector("print").schema(schema).build())
        (
          `n` INT
        )
        WITH (
          'connector' = 'print'
        )
    """

    declared: Schema | None
    options: Mapping[str, str] = field(repr=False)
    partition_keys: tuple[str, ...] = ()
    comment: str | None = None

    def __str__(self) -> str:
        parts = [] if self.declared is None else [str(self.declared)]
        if self.comment is not None:
            parts.append(f"COMMENT {quoted_text(self.comment)}")
        if self.partition_keys:
            parts.append(f"PARTITIONED BY ({', '.join(map(quoted_name, self.partition_keys))})")
        return "\n".join([*parts, options_clause(self.options)])

    def __hash__(self) -> int:
        return hash((self.declared, frozenset(self.options.items()), self.partition_keys, self.comment))

    @staticmethod
    def for_connector(connector: str) -> TableDescriptor.Builder:
        """Return a builder of the descriptor of a table of a connector, such as ``kafka``."""
        return TableDescriptor.Builder(connector)

    def get_schema(self) -> Schema | None:
        """Return the columns, ``None`` if they are not given."""
        return self.declared

    def get_options(self) -> dict[str, str]:
        """Return the options of the connector, and its name."""
        return dict(self.options)

    def get_partition_keys(self) -> list[str]:
        """Return the names of the columns that the table is partitioned by."""
        return list(self.partition_keys)

    def get_comment(self) -> str | None:
        """Return the comment, ``None`` if there is none."""
        return self.comment

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a `TableDescriptor`; every method returns the builder."""

        def __init__(self, connector: str) -> None:
            self._schema: Schema | None = None
            self._options = {"connector": connector}
            self._partition_keys: tuple[str, ...] = ()
            self._comment: str | None = None

        def schema(self, schema: Schema) -> TableDescriptor.Builder:
            """Set the columns."""
            self._schema = schema
            return self

        def option(self, key: str | ConfigOption[Any], value: Any) -> TableDescriptor.Builder:
            """Set an option of the connector.

            Raises:
                ConfigurationError: the key is a str, but the value is not.
            """
            self._options.update([described_option(key, value)])
            return self

        def format(
            self, format: str | FormatDescriptor, format_option: ConfigOption[Any] | None = None
        ) -> TableDescriptor.Builder:
            """Set the format, and its options.

            Args:
                format: its name, or its descriptor.
                format_option: the option of the connector that names it, such as ``key.format``; ``format``
                    unless given.

            Raises:
                ConfigurationError: the key of that option does not end in ``format``.
            """
            described = FormatDescriptor(format) if isinstance(format, str) else format
            key = "format" if format_option is None else format_option.key
            if not key.endswith("format"):
                raise ConfigurationError(f"format: format_option must be one like 'format', not {key!r}")
            prefix = f"{key.removesuffix('format')}{described.format_name}"
            self._options[key] = described.format_name
            self._options.update({f"{prefix}.{k}": v for k, v in described.options.items()})
            return self

        def partitioned_by(self, *partition_keys: str) -> TableDescriptor.Builder:
            """Set the names of the columns that the table is partitioned by."""
            self._partition_keys = partition_keys
            return self

        def comment(self, comment: str) -> TableDescriptor.Builder:
            """Set the comment."""
            self._comment = comment
            return self

        def build(self) -> TableDescriptor:
            """Return the descriptor."""
            options = MappingProxyType(dict(self._options))
            return TableDescriptor(self._schema, options, self._partition_keys, self._comment)


def described_option(key: str | ConfigOption[Any], value: Any) -> tuple[str, str]:
    """Return an option of a descriptor as text.

    Raises:
        ConfigurationError: the key is a str, but the value is not.
    """
    if isinstance(key, ConfigOption):
        return key.key, to_text(value)
    if not isinstance(value, str):
        raise ConfigurationError(
            f"option {key!r}: the value must be a str, not {short_repr(value)}; other values are for a "
            "ConfigOption"
        )
    return key, value


def catalog_table(descriptor: TableDescriptor, call: str) -> CatalogBaseTable:
    """Return the table that a descriptor describes.

    Args:
        descriptor: the descriptor.
        call: the call that needs it, for messages.

    Raises:
        PlanError: the descriptor has no schema.
    """
    if descriptor.declared is None:
        raise PlanError(f"{call}: the descriptor has no columns; add .schema(Schema.new_builder()….build())")
    options = descriptor.get_options()
    return CatalogBaseTable(descriptor.declared, descriptor.partition_keys, options, descriptor.comment)
