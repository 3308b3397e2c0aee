"""The examples of declared functions have the results of PyFlink on Spark."""

from __future__ import annotations

from pystream.datastream import StreamExecutionEnvironment
from pystream.table import StreamTableEnvironment
from pystream.table.functions.declared import DECLARED
from tests.oracle_modules import oracle_module
from tests.unit.table.functions.differences import EXAMPLES

variations = oracle_module("functions/variations")
harness = oracle_module("sql/harness")


def test_examples_have_the_results_of_flink(env: StreamExecutionEnvironment) -> None:
    recorded = variations.recorded("examples")
    examples = [one for function in DECLARED.values() for one in function.examples if "rows" in recorded[one]]
    columns = ", ".join(f"{example} AS x{n}" for n, example in enumerate(examples))
    table = StreamTableEnvironment.create(env).sql_query(f"SELECT {columns}")
    types = [str(one) for one in table.get_schema().get_field_data_types()]
    with table.execute().collect() as results:
        (row,) = results
    differences = {}
    for example, kind, value in zip(examples, types, row, strict=True):
        observed = {"columns": [["x", kind]], "rows": [[harness.tag(value)]]}
        difference = harness.difference(recorded[example], observed, ordered=True)
        if difference is not None:
            differences[example] = difference
    assert differences == EXAMPLES
