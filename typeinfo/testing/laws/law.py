"""Law: a statement about every type and its serializer, and how it is held against examples."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import TypeForm

from typeinfo.errors import PyStreamError, UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.keys import key_refusal
from typeinfo.serde import TypeSerializer, serializer_for
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.reproduction import reproduction, source
from typeinfo.testing.sameness import same
from typeinfo.types import Types

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "Checked",
    "Law",
    "LawViolation",
    "Subject",
    "assert_kept",
    "assert_same",
    "law",
    "refuses_keys",
    "require",
]


_CONTAINERS = (list, dict, set, bytearray)


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a law: a type, the serializer of its values and their key encoding.

    Args:
        type: the type of the values.
        serializer: carries them.
        encode_key: encodes one of them as key; ``None`` if values of the type are no keys.
        source: the caller's argument, from which a reproduction is written.
    """

    type: TypeInformation[Any]
    serializer: TypeSerializer[Any]
    encode_key: Callable[[Any], bytes] | None
    source: Any = field(default=None, compare=False)

    @staticmethod
    def of(given: Checked) -> Subject:
        """Return the subject for a type, a class that ``Types.of`` knows, or a serializer.

        Raises:
            TypeInferenceError: there is no type for a class.
        """
        if isinstance(given, Subject):
            return given
        if isinstance(given, TypeSerializer):
            t: TypeInformation[Any] = given.type
            serializer = given
        else:
            t = given if isinstance(given, TypeInformation) else Types.of(given)
            serializer = serializer_for(t)
        return Subject(t, serializer, None if key_refusal(t) else key_encoder(t), given)

    def fresh(self) -> Subject:
        """Return the subject with a serializer in the state in which it was given."""
        if not isinstance(self.source, TypeSerializer):
            return self
        twin = object.__new__(type(self.serializer))
        for name, value in vars(self.serializer).items():
            setattr(twin, name, copy.copy(value) if isinstance(value, _CONTAINERS) else value)
        return replace(self, serializer=twin)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the caller's argument."""
        given = self.source
        if given is None:
            printer.repr_call("Subject", [self.type, self.serializer, self.encode_key], {}, force_split=False)
        else:  # what else Types.of knows, such as list[int], is not printed as Python's types
            printer.pretty(given if isinstance(given, (type, TypeSerializer)) else self.type)


Checked: TypeAlias = "TypeForm[Any] | TypeInformation[Any] | TypeSerializer[Any] | Subject"
"""Argument of laws: a type, a class that ``Types.of`` knows, a serializer or a subject."""


class LawViolation(PyStreamError, AssertionError):  # noqa: N818 - as one says it
    """Report that a law does not hold.

    Args:
        law: the law.
        subject: the subject of the check.
        values: the batch it does not hold for, as small as it was found.
        reason: the difference.
        context: arguments of the law to be given again, as source.
    """

    def __init__(self, law: Law, subject: Subject, values: list[Any], reason: str, context: str = "") -> None:
        self.law = law
        self.subject = subject
        self.values = values
        self.reason = reason
        self.context = context
        super().__init__(reason)

    def reproduction(self) -> str:
        """Return a program that violates the law again.

        What it cannot import or write down, such as a class defined in a function, it names in a comment.
        """
        return reproduction(self.law.__name__, self.subject, self.values, context=self.context)

    def __str__(self) -> str:
        pasted = "\n".join(f"    {line}".rstrip() for line in self.reproduction().split("\n"))
        return (
            f"{self.law.__name__} does not hold for {self.subject.type}: {self.reason}\n"
            f"  law: {self.law.statement}\n  values: {source(self.values)}\n"
            f"  reproduce it with:\n\n{pasted}\n"
        )


class Law:
    """A statement that a function checks for one batch of values; called, it searches for a batch that fails.

    Made by decorating the function with ``law``; it takes a `Subject` and a list of values, and raises an
    AssertionError that says what was lost or changed. Whatever else a serializer raises breaks the law too.
    """

    def __init__(
        self,
        holds: Callable[[Subject, list[Any]], None],
        applies: Callable[[TypeInformation[Any]], bool] | None = None,
        context: str = "",
        compares: bool = False,
        grows: bool = False,
        probes: bool = False,
        specimens: bool = True,
    ) -> None:
        self._holds = holds
        self.compares = compares
        self.grows = grows
        self.probes = probes
        self.specimens = specimens
        self._applies = applies
        self._context = context
        self.__name__: str = holds.__name__
        self.__qualname__ = holds.__name__
        self.__module__ = "typeinfo.testing.laws"
        self.__doc__ = holds.__doc__

    @property
    def name(self) -> str:
        """The name without ``check_`` in front."""
        return self.__name__.removeprefix("check_")

    @property
    def statement(self) -> str:
        """The law in a sentence."""
        return (self.__doc__ or "").partition("\n")[0]

    def applies(self, t: TypeInformation[Any]) -> bool:
        """Return whether the law says anything about a type."""
        return self._applies is None or self._applies(t)

    def __call__(
        self,
        subject: Checked,
        values: Sequence[Any] | None = None,
        *,
        strategy: SearchStrategy[Any] | None = None,
        examples: int = 100,
    ) -> None:
        """Check the law for some values, or search for values that break it.

        Args:
            subject: a type, a class that ``Types.of`` knows, a `TypeSerializer` or a `Subject`.
            values: one batch of values, as the serializer returns them; with ``None``, Hypothesis makes
                batches, always the same ones.
            strategy: makes single values, where ``typeinfo.testing.strategies.values`` is not to.
            examples: how many batches are tried.

        Raises:
            LawViolation: the law does not hold; the values are as few and small as Hypothesis found.
        """
        from typeinfo.testing.laws.search import hold

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
    compares: bool = False,
    grows: bool = False,
    probes: bool = False,
    specimens: bool = True,
) -> Callable[[Callable[[Subject, list[Any]], None]], Law]:
    """Make a function the law it checks.

    Args:
        applies: tells whether the law says anything about a type; left out, it does about each.
        compares: whether it compares each two values, so that it is searched with larger batches as well.
        grows: whether it is searched with a few batches of hundreds of values as well.
        probes: whether it is held against texts that its serializer writes, and against lists and batches of
            tens of thousands, too.
        specimens: whether it is held against a batch of all specimens first, which takes long for a law that
            tries many variations of each value.
    """
    return partial(Law, applies=applies, compares=compares, grows=grows, probes=probes, specimens=specimens)


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


def refuses_keys(t: TypeInformation[Any]) -> bool:
    """Return whether values of a type are refused as keys, as they must be."""
    try:
        key_encoder(t)
    except UnsupportedTypeError:
        return True
    return False
