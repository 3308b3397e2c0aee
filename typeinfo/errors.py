"""Errors of the type system, and the root of all errors of the project."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, Any

from typeinfo.notebook import rendered

if TYPE_CHECKING:
    from typeinfo.info import TypeInformation

__all__ = [
    "OutOfRangeError",
    "PyStreamError",
    "TypeCheckError",
    "TypeInferenceError",
    "UnsupportedTypeError",
    "misfit",
    "names_fault",
    "short_repr",
    "shorten",
    "summarize",
    "with_article",
]


class PyStreamError(Exception):
    """Base class of all errors that this project raises on purpose."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows: the frames of the program, and the message."""
        return rendered(self)


class TypeCheckError(PyStreamError, TypeError):
    """A value does not fit its declared type.

    Args:
        message: the fault and its remedy, without the place.
        path: path of the value inside the element, e.g. ``.tags[3]``; empty for the element itself.
        index: position of the element in the validated batch, if any.
    """

    def __init__(self, message: str, path: str = "", index: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.index = index

    def within(self, segment: str, index: int | None) -> TypeCheckError:
        """Return this error for the value that contains the faulty one.

        Args:
            segment: the path from the containing value; empty for the value itself.
            index: position of the containing value in its column.
        """
        return TypeCheckError(self.message, segment + self.path, index)

    def __str__(self) -> str:
        return f"value{self.path}: {self.message}" if self.path else self.message

    def __reduce__(self) -> tuple[type[TypeCheckError], tuple[str, str, int | None]]:
        return type(self), (self.message, self.path, self.index)


class UnsupportedTypeError(PyStreamError, TypeError):
    """A type has no counterpart in the other type system, or is invalid."""


class OutOfRangeError(PyStreamError, ValueError):
    """A part of a value is out of range; the message names it and its bounds."""


class TypeInferenceError(PyStreamError, TypeError):
    """No type can be derived from a Python annotation."""


_SUMMARY_LIMIT = 2_000

_repr = reprlib.Repr()
_repr.maxstring = _repr.maxother = 80


def short_repr(value: Any) -> str:
    """Return a repr of at most about 80 characters per part; never fails."""
    try:
        return _repr.repr(value)
    except ValueError:  # Python refuses to format integers of thousands of digits
        return f"<{type(value).__qualname__} too long to write>"
    except Exception as error:  # noqa: BLE001 - the repr or hash of a user's class may raise anything
        return f"<{type(value).__qualname__} whose repr raises {type(error).__name__}>"


def shorten(text: str, limit: int) -> str:
    """Truncate text to a number of characters, and append its full length."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def summarize(error: BaseException) -> str:
    """Return the class name and the message of an exception; never fails."""
    try:
        message = str(error)
    except BaseException as second:  # noqa: BLE001 - a user's __str__ may raise anything
        message = f"<no message: __str__ raises {type(second).__name__}>"
    return shorten(f"{type(error).__name__}: {message}" if message else type(error).__name__, _SUMMARY_LIMIT)


def with_article(name: str) -> str:
    """Return a name after "a" or "an"; a first ``U`` counts as in UUID and Union."""
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"


def misfit(value: Any, t: TypeInformation[Any], remedy: str = "") -> TypeCheckError:
    """Return the error for a value of the wrong class."""
    given = "None" if value is None else f"{short_repr(value)} ({type(value).__qualname__})"
    return TypeCheckError(
        f"{given} is not {with_article(t.display_name())}" + (f"; {remedy}" if remedy else "")
    )


def names_fault(value: Any, missing: list[str], unknown: list[str]) -> str:
    """Return the message for field names that do not match."""
    faults = [f"{what} {names}" for what, names in (("lacks", missing), ("has unknown", unknown)) if names]
    return f"{short_repr(value)} {' and '.join(faults)}"
