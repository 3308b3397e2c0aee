"""SimulatedJob: an unbounded job on the local host, in one thread, whose clock moves on while it is idle."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch
from zlib import crc32

from pystream.common import Configuration
from pystream.engine.connectors.storage import LocalStorage
from pystream.engine.epoch import Epoch
from pystream.engine.events import Elements
from pystream.engine.exchange import partitioners
from pystream.engine.exchange.partitioners import RoundRobin, Shuffle
from pystream.engine.state import keyed_pages
from pystream.engine.time.clock import ManualClock
from pystream.errors import CheckpointError
from pystream.hosts.local import state_log
from pystream.hosts.local.interleaving import Interleaving, Seeded
from pystream.hosts.local.unbounded import LocalStream
from pystream.hosts.unbounded import deliveries
from pystream.hosts.unbounded.checked_file import UnusableFileError, read_checked
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.requests import SavepointRequest
from pystream.testing import local_environment
from tests.simulation.crashes import CrashError, Crashes, Killed, crashing
from tests.simulation.recording_sink import COMMITTED
from tests.simulation.unbounded_programs import Drawn, Epochs, draw

__all__ = ["MEMORY", "Outcome", "run"]

MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
"""A directory in memory, if there is one."""

_MOST_EPOCHS = 1_000_000


class Outcome:
    """The results of a program.

    Attributes:
        text: the program.
        collected: the elements that reached it, by sink.
        committed: the elements that sinks have committed, by sink.
        crashes: the crashes.
    """

    def __init__(self, crashes: Crashes) -> None:
        self.text = ""
        self.collected: dict[str, list[Any]] = {}
        self.committed: dict[str, list[Any]] = {}
        self.crashes = crashes


class Stop(NamedTuple):
    """When a job stops with a savepoint.

    Attributes:
        epoch: number of the first epoch in which it is asked to; ``None`` for never.
        savepoints: directory of the savepoints.
    """

    epoch: int | None
    savepoints: Path


class ByEpoch(Interleaving):
    """Chooses at random, the same for epochs of the same input at the same time, whatever their number."""

    merges_in_order = False
    flushes = True

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.epoch = ""

    def of_epoch(self, number: int) -> Interleaving:
        random = Random(f"{self._seed} {self.epoch}")
        return Seeded(random, random.choice([1, 3, 100]), random.choice([0.0, 0.5, 0.95]))

    def choice(self, candidates: Any) -> Any:
        raise NotImplementedError

    def batches(self, elements: Elements) -> Iterator[Elements]:
        raise NotImplementedError


class OneByOne(ByEpoch):
    """Passes each element on alone."""

    def of_epoch(self, number: int) -> Interleaving:
        return Seeded(Random(self._seed), 1)


class SimulatedJob(LocalStream):
    """A job that restarts at once after a failure, until its process is dead."""

    def __init__(
        self, drawn: Drawn, clock: ManualClock, interleaving: ByEpoch, crashes: Crashes, stop: Stop
    ) -> None:
        super().__init__(drawn.request, clock, interleaving)
        self._stop = stop
        self._asked: list[SavepointRequest] = []
        self._order = interleaving
        self._crashes = crashes
        self._manual = clock
        self.is_running = False
        self._requests.wait = self._idle  # type: ignore[method-assign]

    def begin(self, number: int) -> Epoch | None:
        is_asked = bool(self._asked) and not self._asked[-1].written.done()
        if self._stop.epoch is not None and number >= self._stop.epoch and not is_asked:
            location = self._stop.savepoints / f"{uuid.uuid4().hex}"
            self._asked.append(SavepointRequest(str(location), stops=True))
            self._requests.ask_for_savepoint(self._asked[-1])
        epoch = super().begin(number)
        if epoch is not None:
            self._order.epoch = f"{self._manual.now()} {sorted(epoch.splits.items())}"
        return epoch

    @property
    def savepoint(self) -> str:
        """The location of the savepoint that the job has ended with; empty for none."""
        written = self._asked[-1].written if self._asked else None
        return written.result() if written and written.done() and not written.exception() else ""

    def run(self) -> None:
        """Run the job to its end."""
        self._prepare()
        self.is_running = True
        self._metrics_at_end()

    def _idle(self, seconds: float) -> None:
        if self._crashes.is_dead:
            raise AssertionError("a dead process waits")
        now = self._manual.now()
        self._manual.set(now + Random(now).choice([1, 2, 5, 20]))

    def _pause(self, failure: BaseException) -> float | None:
        return None if self._crashes.is_dead or not self._crashes.struck else self._restart(failure)

    def _restart(self, failure: BaseException) -> float | None:
        return 0.0 if "CrashError" in f"{failure!r} {failure.__cause__!r} {failure}" else None


def run(
    seed: int,
    directory: Path | None,
    crashes: Crashes,
    epochs: Epochs = Epochs.AND_CLOCK,
    stops: Sequence[int] = (),
) -> Outcome:
    """Run the program of a seed, as often as its process dies.

    Args:
        seed: the seed.
        directory: that of all jobs, ``None`` for none.
        crashes: crash it.
        epochs: how the program depends on epochs; elements of plain ones are passed on one by one.
        stops: numbers of epochs at which the job stops with a savepoint, and starts from that, with epoch 0.
    """
    COMMITTED.clear()
    clock = ManualClock()
    outcome = Outcome(crashes)
    random = Random(seed)
    with (
        patch.object(keyed_pages, "MAX_ENTRIES", random.choice([1, 3, 100])),
        patch.object(state_log, "_LEAST_CHANGES", random.choice([1, 1_000, 1 << 20])),
        patch.object(state_log, "_MOST_EPOCHS", random.choice([1, 4, 100])),
        patch.dict(EpochLog.__init__.__kwdefaults__, interval=random.choice([1, 3, 3])),
        patch.object(deliveries, "_EPOCHS_AHEAD", 0),
        patch.object(RoundRobin, "route", _by_content),
        patch.object(Shuffle, "route", _by_content),
        patch("os.fsync", lambda descriptor: None),
        crashing(crashes),
        TemporaryDirectory(dir=MEMORY) as savepoints,
    ):
        resume = False
        savepoint = ""
        left = list(stops)
        while True:
            crashes.is_dead = False
            configuration = _configuration(directory, resume=resume, savepoint=savepoint)
            first_epoch = (len(stops) - len(left)) * _MOST_EPOCHS
            drawn = draw(seed, local_environment(configuration), epochs, first_epoch)
            outcome.text = drawn.text
            order = ByEpoch(seed) if epochs is Epochs.AND_CLOCK else OneByOne(seed)
            stop = Stop(left[0] if left else None, Path(savepoints))
            job = SimulatedJob(drawn, clock, order, crashes, stop)
            try:
                job.run()
                is_over = True
            except CheckpointError as error:
                if not resume or "there is no state" not in str(error):
                    raise
                resume = False
                continue
            except CrashError:
                if job.is_running:
                    raise
                continue
            except Killed:
                is_over, resume = False, True
                if directory is not None:
                    _truncate(random, directory)
            if job.is_running:
                for name, sink in drawn.collected.items():
                    outcome.collected.setdefault(name, []).extend(job.ready(sink))
            if job.savepoint:
                is_over, resume, savepoint = False, False, job.savepoint
                del left[0]
            if is_over:
                break
    for name, by_epoch in COMMITTED.items():
        outcome.committed[name] = [value for epoch in sorted(by_epoch) for value in by_epoch[epoch]]
    return outcome


def _truncate(random: Random, directory: Path) -> None:
    """Truncate, sometimes, the last full state and the last positions, without which a job can do."""
    if random.random() < 0.3:
        has_all_changes = any(directory.glob("*/local/0.changes"))
        _cut_last(directory.glob("*/local/*.state"), least=1 if has_all_changes else 2)
    if random.random() < 0.3:
        _cut_last(directory.glob("*/epochs/*.positions"), least=2)


def _cut_last(paths: Iterable[Path], least: int) -> None:
    """Cut off the end of the last of some files, if a number of them are whole."""
    whole = sorted((path for path in paths if _is_whole(path)), key=lambda path: int(path.stem))
    if len(whole) >= least:
        os.truncate(whole[-1], whole[-1].stat().st_size - 1)


def _is_whole(path: Path) -> bool:
    owner = json.loads((path.parents[1] / "job.json").read_text())["job_id"]
    try:
        read_checked(LocalStorage(), str(path), owner)
    except UnusableFileError:
        return False
    return not path.name.startswith(".")


def _by_content(partitioner: Any, elements: Elements) -> Any:
    """Spread elements by their content, as turns and chances do not outlive a crash."""
    first, count = getattr(partitioner, "_first", 0), getattr(partitioner, "_count", partitioner._targets)
    drawn = [crc32(repr(value).encode()) % count for value in elements.values]
    return partitioners._divided(elements, drawn, [(first + target, 0) for target in range(count)])


def _configuration(directory: Path | None, *, resume: bool, savepoint: str) -> Configuration:
    configuration = Configuration()
    configuration.set_string("pystream.progress", "off")
    configuration.set_string("pipeline.auto-watermark-interval", "0 ms")
    configuration.set_string("pystream.resume", str(resume).lower())
    if savepoint and not resume:
        configuration.set_string("execution.savepoint.path", savepoint)
    if directory is not None:
        configuration.set_string("execution.checkpointing.dir", str(directory))
    return configuration
