"""JSON paths, as Jayway JsonPath reads them, without filters and functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

__all__ = ["JsonPath", "PathNotFoundError", "found_at", "json_path"]

_MODE = re.compile(r"\s*(strict|lax)\s+(.+)", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(r"\.?\s*(?:\.\s*)?([^\s.\[\]()?*'\",$@]+)")
_QUOTED = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*""")
_INDICES = re.compile(r"\s*-?\d+\s*(?:,\s*-?\d+\s*)*")
_SLICE = re.compile(r"\s*(-?\d+)?\s*:\s*(-?\d+)?\s*")

Step = Callable[[Any], Iterator[Any]]
"""Yields what a part of a path finds in a value."""


class PathNotFoundError(Exception):
    """A path leads to nothing."""


class JsonPath(NamedTuple):
    """A path.

    Attributes:
        steps: its parts, each with whether it leads to one value.
        is_definite: whether it leads to one value; any other leads to an array of values.
        is_lax: whether a value that is not there is null, and no error.
    """

    steps: tuple[tuple[Step, bool], ...]
    is_definite: bool
    is_lax: bool


def json_path(text: str) -> JsonPath:
    """Return the path that a text is, after ``strict``, as it is unless said, or ``lax``.

    Raises:
        ValueError: it is none, or has filters or functions.
    """
    mode = _MODE.fullmatch(text)
    is_lax = mode is not None and mode[1].lower() == "lax"
    rest = (text if mode is None else mode[2]).strip()
    if not rest.startswith("$"):
        rest = f"$.{rest}"
    position, steps = 1, list[tuple[Step, bool]]()
    while position < len(rest):
        position, step, is_single = _step(rest, position, text)
        steps.append((step, is_single))
    return JsonPath(tuple(steps), all(is_single for _, is_single in steps), is_lax)


def _step(path: str, position: int, text: str) -> tuple[int, Step, bool]:
    """Return the position after a part of a path, the part, and whether it finds one value at most."""
    if path.startswith("..", position):
        end, inner, _ = _step(path, position + (2 if path.startswith("..[", position) else 1), text)
        return end, partial(_anywhere, inner), False
    if path.startswith(".*", position):
        return position + 2, _all, False
    if path.startswith("[", position):
        return _bracket(path, position + 1, text)
    name = _NAME.match(path, position)
    if name is None or not path.startswith(".", position) or path.startswith("(", name.end()):
        raise ValueError(f"the JSON path {text!r} is not supported from {path[position:]!r} on")
    return name.end(), partial(_members, (name[1],)), True


def _bracket(path: str, position: int, text: str) -> tuple[int, Step, bool]:
    names = list[str]()
    end = position
    while (found := _QUOTED.match(path, end)) is not None:
        names.append(re.sub(r"\\(.)", r"\1", found[1] if found[2] is None else found[2]))
        end = found.end() + path.startswith(",", found.end())
    step: Step | None = partial(_members, tuple(names)) if names else None
    is_single = bool(names)
    if path.startswith("*", position):
        step, end = _all, position + 1
    elif (indices := _INDICES.match(path, position)) is not None and path[indices.end() :].startswith("]"):
        numbers = tuple(map(int, indices[0].split(",")))
        step, end, is_single = partial(_elements, numbers), indices.end(), len(numbers) == 1
    elif (found := _SLICE.match(path, position)) is not None:
        bounds = (None if bound is None else int(bound) for bound in found.groups())
        step, end = partial(_slice, slice(*bounds)), found.end()
    if step is None or not path.startswith("]", end):
        raise ValueError(f"the JSON path {text!r} is not supported from {path[position - 1 :]!r} on")
    return end + 1, step, is_single


def _members(names: Sequence[str], value: Any) -> Iterator[Any]:
    """Yield the member of a name, or an object of the members of several names."""
    if isinstance(value, dict):
        if len(names) > 1:
            yield {name: value[name] for name in names if name in value}
        elif names[0] in value:
            yield value[names[0]]


def _elements(indices: Sequence[int], value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from (value[index] for index in indices if -len(value) <= index < len(value))


def _slice(bounds: slice, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from value[bounds]


def _all(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _anywhere(step: Step, value: Any) -> Iterator[Any]:
    yield from step(value)
    for part in _all(value):
        yield from _anywhere(step, part)


def found_at(path: JsonPath, value: Any) -> Any:
    """Return what a path leads to in a value.

    Raises:
        PathNotFoundError: it leads to nothing.
    """
    found, is_definite = [value], True
    for step, is_single in path.steps:
        found = [part for one in found for part in step(one)]
        is_definite = is_definite and is_single
        if is_definite and not found:
            raise PathNotFoundError
    return found[0] if path.is_definite else found
