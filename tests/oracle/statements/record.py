"""Record the results of statements on catalogs, tables and functions in PyFlink; see ../README.md.

Tests do not import this.
"""

from __future__ import annotations

import json
import re
import sys

from harness import RECORDED, Json, observed, script_files, scripts

KINDS = {"0": "SUCCESS", "1": "SUCCESS_WITH_CONTENT"}  # PyFlink's kinds are numbers


def outcome(t_env: object, statement: str) -> Json:
    try:
        observation = observed(t_env, statement)
        return {**observation, "kind": KINDS[observation["kind"]]}
    except Exception as error:  # noqa: BLE001 - what Flink throws is the outcome
        return {"error": reason(str(error))}


def reason(text: str) -> str:
    """Return the class and message of the innermost exception of Java that a message shows."""
    more = r"(?:\n(?!\tat |\s*\.\.\. |Caused by)[^\n]*)*"
    found = re.findall(rf"^(?:Caused by: |: )?((?:org|java)\.[\w.$]+(?:: [^\n]*{more})?)", text, re.MULTILINE)
    return (found[-1] if found else text.splitlines()[0]).strip()


def main(names: list[str]) -> None:
    from pyflink.table import EnvironmentSettings, TableEnvironment

    for path in script_files():
        if names and path.stem not in names:
            continue
        entries = []
        for name, statements in scripts(path).items():
            t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
            lines = [
                json.dumps({"statement": one, **outcome(t_env, one)}, ensure_ascii=False)
                for one in statements
            ]
            entries.append(f"{json.dumps(name)}: [\n  " + ",\n  ".join(lines) + "\n]")
            print(f"{path.stem}::{name}: {len(lines)} statements", flush=True)
        file = RECORDED / f"{path.stem}.json"
        file.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
