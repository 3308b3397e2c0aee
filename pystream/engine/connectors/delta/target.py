"""Delta tables as targets: their columns, their creation, and what they must not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pystream.engine.connectors.delta.location import DeltaLocation, failures
from pystream.errors import ConfigurationError, SinkError, UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa
    from deltalake import DeltaTable

__all__ = ["check_target", "columns_of_type", "created", "target_of"]

_CHECKED_BY_WRITERS = ("delta.invariants", "delta.generationExpression", "delta.identity")


def target_of(
    location: DeltaLocation, columns: pa.Schema, partition_columns: tuple[str, ...] | None
) -> tuple[pa.Schema, tuple[str, ...]]:
    """Return the columns of a table that elements with some columns are appended to, in the same order.

    Decimals have the precision of the table if it exists.

    Args:
        location: the table.
        columns: those of the elements.
        partition_columns: what the table is partitioned by; ``None`` for what the table says, if it exists.

    Returns:
        The columns, and the names of those that the table is partitioned by.

    Raises:
        UnsupportedTypeError: a column has no type in Delta tables.
        ConfigurationError: the table cannot be partitioned by the columns.
        SinkError: the table has others.
    """
    import pyarrow as pa

    schema = _delta_columns(columns)
    if location.exists():
        table = location.open()
        found = pa.schema(table.schema().to_arrow())
        own = [_decimal_of(field, found) for field in schema]
        named = table.metadata().partition_columns if partition_columns is None else partition_columns
        check_target(table, pa.schema(own), named)
        _check_partition_columns(f"the Delta table {location} is partitioned", pa.schema(own), named)
        return pa.schema(own), tuple(named)
    _check_partition_columns("with_partition_columns", schema, partition_columns or ())
    return schema, partition_columns or ()


def columns_of_type(type_info: TypeInformation[Any]) -> pa.Schema:
    """Return the columns of elements of a type: its fields, or one column ``value``.

    Raises:
        UnsupportedTypeError: the type is not known.
    """
    from typeinfo.formats.arrow import to_arrow_schema

    if isinstance(type_info, PickledBytesTypeInfo):
        raise UnsupportedTypeError(
            "a DeltaSink needs the type of the elements: give output_type to the operator before it"
        )
    return to_arrow_schema(type_info)


def _delta_columns(columns: pa.Schema) -> pa.Schema:
    """Return columns in the types that they have in a Delta table."""
    import pyarrow as pa
    from deltalake import Schema

    for field in columns:
        try:
            Schema.from_arrow(pa.schema([field]))
        except Exception:  # noqa: BLE001 - the client library raises no class of its own
            raise UnsupportedTypeError(
                f"a Delta table has no type for the column {field.name!r}, which is {field.type}"
            ) from None
    return pa.schema(Schema.from_arrow(columns.remove_metadata()).to_arrow()).remove_metadata()


def _decimal_of(field: pa.Field, found: pa.Schema) -> pa.Field:
    """Return a column with the precision that a table has, if it is a decimal."""
    import pyarrow as pa

    is_decimal = field.name in found.names and pa.types.is_decimal(field.type)
    if is_decimal and pa.types.is_decimal(found.field(field.name).type):
        return field.with_type(found.field(field.name).type)
    return field


def _check_partition_columns(where: str, schema: pa.Schema, names: Sequence[str]) -> None:
    from pyarrow import types

    is_allowed = (types.is_integer, types.is_string, types.is_date, types.is_timestamp, types.is_boolean)
    for name in names:
        if name not in schema.names:
            raise ConfigurationError(f"{where}: there is no column {name!r}, but {', '.join(schema.names)}")
        dt = schema.field(name).type
        if not any(test(dt) for test in is_allowed):
            raise ConfigurationError(
                f"{where}: {name!r} is {dt}, but must be an integer, a string, a date, a timestamp or a "
                "boolean"
            )
    if names and len(set(names)) == len(schema):
        raise ConfigurationError(f"{where}: at least one column must be left")


def created(location: DeltaLocation, schema: pa.Schema, partition_columns: Sequence[str]) -> DeltaTable:
    """Return a table, after creating it if there is none.

    Raises:
        SinkError: it cannot be created.
    """
    from deltalake import DeltaTable, Schema

    if not location.exists():
        with failures(SinkError, f"cannot create the Delta table {location}"):
            DeltaTable.create(
                location.client_uri,
                Schema.from_arrow(schema),
                mode="ignore",
                partition_by=list(partition_columns),
                storage_options=dict(location.options),
            )
    return location.open()


def check_target(table: DeltaTable, schema: pa.Schema, partition_columns: Sequence[str]) -> None:
    """Check that columns can be appended to a table.

    Raises:
        SinkError: it has others, another partitioning, or conditions for its rows that writers must check.
    """
    import pyarrow as pa

    name = f"the Delta table {table.table_uri}"
    metadata, fields = table.metadata(), table.schema().fields
    found = pa.schema(table.schema().to_arrow())
    if sorted(map(_described, found)) != sorted(map(_described, schema)):
        raise SinkError(
            f"{name} has the columns {_list(found)}, but the elements have {_list(schema)}; let them agree"
        )
    for field in found:
        if schema.field(field.name).nullable and not field.nullable:
            raise SinkError(
                f"{name}: the column {field.name!r} must not be null, but that of the elements may"
            )
    if list(metadata.partition_columns) != list(partition_columns):
        raise SinkError(
            f"{name} is partitioned by {metadata.partition_columns}, not by {list(partition_columns)}; leave "
            "out with_partition_columns(), or use these"
        )
    conditions = [key for key in metadata.configuration if key.startswith("delta.constraints.")]
    conditions += [key for f in fields for key in f.metadata if key.startswith(_CHECKED_BY_WRITERS)]
    if metadata.configuration.get("delta.columnMapping.mode", "none") != "none":
        conditions.append("delta.columnMapping.mode")
    if conditions:
        raise SinkError(
            f"{name} cannot be written to: it has {', '.join(conditions)}, which is not supported; write to "
            "a table without it"
        )


def _described(field: pa.Field) -> str:
    return f"{field.name} {field.type}"


def _list(schema: pa.Schema) -> str:
    return ", ".join(map(_described, schema))
