"""Plans of relational operators as text, as Flink prints its physical plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

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


def plan_text(*roots: RelNode) -> str:
    """Return plans as text: one line per operator, the ones that it reads below it.

    Each line has the arguments of the operator, the kinds of its rows, and its columns with their types. A
    view is printed as the operators of its query. What is read twice is printed once, with a number by which
    the other places refer to it. An empty line is between two plans.
    """
    text = _PlanText(roots)
    return "\n\n".join("\n".join(text.lines(root)) for root in roots)


class _PlanText:
    """Prints plans that may share operators.

    Args:
        roots: the plans.
    """

    def __init__(self, roots: Sequence[RelNode]) -> None:
        readers = Counter[object]()
        waiting = [*roots]
        while waiting:
            node = _without_views(waiting.pop())
            readers[_identity(node)] += 1
            if readers[_identity(node)] == 1:
                waiting.extend(node.inputs)
        self._shared = {one for one, count in readers.items() if count > 1}
        self._numbers: dict[object, int] = {}

    def lines(self, root: RelNode, first: str = "", rest: str = "") -> Iterator[str]:
        """Yield the lines of a plan.

        Args:
            root: the plan.
            first: what stands before its first line.
            rest: what stands before the others.
        """
        node = _without_views(root)
        identity = _identity(node)
        if identity in self._numbers:
            yield f"{first}Reused(reference_id=[{self._numbers[identity]}])"
            return
        yield f"{first}{_call(node)}{self._reuse(identity)} -> ({', '.join(map(str, node.columns))})"
        for number, read in enumerate(node.inputs, 1):
            branch, inner = ("+- ", "   ") if number == len(node.inputs) else (":- ", ":  ")
            yield from self.lines(read, rest + branch, rest + inner)

    def _reuse(self, identity: object) -> str:
        if identity not in self._shared:
            return ""
        number = self._numbers[identity] = len(self._numbers) + 1
        return f"(reuse_id=[{number}])"


def _without_views(node: RelNode) -> RelNode:
    """Return the operator behind a view, or the operator itself."""
    while type(node) is Scan and node.table._plan is not None:
        node = node.table._plan
    return node


def _identity(node: RelNode) -> object:
    """Return the key of an operator that is computed once: the table of a scan, else the operator itself."""
    return node.table if type(node) is Scan else node


def _call(node: RelNode) -> str:
    """Return an operator with its arguments."""
    kinds = ",".join(name for kind, name in _KINDS.items() if kind in node.changelog.contained_kinds)
    arguments = [*node.details, ("changelogMode", kinds)]
    return f"{node.name}({', '.join(f'{name}=[{value}]' for name, value in arguments)})"
