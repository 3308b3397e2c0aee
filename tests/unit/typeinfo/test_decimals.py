"""Decimals of a fixed number of digits: zeros are added, nothing is rounded, and columns keep the digits."""

from __future__ import annotations

from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyspark.sql import types as spark

from typeinfo import TypeCheckError, Types, UnsupportedTypeError
from typeinfo.basic import decimal_of
from typeinfo.decimals import BigDecimalTypeInfo, RoundedDecimalTypeInfo, is_decimal
from typeinfo.formats.arrow import from_arrow_schema, to_arrow, to_arrow_schema
from typeinfo.formats.spark import from_spark_schema, to_spark, to_spark_schema
from typeinfo.serde import serializer_for
from typeinfo.serde.decimal_arrays import round_decimals
from typeinfo.serde.registry import codec_for, key_encoder
from typeinfo.text import text_of

PRICE = BigDecimalTypeInfo(5, 2)


@st.composite
def typed_decimals(draw: st.DrawFn) -> tuple[BigDecimalTypeInfo, Decimal]:
    precision = draw(st.integers(1, 38))
    t = BigDecimalTypeInfo(precision, draw(st.integers(0, precision)))
    return t, decimal_of(draw(st.integers(1 - 10**precision, 10**precision - 1)), t.scale)


@given(typed_decimals())
def test_columns_and_bytes_keep_values_as_they_are(typed: tuple[BigDecimalTypeInfo, Decimal]) -> None:
    t, value = typed
    serializer = serializer_for(t)
    assert serializer.conform([value])[0] is value
    for back in (
        *serializer.from_batch(serializer.to_batch([value])),
        *serializer.deserialize(serializer.serialize([value])),
    ):
        assert str(back) == str(value)


@given(typed_decimals(), typed_decimals())
@example((BigDecimalTypeInfo(15, 0), Decimal(340282375971759)), (BigDecimalTypeInfo(31, 24), Decimal()))
@example((BigDecimalTypeInfo(1, 0), Decimal(4)), (BigDecimalTypeInfo(38, 38), Decimal()))
def test_columns_of_other_digits_have_the_same_values_or_are_refused(
    typed: tuple[BigDecimalTypeInfo, Decimal], other: tuple[BigDecimalTypeInfo, Decimal]
) -> None:
    (given_type, value), (t, _) = typed, other
    array = pa.array([value], to_arrow(given_type))
    try:
        serializer_for(t).conform([value])
    except TypeCheckError:
        with pytest.raises(TypeCheckError):
            codec_for(t).adopt(array)
    else:
        assert codec_for(t).adopt(array).to_pylist() == [value]


@given(typed_decimals())
def test_keys_are_those_of_any_digits(typed: tuple[BigDecimalTypeInfo, Decimal]) -> None:
    t, value = typed
    assert key_encoder(t)(value) == key_encoder(Types.BIG_DEC())(value)


@pytest.mark.parametrize(
    ("given_text", "text"),
    [
        ("1", "1.00"),
        ("1E+2", "100.00"),
        ("-0", "0.00"),
        ("-0.00", "0.00"),
        ("1.5000", "1.50"),
        ("0E-30", "0.00"),
    ],
)
def test_values_get_the_digits_of_the_type(given_text: str, text: str) -> None:
    (value,) = serializer_for(PRICE).conform([Decimal(given_text)])
    assert (str(value), text_of(PRICE, "print")(value)) == (text, text)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Decimal("1.005"), "has more digits after the point; quantize it first: .quantize(Decimal('0.01'))"),
        (Decimal("1000"), "has more digits before the point"),
        (Decimal("1E+40"), "has more digits before the point"),
        (Decimal("NaN"), "DECIMAL(5, 2) does not hold NaN"),
        (Decimal("Infinity"), "DECIMAL(5, 2) does not hold Infinity"),
        (1, "convert it with Decimal(…)"),
        ("1", "convert it with Decimal(…)"),
    ],
)
def test_other_values_are_refused(value: object, message: str) -> None:
    with pytest.raises(TypeCheckError) as error:
        serializer_for(PRICE).conform([Decimal("1.00"), value])
    assert message in str(error.value)


