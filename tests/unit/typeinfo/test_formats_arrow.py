"""Types as Arrow types and schemas, and back."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.typeinfo.format_examples import WITHOUT_CLASSES, nested
from typeinfo import TypeInformation, Types, UnsupportedTypeError
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.arrow import (
    erased,
    from_arrow,
    from_arrow_schema,
    spark_layout,
    to_arrow,
    to_arrow_schema,
)


class Color(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    color: Color
    note: str | None


COLOR: TypeInformation[Any] = EnumTypeInfo(Color)
POINT: TypeInformation[Any] = RecordTypeInfo(
    Point,
    RecordKind.DATACLASS,
    ("x", "color", "note"),
    (Types.LONG, COLOR, OptionalTypeInfo(Types.STRING)),
)


@pytest.mark.parametrize("t", WITHOUT_CLASSES, ids=str)
def test_a_schema_round_trips(t: TypeInformation[Any]) -> None:
    assert erased(t) == t
    assert from_arrow_schema(to_arrow_schema(t)) == t


@pytest.mark.parametrize("t", WITHOUT_CLASSES, ids=str)
def test_a_schema_round_trips_through_parquet(t: TypeInformation[Any]) -> None:
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, to_arrow_schema(t)):
        pass
    assert from_arrow_schema(pq.read_table(pa.BufferReader(sink.getvalue())).schema) == t


def test_fields_are_columns_and_nullable_as_their_slots_say() -> None:
    assert to_arrow_schema(Types.ROW_NAMED(["a"], [Types.INT])).field("a") == pa.field("a", pa.int32())
    assert to_arrow_schema(Types.TUPLE([Types.INT])).field("f0") == pa.field("f0", pa.int32(), nullable=False)
    assert to_arrow_schema(Types.TUPLE([OptionalTypeInfo(Types.INT)])).field("f0").nullable
    assert to_arrow_schema(Types.TUPLE([Types.PICKLED_BYTE_ARRAY])).field("f0").nullable
    assert to_arrow_schema(Types.LONG()).field("value") == pa.field("value", pa.int64(), nullable=False)


def test_nested_composites_are_structs() -> None:
    t = Types.LIST(Types.MAP(Types.STRING, Types.TUPLE([Types.INT])))
    struct = pa.struct([pa.field("f0", pa.int32(), nullable=False)])
    arrow = to_arrow(t)
    assert arrow == pa.list_(pa.field("element", pa.map_(pa.string(), struct), nullable=False))
    assert arrow.value_type.item_field.nullable
    assert not arrow.value_type.key_field.nullable


@pytest.mark.parametrize("t", [Types.ROW([]), Types.TUPLE([]), Types.ROW_NAMED([], [])], ids=str)
def test_a_composite_without_fields_keeps_its_rows_as_booleans(t: TypeInformation[Any]) -> None:
    assert to_arrow_schema(t).field("value") == pa.field("value", pa.bool_(), nullable=False)
    assert to_arrow(Types.LIST(t)).value_type == pa.bool_()


def test_metadata_is_one_short_key_of_names() -> None:
    metadata = to_arrow_schema(
        Types.ROW_NAMED(["a", "é"], [Types.INT, Types.LIST(Types.SQL_DATE())])
    ).metadata
    assert list(metadata) == [b"typeinfo"]
    assert metadata[b"typeinfo"].decode() == '["ROW_NAMED",["a","é"],"INT",["LIST","SQL_DATE"]]'


def test_python_classes_are_erased() -> None:
    row = Types.ROW_NAMED(["x", "color", "note"], [Types.LONG, Types.STRING, OptionalTypeInfo(Types.STRING)])
    assert erased(POINT) == row
    assert from_arrow_schema(to_arrow_schema(POINT)) == row
    assert from_arrow_schema(to_arrow_schema(Types.LIST(POINT))) == Types.LIST(row)
    literal: TypeInformation[Any] = LiteralTypeInfo(("a", "b"), Types.STRING)
    assert erased(Types.MAP(COLOR, literal)) == Types.MAP(Types.STRING, Types.STRING)
    assert not to_arrow_schema(POINT).field("x").nullable
    assert to_arrow_schema(POINT).field("note").nullable


def test_a_key_that_may_be_missing_or_none_is_wrapped() -> None:
    t: TypeInformation[Any] = RecordTypeInfo(
        dict,
        RecordKind.TYPED_DICT,
        ("a", "b"),
        (Types.INT, OptionalTypeInfo(Types.INT)),
        frozenset({"a", "b"}),
    )
    assert to_arrow_schema(t).field("a") == pa.field("a", pa.int32())
    assert to_arrow_schema(t).field("b") == pa.field("b", pa.struct([pa.field("f0", pa.int32())]))


def test_a_class_of_its_own_is_refused() -> None:
    class Strange(TypeInformation[int]):
        pass

    with pytest.raises(UnsupportedTypeError, match="Strange"):
        to_arrow(Strange())
    with pytest.raises(UnsupportedTypeError, match="Strange"):
        erased(Types.LIST(Strange()))


FOREIGN = [
    (pa.uint8(), Types.SHORT),
    (pa.uint16(), Types.INT),
    (pa.uint32(), Types.LONG),
    (pa.uint64(), Types.BIG_INT),
    (pa.float16(), Types.FLOAT),
    (pa.large_string(), Types.STRING),
    (pa.string_view(), Types.STRING),
    (pa.dictionary(pa.int8(), pa.string()), Types.STRING),
    (pa.run_end_encoded(pa.int32(), pa.int64()), Types.LONG),
    (pa.binary(), Types.PRIMITIVE_ARRAY(Types.BYTE)),
    (pa.large_binary(), Types.PRIMITIVE_ARRAY(Types.BYTE)),
    (pa.binary(4), Types.PRIMITIVE_ARRAY(Types.BYTE)),
    (pa.binary_view(), Types.PRIMITIVE_ARRAY(Types.BYTE)),
    (pa.uuid(), Types.UUID),
    (pa.date64(), Types.SQL_DATE),
    (pa.time32("s"), Types.SQL_TIME),
    (pa.time64("ns"), Types.SQL_TIME),
    (pa.timestamp("ns"), Types.SQL_TIMESTAMP),
    (pa.timestamp("s", "Asia/Kolkata"), Types.INSTANT),
    (pa.duration("ns"), Types.DURATION),
    (pa.decimal128(10, 2), Types.BIG_DEC),
    (pa.decimal128(38, 10), Types.BIG_DEC),
    (pa.decimal128(10, 0), Types.BIG_DEC),
    (pa.decimal128(25, 0), Types.BIG_INT),
    (pa.decimal128(20, -10), Types.BIG_INT),
    (pa.decimal256(76, 18), Types.BIG_DEC),
    (pa.decimal256(60, 0), Types.BIG_INT),
    (pa.large_list(pa.int32()), Types.OBJECT_ARRAY(Types.INT)),
    (pa.list_(pa.int32(), 3), Types.OBJECT_ARRAY(Types.INT)),
    (pa.list_view(pa.int32()), Types.OBJECT_ARRAY(Types.INT)),
    (pa.list_(pa.null()), Types.LIST(Types.VOID)),
    (
        pa.struct([("a", pa.struct([("b", pa.int8())]))]),
        Types.ROW_NAMED(["a"], [Types.ROW_NAMED(["b"], [Types.BYTE])]),
    ),
]


@pytest.mark.parametrize(("arrow", "t"), FOREIGN, ids=str)
def test_foreign_types(arrow: pa.DataType, t: TypeInformation[Any]) -> None:
    assert from_arrow(arrow) == t


@pytest.mark.parametrize(
    "arrow",
    [
        *(to_arrow(t) for t in vars(Types).values() if isinstance(t, TypeInformation)),
        pa.binary(),
        pa.list_(pa.field("element", pa.int32(), nullable=False)),
        pa.list_(pa.string()),
        pa.map_(pa.string(), pa.list_(pa.int64())),
        pa.struct([("a", pa.int32()), ("b", pa.list_(pa.string()))]),
    ],
    ids=str,
)
def test_arrow_types_survive_the_round_trip(arrow: pa.DataType) -> None:
    assert to_arrow(from_arrow(arrow)) == arrow


def test_a_foreign_schema_is_a_named_row() -> None:
    schema = pa.schema([("value", pa.string()), ("n", pa.uint8())])
    assert from_arrow_schema(schema) == Types.ROW_NAMED(["value", "n"], [Types.STRING, Types.SHORT])
    assert from_arrow_schema(pa.schema([("value", pa.int64())])) == Types.ROW_NAMED(["value"], [Types.LONG])
    assert from_arrow_schema(pa.schema([])) == Types.ROW_NAMED([], [])


@pytest.mark.parametrize(
    ("arrow", "path", "reason"),
    [
        (
            pa.struct([("a", pa.list_(pa.month_day_nano_interval()))]),
            "a[]",
            "no corresponding type",
        ),
        (pa.map_(pa.string(), pa.decimal256(39, 19)), "[]", "the precision must be from 1 to 38"),
        (pa.struct([("m", pa.map_(pa.list_(pa.int8()), pa.int8()))]), "m", "keys of a dict"),
        (
            pa.struct([("s", pa.struct([("a", pa.int8()), ("a", pa.int8())]))]),
            "s",
            "duplicate field names",
        ),
        (pa.dense_union([pa.field("x", pa.int8())]), "", "no corresponding type"),
    ],
)
def test_impossible_types_are_named_with_their_path(arrow: pa.DataType, path: str, reason: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=reason) as error:
        from_arrow(arrow)
    assert not path or repr(path) in str(error.value)


def test_a_schema_with_duplicate_names_is_refused() -> None:
    with pytest.raises(UnsupportedTypeError) as error:
        from_arrow_schema(pa.schema([("a", pa.int8()), ("a", pa.int8())]))
    assert str(error.value) == "the schema cannot be read: a row type has duplicate field names: ['a']"


def test_metadata_is_used_while_the_columns_agree() -> None:
    t = Types.TUPLE([Types.INT, Types.LOCAL_DATE_TIME, Types.LIST(Types.CHAR)])
    schema = to_arrow_schema(t)
    relaxed = pa.schema([f.with_nullable(True) for f in schema], metadata=schema.metadata)
    other_layout = relaxed.set(2, pa.field("f2", pa.large_list(pa.large_string())))
    other_unit = other_layout.set(1, pa.field("f1", pa.timestamp("ns"))).with_metadata(schema.metadata)
    assert from_arrow_schema(relaxed) == t
    assert from_arrow_schema(other_unit) == t


def test_metadata_that_no_longer_fits_is_ignored() -> None:
    schema = to_arrow_schema(Types.TUPLE([Types.INT, Types.CHAR]))
    dropped = schema.remove(0).with_metadata(schema.metadata)
    assert from_arrow_schema(dropped) == Types.ROW_NAMED(["f1"], [Types.STRING])
    widened = schema.set(0, pa.field("f0", pa.int64())).with_metadata(schema.metadata)
    assert from_arrow_schema(widened) == Types.ROW_NAMED(["f0", "f1"], [Types.LONG, Types.STRING])
    renamed = pa.schema([schema.field(0), schema.field(1).with_name("g")], metadata=schema.metadata)
    assert from_arrow_schema(renamed) == Types.ROW_NAMED(["f0", "g"], [Types.INT, Types.STRING])
    aware = pa.schema([("value", pa.timestamp("us"))], metadata=to_arrow_schema(Types.INSTANT).metadata)
    assert from_arrow_schema(aware) == Types.ROW_NAMED(["value"], [Types.SQL_TIMESTAMP])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "17",
        '"NO_SUCH"',
        '["NO_SUCH",1]',
        "[]",
        '["MAP","INT"]',
        "[" * 5000,
        '["ROW_NAMED",["a"]]',
    ],
)
def test_metadata_of_other_origin_is_ignored(text: str) -> None:
    schema = pa.schema([("value", pa.int64())], metadata={"typeinfo": text})
    assert from_arrow_schema(schema) == Types.ROW_NAMED(["value"], [Types.LONG])


def test_metadata_names_no_python_class() -> None:
    text = to_arrow_schema(Types.TUPLE([POINT, COLOR])).metadata[b"typeinfo"].decode()
    assert "Point" not in text
    assert "Color" not in text
    json.loads(text)


def test_spark_wants_times_in_nanoseconds() -> None:
    t = Types.ROW_NAMED(
        ["t", "nested"],
        [Types.SQL_TIME, Types.MAP(Types.LOCAL_TIME, Types.LIST(Types.TUPLE([Types.LOCAL_TIME])))],
    )
    ns = pa.time64("ns")
    layout = spark_layout(to_arrow_schema(t))
    inner = pa.list_(pa.field("element", pa.struct([pa.field("f0", ns, nullable=False)]), nullable=False))
    assert layout.field("t").type == ns
    assert layout.field("nested").type == pa.map_(ns, inner)
    assert from_arrow_schema(layout) == t
    untimed = to_arrow_schema(nested(6))
    assert spark_layout(untimed).equals(untimed, check_metadata=True)
