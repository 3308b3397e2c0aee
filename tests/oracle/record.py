"""Record the outcomes of all oracle programs in PyFlink; see README.md. Tests do not import this module.

One worker process with one JVM runs all programs of a file. If a program crashes the process, the crash is
recorded as its outcome, and a new worker continues.
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

from harness import PROGRAMS, RECORDED, Outcome, load, normalized, observe, program_files

JAVA_CAUSE = re.compile(r"^(?:Caused by|): ([\w.$]+(?:Exception|Error))(?:: (.*))?$", re.MULTILINE)
PYTHON_ERROR = re.compile(r"^([A-Za-z_][\w.]*)(?:: (.*))?$")
PROGRAM_FRAME = re.compile(rf'File "{re.escape(str(PROGRAMS))}/')


class Stdout:
    """Redirects file descriptor 1, which the JVM inherits, to a file, and reads what is appended."""

    def __init__(self, path: Path) -> None:
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
        self._reader = path.open("rb")

    def read(self) -> str:
        sys.stdout.flush()
        return self._reader.read().decode("utf-8", "replace")


def describe(error: Exception) -> Outcome:
    """Describe the error of a Python worker, or else the deepest cause in Java, or else the error itself."""
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
    """Find the error of the last Python traceback in a Java error, and whether the program raised it."""
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
    """Run the programs of a file that are not in the journal, and write each to it before and after."""
    from pyflink.datastream import StreamExecutionEnvironment

    done = {key for key, _ in read(journal)}
    stdout = Stdout(journal.with_suffix(".stdout"))
    for key, program in load(path, "pyflink").items():
        if key in done:
            continue
        append(journal, key, {"error": "crash", "message": "", "raised": "worker"})
        env = StreamExecutionEnvironment.get_execution_environment()
        env.set_parallelism(1)
        env._open()  # collects in this process instead of starting one for each job
        with tempfile.TemporaryDirectory() as tmp:
            append(journal, key, observe(program, env, Path(tmp), stdout.read, describe))


def append(journal: Path, key: str, outcome: Outcome) -> None:
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
    finished = 0
    while subprocess.run(command).returncode != 0:
        if len(read(journal)) == finished:
            raise SystemExit(f"{path.stem}: the worker died before it ran a program")
        finished = len(read(journal))
        print(f"{path.stem}: a program crashed its worker; continuing", flush=True)
    outcomes = {key: normalized(outcome) for key, outcome in read(journal)}
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
