"""Diagrams as Mermaid flowcharts, which GitHub, GitLab and JupyterLab render."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from pystream.plan.diagram import PATH_COLOURS, Diagram, ExplainedOperator

__all__ = ["to_mermaid"]

_UNDECIDED = "undecided"


def to_mermaid(diagram: Diagram) -> str:
    """Return a diagram as the text of a Mermaid flowchart; operators of one task share a frame."""
    return "\n".join(["flowchart TD", *_lines(diagram)])


def _lines(diagram: Diagram) -> Iterator[str]:
    by_task = sorted(diagram.operators, key=_task)
    for task, boxes in groupby(by_task, key=_task):
        if task < 0:
            yield from map(_node, boxes)
            continue
        yield f'    subgraph task{task}["task {task}"]'
        yield from (f"    {_node(box)}" for box in boxes)
        yield "    end"
    for arrow in diagram.arrows:
        label = f"|{arrow.label}|" if arrow.label else ""
        yield f"    n{arrow.source} -->{label} n{arrow.target}"
    for arrow in diagram.loops:
        yield f"    n{arrow.source} -.-> n{arrow.target}"
    used = {box.path for box in diagram.operators}
    for path, colour in PATH_COLOURS.items():
        if path in used:
            yield f"    classDef {path or _UNDECIDED} fill:{colour},stroke:#607d8b,color:#263238"


def _task(box: ExplainedOperator) -> int:
    return -1 if box.task is None else box.task


def _node(box: ExplainedOperator) -> str:
    lines = [f"<b>{_escaped(box.title)}</b>", _escaped(box.type), *([box.caption] if box.caption else [])]
    return f'    n{box.id}["{"<br/>".join(lines)}"]:::{box.path or _UNDECIDED}'


def _escaped(text: str) -> str:
    """Escape text for Mermaid."""
    return re.sub(r"[^\w .,:()/-]", lambda match: f"#{ord(match[0])};", text)
