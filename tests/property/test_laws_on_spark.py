"""The kit and custom types with Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from pystream.datastream import StreamExecutionEnvironment
from tests.property.broken import BASKET, MOMENT, Basket, Tags, basket_of, basket_parts, tags_sorted
from typeinfo import Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import ColumnarSerializer
from typeinfo.testing.laws import LawViolation, check_all, check_spark_collect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TAGS = CustomTypeInfo(Tags, Types.LIST(Types.STRING()), tags_sorted, Tags, deterministic=True)
BASKETS = CustomTypeInfo(Basket, BASKET, basket_parts, basket_of)


class ShiftsAfterSpark(ColumnarSerializer[Any]):
    """Mistakes Spark's columns, which may be null, for foreign ones."""

    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        values = super().from_batch(batch)
        return values if batch.schema.metadata else [value[::-1] for value in values]


def test_all_laws_with_a_session(spark: SparkSession) -> None:
    check_all(MOMENT, session=spark, examples=3)
    check_all(BASKETS, session=spark, examples=3)


def test_what_spark_changes_is_found(spark: SparkSession) -> None:
    broken = ShiftsAfterSpark(Types.TUPLE([Types.INT(), Types.INT()]))
    with pytest.raises(LawViolation, match="Spark changes values") as caught:
        check_spark_collect(broken, [(1, 2)], session=spark)
    assert caught.value.reproduction().endswith(", [(1, 2)], session=spark)")


def and_more(tags: Tags) -> Tags:
    return Tags([*tags.names, "more"])


def counted(tags: Tags) -> tuple[Tags, int]:
    return tags, 1


def tags_of(pair: tuple[Tags, int]) -> Tags:
    return pair[0]


def added(a: tuple[Tags, int], b: tuple[Tags, int]) -> tuple[Tags, int]:
    return a[0], a[1] + b[1]


def test_a_custom_type_goes_through_a_job_and_is_its_key(spark: SparkSession) -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    given = [Tags(["a", "b"]), Tags(["c"]), Tags(["b", "a"])]
    pair = Types.TUPLE([TAGS, Types.LONG()])
    stream = env.from_collection(given, TAGS).map(and_more, TAGS).map(counted, pair)
    counts = stream.key_by(tags_of, key_type=TAGS).reduce(added)
    with counts.execute_and_collect() as results:
        found = sorted((sorted(tags.names), count) for tags, count in results)
    assert found == [(["a", "b", "more"], 1), (["a", "b", "more"], 2), (["c", "more"], 1)]
