"""What a table, its schema and its settings tell of themselves, as in PyFlink 2.3."""

from __future__ import annotations

import copy
import datetime
import json
import pickle

import pytest

from pystream.common import Types
from pystream.errors import (
    ConfigurationError,
    UnknownAttributeError,
    UnsupportedOperationError,
)
from pystream.table import (
    DataTypes,
    ExplainDetail,
    SqlDialect,
    StreamTableEnvironment,
    Table,
    TableConfig,
    TableSchema,
)
from pystream.table.resolved_columns import Column
from pystream.table.resolved_schema import ResolvedSchema
from pystream.testing import local_environment


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


@pytest.fixture
def table(t_env: StreamTableEnvironment) -> Table:
    return t_env.from_elements([(1, "x", 2.0), (2, "y", 0.5)], ["a", "b", "join"])


def test_columns_are_attributes(table: Table) -> None:
    assert str(table.a + 1) == "`a` + 1"
    chosen = table.filter(table.a > 1).select(table.a, table.b.upper_case.alias("b"))
    assert list(map(tuple, chosen.execute().collect())) == [(2, "Y")]


def test_methods_come_before_columns(table: Table) -> None:
    assert callable(table.join)


def test_an_attribute_that_is_no_column_is_refused_by_name(table: Table) -> None:
    with pytest.raises(
        UnknownAttributeError, match=r"no attribute 'nope'; help.*; its columns are a, b, join"
    ):
        _ = table.nope
    with pytest.raises(AttributeError, match="did you mean select"):
        _ = table.selct
    assert not hasattr(table, "_repr_latex_")


