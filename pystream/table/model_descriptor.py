"""ModelDescriptor: a model of a provider as a program describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pystream.arguments.checks import require_text
from pystream.errors import ArgumentTypeError, PlanError
from pystream.settings.config_options import ConfigOption
from pystream.sql_types.names import options_clause, quoted_text
from pystream.table.catalog.objects import CatalogModel
from pystream.table.schema import Schema
from pystream.table.table_descriptor import described_option
from typeinfo.arguments import checks_arguments

__all__ = ["ModelDescriptor", "catalog_model"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class ModelDescriptor:
    """A model of a provider; made by ``ModelDescriptor.for_provider``.

    Mirrors ``org.apache.flink.table.api.ModelDescriptor``.

    Examples:
        >>> from pystream.table import DataTypes, Schema
        >>> text = Schema.new_builder().column("text", DataTypes.STRING()).build()
        >>> label = Schema.new_builder().column("label", DataTypes.STRING()).build()
        >>> model = ModelDescriptor.for_provider("openai").input_schema(text).output_schema(label).build()
        >>> model.get_options()
        {'provider': 'openai'}
    """

    declared_input: Schema | None
    declared_output: Schema | None
    options: Mapping[str, str] = field(repr=False)
    comment: str | None = None

    def __str__(self) -> str:
        comment = "" if self.comment is None else f"COMMENT {quoted_text(self.comment)}\n"
        return f"{self.declared_input}\n{self.declared_output}\n{comment}{options_clause(self.options)}"

    def __hash__(self) -> int:
        return hash(
            (self.declared_input, self.declared_output, frozenset(self.options.items()), self.comment)
        )

    @staticmethod
    def for_provider(provider: str) -> ModelDescriptor.Builder:
        """Return a builder of the descriptor of a model of a provider, such as ``openai``."""
        return ModelDescriptor.Builder(provider)

    def get_options(self) -> dict[str, str]:
        """Return the options of the model, and the name of its provider."""
        return dict(self.options)

    def get_input_schema(self) -> Schema | None:
        """Return the columns that the model takes, ``None`` if they are not given."""
        return self.declared_input

    def get_output_schema(self) -> Schema | None:
        """Return the columns that the model returns, ``None`` if they are not given."""
        return self.declared_output

    def get_comment(self) -> str | None:
        """Return the comment, ``None`` if there is none."""
        return self.comment

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build a `ModelDescriptor`; every method returns the builder."""

        def __init__(self, provider: str) -> None:
            require_text(provider, "for_provider", "provider", "the name of a provider such as 'openai'")
            self._options = {"provider": provider}
            self._input: Schema | None = None
            self._output: Schema | None = None
            self._comment: str | None = None

        def input_schema(self, input_schema: Schema) -> ModelDescriptor.Builder:
            """Set the columns that the model takes."""
            self._input = input_schema
            return self

        def output_schema(self, output_schema: Schema) -> ModelDescriptor.Builder:
            """Set the columns that the model returns."""
            self._output = output_schema
            return self

        def option(self, key: str | ConfigOption[Any], value: Any) -> ModelDescriptor.Builder:
            """Set an option of the model.

            Raises:
                ConfigurationError: the key is a str, but the value is not.
            """
            self._options.update([described_option(key, value)])
            return self

        def comment(self, comment: str) -> ModelDescriptor.Builder:
            """Set the comment."""
            self._comment = comment
            return self

        def build(self) -> ModelDescriptor:
            """Return the descriptor."""
            options = MappingProxyType(dict(self._options))
            return ModelDescriptor(self._input, self._output, options, self._comment)


def catalog_model(descriptor: ModelDescriptor, call: str) -> CatalogModel:
    """Return the model that a descriptor describes.

    Args:
        descriptor: the descriptor.
        call: the call that needs it, for messages.

    Raises:
        PlanError: the descriptor lacks the columns that the model takes or returns.
    """
    taken, returned = descriptor.declared_input, descriptor.declared_output
    if taken is None or returned is None:
        name = "input_schema" if taken is None else "output_schema"
        raise PlanError(f"{call}: the descriptor has no {name}; add .{name}(Schema.new_builder()….build())")
    return CatalogModel.create_model(taken, returned, descriptor.get_options(), descriptor.comment)
