"""Columns, watermarks and keys of resolved schemas, as PyFlink shows those of a table that declares them."""

from __future__ import annotations

import pytest

from pystream.errors import ConfigurationError, PlanTypeError
from pystream.table import DataTypes
from pystream.table.catalog import Column, Constraint, ResolvedSchema, UniqueConstraint, WatermarkSpec
from pystream.table.expressions import call_sql, col
from pystream.table.resolved_expression import ResolvedExpression

TIME = DataTypes.TIMESTAMP(3)

COMPUTED = Column.computed("c", ResolvedExpression(col("a") + 1, DataTypes.INT(False)))

WATERMARK = WatermarkSpec.of("d2", ResolvedExpression(call_sql("`d2` - INTERVAL '5' SECOND"), TIME))

SCHEMA = ResolvedSchema(
    [
        Column.physical("b", DataTypes.STRING()).with_comment("hi"),
        Column.physical("a", DataTypes.INT(False)),
        COMPUTED,
        Column.metadata("d", TIME, "timestamp", True),
        Column.metadata("d2", TIME, None, False),
    ],
    [WATERMARK],
    UniqueConstraint.primary_key("PK_a", ["a"]),
)


def test_a_schema_shows_what_a_table_declares() -> None:
    assert str(SCHEMA) == (
        "(\n"
        "  `b` STRING COMMENT 'hi',\n"
        "  `a` INT NOT NULL,\n"
        "  `c` INT NOT NULL AS `a` + 1,\n"
        "  `d` TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL,\n"
        "  `d2` TIMESTAMP(3) METADATA,\n"
        "  WATERMARK FOR `d2`: TIMESTAMP(3) AS `d2` - INTERVAL '5' SECOND,\n"
        "  CONSTRAINT `PK_a` PRIMARY KEY (`a`) NOT ENFORCED\n"
        ")"
    )


def test_rows_of_a_schema_have_the_columns_that_are_read_kept_or_written() -> None:
    assert SCHEMA.to_source_row_data_type().field_names() == ["b", "a", "c", "d", "d2"]
    assert SCHEMA.to_physical_row_data_type().field_names() == ["b", "a"]
    assert SCHEMA.to_sink_row_data_type().field_names() == ["b", "a", "d2"]
    assert SCHEMA.get_primary_key_indexes() == [1]


def test_columns_are_changed_in_copies() -> None:
    renamed = COMPUTED.rename("z").copy(DataTypes.BIGINT()).with_comment("it's")
    assert str(renamed) == "`z` BIGINT AS `a` + 1 COMMENT 'it''s'"
    assert renamed.get_expression() is COMPUTED.get_expression()
    assert str(COMPUTED) == "`c` INT NOT NULL AS `a` + 1"


def test_schemas_are_equal_if_their_declarations_are() -> None:
    other = ResolvedSchema(
        SCHEMA.get_columns(), SCHEMA.get_watermark_specs(), UniqueConstraint.primary_key("PK_a", ["a"])
    )
    assert other == SCHEMA
    assert hash(other) == hash(SCHEMA)
    assert ResolvedSchema.of(SCHEMA.get_columns()) != SCHEMA
    same = Column.computed("c", ResolvedExpression(col("a") + 1, DataTypes.INT(False)))
    assert len({COMPUTED, same}) == 1
    assert Column.computed("c", ResolvedExpression(col("a") + 2, DataTypes.INT(False))) != COMPUTED
    assert WatermarkSpec.of("d2", ResolvedExpression(col("d2"), TIME)) != WATERMARK


def test_the_watermark() -> None:
    assert SCHEMA.get_watermark_specs() == [WATERMARK]
    assert WATERMARK.get_rowtime_attribute() == "d2"
    expression = WATERMARK.get_watermark_expression()
    assert (
        expression.as_serializable_string() == expression.as_summary_string() == "`d2` - INTERVAL '5' SECOND"
    )
    assert expression.get_output_data_type() == TIME
    assert expression.get_resolved_children() == []


def test_the_primary_key() -> None:
    key = SCHEMA.get_primary_key()
    assert key is not None
    assert (key.get_name(), key.get_columns(), key.is_enforced()) == ("PK_a", ["a"], False)
    assert (key.get_type(), key.get_type_string()) == (Constraint.ConstraintType.PRIMARY_KEY, "PRIMARY KEY")
    assert key.as_summary_string() == str(key) == "CONSTRAINT `PK_a` PRIMARY KEY (`a`) NOT ENFORCED"


@pytest.mark.parametrize("columns", [[], ["a", "a"]])
def test_a_primary_key_has_different_columns(columns: list[str]) -> None:
    with pytest.raises(ConfigurationError, match="UniqueConstraint 'PK' takes one or more different columns"):
        UniqueConstraint.primary_key("PK", columns)


def test_a_primary_key_has_columns_of_the_schema() -> None:
    key = UniqueConstraint.primary_key("PK", ["b", "z"])
    with pytest.raises(ConfigurationError, match="no column 'z' of its primary key; there are: b, a, c"):
        ResolvedSchema(SCHEMA.get_columns(), primary_key=key)


def test_an_operator_makes_an_expression_of_a_resolved_one() -> None:
    expression = COMPUTED.get_expression() * 2 == 4
    assert not isinstance(expression, ResolvedExpression)
    assert str(expression) == "((`a` + 1) * 2) = 4"


def test_a_resolved_expression_has_a_type() -> None:
    with pytest.raises(PlanTypeError, match="ResolvedExpression takes a data type such as"):
        ResolvedExpression(col("a"), "INT")  # type: ignore[arg-type]
