"""Rows of tables as Avro messages, without a header or with that of a schema registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pystream.datastream.formats.avro import AvroSchema
from pystream.datastream.formats.avro_confluent import (
    ConfluentRegistryAvroDeserializationSchema,
    ConfluentRegistryAvroSerializationSchema,
)
from pystream.engine.formats.avro import avro_codec
from pystream.errors import ConfigurationError
from pystream.messages.avro import AvroRowDeserializationSchema, AvroRowSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import MAP, STRING
from pystream.table.columns import row_data_type
from pystream.table.connectors.options import Option
from pystream.table.formats.avro_records import avro_schema_of
from pystream.table.formats.base import MessageFormat
from typeinfo.row import Row

__all__ = ["AvroFormat", "ConfluentAvroFormat"]


class AvroFormat(MessageFormat):
    """Records in Avro's binary encoding without a header, by the schema that the columns have.

    Mirrors Flink's format ``avro``.
    """

    name = "avro"

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        schema = AvroRowDeserializationSchema(avro_schema_string=self._schema(), row_type=self.row_type)
        return self.declared(schema)

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return AvroRowSerializationSchema(avro_schema_string=self._schema())

    def _schema(self) -> str:
        return avro_schema_of(row_data_type(self.columns), has_millis=True)


class ConfluentAvroFormat(MessageFormat):
    """Records after the id of their schema in a registry with Confluent's interface.

    What is written has the schema of the columns, or the one given as ``schema``, whose fields must be the
    columns. Mirrors Flink's format ``avro-confluent``; certificates and keys are files in PEM instead of
    Java's key stores.
    """

    name = "avro-confluent"
    options: ClassVar[Mapping[str, Option]] = {
        "url": Option(STRING),
        "subject": Option(STRING),
        "schema": Option(STRING),
        "basic-auth.user-info": Option(STRING),
        "ssl.ca.location": Option(STRING),
        "ssl.certificate.location": Option(STRING),
        "ssl.key.location": Option(STRING),
        "ssl.key.password": Option(STRING),
        "properties": Option(MAP),
    }

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        return self.declared(
            ConfluentRegistryAvroDeserializationSchema.for_row(
                self._schema(), self._required("url"), self._properties(), self.row_type
            )
        )

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return ConfluentRegistryAvroSerializationSchema.for_row(
            self._required("subject"), self._schema(), self._required("url"), self._properties()
        )

    def _required(self, key: str) -> str:
        if self.values[key] is None:
            raise ConfigurationError(f"{self.owner} needs the option '{self.name}.{key}'")
        return str(self.values[key])

    def _properties(self) -> dict[str, str]:
        own = {key: self.values[key] for key in self.options if key.startswith("ssl.")}
        own["basic.auth.user.info"] = self.values["basic-auth.user-info"]
        given = {key: value for key, value in own.items() if value is not None}
        return {**(self.values["properties"] or {}), **given}

    def _schema(self) -> AvroSchema:
        given = self.values["schema"]
        if given is None:
            return AvroSchema.parse_string(avro_schema_of(row_data_type(self.columns), has_millis=True))
        schema = AvroSchema.parse_string(given)
        fields, names = avro_codec(str(schema)).type.get_field_names(), self.row_type.get_field_names()
        if fields != names:
            raise ConfigurationError(
                f"{self.owner}: the fields of '{self.name}.schema' are {', '.join(fields)}, but the columns "
                f"are {', '.join(names)}"
            )
        return schema
