"""SQL data types: what they are in a stream, and how they are written."""

from __future__ import annotations

import pickle
from typing import Any

import pyarrow as pa
import pytest

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType, type_info_of
from pystream.table import DataTypes
from pystream.table.types import (
    DayTimeIntervalType,
    DecimalType,
    FractionalType,
    IntType,
    RowField,
    RowType,
    TimeType,
    VarCharType,
    create_arrow_schema,
    from_arrow_type,
    to_arrow_type,
)
from typeinfo import Types, UnsupportedTypeError
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.info import TypeInformation

BYTES = Types.PRIMITIVE_ARRAY(Types.BYTE())
ROW = DataTypes.ROW(
    [DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.DECIMAL(4, 2), "€")]
)


@pytest.mark.parametrize(
    ("data_type", "type_info", "text"),
    [
        (DataTypes.NULL(), Types.VOID(), "NULL"),
        (DataTypes.CHAR(3), Types.STRING(), "CHAR(3)"),
        (DataTypes.VARCHAR(3), Types.STRING(), "VARCHAR(3)"),
        (DataTypes.STRING(nullable=False), Types.STRING(), "STRING NOT NULL"),
        (DataTypes.BOOLEAN(), Types.BOOLEAN(), "BOOLEAN"),
        (DataTypes.BINARY(3), BYTES, "BINARY(3)"),
        (DataTypes.VARBINARY(3), BYTES, "VARBINARY(3)"),
        (DataTypes.BYTES(), BYTES, "BYTES"),
        (DataTypes.DECIMAL(38, 2), BigDecimalTypeInfo(38, 2), "DECIMAL(38, 2)"),
        (DataTypes.TINYINT(), Types.BYTE(), "TINYINT"),
        (DataTypes.SMALLINT(), Types.SHORT(), "SMALLINT"),
        (DataTypes.INT(), Types.INT(), "INT"),
        (DataTypes.BIGINT().not_null(), Types.LONG(), "BIGINT NOT NULL"),
        (DataTypes.FLOAT(), Types.FLOAT(), "FLOAT"),
        (DataTypes.DOUBLE().not_null().nullable(), Types.DOUBLE(), "DOUBLE"),
        (DataTypes.DATE().bridged_to("java.sql.Date"), Types.SQL_DATE(), "DATE"),
        (DataTypes.TIME(), Types.SQL_TIME(), "TIME(0)"),
        (DataTypes.TIMESTAMP(3), Types.SQL_TIMESTAMP(), "TIMESTAMP(3)"),
        (DataTypes.TIMESTAMP_LTZ(3), Types.INSTANT(), "TIMESTAMP_LTZ(3)"),
        (DataTypes.ARRAY(DataTypes.INT()), Types.OBJECT_ARRAY(Types.INT()), "ARRAY<INT>"),
        (DataTypes.ARRAY(DataTypes.INT(False)), Types.LIST(Types.INT()), "ARRAY<INT NOT NULL>"),
        (
            DataTypes.MULTISET(DataTypes.INT()),
            Types.MAP(Types.INT(), Types.INT()),
            "MULTISET<INT>",
        ),
        (
            DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()),
            Types.MAP(Types.STRING(), Types.INT()),
            "MAP<STRING, INT>",
        ),
        (
            ROW,
            Types.ROW_NAMED(["a", "b"], [Types.INT(), BigDecimalTypeInfo(4, 2)]),
            "ROW<`a` INT, `b` DECIMAL(4, 2)>",
        ),
    ],
    ids=str,
)
def test_a_data_type_is_a_value_with_a_type_and_a_text(
    data_type: DataType, type_info: TypeInformation[Any], text: str
) -> None:
    assert (data_type.type_info, str(data_type)) == (type_info, text)
    assert pickle.loads(pickle.dumps(data_type)) == data_type
    assert hash(data_type) == hash(pickle.loads(pickle.dumps(data_type)))


def test_nullability_distinguishes_types() -> None:
    assert DataTypes.INT() != DataTypes.INT(nullable=False) == DataTypes.INT().not_null()


def test_objects_that_are_not_types_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="takes a DataType such as"):
        DataTypes.FIELD("a", Types.INT())  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"such as DataTypes.FIELD.* as row_fields"):
        DataTypes.ROW([DataTypes.INT()])  # type: ignore[list-item]
    with pytest.raises(UnsupportedTypeError, match=r"x must be DataTypes.ROW"):
        type_info_of("ROW", "x")
    assert type_info_of(Types.INT(), "x") is Types.INT()


@pytest.mark.parametrize(
    ("data_type", "text"),
    [
        (IntType(), "IntType(true)"),
        (IntType(False), "IntType(false)"),
        (DataTypes.STRING(), "VarCharType(2147483647, true)"),
        (DataTypes.DECIMAL(10, 2), "DecimalType(10, 2, true)"),
        (DataTypes.TIMESTAMP_LTZ(3), "LocalZonedTimestampType(3, true)"),
        (
            DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()),
            "MapType(VarCharType(2147483647, true), IntType(true), true)",
        ),
        (DataTypes.MULTISET(DataTypes.INT()), "MultisetType(IntType(true), true)"),
        (ROW, "RowType(RowField(a, IntType(true), ...),RowField(b, DecimalType(4, 2, true), €))"),
    ],
    ids=repr,
)
def test_the_text_in_python_is_that_of_pyflink(data_type: DataType, text: str) -> None:
    assert repr(data_type) == text


