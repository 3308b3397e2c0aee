"""Types as Spark types and schemas, and back; no session is needed."""

from __future__ import annotations

import enum
from typing import Any

import pytest
from pyspark.sql import types as spark

from tests.unit.typeinfo.format_examples import WITHOUT_CLASSES
from typeinfo import TypeInformation, Types, UnsupportedTypeError
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo
from typeinfo.formats.spark import from_spark, from_spark_schema, to_spark, to_spark_schema


class Color(enum.Enum):
    RED = 1


@pytest.mark.parametrize("t", WITHOUT_CLASSES, ids=str)
def test_a_schema_round_trips(t: TypeInformation[Any]) -> None:
    schema = to_spark_schema(t)
    assert from_spark_schema(schema) == t
    assert from_spark_schema(spark.StructType.fromJson(schema.jsonValue())) == t


def test_nullability_follows_the_slots() -> None:
    assert to_spark_schema(Types.ROW([Types.INT]))["f0"].nullable
    assert not to_spark_schema(Types.TUPLE([Types.INT]))["f0"].nullable
    assert to_spark(Types.LIST(Types.INT)) == spark.ArrayType(spark.IntegerType(), False)
    assert to_spark(Types.OBJECT_ARRAY(Types.INT)) == spark.ArrayType(spark.IntegerType(), True)
    assert to_spark(Types.LIST(OptionalTypeInfo(Types.INT))) == spark.ArrayType(spark.IntegerType(), True)
    assert to_spark(Types.MAP(Types.INT, Types.INT)) == spark.MapType(
        spark.IntegerType(), spark.IntegerType(), True
    )


def test_fields_of_a_struct_are_nullable() -> None:
    struct = to_spark(Types.TUPLE([Types.TUPLE([Types.INT])]))
    assert struct == spark.StructType(
        [
            spark.StructField(
                "f0", spark.StructType([spark.StructField("f0", spark.IntegerType(), True)]), True
            )
        ]
    )


def test_python_classes_are_erased() -> None:
    record: TypeInformation[Any] = RecordTypeInfo(
        dict,
        RecordKind.TYPED_DICT,
        ("color", "answer"),
        (EnumTypeInfo(Color), LiteralTypeInfo((1, 2), Types.LONG)),
    )
    schema = to_spark_schema(record)
    assert schema.simpleString() == "struct<color:string,answer:bigint>"
    assert from_spark_schema(schema) == Types.ROW_NAMED(["color", "answer"], [Types.STRING, Types.LONG])


def test_a_class_of_its_own_is_refused() -> None:
    class Strange(TypeInformation[int]):
        pass

    with pytest.raises(UnsupportedTypeError, match="Strange"):
        to_spark(Strange())


def test_columns_keep_their_types_when_others_change() -> None:
    schema = to_spark_schema(Types.TUPLE([Types.CHAR, Types.LOCAL_DATE, Types.INT]))
    dropped = spark.StructType([schema["f0"], schema["f1"]])
    assert from_spark_schema(dropped) == Types.TUPLE([Types.CHAR, Types.LOCAL_DATE])
    gap = spark.StructType([schema["f0"], schema["f2"]])
    assert from_spark_schema(gap) == Types.ROW_NAMED(["f0", "f2"], [Types.CHAR, Types.INT])
    added = spark.StructType([*schema]).add("f3", spark.LongType())
    assert from_spark_schema(added) == Types.ROW_NAMED(
        ["f0", "f1", "f2", "f3"], [Types.CHAR, Types.LOCAL_DATE, Types.INT, Types.LONG]
    )
    date = schema["f1"]
    renamed = spark.StructType([spark.StructField("day", date.dataType, date.nullable, date.metadata)])
    assert from_spark_schema(renamed) == Types.ROW_NAMED(["day"], [Types.LOCAL_DATE])


def test_metadata_that_no_longer_fits_is_ignored() -> None:
    metadata = to_spark_schema(Types.CHAR()).fields[0].metadata
    cast = spark.StructType([spark.StructField("value", spark.LongType(), True, metadata)])
    assert from_spark_schema(cast) == Types.LONG
    for note in ("text", {"of": "VALUE"}, {"of": "VALUE", "type": "nonsense"}, {"type": 3}):
        schema = spark.StructType([spark.StructField("v", spark.LongType(), True, {"typeinfo": note})])
        assert from_spark_schema(schema) == Types.ROW_NAMED(["v"], [Types.LONG])


def test_nullability_lost_by_the_engine_does_not_matter() -> None:
    t = Types.TUPLE([Types.LIST(Types.MAP(Types.STRING, Types.TUPLE([Types.INT])))])
    inner = spark.StructType([spark.StructField("f0", spark.IntegerType(), True)])
    (column,) = to_spark_schema(t)
    relaxed = spark.ArrayType(spark.MapType(spark.StringType(), inner, True), True)
    schema = spark.StructType([spark.StructField("f0", relaxed, True, column.metadata)])
    assert from_spark_schema(schema) == t


@pytest.mark.parametrize(
    ("found", "t"),
    [
        (spark.VarcharType(10), Types.STRING),
        (spark.CharType(3), Types.STRING),
        (spark.StringType("UNICODE_CI"), Types.STRING),
        (spark.BinaryType(), Types.PRIMITIVE_ARRAY(Types.BYTE)),
        (spark.DecimalType(10, 2), Types.BIG_DEC),
        (spark.DecimalType(38, 0), Types.BIG_INT),
        (spark.TimeType(3), Types.SQL_TIME),
        (spark.DayTimeIntervalType(0, 1), Types.DURATION),
        (spark.ArrayType(spark.NullType(), True), Types.LIST(Types.VOID)),
        (spark.ArrayType(spark.LongType(), True), Types.OBJECT_ARRAY(Types.LONG)),
        (spark.ArrayType(spark.LongType(), False), Types.LIST(Types.LONG)),
        (spark.StructType([]), Types.ROW_NAMED([], [])),
    ],
    ids=str,
)
def test_foreign_types(found: spark.DataType, t: TypeInformation[Any]) -> None:
    assert from_spark(found) == t


def test_a_user_defined_type_becomes_its_storage_type() -> None:
    class PointType(spark.UserDefinedType):
        @classmethod
        def sqlType(cls) -> spark.DataType:
            return spark.ArrayType(spark.DoubleType(), False)

    assert from_spark(PointType()) == Types.LIST(Types.DOUBLE)


def test_a_foreign_schema_is_a_named_row() -> None:
    schema = spark.StructType().add("value", "string")
    assert from_spark_schema(schema) == Types.ROW_NAMED(["value"], [Types.STRING])
    assert from_spark_schema(spark.StructType([])) == Types.ROW_NAMED([], [])


@pytest.mark.parametrize(
    ("found", "path", "reason"),
    [
        (
            spark.StructType().add("a", spark.ArrayType(spark.YearMonthIntervalType())),
            "a[]",
            "no corresponding",
        ),
        (spark.StructType().add("v", spark.VariantType()), "v", "no corresponding"),
        (
            spark.StructType().add("m", spark.MapType(spark.ArrayType(spark.ByteType()), spark.ByteType())),
            "m",
            "keys of a dict",
        ),
        (
            spark.StructType().add("s", spark.StructType().add("a", "integer").add("a", "integer")),
            "s",
            "duplicate field names",
        ),
    ],
    ids=str,
)
def test_impossible_types_are_named_with_their_path(found: spark.DataType, path: str, reason: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=reason) as error:
        from_spark(found)
    assert repr(path) in str(error.value)
