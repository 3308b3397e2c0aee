"""Record in PyFlink the calls of functions that it accepts, with their types, and the results of examples.

Tests do not import this; see ../README.md. The examples are read from the standard input, one a line, and
calls with unusual values from ``unusual.txt``.
"""

from __future__ import annotations

import json
import logging
import runpy
import sys
from pathlib import Path
from typing import Any

from variations import COLUMNS, HERE, RECORDED, UNUSUAL, calls, recorded, variations

sys.path.insert(0, str(HERE.parent / "sql"))


TOGETHER = 20
"""The examples in one query, each of which takes a second."""


def environment() -> Any:
    from pyflink.table import EnvironmentSettings, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    settings = {"parallelism.default": "1", "table.local-time-zone": "UTC", "pekko.ask.timeout": "5 min"}
    for key, value in settings.items():
        t_env.get_config().set(key, value)
    columns = list(COLUMNS.values())
    columns += [f"{column.replace(' ', '_ ', 1)} NOT NULL" for column in columns]
    t_env.execute_sql(
        f"CREATE TABLE t ({', '.join(columns)}) WITH ('connector' = 'datagen', 'number-of-rows' = '1')"
    )
    return t_env


def refusal(error: Exception) -> str:
    """Return the sentence of Flink that says why a call is refused."""
    causes = [line for line in str(error).splitlines() if line.startswith(("Caused by: ", ": "))]
    return (causes or str(error).splitlines())[-1].rpartition("Exception: ")[2]


def accepted(t_env: Any, call: str) -> dict[str, str]:
    """Return the type of a call, or why it is refused."""
    try:
        schema = t_env.sql_query(f"SELECT {call} AS x FROM t")._j_table.getResolvedSchema()
    except Exception as error:  # noqa: BLE001 - any error is an outcome
        return {"error": refusal(error)}
    return {"type": schema.getColumns().get(0).getDataType().toString()}


def write(name: str, outcomes: dict[str, Any]) -> None:
    entries = (f"{json.dumps(key)}: {json.dumps(outcomes[key], ensure_ascii=False)}" for key in outcomes)
    (RECORDED / f"{name}.json").write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


def record_calls(t_env: Any, path: Path) -> None:
    known = recorded(path.stem)
    texts = dict.fromkeys(text for call in calls(path) for text in variations(call))
    write(path.stem, {text: known.get(text) or accepted(t_env, text) for text in texts})
    print(f"{path.stem}: {len(texts)} calls", flush=True)


def record_examples(t_env: Any, name: str, examples: list[str]) -> None:
    observe = runpy.run_path(str(HERE.parent / "sql" / "record.py"))["observe"]
    outcomes = {example: outcome for example, outcome in recorded(name).items() if example in examples}
    missing = [example for example in examples if example not in outcomes]
    for start in range(0, len(missing), TOGETHER):
        part = missing[start : start + TOGETHER]
        together = observe(t_env, f"SELECT {', '.join(f'{one} AS x{n}' for n, one in enumerate(part))}")
        if "error" in together:
            outcomes |= {one: observe(t_env, f"SELECT {one} AS x") for one in part}
            continue
        for one, (_, kind), value in zip(part, together["columns"], together["rows"][0], strict=True):
            outcomes[one] = {"query": f"SELECT {one} AS x", "columns": [["x", kind]], "rows": [[value]]}
    write(name, {example: outcomes[example] for example in examples})
    print(f"{name}: {len(outcomes)}", flush=True)


def main() -> None:
    logging.disable()
    RECORDED.mkdir(exist_ok=True)
    t_env = environment()
    for path in sorted((HERE / "calls").glob("*.txt")):
        record_calls(t_env, path)
    record_examples(t_env, "unusual", UNUSUAL.read_text(encoding="utf-8").splitlines())
    record_examples(t_env, "examples", [line.rstrip("\n") for line in sys.stdin])


if __name__ == "__main__":
    main()
