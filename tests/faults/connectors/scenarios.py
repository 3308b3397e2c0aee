"""Scenarios of jobs with connectors: what happens to a job and its servers, drawn from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.faults.disturbances import AtRecord, AtStep, Disturbance
from tests.faults.losses import Loss, draw_loss
from tests.faults.records import Record, draw
from tests.faults.scenarios import LOST

__all__ = ["KINDS", "MOST_AWAY", "MOST_FILES", "ConnectorScenario", "Event", "draw_scenario"]

MOST_FILES = 14
"""Highest number of batches of records of a run."""

MOST_AWAY = 60.0
"""Longest time in seconds for which a server is away, unless another is given."""

_SPARK_SHARE = 0.15
_TRANSACTION_MILLIS = 2_000


@dataclass(frozen=True, slots=True)
class Event:
    """What the harness does to a job or a server.

    Attributes:
        action: ``kill job``; ``kill``, ``pause`` or ``fill`` with the name of a server; ``add partitions``,
            ``move group`` or ``join group``.
        after: number of records seen after which it happens; 0 for before the job starts.
        seconds: time after which it is undone.
    """

    action: str
    after: int
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ConnectorScenario:
    """A run.

    Attributes:
        seed: the seed that it was drawn from.
        kind: name of the kind of fault.
        program: ``windows``: Kafka, event-time windows by key, PostgreSQL; ``map``: Kafka to Kafka;
            ``files``: files to Kafka.
        guarantee: ``exactly-once`` or ``at-least-once``, that of Kafka as a sink.
        is_local: whether the job runs on the local host.
        files: the records of each batch of the input.
        first_files: number of batches that exist before the job starts.
        partitions: number of partitions of the input.
        disturbances: what the processes of the job do to themselves.
        events: what is done to them, and to the servers, in order.
        malformed: ``skipped``, ``to a side output`` or ``by mistake``: the treatment of malformed records;
            empty if there are none. ``by mistake`` fails the job, which is resumed as a program that skips.
        properties: additional properties of Kafka's clients.
        pause: for how long a process pauses that a disturbance pauses, in seconds.
        loss: what happens to the directory of the job, or ``None``.
    """

    seed: int
    kind: str
    program: str
    guarantee: str
    is_local: bool
    files: tuple[tuple[Record, ...], ...]
    first_files: int
    partitions: int
    disturbances: tuple[Disturbance, ...] = ()
    events: tuple[Event, ...] = ()
    malformed: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0
    loss: Loss | None = None

    @property
    def record_count(self) -> int:
        """The number of records in all batches."""
        return sum(map(len, self.files))

    @property
    def is_full(self) -> bool:
        """Whether the disk of the broker becomes full."""
        return any(event.action == "fill broker" for event in self.events)

    @property
    def counts_duplicates(self) -> bool:
        """Whether results may be written more than once."""
        return self.program != "windows" and self.guarantee == "at-least-once"

    @property
    def kills_driver(self) -> bool:
        """Whether a disturbance kills the driver, which on the local host is also the worker."""
        return any(
            each.action == "kill both"
            or (each.action in ("kill worker", "kill", "deliver and kill") and self._is_of_driver(each))
            for each in self.disturbances
        )

    def _is_of_driver(self, each: Disturbance) -> bool:
        if self.is_local:
            return True
        if isinstance(each, AtRecord):
            return False
        of_workers = {"records are staged", "records are delivered", "rows are executed", "rows are flushed"}
        if self.guarantee == "at-least-once":
            of_workers.add("a record is produced")
        return each.step not in of_workers

    def describe(self) -> str:
        """Describe the run in a line."""
        guarantee = "upsert" if self.program == "windows" else self.guarantee
        facts = [f"seed {self.seed}", self.kind, f"{self.program} {guarantee}"]
        facts += ["local" if self.is_local else "Spark", f"{self.record_count} records"]
        facts += map(str, (*self.disturbances, *self.events))
        if self.loss is not None:
            facts.append(str(self.loss))
        if self.malformed:
            facts.append(f"malformed records {self.malformed}")
        return "; ".join(facts)


_Fault = dict[str, Any]
_Draw = Callable[[Random, int, str, str, float], _Fault]
"""Draws a fault, given the number of records, the program, the guarantee and the longest time away."""

_WRITING = {
    "windows": ("rows are executed", "rows are flushed"),
    "exactly-once": (
        "a record is produced",
        "records are staged",
        "a transaction is begun",
        "a transaction is written",
    ),
    "at-least-once": ("a record is produced", "records are delivered"),
}
_READING = ("offsets are polled", "offsets are committed", "partitions are looked for")
_COMMON = ("the epoch is logged", "the epoch has run", "all commits are prepared", "all sinks are committed")


def _undisturbed(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    return {}


def _times(random: Random, count: int, most: int) -> list[int]:
    return sorted(random.sample(range(1, count), random.randint(1, most)))


def _job_killed(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    return {"events": tuple(Event("kill job", at) for at in _times(random, count, 3))}


def _at_record(action: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        place = random.choice(("source", "keyed")) if program == "windows" else "source"
        return {"disturbances": (AtRecord(random.randrange(count), place, action),)}

    return fault


def _step(random: Random, program: str, guarantee: str) -> str:
    writing = _WRITING["windows" if program == "windows" else guarantee]
    reading: tuple[str, ...] = () if program == "files" else _READING
    return random.choice([*writing, *writing, *reading, *_COMMON])


def _at_step(action: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        step = _step(random, program, guarantee)
        delivers = action == "kill" and step == "a record is produced"
        at = random.randint(1, count // 3 if step == "a record is produced" else 4)
        taken = f"deliver and {action}" if delivers else action
        return {"disturbances": (AtStep(step, delivers or random.random() < 0.5, at, taken),)}

    return fault


def _server_at_step(server: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        step = _step(random, program, guarantee)
        at = random.randint(1, count // 3 if step == "a record is produced" else 4)
        return {"disturbances": (AtStep(step, random.random() < 0.5, at, f"kill {server}"),)}

    return fault


def _killed(server: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        times = _times(random, count, 2)
        return {"events": tuple(Event(f"kill {server}", at, random.choice((0.0, 1.0))) for at in times)}

    return fault


def _both_killed(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    server = "database" if program == "windows" and random.random() < 0.5 else "broker"
    at = random.randrange(1, count)
    return {"events": (Event(f"kill {server}", at, 2.0), Event("kill job", at))}


def _away(server: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        seconds = random.uniform(away / 3, away)
        return {"events": (Event(f"kill {server}", random.randrange(1, count), seconds),)}

    return fault


def _away_at_start(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    server = "database" if program == "windows" and random.random() < 0.3 else "broker"
    return {"events": (Event(f"kill {server}", 0, random.uniform(away / 6, away / 2)),)}


def _paused(server: str) -> _Draw:
    def fault(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
        seconds = random.uniform(away / 12, away / 2)
        return {"events": (Event(f"pause {server}", random.randrange(1, count), seconds),)}

    return fault


def _more_partitions(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    added = Event("add partitions", random.randrange(1, count * 2 // 3))
    kills = [Event("kill job", random.randrange(added.after, count))] if random.random() < 0.5 else []
    return {"events": (added, *kills)}


def _malformed(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    kills = (Event("kill job", random.randrange(1, count)),) if random.random() < 0.3 else ()
    malformed = random.choice(("skipped", "to a side output", "by mistake"))
    return {"malformed": malformed, "events": () if malformed == "by mistake" else kills}


def _full_disk(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    return {"events": (Event("fill broker", random.randrange(1, count * 2 // 3), min(5.0, away / 2)),)}


def _group(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    action = random.choice(("move group", "join group"))
    at = random.randrange(1, count)
    kill = Event("kill job", random.randrange(at, count))
    return {"events": (Event(action, at, random.uniform(2.0, 10.0)), kill)}


def _late_transaction(random: Random, count: int, program: str, guarantee: str, away: float) -> _Fault:
    step, is_after, action = random.choice(
        (
            ("a record is produced", True, "deliver and pause"),
            ("a record is produced", True, "deliver and pause"),
            ("a transaction is begun", False, "pause"),
            ("a transaction is written", False, "pause"),
        )
    )
    at = random.randint(1, count // 3 if action.startswith("deliver") else 3)
    return {
        "guarantee": "exactly-once",
        "disturbances": (AtStep(step, is_after, at, action),),
        "properties": {"transaction.timeout.ms": str(_TRANSACTION_MILLIS)},
        "pause": random.uniform(2.5, 6.0),
    }


_ALL = ("windows", "map", "map", "files")
_OF_KAFKA = ("map", "map", "files")
_FROM_KAFKA = ("windows", "map")

KINDS: dict[str, tuple[Sequence[str], _Draw]] = {
    "undisturbed": (_ALL, _undisturbed),
    "job killed": (_ALL, _job_killed),
    "worker killed": (_ALL, _at_record("kill worker")),
    "worker and driver killed": (_ALL, _at_record("kill both")),
    "killed at a step": (_ALL, _at_step("kill")),
    "killed at a step of Kafka": (_OF_KAFKA, _at_step("kill")),
    "error at a step": (_ALL, _at_step("raise")),
    "broker killed": (_ALL, _killed("broker")),
    "broker killed at a step": (_OF_KAFKA, _server_at_step("broker")),
    "database killed": (("windows",), _killed("database")),
    "database killed at a step": (("windows",), _server_at_step("database")),
    "server and job killed": (_ALL, _both_killed),
    "broker away": (_ALL, _away("broker")),
    "database away": (("windows",), _away("database")),
    "away at the start": (_ALL, _away_at_start),
    "broker paused": (_ALL, _paused("broker")),
    "database paused": (("windows",), _paused("database")),
    "more partitions": (_FROM_KAFKA, _more_partitions),
    "malformed records": (_FROM_KAFKA, _malformed),
    "full disk at the broker": (_ALL, _full_disk),
    "disturbed group": (_FROM_KAFKA, _group),
    "late transaction": (_OF_KAFKA, _late_transaction),
}
"""The programs and the drawing of each kind of fault; consecutive seeds have consecutive kinds."""


def _lost(random: Random, count: int, *, is_local: bool) -> _Fault:
    loss = draw_loss(random, count, is_local=is_local)
    error = AtRecord(min(loss.after + 20, count - 1), "source", "raise")
    return {
        "guarantee": "exactly-once",
        "loss": loss,
        "disturbances": (error,) if loss.then == "error" else (),
    }


def draw_scenario(
    seed: int,
    host: str | None = None,
    most_files: int = MOST_FILES,
    most_away: float = MOST_AWAY,
    *,
    is_lost: bool = False,
) -> ConnectorScenario:
    """Return the scenario of a seed.

    Args:
        seed: the seed.
        host: ``local`` or ``spark``; drawn, mostly local, if not given.
        most_files: highest number of batches of records.
        most_away: longest time in seconds for which a server is away.
        is_lost: whether the job loses its directory; the seed decides about the kind of fault otherwise.
    """
    random = Random(f"connectors {seed}")
    kind = list(KINDS)[seed % len(KINDS)]
    programs, fault = KINDS[kind]
    if is_lost:
        kind, programs = LOST, _OF_KAFKA
    is_local = random.random() >= _SPARK_SHARE
    program = random.choice(programs)
    guarantee = random.choice(("exactly-once", "at-least-once"))
    files = draw(random, random.randint(most_files // 2, most_files))
    count = sum(map(len, files))
    drawn: _Fault = {
        "program": program,
        "guarantee": guarantee,
        "first_files": 1 if is_lost else random.randint(1, len(files) // 2),
        "partitions": random.randint(1, 4),
    }
    is_local = is_local if host is None else host == "local"
    if is_lost:
        drawn |= _lost(random, count, is_local=is_local)
    else:
        drawn |= fault(random, count, program, guarantee, most_away)
    return ConnectorScenario(
        seed=seed,
        kind=kind,
        is_local=is_local,
        files=tuple(map(tuple, files)),
        **drawn,
    )
