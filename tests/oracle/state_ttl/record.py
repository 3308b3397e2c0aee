"""Record the times to live of the state of joins and groupings in PyFlink; see ../README.md.

Tests do not import this.
"""

from __future__ import annotations

import json

from harness import RECORDED, SETUP, TTL, queries

OPERATORS = {"stream-exec-join": "Join", "stream-exec-group-aggregate": "GroupAggregate"}


def main() -> None:
    """Write the operators of each query that keep state, with their times to live, or its error."""
    from pyflink.table import EnvironmentSettings, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.get_config().set("table.exec.state.ttl", TTL)
    for statement in SETUP:
        t_env.execute_sql(statement)
    recorded = {query: _times(t_env, number, query) for number, query in enumerate(queries())}
    RECORDED.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")


def _times(t_env, number, query):
    try:
        schema = t_env.sql_query(query).get_schema()
        names = [f"`{name}`" for name in schema.get_field_names()]
        columns = ", ".join(f"{name} STRING" for name in names)
        texts = ", ".join(f"CAST({name} AS STRING)" for name in names)
        t_env.execute_sql(f"CREATE TABLE s{number} ({columns}) WITH ('connector' = 'print')")
        plan = t_env.compile_plan_sql(f"INSERT INTO s{number} SELECT {texts} FROM ({query})").as_json_string()
    except Exception as error:  # noqa: BLE001 - of any class
        return "error: " + next(line for line in str(error).splitlines() if line.startswith(":"))[2:]
    found = []
    for node in json.loads(plan)["nodes"]:
        operator = OPERATORS.get(node["type"].rpartition("_")[0])
        if operator is not None:
            found.append([operator, [state["ttl"] for state in node["state"]]])
    return sorted(found)


if __name__ == "__main__":
    main()
