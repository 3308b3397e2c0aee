"""The results of a run, compared with those that must be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

__all__ = ["difference", "visible_lines"]


def visible_lines(directory: Path) -> Counter[str]:
    """Return the lines of the files of a sink that a reader sees, with their numbers of occurrences."""
    lines: Counter[str] = Counter()
    for path in directory.rglob("*"):
        names = path.relative_to(directory).parts
        if path.is_file() and not any(name.startswith((".", "_")) for name in names):
            lines.update(path.read_text().splitlines())
    return lines


def difference(directory: Path, expected: Mapping[str, Counter[str]]) -> str:
    """Describe how the results in a directory differ from those expected, by sink; empty if they do not."""
    found = []
    for sink, lines in expected.items():
        visible = visible_lines(directory / sink)
        lost, more = lines - visible, visible - lines
        if lost or more:
            found.append(
                f"{sink}: {lost.total()} of {lines.total()} lost, such as {list(lost)[:3]}; "
                f"{more.total()} doubled or wrong, such as {list(more)[:3]}"
            )
    return "\n".join(found)
