"""The records of a run, drawn from its seed, and the results that the programs must make of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["FILE_MILLIS", "WINDOW_MILLIS", "Record", "bad_lines", "draw", "expected", "with_bad_lines"]

FILE_MILLIS = 4_000
"""The span of event time in one file, within which its records are in no order."""

WINDOW_MILLIS = 5_000

_USERS = 17
_RECORDS_A_BAD_LINE = 11
_BAD_LINES = ("bad-{}\n", "{},user-1,five,0\n", "{},user-1,5,0,0\n")


@dataclass(frozen=True, slots=True)
class Record:
    """An element of the input.

    Attributes:
        number: its number within the run, from 0.
        user: its key.
        amount: a number to add up; the program of two keyed stages refuses negative ones.
        millis: its event time.
    """

    number: int
    user: str
    amount: int
    millis: int

    def line(self) -> str:
        """Return the record as a line of a file."""
        return f"{self.number},{self.user},{self.amount},{self.millis}\n"

    @classmethod
    def parse(cls, line: str) -> Record:
        """Return the record of a line.

        Raises:
            ValueError: the line is not that of a record.
        """
        number, user, amount, millis = line.split(",")
        return cls(int(number), user, int(amount), int(millis))


def draw(random: Random, files: int) -> list[list[Record]]:
    """Return the records of each file, some of which are empty."""
    drawn: list[list[Record]] = []
    count = 0
    for at in range(files):
        size = 0 if random.random() < 0.1 else random.randint(1, 80)
        records = [
            Record(
                count + index,
                f"user-{random.randrange(_USERS)}",
                random.randint(-20, 100),
                at * FILE_MILLIS + random.randrange(FILE_MILLIS),
            )
            for index in range(size)
        ]
        count += size
        drawn.append(records)
    return drawn


def with_bad_lines(records: Iterable[Record]) -> Iterator[str]:
    """Yield the lines of records, and lines that are no records between them."""
    for record in records:
        yield record.line()
        if record.number % _RECORDS_A_BAD_LINE == 0:
            yield _BAD_LINES[record.number // _RECORDS_A_BAD_LINE % len(_BAD_LINES)].format(record.number)


def bad_lines(files: Iterable[Iterable[Record]]) -> Counter[str]:
    """Return the lines between the records of files that are no records."""
    lines = (line for records in files for line in with_bad_lines(records))
    return Counter(line.rstrip() for line in lines if not _is_record(line))


def _is_record(line: str) -> bool:
    try:
        Record.parse(line)
    except ValueError:
        return False
    return True


def expected(program: str, files: Sequence[Sequence[Record]]) -> dict[str, Counter[str]]:
    """Return the lines that each sink of a program must hold, with their numbers of occurrences."""
    records = [record for file in files for record in file]
    return {"windows": _windows, "stages": _stages}[program](records)


def _windows(records: Iterable[Record]) -> dict[str, Counter[str]]:
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for record in records:
        groups[record.user, record.millis // WINDOW_MILLIS * WINDOW_MILLIS].append(record.amount)
    lines = (f"{user},{start},{len(each)},{sum(each)}" for (user, start), each in groups.items())
    return {"windows": Counter(lines)}


def _stages(records: Iterable[Record]) -> dict[str, Counter[str]]:
    refused: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    minutes: dict[int, dict[str, int]] = defaultdict(dict)
    for record in records:
        if record.amount < 0:
            refused[f"{record.number},{record.user}"] += 1
            continue
        seen[record.user] += 1
        counted[f"{record.user},{seen[record.user]}"] += 1
        end = record.millis // WINDOW_MILLIS * WINDOW_MILLIS + WINDOW_MILLIS
        minutes[end][record.user] = minutes[end].get(record.user, 0) + record.amount
    totals = (f"{end},{len(users)},{sum(users.values())}" for end, users in minutes.items())
    return {"refused": refused, "counted": counted, "totals": Counter(totals)}
