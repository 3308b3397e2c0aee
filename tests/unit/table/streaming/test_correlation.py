"""Rows with the rows that table functions make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pystream.common import RowKind
from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation import Evaluation
from pystream.table.functions.table_functions import Unnest
from pystream.table.functions.values.table_calls import TableCall
from pystream.table.streaming.correlation import Correlation
from typeinfo.row import Row, make_row

PAIR = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.STRING())])


class Repeated(TableCall):
    """Make rows of a number, as many as it says."""

    def rows(self, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return [(number,) for number in range(values[0])]


def results(
    rows: Sequence[Row[Any]],
    unmatched: tuple[None, ...] | None = None,
    condition: Callable[[Sequence[Any]], bool] | None = None,
) -> list[tuple[Any, ...]]:
    number = Evaluation(lambda row: row[0], DataTypes.INT())
    condition_of = None if condition is None else Evaluation(condition, DataTypes.BOOLEAN())
    function = Correlation([number], Repeated(), condition_of, unmatched)
    return [(result.get_row_kind(), *result) for row in rows for result in function.flat_map(row)]


@pytest.mark.parametrize("kind", [*RowKind])
def test_results_have_the_kind_of_their_row(kind: RowKind) -> None:
    assert results([make_row((2, "x"), None, kind)]) == [(kind, 2, "x", 0), (kind, 2, "x", 1)]
    assert results([make_row((0, "x"), None, kind)]) == []
    assert results([make_row((0, "x"), None, kind)], (None,)) == [(kind, 0, "x", None)]


def test_rows_for_which_the_condition_is_not_true_are_none() -> None:
    row = make_row((2, "x"), None)
    assert results([row], condition=lambda row: row[2] > 0) == [(RowKind.INSERT, 2, "x", 1)]
    assert results([row], (None,), lambda row: row[2] > 0) == [(RowKind.INSERT, 2, "x", 1)]
    assert results([row], (None,), lambda row: row[2] > 1) == [(RowKind.INSERT, 2, "x", None)]


@pytest.mark.parametrize(
    ("collection", "value", "rows"),
    [
        (DataTypes.ARRAY(DataTypes.INT()), [3, None], [(3,), (None,)]),
        (DataTypes.ARRAY(DataTypes.INT()), None, []),
        (DataTypes.ARRAY(PAIR), [Row(1, "x"), None], [(1, "x"), (None, None)]),
        (DataTypes.MAP(DataTypes.INT(), DataTypes.STRING()), {1: "x", 2: None}, [(1, "x"), (2, None)]),
        (DataTypes.MULTISET(DataTypes.STRING()), {"x": 2, None: 1}, [("x",), ("x",), (None,)]),
        (DataTypes.MULTISET(PAIR), {Row(1, "x"): 2}, [(1, "x"), (1, "x")]),
    ],
)
def test_elements_of_collections_are_rows(collection: Any, value: Any, rows: list[tuple[Any, ...]]) -> None:
    assert [tuple(row) for row in Unnest(False).call([collection]).rows([value])] == rows
    counted = Unnest(True).call([collection]).rows([value])
    assert [tuple(row) for row in counted] == [(*row, number) for number, row in enumerate(rows, 1)]


@pytest.mark.parametrize(
    ("collection", "columns"),
    [
        (DataTypes.ARRAY(DataTypes.INT(False)), ["`EXPR$0` INT NOT NULL"]),
        (DataTypes.ARRAY(PAIR), ["`a` INT", "`b` STRING"]),
        (DataTypes.MAP(DataTypes.INT(False), DataTypes.STRING()), ["`KEY` INT NOT NULL", "`VALUE` STRING"]),
        (DataTypes.MULTISET(DataTypes.STRING()), ["`EXPR$0` STRING"]),
    ],
)
def test_columns_of_collections(collection: Any, columns: list[str]) -> None:
    assert [str(field) for field in Unnest(False).fields([collection])] == columns
    assert [str(field) for field in Unnest(True).fields([collection])] == [
        *columns,
        "`ORDINALITY` INT NOT NULL",
    ]
