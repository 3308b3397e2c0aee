"""Aggregations as methods of expressions; their functions are held to recorded queries."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.table import StreamTableEnvironment, Table
from pystream.table.expression import Expression
from pystream.table.expressions import array, col
from pystream.testing import local_environment


@pytest.fixture(scope="module")
def words() -> Table:
    t_env = StreamTableEnvironment.create(local_environment())
    return t_env.from_elements([("a", 1), (None, 4), ("b", 2), ("a", 1)], ["w", "n"])


@pytest.mark.parametrize(
    ("aggregation", "data_type", "expected"),
    [
        (col("w").list_agg(), "STRING", "a,b,a"),
        (col("w").list_agg("; "), "STRING", "a; b; a"),
        (col("w").list_agg("; ").distinct, "STRING", "a; b"),
        (col("w").array_agg, "ARRAY<STRING>", ["a", None, "b", "a"]),
        (col("w").array_agg.distinct, "ARRAY<STRING>", ["a", None, "b"]),
        (col("w").collect, "MULTISET<STRING> NOT NULL", {"a": 2, "b": 1}),
        (col("w").collect.distinct, "MULTISET<STRING> NOT NULL", {"a": 1, "b": 1}),
        (col("w").first_value, "STRING", "a"),
        (col("n").last_value, "BIGINT", 1),
        (col("n").percentile(0.5), "DOUBLE", 1.5),
        (col("n").percentile(array(0.0, 1.0)), "ARRAY<DOUBLE>", [1.0, 4.0]),
        (col("n").percentile(0.5, col("n")), "DOUBLE", 3.0),
        (col("n").var_pop, "BIGINT", 1),
    ],
)
def test_aggregations(aggregation: Expression[Any], data_type: str, expected: object, words: Table) -> None:
    table = words.select(aggregation)
    assert [str(kind) for kind in table.get_schema().get_field_data_types()] == [data_type]
    with table.execute().collect() as results:
        assert [row[0] for row in results] == [expected]
