"""How a failure in user code travels from a worker to the driver: as data inside the exception's text."""

from __future__ import annotations

import base64
import json
import pickle
import re
import sys
import traceback
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["FailureReport", "OperatorLabel", "TaskFailure", "find_report", "short_repr"]

_MARK = "pystream-failure:"
_PATTERN = re.compile(re.escape(_MARK) + r"([A-Za-z0-9+/=]+)")
_REPR_LIMIT = 200


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
        trace: the traceback, from the first frame of user code on.
        exception: the pickled exception, base64, empty where it cannot be pickled.
    """

    operator: str
    summary: str
    element: str
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
        trace = f"\n\n{self.trace}" if self.trace else ""
        return f"operator {self.operator} failed: {self.summary}{element}{trace}"


class TaskFailure(Exception):  # noqa: N818 - Flink's word
    """Carry a FailureReport through an engine that keeps only an exception's text."""

    def __init__(self, report: FailureReport) -> None:
        encoded = base64.b64encode(json.dumps(asdict(report)).encode()).decode()
        super().__init__(f"{report.operator} failed: {report.summary}\n{_MARK}{encoded}")
        self.report = report

    @staticmethod
    def of(label: OperatorLabel, error: BaseException, element: str = "") -> TaskFailure:
        """Describe an exception raised by an operator."""
        if isinstance(error, TaskFailure):
            return error
        return TaskFailure(
            FailureReport(
                operator=str(label),
                summary=f"{type(error).__name__}: {error}",
                element=element,
                trace=_user_trace(error),
                exception=_pickled(error),
            )
        )


def find_report(text: str) -> FailureReport | None:
    """Return the report inside an engine's error text, if there is one."""
    match = _PATTERN.search(text)
    if match is None:
        return None
    return FailureReport(**json.loads(base64.b64decode(match.group(1))))


def short_repr(value: Any) -> str:
    """Return ``repr(value)``, cut to a length that fits a message; never raises."""
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a user's __repr__ may raise anything
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= _REPR_LIMIT else f"{text[:_REPR_LIMIT]}… ({len(text)} characters)"


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
    return "".join([*lines, *traceback.format_exception_only(error)]).rstrip()


def _pickled(error: BaseException) -> str:
    try:
        return base64.b64encode(pickle.dumps(error)).decode()
    except Exception:  # noqa: BLE001 - any attribute of an exception may refuse to be pickled
        return ""
