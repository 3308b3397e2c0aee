"""Record on PyFlink what every oracle program does; see README.md. Never imported by the tests.

One worker process and one JVM serve all programs of a file. Some programs make PyFlink's native code
crash the process; the crash is then recorded as that program's outcome and a new worker goes on.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import PROGRAMS, RECORDED, Outcome, load, normal, observe, program_files

JAVA_CAUSE = re.compile(r"^(?:Caused by|): ([\w.$]+(?:Exception|Error))(?:: (.*))?$", re.MULTILINE)
PYTHON_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")
PROGRAM_FRAME = re.compile(rf'File "{re.escape(str(PROGRAMS))}/')


class Stdout:
    """Send file descriptor 1, which the JVM inherits, to a file and read what was added to it."""

    def __init__(self, path: Path) -> None:
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
        self._reader = path.open("rb")

    def read(self) -> str:
        sys.stdout.flush()
        return self._reader.read().decode("utf-8", "replace")


def describe(error: Exception) -> Outcome:
    """Name an error: the one a Python worker raised, else the deepest Java cause, else itself."""
    text = str(error)
    raised = _raised_by_worker(text)
    if raised is not None:
        name, message, by_program = raised
        return {"error": name, "message": message, "raised": "program" if by_program else "worker"}
    causes = JAVA_CAUSE.findall(text)
    if type(error).__name__ == "Py4JJavaError" and causes:
        name, message = causes[-1]
        return {"error": name, "message": message, "raised": "java"}
    message = re.sub(r"\bo\d+\.", "object.", (text.splitlines() or [""])[0])
    return {"error": type(error).__name__, "message": message, "raised": "client"}


def _raised_by_worker(text: str) -> tuple[str, str, bool] | None:
    """Find the last Python traceback in a Java error: its error, and whether the program's code raised it."""
    marker = text.rfind("Traceback (most recent call last)")
    lines = text[marker:].splitlines() if marker >= 0 else []
    frame = ""
    for line in lines:
        if line.startswith("  File "):
            frame = line
        elif found := PYTHON_ERROR.match(line):
            return found[1], found[2] or "", PROGRAM_FRAME.search(frame) is not None
    return None


def work(path: Path, journal: Path) -> None:
    """Run the programs of a file that the journal does not mention, noting each before and after."""
    from pyflink.datastream import StreamExecutionEnvironment

    mentioned = {key for key, _ in read(journal)}
    stdout = Stdout(journal.with_suffix(".stdout"))
    for key, program in load(path, "pyflink").items():
        if key in mentioned:
            continue
        note(journal, key, {"error": "crash", "message": "", "raised": "worker"})
        env = StreamExecutionEnvironment.get_execution_environment()
        env.set_parallelism(1)
        env._open()  # collecting then works inside this process; it would start one for each job
        with tempfile.TemporaryDirectory() as tmp:
            note(journal, key, observe(program, env, Path(tmp), stdout.read, describe))


def note(journal: Path, key: str, outcome: Outcome) -> None:
    with journal.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps([key, outcome]) + "\n")


def read(journal: Path) -> list[tuple[str, Outcome]]:
    if not journal.exists():
        return []
    lines = journal.read_text(encoding="utf-8").splitlines()
    return [(key, outcome) for key, outcome in map(json.loads, lines)]


def record(path: Path, journal: Path) -> None:
    started = time.monotonic()
    command = [sys.executable, __file__, "--worker", str(path), str(journal)]
    noted = 0
    while subprocess.run(command).returncode != 0:
        if len(read(journal)) == noted:
            raise SystemExit(f"{path.stem}: the worker died before it ran a program")
        noted = len(read(journal))
        print(f"{path.stem}: a program crashed its worker; going on", flush=True)
    outcomes = {key: normal(outcome) for key, outcome in read(journal)}
    text = json.dumps(outcomes, indent=1, ensure_ascii=False, sort_keys=True)
    (RECORDED / f"{path.stem}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{path.stem}: {len(outcomes)} programs in {time.monotonic() - started:.0f} s", flush=True)


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--worker"]:
        work(Path(arguments[1]), Path(arguments[2]))
        return
    with tempfile.TemporaryDirectory() as tmp:
        for path in [PROGRAMS / f"{name}.py" for name in arguments] or program_files():
            record(path, Path(tmp) / f"{path.stem}.jsonl")


if __name__ == "__main__":
    main(sys.argv[1:])
