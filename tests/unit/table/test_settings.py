"""Settings of table environments."""

from __future__ import annotations

import sys

import pytest

from pystream.common import Configuration, Types
from pystream.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from pystream.errors import (
    ConfigurationError,
    PlanError,
    PlanTypeError,
)
from pystream.table import (
    ChangelogMode,
    EnvironmentSettings,
    RowKind,
    Schema,
    StreamTableEnvironment,
    TableConfig,
    TableEnvironment,
)
from pystream.testing import local_environment


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return local_environment()


@pytest.fixture
def config(env: StreamExecutionEnvironment) -> TableConfig:
    return StreamTableEnvironment.create(env).get_config()


def test_a_mode_is_chosen() -> None:
    assert EnvironmentSettings.in_streaming_mode().is_streaming_mode()
    assert not EnvironmentSettings.in_batch_mode().is_streaming_mode()
    builder = EnvironmentSettings.new_instance()
    default, batch = builder.build(), builder.in_batch_mode().build()
    assert default.is_streaming_mode()
    assert default.get_configuration().key_set() == set()
    assert not batch.is_streaming_mode()
    assert builder.in_streaming_mode().build().is_streaming_mode()


def test_settings_are_given_by_key() -> None:
    keys = {"pipeline.name": "words", "execution.runtime-mode": "batch"}
    settings = EnvironmentSettings.new_instance().with_configuration(Configuration.from_dict(keys)).build()
    assert not settings.is_streaming_mode()
    settings.get_configuration().set_string("pipeline.name", "others")  # a copy
    assert settings.get_configuration().get_string("pipeline.name", "") == "words"


def test_tables_are_streaming_or_batch() -> None:
    automatic = Configuration.from_dict({"execution.runtime-mode": "automatic"})
    with pytest.raises(ConfigurationError, match="is STREAMING or BATCH, not AUTOMATIC"):
        EnvironmentSettings.new_instance().with_configuration(automatic).build()
    with pytest.raises(ConfigurationError, match="is STREAMING or BATCH, not AUTOMATIC"):
        TableEnvironment.create(automatic)


def test_a_table_environment_makes_its_own_environment_of_streams() -> None:
    batch = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    named = TableEnvironment.create(Configuration.from_dict({"pipeline.name": "words"}))
    assert batch.get_config().get("execution.runtime-mode", "") == "BATCH"
    assert named.get_config().get("execution.runtime-mode", "none") == "none"
    assert named.get_config().get("pipeline.name", "") == "words"
    assert not isinstance(named, StreamTableEnvironment)
    with pytest.raises(PlanTypeError, match=r"create takes .* or a Configuration, not None"):
        TableEnvironment.create(None)  # type: ignore[arg-type]


def test_an_environment_of_streams_is_made_from_settings_alone() -> None:
    configuration = Configuration.from_dict({"pipeline.name": "words"})
    settings = EnvironmentSettings.new_instance().with_configuration(configuration).in_batch_mode().build()
    t_env = StreamTableEnvironment.create(environment_settings=settings)
    assert isinstance(t_env, StreamTableEnvironment)
    assert t_env.get_config().get("execution.runtime-mode", "") == "BATCH"
    assert t_env.get_config().get("pipeline.name", "") == "words"
    with pytest.raises(PlanTypeError, match="create takes an EnvironmentSettings"):
        StreamTableEnvironment.create(environment_settings=configuration)  # type: ignore[arg-type]
    with pytest.raises(PlanTypeError, match=r"EnvironmentSettings or both: .* not None"):
        StreamTableEnvironment.create()


def test_a_table_gets_a_name_in_an_environment_without_streams(env: StreamExecutionEnvironment) -> None:
    t_env = TableEnvironment(env)
    t_env.execute_sql("CREATE TABLE numbers (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1')")
    numbers = t_env.from_path("numbers")
    t_env.create_temporary_view("view_", numbers)
    assert t_env.list_views() == ["view_"]
    assert t_env.from_path("view_") is numbers
    with pytest.raises(PlanError, match="there is already a table or view of the name 'view_'"):
        t_env.create_temporary_view("view_", numbers)
    with pytest.raises(PlanTypeError, match=r"create_temporary_view takes a Table such as .*, not None"):
        t_env.create_temporary_view("none", None)  # type: ignore[arg-type]