def test_the_classes_of_pyflink_make_the_types_of_the_factory() -> None:
    assert VarCharType(2147483647) == DataTypes.STRING() != DataTypes.VARCHAR(3)
    assert TimeType() == DataTypes.TIME(0)
    assert DecimalType() == DataTypes.DECIMAL(10, 0)
    assert isinstance(DataTypes.DECIMAL(3, 1), FractionalType)
    assert DataTypes.BIGINT().type_name() == "BIGINT"
    with pytest.raises(ConfigurationError, match="the precision must be from 1 to 38"):
        DecimalType(39, 0)


def test_a_row_type_is_a_sequence_of_fields() -> None:
    row_type = RowType()
    row_type.add("a", IntType()).add(RowField("b", DataTypes.STRING()))
    assert row_type.names == row_type.field_names() == [field.name for field in row_type] == ["a", "b"]
    assert row_type.field_types() == [DataTypes.INT(), DataTypes.STRING()]
    assert (len(row_type), row_type["b"], row_type[0].name) == (2, row_type[1], "a")
    assert row_type[1:] == RowType([RowField("b", DataTypes.STRING())])
    with pytest.raises(KeyError, match="no field 'z' among a, b"):
        row_type["z"]
    with pytest.raises(ConfigurationError, match="takes a type such as"):
        RowType().add("a")


def test_intervals_have_units_and_digits() -> None:
    between = DataTypes.INTERVAL(DataTypes.DAY(4), DataTypes.SECOND(3))
    assert isinstance(between, DayTimeIntervalType)
    assert (between.day_precision, between.fractional_precision) == (4, 3)
    assert str(between) == "INTERVAL DAY(4) TO SECOND(3)"
    assert str(DataTypes.INTERVAL(DataTypes.YEAR(), DataTypes.MONTH())) == "INTERVAL YEAR(2) TO MONTH"
    with pytest.raises(ConfigurationError, match="there is no INTERVAL SECOND TO DAY"):
        DataTypes.INTERVAL(DataTypes.SECOND(), DataTypes.DAY())
    with pytest.raises(ConfigurationError, match="days have 1 to 6 digits"):
        DataTypes.INTERVAL(DataTypes.DAY(7))
    with pytest.raises(UnsupportedTypeError, match=r"columns of the type INTERVAL MONTH are not supported"):
        _ = DataTypes.INTERVAL(DataTypes.MONTH()).type_info


@pytest.mark.parametrize(
    ("data_type", "arrow_type"),
    [
        (DataTypes.INT(), pa.int32()),
        (DataTypes.STRING(), pa.utf8()),
        (DataTypes.BINARY(3), pa.binary(3)),
        (DataTypes.DECIMAL(5, 2), pa.decimal128(5, 2)),
        (DataTypes.TIME(0), pa.time32("s")),
        (DataTypes.TIME(6), pa.time64("us")),
        (DataTypes.TIMESTAMP(3), pa.timestamp("ms")),
        (DataTypes.ARRAY(DataTypes.TINYINT()), pa.list_(pa.int8())),
        (DataTypes.MAP(DataTypes.STRING(), DataTypes.DATE()), pa.map_(pa.utf8(), pa.date32())),
        (DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]), pa.struct([("a", pa.int32())])),
    ],
    ids=str,
)
def test_types_of_arrow_and_back(data_type: DataType, arrow_type: pa.DataType) -> None:
    assert to_arrow_type(data_type) == arrow_type
    assert from_arrow_type(arrow_type) == data_type
    assert from_arrow_type(arrow_type, False) == data_type.not_null()


def test_types_without_counterpart_in_arrow() -> None:
    assert to_arrow_type(DataTypes.TIMESTAMP_LTZ(3)) == pa.timestamp("ms")
    with pytest.raises(UnsupportedTypeError, match="Arrow has no type for MULTISET<INT>"):
        to_arrow_type(DataTypes.MULTISET(DataTypes.INT()))
    with pytest.raises(UnsupportedTypeError, match="no data type for uint8 of Arrow"):
        from_arrow_type(pa.uint8())
    columns = create_arrow_schema(["a", "b"], [DataTypes.INT(), DataTypes.INT(False)])
    assert columns == pa.schema([pa.field("a", pa.int32()), pa.field("b", pa.int32(), False)])


def test_the_fields_of_a_row_are_a_list_of_their_own() -> None:
    fields = ROW.fields
    fields[0], fields[1] = fields[1], fields[0]
    assert [*DataTypes.ROW(fields + ROW.fields[:1]).names] == ["b", "a", "a"]
    assert ROW.names == ["a", "b"]
