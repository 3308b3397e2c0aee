"""Record which types PyFlink casts implicitly in INSERT, and the results; see ../README.md.

Tests do not import this.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys

from cases import RECORDED, SINKS, SOURCES, ZONE

Outcomes = dict[str, dict[str, dict[str, str]]]


def work() -> None:
    """Run an INSERT of each expression into each type, and print what it became, or that it failed."""
    from pyflink.table import EnvironmentSettings, TableEnvironment

    t_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    t_env.get_config().set("parallelism.default", "1").set("table.local-time-zone", ZONE)
    cases = [(expression, sink) for own in SOURCES.values() for expression in own for sink in SINKS]
    for number, (expression, sink) in enumerate(cases):
        options = f"'connector' = 'print', 'print-identifier' = 's{number}'"
        t_env.execute_sql(f"CREATE TABLE s{number} (v {sink}) WITH ({options})")
        insert = f"INSERT INTO s{number} SELECT {expression} AS v"
        try:
            t_env.explain_sql(insert)
        except Exception:  # noqa: BLE001, S112 - it is refused
            continue
        try:
            t_env.execute_sql(insert).wait()
        except Exception:  # noqa: BLE001 - any error is an outcome
            print(f"s{number}> error", flush=True)


def main() -> None:
    run = subprocess.run(
        [sys.executable, __file__, "--worker"], stdout=subprocess.PIPE, text=True, check=True
    )
    texts = dict(re.findall(r"^s(\d+)> (?:\+I\[)?(.*?)\]?$", run.stdout, flags=re.MULTILINE))
    outcomes: Outcomes = {}
    cases = [(source, one, sink) for source, own in SOURCES.items() for one in own for sink in SINKS]
    for number, (source, expression, sink) in enumerate(cases):
        if str(number) in texts:
            outcomes.setdefault(source, {}).setdefault(sink, {})[expression] = texts[str(number)]
    lines = []
    for source, sinks in outcomes.items():
        pairs = ",\n".join(f"  {json.dumps(sink)}: {json.dumps(results)}" for sink, results in sinks.items())
        lines.append(f"{json.dumps(source)}: {{\n{pairs}\n}}")
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--worker"] else main()
