"""Arguments that are wrong almost everywhere."""

from __future__ import annotations

from random import Random
from typing import Any, NoReturn

__all__ = ["Hostile", "hostile_values"]


class Hostile:
    """An object whose special methods all raise."""

    def _refuse(self, *arguments: object) -> NoReturn:
        raise RuntimeError("a special method of a hostile object")

    __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = _refuse  # type: ignore[assignment]


def _nested(depth: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    return nested


def _recursive() -> list[Any]:
    recursive: list[Any] = []
    recursive.append(recursive)
    return recursive


_PLAIN: tuple[Any, ...] = (
    *(None, True, False, ..., 0, -1, 1, 3, 2**31, 2**63, 2**70, -(2**70), 10**5_000),
    *(0.0, -1.5, 1.5, float("nan"), float("inf")),
    *("", "a", "a\0b", "\ud800", "a\nb", "☃", "../x", ".x", "_x", "no such", "/", " ", "x" * 100_000),
    *(b"", b"x", (), [], {}, set(), [None], [1, "a"], [""], {1: 2}, {"a": None}, ("a", 1)),
    *(int, type, Hostile, object, len),
)


def hostile_values(random: Random) -> Any:
    """Return a wrong argument."""
    made = (
        object,
        Hostile,
        _recursive,
        lambda: _nested(3_000),
        lambda: lambda: 1,
        lambda: lambda *_: Hostile(),
    )
    return random.choice(made)() if random.random() < 0.25 else random.choice(_PLAIN)
