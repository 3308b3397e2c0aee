"""The parity table: the status of each promise of api.tsv, and false statements about promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from tests.parity.markers import held_by_tests
from tests.parity.names import MismatchError, NameTable
from tests.parity.promises import Promise, Status, read_exceptions, read_promises

__all__ = ["PARITY", "Parity", "Verdict", "judge"]

PARITY = pytest.StashKey[str]()
"""The table in the stash of the run, printed at its end."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of a promise, and the reason."""

    promise: Promise
    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class Parity:
    """The status of all promises.

    Attributes:
        verdicts: one for each row of api.tsv.
        contradictions: false statements in exceptions.tsv and in promise markers of tests.
    """

    verdicts: tuple[Verdict, ...]
    contradictions: tuple[str, ...]

    @property
    def missing(self) -> list[Verdict]:
        """The rows that are neither implemented nor excepted."""
        return [verdict for verdict in self.verdicts if verdict.status is Status.MISSING]

    def table(self) -> str:
        """Return a table of the number of rows by section and status."""
        sections: dict[str, Counter[Status]] = {}
        for verdict in self.verdicts:
            sections.setdefault(verdict.promise.section, Counter())[verdict.status] += 1
        lines = [_line("section", *(status.value for status in _SHOWN), "total")]
        for section in sorted(sections):
            lines.append(_counts(section, sections[section]))
        lines.append(_counts("all", sum(sections.values(), Counter())))
        return "\n".join(lines)


_SHOWN = (Status.IMPLEMENTED, Status.NOT_YET, Status.NEVER, Status.MISSING)


def judge() -> Parity:
    """Determine the status of every row of api.tsv."""
    promises = read_promises()
    excuses = read_exceptions()
    held = held_by_tests()
    names = NameTable(promises)
    verdicts = []
    contradictions = list(_unknown({p.id for p in promises}, held, excuses))
    for promise in promises:
        failure = _failure(promise, names, held)
        excuse = excuses.get(promise.id)
        if failure is None:
            verdicts.append(Verdict(promise, Status.IMPLEMENTED, ""))
            if excuse is not None:
                contradictions.append(
                    f"{promise.id} is implemented; exceptions.tsv says {excuse.status.value}"
                )
        elif excuse is not None:
            verdicts.append(Verdict(promise, excuse.status, excuse.reason))
            if not excuse.reason:
                contradictions.append(f"{promise.id}: exceptions.tsv gives no reason")
        else:
            verdicts.append(Verdict(promise, Status.MISSING, failure))
    return Parity(tuple(verdicts), tuple(contradictions))


def _failure(promise: Promise, names: NameTable, held: dict[str, list[str]]) -> str | None:
    if not promise.has_name:
        return None if promise.id in held else "no test has a marker for it"
    try:
        names.check(promise)
    except MismatchError as mismatch:
        return str(mismatch)
    return None


def _unknown(known: set[str], held: dict[str, list[str]], excuses: Iterable[str]) -> Iterable[str]:
    for id, files in held.items():
        if id not in known:
            yield f"{', '.join(files)}: unknown promise {id}"
    for id in excuses:
        if id not in known:
            yield f"exceptions.tsv: unknown promise {id}"


def _counts(section: str, counts: Counter[Status]) -> str:
    return _line(section, *(str(counts[status]) for status in _SHOWN), str(counts.total()))


def _line(section: str, *cells: str) -> str:
    return f"{section:<18}" + "".join(f"{cell:>13}" for cell in cells)
