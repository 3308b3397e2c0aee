"""Plans of relational operators as text, as Flink prints its physical plans."""

from __future__ import annotations

from collections.abc import Iterator

from pystream.table.algebra.node import RelNode
from pystream.table.algebra.scans import Scan
from typeinfo.row import RowKind

__all__ = ["plan_text"]

_KINDS = {
    RowKind.INSERT: "I",
    RowKind.UPDATE_BEFORE: "UB",
    RowKind.UPDATE_AFTER: "UA",
    RowKind.DELETE: "D",
}


def plan_text(root: RelNode) -> str:
    """Return a plan as text: one line per operator, the ones that it reads below it.

    Each line has the arguments of the operator, the kinds of its rows, and its columns with their types. An
    operator that is read twice is printed twice, a view as the operators of its query.
    """
    return "\n".join(_lines(_without_views(root), "", ""))


def _without_views(node: RelNode) -> RelNode:
    """Return the operator behind a view, or the operator itself."""
    while type(node) is Scan and node.table._plan is not None:
        node = node.table._plan
    return node


def _lines(node: RelNode, first: str, rest: str) -> Iterator[str]:
    kinds = ",".join(name for kind, name in _KINDS.items() if kind in node.changelog.contained_kinds)
    arguments = [*node.details, ("changelogMode", kinds)]
    text = ", ".join(f"{name}=[{value}]" for name, value in arguments)
    yield f"{first}{node.name}({text}) -> ({', '.join(map(str, node.columns))})"
    for number, read in enumerate(node.inputs):
        is_last = number == len(node.inputs) - 1
        yield from _lines(
            _without_views(read),
            f"{rest}{'+-' if is_last else ':-'} ",
            f"{rest}{'   ' if is_last else ':  '}",
        )
