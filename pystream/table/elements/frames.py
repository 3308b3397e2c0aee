"""Tables of the rows of pandas DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from pystream.errors import PlanError, PlanTypeError
from pystream.sql_types.arrow_types import from_arrow_type, to_arrow_type
from pystream.sql_types.atomic_types import LocalZonedTimestampType, TimestampType
from pystream.sql_types.data_types import DataType, RowType
from pystream.table.column_casts import declared_casts
from pystream.table.columns import TableColumn, columns_of_stream, require_distinct_names
from pystream.table.elements.schemas import listed, schema_refusal
from pystream.table.session_zone import session_zone
from pystream.table.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from pystream.table.table_environment import TableEnvironment

__all__ = ["table_of_frame"]

_CALL = "from_pandas"


def table_of_frame(
    environment: TableEnvironment,
    frame: pd.DataFrame,
    schema: RowType | Sequence[str] | Sequence[DataType] | None,
) -> Table:
    """Return the table of the rows of a DataFrame, as ``TableEnvironment.from_pandas`` does.

    Raises:
        PlanError: as that does.
        PlanTypeError: as that does.
        UnsupportedTypeError: as that does.
    """
    names, types = _declared(schema)
    declared = types if names is None else names
    width = len(frame.columns if declared is None else declared)
    if not width:
        raise PlanError(f"{_CALL}: {'the DataFrame' if schema is None else 'the schema'} has no columns")
    if width > len(frame.columns):
        raise PlanError(
            f"{_CALL}: the DataFrame has fewer columns than the schema: {len(frame.columns)}, not {width}; "
            "give names or types only for those that it has"
        )
    names = [str(name) for name in frame.columns[:width]] if names is None else names
    require_distinct_names(names, _CALL)
    zone = session_zone(environment.get_config().get_configuration())
    arrays = [
        _array(frame.iloc[:, position], None if types is None else types[position], names[position], zone)
        for position in range(width)
    ]
    if types is None:
        types = [from_arrow_type(array.type) for array in arrays]
    columns = [
        TableColumn(name, data_type, data_type.type_info, position)
        for position, (name, data_type) in enumerate(zip(names, types, strict=True))
    ]
    return _table(environment, arrays, columns)


def _declared(
    schema: RowType | Sequence[str] | Sequence[DataType] | None,
) -> tuple[list[str] | None, list[DataType] | None]:
    """Return the names and the types that a schema declares."""
    if isinstance(schema, RowType):
        return schema.names, schema.field_types()
    if schema is None:
        return None, None
    names, types = listed(schema, str), listed(schema, DataType)
    if names is None and types is None:
        raise schema_refusal(_CALL, "names or data types", schema)
    return names, None if names is not None else types


def _table(
    environment: TableEnvironment, arrays: Sequence[pa.Array], columns: Sequence[TableColumn]
) -> Table:
    import pyarrow as pa

    read = pa.Table.from_arrays(list(arrays), names=[column.name for column in columns])
    stream = environment._streams.from_arrow(read)
    own = columns_of_stream(stream._type)
    rows = Table(environment, stream, own)._cast_rows(columns, declared_casts(own, columns))
    return Table(environment, rows, columns)


def _array(column: pd.Series[Any], declared: DataType | None, name: str, zone: tzinfo) -> pa.Array:
    """Return the values of a column.

    Raises:
        PlanTypeError: they are not of the declared type, or of no type of Arrow.
        PlanError: there are nulls where the type has none.
    """
    import pyarrow as pa

    is_time = column.dtype.kind == "M"
    if is_time:
        column = _with_zone(column, declared, zone)
    try:
        kind = None if declared is None or is_time else to_arrow_type(declared)
        array = pa.Array.from_pandas(column, type=kind)
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    except (pa.ArrowException, TypeError) as error:
        wanted = "" if declared is None else f" as {declared}"
        raise PlanTypeError(f"{_CALL}: column {name!r} cannot be read{wanted}: {error}") from None
    if declared is not None and not declared.is_nullable and array.null_count:
        raise PlanError(f"{_CALL}: column {name!r} holds nulls, but {declared} has none")
    if pa.types.is_timestamp(array.type) and array.type.unit == "ns":
        return array.cast(pa.timestamp("us", array.type.tz), safe=False)
    return array


def _with_zone(column: pd.Series[Any], declared: DataType | None, zone: tzinfo) -> pd.Series[Any]:
    """Return times with a zone, that of the session, for points in time, and without one, UTC, else."""
    has_zone = getattr(column.dtype, "tz", None) is not None
    if isinstance(declared, LocalZonedTimestampType):
        return column if has_zone else column.dt.tz_localize(zone)
    if declared is None or isinstance(declared, TimestampType):
        return column.dt.tz_convert("UTC").dt.tz_localize(None) if has_zone else column
    return column
