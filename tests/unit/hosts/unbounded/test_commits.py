"""Part files of unbounded jobs: when they are finished, what they hold, and that each appears once."""

from __future__ import annotations

from pathlib import Path

from pystream.datastream.connectors import RollingPolicy
from tests.unit.hosts.unbounded.epochs import Epoch, Job, columns, hidden, rows, run_epochs, visible

AT_CHECKPOINTS = RollingPolicy.on_checkpoint_rolling_policy()


def test_every_checkpoint_finishes_the_parts_of_a_bulk_format(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_epochs(Job(tmp_path, columns(out)), [Epoch([[1], [2]]), Epoch([[3], []])])
    assert sorted(visible(out).values()) == [[1], [2], [3]]
    assert hidden(out) == []


def test_epochs_between_checkpoints_are_merged(tmp_path: Path) -> None:
    for make in (columns, lambda path: rows(path, AT_CHECKPOINTS)):
        out = tmp_path / make.__name__
        job = Job(out / "job", make(out / "out"))
        run_epochs(job, [Epoch([[1], [2]], publishes=False), Epoch([[3], []], publishes=False)])
        assert visible(out / "out") == {}
        job.run(2, Epoch([[], [4, 5]]), 3000)
        assert visible(out / "out") == {}
        job.commits.commit(2)
        assert sorted(visible(out / "out").values()) == [[1, 3], [2, 4, 5]]
        assert hidden(out / "out") == []
