"""KeyCoder: computes the keys of elements that are columns, each distinct key once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.expressions.expression import Expression
from pystream.expressions.kernels import Kernels, NotComputedError
from pystream.expressions.key_columns import KeyColumns
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

__all__ = ["KeyCoder"]

_Codes = npt.NDArray[np.int64]


class KeyCoder:
    """Computes the distinct keys of batches, and the one of each element.

    Args:
        key: the key selector.
    """

    def __init__(self, key: KeyColumns) -> None:
        self._layout = layout_of(key.element_type)
        self._parts = [(part, codec_for(part.type)) for part in key.parts]
        self._is_tuple = key.is_tuple

    def coded(self, values: Sequence[Any]) -> tuple[list[Any], _Codes] | None:
        """Return the distinct keys, in order of appearance, and for each element the position of its key.

        ``None`` if keys must be computed from each element: these are no columns, or one has no key.
        """
        if not (isinstance(values, ColumnValues) and values.are_columns and values.layout is self._layout):
            return None
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        try:
            parts = [self._coded_part(kernels, *part) for part in self._parts]
        except NotComputedError:
            return None
        if not self._is_tuple:
            return parts[0]
        return _combined(parts)

    def _coded_part(self, kernels: Kernels, part: Expression, codec: Codec) -> tuple[list[Any], _Codes]:
        array = kernels.column(part, codec.arrow)
        if array.null_count:
            raise NotComputedError("a key is None")
        encoded: Any = array.dictionary_encode()
        return codec.decode(encoded.dictionary), encoded.indices.to_numpy().astype(np.int64)


def _combined(parts: list[tuple[list[Any], _Codes]]) -> tuple[list[Any], _Codes]:
    """Combine the codes of the parts of tuples into those of the tuples."""
    codes = reduce(lambda before, part: before * len(part[0]) + part[1], parts[1:], parts[0][1])
    _, firsts, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    at = firsts[order]
    columns = [map(distinct.__getitem__, own[at].tolist()) for distinct, own in parts]
    return list(zip(*columns, strict=True)), rank[inverse]
