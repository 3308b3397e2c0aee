"""What INSERT OVERWRITE leaves of tables of files."""

from __future__ import annotations

from pystream.datastream import RuntimeExecutionMode
from pystream.table import StreamTableEnvironment

ONE = ("id INT", "")
KEYS = ("id INT, dt STRING, h INT", "dt, h")
FILES = ["dt=a/h=1/f", "dt=a/h=2/f", "dt=b/h=1/f"]
NO_ROW = "SELECT id FROM given WHERE id > 100"

CASES = {
    "all": (*ONE, ["old", "_hidden", ".hidden", "sub/f", "sub/_f"], "INSERT OVERWRITE t VALUES (1)"),
    "all_by_nothing": (*ONE, ["old"], f"INSERT OVERWRITE t {NO_ROW}"),
    "all_by_columns": ("id INT, v INT", "", ["old"], "INSERT OVERWRITE t (v, id) VALUES (1, 2)"),
    "all_by_itself": (*ONE, ["old"], "INSERT OVERWRITE t SELECT id + 1 FROM t"),
    "static": (
        *KEYS,
        [*FILES, "dt=a/h=1/_f", "dt=a/h=1/sub/f"],
        "INSERT OVERWRITE t PARTITION (dt = 'a', h = 1) VALUES (9)",
    ),
    "static_by_nothing": (*KEYS, FILES, f"INSERT OVERWRITE t PARTITION (dt = 'a', h = 1) {NO_ROW}"),
    "new_by_nothing": (*KEYS, FILES, f"INSERT OVERWRITE t PARTITION (dt = 'c', h = 1) {NO_ROW}"),
    "static_and_dynamic": (*KEYS, FILES, "INSERT OVERWRITE t PARTITION (dt = 'a') VALUES (9, 1), (8, 3)"),
    "static_and_dynamic_by_nothing": (
        *KEYS,
        FILES,
        "INSERT OVERWRITE t PARTITION (dt = 'a') SELECT id, 1 FROM given WHERE id > 100",
    ),
    "dynamic": (*KEYS, FILES, "INSERT OVERWRITE t VALUES (9, 'a', 1), (8, 'c', 3)"),
    "dynamic_by_nothing": (*KEYS, FILES, "INSERT OVERWRITE t SELECT id, 'a', 1 FROM given WHERE id > 100"),
    "dynamic_by_itself": (*KEYS, FILES, "INSERT OVERWRITE t SELECT id + 1, dt, h FROM t WHERE h = 1"),
    "null": (
        *KEYS,
        ["dt=a/h=1/f", "dt=__DEFAULT_PARTITION__/h=1/f"],
        "INSERT OVERWRITE t VALUES (9, CAST(NULL AS STRING), 1)",
    ),
}


def _write(tmp, names):
    for name in names:
        path = tmp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("7\n")


def _created(env, tmp, columns, keys):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    t_env = StreamTableEnvironment.create(env)
    partitioned = f"PARTITIONED BY ({keys})" if keys else ""
    with_files = "WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' ="
    t_env.execute_sql(f"CREATE TABLE t ({columns}) {partitioned} {with_files} '{tmp / 't'}')")
    _write(tmp, ["given/f"])
    t_env.execute_sql(f"CREATE TABLE given (id INT) {with_files} '{tmp / 'given'}')")
    return t_env


def _left(tmp):
    found = []
    for path in (tmp / "t").rglob("*"):
        name = path.relative_to(tmp / "t")
        if path.is_file() and path.name != "_SUCCESS":
            shown = str(name.parent / "part") if path.name.startswith("part-") else str(name)
            found.append([shown, path.read_text()])
    return sorted(found)


def left(env, tmp, case):
    columns, keys, names, statement = case
    _write(tmp / "t", names)
    _created(env, tmp, columns, keys).execute_sql(statement).wait()
    return _left(tmp)


def left_by_execute_insert(env, tmp):
    _write(tmp / "t", ["old"])
    t_env = _created(env, tmp, *ONE)
    t_env.sql_query("SELECT id + 1 FROM given").execute_insert("t", True).wait()
    return _left(tmp)


def left_by_a_pipeline(env, tmp):
    _write(tmp / "t", ["old"])
    t_env = _created(env, tmp, *ONE)
    t_env.sql_query("SELECT id + 1 FROM given").insert_into("t", True).execute().wait()
    return _left(tmp)


def left_by_a_statement_set(env, tmp):
    _write(tmp / "t", ["old"])
    t_env = _created(env, tmp, *ONE)
    inserts = t_env.create_statement_set()
    inserts.add_insert("t", t_env.sql_query("SELECT id + 1 FROM given"), True)
    inserts.execute().wait()
    return _left(tmp)


def _left_by_inserts(env, tmp, *kinds):
    _write(tmp / "t", ["old"])
    inserts = _created(env, tmp, *ONE).create_statement_set()
    for number, kind in enumerate(kinds):
        inserts.add_insert_sql(f"INSERT {kind} t SELECT id + {number} FROM given")
    inserts.execute().wait()
    return sorted("".join(text for _, text in _left(tmp)).split())


def left_by_overwriting_and_adding(env, tmp):
    return _left_by_inserts(env, tmp, "OVERWRITE", "INTO")


def left_by_overwriting_twice(env, tmp):
    return _left_by_inserts(env, tmp, "OVERWRITE", "OVERWRITE")


def left_by_adding_and_overwriting(env, tmp):
    return _left_by_inserts(env, tmp, "INTO", "OVERWRITE")


def a_sink_that_only_adds_rows(env, tmp):
    t_env = _created(env, tmp, *ONE)
    t_env.execute_sql("CREATE TABLE shown (id INT) WITH ('connector' = 'print')")
    t_env.execute_sql("INSERT OVERWRITE shown VALUES (1)").wait()