def test_settings_apply_to_the_environment_of_streams(env: StreamExecutionEnvironment) -> None:
    StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    assert env.get_configuration().get_string("execution.runtime-mode", "") == "BATCH"
    with pytest.raises(
        PlanTypeError, match=r"create takes an EnvironmentSettings .*, not <RuntimeExecutionMode"
    ):
        StreamTableEnvironment.create(env, RuntimeExecutionMode.BATCH)  # type: ignore[arg-type]


def test_settings_are_set_and_read_by_key(env: StreamExecutionEnvironment, config: TableConfig) -> None:
    assert config.get("pipeline.name", "none") == "none"
    assert config.set("parallelism.default", "3").set("pipeline.name", "words") is config
    assert config.get("parallelism.default", "1") == "3"
    assert env.get_parallelism() == 3
    config.get_configuration().set_string("parallelism.default", "4")
    assert env.get_parallelism() == 4
    config.add_configuration(Configuration().set_integer("parallelism.default", 5))
    assert env.get_parallelism() == 5
    with pytest.raises(ConfigurationError, match=r"parallelism\.default.*'many'"):
        config.set("parallelism.default", "many")
    assert env.get_parallelism() == 5


def test_the_local_time_zone(config: TableConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Seoul")
    assert config.get_local_timezone() == "Asia/Seoul"
    config.set_local_timezone("Europe/Rome")
    assert config.get_local_timezone() == config.get("table.local-time-zone", "") == "Europe/Rome"
    with pytest.raises(ConfigurationError, match=r"table\.local-time-zone: 'Rome' is not allowed"):
        config.set("table.local-time-zone", "Rome")
    assert config.get_local_timezone() == "Europe/Rome"


@pytest.mark.promise("TableConfig.set_python_executable")
def test_the_interpreter_of_the_workers(env: StreamExecutionEnvironment, config: TableConfig) -> None:
    assert config.get_python_executable() is None
    config.set_python_executable(sys.executable)
    assert config.get_python_executable() == sys.executable
    assert env.get_configuration().get_string("python.executable", "") == sys.executable


def test_kinds_of_changelog_modes() -> None:
    assert ChangelogMode.insert_only().contained_kinds == {RowKind.INSERT}
    assert ChangelogMode.upsert().contained_kinds == {RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE}
    assert ChangelogMode.all().contained_kinds == set(RowKind)


def test_a_changelog_that_cannot_be_a_table_is_refused(env: StreamExecutionEnvironment) -> None:
    t_env = StreamTableEnvironment.create(env)
    rows = env.from_collection([(1,)], Types.ROW_NAMED(["n"], [Types.INT()]))
    with pytest.raises(PlanError, match=r"replace others by a primary key, but .*\.primary_key\(name\)"):
        t_env.from_changelog_stream(rows, changelog_mode=ChangelogMode.upsert())
    keyed = Schema.new_builder().primary_key("m").build()
    with pytest.raises(PlanError, match="the primary key has the column 'm', but there are n"):
        t_env.from_changelog_stream(rows, keyed, ChangelogMode.upsert())
    with pytest.raises(PlanTypeError, match="from_changelog_stream takes a ChangelogMode or None, not 'all'"):
        t_env.from_changelog_stream(rows, changelog_mode="all")  # type: ignore[arg-type]
    numbers = env.from_collection([1], Types.INT())
    with pytest.raises(PlanTypeError, match=r"takes a stream of rows, .* not of Integer; only"):
        t_env.from_changelog_stream(numbers)  # type: ignore[arg-type]
    narrow = Schema.new_builder().column("n", "SMALLINT").build()
    with pytest.raises(PlanTypeError, match="which is not SMALLINT"):
        t_env.from_changelog_stream(rows, narrow)


def test_settings_without_an_environment() -> None:
    config = TableConfig()
    config.set("pipeline.name", "words").set_local_timezone("Asia/Tokyo")
    assert (config.get("pipeline.name", ""), config.get("other", "default")) == ("words", "default")
    assert config.get("other", None) is None
    assert config.get_local_timezone() == "Asia/Tokyo"
    with pytest.raises(ConfigurationError, match="no/where"):
        config.set_local_timezone("no/where")
