"""The descriptors of Flink 1 for schemas, which describe themselves as properties."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import NoReturn

from pystream.errors import ArgumentTypeError, ConfigurationError, SqlError, UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.sql.column_types import parse_data_type
from pystream.table.table_schema import TableSchema
from typeinfo.arguments import checks_arguments

__all__ = ["Descriptor", "Rowtime", "Schema"]

_OLD_NAMES = {
    "BYTE": "TINYINT",
    "LONG": "BIGINT",
    "SHORT": "SMALLINT",
    "SQL_DATE": "DATE",
    "SQL_TIME": "TIME(0)",
    "SQL_TIMESTAMP": "TIMESTAMP(3)",
}

_SHORT_NAMES = re.compile(r"`(?:[^`]|``)*`|\bSTRING\b|\bBYTES\b|\bTIMESTAMP_LTZ(?=\()(\(\d\))")

_LONG_NAMES = {"STRING": "VARCHAR(2147483647)", "BYTES": "VARBINARY(2147483647)"}


class Descriptor(ABC):
    """A description of a part of a table, as properties.

    Nothing reads the properties any more; `TableDescriptor` declares tables.

    Mirrors ``org.apache.flink.table.legacy.descriptors.Descriptor``.
    """

    @abstractmethod
    def to_properties(self) -> dict[str, str]:
        """Return the properties by their keys."""


@checks_arguments(ArgumentTypeError)
class Rowtime(Descriptor):
    """Where the event time of a field and its watermarks come from.

    Mirrors ``org.apache.flink.table.legacy.descriptors.Rowtime``.

    Examples:
        >>> Rowtime().timestamps_from_field("ts").watermarks_periodic_ascending().to_properties()
        {'rowtime.timestamps.type': 'from-field', 'rowtime.timestamps.from': 'ts', \
'rowtime.watermarks.type': 'periodic-ascending'}
    """

    def __init__(self) -> None:
        self._properties: dict[str, str] = {}

    def timestamps_from_field(self, field_name: str) -> Rowtime:
        """Take a field as event time; return this descriptor."""
        return self._with(**{"timestamps.type": "from-field", "timestamps.from": field_name})

    def timestamps_from_source(self) -> Rowtime:
        """Take the timestamps of the records; return this descriptor."""
        return self._with(**{"timestamps.type": "from-source"})

    def timestamps_from_extractor(self, extractor: str) -> NoReturn:
        """Refuse an extractor written in Java.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _of_java("timestamps_from_extractor", extractor, "timestamps_from_field")

    def watermarks_periodic_ascending(self) -> Rowtime:
        """Emit watermarks of times that never decrease; return this descriptor."""
        return self._with(**{"watermarks.type": "periodic-ascending"})

    def watermarks_periodic_bounded(self, delay: int) -> Rowtime:
        """Emit watermarks that are a delay behind the latest time; return this descriptor.

        Args:
            delay: the delay in milliseconds.
        """
        return self._with(**{"watermarks.type": "periodic-bounded", "watermarks.delay": str(delay)})

    def watermarks_from_source(self) -> Rowtime:
        """Keep the watermarks of the source; return this descriptor."""
        return self._with(**{"watermarks.type": "from-source"})

    def watermarks_from_strategy(self, strategy: str) -> NoReturn:
        """Refuse a strategy written in Java.

        Raises:
            UnsupportedOperationError: always.
        """
        raise _of_java("watermarks_from_strategy", strategy, "watermarks_periodic_bounded")

    def to_properties(self) -> dict[str, str]:
        """Return the properties, whose keys start with ``rowtime.``."""
        return {f"rowtime.{key}": value for key, value in self._properties.items()}

    def _with(self, **properties: str) -> Rowtime:
        for key in properties:
            if key in self._properties:
                raise ConfigurationError(f"Rowtime: property 'rowtime.{key}' is set already")
        self._properties |= properties
        return self


