"""Diagram: a plan reduced to boxes and arrows, for drawing and as a Mermaid flowchart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pystream.plan.graph import Plan
from pystream.plan.nodes import FeedbackNode, Node, OperatorNode, PartitionNode, Path

__all__ = ["PATH_COLOURS", "Arrow", "ExplainedOperator", "Diagram", "operator_title"]

PATH_COLOURS: dict[Path | None, str] = {
    "native": "#c8e6c9",
    "arrow": "#b2dfdb",
    "vectorised": "#bbdefb",
    "fields": "#dcedc8",
    "typed": "#fff3c4",
    "pickled": "#ffcdd2",
    None: "#eceff1",
}
"""Fill colour of an operator by its path, ``None`` before paths are chosen."""

_UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ExplainedOperator:
    """An operator as shown in an explanation.

    Attributes:
        id: id of its node.
        title: its name, with the user's function if it has one.
        type: type of its elements, as text.
        parallelism: number of subtasks, or ``None`` if it is not decided.
        path: its execution path, or ``None`` before paths are chosen.
        task: id of its task, or ``None`` before tasks are formed.
        why_not_faster: why it does not run on a faster path, empty if it cannot.
    """

    id: int
    title: str
    type: str
    parallelism: int | None
    path: Path | None
    task: int | None
    why_not_faster: str

    @property
    def caption(self) -> str:
        """The line below the type: path and parallelism, if known."""
        return " · ".join(
            part for part in (self.path, self.parallelism and f"parallelism {self.parallelism}") if part
        )


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge from one box to another.

    Attributes:
        source: id of the source box.
        target: id of the target box.
        label: the partitioning, empty for FORWARD.
    """

    source: int
    target: int
    label: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """A plan as boxes and arrows.

    Attributes:
        operators: the boxes; inputs precede the operators that use them.
        arrows: edges from earlier boxes to later ones.
        loops: edges back to the head of a loop.
    """

    operators: tuple[ExplainedOperator, ...]
    arrows: tuple[Arrow, ...]
    loops: tuple[Arrow, ...]

    @classmethod
    def of(cls, plan: Plan) -> Diagram:
        """Return the diagram of a plan; a partitioning becomes the label of its outgoing arrows."""
        drawn = [node for node in plan.nodes if not _is_label(plan, node)]
        return cls(
            tuple(map(_box, drawn)),
            tuple(arrow for node in drawn for arrow in _arrows_to(plan, node)),
            tuple(Arrow(node.id, node.head, "") for node in drawn if isinstance(node, FeedbackNode)),
        )

    def to_mermaid(self) -> str:
        """Return the text of a Mermaid flowchart, in which operators of one task share a frame."""
        return "\n".join(["flowchart TD", *self._mermaid_lines()])

    def _mermaid_lines(self) -> Iterator[str]:
        for task, boxes in groupby(sorted(self.operators, key=_task), key=_task):
            if task < 0:
                yield from map(_mermaid_box, boxes)
                continue
            yield f'    subgraph task{task}["task {task}"]'
            yield from (f"    {_mermaid_box(box)}" for box in boxes)
            yield "    end"
        for arrow in self.arrows:
            label = f"|{arrow.label}|" if arrow.label else ""
            yield f"    n{arrow.source} -->{label} n{arrow.target}"
        for arrow in self.loops:
            yield f"    n{arrow.source} -.-> n{arrow.target}"
        used = {box.path for box in self.operators}
        for path, colour in PATH_COLOURS.items():
            if path in used:
                yield f"    classDef {path or _UNDECIDED} fill:{colour},stroke:#607d8b,color:#263238"


def operator_title(node: Node) -> str:
    """Return the name of an operator, with its user function if any."""
    function = node.function.description if isinstance(node, OperatorNode) else ""
    return f"{node.title} ({function})" if function else node.title


def _is_label(plan: Plan, node: Node) -> bool:
    return isinstance(node, PartitionNode) and bool(plan.consumers[node.id])


def _box(node: Node) -> ExplainedOperator:
    path, why = (None, "") if node.choice is None else (node.choice.path, node.choice.why_not_faster)
    title, parallelism = operator_title(node), node.settings.parallelism
    return ExplainedOperator(node.id, title, str(node.type_info), parallelism, path, node.chain, why)


def _arrows_to(plan: Plan, node: Node) -> Iterator[Arrow]:
    for id in node.inputs:
        labels: list[str] = []
        before = plan.by_id[id]
        while isinstance(before, PartitionNode):
            labels.insert(0, before.kind.value)
            before = plan.by_id[before.inputs[0]]
        yield Arrow(before.id, node.id, ", ".join(labels))


def _task(box: ExplainedOperator) -> int:
    return -1 if box.task is None else box.task


def _mermaid_box(box: ExplainedOperator) -> str:
    lines = filter(None, (f"<b>{_mermaid_text(box.title)}</b>", _mermaid_text(box.type), box.caption))
    return f'    n{box.id}["{"<br/>".join(lines)}"]:::{box.path or _UNDECIDED}'


def _mermaid_text(text: str) -> str:
    """Escape text for Mermaid."""
    return re.sub(r"[^\w .,:()/-]", lambda match: f"#{ord(match[0])};", text)
