"""The check that an argument is of the class a call takes."""

from __future__ import annotations

from pystream.errors import PlanTypeError

__all__ = ["require"]


def require(argument: object, kind: type | tuple[type, ...], call: str, wanted: str) -> None:
    """Refuse an argument of the wrong class.

    Args:
        argument: what was given.
        kind: the class or classes the call takes.
        call: its name.
        wanted: the class in words, with an example.

    Raises:
        PlanTypeError: the argument is of another class.
    """
    if not isinstance(argument, kind):
        raise PlanTypeError(f"{call} takes {wanted}, not {argument!r}")
