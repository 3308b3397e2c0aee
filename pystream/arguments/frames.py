"""Convert pandas DataFrames to Arrow tables and back, with unchanged values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typeinfo.errors import UnsupportedTypeError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["frame_of_table", "table_of_frame"]


def frame_of_table(table: pa.Table) -> pd.DataFrame:
    """Return an Arrow table as a DataFrame that holds the same values.

    Integers, booleans and floats have the nullable types of pandas where a column has nulls or NaN, which
    differ there; else those of NumPy. Decimals without a fraction, lists, maps and structs have those of
    Arrow. Timestamps are in microseconds; texts, bytes, dates, times and other decimals are Python objects.
    """
    import pandas as pd

    columns = {name: _series(column) for name, column in zip(table.column_names, table.columns, strict=True)}
    return pd.DataFrame(columns, index=pd.RangeIndex(table.num_rows))


def _series(column: pa.ChunkedArray) -> Any:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    from pystream.engine.vectorised.arguments import NULLABLE_DTYPES

    dt, types = column.type, pa.types
    if types.is_nested(dt) or (isinstance(dt, pa.Decimal128Type) and dt.scale == 0):
        return column.to_pandas(types_mapper=pd.ArrowDtype)
    has_nan = types.is_floating(dt) and bool(pc.any(pc.is_nan(column)).as_py())
    if not has_nan and not column.null_count:
        return column.to_pandas()
    return column.to_pandas(types_mapper=NULLABLE_DTYPES.get)


def table_of_frame(frame: pd.DataFrame) -> pa.Table:
    """Return the rows of a DataFrame as an Arrow table, without its index, which must be unnamed.

    Raises:
        UnsupportedTypeError: there are no columns, a name is not a string or occurs twice, Arrow has no type
            for a column, or the index has a name; the message names it.
    """
    import pyarrow as pa

    names = list(frame.columns)
    if not names:
        raise UnsupportedTypeError("from_pandas takes a DataFrame with columns, and this one has none")
    for name in names:
        if not isinstance(name, str):
            raise UnsupportedTypeError(
                f"from_pandas takes columns whose names are strings, not {name!r} ({type(name).__name__});"
                " rename them, as with frame.columns = list(map(str, frame.columns))"
            )
        if names.count(name) > 1:
            raise UnsupportedTypeError(f"from_pandas takes distinct column names, but {name!r} occurs twice")
    if named := [name for name in frame.index.names if name is not None]:
        raise UnsupportedTypeError(
            f"from_pandas takes no index, and this one is named {', '.join(map(repr, named))};"
            " make it a column with frame.reset_index(), or drop it with frame.reset_index(drop=True)"
        )
    try:
        # Without the copy, columns of numbers would be those of the frame, which the program may change.
        return pa.Table.from_pandas(frame.copy(), preserve_index=False)
    except (pa.ArrowException, TypeError) as error:
        reason = "; ".join(map(str, error.args))
        raise UnsupportedTypeError(f"from_pandas cannot read the DataFrame: {reason}") from error
