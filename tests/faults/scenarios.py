"""Scenarios: what happens to a job in a run, drawn from the seed of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tests.faults.disturbances import SAVEPOINT_STEPS, STEPS, WORKER_STEPS, AtRecord, AtStep, Disturbance
from tests.faults.losses import Loss, draw_loss
from tests.faults.records import Record, draw
from tests.faults.watcher import SAVEPOINTS, AtFile

__all__ = ["KINDS", "LOST", "MOST_FILES", "Scenario", "draw_scenario"]

MOST_FILES = 24
"""Highest number of input files of a run, unless another is given."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A run.

    Attributes:
        seed: the seed that it was drawn from.
        kind: name of the kind of fault.
        program: ``windows`` or ``stages``.
        is_local: whether the job runs on the local host.
        files: the records of each input file.
        first_files: number of files that exist before the job starts.
        disturbances: what the processes of the job do to themselves.
        kills: numbers of records seen after which the driver and all its processes are killed.
        savepoint_after: number of records seen after which a savepoint is taken; 0 for none.
        full: directory whose disk becomes full in the middle: ``output``, ``checkpoints`` or ``scratch``.
        source_fault: ``missing``, ``damaged`` or ``grown``: what happens to an input file before it is read.
        bad_lines: ``skipped`` or ``to a side output``: what the program does with lines that are no records;
            empty if there are none.
        at_file: the file of the job at whose appearance all its processes are killed, or ``None``.
        truncated: pattern of the files in the job's directory of which the newest is truncated after a kill;
            empty for none.
        restarts: number of times that the job restarts within its process.
        loss: what happens to the directory of the job, or ``None``.
    """

    seed: int
    kind: str
    program: str
    is_local: bool
    files: tuple[tuple[Record, ...], ...]
    first_files: int
    disturbances: tuple[Disturbance, ...] = ()
    kills: tuple[int, ...] = ()
    savepoint_after: int = 0
    full: str = ""
    source_fault: str = ""
    bad_lines: str = ""
    at_file: AtFile | None = None
    truncated: str = ""
    restarts: int = 5
    loss: Loss | None = None

    @property
    def record_count(self) -> int:
        """The number of records in all files."""
        return sum(map(len, self.files))

    @property
    def kills_driver(self) -> bool:
        """Whether a disturbance kills the driver, which on the local host is also the worker."""
        return any(
            each.action == "kill both"
            or (each.action in ("kill worker", "kill") and (self.is_local or not _is_of_worker(each)))
            for each in self.disturbances
        )

    @property
    def restarts_in_process(self) -> bool:
        """Whether the job must survive in its process, by restarting itself."""
        ends_process = (
            self.kills
            or self.full
            or self.source_fault
            or self.at_file is not None
            or self.loss is not None
            or self.kills_driver
        )
        return not ends_process

    def describe(self) -> str:
        """Describe the run in a line."""
        facts = [f"seed {self.seed}", self.kind, self.program, "local" if self.is_local else "Spark"]
        facts += map(str, self.disturbances)
        if self.kills:
            facts.append(f"kills after {', '.join(map(str, self.kills))} of {self.record_count} records")
        if self.savepoint_after:
            facts.append(f"savepoint after {self.savepoint_after} records")
        if self.at_file is not None:
            facts.append(str(self.at_file))
        if self.bad_lines:
            facts.append(f"bad lines {self.bad_lines}")
        if self.loss is not None:
            facts.append(str(self.loss))
        facts += [each for each in (self.full, self.source_fault, self.truncated) if each]
        return "; ".join(facts)


def _is_of_worker(disturbance: Disturbance) -> bool:
    return isinstance(disturbance, AtRecord) or disturbance.step in WORKER_STEPS


_SAVEPOINT = "a savepoint is completed"
_Fault = dict[str, object]


def _undisturbed(random: Random, count: int, is_local: bool) -> _Fault:
    return {}


def _driver_killed(random: Random, count: int, is_local: bool) -> _Fault:
    times = random.randint(1, 3)
    return {"kills": tuple(sorted(random.sample(range(1, count + 1), times)))}


def _at_record(action: str) -> Callable[[Random, int, bool], _Fault]:
    def fault(random: Random, count: int, is_local: bool) -> _Fault:
        place = random.choice(("source", "keyed"))
        return {"disturbances": (AtRecord(random.randrange(count), place, action),)}

    return fault


def _exceptions(random: Random, count: int, is_local: bool) -> _Fault:
    every = random.randint(count // 4, count // 2)
    numbers = range(random.randrange(every), count, every)
    places = ("source", "keyed")
    return {"disturbances": tuple(AtRecord(number, random.choice(places), "raise") for number in numbers)}


def _at_step(action: str) -> Callable[[Random, int, bool], _Fault]:
    def fault(random: Random, count: int, is_local: bool) -> _Fault:
        step = random.choice(sorted(STEPS))
        is_after = random.random() < 0.5
        if step not in SAVEPOINT_STEPS:
            return {"disturbances": (AtStep(step, is_after, random.randint(1, 3), action),)}
        after = random.choice((0, random.randrange(1, count // 2)))  # 0: the one at the end
        return {"disturbances": (AtStep(step, is_after, 1, action),), "savepoint_after": after}

    return fault


def _during_savepoint(random: Random, count: int, is_local: bool) -> _Fault:
    after = random.randrange(1, count // 2)
    killed = AtStep(_SAVEPOINT, random.random() < 0.5, 1, "kill")
    return {"savepoint_after": after, "disturbances": (killed,)}


def _full_disk(random: Random, count: int, is_local: bool) -> _Fault:
    places = ("output", "checkpoints") if is_local else ("output", "checkpoints", "scratch")
    return {"full": random.choice(places)}


def _missing(random: Random, count: int, is_local: bool) -> _Fault:
    hidden = AtStep("the epoch is logged", True, random.randint(1, 2), "hide input")
    return {"disturbances": (hidden,), "source_fault": "missing", "restarts": 1}


def _grown(random: Random, count: int, is_local: bool) -> _Fault:
    grown = AtStep("the epoch is logged", True, random.randint(1, 2), "grow input")
    return {"disturbances": (grown,), "source_fault": "grown", "restarts": 1}


def _damaged(random: Random, count: int, is_local: bool) -> _Fault:
    return {"source_fault": "damaged", "restarts": 1}


def _bad_lines(random: Random, count: int, is_local: bool) -> _Fault:
    kills = (random.randrange(1, count),) if random.random() < 0.5 else ()
    return {"bad_lines": random.choice(("skipped", "to a side output")), "kills": kills}


def _at_file(random: Random, count: int, is_local: bool) -> _Fault:
    below = random.choice(("epochs", "sinks", *(("local",) if is_local else _SPARK_FILES)))
    number = random.randint(1, 40 if below == "spark/state" else 10)
    return {"at_file": AtFile(below, number, random.choice((0, 0, 1, 5, 20, 60)))}


def _at_savepoint_file(random: Random, count: int, is_local: bool) -> _Fault:
    at_file = AtFile(SAVEPOINTS, random.randint(1, 6), random.choice((0, 1, 5)))
    return {"at_file": at_file, "savepoint_after": random.randrange(1, count // 2)}


def _truncated(random: Random, count: int, is_local: bool) -> _Fault:
    own = random.choice(_LOCAL_PATTERNS if is_local else _SPARK_PATTERNS)
    pattern = random.choice(("epochs/*.epoch", "epochs/*.positions", "sinks/*.commit", "job.json", own, own))
    return {"kills": (random.randrange(count // 4, count * 3 // 4),), "truncated": pattern}


_LOCAL_PATTERNS = ("local/*.changes", "local/*.state", "local/*.state")
_SPARK_FILES = ("spark/commits", "spark/offsets", "spark/state")
_SPARK_PATTERNS = (
    "spark/metadata",
    "spark/commits/*",
    "spark/offsets/*",
    "spark/state/**/*.changelog",
    "spark/state/**/schema/*",
)

KINDS: dict[str, Callable[[Random, int, bool], _Fault]] = {
    "undisturbed": _undisturbed,
    "driver killed": _driver_killed,
    "worker killed": _at_record("kill worker"),
    "worker and driver killed": _at_record("kill both"),
    "killed at a step": _at_step("kill"),
    "exceptions": _exceptions,
    "error at a step": _at_step("raise"),
    "no space at a step": _at_step("no space"),
    "killed around a savepoint": _during_savepoint,
    "full disk": _full_disk,
    "missing file": _missing,
    "grown file": _grown,
    "damaged file": _damaged,
    "bad lines": _bad_lines,
    "killed at a file": _at_file,
    "killed at a file of a savepoint": _at_savepoint_file,
    "truncated checkpoint": _truncated,
}
"""The kinds of faults; consecutive seeds have consecutive kinds."""


def _lost(random: Random, count: int, is_local: bool) -> _Fault:
    loss = draw_loss(random, count, is_local=is_local)
    error = AtRecord(min(loss.after + 20, count - 1), random.choice(("source", "keyed")), "raise")
    return {"loss": loss, "disturbances": (error,) if loss.then == "error" else ()}


LOST = "lost directory"
"""The kind of fault in which a job loses its directory, or a part of it."""


def draw_scenario(
    seed: int,
    hosts: Sequence[str] = ("local", "spark"),
    most_files: int = MOST_FILES,
    *,
    is_lost: bool = False,
) -> Scenario:
    """Return the scenario of a seed.

    Args:
        seed: the seed.
        hosts: the hosts to draw from.
        most_files: highest number of input files.
        is_lost: whether the job loses its directory; the seed decides about the kind of fault otherwise.
    """
    random = Random(seed)
    kind = LOST if is_lost else list(KINDS)[seed % len(KINDS)]
    fault = _lost if is_lost else KINDS[kind]
    is_local = random.choice(list(hosts)) == "local"
    files = draw(random, random.randint(most_files * 5 // 12, most_files))
    count = sum(map(len, files))
    return Scenario(
        seed=seed,
        kind=kind,
        program=random.choice(("windows", "stages")),
        is_local=is_local,
        files=tuple(map(tuple, files)),
        first_files=1 if is_lost else random.randint(1, len(files) // 2),
        **fault(random, count, is_local),  # type: ignore[arg-type]
    )
