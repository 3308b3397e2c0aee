"""How tables of files that are PARTITIONED BY columns are written and read."""

from __future__ import annotations

from pystream.table import StreamTableEnvironment

KEYS = ("id INT, dt STRING, h INT, v STRING", "dt, h")
PAIR = ("id INT, k STRING", "k")
PUNCTUATION = "a!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~ é"

CASES = {
    "dynamic": (*KEYS, ["INSERT INTO t VALUES (1, 'a', 5, 'x'), (2, 'a', 6, 'y'), (3, 'b/c', 5, 'z')"]),
    "static": (*KEYS, ["INSERT INTO t PARTITION (dt = 'a', h = 1) SELECT 9, 'x'"]),
    "static_and_dynamic": (*KEYS, ["INSERT INTO t PARTITION (dt = 'a') VALUES (9, 3, 'x')"]),
    "static_second_key": (*KEYS, ["INSERT INTO t PARTITION (h = 8) VALUES (9, 'a', 'x')"]),
    "static_other_type": (*KEYS, ["INSERT INTO t PARTITION (h = '9') VALUES (9, 'a', 'x')"]),
    "static_columns": (*KEYS, ["INSERT INTO t PARTITION (dt = 'a', h = 1) (v, id) VALUES ('x', 11)"]),
    "static_unknown": (*KEYS, ["INSERT INTO t PARTITION (z = 8) VALUES (9, 'a', 1, 'x')"]),
    "static_no_key": (*KEYS, ["INSERT INTO t PARTITION (v = '8') VALUES (9, 'a', 3)"]),
    "static_wrong_value": (*KEYS, ["INSERT INTO t PARTITION (dt = 'a', h = 'x') VALUES (1, 'x')"]),
    "static_of_no_partitions": ("id INT, k STRING", "", ["INSERT INTO t PARTITION (k = 'a') VALUES (1)"]),
    "punctuation": (*PAIR, [f"INSERT INTO t VALUES (1, '{PUNCTUATION}')"]),
    "several_inserts": (*PAIR, ["INSERT INTO t VALUES (1, 'a')", "INSERT INTO t VALUES (2, 'a'), (3, 'b')"]),
    "times": (
        "id INT, k TIMESTAMP(3), b BIGINT",
        "k, b",
        ["INSERT INTO t VALUES (1, TIMESTAMP '2020-01-02 03:04:05.600', 7)"],
    ),
    "overwrite": (*PAIR, ["INSERT INTO t VALUES (1, 'a')", "INSERT OVERWRITE t VALUES (2, 'a')"]),
}
NULLS = (*PAIR, ["INSERT INTO t VALUES (1, CAST(NULL AS STRING)), (2, 'a'), (3, '')"])
TYPES = (
    "id INT, b BOOLEAN, n DECIMAL(5, 2), f DOUBLE",
    "b, n, f",
    ["INSERT INTO t VALUES (1, true, CAST(1.5 AS DECIMAL(5, 2)), 2.5e0)"],
)


def _created(env, tmp, case, options="", format="csv"):
    columns, keys, _ = case
    t_env = StreamTableEnvironment.create(env)
    partitioned = f"PARTITIONED BY ({keys})" if keys else ""
    t_env.execute_sql(
        f"CREATE TABLE t ({columns}) {partitioned} WITH ('connector' = 'filesystem', 'path' = '{tmp}', "
        f"'format' = '{format}'{options})"
    )
    return t_env


def _rows(t_env, query):
    with t_env.execute_sql(query).collect() as found:
        return sorted(str(tuple(row)) for row in found)


def _written(env, tmp, case, options="", format="csv"):
    t_env = _created(env, tmp, case, options, format)
    for statement in case[2]:
        t_env.execute_sql(statement).wait()
    files = [path for path in tmp.rglob("*") if path.is_file() and not path.name.startswith((".", "_"))]
    return t_env, sorted(
        [str(path.relative_to(tmp).parent), line] for path in files for line in path.read_text().splitlines()
    )


def written_and_read(env, tmp, case):
    t_env, files = _written(env, tmp, case)
    return [files, _rows(t_env, "SELECT * FROM t")]


def nulls(env, tmp):
    return _written(env, tmp, NULLS)[1]


def nulls_with_another_name(env, tmp):
    return _written(env, tmp, NULLS, ", 'partition.default-name' = 'none'")[1]


def types(env, tmp):
    return _written(env, tmp, TYPES)[1]


def json(env, tmp):
    t_env, files = _written(env, tmp, CASES["dynamic"], format="json")
    return [files, _rows(t_env, "SELECT v, h FROM t WHERE dt = 'a'")]


def _files(tmp, names):
    for name in names:
        path = tmp / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("7\n")


def a_file_in_no_partition(env, tmp):
    _files(tmp, ["k=a/f", "other/f"])
    return _rows(_created(env, tmp, (*PAIR, ())), "SELECT * FROM t")


def a_directory_that_is_no_value(env, tmp):
    _files(tmp, ["h=x/f"])
    return _rows(_created(env, tmp, ("id INT, h INT", "h", ())), "SELECT * FROM t")


def paths_that_match(env, tmp):
    _files(tmp, ["k=a/f.csv", "k=a/f.txt", "k=a/_f.csv", "k=b/g.csv"])
    return _rows(
        _created(env, tmp, (*PAIR, ()), ", 'source.path.regex-pattern' = '.*/k=a/.*csv'"), "SELECT * FROM t"
    )


def paths_that_match_in_part(env, tmp):
    _files(tmp, ["k=a/f.csv"])
    return _rows(
        _created(env, tmp, (*PAIR, ()), ", 'source.path.regex-pattern' = 'f.csv'"), "SELECT * FROM t"
    )