def test_columns_without_names_of_their_own_are_attributes(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_elements([(1, "x")])
    assert str(table._1 + 1) == "`_1` + 1"
    assert list(map(tuple, table.select(table._2).execute().collect())) == [("x",)]
    with pytest.raises(UnknownAttributeError, match=r"no attribute '_3'.* its columns are _1, _2"):
        _ = table._3
    assert repr(copy.copy(table)) == repr(table)
    assert not hasattr(Table.__new__(Table), "__setstate__")


def test_a_table_is_part_of_the_text_of_a_query(t_env: StreamTableEnvironment, table: Table) -> None:
    result = t_env.sql_query(f"SELECT t.b FROM {table} AS t JOIN {table} AS u ON t.a = u.a + 1")
    assert list(map(tuple, result.execute().collect())) == [("y",)]
    assert t_env.list_views() == [str(table)]
    assert str(table).startswith("UnnamedTable$")
    assert str(table.select(table.a)) != str(table)


def test_the_resolved_schema(table: Table) -> None:
    schema = table.get_resolved_schema()
    assert str(schema) == "(\n  `a` BIGINT,\n  `b` STRING,\n  `join` DOUBLE\n)"
    assert schema.get_column_names() == ["a", "b", "join"]
    assert schema.get_column_data_types()[1] == DataTypes.STRING()
    assert schema.get_column_count() == 3
    column = schema.get_column("b")
    assert column is not None
    assert (column.get_name(), column.get_data_type(), column.get_comment()) == (
        "b",
        DataTypes.STRING(),
        None,
    )
    assert (column.is_physical(), column.is_persisted()) == (True, True)
    assert schema.get_columns()[0] == schema.get_column(0) == Column.physical("a", DataTypes.BIGINT())
    assert schema.get_column("z") is schema.get_column(3) is schema.get_column(-1) is None
    assert schema.get_watermark_specs() == []
    assert schema.get_primary_key_indexes() == []
    assert schema.to_physical_row_data_type() == table.get_schema().to_row_data_type()
    assert table.execute().get_resolved_schema() == schema


def test_a_resolved_schema_of_the_program() -> None:
    schema = ResolvedSchema.physical(["a"], [DataTypes.INT()])
    column = Column.physical("a", DataTypes.INT())
    assert schema == ResolvedSchema.of([column])
    assert str(column.rename("b").copy(DataTypes.DATE()).with_comment("day")) == "`b` DATE COMMENT 'day'"
    assert str(column.with_comment("it's")) == "`a` INT COMMENT 'it''s'"
    with pytest.raises(ConfigurationError, match="physical: there are 2 names but 1 types"):
        ResolvedSchema.physical(["a", "b"], [DataTypes.INT()])


def test_a_table_schema_is_built_by_column() -> None:
    schema = TableSchema.builder().field("a", DataTypes.INT()).field("b", DataTypes.STRING()).build()
    assert schema == TableSchema(["a", "b"], [DataTypes.INT(), DataTypes.STRING()])
    assert repr(schema) == "root\n |-- a: INT\n |-- b: STRING\n"


def test_plans_as_json(t_env: StreamTableEnvironment, table: Table) -> None:
    t_env.execute_sql("CREATE TABLE sink (a BIGINT) WITH ('connector' = 'print')")
    chosen = table.select(table.a)
    statements = t_env.create_statement_set().add_insert("sink", chosen)
    detail = ExplainDetail.JSON_EXECUTION_PLAN
    plans = [
        (chosen.explain(), chosen.explain(detail)),
        (statements.explain(), statements.explain(detail)),
        (t_env.explain_sql(f"SELECT a FROM {table}"), t_env.explain_sql(f"SELECT a FROM {table}", detail)),
    ]
    for plain, detailed in plans:
        assert "== JSON execution plan ==" not in plain
        _, _, text = detailed.partition("== JSON execution plan ==\n")
        assert json.loads(text)["nodes"]
    others = chosen.explain(ExplainDetail.ESTIMATED_COST, ExplainDetail.CHANGELOG_MODE)
    assert len(others.splitlines()) == len(plans[0][0].splitlines())
    statements.execute().wait()  # it still holds the INSERT
    assert statements.explain() == ""


def test_a_plan_is_printed(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    table.print_explain()
    assert capsys.readouterr().out == f"{table.explain()}\n"


def test_settings_have_defaults() -> None:
    config = TableConfig.get_default()
    assert config.get_sql_dialect() is SqlDialect.DEFAULT
    assert config.get_idle_state_retention() == datetime.timedelta(0)
    assert config.get_max_generated_code_length() == 4000
    assert config.to_map() == {}


def test_settings_of_queries(t_env: StreamTableEnvironment) -> None:
    config = t_env.get_config()
    config.set_idle_state_retention(datetime.timedelta(hours=1, milliseconds=5))
    config.set_max_generated_code_length(1000)
    config.set_sql_dialect(SqlDialect.DEFAULT)
    assert config.get_idle_state_retention() == datetime.timedelta(hours=1, milliseconds=5)
    assert config.get("table.exec.state.ttl", "") == "3600005 ms"
    assert config.to_map()["table.exec.state.ttl"] == "3600005 ms"
    assert config.get_max_generated_code_length() == 1000
    with pytest.raises(ConfigurationError, match=r"table\.exec\.state\.ttl"):
        config.set_idle_state_retention(datetime.timedelta(seconds=-1))
    with pytest.raises(UnsupportedOperationError, match="statements of Hive are not supported"):
        config.set_sql_dialect(SqlDialect.HIVE)


def test_names_with_a_dollar(t_env: StreamTableEnvironment) -> None:
    pair = t_env.from_elements([(1, 2)], ["a$b", "c"])
    t_env.create_temporary_view("v", pair)
    assert t_env.sql_query("SELECT a$b AS d$0 FROM v").get_schema().get_field_names() == ["d$0"]


def test_types_are_copied_and_pickled() -> None:
    interval = DataTypes.INTERVAL(DataTypes.DAY(3), DataTypes.SECOND(3))
    row = DataTypes.ROW().add("a", DataTypes.CHAR(3)).add("b", DataTypes.MULTISET(DataTypes.INT()))
    for data_type in (interval, row, DataTypes.LIST_VIEW(DataTypes.DATE())):
        assert copy.deepcopy(data_type) == data_type == pickle.loads(pickle.dumps(data_type))
    assert Types.ROW_NAMED(["a"], [Types.STRING()]) == row[:1].type_info
