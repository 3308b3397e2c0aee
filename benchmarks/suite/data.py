"""Records in Parquet files, two for each data set, so that each of two workers reads one.

One file has the even record numbers, the other the odd ones; both are in order of time.
"""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.suite.shapes import table

FILES = 2
_CHUNK = 50_000
_ROWS_PER_GROUP = {"long": 500_000, "text": 20_000}

UNIQUE = {
    "long": 4_000_000,
    "row5": 2_000_000,
    "row30": 400_000,
    "nested": 400_000,
    "text": 200_000,
    "dataclass": 2_000_000,
}
"""Maximum number of distinct records by shape. Larger data sets repeat the same files."""


class DataSets:
    """Data sets below a directory, each written at its first use.

    Args:
        root: the directory.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def counts(self, shape: str) -> list[int]:
        """Return the possible sizes of data sets of a shape, in ascending order."""
        powers = [1_000 * 2**power for power in range(20)]
        steps = [count for count in powers if count < UNIQUE[shape]]
        return [*steps, *(UNIQUE[shape] * times for times in (1, 2, 4, 8, 16, 32, 64))]

    def are_unique(self, shape: str, records: int) -> bool:
        """Return whether a data set of this size has no record twice, as jobs with keys or time require."""
        return records <= UNIQUE[shape]

    def directory(self, shape: str, records: int) -> Path:
        """Return the directory of a data set, whose number of records is one of ``counts``."""
        unique = min(records, UNIQUE[shape])
        path = self._write(shape, unique)
        times = records // unique
        if times == 1:
            return path
        many = self._root / f"{shape}-{records}"
        if not many.exists():
            many.mkdir()
            for number in range(times):
                for file in sorted(path.glob("*.parquet")):
                    os.link(file, many / f"{number:02}-{file.name}")
        return many

    def _write(self, shape: str, records: int) -> Path:
        path = self._root / f"{shape}-{records}"
        if path.exists():
            return path
        unfinished = path.with_suffix(".part")
        unfinished.mkdir()
        for number in range(FILES):
            _write_file(unfinished / f"{number}.parquet", shape, number, records)
        return unfinished.rename(path)


def _write_file(path: Path, shape: str, number: int, records: int) -> None:
    chunk = FILES * _CHUNK
    writer = None
    for start in range(0, records, chunk):
        rows = table(shape, start + number, min(start + chunk, records), FILES)
        writer = writer or pq.ParquetWriter(
            path, rows.schema, compression="snappy", use_dictionary=shape != "text"
        )
        writer.write_table(rows, row_group_size=_ROWS_PER_GROUP.get(shape, 100_000))
    assert writer is not None
    writer.close()
