"""Catalogs: what they keep, where, and the names that find it."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from pystream.common import Configuration
from pystream.errors import (
    ArgumentTypeError,
    ConfigurationError,
    PlanError,
    PlanTypeError,
    UnsupportedOperationError,
)
from pystream.table import DataTypes, EnvironmentSettings, Schema, StreamTableEnvironment, TableSchema
from pystream.table.catalog import (
    Catalog,
    CatalogBaseTable,
    CatalogDatabase,
    CatalogDescriptor,
    CatalogFunction,
    CatalogModel,
    CatalogPartition,
    CatalogPartitionSpec,
    HiveCatalog,
    JdbcCatalog,
    ObjectIdentifier,
    ObjectPath,
)
from pystream.table.catalog.objects import View
from pystream.table.catalog.paths import joined_path, path_parts
from pystream.table.expressions import current_database
from pystream.testing import local_environment
from pystream.util.exceptions import CatalogException

T = ObjectPath("db", "t")
SOURCE = "WITH ('connector' = 'datagen', 'number-of-rows' = '2')"


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


@pytest.fixture(params=["generic_in_memory", "file"])
def catalog(t_env: StreamTableEnvironment, request: pytest.FixtureRequest, tmp_path: Path) -> Catalog:
    options = {"type": request.param} | ({"path": str(tmp_path / "c")} if request.param == "file" else {})
    t_env.create_catalog("c", CatalogDescriptor.of("c", Configuration.from_dict(options)))
    made = t_env.get_catalog("c")
    assert made is not None
    made.create_database("db", CatalogDatabase.create_instance({"k": "v"}, "a database"), False)
    return made


def built_in(t_env: StreamTableEnvironment) -> Catalog:
    catalog = t_env.get_catalog("default_catalog")
    assert catalog is not None
    return catalog


def table(**options: str) -> CatalogBaseTable:
    schema = (
        Schema.new_builder()
        .column("a", "INT NOT NULL")
        .with_comment("the 'a'")
        .column("r", "ROW<`x y` ARRAY<STRING>, z DECIMAL(10, 2) NOT NULL>")
        .column("ts", "TIMESTAMP(3)")
        .column_by_expression("b", "a + 1")
        .column_by_metadata("m", "STRING", "topic", is_virtual=True)
        .watermark("ts", "ts - INTERVAL '1' SECOND")
        .primary_key_named("k", "a")
        .build()
    )
    return CatalogBaseTable.create_table(schema, ["a"], options, "a table")


@pytest.mark.parametrize(
    ("path", "parts"),
    [("t", ("t",)), ("c.d.t", ("c", "d", "t")), ("`a.b`.`c``d`", ("a.b", "c`d")), ("my t", ("my t",))],
)
def test_names_are_divided_and_joined(path: str, parts: tuple[str, ...]) -> None:
    assert path_parts(path) == parts
    assert path_parts(joined_path(*parts)) == parts


@pytest.mark.parametrize("path", ["", ".t", "t.", "a..b", "`a", "a`b`", 1])
def test_what_is_no_name_is_refused(path: Any) -> None:
    with pytest.raises(PlanError, match="name"):
        path_parts(path)


def test_paths_and_identifiers() -> None:
    assert ObjectPath.from_string("db.t") == T
    assert (str(T), T.get_full_name(), T.compare_to(ObjectPath("db", "u"))) == ("db.t", "db.t", -1)
    assert sorted([T, ObjectPath("a", "z")]) == [ObjectPath("a", "z"), T]
    identifier = ObjectIdentifier.of("c", "db", "t`")
    assert (str(identifier), identifier.to_object_path()) == ("`c`.`db`.`t```", ObjectPath("db", "t`"))
    for text in ("t", "a.b.c"):
        with pytest.raises(PlanError, match=r"takes 'database\.object'"):
            ObjectPath.from_string(text)
    with pytest.raises(PlanError, match="non-empty"):
        ObjectPath("", "t")


def test_queries_know_the_current_database(t_env: StreamTableEnvironment) -> None:
    before = t_env.sql_query("SELECT CURRENT_DATABASE() AS d")
    t_env.execute_sql("CREATE DATABASE shop")
    t_env.use_database("shop")
    one = t_env.from_elements([1], DataTypes.INT())
    for table, name in (
        (before, "default_database"),
        (t_env.sql_query("SELECT CURRENT_DATABASE() AS d"), "shop"),
        (one.select(current_database()), "shop"),
    ):
        with table.execute().collect() as rows:
            assert [[*row] for row in rows] == [[name]]


def test_names_of_the_built_in_catalog(t_env: StreamTableEnvironment) -> None:
    plain = EnvironmentSettings.in_streaming_mode()
    assert (plain.get_built_in_catalog_name(), t_env.get_current_catalog()) == ("default_catalog",) * 2
    assert (plain.get_built_in_database_name(), t_env.get_current_database()) == ("default_database",) * 2
    builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("shop")
    named = builder.with_built_in_database_name("sales").build()
    assert (named.get_built_in_catalog_name(), named.get_built_in_database_name()) == ("shop", "sales")
    own = StreamTableEnvironment.create(local_environment(), named)
    own.execute_sql(f"CREATE TABLE shop.sales.t (a INT) {SOURCE}")
    assert (own.list_catalogs(), own.list_databases(), own.list_tables()) == (["shop"], ["sales"], ["t"])


def test_databases(catalog: Catalog) -> None:
    assert (catalog.get_default_database(), catalog.list_databases()) == ("default", ["db", "default"])
    found = catalog.get_database("db")
    assert (found.get_properties(), found.get_comment()) == ({"k": "v"}, "a database")
    with pytest.raises(PlanError, match="already a database 'db' in the catalog 'c'"):
        catalog.create_database("db", CatalogDatabase(), False)
    catalog.create_database("db", CatalogDatabase(), True)
    assert catalog.get_database("db") == found
    catalog.alter_database("db", CatalogDatabase.create_instance({}), False)
    assert catalog.get_database("db") == CatalogDatabase()
    catalog.create_table(T, table(), False)
    with pytest.raises(PlanError, match="'db' in the catalog 'c' is not empty: drop 't'"):
        catalog.drop_database("db", False)
    catalog.drop_database("db", False, cascade=True)
    assert not catalog.database_exists("db")
    assert not catalog.table_exists(T)
    catalog.drop_database("db", True)
    with pytest.raises(PlanError, match="no database 'db' in the catalog 'c'; there are: default"):
        catalog.drop_database("db", False)
    catalog.create_database("db", CatalogDatabase(), False)
    assert catalog.list_tables("db") == []


def test_models(catalog: Catalog) -> None:
    schema = table().schema
    model = CatalogModel.create_model(schema, Schema(), {"provider": "p"}, "a model")
    assert (model.get_options(), model.get_comment(), model.copy()) == ({"provider": "p"}, "a model", model)
    catalog.create_model(T, model, False)
    catalog.create_model(T, CatalogModel.create_model(Schema(), Schema()), True)
    assert catalog.get_model(T) == model
    catalog.rename_model(T, "m", False)
    catalog.rename_model(T, "n", True)
    renamed = ObjectPath("db", "m")
    assert (catalog.list_models("db"), catalog.model_exists(T), catalog.model_exists(renamed)) == (
        ["m"],
        False,
        True,
    )
    other = CatalogModel.create_model(Schema(), schema)
    catalog.alter_model(renamed, other, False)
    catalog.alter_model(T, other, True)
    assert (catalog.list_models("db"), catalog.get_model(renamed)) == (["m"], other)
    catalog.drop_model(renamed, False)
    catalog.drop_model(renamed, True)
    assert catalog.list_models("db") == []
    with pytest.raises(PlanTypeError, match="create_model takes a Schema, not 'a INT'"):
        CatalogModel.create_model("a INT", schema)  # type: ignore[arg-type]


def test_tables_and_views(catalog: Catalog) -> None:
    catalog.create_table(T, table(connector="print"), False)
    view = CatalogBaseTable.create_view("SELECT 1", "SELECT 1", TableSchema(["x"], [DataTypes.INT()]), {})
    catalog.create_table(ObjectPath("db", "v"), view, False)
    assert (catalog.list_tables("db"), catalog.list_views("db")) == (["t", "v"], ["v"])
    assert catalog.get_table(T) == table(connector="print")
    assert catalog.get_table(ObjectPath("db", "v")) == view
    assert (catalog.get_table(T).get_options(), catalog.get_table(T).get_description()) == (
        {"connector": "print"},
        "a table",
    )
    with pytest.raises(PlanError, match=r"already a table or view 'db\.t'"):
        catalog.create_table(T, view, False)
    catalog.create_table(T, view, True)
    with pytest.raises(PlanError, match="is a table, which a view cannot replace"):
        catalog.alter_table(T, view, False)
    catalog.alter_table(T, table(connector="blackhole"), False)
    assert catalog.get_table(T).get_options() == {"connector": "blackhole"}
    with pytest.raises(PlanError, match="already"):
        catalog.rename_table(T, "v", False)
    catalog.rename_table(T, "u", False)
    assert catalog.list_tables("db") == ["u", "v"]
    catalog.drop_table(T, True)
    with pytest.raises(PlanError, match=r"no table or view 'db\.t' in the catalog 'c'; there are: u, v"):
        catalog.drop_table(T, False)
    with pytest.raises(PlanError, match="no database 'x'"):
        catalog.get_table(ObjectPath("x", "t"))


def test_functions_are_found_in_any_case(catalog: Catalog) -> None:
    path = ObjectPath("db", "Twice")
    catalog.create_function(path, CatalogFunction.create_instance("m.twice"), False)
    assert catalog.list_functions("db") == ["twice"]
    assert catalog.get_function(ObjectPath("db", "TWICE")).get_class_name() == "m.twice"
    catalog.alter_function(path, CatalogFunction.create_instance("m.other"), False)
    assert catalog.get_function(path).get_class_name() == "m.other"
    catalog.drop_function(path, False)
    with pytest.raises(PlanError, match=r"no function 'db\.twice'"):
        catalog.drop_function(path, False)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda c: c.create_table("t", table(), False), "create_table takes an ObjectPath, not 't'"),
        (lambda c: c.get_table("t"), "get_table takes an ObjectPath, not 't'"),
        (lambda c: c.create_function(T, 5, False), r"create_function takes a CatalogFunction, not 5 \(int\)"),
        (lambda c: c.create_database("d", {}, False), r"create_database takes a CatalogDatabase, not \{\}"),
    ],
)
def test_arguments_of_another_class_are_refused(catalog: Catalog, call: Any, complaint: str) -> None:
    with pytest.raises(ArgumentTypeError, match=rf"Catalog\.{complaint}"):
        call(catalog)


def test_partitions(catalog: Catalog) -> None:
    catalog.create_table(T, table(), False)
    one, two = CatalogPartitionSpec({"a": "1"}), CatalogPartitionSpec({"a": "2"})
    catalog.create_partition(T, one, CatalogPartition.create_instance({"k": "v"}), False)
    catalog.create_partition(T, two, CatalogPartition.create_instance({}), False)
    assert catalog.list_partitions(T, one) == [one]
    assert catalog.get_partition(T, one).get_properties() == {"k": "v"}
    catalog.drop_partition(T, one, False)
    assert catalog.list_partitions(T) == [two]
    with pytest.raises(PlanError, match="no partition"):
        catalog.drop_partition(T, one, False)
    with pytest.raises(PlanError, match="partition keys"):
        catalog.create_partition(T, CatalogPartitionSpec({"b": "1"}), CatalogPartition(), False)


def test_a_file_catalog_lasts_and_keeps_odd_names(t_env: StreamTableEnvironment, tmp_path: Path) -> None:
    create = f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{tmp_path}/c')"
    for environment in (t_env, StreamTableEnvironment.create(local_environment())):
        environment.execute_sql(create)
        environment.use_catalog("c")
        if environment is t_env:
            t_env.execute_sql("CREATE DATABASE `..`")
            t_env.execute_sql(f"CREATE TABLE `..`.`a/b.c` (n INT) {SOURCE}")
            t_env.execute_sql("USE `..`")
            t_env.execute_sql("CREATE VIEW v AS SELECT n AS m FROM `a/b.c`")
    assert environment.list_databases() == ["..", "default"]
    assert environment.from_path("`..`.v").get_schema().get_field_names() == ["m"]
    files = sorted(str(f.relative_to(tmp_path / "c")) for f in tmp_path.rglob("*") if f.is_file())
    assert files == [
        "%2E%2E/database.json",
        "%2E%2E/tables/a%2Fb%2Ec.json",
        "%2E%2E/tables/v.json",
        "default/database.json",
    ]
    file = tmp_path / "c" / "%2E%2E/tables/v.json"
    assert json.loads(file.read_text())["view"][1] == "SELECT n AS m FROM `c`.`..`.`a/b.c`"
    file.write_text("{")
    with pytest.raises(ConfigurationError, match=r"v\.json is no file of a catalog"):
        environment.from_path("`..`.v")


@pytest.fixture
def files(t_env: StreamTableEnvironment, tmp_path: Path) -> Path:
    """The folder of the tables of a catalog ``c``, which is current: ``good`` and ``bad``."""
    t_env.execute_sql(f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{tmp_path}')")
    t_env.use_catalog("c")
    for name in ("good", "bad"):
        t_env.execute_sql(f"CREATE TABLE {name} (n INT) {SOURCE}")
    return tmp_path / "default" / "tables"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{}", "it has no 'view'"),
        ("[]", "list indices"),
        ("null", "not subscriptable"),
        ("{", "Expecting property name"),
        ("\xff", "decode"),
    ],
)
def test_a_broken_file_is_named_and_dropped(
    t_env: StreamTableEnvironment, files: Path, content: str, reason: str
) -> None:
    (files / "bad.json").write_text(content, encoding="latin-1")
    with pytest.raises(
        ConfigurationError, match=rf"bad\.json is no file of a catalog: .*{reason}.*; restore or"
    ):
        t_env.from_path("bad")
    assert t_env.list_tables() == ["bad", "good"]
    assert t_env.from_path("good").get_schema().get_field_names() == ["n"]
    with pytest.raises(ConfigurationError, match=r"bad\.json"):
        t_env.list_views()
    t_env.execute_sql("DROP TABLE bad")
    assert (t_env.list_tables(), t_env.list_views()) == (["good"], [])
    assert not (files / "bad.json").exists()


def test_a_broken_function_and_database_are_named(
    t_env: StreamTableEnvironment, files: Path, tmp_path: Path
) -> None:
    catalog = t_env.get_catalog("c")
    assert catalog is not None
    path = ObjectPath("default", "f")
    catalog.create_function(path, CatalogFunction.create_instance("m.f"), False)
    (tmp_path / "default/functions/f.json").write_text("{}")
    with pytest.raises(ConfigurationError, match=r"f\.json is no file of a catalog: it has no 'class'"):
        catalog.get_function(path)
    catalog.drop_function(path, False)
    assert catalog.list_functions("default") == []
    (tmp_path / "default/database.json").write_text("{}")
    with pytest.raises(ConfigurationError, match=r"database\.json is no file .* has no 'properties'"):
        catalog.get_database("default")


def test_names_that_are_too_long_for_files_are_refused(t_env: StreamTableEnvironment, files: Path) -> None:
    name = "n" * 300
    for statement in (
        f"CREATE TABLE {name} (n INT) {SOURCE}",
        f"CREATE DATABASE {name}",
        f"DROP TABLE {name}",
    ):
        with pytest.raises(ConfigurationError, match=r"nnn.*json cannot be .*; use a shorter name"):
            t_env.execute_sql(statement)
    assert sorted(file.name for file in files.iterdir()) == ["bad.json", "good.json"]


def test_a_failed_write_leaves_the_old_file(
    t_env: StreamTableEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    t_env.execute_sql(f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{tmp_path}')")
    catalog = t_env.get_catalog("c")
    assert catalog is not None
    path = ObjectPath("default", "t")
    catalog.create_table(path, table(k="old"), False)

    def fail(*args: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(ConfigurationError, match=r"default/tables/t\.json cannot be written: no space"):
        catalog.alter_table(path, table(k="new"), False)
    assert catalog.get_table(path).get_options() == {"k": "old"}
    assert not list(tmp_path.rglob("*.part"))


def test_wrong_catalogs_are_refused(
    t_env: StreamTableEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for options, complaint in (
        ({}, "needs the option 'type'; there are generic_in_memory, file"),
        ({"type": "hive"}, "has the unknown type 'hive'; .* declare tables of other systems in one"),
        ({"type": "file"}, "needs the option 'path'"),
        (
            {"type": "file", "path": "s3://bucket/cat"},
            "must be a folder of this machine .*not 's3://bucket/cat'",
        ),
        ({"type": "file", "path": "file://host/cat"}, "catalog 'c': .* names the host 'host'"),
        ({"type": "generic_in_memory", "default-database": ""}, "'default-database' is empty"),
        ({"type": "file", "path": "/c", "default-database": " "}, "'default-database' is empty"),
        ({"type": "generic_in_memory", "x": "y"}, "has no option 'x'; the options are default-database"),
    ):
        with pytest.raises(ConfigurationError, match=complaint):
            t_env.create_catalog("c", CatalogDescriptor.of("c", Configuration.from_dict(options)))
    for java in (HiveCatalog, JdbcCatalog):
        with pytest.raises(UnsupportedOperationError, match="is written in Java"):
            java("c")
    assert t_env.get_catalog("c") is None
    assert not list(tmp_path.iterdir())
    with pytest.raises(PlanError, match="already a catalog 'default_catalog'"):
        t_env.create_catalog(
            "default_catalog", CatalogDescriptor.of("x", Configuration.from_dict({"type": "file"}))
        )


@pytest.mark.parametrize("uri", ["file:{}", "file://{}", "file://localhost{}"])
def test_the_folder_of_a_catalog_may_be_a_uri(
    t_env: StreamTableEnvironment, tmp_path: Path, uri: str
) -> None:
    path = uri.format(tmp_path / "c")
    t_env.execute_sql(f"CREATE CATALOG c WITH ('type' = 'file', 'path' = '{path}')")
    assert (tmp_path / "c" / "default" / "database.json").is_file()


def test_current_catalog_and_database(t_env: StreamTableEnvironment, catalog: Catalog) -> None:
    assert (t_env.get_current_catalog(), t_env.get_current_database()) == (
        "default_catalog",
        "default_database",
    )
    assert t_env.list_catalogs() == ["c", "default_catalog"]
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql(f"CREATE TABLE c.db.t (b INT) {SOURCE}")
    names = {
        "t": "a",
        "default_database.t": "a",
        "c.db.t": "b",
        "`c`.`db`.`t`": "b",
    }
    for path, column in names.items():
        assert t_env.from_path(path).get_schema().get_field_names() == [column]
        assert t_env.sql_query(f"SELECT * FROM {path}").get_schema().get_field_names() == [column]
    t_env.use_catalog("c")
    assert (t_env.get_current_database(), t_env.list_tables()) == ("default", [])
    t_env.use_database("db")
    assert t_env.from_path("t").get_schema().get_field_names() == ["b"]
    with pytest.raises(CatalogException, match="no catalog 'x'"):
        t_env.use_catalog("x")
    with pytest.raises(CatalogException, match="no database 'x' in the catalog 'c'"):
        t_env.use_database("x")
    with pytest.raises(PlanError, match="at most three parts"):
        t_env.from_path("a.b.c.d")


def test_a_registered_catalog_is_used(t_env: StreamTableEnvironment, catalog: Catalog) -> None:
    t_env.register_catalog("again", catalog)
    catalog.create_table(T, CatalogBaseTable.create_table(TableSchema(["a"], [DataTypes.INT()])), False)
    t_env.use_catalog("again")
    t_env.use_database("db")
    assert t_env.list_tables() == ["t"]


def test_temporary_tables_hide_others(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql(f"CREATE TEMPORARY TABLE t (b INT) {SOURCE}")
    assert t_env.from_path("t").get_schema().get_field_names() == ["b"]
    assert (t_env.list_tables(), t_env.list_temporary_tables(), t_env.list_temporary_views()) == (
        ["t"],
        ["t"],
        [],
    )
    with pytest.raises(PlanError, match="'t' is temporary"):
        t_env.drop_table("t")
    assert t_env.drop_temporary_table("t")
    assert t_env.from_path("t").get_schema().get_field_names() == ["a"]
    assert t_env.drop_table("t")
    assert not t_env.drop_table("t")
    with pytest.raises(PlanError, match="no table of the name 't'; there are: none"):
        t_env.drop_table("t", False)
    assert not t_env.drop_view("t")


def test_a_view_reads_what_its_names_meant(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql("CREATE VIEW v AS WITH w AS (SELECT t.a FROM t) SELECT w.a AS b FROM w, `t` AS u")
    view = t_env._catalogs.get("v")
    assert isinstance(view, CatalogBaseTable)
    assert view.view is not None
    full = "`default_catalog`.`default_database`.`t`"
    assert view.view.expanded_query == (
        f"WITH w AS (SELECT t.a FROM {full}) SELECT w.a AS b FROM w, {full} AS u"
    )
    t_env.execute_sql("CREATE DATABASE other")
    t_env.use_database("other")
    path = "default_database.v"
    assert t_env.from_path(path).get_schema().get_field_names() == ["b"]
    assert t_env.from_path(path) is t_env.from_path(path)
    t_env.execute_sql("DROP TABLE default_database.t")
    with pytest.raises(PlanError, match=r"no table or view of the name 'default_database\.t'"):
        t_env.from_path(path)


def test_the_query_of_a_view_may_stand_in_its_comment(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql("CREATE VIEW v COMMENT 'SELECT a FROM t' AS SELECT a FROM t")
    assert built_in(t_env).get_table(ObjectPath("default_database", "v")).view == View(
        "SELECT a FROM t", "SELECT a FROM `default_catalog`.`default_database`.`t`", ("a",)
    )
    assert t_env.from_path("v").get_schema().get_field_names() == ["a"]


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ("", "n INT, id INT"),
        ("(x, y)", "n INT, id INT"),
        ("", "id INT, n STRING"),
        ("", "id INT, n INT, z INT"),
        ("(x, y)", "id INT"),
    ],
)
def test_a_view_of_other_columns_than_it_was_made_of_is_refused(
    t_env: StreamTableEnvironment, names: str, columns: str
) -> None:
    t_env.execute_sql(f"CREATE TABLE t (id INT, n INT NOT NULL) {SOURCE}")
    t_env.execute_sql(f"CREATE VIEW v{names} AS SELECT * FROM t")
    t_env.execute_sql("DROP TABLE t")
    t_env.execute_sql(f"CREATE TABLE t ({columns}) {SOURCE}")
    complaint = rf"view 'v' was made of other columns \(id INT, n INT\) .* now \({columns}\): create it again"
    with pytest.raises(PlanError, match=complaint):
        t_env.from_path("v")
    t_env.execute_sql("DROP TABLE t")
    t_env.execute_sql(f"CREATE TABLE t (id INT NOT NULL, n INT) {SOURCE}")
    assert t_env.from_path("v").get_schema().get_field_names() == (["x", "y"] if names else ["id", "n"])


def test_the_schema_of_a_view_names_its_columns_by_position(t_env: StreamTableEnvironment) -> None:
    for name, names in (("v", ["x"]), ("w", ["x", "y"])):
        schema = TableSchema(names, [DataTypes.INT()] * len(names))
        view = CatalogBaseTable.create_view("SELECT 1", "SELECT 1", schema, {})
        built_in(t_env).create_table(ObjectPath("default_database", name), view, False)
    assert t_env.from_path("v").get_schema().get_field_names() == ["x"]
    with pytest.raises(PlanError, match="view 'w' was made of other columns"):
        t_env.from_path("w")


def test_a_view_sees_a_table_that_its_catalog_drops(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql("CREATE VIEW v AS SELECT a FROM t")
    t_env.from_path("v")
    built_in(t_env).drop_table(ObjectPath("default_database", "t"), False)
    with pytest.raises(PlanError, match="no table or view of the name 't'"):
        t_env.from_path("v")


def test_a_temporary_view_replaces_no_table(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql(f"CREATE TEMPORARY TABLE t (a INT) {SOURCE}")
    with pytest.raises(PlanError, match="'t' is temporary and no view"):
        t_env.execute_sql("CREATE OR REPLACE TEMPORARY VIEW t AS SELECT 1 AS b")
    assert t_env.from_path("t").get_schema().get_field_names() == ["a"]
    for column in "bc":
        t_env.execute_sql(f"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1 AS {column}")
        assert t_env.from_path("v").get_schema().get_field_names() == [column]


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER VIEW v AS SELECT a FROM v",
        "ALTER VIEW v AS SELECT a FROM w",
        "ALTER VIEW v AS SELECT a FROM t WHERE a IN (SELECT a FROM default_database.w)",
        "CREATE OR REPLACE VIEW v AS WITH x AS (SELECT * FROM w) SELECT a FROM x",
        "CREATE TEMPORARY VIEW v AS TABLE v",
    ],
)
def test_a_view_that_would_read_itself_is_refused(t_env: StreamTableEnvironment, statement: str) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql("CREATE VIEW v AS SELECT a FROM t")
    t_env.execute_sql("CREATE VIEW w AS SELECT a FROM v")
    with pytest.raises(PlanError, match="view 'v' would read itself"):
        t_env.execute_sql(statement)
    t_env.execute_sql("ALTER VIEW w AS SELECT a + 1 AS a FROM t")
    t_env.execute_sql("ALTER VIEW v AS SELECT a FROM w")
    assert t_env.from_path("v").get_schema().get_field_names() == ["a"]


def test_a_renamed_view_does_not_read_itself(t_env: StreamTableEnvironment) -> None:
    t_env.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    t_env.execute_sql("CREATE VIEW w AS SELECT a FROM v")
    t_env.execute_sql("DROP VIEW v")
    with pytest.raises(PlanError, match="view 'v' would read itself"):
        t_env.execute_sql("ALTER VIEW w RENAME TO v")
    with pytest.raises(PlanError, match="no table or view of the name 'v'; there are: w"):
        t_env.from_path("w")
    view = CatalogBaseTable.create_view(
        "TABLE w", "SELECT a FROM w", TableSchema(["a"], [DataTypes.INT()]), {}
    )
    built_in(t_env).create_table(ObjectPath("default_database", "v"), view, False)
    with pytest.raises(PlanError, match="view 'v' reads itself"):
        t_env.from_path("v")


def test_partitions_are_renamed_and_dropped_with_their_table(catalog: Catalog) -> None:
    spec = CatalogPartitionSpec({"a": "1"})
    renamed = ObjectPath("db", "u")
    catalog.create_table(T, table(), False)
    catalog.create_partition(T, spec, CatalogPartition.create_instance({"k": "v"}), False)
    catalog.rename_table(T, "u", False)
    assert catalog.get_partition(renamed, spec).get_properties() == {"k": "v"}
    catalog.create_table(T, table(), False)
    assert catalog.list_partitions(T) == []
    catalog.drop_database("db", False, cascade=True)
    catalog.create_database("db", CatalogDatabase(), False)
    catalog.create_table(renamed, table(), False)
    assert catalog.list_partitions(renamed) == []


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("ALTER TABLE tx SET ('k' = 'v')", "'tx' is temporary; ALTER TABLE changes tables of catalogs"),
        ("ALTER TABLE IF EXISTS tx SET ('k' = 'v')", None),  # as in Flink, there is none of a catalog
        ("ALTER TABLE x RENAME TO y", "no table of a catalog of the name 'x'; there are: t$"),
        ("ALTER TABLE v RENAME TO y", "'v' is a view: ALTER VIEW changes it"),
        ("ALTER TABLE IF EXISTS v RENAME TO y", "'v' is a view: ALTER VIEW changes it"),
        ("ALTER VIEW vx RENAME TO y", "'vx' is temporary; ALTER VIEW changes views of catalogs"),
        ("ALTER VIEW tx AS SELECT 1", "'tx' is temporary; ALTER VIEW changes views of catalogs"),
        ("ALTER VIEW x RENAME TO y", "no view of a catalog of the name 'x'; there are: v$"),
        ("ALTER VIEW t RENAME TO y", "'t' is a table: ALTER TABLE changes it"),
    ],
)
def test_only_tables_and_views_of_catalogs_are_altered(
    t_env: StreamTableEnvironment, statement: str, complaint: str | None
) -> None:
    t_env.execute_sql(f"CREATE TABLE t (a INT) {SOURCE}")
    t_env.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    t_env.execute_sql(f"CREATE TEMPORARY TABLE tx (a INT) {SOURCE}")
    t_env.execute_sql("CREATE TEMPORARY VIEW vx AS SELECT 1 AS a")
    with nullcontext() if complaint is None else pytest.raises(PlanError, match=complaint):
        t_env.execute_sql(statement)
    assert t_env.list_tables() == ["t", "tx", "v", "vx"]
