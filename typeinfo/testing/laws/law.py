"""Law: a statement about all types and their serializers, checked by examples."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from typeinfo.info import TypeInformation
from typeinfo.testing.laws.search import hold
from typeinfo.testing.laws.subject import Checked, LawViolation, Subject
from typeinfo.testing.reproduction import source
from typeinfo.testing.sameness import same

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["Law", "assert_kept", "assert_same", "law", "require"]


class Law:
    """A statement that a function checks for one batch of values; called, it searches for a batch that fails.

    Made by decorating the function with ``law``; it takes a `Subject` and a list of values, and raises an
    AssertionError that says what was lost or changed. Any other error of a serializer violates the law, too.
    """

    def __init__(
        self,
        holds: Callable[[Subject, list[Any]], None],
        applies: Callable[[TypeInformation[Any]], bool] | None = None,
        context: str = "",
        probes: bool = False,
        varies: bool = False,
    ) -> None:
        self._holds = holds
        self.probes = probes
        self.varies = varies
        self._applies = applies
        self._context = context
        self.__name__: str = holds.__name__
        self.__qualname__ = holds.__name__
        self.__module__ = "typeinfo.testing.laws"
        self.__doc__ = holds.__doc__

    @property
    def name(self) -> str:
        """The name without the prefix ``check_``."""
        return self.__name__.removeprefix("check_")

    @property
    def statement(self) -> str:
        """The law in a sentence."""
        return (self.__doc__ or "").partition("\n")[0]

    def applies(self, t: TypeInformation[Any]) -> bool:
        """Return whether the law applies to a type."""
        return self._applies is None or self._applies(t)

    def __call__(
        self,
        subject: Checked,
        values: Sequence[Any] | None = None,
        *,
        strategy: SearchStrategy[Any] | None = None,
        examples: int = 100,
    ) -> None:
        """Check the law for some values, or search for values that violate it.

        Args:
            subject: a type, a class that ``Types.of`` knows, a `TypeSerializer` or a `Subject`.
            values: one batch of values, as the serializer returns them; with ``None``, Hypothesis makes
                batches, always the same ones.
            strategy: makes single values, where ``typeinfo.testing.strategies.values`` is not to.
            examples: how many batches are tried.

        Raises:
            LawViolation: the law does not hold; the values are as few and small as Hypothesis found.
        """
        hold((self,), Subject.of(subject), values, strategy, examples)

    def verify(self, subject: Subject, values: list[Any]) -> None:
        """Check the law for one batch, which is left as it is.

        Raises:
            LawViolation: the law does not hold.
        """
        try:
            # a broken serializer may change the values, or keep something of the batches before
            self._holds(subject.fresh(), copy.deepcopy(values))
        except AssertionError as error:
            raise LawViolation(self, subject, values, str(error), self._context) from None
        except Exception as error:
            reason = f"{type(error).__name__} was raised: {error}"
            raise LawViolation(self, subject, values, reason, self._context) from error

    def __repr__(self) -> str:
        return self.__name__


def law(
    applies: Callable[[TypeInformation[Any]], bool] | None = None,
    *,
    probes: bool = False,
    varies: bool = False,
) -> Callable[[Callable[[Subject, list[Any]], None]], Law]:
    """Turn a function into the law it checks.

    Args:
        applies: returns whether the law applies to a type; by default, it applies to all.
        probes: whether it is checked with texts that its serializer writes, and with lists and batches of
            tens of thousands, too.
        varies: whether it tries many variations of each value, so that it is checked with small batches only.
    """
    return partial(Law, applies=applies, probes=probes, varies=varies)


def require(kept: bool, message: str) -> None:
    """Raise an AssertionError if something does not hold."""
    if not kept:  # no assert statement: a law holds under python -O as well
        raise AssertionError(message)


def assert_same(found: Sequence[Any], expected: Sequence[Any], message: str, *, kinds: bool = True) -> None:
    """Require that nothing distinguishes two batches."""
    require(isinstance(found, (list, tuple)), f"{message}: a list became {type(found).__name__}, {found!r}")
    require(len(found) == len(expected), f"{message}: {len(expected)} values became {len(found)}")
    for index, (left, right) in enumerate(zip(found, expected, strict=True)):
        if not same(left, right, kinds=kinds):  # values are written only if they are shown, as some are long
            raise AssertionError(f"{message}: element {index}, {source(right)}, became {source(left)}")


def assert_kept(
    values: Sequence[Any],
    before: Sequence[Any],
    message: str,
    read_again: Callable[[list[Any]], list[Any]],
) -> None:
    """Require that values are unchanged, except for parts that are not written, such as a memo.

    Args:
        values: the values written.
        before: copies made before.
        message: the message if they have changed.
        read_again: returns what is read of values once they are written.
    """
    try:
        assert_same(values, before, message)
    except AssertionError:
        now, then = (read_again(copy.deepcopy(list(batch))) for batch in (values, before))
        if len(now) != len(then) or not all(map(same, now, then)):
            raise
