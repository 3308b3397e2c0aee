"""Schemas as a program declares them."""

from __future__ import annotations

import pytest

from pystream.errors import ConfigurationError
from pystream.table import DataTypes, Schema

ROW = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.STRING())])


def test_a_schema_is_a_value_with_a_text() -> None:
    one = (
        Schema.new_builder()
        .from_row_data_type(ROW)
        .column_by_expression("c", "a + 1")
        .column_by_metadata("d", "BIGINT", "offset", is_virtual=True)
        .watermark("e", "e - INTERVAL '1' SECOND")
        .primary_key("a", "b")
        .build()
    )
    assert str(one) == (
        "(\n  `a` INT,\n  `b` STRING,\n  `c` AS a + 1,\n  `d` BIGINT METADATA FROM 'offset' VIRTUAL,\n"
        "  WATERMARK FOR `e` AS e - INTERVAL '1' SECOND,\n"
        "  CONSTRAINT `PK_a_b` PRIMARY KEY (`a`, `b`) NOT ENFORCED\n)"
    )
    assert Schema.new_builder().from_schema(one).build() == one
    assert hash(Schema.new_builder().from_schema(one).build()) == hash(one)


def test_names_with_backticks_are_quoted() -> None:
    row = DataTypes.ROW([DataTypes.FIELD("x`", DataTypes.INT())])
    builder = Schema.new_builder().column("a`", row).column_by_expression("b`", "1")
    one = builder.column_by_metadata("`c", "INT").watermark("d`", "NOW()").primary_key("a`").build()
    assert str(one) == (
        "(\n  `a``` ROW<`x``` INT>,\n  `b``` AS 1,\n  ```c` INT METADATA,\n"
        "  WATERMARK FOR `d``` AS NOW(),\n  CONSTRAINT `PK_a``` PRIMARY KEY (`a```) NOT ENFORCED\n)"
    )


def test_texts_with_quotes_are_quoted() -> None:
    builder = Schema.new_builder().column("a", "INT").with_comment("it's")
    assert str(builder.column_by_metadata("b", "INT", "it's").build()) == (
        "(\n  `a` INT COMMENT 'it''s',\n  `b` INT METADATA FROM 'it''s'\n)"
    )


def test_types_are_also_given_by_their_text() -> None:
    fields = Schema.new_builder().from_fields(["a", "b"], ["INT", DataTypes.STRING()]).build()
    assert fields == Schema.new_builder().from_row_data_type(ROW).build()


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda b: b.column("a", "INT").column("a", "INT"), "two columns of the name 'a'"),
        (lambda b: b.column("", "INT"), "must be a non-empty str, not ''"),
        (lambda b: b.column("a", int), "takes a DataType such as"),
        (lambda b: b.from_row_data_type(DataTypes.INT()), r"takes DataTypes.ROW\(\[…\]\), not"),
        (lambda b: b.from_fields(["a"], []), "there are 1 names but 0 types"),
        (lambda b: b.watermark("a", "a").watermark("b", "b"), "at most one watermark"),
        (
            lambda b: b.watermark("a", "a").column("a", "TIMESTAMP_LTZ(9) NOT NULL").build(),
            r"'a' is TIMESTAMP_LTZ\(9\) NOT NULL, but watermarks .* as TIMESTAMP_LTZ\(3\)",
        ),
        (lambda b: b.primary_key("a").primary_key("b"), "at most one primary key"),
        (lambda b: b.primary_key(), "at most one primary key, of one or more"),
    ],
)
def test_a_contradictory_schema_is_refused(build: object, complaint: str) -> None:
    assert callable(build)
    with pytest.raises(ConfigurationError, match=complaint):
        build(Schema.new_builder())
