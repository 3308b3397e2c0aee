"""Feeder: puts the input files of a run in place one after the other, and repairs them."""

from __future__ import annotations

import os
from pathlib import Path

from tests.faults.records import with_bad_lines
from tests.faults.scenarios import Scenario

__all__ = ["Feeder"]


class Feeder:
    """Puts the input files of a run in place.

    Args:
        scenario: the run.
        directory: the directory that the job reads.
        originals: a directory for the content of damaged files.

    Attributes:
        dropped: number of files that were put in place.
        records: number of records in them.
    """

    def __init__(self, scenario: Scenario, directory: Path, originals: Path) -> None:
        self._scenario = scenario
        self._directory = directory
        self._originals = originals
        self._is_damaged = False
        self._sizes: dict[Path, int] = {}
        self.dropped = 0
        self.records = 0

    @property
    def is_due(self) -> bool:
        """Whether the next file is to exist before the job starts."""
        return self.dropped < self._scenario.first_files

    @property
    def is_done(self) -> bool:
        """Whether all files are in place."""
        return self.dropped == len(self._scenario.files)

    def drop_next(self) -> None:
        """Put the next file, if there is one, into the directory, complete from the start."""
        if self.is_done:
            return
        name = f"{self.dropped:04}.csv"
        records = self._scenario.files[self.dropped]
        lines = with_bad_lines(records) if self._scenario.bad_lines else (each.line() for each in records)
        content = "".join(lines).encode()
        if content and self._damages_next():
            self._is_damaged = True
            (self._originals / name).write_bytes(content)
            content = b"\xff" * (len(content) - 1) + b"\n"
        hidden = self._directory / f".{name}"
        hidden.write_bytes(content)
        hidden.rename(self._directory / name)
        self._sizes[self._directory / name] = len(content)
        self.records += len(self._scenario.files[self.dropped])
        self.dropped += 1

    def _damages_next(self) -> bool:
        is_middle = self.dropped >= len(self._scenario.files) // 3
        return self._scenario.source_fault == "damaged" and is_middle and not self._is_damaged

    def repair(self) -> list[str]:
        """Put the original files in place of missing, grown and damaged ones; return their names."""
        hidden = sorted(self._directory.glob(".*.csv"))
        for path in hidden:
            path.rename(path.with_name(path.name[1:]))
        grown = [path for path, size in self._sizes.items() if path.exists() and path.stat().st_size > size]
        for path in grown:
            os.truncate(path, self._sizes[path])
        damaged = sorted(self._originals.glob("*.csv"))
        for path in damaged:
            path.rename(self._directory / path.name)
        return [path.name.lstrip(".") for path in (*hidden, *grown, *damaged)]
