"""The laws every type and its serializer keep; call them from tests with a type and values of it.

Each law is a function of a type and a list of its values, as ``typeinfo.strategies.values`` makes them, and
raises an AssertionError that says what was lost or changed. A user's own record types are held to them so::

    @given(st.lists(values(Types.of(Order))))
    def test_orders_keep_the_laws(orders):
        for law in ALL_LAWS:
            law(Types.of(Order), orders)
"""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import Any

import pyarrow as pa

from typeinfo.errors import TypeCheckError, UnsupportedTypeError
from typeinfo.formats.arrow import erased, from_arrow_schema, to_arrow_schema
from typeinfo.forms import other_form
from typeinfo.info import TypeInformation
from typeinfo.misfits import misfits
from typeinfo.sameness import same, same_key, twin
from typeinfo.serde import serializer_for
from typeinfo.serde.keys import key_encoder, key_refusal

__all__ = [
    "ALL_LAWS",
    "Law",
    "arrow_equals_pickle",
    "batching_changes_nothing",
    "conforming_keeps_values",
    "equal_keys_encode_equally",
    "misfits_are_refused",
    "other_forms_conform",
    "round_trips_as_columns",
    "round_trips_as_pickle",
    "round_trips_as_record_batch",
    "schemas_map_back",
    "types_are_values",
]

Law = Callable[[TypeInformation[Any], list[Any]], None]


def types_are_values(t: TypeInformation[Any], values: list[Any]) -> None:
    """A type is equal to its copies, hashes alike and travels by pickle."""
    for other in (pickle.loads(pickle.dumps(t)), copy.deepcopy(t)):
        _require(other == t, f"{t} is not equal to its copy {other}")
        _require(hash(other) == hash(t), f"{t} hashes unlike its copy")


def conforming_keeps_values(t: TypeInformation[Any], values: list[Any]) -> None:
    """Valid values conform as they are, in order; what has conformed is handed back untouched."""
    before = copy.deepcopy(values)
    conformed = serializer_for(t).conform(values)
    _assert_same(values, before, f"conform changed the values of {t} it was given")
    _assert_same(conformed, values, f"conform changed values of {t}")
    _require(serializer_for(t).conform(conformed) is conformed, f"conforming values of {t} twice copies them")


def other_forms_conform(t: TypeInformation[Any], values: list[Any]) -> None:
    """Other forms that a type takes, such as a list for a tuple, become the same values, on every way."""
    serializer = serializer_for(t)
    others = [other_form(t, value) for value in values]
    before = copy.deepcopy(others)
    conformed = serializer.conform(others)
    _assert_same(others, before, f"conform changed the values of {t} it was given")
    _assert_same(conformed, values, f"other forms of values of {t} do not conform to them", kinds=False)
    columns = serializer.from_batch(serializer.to_batch(others))
    _assert_same(columns, values, f"columns of other forms of values of {t} are not the same", kinds=False)


def round_trips_as_columns(t: TypeInformation[Any], values: list[Any]) -> None:
    """Columns give the values back; whether they were checked before makes no difference."""
    serializer = serializer_for(t)
    batch = serializer.to_batch(values)
    _require(
        batch.schema.equals(to_arrow_schema(t), check_metadata=True), f"a batch of {t} is of {batch.schema}"
    )
    batch.validate(full=True)
    for written in (batch, serializer.to_batch(serializer.conform(values), conformed=True)):
        _assert_same(serializer.from_batch(written), values, f"columns of {t} lose something", kinds=False)


def round_trips_as_record_batch(t: TypeInformation[Any], values: list[Any]) -> None:
    """Arrow's own bytes give the values back, and the type."""
    buffer = io.BytesIO()
    batch = serializer_for(t).to_batch(values)
    with pa.ipc.new_stream(buffer, batch.schema) as stream:
        stream.write_batch(batch)
    with pa.ipc.open_stream(buffer.getvalue()) as stream:
        read = stream.read_next_batch()
    found = from_arrow_schema(read.schema)
    _require(found == erased(t), f"{t} comes back as {found}")
    _assert_same(
        serializer_for(t).from_batch(read), values, f"record batches of {t} lose something", kinds=False
    )


def round_trips_as_pickle(t: TypeInformation[Any], values: list[Any]) -> None:
    """Serialized bytes give the values back, the kinds of rows included, as new objects."""
    serializer = serializer_for(t)
    conformed = serializer.conform(values)
    _assert_same(
        serializer.deserialize(serializer.serialize(conformed)), values, f"bytes of {t} lose something"
    )


def arrow_equals_pickle(t: TypeInformation[Any], values: list[Any]) -> None:
    """It does not matter which encoding carried the values."""
    serializer = serializer_for(t)
    conformed = serializer.conform(values)
    columns = serializer.from_batch(serializer.to_batch(conformed, conformed=True))
    pickled = serializer.deserialize(serializer.serialize(conformed))
    _assert_same(columns, pickled, f"columns and bytes of {t} differ", kinds=False)


