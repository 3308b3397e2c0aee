"""Lists, maps and batches at the limits of counts in one and two bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from typeinfo.serde import serializer_for
from typeinfo.testing.laws.subject import Subject
from typeinfo.testing.strategies.specimens import Specimens
from typeinfo.testing.strategies.values import ValuesError, is_cheap
from typeinfo.types import Types

if TYPE_CHECKING:
    from typeinfo.testing.laws.law import Law

__all__ = ["hold_for_long_values"]

_ONE_BYTE = (127, 128, 255, 256, 257)
_TWO_BYTES = (65_535, 65_536, 65_537)

_Batch: TypeAlias = Callable[[int], list[Any]]
"""A function from a size to a batch that is, or holds, something of that size."""


def hold_for_long_values(laws: Sequence[Law], subject: Subject) -> None:
    """Check laws for long lists, maps and batches.

    With the library's own serializers, those with nested elements have hundreds of elements at most.

    Raises:
        LawViolation: one does not hold; the values are the shortest for which it does not.
    """
    for batch, sizes in _batches(subject):
        with suppress(ValuesError):  # a class may refuse what is long
            for size in sizes:
                values = batch(size)
                for law in laws:
                    law.verify(subject, values)


def _batches(subject: Subject) -> Iterator[tuple[_Batch, tuple[int, ...]]]:
    specimens, batches = (Specimens(t, [""]) for t in (subject.type, Types.LIST(subject.type)))
    is_own = subject.serializer is not serializer_for(subject.type)

    def at(depth: int, *, cheap: bool) -> _Batch:
        return lambda size: [specimens.grown(depth, size, cheap=cheap)[0]]

    for depth in count():
        try:
            _, has_grown = specimens.grown(depth, 1)
        except ValuesError:  # at any depth it is made of the same
            break
        if not has_grown:
            break
        yield at(depth, cheap=False), _ONE_BYTE
        yield at(depth, cheap=not is_own), _TWO_BYTES
    yield (
        lambda size: batches.grown(0, size)[0],
        (*_ONE_BYTE, *_TWO_BYTES) if is_own or is_cheap(subject.type) else _ONE_BYTE,
    )
