"""The search for a batch that breaks a law."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.strategies import SearchStrategy

from typeinfo.testing.laws.long_values import hold_for_long_values
from typeinfo.testing.laws.simplest import SpecimenBatch, simplest
from typeinfo.testing.laws.subject import LawViolation, Subject
from typeinfo.testing.laws.written import written_texts
from typeinfo.testing.strategies.specimens import ALL_CHECKS, Specimens
from typeinfo.testing.strategies.values import ValuesError, batches_of
from typeinfo.testing.strategies.values import values as values_of

if TYPE_CHECKING:
    from typeinfo.testing.laws.law import Law

__all__ = ["hold"]

_MANY = 40
_HUNDREDS, _LONG_EXAMPLES, _FEW = 300, 6, 18
_TRIALS = 300
_LONG_TEXT = 2_000  # what is long itself is not repeated hundreds of times
_FIND = (Phase.explicit, Phase.generate)
_SHRINK = (*_FIND, Phase.shrink)


def hold(
    laws: Sequence[Law],
    subject: Subject,
    values: Sequence[Any] | None,
    strategy: SearchStrategy[Any] | None,
    examples: int,
) -> None:
    """Hold laws against one batch, or against a batch of all specimens and then batches that are searched.

    All laws are held against each batch, so that one search does for all. The law broken first is then
    searched again alone, so that shrinking does not slip to another one.

    Raises:
        LawViolation: one does not hold.
        ValuesError: a value of the type cannot be made.
    """
    if values is not None:
        for law in laws:
            law.verify(subject, list(values))
        return
    elements = values_of(subject.type) if strategy is None else strategy
    try:
        if strategy is None:
            _try_specimens(laws, subject, elements, examples)
            _try_written_texts(laws, subject)
            examples -= 2  # batches that were tried now
        if examples > 0:
            _search_all(laws, subject, elements, examples)
        if strategy is None and examples >= _FEW:
            hold_for_long_values(laws, subject)
    except ValuesError as error:
        unmade = _smallest(error, subject, elements, examples)
    else:
        return
    raise unmade  # out here, so that the traceback has nothing of the search


def _smallest(
    error: ValuesError, subject: Subject, elements: SearchStrategy[Any], examples: int
) -> ValuesError:
    """Search again, for the simplest value that cannot be made."""
    try:
        _search((), subject, batches_of(elements), examples, _SHRINK)
    except ValuesError as smallest:
        error = smallest
    return ValuesError(*error.args)


def _try_specimens(
    laws: Sequence[Law], subject: Subject, elements: SearchStrategy[Any], examples: int
) -> None:
    """Check laws for an empty batch and for all specimens; a violation is reduced to the smallest one."""
    specimens = Specimens(subject.type)
    for batch in (SpecimenBatch(specimens, ()), SpecimenBatch.of(specimens)):
        found = _broken([law for law in laws if law.specimens], subject, batch.made()[0])
        if found is not None:
            break
    else:
        return
    smallest = _search((found.law,), subject, batches_of(elements), examples, _SHRINK)
    raise _fewest(smallest or simplest(found, batch))


def _try_written_texts(laws: Sequence[Law], subject: Subject) -> None:
    """Hold laws against the texts that the serializer itself writes around texts."""
    probed = [law for law in laws if law.probes]
    texts = written_texts(subject) if probed else []
    batch = SpecimenBatch.of(Specimens(subject.type, ["", *texts])).possible()
    found = _broken(probed, subject, batch.made()[0]) if texts else None
    if found is not None:
        raise _fewest(simplest(found, batch))


def _broken(laws: Sequence[Law], subject: Subject, values: list[Any]) -> LawViolation | None:
    for law in laws:
        try:
            law.verify(subject, values)
        except LawViolation as violation:
            return violation
    return None


def _search_all(laws: Sequence[Law], subject: Subject, elements: SearchStrategy[Any], examples: int) -> None:
    found = _search(laws, subject, batches_of(elements), examples, _FIND)
    if found is not None:
        smallest = _search((found.law,), subject, batches_of(elements), examples, _SHRINK) or found
        raise _fewest(smallest)
    for law in laws:
        if law.compares:
            found = _search((law,), subject, _many(elements), examples, _SHRINK)
            if found is not None:
                raise _fewest(found)
        if law.grows and examples >= _FEW:
            found = _search((law,), subject, _long(elements), _LONG_EXAMPLES, _SHRINK)
            if found is not None:
                raise _fewest(found)


def _fewest(found: LawViolation) -> LawViolation:
    """Return the violation without the values that are not needed for it.

    Hypothesis often gives up before it has left them all out, and is given no smaller sizes of long batches.
    """
    tried, length = 0, len(found.values) // 2
    while length:
        start = 0
        while start < len(found.values) and tried < _TRIALS:
            tried += 1
            try:
                found.law.verify(found.subject, found.values[:start] + found.values[start + length :])
            except LawViolation as violation:
                found = violation
            else:
                start += length
        length //= 2
    return found


def _many(elements: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    """Return batches of more values, so that two of them meet that a law takes for one, or for two."""
    return st.integers(0, _MANY).flatmap(lambda size: st.lists(elements, min_size=size, max_size=size))


@st.composite
def _long(draw: st.DrawFn, elements: SearchStrategy[Any]) -> list[Any]:
    """Return a batch of many copies of some values, which are quickly made."""
    some = draw(st.lists(elements, min_size=2, max_size=60))
    size = _HUNDREDS if len(repr(some)) < _LONG_TEXT else len(some)
    return [copy.deepcopy(some[i % len(some)]) for i in range(size)]


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
        suppress_health_check=ALL_CHECKS,
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)  # of long values, which are wanted here
            holds()
    except LawViolation:
        return broken[-1]  # Hypothesis ends with the smallest
    except Flaky:  # what depends on the batches before does not fail each time
        return min(broken, key=_size)
    return None


def _size(violation: LawViolation) -> tuple[int, int]:
    return len(violation.values), len(repr(violation.values))
