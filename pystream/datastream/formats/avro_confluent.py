"""Avro messages whose schemas are in a registry with Confluent's interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeVar

from pystream.datastream.formats.avro import AvroSchema, GenericRecordAvroTypeInfo, require_schema
from pystream.engine.formats.avro import avro_codec
from pystream.engine.formats.avro_confluent import ConfluentColumns, confluent_reader, header_of
from pystream.engine.formats.avro_records import record_schema
from pystream.engine.formats.columns_reader import ColumnsReader
from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.schema_registry import RegistryAddress, registry_at
from pystream.errors import ConfigurationError, SerializationError
from pystream.messages.schemas import DeserializationSchema, SerializationSchema, decodes_as
from typeinfo.composite import RowTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row

__all__ = ["ConfluentRegistryAvroDeserializationSchema", "ConfluentRegistryAvroSerializationSchema"]

IN = TypeVar("IN", contravariant=True, default=Any)
OUT = TypeVar("OUT", covariant=True, default=Any)


class ConfluentRegistryAvroDeserializationSchema(DeserializationSchema[OUT]):
    """Decode records that start with a zero byte and the id of their schema in a registry.

    A record is resolved by Avro's rules from the schema that it was written by, which is looked up once by
    each worker, to the schema of the elements; records, enums and fixed bytes of other names correspond by
    their place. A registry that cannot be reached fails the job: no message is taken for a damaged one.

    Made by `for_row` and `for_generic`. Needs ``pip install 'pystream-spark[confluent-registry]'``.
    Mirrors ``org.apache.flink.formats.avro.registry.confluent.ConfluentRegistryAvroDeserializationSchema``.
    """

    def __init__(
        self, schema: AvroSchema, address: RegistryAddress, type_info: TypeInformation[OUT], has_rows: bool
    ) -> None:
        self._schema = str(schema)
        self._address = address
        self._type = type_info
        self._has_rows = has_rows
        registry_at(address)

    @staticmethod
    def for_generic(
        schema: AvroSchema, url: str, registry_configs: Mapping[str, str] | None = None
    ) -> ConfluentRegistryAvroDeserializationSchema[dict[str, Any]]:
        """Return the schema of generic records, as dicts.

        Args:
            schema: the schema of the elements.
            url: the URL of the registry, or several separated by commas.
            registry_configs: properties of its client, as confluent_kafka names them:
                ``basic.auth.user.info``, ``ssl.ca.location``, ``ssl.certificate.location``,
                ``ssl.key.location``, ``timeout`` in seconds (30) and more.

        Raises:
            ConfigurationError: an argument or a property is wrong.
            DependencyError: the client library of the registry is not installed.
        """
        require_schema(schema, "ConfluentRegistryAvroDeserializationSchema.for_generic")
        address = RegistryAddress.of(url, registry_configs or {})
        t = GenericRecordAvroTypeInfo(schema)
        return ConfluentRegistryAvroDeserializationSchema(schema, address, t, has_rows=False)

    @staticmethod
    def for_row(
        schema: AvroSchema,
        url: str,
        registry_configs: Mapping[str, str] | None = None,
        row_type: RowTypeInfo[Any] | None = None,
    ) -> ConfluentRegistryAvroDeserializationSchema[Row[Any]]:
        """Return the schema of named rows, whose values are those of ``AvroRowDeserializationSchema``.

        Args:
            schema: the schema of the elements.
            url: the URL of the registry, or several separated by commas.
            registry_configs: properties of its client; see `for_generic`.
            row_type: the type of the rows; that of the schema by default.

        Raises:
            ConfigurationError: an argument or a property is wrong.
            DependencyError: the client library of the registry is not installed.
            UnsupportedTypeError: the schema is recursive.
        """
        require_schema(schema, "ConfluentRegistryAvroDeserializationSchema.for_row")
        address = RegistryAddress.of(url, registry_configs or {})
        t = avro_codec(str(schema)).type if row_type is None else row_type
        return ConfluentRegistryAvroDeserializationSchema(schema, address, t, has_rows=True)

    def deserialize(self, message: bytes) -> OUT:
        """Decode a message to a record.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access; the error names its URL.
            DeserializationError: the message has no header or is damaged, or its schema is unknown or cannot
                be resolved; the error names the id.
        """
        record = confluent_reader(self._address, self._schema)(message)
        element: OUT = avro_codec(self._schema).row_of(record) if self._has_rows else record
        return element

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        is_own = decodes_as(ConfluentRegistryAvroDeserializationSchema, self)
        if not is_own or not self._has_rows or not isinstance(self._type, RowTypeInfo):
            return None
        return ConfluentColumns(self._address, self._schema, self._type)

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the records."""
        return self._type


