"""Models of a catalog, which an environment adds, lists and drops."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table import DataTypes, Schema, StreamTableEnvironment
from pystream.table.catalog import ObjectPath
from pystream.table.model_descriptor import ModelDescriptor


def _model(provider="openai", **options):
    columns = {
        name: Schema.new_builder().column(name, DataTypes.STRING()).build() for name in ("text", "label")
    }
    builder = (
        ModelDescriptor.for_provider(provider).input_schema(columns["text"]).output_schema(columns["label"])
    )
    for key, value in options.items():
        builder = builder.option(key, value)
    return builder.comment("of words").build()


def added_and_dropped(env):
    t_env = StreamTableEnvironment.create(env)
    seen = [t_env.list_models()]
    t_env.create_model("b", _model())
    t_env.create_model("a", _model())
    t_env.create_temporary_model("t", _model())
    seen += [t_env.list_models(), t_env.list_temporary_models()]
    seen += [t_env.drop_model("a"), t_env.drop_model("a"), t_env.drop_temporary_model("t")]
    seen += [t_env.drop_temporary_model("t"), t_env.list_models(), t_env.list_temporary_models()]
    return seen


def kept_by_the_catalog(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_model("m", _model("openai", task="regression"))
    model = t_env.get_catalog("default_catalog").get_model(ObjectPath("default_database", "m"))
    return dict(model.get_options()), model.get_comment()


def temporary_beside_permanent(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_model("m", _model())
    t_env.create_temporary_model("m", _model())
    return (
        t_env.list_models(),
        t_env.list_temporary_models(),
        t_env.drop_temporary_model("m"),
        t_env.list_models(),
    )


def dropped_below_a_temporary_one(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_model("m", _model())
    t_env.create_temporary_model("m", _model())
    return t_env.drop_model("m")


def second_of_a_name(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_model("m", _model())
    t_env.create_model("m", _model(), True)
    t_env.create_model("m", _model())
    return True


def second_temporary_of_a_name(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.create_temporary_model("m", _model())
    t_env.create_temporary_model("m", _model(), True)
    t_env.create_temporary_model("m", _model())
    return True


def missing_one_dropped(env):
    StreamTableEnvironment.create(env).drop_model("m", False)
    return True


def in_another_database(env):
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql("CREATE DATABASE d")
    t_env.create_model("d.m", _model())
    t_env.create_temporary_model("d.t", _model())
    here = t_env.list_models(), t_env.list_temporary_models()
    t_env.use_database("d")
    return here, t_env.list_models(), t_env.list_temporary_models()


def in_no_database(env):
    StreamTableEnvironment.create(env).create_model("d.m", _model())
    return True


def materialized_tables(env):
    return StreamTableEnvironment.create(env).list_materialized_tables()


def view_of_a_table(env):
    t_env = StreamTableEnvironment.create(env)
    rows = env.from_collection([Row(a=1)], Types.ROW_NAMED(["a"], [Types.INT()]))
    t_env.create_view("v", t_env.from_data_stream(rows))
    return t_env.list_views()
