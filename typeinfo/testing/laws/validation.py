"""Laws of validation: which values are accepted, unchanged or converted, and which are rejected."""

from __future__ import annotations

import copy
from typing import Any

from typeinfo.errors import TypeCheckError
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.testing.accepted_forms import other_form
from typeinfo.testing.invalid_values import Misfit, misfits
from typeinfo.testing.laws.law import assert_kept, assert_same, law, require
from typeinfo.testing.laws.subject import Subject

__all__ = ["check_conforming", "check_misfits_refused", "check_other_forms"]

_LONGEST = 10_000
"""The maximum length of the repr of a value whose parts are made invalid."""


@law()
def check_conforming(subject: Subject, values: list[Any]) -> None:
    """Valid values conform unchanged, in order; a batch that has conformed is returned as it is."""
    t, serializer = subject.type, subject.serializer
    before = copy.deepcopy(values)
    conformed = serializer.conform(values)
    message = f"conform changed the values of {t} it was given"
    assert_kept(values, before, message, lambda batch: serializer.deserialize(serializer.serialize(batch)))
    assert_same(conformed, values, f"conform changed values of {t}")
    require(serializer.conform(conformed) is conformed, f"conforming values of {t} twice copies them")


@law()
def check_other_forms(subject: Subject, values: list[Any]) -> None:
    """Other forms that a type accepts, such as a list for a tuple, are converted to the same values."""
    t, serializer = subject.type, subject.serializer
    others = [other_form(t, value) for value in copy.deepcopy(values)]
    before = copy.deepcopy(others)
    conformed = serializer.conform(others)
    message = f"conform changed the values of {t} it was given"
    assert_kept(others, before, message, lambda batch: serializer.from_batch(serializer.to_batch(batch)))
    usual = serializer.conform(copy.deepcopy(values))
    assert_same(conformed, usual, f"other forms of values of {t} do not conform to them", kinds=False)
    columns = serializer.from_batch(serializer.to_batch(others))
    assert_same(columns, values, f"columns of other forms of values of {t} are not the same", kinds=False)


@law(applies=lambda t: not isinstance(t, PickledBytesTypeInfo), varies=True)
def check_misfits_refused(subject: Subject, values: list[Any]) -> None:
    """A value that is wrong in one place is refused, not coerced, and the error names element and place."""
    t = subject.type
    # each value is validated with each of its parts wrong: long values and batches would take long
    short = [value for value in values if len(repr(value)) <= _LONGEST] or values[:1]
    for position, value in enumerate(short):
        around = short[:2] if position else short
        for misfit in misfits(t, value):
            _refuse(subject, misfit, around)


def _refuse(subject: Subject, misfit: Misfit, around: list[Any]) -> None:
    t, serializer = subject.type, subject.serializer
    index = len(around) // 2
    batch = [*around[:index], misfit.value, *around[index:]]
    for look in (serializer.conform, serializer.to_batch):
        try:
            kept: Any = look(batch)
        except TypeCheckError as error:
            if (error.index, error.path) != (index, misfit.path):
                place, named = f"{index}, {misfit.path!r}", f"{error.index}, {error.path!r}"
                raise AssertionError(
                    f"{misfit.value!r} is wrong for {t} at element {place}, but said to be at element {named}"
                ) from None
        else:
            raise AssertionError(f"{misfit.value!r} is wrong for {t} at {misfit.path!r}, but taken as {kept}")
