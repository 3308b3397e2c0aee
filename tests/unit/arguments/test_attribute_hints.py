"""An unknown attribute is answered with the method to use instead."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from pystream.arguments.equivalents import EQUIVALENTS
from pystream.common import Time, Types
from pystream.dataset import Environment
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.errors import UnknownAttributeError
from pystream.table import EnvironmentSettings, StreamTableEnvironment
from pystream.table.expressions import col, lit
from pystream.table.window import Tumble
from pystream.testing import local_environment

OF_OTHERS = {
    "PROCTIME",
    "build",
    "call_sql",
    "col",
    "column_by_expression",
    "for_row_format",
    "lit",
    "no_watermarks",
    "of",
    "set",
}


def objects() -> dict[str, Any]:
    """Return an object of each class that has equivalents."""
    env = local_environment()
    stream = env.from_collection([("a", 1)], Types.TUPLE([Types.STRING(), Types.INT()]))
    keyed = stream.key_by(lambda pair: pair[0], Types.STRING())
    assigner = TumblingEventTimeWindows.of(Time.seconds(1))
    t_env = StreamTableEnvironment.create(env)
    table = t_env.from_data_stream(stream)
    window = Tumble.over(lit(1).minutes).on(col("f1")).alias("w")
    batch = Environment(env)
    return {
        "DataStream": stream,
        "KeyedStream": keyed,
        "WindowedStream": keyed.window(assigner),
        "AllWindowedStream": stream.window_all(assigner),
        "ConnectedStreams": stream.connect(stream),
        "Table": table,
        "GroupedTable": table.group_by(col("f0")),
        "WindowGroupedTable": table.window(window).group_by(col("w")),
        "TableResult": table.execute(),
        "StreamExecutionEnvironment": env,
        "TableEnvironment": t_env,
        "Expression": col("f0"),
        "DataSet": batch.from_elements(("a", 1)),
        "Grouping": batch.from_elements(("a", 1)).group_by(0),
        "Environment": batch,
        "EnvironmentSettings.Builder": EnvironmentSettings.new_instance(),
    }


def hint(owner: Any, name: str) -> str:
    with pytest.raises(UnknownAttributeError) as caught:
        getattr(owner, name)
    assert isinstance(caught.value, AttributeError)
    subject, _, answer = str(caught.value).partition("; ")
    assert subject == f"{type(owner).__qualname__} has no attribute {name!r}"
    return answer


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (
            "DataStream",
            "count groupBy select withColumn agg head collect toPandas keyBy addSink flatMap",
        ),
        ("KeyedStream", "count agg sumBy timeWindow mapWithState"),
        ("WindowedStream", "count sum agg sideOutputLateData allowedLateness"),
        ("Table", "count show head collect withColumn groupBy drop sort agg toPandas printSchema"),
        ("GroupedTable", "agg count sum apply"),
        ("StreamExecutionEnvironment", "parallelize read readTextFile fromCollection sql addSource range"),
        ("TableEnvironment", "sql table executeSql sqlQuery registerFunction connect register_table_sink"),
        ("DataSet", "count collect head flatMap groupBy writeAsText"),
    ],
)
def test_habitual_names_are_answered(cls: str, names: str) -> None:
    owner = objects()[cls]
    for name in names.split():
        answer = hint(owner, name)
        assert not answer.startswith("help("), name
        named = re.findall(r"\w+", answer)
        assert any(hasattr(owner, word) for word in named) or cls in (
            "DataStream",
            "StreamExecutionEnvironment",
        )


def test_every_equivalent_exists_and_replaces_a_name_that_does_not() -> None:
    owners = objects()
    assert owners.keys() == EQUIVALENTS.keys()
    known = {name for owner in owners.values() for name in dir(type(owner))}
    for cls, equivalents in EQUIVALENTS.items():
        for name, answer in equivalents.items():
            assert name not in dir(type(owners[cls])), f"{cls}.{name} exists"
            called = set(re.findall(r"\b([a-z]\w+)\(", answer)) - OF_OTHERS
            assert called <= known, f"{cls}.{name}: {called - known}"
            assert called or "use " in answer


def test_a_misspelt_name_is_answered_with_similar_ones() -> None:
    assert hint(objects()["DataStream"], "flat_mapp") == "did you mean flat_map?"
    assert hint(objects()["DataStream"], "getExecutionConfig") == "write get_execution_config"
    assert hint(objects()["DataStream"], "xyzzy") == "help(DataStream) lists what it has"


@pytest.mark.parametrize("cls", ["StreamExecutionEnvironment", "TableEnvironment", "Table", "DataStream"])
def test_objects_of_java_are_answered(cls: str) -> None:
    with pytest.raises(UnknownAttributeError, match="no attribute '_j_env'; no Java runs here"):
        objects()[cls]._j_env


def test_what_probes_for_attributes_finds_that_they_are_missing() -> None:
    for owner in objects().values():
        assert not hasattr(owner, "no_such_attribute")
        assert getattr(owner, "shape", None) is None
        assert not hasattr(owner, "_ipython_canary_method_should_not_exist_")
        with pytest.raises(AttributeError) as caught:
            owner.__array__
        assert not isinstance(caught.value, UnknownAttributeError)
        assert type(copy.copy(owner)) is type(owner)
