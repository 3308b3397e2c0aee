"""Computed columns of a schema over columns of the stream that it does not list."""

from __future__ import annotations

import pytest

from pystream.common import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import SqlError
from pystream.table import Schema, StreamTableEnvironment


@pytest.mark.local_only("Spark reads the same columns")
def test_expressions_read_columns_that_are_not_listed(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    rows = env.from_collection(
        [(1, 2, "a")], Types.ROW_NAMED(["x", "y", "s"], [Types.INT()] * 2 + [Types.STRING()])
    )
    schema = Schema.new_builder().column("s", "STRING").column_by_expression("sum_of", "x + y").build()
    table = t_env.from_data_stream(rows, schema)
    assert table.get_schema().get_field_names() == ["s", "sum_of"]
    with table.execute().collect() as results:
        assert [tuple(row) for row in results] == [("a", 3)]
    wrong = Schema.new_builder().column("s", "STRING").column_by_expression("z", "none + 1").build()
    with pytest.raises(SqlError, match="there is no column 'none'"):
        t_env.from_data_stream(rows, wrong)
