"""Groups of regular expressions that a match may leave out."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.table.functions.values.patterns import BoundedPattern, tokens

__all__ = ["optional_groups"]

_NEGATIVE = ("(?!", "(?<!")


@dataclass(slots=True)
class _Parenthesis:
    """An open parenthesis: the first group of it, the first inside, and whether the latter are optional."""

    first: int
    first_inside: int
    is_choice: bool = False


def optional_groups(pattern: BoundedPattern) -> frozenset[int]:
    """Return the numbers of the groups that a match of a regular expression may leave out."""
    optional: set[int] = set()
    whole = _Parenthesis(1, 1)
    opened, count, closed = [whole], 0, range(0)
    for token in tokens(pattern.written):
        if token in ("?", "*") or token.startswith("{0"):
            optional.update(closed)
        closed = range(0)
        if token.startswith("("):
            first = count + 1
            count += token == "("
            opened.append(_Parenthesis(first, count + 1, token in _NEGATIVE))
        elif token == "|":
            opened[-1].is_choice = True
        elif token == ")":
            parenthesis = opened.pop()
            closed = range(parenthesis.first, count + 1)
            if parenthesis.is_choice:
                optional.update(range(parenthesis.first_inside, count + 1))
    return frozenset(range(1, count + 1) if whole.is_choice else optional)
