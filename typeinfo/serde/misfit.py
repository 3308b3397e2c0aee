"""The errors for values that do not fit their type, in uniform wording."""

from __future__ import annotations

import reprlib
from typing import Any

from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

__all__ = ["misfit", "names_fault", "short_repr", "with_article", "within"]

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
    """Return the error text for field names that do not match."""
    faults = [f"{what} {names}" for what, names in (("lacks", missing), ("has unknown", unknown)) if names]
    return f"{short_repr(value)} {' and '.join(faults)}"


def within(error: TypeCheckError, segment: str, index: int | None) -> TypeCheckError:
    """Return an error inside a part as an error of the whole at ``index``."""
    return TypeCheckError(error.message, segment + error.path, index)
