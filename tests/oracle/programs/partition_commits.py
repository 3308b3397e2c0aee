"""Files that tell that partitions of tables are complete, beside those of the rows."""

from __future__ import annotations

from pystream.datastream import RuntimeExecutionMode
from pystream.table import StreamTableEnvironment

_TWO = "INSERT INTO t SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (x, k)"
_COMMIT = "sink.partition-commit."
_SUCCESS = {f"{_COMMIT}policy.kind": "success-file"}

CASES = {
    "no policy": ("BATCH", {f"{_COMMIT}success-file.name": "_DONE"}, _TWO),
    "success file": ("BATCH", _SUCCESS, _TWO),
    "streaming": ("STREAMING", _SUCCESS, _TWO),
    "other name": ("BATCH", {**_SUCCESS, f"{_COMMIT}success-file.name": "_DONE"}, _TWO),
    "metastore": ("BATCH", {f"{_COMMIT}policy.kind": "metastore"}, _TWO),
    "both": ("BATCH", {f"{_COMMIT}policy.kind": "metastore,success-file"}, _TWO),
    "none": ("BATCH", {f"{_COMMIT}policy.kind": "none"}, _TWO),
    "delay": ("BATCH", {**_SUCCESS, f"{_COMMIT}trigger": "process-time", f"{_COMMIT}delay": "1 h"}, _TWO),
    "partition time": ("STREAMING", {**_SUCCESS, f"{_COMMIT}trigger": "partition-time"}, _TWO),
    "wrong trigger": ("BATCH", {**_SUCCESS, f"{_COMMIT}trigger": "never"}, _TWO),
    "named partition": ("BATCH", _SUCCESS, "INSERT INTO t PARTITION (k = 'c') SELECT 1"),
    "no rows": ("BATCH", _SUCCESS, f"{_TWO} WHERE x > 5"),
    "replaced": ("BATCH", _SUCCESS, "INSERT OVERWRITE t VALUES (2, 'old')"),
}


def left(env, tmp, case):
    mode, options, statement = case
    env.set_parallelism(1)
    env.set_runtime_mode(RuntimeExecutionMode[mode])
    (tmp / "t" / "k=old").mkdir(parents=True)
    (tmp / "t" / "k=old" / "f").write_text("0\n")
    t_env = StreamTableEnvironment.create(env)
    given = {"connector": "filesystem", "path": tmp / "t", "format": "csv", **options}
    texts = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
    t_env.execute_sql(f"CREATE TABLE t (x INT, k STRING) PARTITIONED BY (k) WITH ({texts})")
    t_env.execute_sql(statement).wait()
    names = [path.relative_to(tmp / "t") for path in (tmp / "t").rglob("*") if path.is_file()]
    below = [f"{name.parent}/{name.name.partition('-')[0]}" for name in names if name.parent.name]
    with t_env.execute_sql("SELECT x, k FROM t").collect() as rows:
        return sorted(below), sorted(str(tuple(row)) for row in rows)
