"""Metadata: what a connector knows of rows besides their columns, such as their times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any

from pystream.errors import PlanError, PlanTypeError
from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.values.conversions import converted_twice, same
from pystream.table.functions.values.moments import instant_at, local_time
from pystream.table.schema import MetadataColumn
from typeinfo.instant import Instant
from typeinfo.types import Types

__all__ = ["Metadata", "check_metadata", "metadata_reader", "millis_writer"]

_LOCAL = (Types.SQL_TIMESTAMP, Types.LOCAL_DATE_TIME)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a connector knows of rows.

    Attributes:
        data_type: the type of the values; those of a TIMESTAMP_LTZ are milliseconds since the Unix epoch.
        is_writable: whether rows that are written may determine it.
    """

    data_type: DataType
    is_writable: bool = False


def check_metadata(columns: Iterable[MetadataColumn], known: Mapping[str, Metadata], owner: str) -> None:
    """Check that a connector has the metadata that columns hold.

    Args:
        columns: the columns.
        known: the metadata of the connector by name.
        owner: the table and its connector, for messages.

    Raises:
        PlanError: it has no metadata of a name.
        PlanTypeError: a column has a type to which the values are not converted.
    """
    for column in columns:
        key = column.key or column.name
        if key not in known:
            there_is = f"there are {', '.join(known)}" if known else "the connector has none"
            raise PlanError(f"{owner}, column {column.name!r}: there is no metadata {key!r}; {there_is}")
        if metadata_reader(known[key], column.data_type, None) is None:
            raise PlanTypeError(
                f"{owner}: column {column.name!r} is {column.data_type}, but the metadata {key!r} is "
                f"{known[key].data_type}; declare it as such, and convert it in a computed column"
            )


def metadata_reader(
    metadata: Metadata, data_type: DataType, zone: tzinfo | None
) -> Callable[[Any], Any] | None:
    """Return a function that converts values of metadata to those of a column; ``None`` if there is none.

    Args:
        metadata: the metadata.
        data_type: the type of the column.
        zone: the time zone of the session, in which instants are local times; only needed to read.
    """
    from pystream.table.functions.conversion import conversion

    source, target = metadata.data_type.type_info, data_type.type_info
    if source == Types.INSTANT:
        if target != Types.INSTANT and target not in _LOCAL:
            return None
        millis = DataTypes.TIMESTAMP_LTZ(3) if target == Types.INSTANT else DataTypes.TIMESTAMP(3)
        cut = conversion(millis, data_type)
        moment = Instant.of_epoch_milli if target == Types.INSTANT else partial(_local, zone)
        return None if cut is None else moment if cut is same else partial(converted_twice, moment, cut)
    return conversion(metadata.data_type, data_type)


def millis_writer(data_type: DataType, zone: tzinfo) -> Callable[[Any], int]:
    """Return a function that converts times of a column to milliseconds since the Unix epoch.

    Args:
        data_type: the type of the column, TIMESTAMP or TIMESTAMP_LTZ.
        zone: the time zone of the session.
    """
    if data_type.type_info == Types.INSTANT:
        return Instant.to_epoch_milli
    return partial(_millis, zone)


def _local(zone: tzinfo | None, millis: int) -> Any:
    assert zone is not None
    return local_time(zone, Instant.of_epoch_milli(millis))


def _millis(zone: tzinfo, local: Any) -> int:
    return instant_at(zone, local).to_epoch_milli()
