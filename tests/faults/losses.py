"""Losses: the directory of a running job, or a part of it, is taken away, and later put back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

__all__ = ["DirectoryLoss", "Loss", "LossError", "draw_loss"]

_PARTS = ("", "job.json", "lock", "epochs", "sinks")
_WAYS = ("removed", "emptied", "moved", "replaced")
_COPIES = 200
_ENDS = 2  # without what was taken away, before it is put back


class LossError(Exception):
    """The job did not say what is missing, or gave advice that would destroy the rest."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What happens to the directory of a job.

    Attributes:
        part: the part of it, empty for all of it.
        way: ``removed`` bit by bit, ``emptied``, ``moved`` away at once, or ``replaced`` by an older copy.
        copied_after: number of records seen after which the older copy is made.
        after: number of records seen after which it happens.
        then: what happens to the job: ``kill``, ``error`` in a function, or ``nothing``.
    """

    part: str
    way: str
    copied_after: int
    after: int
    then: str


def draw_loss(random: Random, count: int, *, is_local: bool) -> Loss:
    """Return a loss.

    Args:
        random: draws it.
        count: number of records in the input.
        is_local: whether the job runs on the local host.
    """
    return Loss(
        part=random.choice((*_PARTS, *(("local", "local") if is_local else ("spark", "spark")))),
        way=random.choice(_WAYS),
        copied_after=random.randrange(1, count // 3),
        after=random.randrange(count // 2, count * 3 // 4),
        then=random.choice(("kill", "error", "nothing")),
    )


class DirectoryLoss:
    """Carries out a loss, once, and undoes it.

    Args:
        loss: the loss.
        jobs: the directory of all jobs.
        aside: a directory for copies, which does not exist.

    Attributes:
        has_happened: whether it was carried out.
        is_repaired: whether it was undone.
    """

    def __init__(self, loss: Loss, jobs: Path, aside: Path) -> None:
        self.loss = loss
        self._jobs = jobs
        self._aside = aside
        self._job: Path | None = None
        self._ends = 0
        self.has_happened = False
        self.is_repaired = False

    @property
    def is_pending(self) -> bool:
        """Whether it was carried out, and not undone."""
        return self.has_happened and not self.is_repaired

    def serve(self, seen: int) -> str:
        """Make the copy and carry the loss out when it is time; return what has happened, empty for nothing.

        Args:
            seen: number of records that the job has read.
        """
        if self.has_happened:
            return ""
        job = next(iter(self._jobs.glob("*/job.json")), None)
        if job is None or not (job.parent / self.loss.part).exists():
            return ""
        copy = self._aside / "copy"
        if seen >= self.loss.copied_after and not copy.exists():
            _copied(job.parent, copy)
        if seen < self.loss.after or not (copy / self.loss.part).exists():
            return ""
        self._job = job.parent
        self.has_happened = True
        self._strike(self._job / self.loss.part, copy / self.loss.part)
        return f"{self.loss.part or 'the directory'} {self.loss.way} after {seen} records"

    def _strike(self, path: Path, copy: Path) -> None:
        saved = self._aside / "saved"
        if self.loss.way == "removed" and path.is_dir():
            # Keep the content, by links, as the job writes files under other names and then renames them.
            _copied(path, saved, os.link)
            shutil.rmtree(path, ignore_errors=True)
            return
        path.rename(saved)
        if self.loss.way == "emptied":
            path.mkdir() if saved.is_dir() else path.touch()
        elif self.loss.way == "replaced":
            shutil.copytree(copy, path) if copy.is_dir() else shutil.copyfile(copy, path)

    def follow(self, output: str, *, was_killed: bool) -> list[str]:
        """Return what became of a process without what was taken away; undo the loss after the second one.

        The first has lost it while it ran, the second was to resume without it.

        Args:
            output: what the process has printed.
            was_killed: whether it was killed.

        Raises:
            LossError: the message does not name the directory, or recommends what destroys the rest.
        """
        assert self._job is not None
        if not was_killed:
            self._check(output)
        followed = ["killed" if was_killed else "refused"]
        self._ends += 1
        if self._ends == _ENDS:
            self.repair()
            followed.append("put back")
        return followed

    def _check(self, output: str) -> None:
        if str(self._job) not in output:
            raise LossError(f"no message contains {str(self._job)!r}")
        if any(advice in output for advice in ("remove the directory", "remove the job's directory")):
            raise LossError("the message recommends to remove the rest")

    def repair(self) -> None:
        """Put back what was taken away, next to what the job has written since."""
        assert self._job is not None
        path, saved = self._job / self.loss.part, self._aside / "saved"
        self.is_repaired = True
        if saved.is_file():
            saved.replace(path)
            return
        for file in [file for file in saved.rglob("*") if file.is_file()]:
            target = path / file.relative_to(saved)
            target.parent.mkdir(parents=True, exist_ok=True)
            is_record = target.name in ("job.json", "lock")
            if is_record or not target.exists():
                file.replace(target)


def _copied(path: Path, copy: Path, copy_file: Callable[..., object] = shutil.copy2) -> None:
    """Copy a directory in which files appear and vanish, or a file."""
    copy.parent.mkdir(exist_ok=True)
    for _ in range(_COPIES):
        shutil.rmtree(copy, ignore_errors=True)
        try:
            shutil.copytree(path, copy, copy_function=copy_file)
        except (shutil.Error, OSError):
            continue
        return
    raise RuntimeError(f"{path} cannot be copied")
