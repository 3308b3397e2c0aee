"""The results of a run with connectors, compared with those that must be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tests.faults.records import Record, expected

__all__ = ["difference", "doubled", "out_of_order", "windows"]


def doubled(files: Iterable[Iterable[Record]]) -> Counter[str]:
    """Return the lines of the programs from and to Kafka."""
    records = (record for file in files for record in file)
    return Counter(f"{record.number},{record.user},{2 * record.amount}" for record in records)


def windows(files: Iterable[Iterable[Record]]) -> Counter[str]:
    """Return the rows of the program with windows, as lines."""
    return expected("windows", [list(file) for file in files])["windows"]


def difference(wanted: Counter[str], found: Counter[str], *, may_double: bool) -> str:
    """Describe how results differ from those expected; empty if they do not.

    Args:
        wanted: those expected.
        found: the results.
        may_double: whether a result may be there more often.
    """
    lost = wanted - found
    more = Counter({line: n for line, n in (found - wanted).items() if not may_double or line not in wanted})
    if not lost and not more:
        return ""
    return (
        f"{lost.total()} of {wanted.total()} lost, such as {list(lost)[:3]}; "
        f"{more.total()} doubled or wrong, such as {list(more)[:3]}"
    )


def out_of_order(lines: Iterable[str]) -> str:
    """Return a line that comes first after a later one of the same user; empty if there is none."""
    return next(_out_of_order(lines), "")


def _out_of_order(lines: Iterable[str]) -> Iterator[str]:
    last: dict[str, int] = {}
    seen: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        text, user, _ = line.split(",")
        number = int(text)
        if number not in seen[user] and number < last.get(user, -1):
            yield line
        seen[user].add(number)
        last[user] = max(number, last.get(user, -1))
