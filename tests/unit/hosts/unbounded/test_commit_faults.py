"""A job killed at any step, or whose disk is full at any step, publishes what an undisturbed one does."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.datastream.connectors import RollingPolicy
from pystream.errors import CheckpointError, SinkError
from tests.unit.hosts.unbounded.epochs import (
    KNOWN,
    STEP,
    ByParity,
    Engine,
    Epoch,
    Job,
    columns,
    rows,
    visible,
)
from tests.unit.hosts.unbounded.faults import Fault, Killed, injected

EPOCHS = [
    Epoch([[1, 2], [3]]),
    Epoch([[4], [5, 6, 7]], publishes=False),
    Epoch([[], [8]]),
    Epoch([[9], []], last=True),
]


@pytest.fixture
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as place:
        yield Path(place) / "root"


def by_age_and_at_checkpoints(root: Path) -> list[Any]:
    """Return a sink whose parts take several epochs, and one whose parts take one, in one directory."""
    aged = RollingPolicy.default_rolling_policy(rollover_interval=2000, inactivity_interval=5000)
    sink = rows(root / "rows", aged, ByParity(), check_interval=1000)
    return [
        sink,
        rows(root / "rows", RollingPolicy.on_checkpoint_rolling_policy()),
        columns(root / "columns"),
    ]


def run(engine: Engine, root: Path, targets: Sequence[Any], epochs: Sequence[Epoch], fault: Fault) -> bool:
    """Run a process of a job, which may be killed; return whether the job has ended."""
    try:
        with injected(fault):
            engine.run(Job(root / "job", *targets), epochs, fault)
    except Killed:
        return False
    return True


def undisturbed(root: Path, make: Callable[[Path], list[Any]], epochs: Sequence[Epoch]) -> dict[str, Any]:
    shutil.rmtree(root, ignore_errors=True)
    assert run(Engine(), root, make(root), epochs, Fault(root, 0))
    return check_ended(root)


def check_ended(root: Path) -> dict[str, Any]:
    """Return what is visible; nothing else is left but the last record."""
    shown = {path.name: visible(path) for path in root.iterdir() if path.name != "job"}
    left = [path for path in root.rglob("*") if path.name.startswith(".")]
    assert left == []
    assert len(list((root / "job" / "sinks").iterdir())) == 1
    return shown


def test_a_job_killed_at_any_step_resumes_as_if_nothing_had_happened(root: Path) -> None:
    expected = undisturbed(root, by_age_and_at_checkpoints, EPOCHS)
    assert sum(len(files) for files in expected.values()) > 10
    for step in count(1):
        shutil.rmtree(root)
        engine = Engine()
        ended = run(engine, root, by_age_and_at_checkpoints(root), EPOCHS, Fault(root, step))
        if ended:
            break
        assert run(engine, root, by_age_and_at_checkpoints(root), EPOCHS, Fault(root, 0))
        assert check_ended(root) == expected, step
    assert step > 150


def test_its_recovery_may_be_killed_too(root: Path) -> None:
    expected = undisturbed(root, by_age_and_at_checkpoints, EPOCHS)
    for step in count(11, 23):
        for inner in count(1):
            shutil.rmtree(root)
            engine = Engine()
            if run(engine, root, by_age_and_at_checkpoints(root), EPOCHS, Fault(root, step)):
                return
            committed = engine.committed
            if run(engine, root, by_age_and_at_checkpoints(root), EPOCHS, Fault(root, inner)):
                break
            assert run(engine, root, by_age_and_at_checkpoints(root), EPOCHS, Fault(root, 0))
            assert check_ended(root) == expected, (step, inner)
            if engine.committed > committed + 1:
                break


def persistent(call: Callable[..., None], *arguments: Any) -> None:
    """Call a method again if it fails because the disk is full."""
    with suppress_full_disk():
        call(*arguments)
        return
    call(*arguments)


@contextmanager
def suppress_full_disk() -> Iterator[None]:
    try:
        yield
    except (SinkError, CheckpointError) as error:
        if "No space left on device" not in str(error):
            raise


def test_a_step_at_which_the_disk_is_full_can_be_repeated(root: Path) -> None:
    expected = undisturbed(root, by_age_and_at_checkpoints, EPOCHS)
    for step in count(1):
        shutil.rmtree(root)
        job = Job(root / "job", *by_age_and_at_checkpoints(root))
        with injected(Fault(root, step, is_full=True)) as fault:
            persistent(job.commits.recover, -1, KNOWN)
            for number, epoch in enumerate(EPOCHS):
                persistent(job.run, number, epoch, number * STEP)
                persistent(job.commits.commit, number)
            persistent(partial(job.commits.end, complete=True))
        # A failed attempt of the writers leaves its files until the job is recovered or ends.
        assert check_ended(root) == expected, step
        if not fault.has_struck:
            break
    assert step > 60


@st.composite
def jobs(draw: st.DrawFn) -> tuple[Callable[[Path], list[Any]], list[Epoch], list[int]]:
    """Draw the sinks of a job, its epochs, and the steps at which its processes are killed."""
    times = st.sampled_from([500, 1000, 2500, 10_000])
    aged = st.builds(RollingPolicy.default_rolling_policy, st.sampled_from([1, 5, 100]), times, times)
    policies = st.one_of(st.just(RollingPolicy.on_checkpoint_rolling_policy()), aged)
    made = draw(
        st.lists(st.tuples(policies, st.sampled_from([None, ByParity()]), times, thresholds()), max_size=2)
    )
    has_columns = not made or draw(st.booleans())

    def make(root: Path) -> list[Any]:
        sinks = [
            rows(root / f"rows{number % 2}", policy, buckets, check_interval=interval, compacts=compacts)
            for number, (policy, buckets, interval, compacts) in enumerate(made)
        ]
        return [*sinks, columns(root / "columns")] if has_columns else sinks

    elements = st.lists(st.lists(st.integers(0, 99), max_size=4), min_size=2, max_size=2)
    epochs = draw(st.lists(st.builds(Epoch, elements, st.booleans(), st.booleans()), min_size=1, max_size=6))
    kills = draw(st.lists(st.integers(1, 120), max_size=3))
    return make, [*epochs[:-1], epochs[-1]._replace(last=True)], kills


def thresholds() -> st.SearchStrategy[tuple[int | None, int] | None]:
    return st.one_of(st.none(), st.tuples(st.sampled_from([None, 10]), st.integers(1, 3)))


@given(jobs())
@settings(max_examples=60, deadline=None)
def test_any_job_publishes_everything_once(
    job: tuple[Callable[[Path], list[Any]], list[Epoch], list[int]],
) -> None:
    make, epochs, kills = job
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as place:
        root = Path(place) / "root"
        expected = undisturbed(root, make, epochs)
        written = sorted(n for epoch in epochs for share in epoch.elements for n in share)
        published = sorted(n for files in expected.values() for content in files.values() for n in content)
        assert published == sorted(written * len(make(root)))
        shutil.rmtree(root)
        engine = Engine()
        for step in [*kills, 0]:
            if run(engine, root, make(root), epochs, Fault(root, step)):
                break
        assert check_ended(root) == expected
