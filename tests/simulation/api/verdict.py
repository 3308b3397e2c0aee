"""What an error must be: one of the project's, short, about the call, and with a way out."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pystream.errors import PyStreamError

__all__ = ["judged"]

_SECONDS = 60
_LONGEST = 2_500
_OF_A_LIBRARY = re.compile(
    r"sqlglot|py4j|pyarrow\.lib|fastavro|has no attribute '_|' object |not supported between"
    r"|expected string or bytes|positional argument|unhashable|embedded null|recursion|codec can't"
)
_WAY_OUT = re.compile(
    r"\b(must|are a|are strings|does not exist|no field|takes?"
    r"|use|needs?|write|make|call|declare|set|give|add|choose|such as|one of|did you mean|allowed"
    r"|only|cannot|there is no|there are|is not|are not|no such|not supported|expects?|of \d+|from \d+|name"
    r"|help|has no|is taken|or|first|instead|lacks?|correct|invalid|outside|refuses?|at|without|already|empty"
    r"|exists|smaller|examples|among|Expecting|Invalid element type)\b"
)


class _HangError(BaseException):
    """A call has not returned in time."""


def judged(call: Callable[[], Any], subjects: list[str], *, quotes_program: bool = False) -> Any:
    """Return the result of a call, ``None`` if it is refused as it should be.

    Args:
        call: the call.
        subjects: names, one of which an error must mention.
        quotes_program: whether an error may hold a text of the program, such as that of its exceptions.

    Raises:
        AssertionError: the error is not one that helps.
    """
    with _time_limit():
        try:
            return call()
        except PyStreamError as error:
            text = str(error)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__} of others: {_text(error)}") from error
        except _HangError:
            raise AssertionError(f"no answer in {_SECONDS} s") from None
    assert text, "an error without a message"
    assert len(text) <= _LONGEST * (2 if quotes_program else 1), f"{len(text)} characters: {text[:200]}"
    assert quotes_program or not _OF_A_LIBRARY.search(text), f"a library's words: {text[:300]}"
    folded = _folded(text)
    assert any(_folded(subject) in folded for subject in subjects), f"names none of {subjects}: {text[:300]}"
    assert _WAY_OUT.search(text), f"says no way out: {text[:300]}"
    return None


def _text(error: BaseException) -> str:
    try:
        return str(error)[:300]
    except Exception:  # noqa: BLE001 - it may come from a hostile object
        return "(its text raises)"


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


@contextmanager
def _time_limit() -> Iterator[None]:
    def expire(*_: object) -> None:
        raise _HangError

    former = signal.signal(signal.SIGALRM, expire)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
