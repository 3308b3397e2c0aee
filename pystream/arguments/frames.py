"""Convert a pandas DataFrame to an Arrow table, if Arrow keeps its values unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typeinfo.errors import UnsupportedTypeError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["table_of_frame"]


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
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError) as error:
        reason = "; ".join(map(str, error.args))
        raise UnsupportedTypeError(f"from_pandas cannot read the DataFrame: {reason}") from error
