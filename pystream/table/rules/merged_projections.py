"""Merge projections into the SELECTs whose columns they choose, which then make no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from pystream.table.algebra.calc import Calc
from pystream.table.algebra.node import RelNode, walk

__all__ = ["with_merged_projections"]


def with_merged_projections(root: RelNode) -> RelNode:
    """Return a plan without projections of SELECTs of single rows that nothing else reads."""
    readers = Counter(node for reader in walk(root) for node in reader.inputs)
    return _merged(root, readers, {})


def _merged(node: RelNode, readers: Mapping[RelNode, int], done: dict[RelNode, RelNode]) -> RelNode:
    if node not in done:
        inputs = [_merged(one, readers, done) for one in node.inputs]
        result = node if inputs == [*node.inputs] else node.with_inputs(*inputs)
        match result:
            case Calc(rows=Calc() as inner) if result.is_projection and readers[node.inputs[0]] == 1:
                named = zip(result.numbers_read, result.fields, strict=True)
                fields = (replace(inner.fields[number], name=field.name) for number, field in named)
                result = replace(inner, fields=tuple(fields))
        done[node] = result
    return done[node]
