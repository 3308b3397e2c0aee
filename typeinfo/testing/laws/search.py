"""The search for a batch that violates a law."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.strategies import SearchStrategy

from typeinfo.errors import PyStreamError
from typeinfo.testing.laws.long_values import hold_for_long_values
from typeinfo.testing.laws.subject import LawViolation, Subject
from typeinfo.testing.laws.written import written_texts
from typeinfo.testing.strategies.specimens import QUIET, Path, Specimens
from typeinfo.testing.strategies.values import ValuesError, batches_of
from typeinfo.testing.strategies.values import values as values_of

if TYPE_CHECKING:
    from typeinfo.testing.laws.law import Law

__all__ = ["hold"]

T = TypeVar("T")

_SMALL, _CROWD = 6, 40
"""Sizes of batches: of most, and of those in which equal or similar values are likely to meet."""
_BEFORE = 2
"""The number of batches tried before the search: an empty one, and one of all specimens."""
_LONG_FROM = 20
"""From how many examples on long values are tried as well."""


class _Broken(Exception):  # noqa: N818 - never leaves the search
    """Reports a violation to Hypothesis, which formats each exception; a `LawViolation` is long."""


def hold(
    laws: Sequence[Law],
    subject: Subject,
    values: Sequence[Any] | None,
    strategy: SearchStrategy[Any] | None,
    examples: int,
) -> None:
    """Check laws for one batch, or for one of all specimens and then for batches that Hypothesis makes.

    Raises:
        LawViolation: one does not hold.
        ValuesError: a value of the type cannot be made.
    """
    if values is not None:
        for law in laws:
            law.verify(subject, list(values))
        return
    if strategy is not None:
        _search(laws, subject, _batches(strategy), examples)
        return
    elements, unmade = values_of(subject.type), None
    probing = [law for law in laws if law.probes]
    try:
        _try_specimens([law for law in laws if not law.varies], subject, elements, examples)
        if probing:
            _try_written_texts(probing, subject)
    except ValuesError as error:
        unmade = error
    if unmade is not None:
        _search((), subject, batches_of(elements), examples)  # raises for the simplest arguments
        raise ValuesError(*unmade.args)
    if examples > _BEFORE:
        _search(laws, subject, _batches(elements), examples - _BEFORE)
    if examples >= _LONG_FROM:
        hold_for_long_values(probing, subject)


def _batches(elements: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    """Return a strategy of small batches, and of larger ones in which equal or similar values often meet."""
    return st.sampled_from([*[(0, _SMALL)] * 7, (_CROWD // 2, _CROWD)]).flatmap(
        lambda sizes: batches_of(elements, min_size=sizes[0], max_size=sizes[1])
    )


def _try_specimens(
    laws: Sequence[Law], subject: Subject, elements: SearchStrategy[Any], examples: int
) -> None:
    """Check laws for an empty batch, then all specimens; search for the smallest batch that violates one."""
    specimens = Specimens(subject.type)
    numbers = range(specimens.count)
    found = _broken(laws, subject, []) or _broken(laws, subject, [specimens.made(n)[0] for n in numbers])
    if found is not None:
        _search([found.law], subject, batches_of(elements), examples)
        raise _simplest(found, specimens, numbers)


def _try_written_texts(laws: Sequence[Law], subject: Subject) -> None:
    """Check laws for the texts that the serializer itself writes around texts."""
    texts = written_texts(subject)
    specimens = Specimens(subject.type, ["", *texts])
    numbers = []
    for number in range(specimens.count if texts else 0):
        with suppress(ValuesError):  # a class may refuse the texts
            specimens.made(number)
            numbers.append(number)
    found = _broken(laws, subject, [specimens.made(number)[0] for number in numbers])
    if found is not None:
        raise _simplest(found, specimens, numbers)


def _simplest(found: LawViolation, specimens: Specimens, numbers: Sequence[int]) -> LawViolation:
    """Return a violation by as few specimens, and with as simple values, as possible."""

    def violation(some: Sequence[int], kept: list[tuple[int, Path]] | None = None) -> LawViolation | None:
        values = []
        for number in some:
            paths = None if kept is None else [path for of, path in kept if of == number]
            with suppress(ValuesError):  # a class may refuse what is simpler
                values.append(specimens.made(number, paths)[0])
        return _broken([found.law], found.subject, values)

    fewest = _fewest(numbers, violation)
    places = [(number, path) for number in fewest for path in specimens.made(number)[1]]
    return violation(fewest, _fewest(places, partial(violation, fewest))) or found


def _broken(laws: Sequence[Law], subject: Subject, values: list[Any]) -> LawViolation | None:
    for law in laws:
        try:
            law.verify(subject, values[:_SMALL] if law.varies else values)
        except LawViolation as violation:
            return violation
    return None


def _search(laws: Sequence[Law], subject: Subject, batches: SearchStrategy[list[Any]], examples: int) -> None:
    """Search for a batch that violates a law, and for the smallest one that violates the same law.

    Raises:
        LawViolation: one was found.
        ValuesError: a value cannot be made; the arguments are the simplest.
    """
    broken: list[LawViolation] = []

    @settings(QUIET, max_examples=examples)
    @given(batches)
    def holds(batch: list[Any]) -> None:
        violation = _broken([broken[0].law] if broken else laws, subject, batch)
        if violation is not None:
            broken.append(violation)
            raise _Broken

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # of long values, which are wanted here
            holds()
        return
    except _Broken:
        found: PyStreamError = _without_unneeded(broken[-1])  # Hypothesis ends with the smallest
    except Flaky:  # what depends on the batches before does not fail each time
        found = _without_unneeded(min(broken, key=_size))
    except ValuesError as error:
        found = ValuesError(*error.args)
    raise found  # out here, so that the traceback has nothing of the search


def _size(violation: LawViolation) -> tuple[int, int]:
    return len(violation.values), len(repr(violation.values))


def _without_unneeded(found: LawViolation) -> LawViolation:
    """Return the violation without the unneeded values that Hypothesis leaves in it."""
    laws, subject = [found.law], found.subject
    fewest = _fewest(found.values, lambda values: _broken(laws, subject, values))
    return _broken(laws, subject, fewest) or found


def _fewest(items: Sequence[T], violation: Callable[[list[T]], object]) -> list[T]:
    """Return a small part of the items that still violates a law; leave out halves first, then less."""
    fewest, length = list(items), max(len(items) // 2, 1)
    while length:
        for end in range(len(fewest), 0, -length):
            rest = fewest[: max(end - length, 0)] + fewest[end:]
            fewest = rest if violation(rest) else fewest
        length //= 2
    return fewest