def test_columns_of_fewer_digits_are_read_and_those_of_more_only_if_nothing_is_lost() -> None:
    codec = serializer_for(PRICE)
    narrow = pa.record_batch({"value": pa.array([Decimal("1.5")], pa.decimal128(3, 1))})
    assert list(map(str, codec.from_batch(narrow))) == ["1.50"]
    wide = pa.record_batch({"value": pa.array([Decimal("1.5000")], pa.decimal128(30, 4))})
    assert list(map(str, codec.from_batch(wide))) == ["1.50"]
    lossy = pa.record_batch({"value": pa.array([Decimal("1.5001")], pa.decimal128(30, 4))})
    with pytest.raises(TypeCheckError, match=r"1\.5001 .* does not fit DECIMAL\(5, 2\)"):
        codec.from_batch(lossy)


@pytest.mark.parametrize(
    ("value", "text"),
    [("1.005", "1.01"), ("-1.005", "-1.01"), ("1.0049", "1.00"), ("-0.001", "0.00"), ("1", "1.00")],
)
def test_values_of_more_digits_are_rounded_where_that_is_wanted(value: str, text: str) -> None:
    codec = codec_for(RoundedDecimalTypeInfo(5, 2), nullable=True)
    assert list(map(str, codec.conform([Decimal(value), None]))) == [text, "None"]
    unchecked = codec.encode([Decimal(value), None])
    assert list(map(str, codec.decode(unchecked))) == [text, "None"]
    column = pa.array([Decimal(value), None], pa.decimal128(38, 5))
    assert list(map(str, codec.decode(column))) == [text, "None"]


@pytest.mark.parametrize("digits", [(3, 2), (38, 37)])
def test_columns_are_rounded_where_that_carries_into_another_digit(digits: tuple[int, int]) -> None:
    codec = codec_for(RoundedDecimalTypeInfo(5, 1))
    column = pa.array([Decimal("9.99")], pa.decimal128(*digits))
    assert list(map(str, codec.decode(codec.recast(column)))) == ["10.0"]


@pytest.mark.parametrize(
    ("mode", "scale", "expected"),
    [
        ("towards_zero", 1, f"{10**34 - 1}.9"),
        ("half_towards_infinity", 1, f"{10**34}.0"),
        ("up", 0, f"{10**34}"),
        ("half_towards_infinity", -9, f"{10**34}"),
        ("towards_zero", 15, f"{10**34 - 1}.{'9' * 15}"),
    ],
)
def test_columns_of_256_bits_are_rounded_though_arrow_divides_them_wrongly(
    mode: str, scale: int, expected: str
) -> None:
    column = pa.array([Decimal(f"{10**34 - 1}.{'9' * 15}"), None], pa.decimal256(49, 15))
    assert list(map(str, round_decimals(column, scale, mode).to_pylist())) == [expected, "None"]


def test_values_that_are_too_large_when_rounded_are_refused() -> None:
    with pytest.raises(TypeCheckError, match="has more digits before the point"):
        codec_for(RoundedDecimalTypeInfo(5, 2)).conform([Decimal("999.995")])


def test_arrow_and_spark_have_the_same_digits() -> None:
    assert to_arrow(PRICE) == pa.decimal128(5, 2)
    assert to_spark(PRICE) == spark.DecimalType(5, 2)


def test_schemas_are_read_back_with_the_type() -> None:
    row = Types.ROW_NAMED(["a", "b"], [PRICE, Types.LIST(PRICE)])
    assert from_arrow_schema(to_arrow_schema(row)) == row
    assert from_spark_schema(to_spark_schema(row)) == row


def test_schemas_of_others_are_read_with_digits_where_these_are_wanted() -> None:
    schema = spark.StructType().add("a", spark.MapType(spark.StringType(), spark.DecimalType(38, 30)))
    map_type = Types.MAP(Types.STRING(), BigDecimalTypeInfo(38, 30))
    assert from_spark_schema(schema, BigDecimalTypeInfo) == Types.ROW_NAMED(["a"], [map_type])
    assert from_spark_schema(schema) == Types.ROW_NAMED(["a"], [map_type])


@pytest.mark.parametrize(("precision", "scale"), [(0, 0), (39, 0), (5, 6), (5, -1)])
def test_types_that_do_not_exist_are_refused(precision: int, scale: int) -> None:
    with pytest.raises(UnsupportedTypeError, match="the precision must be from 1 to 38"):
        BigDecimalTypeInfo(precision, scale)


def test_which_types_hold_decimals() -> None:
    assert [is_decimal(t) for t in (PRICE, Types.BIG_DEC(), Types.BIG_INT(), Types.DOUBLE())] == [
        True,
        True,
        False,
        False,
    ]
    assert repr(PRICE) == "Decimal(5,2)"  # as in Flink
