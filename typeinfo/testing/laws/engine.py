"""The law that a trip through Spark changes nothing."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from typeinfo.testing.laws.law import Law, assert_same
from typeinfo.testing.laws.subject import Checked, Subject

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["check_spark_collect", "spark_law"]


def check_spark_collect(
    subject: Checked,
    values: Sequence[Any] | None = None,
    *,
    session: Any,
    strategy: SearchStrategy[Any] | None = None,
    examples: int = 10,
) -> None:
    """Spark collects the values that it was sent, by Arrow and by pickle alike.

    Args:
        subject: a type, a class that ``Types.of`` knows, a `TypeSerializer` or a `Subject`.
        values: one batch of values; with ``None``, Hypothesis makes batches.
        session: a SparkSession.
        strategy: makes single values.
        examples: how many batches are tried, each a job of Spark.

    Raises:
        LawViolation: something comes back changed.
    """
    spark_law(session)(subject, values, strategy=strategy, examples=examples)


def spark_law(session: Any) -> Law:
    """Return the law as one of a session."""

    def check_spark_collect(subject: Subject, values: list[Any]) -> None:
        """Spark collects the values that it was sent, by Arrow and by pickle alike."""
        _collects(session, subject, values)

    return Law(check_spark_collect, context=", session=spark")


def _collects(session: Any, subject: Subject, values: list[Any]) -> None:
    t, serializer = subject.type, subject.serializer
    from typeinfo.formats.spark import to_spark_schema  # takes pyspark

    table = pa.Table.from_batches([serializer.to_batch(copy.deepcopy(values))])
    frame = session.createDataFrame(table, schema=to_spark_schema(t))
    collected = frame.toArrow().to_batches()
    found = [value for part in collected for value in serializer.from_batch(part)]
    assert_same(found, values, f"Spark changes values of {t}", kinds=False)
