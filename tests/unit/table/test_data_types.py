"""SQL data types: what they are in a stream, and how they are written."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType, type_info_of
from pystream.table import DataTypes
from typeinfo import Types, UnsupportedTypeError
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
        (DataTypes.DECIMAL(38, 2), Types.BIG_DEC(), "DECIMAL(38, 2)"),
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
            DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()),
            Types.MAP(Types.STRING(), Types.INT()),
            "MAP<STRING, INT>",
        ),
        (
            ROW,
            Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.BIG_DEC()]),
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