@checks_arguments(ArgumentTypeError)
class Schema(Descriptor):
    """The fields of a table in order.

    `pystream.table.Schema` is the one that tables are declared by.

    Args:
        schema: the names and types of the fields.
        fields: types, or their names, by the name of the field; added to those of ``schema``.
        rowtime: makes the last field one of event time.

    Mirrors ``org.apache.flink.table.legacy.descriptors.Schema``.

    Examples:
        >>> Schema().field("name", "STRING").from_origin_field("NAME").to_properties()
        {'schema.0.name': 'name', 'schema.0.data-type': 'STRING', 'schema.0.from': 'NAME'}
    """

    def __init__(
        self,
        schema: TableSchema | None = None,
        fields: dict[str, DataType | str] | None = None,
        rowtime: Rowtime | None = None,
    ) -> None:
        self._fields: dict[str, dict[str, str]] = {}
        self._is_complete = True
        if schema is not None:
            self.schema(schema)
        if fields is not None:
            self.fields(fields)
        if rowtime is not None:
            self.rowtime(rowtime)

    def schema(self, table_schema: TableSchema) -> Schema:
        """Replace all fields; return this descriptor."""
        self._fields.clear()
        self._is_complete = True
        names_and_types = zip(table_schema.field_names, table_schema.data_types, strict=True)
        self._fields |= {name: {"data-type": _type_text(name, one)} for name, one in names_and_types}
        return self

    def field(self, field_name: str, field_type: DataType | str) -> Schema:
        """Add a field; return this descriptor.

        Args:
            field_name: its name.
            field_type: its type, or the name of that: in SQL, or one of Flink 1 such as ``SQL_TIMESTAMP``.

        Raises:
            ConfigurationError: there is a field of the name.
            SqlError: there is no type of the name.
        """
        if field_name in self._fields:
            raise ConfigurationError(f"field: there is already a field {field_name!r}")
        self._fields[field_name] = {"data-type": _type_text(field_name, field_type)}
        self._is_complete = False
        return self

    def fields(self, fields: dict[str, DataType | str]) -> Schema:
        """Add fields; return this descriptor.

        Args:
            fields: their types, or the names of them, by the name of the field.

        Raises:
            ConfigurationError: there is a field of a name.
            SqlError: there is no type of a name.
        """
        for name, field_type in fields.items():
            self.field(name, field_type)
        return self

    def from_origin_field(self, origin_field_name: str) -> Schema:
        """Say which field of the connector or format the last field is; return this descriptor.

        Raises:
            ConfigurationError: no field has been added before, or it has been described already.
        """
        return self._describe("from_origin_field", {"from": origin_field_name})

    def proctime(self) -> Schema:
        """Make the last field one of processing time; return this descriptor.

        Raises:
            ConfigurationError: no field has been added before, or it has been described already.
        """
        return self._describe("proctime", {"proctime": "true"})

    def rowtime(self, rowtime: Rowtime) -> Schema:
        """Make the last field one of event time; return this descriptor.

        Raises:
            ConfigurationError: no field has been added before, or it has been described already.
        """
        return self._describe("rowtime", rowtime.to_properties())

    def to_properties(self) -> dict[str, str]:
        """Return the properties, whose keys start with ``schema.`` and the position of the field from 0."""
        return {
            f"schema.{position}.{key}": value
            for position, (name, properties) in enumerate(self._fields.items())
            for key, value in {"name": name, **properties}.items()
        }

    def _describe(self, call: str, properties: dict[str, str]) -> Schema:
        if self._is_complete:
            raise ConfigurationError(f"{call} describes the field before it; call field first")
        self._is_complete = True
        self._fields[next(reversed(self._fields))] |= properties
        return self


def _type_text(field_name: str, field_type: DataType | str) -> str:
    if isinstance(field_type, DataType):
        return _SHORT_NAMES.sub(_long_name, str(field_type))
    name = _OLD_NAMES.get(field_type, field_type)
    try:
        parse_data_type(name)
    except SqlError as error:
        raise SqlError(f"field {field_name!r}: there is no type {field_type!r}: {error}") from None
    return name


def _long_name(name: re.Match[str]) -> str:
    precision = name.group(1)
    if precision is not None:
        return f"TIMESTAMP{precision} WITH LOCAL TIME ZONE"
    return _LONG_NAMES.get(name.group(), name.group())


def _of_java(call: str, class_name: str, instead: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(
        f"{call}: {class_name!r} is written in Java, which does not run here; use {instead}"
    )
