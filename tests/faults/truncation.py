"""Truncation: a file of a job's directory is cut in half, and restored if the job refuses it."""

from __future__ import annotations

import json
from pathlib import Path

from pystream.hosts.unbounded.epoch_log import EpochLog
from tests.faults.disturbances import files_of

__all__ = ["Truncation", "TruncationError"]

_INTERNAL_ERRORS = ("AssertionError", "KeyError", "EOFError", "UnpicklingError", "IndexError")


class TruncationError(Exception):
    """The job did not say which file is damaged."""


class Truncation:
    """Truncates the newest file of a pattern, once.

    Args:
        pattern: pattern of the files within the directory of the job.
        jobs: the directory of all jobs.

    Attributes:
        planned_again: paths of the input files that a job reads again if it does without the truncated file.
        is_pending: whether a file has been truncated, and the job has not been resumed since.
        is_read: whether the job has noticed the truncation.
    """

    def __init__(self, pattern: str, jobs: Path) -> None:
        self._pattern = pattern
        self._jobs = jobs
        self._path: Path | None = None
        self._content = b""
        self.planned_again: set[Path] = set()
        self.is_pending = False
        self.is_read = False

    @property
    def is_done(self) -> bool:
        """Whether a file has been truncated."""
        return self._path is not None

    @property
    def is_possible(self) -> bool:
        """Whether there is a file to truncate."""
        try:
            return bool(self._files())
        except FileNotFoundError:  # a directory has been removed since it was listed
            return False

    def truncate(self) -> str:
        """Truncate the newest of the files, and return its name; empty if there is none."""
        files = self._files()
        if not files:
            return ""
        path = max(files, key=lambda each: each.stat().st_mtime_ns)
        self._path, self._content = path, path.read_bytes()
        if path.suffix == ".epoch":
            job_id = json.loads((path.parents[1] / "job.json").read_text())["job_id"]
            self.planned_again = files_of(EpochLog(str(path.parent), job_id).read(int(path.stem)))
        path.write_bytes(self._content[: len(self._content) // 2])
        self.is_pending = True
        return str(path.relative_to(self._jobs))

    def follow(self, output: str, *, has_failed: bool) -> str:
        """Return what the job did about the file, and restore the file if it failed.

        Args:
            output: what the process after the truncation printed.
            has_failed: whether it failed.

        Raises:
            TruncationError: its message does not name the file, or is not one for users.
        """
        assert self._path is not None
        self.is_pending = False
        name = str(self._path.relative_to(self._path.parents[1]))
        self.is_read = name in output
        if not has_failed:
            return f"the job went on without {name}" if self.is_read else f"the job did not need {name}"
        if not self.is_read:
            raise TruncationError(f"no message contains {name!r}")
        if any(error in output for error in _INTERNAL_ERRORS):
            raise TruncationError(f"the message about {name} is not one for users")
        self._path.write_bytes(self._content)
        self.planned_again = set()
        return f"the job refused {name}"

    def _files(self) -> list[Path]:
        """Return the files that match the pattern, apart from changes that full state has replaced."""
        files = self._jobs.glob(f"*/{self._pattern}")
        found = [path for path in files if path.is_file() and not path.name.startswith(".")]
        full = max((int(path.stem) for path in self._jobs.glob("*/local/[!.]*.state")), default=-1)
        return [path for path in found if path.suffix != ".changes" or int(path.stem) > full]
