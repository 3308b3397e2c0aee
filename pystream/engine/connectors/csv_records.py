"""Division of CSV text into records, which may span lines."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeAlias

from pystream.engine.connectors.lines import lines_with_ends
from pystream.engine.formats.csv_cells import (
    CsvOptions,
    Trimmed,
    csv_dialect,
    is_skipped,
    with_control_characters,
)

__all__ = ["CsvRecord", "CsvRecords"]

CsvRecord: TypeAlias = list[str] | csv.Error
"""The cells of a record, or the error if it is malformed."""

_BATCH_RECORDS = 8192
_BATCH_CHARACTERS = 4 * 1024 * 1024


class CsvRecords:
    """Split text into records with Python's csv module, and count its lines."""

    def __init__(self, options: CsvOptions, texts: Iterable[str]) -> None:
        self._characters = 0
        lines = lines_with_ends(self._counted(texts))
        self._comments = _Comments(lines) if options.allow_comments else None
        records: Iterator[str] = self._comments or lines
        if options.escape is not None:
            records = map(partial(with_control_characters, options.escape), records)
        if options.trims_spaces:
            records = Trimmed(records, options)
        self._reader = csv.reader(records, csv_dialect(options))

    def _counted(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            self._characters += len(text)
            yield text

    def next(self) -> tuple[int, CsvRecord] | None:
        """Return the next record and the line it starts in, or ``None`` at the end."""
        line = self._reader.line_num + 1
        if self._comments is not None:
            self._comments.may_follow = True
        try:
            record: CsvRecord | None = next(self._reader, None)
        except csv.Error as error:
            record = error
        if record is None:
            return None
        skipped = 0 if self._comments is None else self._comments.count
        return line + skipped, record or [""]

    def batches(self) -> Iterator[tuple[list[int], list[CsvRecord]]]:
        """Yield lines and records in batches of bounded length and, unless one record is larger, size."""
        lines: list[int] = []
        records: list[CsvRecord] = []
        start = self._characters
        while (found := self.next()) is not None:
            lines.append(found[0])
            records.append(found[1])
            if len(lines) >= _BATCH_RECORDS or self._characters - start >= _BATCH_CHARACTERS:
                yield lines, records
                lines, records, start = [], [], self._characters
        if lines:
            yield lines, records


class _Comments:
    """Skip comments and blank lines, which may stand only where a record may start.

    Attributes:
        may_follow: whether the next line is the first of a record.
        count: how many lines were left out.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.may_follow = True
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        while self.may_follow and is_skipped(line):
            self.count += 1
            line = next(self._lines)
        self.may_follow = False
        return line
