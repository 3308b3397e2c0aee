"""Run: feeds a job, disturbs it, resumes it until it has read everything, and compares its results."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from tests.faults.disks import Disk, mounted
from tests.faults.feeder import Feeder
from tests.faults.losses import DirectoryLoss, LossError
from tests.faults.process import Program
from tests.faults.records import bad_lines, expected
from tests.faults.request import Request
from tests.faults.results import difference
from tests.faults.scenarios import Scenario
from tests.faults.seen import SeenRecords
from tests.faults.truncation import Truncation, TruncationError
from tests.faults.watcher import SAVEPOINTS, AtFile, Watcher

__all__ = ["NO_STATE", "FaultError", "LosingRun", "Run", "failure"]

_SCRIPT = str(Path(__file__).with_name("programs.py"))
_SECONDS = 240.0
_MOST_STARTS = 12
_DISK_MEGABYTES = 64
_SECONDS_FULL = 5.0
_FEED_INTERVAL = 0.3
_MOST_OUTPUT = 3_000
NO_STATE = "is started without --resume"
"""The advice to resume a job that was killed before its first epoch started."""
_NO_SPACE = "No space left on device"


class FaultError(Exception):
    """The job did not survive a scenario as it should."""


class LosingRun:
    """A run whose job may lose its directory."""

    _loss: DirectoryLoss | None
    _has_state: bool
    happened: list[str]

    def _lose(self, program: Program, seen: int) -> bool:
        """Take the directory of the job away when it is time; return whether the job was killed, too."""
        lost = self._loss.serve(seen) if self._loss else ""
        if lost:
            self.happened.append(lost)
        is_killed = bool(lost) and self._loss is not None and self._loss.loss.then == "kill"
        if is_killed:
            program.kill()
        return is_killed

    def _has_missed_directory(self, output: str, *, was_killed: bool) -> bool:
        """Return whether a process ended for want of its directory; put that back the second time."""
        if self._loss is None or not self._loss.is_pending:
            return False
        try:
            self.happened += self._loss.follow(output, was_killed=was_killed)
        except LossError as error:
            raise failure(str(error), output) from error
        self._has_state = True
        return True


class Run(LosingRun):
    """One run of a scenario.

    Args:
        scenario: the scenario.
        directory: an empty directory.

    Attributes:
        starts: number of processes of the job.
        happened: what disturbed it.
        missed: what was to disturb it, but did not; empty if all of it did.
    """

    def __init__(self, scenario: Scenario, directory: Path) -> None:
        self._scenario = scenario
        self._directory = directory
        self._output, self._checkpoints, self._control, self._scratch, self._originals = (
            directory / name for name in ("output", "checkpoints", "control", "scratch", "originals")
        )
        self._request = Request(
            program=scenario.program,
            input=str(directory / "input"),
            output=str(self._output),
            control=str(self._control),
            savepoints=str(directory / "savepoints"),
            disturbances=scenario.disturbances,
            bad_lines=scenario.bad_lines,
        )
        self._feeder = Feeder(scenario, directory / "input", self._originals)
        self._seen = SeenRecords(self._control)
        self._kills = list(scenario.kills)
        self._marks: set[str] = set()
        self._has_asked = False
        self._has_state = False
        self._full_since: float | None = None
        self._at_file = scenario.at_file
        self._truncation = Truncation(scenario.truncated, self._checkpoints) if scenario.truncated else None
        self._has_repaired = False
        loss = scenario.loss
        self._loss = DirectoryLoss(loss, self._checkpoints, directory / "aside") if loss else None
        self.starts = 0
        self.happened: list[str] = []
        self.missed: list[str] = []

    def run(self) -> None:
        """Run the job to its end.

        Raises:
            FaultError: it lost or doubled results, failed without a cause, or hung.
        """
        for name in ("input", "output", "checkpoints", "control", "scratch", "originals"):
            (self._directory / name).mkdir()
        with ExitStack() as stack:
            disk = None
            if self._scenario.full:
                disk = stack.enter_context(mounted(self._directory / self._scenario.full, _DISK_MEGABYTES))
            while True:
                program, was_killed = self._start(disk)
                new = self._disturbed_itself()
                self._follow_truncation(program, was_killed=was_killed)
                if program.poll() == 0:
                    break
                if self._has_missed_directory(program.output(), was_killed=was_killed):
                    continue
                self._repair(program.output(), disk, new, was_killed=was_killed)
                if self.starts == _MOST_STARTS:
                    raise failure(f"the job did not end after {_MOST_STARTS} starts", program.output())
            differing = difference(self._output, self._expected())
        if differing:
            raise FaultError(differing)
        if self.starts > 1 and self._scenario.restarts_in_process:
            raise FaultError(f"the process ended {self.starts - 1} times; the job was to restart in it")
        if self._scenario.bad_lines:
            self.happened.append(f"{bad_lines(self._scenario.files).total()} bad lines")
        self.missed += self._missed()

    def _expected(self) -> dict[str, Counter[str]]:
        """Return the lines that each sink must hold."""
        lines = expected(self._scenario.program, self._scenario.files)
        if self._scenario.bad_lines == "to a side output":
            lines["bad"] = bad_lines(self._scenario.files)
        return lines

    def _start(self, disk: Disk | None) -> tuple[Program, bool]:
        """Run one process of the job to its end; return it, and whether it was killed."""
        program = self._program()
        self.starts += 1
        with ExitStack() as stack:
            watcher = None
            if self._at_file is not None:
                watcher = stack.enter_context(self._watcher(self._at_file, program))
            was_killed = self._attend(program, disk)
        if watcher is not None and watcher.appeared and program.poll() != 0:
            self._at_file = None
            self.happened.append(f"killed at {watcher.appeared}")
            was_killed = True
        if program.is_late:
            raise failure(f"the job hung for {_SECONDS:.0f} s", program.output())
        return program, was_killed

    def _watcher(self, at: AtFile, program: Program) -> Watcher:
        job = self._checkpoints / f"faults-{self._scenario.program}"
        directory = self._directory / SAVEPOINTS if at.below == SAVEPOINTS else job / at.below
        return Watcher(directory, at, program.kill)

    def _attend(self, program: Program, disk: Disk | None) -> bool:
        """Feed and disturb a process until it has ended; return whether it was killed."""
        next_file = 0.0
        started_at = self._seen.count()
        try:
            while program.poll() is None:
                now = time.monotonic()
                seen = self._seen.count()
                while self._kills and self._kills[0] <= started_at:
                    del self._kills[0]  # it would be killed before it does anything
                may_kill = self._may_kill(seen)
                is_ahead = may_kill and self._feeder.records >= self._kills[0]
                if self._feeder.is_due and not is_ahead:
                    self._feeder.drop_next()
                    continue
                if (seen or not self._feeder.records) and now >= next_file and not is_ahead:
                    self._feeder.drop_next()
                    next_file = now + _FEED_INTERVAL
                if may_kill and seen >= self._kills[0]:
                    del self._kills[0]
                    program.kill()
                    self.happened.append(f"killed after {seen} records")
                    return True
                if self._lose(program, seen):
                    return True
                self._ask(seen)
                if disk is not None:
                    self._fill(disk, seen, now)
                time.sleep(0.05)
        finally:
            program.kill()  # what is left of the session
        return False

    def _program(self) -> Program:
        settings = {
            "execution.checkpointing.dir": str(self._checkpoints),
            "restart-strategy.type": "fixed-delay",
            "restart-strategy.fixed-delay.attempts": str(self._scenario.restarts),
            "restart-strategy.fixed-delay.delay": "100 ms",
            "spark.local.dir": str(self._scratch),
        }
        options = [f"-D{key}={value}" for key, value in settings.items()]
        options += ["--local"] if self._scenario.is_local else []
        options += ["--resume"] if self._has_state else []
        return Program(
            [*options, _SCRIPT, self._request.text()],
            {"TMPDIR": str(self._scratch), "SPARK_MASTER": "local[2]"},
            self._directory / f"log-{self.starts}",
            _SECONDS,
        )

    def _may_kill(self, seen: int) -> bool:
        """Return whether a kill is to come, not earlier than there is a file to truncate."""
        if not self._kills:
            return False
        is_fed = self._feeder.is_done and seen == self._scenario.record_count
        return self._truncation is None or self._truncation.is_possible or is_fed

    def _ask(self, seen: int) -> None:
        """Ask the program for a savepoint, or to stop, when it is time."""
        after = self._scenario.savepoint_after
        if after and seen >= after and not self._has_asked:
            self._has_asked = True
            (self._control / "savepoint").touch()
        is_lost = self._loss is None or self._loss.has_happened
        if self._feeder.is_done and seen == self._scenario.record_count and not self._kills and is_lost:
            (self._control / "drain").touch()

    def _fill(self, disk: Disk, seen: int, now: float) -> None:
        """Fill the disk in the middle of the run, and free it again after some seconds."""
        if self._full_since is None and seen >= self._scenario.record_count // 3:
            self._full_since = now
            disk.fill()
            self.happened.append(f"{self._scenario.full} full after {seen} records")
        elif self._full_since is not None and now > self._full_since + _SECONDS_FULL:
            disk.free()

    def _repair(self, output: str, disk: Disk | None, new: list[str], *, was_killed: bool) -> None:
        """Remove the cause of a failure, as a user would after reading the message.

        Args:
            output: what the process printed.
            disk: the disk that may be full.
            new: the disturbances from within the job.
            was_killed: whether the process was killed from outside.

        Raises:
            FaultError: there is no cause, or the message does not name it.
        """
        if self._has_state and NO_STATE in output:
            self._has_state = False
            self.happened.append("nothing to resume from")
            return
        self._has_state = True
        if was_killed or (new and self._scenario.kills_driver):
            self._truncate()
            return
        if disk is not None and self._full_since is not None:
            disk.free()
            _require(output, _NO_SPACE)
        elif names := self._feeder.repair():
            if not any(name in output for name in names):
                raise failure(f"no message names one of {', '.join(names)}", output)
            self._has_repaired = True
            self.happened.append(f"the job failed because of {', '.join(names)}")
        elif self._truncation is None or not self._truncation.is_read or self._has_repaired:
            raise failure("the job failed without a cause", output)
        else:
            self._has_repaired = True

    def _disturbed_itself(self) -> list[str]:
        """Return the disturbances from within the job that have happened since the last call."""
        marks = {path.name for pattern in ("record-*", "step-*") for path in self._control.glob(pattern)}
        new = sorted(marks - self._marks)
        self._marks |= marks
        self.happened += new
        return new

    def _truncate(self) -> None:
        """Truncate a file after the first kill, if one is to be truncated."""
        if self._truncation is None or self._truncation.is_done:
            return
        name = self._truncation.truncate()
        if name:
            self.happened.append(f"{name} truncated")
        lost = {int(path.stem) for path in self._truncation.planned_again}
        self._seen.forget({each.number for number in lost for each in self._scenario.files[number]})

    def _follow_truncation(self, program: Program, *, was_killed: bool) -> None:
        """Check what the first process after a truncation does about it."""
        truncation, output = self._truncation, program.output()
        if truncation is None or not truncation.is_pending or was_killed or NO_STATE in output:
            return
        has_failed = program.poll() != 0
        try:
            self.happened.append(truncation.follow(output, has_failed=has_failed))
        except TruncationError as error:
            raise failure(str(error), output) from error
        if has_failed:
            self._seen.remember()

    def _missed(self) -> list[str]:
        """Return what was to disturb the job, but did not."""
        scenario = self._scenario
        missed = [each.name for each in scenario.disturbances if each.name not in self._marks]
        if self._kills or (self._at_file is not None):
            missed.append("it was not killed")
        if scenario.full and not any(_NO_SPACE in log.read_text() for log in self._directory.glob("log-*")):
            missed.append("it did not notice the full disk")
        if scenario.source_fault and not self._has_repaired:
            missed.append(f"it did not read a {scenario.source_fault} file")
        if self._loss is not None and not self._loss.has_happened:
            missed.append("its directory was not lost")
        if self._truncation is not None and not self._truncation.is_read:
            missed.append("it did not read a truncated file")
        return missed


def _require(output: str, text: str) -> None:
    if text not in output:
        raise failure(f"no message contains {text!r}", output)


def failure(text: str, output: str) -> FaultError:
    """Return an error with the end of what a process printed."""
    return FaultError(f"{text}:\n{output[-_MOST_OUTPUT:]}")
