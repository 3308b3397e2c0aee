"""Laws of round trips: pickling a type, schemas, columns, bytes, batches, Spark."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from typeinfo.custom import CustomTypeInfo
from typeinfo.formats.arrow import erased, from_arrow_schema, to_arrow_schema
from typeinfo.formats.layout import erased_elements
from typeinfo.info import TypeInformation
from typeinfo.testing.laws.law import Law, assert_same, law, require
from typeinfo.testing.laws.subject import Checked, Subject

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "check_batching",
    "check_encodings_agree",
    "check_round_trip",
    "check_schemas",
    "check_spark_collect",
    "check_type_is_value",
    "spark_law",
]


@law()
def check_type_is_value(subject: Subject, values: list[Any]) -> None:
    """A type is equal to its copies, hashes alike and travels by pickle."""
    t = subject.type
    for other in (pickle.loads(_pickled(t)), copy.deepcopy(t)):
        require(other == t, f"{t} is not equal to its copy, which {_why_unequal(t, other)}")
        require(hash(other) == hash(t), f"{t} hashes unlike its copy")


def _why_unequal(t: TypeInformation[Any], other: TypeInformation[Any]) -> str:
    """Describe the difference between a type and its copy, in words that continue a sentence."""
    if isinstance(t, CustomTypeInfo):
        for role in ("encode", "decode"):
            function = getattr(t, role)
            if getattr(function, "__closure__", None) or getattr(function, "__defaults__", None):
                name = getattr(function, "__qualname__", function)
                return (
                    f"has another {role}: {name} captures or defaults to an object that is not equal to its "
                    "copy; give the class of that object an __eq__, or define the function at the top level "
                    "of a module"
                )
    return f"shows as {other}"


def _pickled(t: object) -> bytes:
    try:
        return pickle.dumps(t)
    except Exception:  # noqa: BLE001 - classes of a script are no module's, which pickle reports in many ways
        import cloudpickle  # with which programs travel

        return bytes(cloudpickle.dumps(t))


@law(probes=True)
def check_round_trip(subject: Subject, values: list[Any]) -> None:
    """Columns, Arrow's bytes and serialized bytes give the values back; the last with the kinds of rows."""
    t, serializer = subject.type, subject.serializer
    written = copy.deepcopy(values)
    batch = serializer.to_batch(written)
    batch.validate(full=True)
    require(
        batch.num_rows == len(values), f"a batch of {len(values)} values of {t} has {batch.num_rows} rows"
    )
    for columns in (batch, serializer.to_batch(serializer.conform(written), conformed=True)):
        assert_same(serializer.from_batch(columns), values, f"columns of {t} lose something", kinds=False)
    read = _through_bytes(batch)
    assert_same(serializer.from_batch(read), values, f"record batches of {t} lose something", kinds=False)
    data = serializer.serialize(serializer.conform(written))
    assert_same(serializer.deserialize(data), values, f"bytes of {t} lose something")


def _through_bytes(batch: pa.RecordBatch) -> pa.RecordBatch:
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, batch.schema) as stream:
        stream.write_batch(batch)
    with pa.ipc.open_stream(buffer.getvalue()) as stream:
        return stream.read_next_batch()


@law()
def check_encodings_agree(subject: Subject, values: list[Any]) -> None:
    """It does not matter which encoding carried the values, Arrow or pickle."""
    serializer = subject.serializer
    conformed = serializer.conform(values)
    columns = serializer.from_batch(serializer.to_batch(conformed, conformed=True))
    pickled = serializer.deserialize(serializer.serialize(conformed))
    assert_same(columns, pickled, f"columns and bytes of {subject.type} differ", kinds=False)


@law()
def check_schemas(subject: Subject, values: list[Any]) -> None:
    """Batches have the schema of the type; Arrow's and Spark's give the type back, Python classes erased."""
    from typeinfo.formats.spark import from_spark_schema, to_spark_schema

    t, serializer = subject.type, subject.serializer
    plain = erased_elements(t)
    require(erased(plain) == plain, f"{plain}, which is {t} erased, changes when erased again")
    arrow, spark = to_arrow_schema(t), to_spark_schema(t)
    for schema in (serializer.schema, serializer.to_batch(values).schema):
        require(schema.equals(arrow, check_metadata=True), f"a batch of {t} is of {schema}, not of {arrow}")
    require(from_arrow_schema(arrow) == plain, f"{t} comes back from Arrow as {from_arrow_schema(arrow)}")
    require(from_spark_schema(spark) == plain, f"{t} comes back from Spark as {from_spark_schema(spark)}")
    require(arrow.names == spark.names, f"{t} has the columns {arrow.names} in Arrow, {spark.names} in Spark")


@law()
def check_batching(subject: Subject, values: list[Any]) -> None:
    """However a stream is cut into batches, empty ones among them, its values are the same."""
    t, serializer = subject.type, subject.serializer
    written = copy.deepcopy(values)
    whole = serializer.to_batch(written)
    for size in sorted({1, 2, len(values) // 2} - {0}):
        parts = [written[start : start + size] for start in range(0, len(values), size)] + [[]]
        _assert_same_joined(serializer.conform, parts, written, f"batches of {size} change values of {t}")
        batches = [serializer.to_batch(part) for part in parts]
        message = f"record batches of {size} change values of {t}"
        _assert_same_joined(serializer.from_batch, batches, values, message, kinds=False)
        slices = [whole.slice(start, size) for start in range(0, len(values), size)]
        message = f"slices of {size} of a record batch change values of {t}"
        _assert_same_joined(serializer.from_batch, slices, values, message, kinds=False)
        (together,) = pa.Table.from_batches(batches).combine_chunks().to_batches() or [whole]
        assert_same(serializer.from_batch(together), values, f"joined batches change {t}", kinds=False)
        payloads = [serializer.serialize(serializer.conform(part)) for part in parts]
        message = f"bytes of batches of {size} change values of {t}"
        _assert_same_joined(serializer.deserialize, payloads, values, message)


def _assert_same_joined(
    read: Callable[[Any], list[Any]],
    parts: list[Any],
    values: list[Any],
    message: str,
    *,
    kinds: bool = True,
) -> None:
    assert_same(list(chain.from_iterable(map(read, parts))), values, message, kinds=kinds)


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
    """Return the law of a round trip through Spark, for a SparkSession."""

    def check_spark_collect(subject: Subject, values: list[Any]) -> None:
        """Spark collects the values that it was sent, by Arrow and by pickle alike."""
        from typeinfo.formats.spark import to_spark_schema  # takes pyspark

        t, serializer = subject.type, subject.serializer
        table = pa.Table.from_batches([serializer.to_batch(copy.deepcopy(values))])
        frame = session.createDataFrame(table, schema=to_spark_schema(t))
        batches = frame.toArrow().to_batches()
        found = list(chain.from_iterable(map(serializer.from_batch, batches)))
        assert_same(found, values, f"Spark changes values of {t}", kinds=False)

    return Law(check_spark_collect, context=", session=spark")
