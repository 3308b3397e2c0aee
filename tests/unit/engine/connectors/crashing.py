"""Run a job with four sinks, of which one replaces files, killed or failing at every step, and recover it.

It is run as a program.

A step is an operation on files that the job or its recovery asks Python for, as audit hooks see them. Each
run is forked from this process, which starts no thread.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pystream.common.serialization import Encoder
from pystream.datastream.connectors import BucketAssigner, FileSink, RollingPolicy
from pystream.datastream.formats.parquet import ParquetBulkWriters
from pystream.engine.connectors.file_sink import FilesOutput, Replaced
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of
from pystream.engine.connectors.recovery import recover
from pystream.errors import SinkError
from typeinfo import Row, Types

STEPS = {
    "open",
    "fcntl.flock",
    "os.listdir",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.scandir",
    "os.truncate",
}
NUMBERS = list(range(6))
ROW = Types.ROW_NAMED(["n"], [Types.INT])


class ByParity(BucketAssigner[int]):
    def get_bucket_id(self, element: int, context: Any) -> str:
        return f"even={element % 2 == 0}/all"


def outputs(root: Path) -> list[FilesOutput]:
    encoder = Encoder.simple_string_encoder()
    base = BucketAssigner.base_path_bucket_assigner()
    small = RollingPolicy.default_rolling_policy(part_size=1)
    rows, columns, replaced = root / "rows", root / "columns", root / "replaced"
    return [
        FileSink.for_row_format(str(rows), encoder)
        .with_bucket_assigner(ByParity())
        .build()
        .bind(Types.INT()),
        FileSink.for_row_format(str(rows), encoder)
        .with_bucket_assigner(base)
        .with_rolling_policy(small)
        .build()
        .bind(Types.INT()),
        FileSink.for_bulk_format(str(columns), ParquetBulkWriters.for_row_type(ROW))
        .with_bucket_assigner(base)
        .build()
        .bind(ROW),
        FileSink.for_row_format(str(replaced), encoder)
        .with_bucket_assigner(ByParity())
        ._replace(Replaced.BUCKETS)
        .build()
        .bind(Types.INT()),
    ]


def run_job(root: Path) -> None:
    """Do what a job does, in one process."""
    sinks = dict(enumerate(outputs(root)))
    files = JobFiles.begin("f00d", "four sinks", {number: sink.base_path for number, sink in sinks.items()})
    names = {}
    for number, sink in sinks.items():
        transaction = transaction_of("f00d", number)
        writer = sink.writer(transaction)
        writer.write([Row(n=n) for n in NUMBERS] if number == 2 else NUMBERS)
        names[number] = sink.finish(transaction, [writer.finish()])
    files.publish(names)


def prepare(root: Path) -> None:
    """Make directories with the files of earlier jobs, beside one that does not exist."""
    for name in ("rows/even=True/old", *(f"replaced/{name}" for name in OLD)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("old\n")
    (root / "rows" / "_SUCCESS").touch()
    (root / "replaced" / "_SUCCESS").touch()


def directories_before() -> set[str]:
    """Return the directories that may be left of a job that shows nothing."""
    files = ["rows/even=True/old", "columns/x", *(f"replaced/{name}" for name in OLD)]
    return {str(parent) for name in files for parent in Path(name).parents}


def contents(directory: Path) -> list[str]:
    """Return the content of each visible file, with its bucket."""
    found = []
    for path in directory.rglob("*"):
        if path.is_dir() or path.name.startswith("_") or ".inprogress" in str(path):
            continue
        if directory.name == "columns":
            text = str(pq.ParquetFile(pa.BufferReader(path.read_bytes())).read(use_threads=False).to_pylist())
        else:
            text = path.read_text()
        found.append(f"{path.parent.relative_to(directory)} {text}")
    return sorted(found)


OLD = ["even=True/all/1", "even=True/all/2", "even=True/all/below/3", "even=None/all/4"]
NOTHING = {
    "rows": ["even=True old\n"],
    "columns": [],
    "replaced": sorted(f"{name.rpartition('/')[0]} old\n" for name in OLD),
}
ALL = {
    "rows": sorted(
        [
            "even=True old\n",
            "even=True/all 0\n2\n4\n",
            "even=False/all 1\n3\n5\n",
            *(f". {n}\n" for n in NUMBERS),
        ]
    ),
    "columns": [f". {[{'n': n} for n in NUMBERS]}"],
    "replaced": sorted(["even=None/all old\n", "even=True/all 0\n2\n4\n", "even=False/all 1\n3\n5\n"]),
}
MARKED = {"rows": True, "columns": False, "replaced": True}


def visible(root: Path) -> dict[str, list[str]]:
    return {name: contents(root / name) for name in NOTHING}


def marked(root: Path) -> dict[str, bool]:
    return {name: (root / name / "_SUCCESS").exists() for name in NOTHING}


def check_at_any_time(root: Path) -> None:
    """A directory with a marker shows everything or nothing of the job."""
    shown = visible(root)
    for name, is_marked in marked(root).items():
        assert not is_marked or shown[name] in (NOTHING[name], ALL[name]), (name, shown)


def check_settled(root: Path) -> str:
    """All sinks show everything or all show nothing, and nothing else is left; return which."""
    shown = visible(root)
    hidden = [path for path in root.rglob("*") if path.name.startswith(".")]
    assert hidden == [], hidden
    if shown == ALL:
        assert all(marked(root).values()), marked(root)
        return "all"
    assert shown == NOTHING, shown
    assert marked(root) == MARKED, marked(root)
    directories = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir()}
    assert directories <= directories_before(), directories
    return "nothing"


def interrupted(action: Callable[[], object], root: Path, step: int, *, kill: bool) -> bool:
    """Do something in a forked process, which is killed before a step, or in which that step fails.

    Returns:
        Whether there was such a step.
    """
    child = os.fork()
    if not child:
        done = 0

        def at_each_step(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal done
            if event not in STEPS or (event == "open" and not str(arguments[0]).startswith(str(root))):
                return
            done += 1
            if done == step:
                if kill:
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError(5, f"injected into {event}{arguments}")

        sys.addaudithook(at_each_step)
        try:
            action()
        except SinkError as error:
            if kill or "injected" not in str(error):
                sys.excepthook(type(error), error, error.__traceback__)
                os._exit(2)
        os._exit(0 if done >= step else 1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) in (0, 1), f"step {step}"
    return os.WEXITSTATUS(status) == 0


def recover_from(root: Path, directory: str) -> None:
    for leftover in recover(str(root / directory)):
        assert leftover.outcome.is_settled, leftover.text


def recovered(root: Path, first: str) -> str:
    """Recover the job, check everything, and return whether all or nothing of it is visible."""
    check_at_any_time(root)
    began = visible(root) != NOTHING
    recover_from(root, first)
    assert visible(root) == ALL or (not began and visible(root) == NOTHING)
    # A job that has only just begun or is about to end may be known in one directory only.
    for other in visible(root):
        recover_from(root, other)
    outcome = check_settled(root)
    assert outcome == "all" or not began
    return outcome


def fresh(root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    prepare(root)


def killed(root: Path) -> Counter[str]:
    """Kill the job at every step, and recover it; return the number of times for each outcome."""
    outcomes: Counter[str] = Counter()
    for step in count(1):
        fresh(root)
        if not interrupted(lambda: run_job(root), root, step, kill=True):
            assert check_settled(root) == "all"
            return outcomes
        outcomes[recovered(root, "rows" if step % 2 else "columns")] += 1
    raise AssertionError


def failed(root: Path) -> Counter[str]:
    """Let every step of the job fail, and recover it if it could not clean up."""
    outcomes: Counter[str] = Counter()
    for step in count(1):
        fresh(root)
        if not interrupted(lambda: run_job(root), root, step, kill=False):
            return outcomes
        outcomes[recovered(root, "rows")] += 1
    raise AssertionError


def recovery_killed(root: Path, every: int) -> Counter[str]:
    """Kill the job at every n-th step, and its recovery at every step; then recover it."""
    outcomes: Counter[str] = Counter()
    for step in count(every, every):
        for inner in count(1):
            fresh(root)
            if not interrupted(lambda: run_job(root), root, step, kill=True):
                return outcomes
            if not interrupted(lambda: recover_from(root, "columns"), root, inner, kill=True):
                break
            outcomes[recovered(root, "rows")] += 1
    raise AssertionError


if __name__ == "__main__":
    place = Path(sys.argv[2])
    fresh(place)
    run_job(place)  # what is imported in functions is imported once
    recover_from(place, "rows")
    match sys.argv[1]:
        case "job":
            print(dict(killed(place)))
        case "failure":
            print(dict(failed(place)))
        case "recovery":
            print(dict(recovery_killed(place, every=int(sys.argv[3]))))