class ConfluentRegistryAvroSerializationSchema(SerializationSchema[IN]):
    """Encode records after a zero byte and the id of their schema, which each worker registers at its first.

    Made by `for_row` and `for_generic`. Needs ``pip install 'pystream-spark[confluent-registry]'``.
    Mirrors ``org.apache.flink.formats.avro.registry.confluent.ConfluentRegistryAvroSerializationSchema``.
    """

    def __init__(self, subject: str, schema: AvroSchema, address: RegistryAddress, has_rows: bool) -> None:
        if not isinstance(subject, str) or not subject:
            raise ConfigurationError(f"the subject of a schema must be a str, not {subject!r}")
        self._subject = subject
        self._schema = str(schema)
        self._address = address
        self._has_rows = has_rows
        self._header: bytes | None = None
        registry_at(address)

    @staticmethod
    def for_generic(
        subject: str, schema: AvroSchema, url: str, registry_configs: Mapping[str, str] | None = None
    ) -> ConfluentRegistryAvroSerializationSchema[dict[str, Any]]:
        """Return the schema of generic records, as dicts.

        Args:
            subject: the subject that the schema is registered by, such as ``orders-value`` for the values of
                the topic ``orders``.
            schema: the schema of the elements.
            url: the URL of the registry, or several separated by commas.
            registry_configs: properties of its client; see `ConfluentRegistryAvroDeserializationSchema`.

        Raises:
            ConfigurationError: an argument or a property is wrong.
            DependencyError: the client library of the registry is not installed.
        """
        require_schema(schema, "ConfluentRegistryAvroSerializationSchema.for_generic")
        address = RegistryAddress.of(url, registry_configs or {})
        return ConfluentRegistryAvroSerializationSchema(subject, schema, address, has_rows=False)

    @staticmethod
    def for_row(
        subject: str, schema: AvroSchema, url: str, registry_configs: Mapping[str, str] | None = None
    ) -> ConfluentRegistryAvroSerializationSchema[Row[Any]]:
        """Return the schema of named rows, whose values are those of ``AvroRowSerializationSchema``.

        Args:
            subject: the subject that the schema is registered by; see `for_generic`.
            schema: the schema of the elements.
            url: the URL of the registry, or several separated by commas.
            registry_configs: properties of its client; see `ConfluentRegistryAvroDeserializationSchema`.

        Raises:
            ConfigurationError: an argument or a property is wrong.
            DependencyError: the client library of the registry is not installed.
            UnsupportedTypeError: the schema is recursive.
        """
        require_schema(schema, "ConfluentRegistryAvroSerializationSchema.for_row")
        avro_codec(str(schema))
        address = RegistryAddress.of(url, registry_configs or {})
        return ConfluentRegistryAvroSerializationSchema(subject, schema, address, has_rows=True)

    def serialize(self, element: IN) -> bytes:
        """Encode a record as a message.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access; the error names its URL.
            SerializationError: the record does not fit the schema, or the registry refuses the schema, e.g.
                because it is not compatible to that of the subject.
        """
        body = self._encode(element)
        if self._header is None:
            self._header = header_of(self._address, self._subject, self._schema)
        return self._header + body

    def _encode(self, element: Any) -> bytes:
        if self._has_rows:
            return avro_codec(self._schema).write(element)
        try:
            return record_schema(self._schema).encode(element)
        except FieldError as error:
            raise SerializationError(f"cannot write {excerpt(element)} as Avro: {error}") from error
