"""How a failure in user code travels from a worker to the driver: as data inside the exception's text."""

from __future__ import annotations

import base64
import json
import pickle
import re
import sys
import traceback
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from operator import length_hint
from typing import Any, Final, TypeVar

__all__ = [
    "USER_ERRORS",
    "ElementFailure",
    "FailureReport",
    "OperatorLabel",
    "TaskFailure",
    "call_each",
    "find_report",
    "short_repr",
]

T = TypeVar("T")
U = TypeVar("U")

USER_ERRORS: Final = (Exception, SystemExit)
"""What user code may raise; an exit would end the worker without a word."""

_MARK = "pystream-failure:"
_PATTERN = re.compile(re.escape(_MARK) + r"([A-Za-z0-9+/=]+)")
_REPR_LIMIT = 200
_SUMMARY_LIMIT = 2_000
_TRACE_LIMIT = 20_000
_PICKLE_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class OperatorLabel:
    """What a user calls an operator, for messages.

    Attributes:
        name: its display name.
        uid: its stable id.
        function: the user's function and where it is defined, empty where there is none.
        call_site: ``file:line`` where the operator was added to the program.
    """

    name: str
    uid: str
    function: str
    call_site: str

    def __str__(self) -> str:
        parts = [f"uid {self.uid}"]
        if self.function:
            parts.append(self.function)
        if self.call_site:
            parts.append(f"added at {self.call_site}")
        return f"{self.name!r} ({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class FailureReport:
    """What went wrong on a worker.

    Attributes:
        operator: the operator that failed, as text.
        summary: the exception's class and message.
        element: short repr of the element being worked on, empty if none was.
        key: short repr of its key, empty if it has none.
        trace: the traceback, from the first frame of user code on.
        exception: the pickled exception, base64, empty where it cannot be pickled or is huge.
    """

    operator: str
    summary: str
    element: str
    key: str
    trace: str
    exception: str

    def original(self) -> BaseException | None:
        """Return the exception as raised, if it could travel."""
        if not self.exception:
            return None
        try:
            value = pickle.loads(base64.b64decode(self.exception))
        except Exception:  # noqa: BLE001 - any class may fail to rebuild itself; the text is kept anyway
            return None
        return value if isinstance(value, BaseException) else None

    def message(self) -> str:
        """Return the text a user reads."""
        element = f"\n  element: {self.element}" if self.element else ""
        key = f"\n  key: {self.key}" if self.key else ""
        trace = f"\n\n{self.trace}" if self.trace else ""
        return f"operator {self.operator} failed: {self.summary}{element}{key}{trace}"


class ElementFailure(Exception):  # noqa: N818 - as TaskFailure
    """Carry the element on which user code failed; what it raised is the cause."""

    def __init__(self, element: Any) -> None:
        super().__init__(f"failed on {short_repr(element)}")
        self.element = element


class TaskFailure(Exception):  # noqa: N818 - Flink's word
    """Carry a FailureReport through an engine that keeps only an exception's text."""

    def __init__(self, report: FailureReport) -> None:
        # The report itself comes last: where the engine shows this text, it is the message that is read.
        encoded = base64.b64encode(zlib.compress(json.dumps(asdict(report)).encode())).decode()
        super().__init__(f"{report.message()}\n\n{_MARK}{encoded}")
        self.report = report

    @staticmethod
    def of(label: OperatorLabel, error: BaseException, element: str = "", key: str = "") -> TaskFailure:
        """Describe an exception raised by an operator."""
        if isinstance(error, TaskFailure):
            return error
        if isinstance(error, ElementFailure) and error.__cause__ is not None:
            return TaskFailure.of(label, error.__cause__, short_repr(error.element), key)
        return TaskFailure(
            FailureReport(
                operator=str(label),
                summary=_summary(error),
                element=element,
                key=key,
                trace=_user_trace(error),
                exception=_pickled(error),
            )
        )


def find_report(text: str) -> FailureReport | None:
    """Return the report inside an engine's error text, if there is one."""
    match = _PATTERN.search(text)
    if match is None:
        return None
    return FailureReport(**json.loads(zlib.decompress(base64.b64decode(match.group(1)))))


def call_each(function: Callable[..., U], values: list[Any], *others: Iterable[Any]) -> list[U]:
    """Return what a user's function gives for each element, and for what stands beside it in the others.

    Raises:
        ElementFailure: the function raised.
    """
    remaining = iter(values)
    try:
        results = list(map(function, remaining, *others))
        if len(results) < len(values):
            # map() takes a StopIteration from the function for the end of the input.
            raise RuntimeError("the function raised StopIteration")
    except USER_ERRORS as error:
        raise ElementFailure(values[len(values) - length_hint(remaining) - 1]) from error
    return results


def short_repr(value: Any) -> str:
    """Return ``repr(value)``, cut to a length that fits a message; never raises."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return _cut(text, _REPR_LIMIT)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _summary(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception as second:  # noqa: BLE001 - a user's __str__ may raise anything
        said = f"<its text cannot be had: __str__ raises {type(second).__name__}>"
    return _cut(f"{type(error).__name__}: {said}", _SUMMARY_LIMIT)


def _user_trace(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    inside = tuple(sys.modules[name].__path__[0] for name in ("pystream", "typeinfo"))
    first = next((i for i, f in enumerate(frames) if not f.filename.startswith(inside)), None)
    if first is None:
        return ""
    shown = frames[first:]
    while shown and shown[-1].filename.startswith(inside):
        shown.pop()
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(shown)]
    shortened = _cut("".join(lines), _TRACE_LIMIT) + _cut(_last_lines(error), _SUMMARY_LIMIT)
    return shortened.rstrip()


def _last_lines(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error))


def _pickled(error: BaseException) -> str:
    try:
        pickled = pickle.dumps(error)
    except Exception:  # noqa: BLE001 - any attribute of an exception may refuse to be pickled
        return ""
    return base64.b64encode(pickled).decode() if len(pickled) <= _PICKLE_LIMIT else ""
