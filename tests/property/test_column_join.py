"""Columns are joined as a loop over all pairs of rows joins them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.evaluation import Evaluation
from pystream.table.streaming.column_join import JoinedColumns, KeyColumn
from tests.unit.table.evaluation.expressions import evaluation_of

TYPES = [DataTypes.INT(), DataTypes.DOUBLE(), DataTypes.STRING(), DataTypes.DECIMAL(20, 2)]
NAMES = {f"{side}{kind}": str(t) for side in "lr" for kind, t in zip("idtm", TYPES, strict=True)}
VALUES: list[Sequence[Any]] = [
    [0, 1],
    [0.0, -0.0, math.nan, 2.5],
    ["", "a", "é"],
    [Decimal("1.00"), Decimal("-0.01")],
]
ROWS = st.lists(st.tuples(*(st.sampled_from([None, *values]) for values in VALUES)), max_size=7)
ARROW = [pa.int64(), pa.float64(), pa.string(), pa.decimal128(20, 2)]


def layout_for(types: Sequence[Any]) -> Any:
    columns = [TableColumn(f"f{n}", data_type, data_type.type_info, n) for n, data_type in enumerate(types)]
    return layout_of(row_type(columns))


SIDE, PAIR = layout_for(TYPES), layout_for([*TYPES, *TYPES])
CONDITIONS: list[Evaluation | None] = [
    None,
    *(
        evaluation_of(text, **NAMES)
        for text in ("li < ri OR lt = 'a'", "lt || rt LIKE '%a'", "MD5(lt) <> rt")
    ),
]
"""Conditions on pairs, of which the last one has no kernel."""


def are_equal(one: Any, other: Any, *, admits_null: bool) -> bool:
    if one is None or other is None:
        return admits_null and one is None and other is None
    return bool(one == other or (one != one and other != other))


def joined(
    lefts: Sequence[Any],
    rights: Sequence[Any],
    keys: Sequence[tuple[int, bool]],
    outer: tuple[bool, bool],
    condition: Evaluation | None,
) -> Iterator[tuple[Any, ...]]:
    pairs = [
        (one, other)
        for one in range(len(lefts))
        for other in range(len(rights))
        if all(are_equal(lefts[one][key], rights[other][key], admits_null=admits) for key, admits in keys)
        and (condition is None or condition((*lefts[one], *rights[other])) is True)
    ]
    nulls = (None,) * len(TYPES)
    paired = [{pair[side] for pair in pairs} for side in (0, 1)]
    yield from ((*lefts[one], *rights[other]) for one, other in pairs)
    if outer[0]:
        yield from ((*row, *nulls) for one, row in enumerate(lefts) if one not in paired[0])
    if outer[1]:
        yield from (
            (*nulls, *row) for one, row in enumerate(rights) if one not in {pair[1] for pair in pairs}
        )


@given(
    ROWS,
    ROWS,
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=2, unique_by=lambda key: key[0]),
    st.tuples(st.booleans(), st.booleans()),
    st.sampled_from(CONDITIONS),
)
def test_columns_are_joined_as_rows_are(
    lefts: list[tuple[Any, ...]],
    rights: list[tuple[Any, ...]],
    keys: list[tuple[int, bool]],
    outer: tuple[bool, bool],
    condition: Evaluation | None,
) -> None:
    columns = [KeyColumn(key, key, ARROW[key], admits_null=admits) for key, admits in keys]
    join = JoinedColumns(columns, outer, condition, len(TYPES))
    for side, rows in enumerate((lefts, rights)):
        for start in range(0, len(rows), 3):
            part = rows[start : start + 3]
            join.add(ColumnValues(SIDE, SIDE.encode(list(part))).columns, side)
    observed = [repr(tuple(row)) for values in join.results(PAIR) for row in values]
    assert Counter(observed) == Counter(map(repr, joined(lefts, rights, keys, outer, condition)))


def test_many_pairs_are_made_in_parts() -> None:
    number = DataTypes.BIGINT()
    side, pair = layout_for([number]), layout_for([number, number])
    join = JoinedColumns([], (False, False), None, 1)
    join.add([Column(side.codecs[0], pa.array(np.arange(1000)))], 0)
    join.add([Column(side.codecs[0], pa.array(np.arange(300)))], 1)
    parts = list(join.results(pair))
    assert [len(part) for part in parts] == [300 * 436, 300 * 436, 300 * 128]
    pairs = {tuple(row) for part in parts for row in part}
    assert pairs == {(one, other) for one in range(1000) for other in range(300)}
