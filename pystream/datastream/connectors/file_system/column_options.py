"""Columns and writer options of Parquet and ORC files, from data types and Flink's option keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from pystream.errors import ConfigurationError
from pystream.settings.configuration import Configuration
from pystream.table.types import ArrayType, DataType, DecimalType, MapType, RowType
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "Option",
    "chosen",
    "columns_of",
    "element_type",
    "flag",
    "fraction",
    "positive",
    "writer_options",
]

Option = tuple[str, Callable[[str], Any]]
"""Name of the writer's argument that an option sets, and a parser of its value."""


def element_type(declared: TypeInformation[Any] | None, of_stream: TypeInformation[Any], format: str) -> Any:
    """Return the type of the elements a file sink writes.

    Raises:
        UnsupportedTypeError: neither the stream nor the writer declares a type.
    """
    t = of_stream if declared is None else declared
    if isinstance(t, PickledBytesTypeInfo):
        raise UnsupportedTypeError(
            f"{format} needs the type of the elements: give output_type to the operator before the sink, "
            "or a type to the writer factory"
        )
    return t


def columns_of(row_type: object) -> pa.Schema | None:
    """Return the columns that a data type declares, or ``None`` for other types, which declare their own."""
    if not isinstance(row_type, DataType):
        return None
    import pyarrow as pa

    from typeinfo.formats.arrow import to_arrow_schema

    schema = to_arrow_schema(row_type.type_info)
    if not isinstance(row_type, RowType):
        return pa.schema([schema.field(0).with_type(_declared(row_type, schema.field(0).type))])
    declared = zip(row_type.fields, schema, strict=True)
    fields = [column.with_type(_declared(f.data_type, column.type)) for f, column in declared]
    return pa.schema(fields, metadata=dict(schema.metadata or {}))


def _declared(declared: DataType, arrow: Any) -> pa.DataType:
    import pyarrow as pa

    match declared:
        case DecimalType():
            return pa.decimal128(declared.precision, declared.scale)
        case ArrayType():
            element = arrow.field(0)
            return pa.list_(element.with_type(_declared(declared.element_type, element.type)))
        case MapType():
            key, value = _declared(declared.key_type, arrow.key_type), arrow.item_field
            return pa.map_(
                arrow.key_field.with_type(key), value.with_type(_declared(declared.value_type, value.type))
            )
        case RowType():
            fields = zip(declared.fields, arrow, strict=True)
            return pa.struct([column.with_type(_declared(f.data_type, column.type)) for f, column in fields])
    return cast("pa.DataType", arrow)


def writer_options(config: Configuration | None, known: Mapping[str, Option], role: str) -> dict[str, Any]:
    """Return the arguments of the writer for the options in a configuration.

    Raises:
        ConfigurationError: an option is unknown, or its value is not valid.
    """
    if config is None:
        return {}
    if not isinstance(config, Configuration):
        raise ConfigurationError(f"{role} must be a Configuration, not {config!r}")
    arguments = {}
    for key, value in config.to_dict().items():
        if key not in known:
            options = f"the options are {', '.join(known)}" if known else "there are no options"
            raise ConfigurationError(f"{role}: {key} is not supported; {options}")
        argument, read = known[key]
        try:
            arguments[argument] = read(value)
        except (ValueError, KeyError):
            raise ConfigurationError(f"{role}: {value!r} is not a valid value of {key}") from None
    return arguments


def chosen(**values: str) -> Callable[[str], str]:
    """Return a parser that maps words to values, ignoring case."""
    return lambda text: values[text.strip().lower().replace(".", "_")]


def positive(text: str) -> int:
    """Parse an integer of one or more."""
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def fraction(text: str) -> float:
    """Parse a number from 0 to 1."""
    if not 0 <= (number := float(text)) <= 1:
        raise ValueError(text)
    return number


def flag(text: str) -> bool:
    """Parse ``true`` or ``false``, ignoring case."""
    return {"true": True, "false": False}[text.strip().lower()]
