"""Specimens that break a law, made as few and simple as they still do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from typeinfo.testing.laws.subject import LawViolation
from typeinfo.testing.strategies.specimens import Path, Specimens
from typeinfo.testing.strategies.values import ValuesError

__all__ = ["SpecimenBatch", "simplest"]

_TRIALS = 600


@dataclass(frozen=True, slots=True)
class SpecimenBatch:
    """A batch of specimens.

    Args:
        specimens: their specimens.
        numbers: their numbers.
        chosen: for each number, what is chosen instead of what is usual; see ``Specimens.made``.
    """

    specimens: Specimens
    numbers: tuple[int, ...]
    chosen: Mapping[tuple[int, Path], int] = field(default_factory=dict)

    @staticmethod
    def of(specimens: Specimens) -> SpecimenBatch:
        """Return the batch of all specimens."""
        return SpecimenBatch(specimens, tuple(range(specimens.count)))

    def possible(self) -> SpecimenBatch:
        """Return the batch without specimens that a class refuses."""
        return replace(self, numbers=tuple(filter(self._is_possible, self.numbers)))

    def _is_possible(self, number: int) -> bool:
        try:
            self.specimens.made(number)
        except ValuesError:
            return False
        return True

    def made(self) -> tuple[list[Any], dict[tuple[int, Path], int]]:
        """Return newly made values, with the choices made for each."""
        values: list[Any] = []
        choices: dict[tuple[int, Path], int] = {}
        for number in self.numbers:
            chosen = {path: choice for (of, path), choice in self.chosen.items() if of == number}
            value, made = self.specimens.made(number, chosen)
            values.append(value)
            choices |= {(number, path): choice for path, choice in made.items()}
        return values, choices


def simplest(found: LawViolation, batch: SpecimenBatch) -> LawViolation:
    """Return the violation of the simplest batch that is found to break the law as this one does.

    Specimens are left out, the last ones first; then, in those left, all that can be chosen is chosen as the
    simplest that still breaks the law, first of many places together, then of each alone.
    """
    search = _Simplifying(found, batch)
    length = len(batch.numbers) // 2
    while length:
        end = len(search.batch.numbers)
        while end > 0:
            numbers = search.batch.numbers
            start = max(end - length, 0)
            search.tries(SpecimenBatch(batch.specimens, numbers[:start] + numbers[end:]))
            end = start
        length //= 2
    _choose_less(search)
    return search.found


def _choose_less(search: _Simplifying) -> None:
    length = max(len(search.choices) // 2, 1)
    while length:
        places = [place for place, choice in search.choices.items() if choice]
        for start in range(0, len(places), length):
            search.tries(search.with_choices(dict.fromkeys(places[start : start + length], 0)))
        length //= 2
    for place, most in search.choices.items():
        for less in range(1, most):
            if search.tries(search.with_choices({place: less})):
                break


@dataclass(slots=True)
class _Simplifying:
    """The simplest batch so far."""

    found: LawViolation
    batch: SpecimenBatch
    trials: int = 0

    @property
    def choices(self) -> dict[tuple[int, Path], int]:
        return self.batch.made()[1]

    def with_choices(self, chosen: Mapping[tuple[int, Path], int]) -> SpecimenBatch:
        return SpecimenBatch(self.batch.specimens, self.batch.numbers, {**self.batch.chosen, **chosen})

    def tries(self, batch: SpecimenBatch) -> bool:
        """Keep a batch if the law is broken by it as well."""
        self.trials += 1
        if self.trials > _TRIALS:
            return False
        try:
            self.found.law.verify(self.found.subject, batch.made()[0])
        except LawViolation as violation:
            self.found, self.batch = violation, batch
            return True
        return False
