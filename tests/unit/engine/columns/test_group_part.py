"""GroupPart: what it takes does not grow with the groups that a batch leaves alone."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from pystream.engine.columns.group_part import GroupPart
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.expressions.folds import Fold
from typeinfo import Types

COUNT = 2**50  # groups before; nothing can hold a number for each


class Folded(defaultdict[int, Any]):
    """What many groups are folded to: 1 for each, except for those that have changed."""

    def __init__(self) -> None:
        super().__init__(lambda: 1)

    def __iadd__(self, values: list[Any]) -> Folded:
        self.update(enumerate(values, COUNT))
        return self


@pytest.mark.parametrize(
    ("fold", "results", "folded"),
    [
        (Fold.FIRST, [1, 7, 1, 7], (1, 7)),
        (Fold.LAST, [5, 7, -2, 3], (-2, 3)),
        (Fold.SUM, [6, 7, 4, 10], (4, 10)),
        (Fold.MIN, [1, 7, -2, 3], (-2, 3)),
        (Fold.MAX, [5, 7, 5, 7], (5, 7)),
    ],
)
@pytest.mark.parametrize("running", [True, False])
def test_few_of_many_groups_are_folded(
    fold: Fold, results: list[int], folded: tuple[int, int], running: bool
) -> None:
    layout = layout_of(Types.LONG())
    values = ColumnValues(layout, layout.encode([5, 7, -2, 3]))
    groups = np.array([COUNT - 9, COUNT])
    part = GroupPart(values, groups, np.array([0, 1, 0, 1]), np.array([1]), groups[:1], COUNT)
    column: Any = Folded()
    given: list[Column] = []
    part.fold(fold, 0, column, given if running else None)
    assert (column[COUNT - 9], column[COUNT]) == folded
    assert [list(each.values) for each in given] == [results] * running
