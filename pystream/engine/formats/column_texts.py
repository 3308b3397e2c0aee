"""Write columns as text by Arrow's kernels, where these give the text of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from typeinfo.basic import BOOLEAN, DOUBLE
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.vectorised.columns import Column, ColumnValues

__all__ = ["ColumnsWriter", "column_texts", "joined_texts"]


class ColumnsWriter(Protocol):
    """Writes elements that are columns as messages, as they are written one by one; picklable."""

    def messages(self, values: ColumnValues) -> pa.Array | None:
        """Return the messages as bytes, ``None`` if the elements are to be written one by one."""
        ...

    def lines(self, values: ColumnValues) -> pa.Array | None:
        """Return the messages as `messages` does, each with a line feed as its only line end."""
        ...


def column_texts(
    t: TypeInformation[Any], column: Column, write: Callable[[Any], str], usual: tuple[float, float]
) -> pa.Array:
    """Return the texts of values, null for those that are.

    Args:
        t: the type of the values that are not null.
        column: the values.
        write: returns the text of a value.
        usual: the bounds of the doubles that have no exponent in it, the lower one among them.

    Raises:
        FieldError: a value has no text.
    """
    import pyarrow as pa

    if t == BOOLEAN or (isinstance(t, ScalarTypeInfo) and t.value_class is int and t.traits.bounds):
        return column.array.cast(pa.string())
    if t == DOUBLE and (texts := _usual_doubles(column.array, *usual)) is not None:
        return texts
    return pa.array([None if value is None else write(value) for value in column.values], pa.string())


def joined_texts(parts: Sequence[pa.Array | str]) -> pa.Array:
    """Return the concatenations of texts that are not null, and of constants, as bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    joined: pa.Array = pc.binary_join_element_wise(*parts, "")
    return joined.cast(pa.binary())


def _usual_doubles(array: pa.Array, least: float, most: float) -> pa.Array | None:
    """Return the texts of doubles, ``None`` if one of them has an exponent.

    Both Arrow and Python write the fewest digits that give the number. Arrow leaves out the fraction of whole
    ones.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pc.fill_null(array, 0.0).to_numpy(zero_copy_only=False)
    sizes = np.abs(values)
    if not ((sizes == 0) | ((sizes >= least) & (sizes < most))).all():
        return None
    texts = array.cast(pa.string())
    whole = pa.array(values == np.floor(values))
    return pc.if_else(whole, pc.binary_join_element_wise(texts, ".0", ""), texts)
