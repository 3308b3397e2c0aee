"""List items: the items of the lists of all elements as one column, over which loops are evaluated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pystream.expressions.expression import Expression, Op, constant_value, is_constant
from pystream.expressions.kernels import Kernels, NotComputedError, has_kernels, is_computed
from typeinfo.formats.arrow import to_arrow

__all__ = ["Items", "has_item_kernels", "items_of"]

_MOST = 1 << 20  # items that are computed at once


class Items(NamedTuple):
    """The items of the lists of elements.

    Attributes:
        values: the items, list by list.
        parents: the position of the element of each.
    """

    values: pa.Array
    parents: npt.NDArray[np.int64]

    def within(self, kernels: Kernels, number: Any) -> Kernels:
        """Return kernels over the items, which evaluate what is computed for each of them.

        Args:
            kernels: those over the elements.
            number: that of the variable for the items.
        """
        return kernels.repeated(self.parents, number, self.values)

    def selected(self, mask: pa.Array) -> Items:
        """Return the items that a mask without nulls selects."""
        return Items(self.values.filter(mask), self.parents[mask.to_numpy(zero_copy_only=False)])


def has_item_kernels(source: Expression) -> bool:
    """Return whether kernels compute the items of a list."""
    parts = source.parts
    match source.op:
        case Op.LIST:
            return bool(parts) and all(has_kernels(part) and is_computed(part.type) for part in parts)
        case Op.RANGE:
            return all(map(has_kernels, parts))
        case Op.FILTER:
            return has_item_kernels(parts[0]) and has_kernels(parts[1])
        case Op.TRANSFORM:
            return has_item_kernels(parts[0]) and has_kernels(parts[1]) and is_computed(parts[1].type)
        case Op.REMOVE:
            return has_item_kernels(parts[0]) and is_constant(parts[1])
        case Op.ENUMERATE:
            return has_item_kernels(parts[0])
        case Op.GUARD:
            return has_kernels(parts[0]) and has_item_kernels(parts[1])
        case Op.IF if _is_empty(parts[2]):
            return has_kernels(parts[0]) and has_item_kernels(parts[1])
    return has_kernels(source) and pa.types.is_list(to_arrow(source.type))


def items_of(source: Expression, kernels: Kernels) -> Items:
    """Return the items of a list for each element.

    Args:
        source: the list, whose items have kernels.
        kernels: those over the elements.

    Raises:
        NotComputedError: an operation raises, or there are too many items.
    """
    match source.op:
        case Op.LIST:
            return _items_of_display(source, kernels)
        case Op.RANGE:
            return _items_of_range(source, kernels)
        case Op.FILTER:
            inner, condition = source.parts
            items = items_of(inner, kernels)
            return items.selected(items.within(kernels, *source.data).column(condition, pa.bool_()))
        case Op.TRANSFORM:
            inner, body = source.parts
            items = items_of(inner, kernels)
            values = items.within(kernels, *source.data).column(body, to_arrow(body.type))
            return Items(values, items.parents)
        case Op.REMOVE:
            items = items_of(source.parts[0], kernels)
            return items.selected(pc.not_equal(items.values, constant_value(source.parts[1])))
        case Op.ENUMERATE:
            values, parents = items_of(source.parts[0], kernels)
            numbers = np.arange(len(parents)) - np.searchsorted(parents, parents)
            return Items(pa.StructArray.from_arrays([pa.array(numbers), values], ["number", "item"]), parents)
        case Op.GUARD:
            kernels.require(source.parts[0])
            return items_of(source.parts[1], kernels)
        case Op.IF:
            holds = kernels.column(source.parts[0], pa.bool_())
            taken = np.flatnonzero(holds.to_numpy(zero_copy_only=False))
            values, parents = items_of(source.parts[1], kernels.selected(holds, len(taken)))
            return Items(values, taken[parents])
    lists = kernels.column(source, to_arrow(source.type))
    lengths = pc.list_value_length(lists).to_numpy()
    return Items(pc.list_flatten(lists), np.repeat(np.arange(len(lists)), lengths))


def _items_of_display(source: Expression, kernels: Kernels) -> Items:
    count, parts = kernels.count, source.parts
    dt = to_arrow(source.type.slots()[0].type)
    order = np.arange(count * len(parts)).reshape(len(parts), count).T.ravel()
    values = pa.concat_arrays([kernels.column(part, dt) for part in parts]).take(pa.array(order))
    return Items(values, np.repeat(np.arange(count), len(parts)))


def _items_of_range(source: Expression, kernels: Kernels) -> Items:
    starts, lasts = (kernels.column(part, pa.int64()).to_numpy() for part in source.parts)
    counts = lasts - starts + 1
    total = int(counts.sum())
    if total > _MOST:
        raise NotComputedError("ranges have too many items")
    parents = np.repeat(np.arange(len(counts)), counts)
    firsts = np.cumsum(counts) - counts
    return Items(pa.array(starts[parents] + np.arange(total) - firsts[parents]), parents)


def _is_empty(source: Expression) -> bool:
    return source.op is Op.LIST and not source.parts
