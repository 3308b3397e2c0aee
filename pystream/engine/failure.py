"""Failures of user code, sent from a worker to the driver as data inside an exception's text."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from operator import length_hint
from typing import Any, TypeVar

from pystream.engine.exception_encoding import (
    decode_exception,
    encodable,
    encode_exception,
    shorten,
    summarize,
    user_traceback,
)
from typeinfo.errors import TypeCheckError

__all__ = [
    "ElementFailure",
    "FailureReport",
    "OperatorLabel",
    "TaskFailure",
    "call_each",
    "element_failures",
    "find_report",
    "guarded",
    "short_repr",
]

T = TypeVar("T")
U = TypeVar("U")

_MARK = "pystream-failure:"
_PATTERN = re.compile(re.escape(_MARK) + r"([A-Za-z0-9+/=]+)")
_REPR_LIMIT = 200


@dataclass(frozen=True, slots=True)
class OperatorLabel:
    """The name and position of an operator or of a function in a query, for messages.

    Attributes:
        name: its display name.
        uid: its stable id, empty if it has none.
        function: the user's function and where it is defined, empty where there is none.
        call_site: ``file:line`` where the operator was added to the program.
        kind: what it is.
    """

    name: str
    uid: str
    function: str
    call_site: str
    kind: str = "operator"

    def __str__(self) -> str:
        parts = [f"uid {self.uid}"] if self.uid else []
        if self.function:
            parts.append(self.function)
        if self.call_site:
            parts.append(f"added at {self.call_site}")
        return f"{self.name!r} ({', '.join(parts)})" if parts else repr(self.name)


@dataclass(frozen=True, slots=True)
class FailureReport:
    """A failure on a worker, as data.

    Attributes:
        operator: the operator that failed, as text.
        summary: the exception's class and message.
        element: short repr of the current element, empty if there was none.
        key: short repr of its key, empty if it has none.
        result: short repr of the function's result, empty unless the result is at fault.
        trace: the traceback, from the first frame of user code on, with the exceptions that led to this one.
        exception: the exception as `encode_exception` encodes it.
        kind: what failed, an operator or a function of a query.
    """

    operator: str
    summary: str
    element: str
    key: str
    result: str
    trace: str
    exception: str
    kind: str = "operator"

    def original(self) -> BaseException | None:
        """Return the original exception, if it could be sent."""
        return decode_exception(self.exception)

    def message(self) -> str:
        """Return the message for the user."""
        named = {"element": self.element, "key": self.key, "result": self.result}
        values = "".join(f"\n  {name}: {value}" for name, value in named.items() if value)
        trace = f"\n\n{self.trace}" if self.trace else ""
        return f"{self.kind} {self.operator} failed: {self.summary}{values}{trace}"


class ElementFailure(Exception):  # noqa: N818 - as TaskFailure
    """An exception in user code, with the element it failed on; the cause is the original exception."""

    def __init__(self, element: Any) -> None:
        super().__init__(f"failed on {short_repr(element)}")
        self.element = element


@contextmanager
def element_failures(elements: Sequence[Any]) -> Iterator[None]:
    """Raise the error of a batch that does not match its type as one of the element at fault.

    Args:
        elements: the batch.
    """
    try:
        yield
    except TypeCheckError as error:
        if error.index is None:
            raise
        raise ElementFailure(elements[error.index]) from error


class TaskFailure(Exception):  # noqa: N818 - Flink's word
    """An exception whose text carries a FailureReport, as some engines keep only the text."""

    def __init__(self, report: FailureReport, *, encoded: bool = True) -> None:
        # The report itself is last: if the engine shows this text, users read the message first.
        text = base64.b64encode(zlib.compress(json.dumps(asdict(report)).encode())).decode()
        super().__init__(f"{report.message()}\n\n{_MARK}{text}" if encoded else report.message())
        self.report = report

    @staticmethod
    def of(
        label: OperatorLabel, error: BaseException, element: str = "", key: str = "", result: str = ""
    ) -> TaskFailure:
        """Describe an exception raised by an operator, as text that any process can parse."""
        if isinstance(error, TaskFailure):
            return error
        if isinstance(error, ElementFailure) and error.__cause__ is not None:
            return TaskFailure.of(label, error.__cause__, short_repr(error.element), key)
        if isinstance(error, RuntimeError) and isinstance(error.__cause__, StopIteration):
            error = error.__cause__  # in a generator, Python replaces the latter by the former
        return TaskFailure(
            FailureReport(
                operator=encodable(str(label)),
                summary=encodable(summarize(error)),
                element=encodable(element),
                key=encodable(key),
                result=encodable(result),
                trace=encodable(user_traceback(error)),
                exception=encode_exception(error),
                kind=label.kind,
            )
        )


def find_report(text: str) -> FailureReport | None:
    """Return the report inside an engine's error text, or ``None``."""
    match = _PATTERN.search(text)
    if match is None:
        return None
    return FailureReport(**json.loads(zlib.decompress(base64.b64decode(match.group(1)))))


def guarded(events: Iterator[T], failure: Callable[[BaseException], TaskFailure]) -> Iterator[T]:
    """Yield from a generator that calls user code, and report exceptions in that code.

    User code may raise GeneratorExit itself, which inside the generator cannot be distinguished from the one
    that Python raises when a generator is closed.
    """
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except TaskFailure:
            raise
        except BaseException as error:
            raise failure(error) from error
        yield event


def call_each(function: Callable[..., U], values: Sequence[Any], *others: Iterable[Any]) -> list[U]:
    """Call a user's function on each element, with further arguments from the other lists.

    Raises:
        ElementFailure: the function raised.
    """
    remaining = iter(values)
    try:
        if others:
            return [function(value, *beside) for value, *beside in zip(remaining, *others, strict=False)]
        return [function(value) for value in remaining]
    except BaseException as error:
        raise ElementFailure(values[len(values) - length_hint(remaining) - 1]) from error


def short_repr(value: Any) -> str:
    """Return ``repr(value)``, truncated for messages; never raises."""
    try:
        text = repr(value)
    except BaseException as error:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return shorten(text, _REPR_LIMIT)
