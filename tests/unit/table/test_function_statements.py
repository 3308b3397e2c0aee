"""Functions by statements, modules, settings and statement sets."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from pystream.common import Row
from pystream.errors import (
    ConfigurationError,
    DependencyError,
    PlanError,
    SqlError,
    UnsupportedOperationError,
)
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.catalog import CatalogBaseTable
from pystream.table.module import CoreModule, HiveModule, Module, ModuleEntry
from pystream.table.udf import udf, udtf
from pystream.testing import local_environment


@udf
def twice(n: int) -> int:
    return 2 * n


@udf
def thrice(n: int) -> int:
    return 3 * n


@udtf
def repeated(n: int) -> list[int]:
    return [n] * n


no_function = 1


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


def value(t_env: StreamTableEnvironment, expression: str) -> object:
    with t_env.sql_query(f"SELECT {expression}").execute().collect() as rows:
        return next(iter(rows))[0]


def test_table_functions_are_imported_when_they_are_called(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TEMPORARY FUNCTION again AS '{__name__}.repeated' LANGUAGE PYTHON")
    with t_env.sql_query("SELECT n FROM LATERAL TABLE(again(2)) AS x(n)").execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(2,), (2,)]


def test_functions_are_imported_when_they_are_called(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    t_env.execute_sql(f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{tmp_path}')")
    t_env.execute_sql(f"CREATE FUNCTION c.`default`.Many AS '{__name__}.twice' LANGUAGE PYTHON")
    other = StreamTableEnvironment.create(local_environment())
    other.execute_sql(f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{tmp_path}')")
    other.use_catalog("c")
    assert (other.list_user_defined_functions(), value(other, "many(4)")) == (["many"], 8)
    other.execute_sql(f"CREATE TEMPORARY FUNCTION many AS '{__name__}.thrice' LANGUAGE PYTHON")
    assert value(other, "many(4)") == 12
    other.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION many AS '{__name__}.twice' LANGUAGE PYTHON")
    assert value(other, "many(4)") == 8
    other.execute_sql("DROP TEMPORARY SYSTEM FUNCTION many")
    other.execute_sql("DROP TEMPORARY FUNCTION many")
    other.execute_sql(f"ALTER FUNCTION many AS '{__name__}.thrice' LANGUAGE PYTHON")
    assert value(other, "many(4)") == 12
    assert {"many", "UPPER"} <= {*other.list_functions()}
    assert other.drop_function("many")
    assert not other.drop_function("many")


@pytest.mark.parametrize(
    ("function", "error", "complaint"),
    [
        ("'no.module.f' LANGUAGE PYTHON", PlanError, r"'no\.module\.f', which cannot be imported"),
        (f"'{__name__}.nothing' LANGUAGE PYTHON", PlanError, "cannot be imported"),
        (f"'{__name__}.no_function' LANGUAGE PYTHON", PlanError, "of a function made by udf, not 1"),
        ("'f' LANGUAGE PYTHON", PlanError, r"must be 'module\.name'"),
        ("'a.B'", UnsupportedOperationError, r"'a\.B', written in JAVA"),
    ],
)
def test_wrong_functions_are_refused_when_they_are_called(
    t_env: StreamTableEnvironment, function: str, error: type[Exception], complaint: str
) -> None:
    t_env.execute_sql(f"CREATE FUNCTION f AS {function}")
    with pytest.raises(error, match=complaint):
        t_env.sql_query("SELECT f(1)")


def test_views_call_the_functions_that_names_have_now(t_env: StreamTableEnvironment) -> None:
    def read() -> object:
        with t_env.from_path("v").execute().collect() as rows:
            return next(iter(rows))[0]

    t_env.create_temporary_function("f", twice)
    t_env.create_temporary_system_function("g", twice)
    t_env.execute_sql(f"CREATE FUNCTION h AS '{__name__}.twice' LANGUAGE PYTHON")
    for name in "fgh":
        t_env.execute_sql(f"CREATE OR REPLACE VIEW v AS SELECT {name}(4) AS n")
        assert read() == 8
        match name:
            case "f":
                t_env.drop_temporary_function("f")
                t_env.create_temporary_function("f", thrice)
            case "g":
                t_env.drop_temporary_system_function("g")
                t_env.create_temporary_system_function("g", thrice)
            case "h":
                t_env.create_temporary_function("h", thrice)
        assert read() == 12
    t_env.drop_temporary_function("h")
    assert read() == 8
    t_env.drop_function("h")
    with pytest.raises(SqlError, match=r"at '`h`': there is no function default_catalog\.default_\w+\.h"):
        t_env.from_path("v")


def test_views_name_functions_in_full(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_function("f", twice)
    t_env.create_temporary_system_function("g", thrice)
    query = "SELECT F(`f`(n)) + default_database . f(g(n)), UPPER('f(n)') AS f FROM (VALUES (1)) AS f(n)"
    t_env.execute_sql(f"CREATE VIEW v AS {query}")
    full = "`default_catalog`.`default_database`.`f`"
    view = t_env._catalogs.get("v")
    assert isinstance(view, CatalogBaseTable)
    assert view.view is not None
    assert view.view.expanded_query == (
        f"SELECT {full}({full}(n)) + {full}(g(n)), UPPER('f(n)') AS f FROM (VALUES (1)) AS f(n)"
    )
    t_env.execute_sql("CREATE DATABASE other")
    t_env.use_database("other")
    t_env.create_temporary_function("f", thrice)
    table = t_env.from_path("default_database.v")
    assert table.get_schema().get_field_names() == ["EXPR$0", "f"]
    with table.execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(10, "F(N)")]


def test_functions_import_the_files_of_the_environment(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    (tmp_path / "shipped_table_module.py").write_text("STEP = 5\n")
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("step.txt", "100")
    t_env.add_python_file(str(tmp_path))
    t_env.add_python_archive(str(tmp_path / "data.zip"), "data")

    @udf(result_type="BIGINT")
    def stepped(n: int) -> int:
        import shipped_table_module  # type: ignore[import-not-found]

        return n + int(shipped_table_module.STEP) + int(Path("data/step.txt").read_text())

    t = t_env.from_elements([(1,)], ["n"])
    assert [*t.select(stepped(t.n)).execute().collect()] == [Row(106)]
    with pytest.raises(DependencyError, match=r"nowhere\.txt"):
        t_env.set_python_requirements(str(tmp_path / "nowhere.txt"))


@pytest.mark.parametrize(
    "call",
    ["create_java_function", "create_java_temporary_function", "create_java_temporary_system_function"],
)
def test_functions_written_in_java_are_refused(t_env: StreamTableEnvironment, call: str) -> None:
    with pytest.raises(UnsupportedOperationError, match=rf"{call}: 'com\.F' is written in Java.*udf"):
        getattr(t_env, call)("f", "com.F")


def test_modules(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="A module with name 'core' already exists"):
        t_env.load_module("core", CoreModule())
    with pytest.raises(ConfigurationError, match="load_module: module_name is empty"):
        t_env.load_module("", CoreModule())
    t_env.load_module("again", CoreModule())
    assert t_env.list_modules() == ["core", "again"]
    t_env.use_modules("again")
    assert t_env.list_full_modules() == [
        ModuleEntry("again", is_used=True),
        ModuleEntry("core", is_used=False),
    ]
    assert "UPPER" in t_env.list_functions()
    with pytest.raises(PlanError, match="Module 'core' appears more than once"):
        t_env.use_modules("core", "core")
    with pytest.raises(PlanError, match="No module with name 'hive' exists; there are: core, again"):
        t_env.use_modules("core", "hive")
    assert t_env.list_modules() == ["again"]


def test_functions_of_a_module_that_is_not_used_are_not_listed(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_system_function("own", udf(lambda n: n, result_type=DataTypes.INT()))
    t_env.unload_module("core")
    assert t_env.list_functions() == ["own"]
    assert [*t_env.execute_sql("SELECT UPPER('a')").collect()] == [Row("A")]
    t_env.execute_sql("LOAD MODULE core")
    assert {"own", "UPPER"} <= {*t_env.list_functions()}


@pytest.mark.parametrize("refused", [Module, HiveModule])
def test_modules_written_in_java_are_refused(refused: type[Module]) -> None:
    with pytest.raises(UnsupportedOperationError, match="written in Java"):
        refused()


def test_settings_are_set_and_reset(t_env: StreamTableEnvironment) -> None:
    config = t_env.get_config()
    config.set("my.key", "first")
    t_env.execute_sql("SET 'my.key' = 'second'")
    t_env.execute_sql("SET 'my.key' = 'third'")
    t_env.execute_sql("SET 'other' = 'it''s'")
    with t_env.execute_sql("SET").collect() as rows:
        shown = {row[0]: row[1] for row in rows}
    assert (shown["my.key"], shown["other"]) == ("third", "it's")
    t_env.execute_sql("RESET 'other'")
    assert (config.get("my.key", ""), config.get("other", "none")) == ("third", "none")
    t_env.execute_sql("RESET")
    assert config.get("my.key", "") == "first"
    t_env.execute_sql("RESET 'my.key'")  # is as before SET
    assert config.get("my.key", "") == "first"


def test_a_statement_set_is_one_job(
    t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        t_env.execute_sql(
            f"CREATE TABLE {name} (n INT) WITH ('connector' = 'print', 'print-identifier' = '{name}')"
        )
    inserts = "BEGIN INSERT INTO a SELECT 1; INSERT INTO b VALUES (2), (3); END;"
    result = t_env.execute_sql(f"EXECUTE STATEMENT SET {inserts}")
    result.wait()
    assert sorted(capsys.readouterr().out.splitlines()) == ["a> +I[1]", "b> +I[2]", "b> +I[3]"]
    assert result.get_table_schema().get_field_names() == [
        "default_catalog.default_database.a",
        "default_catalog.default_database.b",
    ]
    plan = t_env.explain_sql(f"STATEMENT SET {inserts}")
    assert plan.count("Sink: Print") == 2
    with pytest.raises(SqlError, match="at 'SELECT': STATEMENT SET takes INSERT INTO"):
        t_env.execute_sql("EXECUTE STATEMENT SET BEGIN SELECT 1; END")
    with pytest.raises(SqlError, match="takes one INSERT INTO at least"):
        t_env.execute_sql("EXECUTE STATEMENT SET BEGIN END")


def test_a_table_is_a_query_of_all_its_rows(t_env: StreamTableEnvironment) -> None:
    t_env.create_temporary_view("given", t_env.from_elements([(1, "a")], ["id", "name"]))
    t_env.execute_sql("CREATE VIEW seen AS TABLE given")
    for query in ("TABLE given", "TABLE seen"):
        for results in (t_env.execute_sql(query), t_env.sql_query(query).execute()):
            with results.collect() as rows:
                assert [tuple(row) for row in rows] == [(1, "a")]


def test_plans_of_inserts_are_printed(
    t_env: StreamTableEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    t_env.execute_sql("CREATE TABLE sink (n BIGINT) WITH ('connector' = 'blackhole')")
    table = t_env.from_elements([(1,)], ["n"])
    pipeline = table.insert_into("sink")
    for inserts in (pipeline, t_env.create_statement_set().add(pipeline)):
        inserts.print_explain()
        printed = capsys.readouterr().out
        assert without_numbers(printed) == without_numbers(f"{inserts.explain()}\n")


def without_numbers(plan: str) -> str:
    """Return a plan without the numbers of its operators, of which each plan adds a sink."""
    return re.sub(r"\d+", "", plan)
