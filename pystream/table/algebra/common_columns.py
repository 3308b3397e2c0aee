"""The common type of two columns and the conversions to it, for keys of joins and UNION ALL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pystream.errors import PlanTypeError
from pystream.sql_types.data_types import DataType
from pystream.table.columns import TableColumn
from pystream.table.conversions import converter
from pystream.table.functions.common_types import common_type
from pystream.table.functions.conversion import conversion
from pystream.table.functions.values.conversions import same
from typeinfo.info import TypeInformation

__all__ = ["CommonType", "Conversion", "common_column", "converted"]

Conversion = Callable[[Any], Any]


class CommonType(NamedTuple):
    """The type that two columns have in common.

    Attributes:
        data_type: the type in SQL; nullable if one of theirs is.
        type_info: the type of the values in a stream.
        conversions: for each column, the function that converts its values, which are not null; ``None`` if
            they are the same values.
    """

    data_type: DataType
    type_info: TypeInformation[Any]
    conversions: tuple[Conversion | None, Conversion | None]


def common_column(one: TableColumn, other: TableColumn) -> CommonType | None:
    """Return the type that two columns have in common, ``None`` if there is none, or none without a zone."""
    common = common_type([one.data_type, other.data_type])
    if common is None:
        return None
    data_type = common if one.data_type.is_nullable or other.data_type.is_nullable else common.not_null()
    if one.data_type.nullable() == other.data_type.nullable() and one.type_info == other.type_info:
        return CommonType(data_type, one.type_info, (None, None))
    try:
        conversions = _conversion(one, data_type), _conversion(other, data_type)
    except PlanTypeError:
        return None
    return CommonType(data_type, data_type.type_info, conversions)


def _conversion(column: TableColumn, target: DataType) -> Conversion | None:
    """Return the function that converts values of a column to a common type.

    Raises:
        PlanTypeError: the conversion is not supported.
    """
    source = column.data_type.nullable()
    if source == target.nullable() or column.type_info != source.type_info:
        return converter(column.type_info, target.type_info, column.name)
    convert = conversion(source, target.nullable())
    if convert is None:
        raise PlanTypeError(f"{source} is not converted to {target} without a time zone")
    return None if convert is same else convert


def converted(value: Any, convert: Conversion | None) -> Any:
    """Return a value, or null, converted to a common type."""
    return value if value is None or convert is None else convert(value)
