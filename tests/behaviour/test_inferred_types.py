"""The types of streams that declare none."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from pystream.common import Configuration, Row, Types
from pystream.datastream import (
    AggregateFunction,
    DataStream,
    ProcessWindowFunction,
    StreamExecutionEnvironment,
    WindowFunction,
)
from pystream.errors import JobExecutionError, PlanError
from pystream.table import StreamTableEnvironment
from tests.explained import why_not_faster

README = Path(__file__).parents[2] / "README.md"


def test_the_first_program_is_typed_throughout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.S)
    assert code is not None
    script = tmp_path / "words.py"
    script.write_text(code[1], "utf-8")
    (tmp_path / "config.yaml").write_text("pystream.runner: local\npystream.strict-types: true\n")
    monkeypatch.setenv("FLINK_CONF_DIR", str(tmp_path))
    names = run_path(str(script), run_name="__main__")
    types = {
        name: str(value.filter(bool).get_type())  # a source tells its declared type only
        for name, value in names.items()
        if isinstance(value, DataStream)
    }
    assert types == {"lines": "String (inferred)", "long_words": "Word(text: String, length: Long)"}
    assert "not" in capsys.readouterr().out


def local(**options: str) -> StreamExecutionEnvironment:
    settings = {"pystream.runner": "local", **{f"pystream.{name}": value for name, value in options.items()}}
    return StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))


def test_inference_can_be_turned_off() -> None:
    lengths = local(**{"infer-types": "false"}).from_collection(["a"]).map(lambda text: len(text))
    assert str(lengths.get_type()) == "PickledByteArrayTypeInfo"
    assert "no output_type, and a lambda has no annotations: annotate" in why_not_faster(lengths)


def test_fields_of_inferred_types_are_keys() -> None:
    pairs = local().from_collection(["b", "a", "b"]).map(lambda text: (text, 1))
    assert str(pairs.key_by(0).get_type()) == "TupleTypeInfo(String, Long) (inferred)"
    counts = pairs.key_by(0).reduce(lambda one, other: (one[0], one[1] + other[1]))
    assert sorted(counts.execute_and_collect()) == [("a", 1), ("b", 1), ("b", 2)]
    with pytest.raises(PlanError, match="no field 2"):
        pairs.key_by(2)


def test_a_union_of_two_inferred_types_is_pickled() -> None:
    numbers = local().from_collection([1, 2])
    both = numbers.union(numbers.map(lambda n: str(n)))
    assert str(both.get_type()) == "PickledByteArrayTypeInfo"
    assert sorted(map(repr, both.execute_and_collect())) == ["'1'", "'2'", "1", "2"]


def test_a_union_of_a_declared_and_an_equal_inferred_type_is_inferred() -> None:
    numbers = local().from_collection([1, 2], Types.LONG())
    large = numbers.map(lambda n: 2**62 * n)
    for union in (numbers.union(large), large.union(numbers)):
        assert str(union.get_type()) == "Long (inferred)"
        strings = union.rebalance().map(lambda n: str(n)).set_parallelism(2)
        assert sorted(strings.execute_and_collect()) == ["1", "2", str(2**62), str(2**63)]
    with pytest.raises(PlanError, match="union: 'Collection Source' produces Long, but 'Map' produces"):
        numbers.union(numbers.map(lambda n: str(n)))


def test_an_inferred_type_closes_an_iteration() -> None:
    numbers = local().set_parallelism(1).from_collection([1, 3], Types.LONG()).iterate()
    less = numbers.map(lambda n: n - 1)
    numbers.close_with(less.filter(lambda n: n > 0))
    assert sorted(less.execute_and_collect()) == [0, 0, 1, 2]
    other = local().from_collection([1], Types.LONG()).iterate()
    with pytest.raises(PlanError, match="the iteration is of Long, but 'Map' produces Pickled"):
        other.close_with(other.map(lambda n: eval("n")))
    with pytest.raises(PlanError, match="the iteration is of Long, but 'Map' produces String"):
        other.close_with(other.map(lambda n: str(n)))


class Mean(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, a, b):
        return a[0] + b[0], a[1] + b[1]


class Named(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, next(iter(elements))


class Listed(WindowFunction):
    def apply(self, key, window, inputs):
        yield key, [value for _, value in inputs]


def test_results_of_windows_have_types() -> None:
    windows = local().from_collection([("a", 1), ("a", 2)]).key_by(lambda pair: pair[0]).count_window(2)
    means = windows.aggregate(Mean())
    assert str(means.get_type()) == "Double (inferred)"
    named = windows.aggregate(Mean(), Named())
    assert str(named.get_type()) == "TupleTypeInfo(String, Double) (inferred)"
    assert list(named.execute_and_collect()) == [("a", 1.5)]
    listed = windows.apply(Listed())
    assert str(listed.get_type()) == "TupleTypeInfo(String, ListTypeInfo<Long>) (inferred)"
    assert list(listed.execute_and_collect()) == [("a", [1, 2])]


def sometimes(n: int, other: Any) -> int:
    return n if n % 2 else other


def test_columns_have_the_inferred_type() -> None:
    pairs = local().from_collection(["a", "b"]).map(lambda text: (text, len(text)))
    assert pairs.to_arrow().to_pydict() == {"f0": ["a", "b"], "f1": [1, 1]}
    assert list(pairs.to_pandas().columns) == ["f0", "f1"]
    counts = pairs.project(1)
    assert str(counts.get_type()) == "TupleTypeInfo(Long)"
    assert list(counts.execute_and_collect()) == [(1,), (1,)]
    assert local().from_collection([1, 2]).to_arrow().to_pydict() == {"value": [1, 2]}
    pickled = pairs.map(lambda pair: pair, Types.PICKLED_BYTE_ARRAY()).to_arrow()
    assert str(pickled.schema.field("value").type) == "binary"


def test_tables_have_the_inferred_type() -> None:
    env = local()
    tables = StreamTableEnvironment.create(env)
    rows = env.from_collection([("a", 1), ("b", 2)]).map(lambda pair: Row(name=pair[0], n=pair[1] * 2))
    tables.create_temporary_view("rows_of_numbers", rows)
    with tables.sql_query("SELECT n, name FROM rows_of_numbers WHERE n > 2").execute().collect() as results:
        assert [tuple(row) for row in results] == [(4, "b")]
    with tables.from_changelog_stream(rows).execute().collect() as results:
        assert [tuple(row) for row in results] == [("a", 2), ("b", 4)]


@pytest.mark.parametrize(
    "end",
    [
        lambda stream: stream.to_arrow(),
        lambda stream: list(stream.project(0).execute_and_collect()),
        lambda stream: list(
            StreamTableEnvironment.create(stream.get_execution_environment())
            .from_data_stream(stream)
            .execute()
            .collect()
        ),
    ],
)
@pytest.mark.parametrize(
    "function", [lambda n: (2**62 * n,), lambda n: (sometimes(n, None),), lambda n: (sometimes(n, "a"),)]
)
def test_an_element_that_does_not_fit_the_inferred_type_has_no_columns(end: Any, function: Any) -> None:
    stream = local().from_collection([1, 2]).map(function)
    assert str(stream.get_type()) == "TupleTypeInfo(Long) (inferred)"
    with pytest.raises(JobExecutionError, match="Inferred Type of Map") as raised:
        end(stream)
    assert "element: " in str(raised.value)


@pytest.mark.parametrize(
    ("factor", "counts"), [(1, {}), (2**62, {"Source: Numbers -> Map.numBatchesPickled": 1})]
)
def test_batches_that_are_pickled_are_counted(factor: int, counts: dict[str, int]) -> None:
    env = local()
    numbers = env.set_parallelism(1).from_collection([1, 2], Types.LONG()).name("Numbers")
    numbers.map(lambda n: n * factor).rebalance().map(lambda n: str(n)).set_parallelism(2).print()
    client = env.execute_async()
    client.get_job_execution_result().result()
    assert client.get_metrics().result() == counts


def test_an_element_that_does_not_fit_is_as_it_was_where_no_columns_are_needed() -> None:
    stream = local().from_collection([1, 2]).map(lambda n: (2**62 * n,))
    assert str(stream.get_type()) == "TupleTypeInfo(Long) (inferred)"
    assert list(stream.execute_and_collect()) == [(2**62,), (2**63,)]


def test_what_has_no_inferred_type_says_how_to_declare_it() -> None:
    pairs = local().from_collection([1]).map(lambda n: eval("(n, n)"))
    with pytest.raises(PlanError, match=r"'Map' produces PickledByteArrayTypeInfo; give it an output_type"):
        pairs.project(0)
