"""The search for a batch that breaks a law."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from typeinfo.laws.law import Law, LawViolation, Subject
from typeinfo.strategies.values import batches, batches_of

__all__ = ["hold"]

_ALL_CHECKS: Any = list(HealthCheck)
_FIND = (Phase.explicit, Phase.generate)
_SHRINK = (*_FIND, Phase.shrink)


def hold(
    laws: Sequence[Law],
    subject: Subject,
    values: Sequence[Any] | None,
    strategy: SearchStrategy[Any] | None,
    examples: int,
) -> None:
    """Hold laws against one batch, or against batches that are searched.

    All laws are held against each batch, so that one search does for all. The law broken first is then
    searched again alone, so that shrinking does not slip to another one.

    Raises:
        LawViolation: one does not hold.
    """
    if values is not None:
        for law in laws:
            law.verify(subject, list(values))
        return
    made = batches(subject.type) if strategy is None else batches_of(strategy)
    found = _search(laws, subject, made, examples, _FIND)
    if found is not None:
        raise _search((found.law,), subject, made, examples, _SHRINK) or found


def _search(
    laws: Sequence[Law],
    subject: Subject,
    made: SearchStrategy[list[Any]],
    examples: int,
    phases: Sequence[Phase],
) -> LawViolation | None:
    broken: list[LawViolation] = []

    @settings(
        max_examples=examples,
        phases=phases,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=_ALL_CHECKS,
    )
    @given(made)
    def holds(batch: list[Any]) -> None:
        for law in laws:
            try:
                law.verify(subject, batch)
            except LawViolation as violation:
                broken.append(violation)
                raise

    try:
        holds()
    except LawViolation:
        return broken[-1]  # Hypothesis ends with the smallest
    except Flaky:  # what depends on the batches before does not fail each time
        return min(broken, key=_size)
    return None


def _size(violation: LawViolation) -> tuple[int, int]:
    return len(violation.values), len(repr(violation.values))