def schemas_map_back(t: TypeInformation[Any], values: list[Any]) -> None:
    """Schemas of Arrow and of Spark give the type back, Python classes erased."""
    from typeinfo.formats.spark import from_spark_schema, to_spark_schema

    plain = erased(t)
    _require(erased(plain) == plain, f"{plain}, which is {t} erased, changes when erased again")
    arrow, spark = to_arrow_schema(t), to_spark_schema(t)
    _require(from_arrow_schema(arrow) == plain, f"{t} comes back from Arrow as {from_arrow_schema(arrow)}")
    _require(from_spark_schema(spark) == plain, f"{t} comes back from Spark as {from_spark_schema(spark)}")
    _require(
        arrow.names == spark.names, f"{t} has the columns {arrow.names} in Arrow, {spark.names} in Spark"
    )


def equal_keys_encode_equally(t: TypeInformation[Any], values: list[Any]) -> None:
    """Equal keys give equal bytes and different keys different ones, unless the type is refused as a key."""
    if key_refusal(t) is not None:
        try:
            key_encoder(t)
        except UnsupportedTypeError:
            return
        raise AssertionError(f"{t} cannot be a key, but has an encoder")
    encode = key_encoder(t)
    keys = serializer_for(t).conform(values)
    for key in keys:
        for other in (copy.deepcopy(key), twin(key)):
            _require(
                encode(other) == encode(key), f"{other!r} and {key!r} are one key of {t}, encoded in two ways"
            )
    for a, b in combinations(keys, 2):
        verb = "are one key" if same_key(a, b) else "are two keys"
        _require(
            (encode(a) == encode(b)) == same_key(a, b), f"{a!r} and {b!r} {verb} of {t}, but not as bytes"
        )


def misfits_are_refused(t: TypeInformation[Any], values: list[Any]) -> None:
    """A value that is wrong in one place is refused, whoever looks, and the error names element and place."""
    serializer = serializer_for(t)
    index = len(values) // 2
    for misfit in chain.from_iterable(misfits(t, value) for value in values):
        batch = [*values[:index], misfit.value, *values[index:]]
        for look in (serializer.conform, serializer.to_batch):
            try:
                kept: Any = look(batch)
            except TypeCheckError as error:
                place = f"element {index}, {misfit.path!r}"
                named = f"element {error.index}, {error.path!r}"
                _require(
                    place == named, f"{misfit.value!r} is wrong for {t} at {place}, but said to be at {named}"
                )
            else:
                raise AssertionError(
                    f"{misfit.value!r} is wrong for {t} at {misfit.path!r}, but taken as {kept}"
                )


def batching_changes_nothing(t: TypeInformation[Any], values: list[Any]) -> None:
    """However a stream is cut into batches, its values are the same."""
    serializer = serializer_for(t)
    whole = serializer.to_batch(values)
    for size in sorted({1, 2, len(values) // 2} - {0}):
        parts = [values[start : start + size] for start in range(0, len(values), size)]
        _assert_same(
            _joined(map(serializer.conform, parts)), values, f"batches of {size} change values of {t}"
        )
        batches = [serializer.to_batch(part) for part in parts]
        read = _joined(map(serializer.from_batch, batches))
        _assert_same(read, values, f"record batches of {size} change values of {t}", kinds=False)
        slices = [whole.slice(start, size) for start in range(0, len(values), size)]
        read = _joined(map(serializer.from_batch, slices))
        _assert_same(read, values, f"slices of {size} of a record batch change values of {t}", kinds=False)
        if batches:
            (together,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
            _assert_same(serializer.from_batch(together), values, f"joined batches change {t}", kinds=False)
        payloads = [serializer.serialize(serializer.conform(part)) for part in parts]
        read = _joined(map(serializer.deserialize, payloads))
        _assert_same(read, values, f"bytes of batches of {size} change values of {t}")


def _require(kept: bool, message: str) -> None:
    if not kept:  # no assert statement: a law holds under python -O as well
        raise AssertionError(message)


def _joined(batches: Any) -> list[Any]:
    return list(chain.from_iterable(batches))


def _assert_same(found: Sequence[Any], expected: Sequence[Any], message: str, *, kinds: bool = True) -> None:
    _require(len(found) == len(expected), f"{message}: {len(expected)} values became {len(found)}")
    for index, (left, right) in enumerate(zip(found, expected, strict=True)):
        _require(same(left, right, kinds=kinds), f"{message}: element {index}, {right!r}, became {left!r}")


ALL_LAWS: tuple[Law, ...] = (
    types_are_values,
    conforming_keeps_values,
    other_forms_conform,
    round_trips_as_columns,
    round_trips_as_record_batch,
    round_trips_as_pickle,
    arrow_equals_pickle,
    schemas_map_back,
    equal_keys_encode_equally,
    misfits_are_refused,
    batching_changes_nothing,
)
