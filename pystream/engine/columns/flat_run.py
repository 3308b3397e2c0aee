"""FlatRun: runs the function of a flat map as kernels of Arrow, one for each of its results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.columns.arrow_run import handed_on
from pystream.engine.events import MAX_BATCH, Event, Timestamps
from pystream.engine.failure import short_repr
from pystream.engine.timestamps import taken_timestamps
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of, taken_array
from pystream.engine.vectorised.parts import capped
from pystream.expressions.expression import Expression, Op
from pystream.expressions.kernels import Kernels, NotComputedError
from pystream.expressions.list_items import items_of
from pystream.expressions.result_lists import rows_in
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

__all__ = ["FlatRun"]

_MOST = 8 * MAX_BATCH  # results that are computed at once

_Positions = npt.NDArray[np.int64]


class _Branch(NamedTuple):
    """One result of the elements that take a branch.

    Attributes:
        positions: those of the elements, ascending.
        columns: of the results; ``None`` for fields that all results hand on.
    """

    positions: _Positions
    columns: list[Any]


class FlatRun:
    """Runs a flat map whose results for one element are lists of a known form, as kernels.

    Args:
        results: its result list.
        t: the type of its results.
    """

    def __init__(self, results: Expression, t: TypeInformation[Any]) -> None:
        self._results = results
        self._layout = layout_of(t)
        rows = list(rows_in(results))
        # The field that each column is in all results, unchanged.
        self._handed_on = [_handed_on_by(column) for column in zip(*rows, strict=True)]
        self.most_elements: int = max(1, _MOST // max(1, len(rows)))

    def process(self, values: ColumnValues, timestamps: Timestamps | None) -> Iterator[Event] | None:
        """Return the results for elements, ``None`` if they are beyond the kernels."""
        kernels = Kernels(lambda position: values.columns[position].array, len(values))
        every = np.arange(len(values))
        try:
            branches = list(self._branches(self._results, kernels, every))
            if not branches:
                return iter(())
            positions, arrays = _merged(branches)
            given = values.columns
            columns = [
                Column(codec, array)
                if field is None
                else (given[field] if positions is every else given[field].taken(positions)).with_codec(codec)
                for array, field, codec in zip(arrays, self._handed_on, self._layout.codecs, strict=True)
            ]
        except (NotComputedError, TypeCheckError):
            return None
        return capped(
            ColumnValues.of_columns(self._layout, columns, len(positions)),
            None if timestamps is None else taken_timestamps(timestamps, positions),
            origin=lambda at: short_repr(values.element(int(positions[at]))),
        )

    def _branches(self, results: Expression, kernels: Kernels, positions: _Positions) -> Iterator[_Branch]:
        """Yield the branches of results, evaluated only for the elements that take them.

        Args:
            results: the result list.
            kernels: evaluate expressions for these elements.
            positions: those of the elements.

        Raises:
            NotComputedError: an operation raises for one of the elements.
        """
        match results.op:
            case Op.LIST:
                for row in results.parts:
                    yield _Branch(positions, self._columns(row, kernels))
            case Op.CONCAT_LISTS:
                for part in results.parts:
                    yield from self._branches(part, kernels, positions)
            case Op.GUARD:
                kernels.require(results.parts[0])
                yield from self._branches(results.parts[1], kernels, positions)
            case Op.TRANSFORM:
                source, lists = results.parts
                items = items_of(source, kernels)
                numbers = np.arange(len(items.parents))
                found = list(self._branches(lists, items.within(kernels, *results.data), numbers))
                if found:
                    of_items = _merged(found)
                    yield of_items._replace(positions=positions[items.parents[of_items.positions]])
            case Op.IF:
                condition, then, otherwise = results.parts
                holds = kernels.column(condition, pa.bool_()).to_numpy(zero_copy_only=False)
                for taken, branch in ((holds, then), (~holds, otherwise)):
                    if taken.all():
                        yield from self._branches(branch, kernels, positions)
                    elif taken.any():
                        inner = kernels.selected(pa.array(taken), int(taken.sum()))
                        yield from self._branches(branch, inner, positions[taken])

    def _columns(self, row: Expression, kernels: Kernels) -> list[Any]:
        layout, codecs = zip(row.parts, self._handed_on, strict=True), self._layout.codecs
        return [
            kernels.column(part, codec.arrow) if at is None else None
            for (part, at), codec in zip(layout, codecs, strict=True)
        ]


def _merged(branches: list[_Branch]) -> _Branch:
    """Return the results of branches, in the order of the elements, and for each in that of the branches."""
    if len(branches) == 1:
        return branches[0]
    positions = np.concatenate([branch.positions for branch in branches])
    order = np.argsort(positions, kind="stable")
    parts = zip(*(branch.columns for branch in branches), strict=True)
    columns = [
        None if arrays[0] is None else taken_array(pa.concat_arrays(arrays), order) for arrays in parts
    ]
    return _Branch(positions[order], columns)


def _handed_on_by(column: Iterable[Expression]) -> int | None:
    fields = set(map(handed_on, column))
    return fields.pop() if len(fields) == 1 else None
