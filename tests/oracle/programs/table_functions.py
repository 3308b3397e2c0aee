"""Table functions of the program, in SQL and by methods of tables."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.expressions import call, col
from pystream.table.udf import udtf


def _rows(table):
    """Return the columns of a table, and its rows with their kinds."""
    with table.execute().collect() as rows:
        found = [[str(row.get_row_kind()), *(str(value) for value in row)] for row in rows]
    return [str(table.get_schema()), found]


def _tables(env):
    """Return an environment with a table of texts and one that is updated."""
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    rows = [Row(1, "a b"), Row(2, ""), Row(3, None), Row(4, "c")]
    texts = env.from_collection(rows, Types.ROW_NAMED(["id", "line"], [Types.INT(), Types.STRING()]))
    t_env.create_temporary_view("texts", texts)
    t_env.create_temporary_view(
        "counts", t_env.sql_query("SELECT line, COUNT(*) AS n FROM texts GROUP BY line")
    )
    return t_env


def _parts(line, times=1):
    for part in (line or "").split():
        yield part, len(part) * times


parts = udtf(_parts, result_types=[DataTypes.STRING(), DataTypes.INT()])

CASES = {
    "generator": (lambda n: (k for k in range(n)), [DataTypes.INT()]),
    "list_of_values": (lambda n: [n, n + 1], DataTypes.INT()),
    "list_of_tuples": (lambda n: [(n, "x")], ["INT", "STRING"]),
    "list_of_rows": (lambda n: [Row(n, "x"), Row(None, None)], ["INT", "STRING"]),
    "range": (lambda n: range(n), [DataTypes.INT()]),
    "none": (lambda n: None, [DataTypes.INT()]),
    "value": (lambda n: n * 2, DataTypes.INT()),
    "text": (lambda n: "abc", DataTypes.STRING()),
    "tuple": (lambda n: (n, "x"), [DataTypes.INT(), DataTypes.STRING()]),
    "row": (lambda n: Row(n, "x"), [DataTypes.INT(), DataTypes.STRING()]),
    "list_of_none": (lambda n: [None], [DataTypes.INT()]),
    "type_of_rows": (
        lambda n: [(n, "x")],
        DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.STRING())]),
    ),
    "type_of_rows_as_text": (lambda n: [(n, "x")], "ROW<a INT, b STRING>"),
    "type_that_is_not_null": (lambda n: [n], [DataTypes.INT(False)]),
    "type_as_text": (lambda n: [n], "INT"),
    "array": (lambda n: [([n, n],)], [DataTypes.ARRAY(DataTypes.INT())]),
}


def results(env, case):
    function, result_types = case
    t_env = _tables(env)
    t_env.create_temporary_function("made", udtf(function, result_types=result_types))
    return _rows(
        t_env.sql_query("SELECT * FROM (SELECT id FROM texts WHERE id < 3) AS t, LATERAL TABLE(made(id))")
    )


def names_of_columns(env):
    t_env = _tables(env)
    t_env.create_temporary_function("parts", parts)
    return _rows(t_env.sql_query("SELECT id, word, n FROM texts, LATERAL TABLE(parts(line)) AS x(word, n)"))


def left_join(env):
    t_env = _tables(env)
    t_env.create_temporary_function("parts", parts)
    query = "SELECT id, word, n FROM texts LEFT JOIN LATERAL TABLE(parts(line)) AS x(word, n) ON TRUE"
    return _rows(t_env.sql_query(query))


def inner_and_cross_join(env):
    t_env = _tables(env)
    t_env.create_temporary_system_function("parts", parts)
    query = """SELECT id, x.word, y.word FROM texts JOIN LATERAL TABLE(parts(line)) AS x(word, n) ON TRUE
        CROSS JOIN LATERAL TABLE(parts(x.word, id)) AS y(word, m) WHERE x.n = 1 AND m < 4"""
    return _rows(t_env.sql_query(query))


def join_lateral(env):
    return _rows(_tables(env).from_path("texts").join_lateral(parts(col("line")).alias("word", "n")))


def join_lateral_without_names(env):
    return _rows(_tables(env).from_path("texts").join_lateral(parts(col("line"))))


def join_lateral_by_name(env):
    t_env = _tables(env)
    t_env.create_temporary_function("parts", parts)
    return _rows(t_env.from_path("texts").join_lateral(call("parts", col("line"), 2).alias("word", "n")))


def left_outer_join_lateral(env):
    texts = _tables(env).from_path("texts")
    return _rows(texts.left_outer_join_lateral(parts(col("line")).alias("word", "n")))


def join_lateral_of_whole_rows(env):
    doubled = udtf(lambda row: [(row.id, row[1])] * 2, result_types=["INT", "STRING"])
    return _rows(_tables(env).from_path("texts").join_lateral(doubled.alias("a", "b")))


def flat_map(env):
    return _rows(_tables(env).from_path("texts").flat_map(parts(col("line"), col("id"))))


def flat_map_with_names(env):
    return _rows(_tables(env).from_path("texts").flat_map(parts(col("line"))).alias("id", "line"))


def flat_map_of_whole_rows(env):
    doubled = udtf(lambda row: [(row.id, row[1])] * 2, result_types=["INT", "STRING"])
    return _rows(_tables(env).from_path("texts").flat_map(doubled))


def flat_map_of_updated_rows(env):
    return _rows(_tables(env).from_path("counts").flat_map(parts(col("line"))))


def raising_function(env):
    t_env = _tables(env)
    t_env.create_temporary_function("failing", udtf(lambda n: 1 // 0, result_types=["INT"]))
    return _rows(t_env.sql_query("SELECT * FROM texts, LATERAL TABLE(failing(id))"))


def other_number_of_names(env):
    t_env = _tables(env)
    t_env.create_temporary_function("parts", parts)
    return _rows(t_env.sql_query("SELECT * FROM texts, LATERAL TABLE(parts(line)) AS x(word)"))


def table_function_as_a_value(env):
    t_env = _tables(env)
    t_env.create_temporary_function("parts", parts)
    return _rows(t_env.sql_query("SELECT parts(line) FROM texts"))
