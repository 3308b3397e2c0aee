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
            case Calc(rows=Calc() as inner) if readers[node.inputs[0]] == 1 and _can_merge(result, inner):
                named = zip(result.numbers_read, result.fields, strict=True)
                fields = (replace(inner.fields[number], name=field.name) for number, field in named)
                result = replace(inner, fields=tuple(fields))
        done[node] = result
    return done[node]


def _can_merge(outer: Calc, inner: Calc) -> bool:
    """Return whether an outer SELECT is a projection that calls no random function of the inner one twice."""
    if not outer.is_projection:
        return False
    repeated = [number for number, count in Counter(outer.numbers_read).items() if count > 1]
    return all(inner.fields[number].value.evaluation.is_deterministic for number in repeated)
