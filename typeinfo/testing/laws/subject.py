"""Subjects of laws, and the report of a law that does not hold for one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import TypeForm

from typeinfo.errors import PyStreamError
from typeinfo.info import TypeInformation
from typeinfo.keys import key_refusal
from typeinfo.serde import TypeSerializer, serializer_for
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.reproduction import reproduction, source
from typeinfo.types import Types

if TYPE_CHECKING:
    from typeinfo.testing.laws.law import Law

__all__ = ["Checked", "LawViolation", "Subject"]

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
