"""ConnectorRun: feeds a job with connectors, disturbs it and its servers, and compares its results."""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from tests.faults.connectors.feeder import DirectoryFeeder, Feeder, TopicFeeder
from tests.faults.connectors.group import Intruder
from tests.faults.connectors.outages import Outages
from tests.faults.connectors.request import ConnectorRequest
from tests.faults.connectors.results import difference, doubled, out_of_order, windows
from tests.faults.connectors.scenarios import ConnectorScenario
from tests.faults.connectors.servers import Servers
from tests.faults.harness import NO_STATE, FaultError, LosingRun, failure
from tests.faults.losses import DirectoryLoss
from tests.faults.process import Program
from tests.faults.seen import SeenRecords
from tests.servers.kafka import Broker
from tests.servers.postgresql import PostgresqlServer

__all__ = ["ConnectorRun"]

_SCRIPT = str(Path(__file__).with_name("programs.py"))
_SECONDS = 240.0
_MOST_STARTS = 12
_FEED_INTERVAL = 0.3
_PARTITIONS_OF_OUTPUT = 2


class ConnectorRun(LosingRun):
    """One run of a scenario.

    Args:
        scenario: the scenario.
        directory: an empty directory.
        servers: the servers.

    Attributes:
        starts: number of processes of the job.
        happened: what disturbed it.
        missed: what was to disturb it, but did not; empty if all of it did.
        duplicates: number of results that were written more than once, which is allowed.
    """

    def __init__(self, scenario: ConnectorScenario, directory: Path, servers: Servers) -> None:
        self._scenario = scenario
        self._directory = directory
        self._servers = servers
        self._control, self._checkpoints, self._scratch, self._input = (
            directory / name for name in ("control", "checkpoints", "scratch", "input")
        )
        self._seen = SeenRecords(self._control)
        self._events = list(scenario.events)
        self._marks: set[str] = set()
        self._paused_at: float | None = None
        self._has_state = False
        self._has_failed = False
        loss = scenario.loss
        self._loss = DirectoryLoss(loss, self._checkpoints, directory / "aside") if loss else None
        self.starts = 0
        self.happened: list[str] = []
        self.missed: list[str] = []
        self.duplicates = 0

    def run(self) -> None:
        """Run the job to its end.

        Raises:
            FaultError: it lost or doubled results, failed without a cause, or hung.
            MissingProgramError: a server is not installed.
        """
        scenario = self._scenario
        for each in (self._control, self._checkpoints, self._scratch, self._input):
            each.mkdir()
        with ExitStack() as stack:
            broker, disk = stack.enter_context(self._servers.broker(is_small=scenario.is_full))
            processes = {"broker": broker.process}
            database = self._servers.database if scenario.program == "windows" else None
            if database is not None:
                processes["database"] = database.process
            self._outages = Outages(processes, disk, self._control)
            stack.callback(self._outages.end)
            self._prepare(broker, database)
            stack.callback(self._intruder.end)
            self._run_job()
            self.happened += self._outages.end()
            self._feeder.close()
            self._compare(broker, database)
        self.missed += [each.name for each in scenario.disturbances if each.name not in self._marks]
        self.missed += [str(event) for event in self._events]
        if self._loss is not None and not self._loss.has_happened:
            self.missed.append("its directory was not lost")

    def _prepare(self, broker: Broker, database: PostgresqlServer | None) -> None:
        """Create topics and the table, and what feeds and disturbs them."""
        scenario = self._scenario
        self._topic = broker.create_topic(partitions=scenario.partitions)
        self._output = broker.create_topic(partitions=_PARTITIONS_OF_OUTPUT)
        bad = broker.create_topic()
        if database is not None:
            self._output = self._output.replace("-", "_")
            with database.connect() as connection:
                connection.execute(
                    f"CREATE TABLE {self._output} (name text, start bigint, count bigint, total bigint, "
                    "PRIMARY KEY (name, start))"
                )
        is_file = scenario.program == "files"
        self._request = ConnectorRequest(
            program=scenario.program,
            guarantee=scenario.guarantee,
            servers=broker.servers,
            input=str(self._input) if is_file else self._topic,
            output=self._output,
            bad=bad,
            malformed="fail" if scenario.malformed == "by mistake" else scenario.malformed,
            database="" if database is None else database.url,
            control=str(self._control),
            savepoints=str(self._directory / "savepoints"),
            properties=scenario.properties,
            disturbances=scenario.disturbances,
        )
        topic_feeder = TopicFeeder(scenario, broker.servers, self._topic)
        self._feeder: Feeder = DirectoryFeeder(scenario, self._input) if is_file else topic_feeder
        self._topic_feeder = topic_feeder
        self._intruder = Intruder(broker.servers, self._topic, scenario.partitions)
        self._broker = broker

    def _run_job(self) -> None:
        for _ in range(self._scenario.first_files):
            self._feeder.drop_next()
        if self._events and self._events[0].after == 0:
            self._feeder.close()
            self._outages.begin(self._events[0])
            self.happened.append(f"{self._events.pop(0).action} before the start")
        while True:
            program = self._program()
            self.starts += 1
            was_killed = self._attend(program)
            if program.is_late:
                raise failure(f"the job hung for {_SECONDS:.0f} s", program.output())
            new = self._disturbed_itself()
            if program.poll() == 0:
                return
            if not self._has_missed_directory(program.output(), was_killed=was_killed):
                self._check_end(program.output(), new, was_killed=was_killed)
            if self.starts == _MOST_STARTS:
                raise failure(f"the job did not end after {_MOST_STARTS} starts", program.output())

    def _program(self) -> Program:
        restarts = 1 if self._request.malformed == "fail" else 5
        settings = {
            "execution.checkpointing.dir": str(self._checkpoints),
            "restart-strategy.type": "fixed-delay",
            "restart-strategy.fixed-delay.attempts": str(restarts),
            "restart-strategy.fixed-delay.delay": "100 ms",
            "spark.local.dir": str(self._scratch),
        }
        options = [f"-D{key}={value}" for key, value in settings.items()]
        options += ["--local"] if self._scenario.is_local else []
        options += ["--resume"] if self._has_state else []
        return Program(
            [*options, _SCRIPT, self._request.text()],
            {"TMPDIR": str(self._scratch), "SPARK_MASTER": "local[2]"},
            self._directory / f"log-{self.starts + 1}",
            _SECONDS,
        )

    def _attend(self, program: Program) -> bool:
        """Feed and disturb a process until it has ended; return whether it was killed."""
        next_batch = 0.0
        started_at = self._seen.count()
        try:
            while program.poll() is None:
                self.happened += self._outages.serve()
                self._intruder.serve()
                self._feeder.serve()
                self._continue(program)
                now, seen = time.monotonic(), self._seen.count()
                if (seen or not self._feeder.records) and now >= next_batch:
                    self._feeder.drop_next()
                    next_batch = now + _FEED_INTERVAL
                if self._disturb(program, seen, started_at) or self._lose(program, seen):
                    return True
                is_lost = self._loss is None or self._loss.has_happened
                if seen == self._scenario.record_count and not self._events and is_lost:
                    (self._control / "drain").touch()
                time.sleep(0.05)
        finally:
            program.kill()  # what is left of the session
        return False

    def _disturb(self, program: Program, seen: int, started_at: int) -> bool:
        """Do what is due; return whether the job was killed."""
        while self._events and self._events[0].after <= seen:
            event = self._events[0]
            if event.action == "kill job" and seen == started_at and seen < self._scenario.record_count:
                return False  # it would be killed before it does anything
            self._events.pop(0)
            self.happened.append(f"{event.action} after {seen} records")
            match event.action:
                case "kill job":
                    program.kill()
                    return True
                case "add partitions":
                    total = 2 * self._scenario.partitions
                    self._broker.add_partitions(self._topic, total)
                    self._topic_feeder.grow(total)
                case "move group" | "join group":
                    self._intruder.begin(event)
                case _:
                    self._outages.begin(event)
        return False

    def _continue(self, program: Program) -> None:
        """Let a process that has paused continue when its time is over."""
        if not self._scenario.pause:
            return
        if self._paused_at is None:
            if any((self._control / each.name).exists() for each in self._scenario.disturbances):
                self._paused_at = time.monotonic()
        elif time.monotonic() >= self._paused_at + self._scenario.pause:
            program.resume()

    def _disturbed_itself(self) -> list[str]:
        """Return the disturbances from within the job that have happened since the last call."""
        marks = {path.name for pattern in ("record-*", "step-*") for path in self._control.glob(pattern)}
        new = sorted(marks - self._marks)
        self._marks |= marks
        self.happened += new
        return new

    def _check_end(self, output: str, new: list[str], *, was_killed: bool) -> None:
        """Check that the end of a process has a cause, and that its message names it.

        Raises:
            FaultError: it has none, or the message does not name it.
        """
        scenario = self._scenario
        if self._has_state and NO_STATE in output:
            self._has_state = False
            self.happened.append("nothing to resume from")
            return
        is_at_start = bool(scenario.events) and scenario.events[0].after == 0
        self._has_state = True
        if was_killed or (new and scenario.kills_driver):
            return
        if self._request.malformed == "fail":
            place = re.search(rf"record \d+ of partition {self._topic}-\d+", output)
            if place is None:
                raise failure("no message names the place of a malformed record", output)
            self._request = replace(self._request, malformed="skipped")
            self.happened.append(f"the job failed because of {place[0]}")
        elif is_at_start and not self._seen.count():
            address = self._request.servers
            if address not in output and "cannot write to" not in output:
                raise failure(f"no message names {address}", output)
            self.happened.append("the job failed, naming the server")
        else:
            raise failure("the job failed without a cause", output)

    def _compare(self, broker: Broker, database: PostgresqlServer | None) -> None:
        """Compare the results, and count the duplicates.

        Raises:
            FaultError: they differ.
        """
        scenario = self._scenario
        if database is None:
            lines = broker.values(self._output)
            wanted, found = doubled(scenario.files), Counter(lines)
            is_ordered = scenario.program == "map" and "add partitions" not in str(scenario.events)
            if is_ordered and (line := out_of_order(lines)):
                raise FaultError(f"{line!r} comes after a later record of the same user")
            self.duplicates = (found - wanted).total()
        else:
            with database.connect() as connection:
                rows = connection.execute(f"SELECT * FROM {self._output}").fetchall()
            wanted, found = windows(scenario.files), Counter(",".join(map(str, row)) for row in rows)
        if differing := difference(wanted, found, may_double=scenario.counts_duplicates):
            raise FaultError(differing)
        if scenario.malformed == "to a side output":
            places = Counter(broker.values(self._request.bad))
            if scenario.guarantee == "at-least-once":
                self.duplicates += (places - Counter(set(places))).total()
                places = Counter(set(places))
            bad = Counter(line.split(",")[2] for line in places.elements())
            if differing := difference(self._topic_feeder.bad, bad, may_double=False):
                raise FaultError(f"malformed records: {differing}")
        elif scenario.malformed:
            logs = [log.read_text(errors="replace") for log in self._directory.glob("log-*")]
            if not any("cannot be deserialized" in log for log in logs):
                raise FaultError("no message names a malformed record that was skipped")
        self.happened += [f"{self._topic_feeder.bad.total()} malformed records"] if scenario.malformed else []
        with suppress(KeyError):
            broker.admin.delete_topics([self._topic])[self._topic].result(30)
