"""Rule: let functions run over the columns of their elements: as kernels of Arrow, or over fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pystream.kinds import Lifting, PartitionKind, SourceColumns
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, OperatorNode, PartitionNode, SourceNode, UnionNode
from pystream.rules.run_over_columns.forms import (
    fold_over_columns,
    key_over_columns,
    over_columns,
    timestamps_over_columns,
)
from typeinfo.inferred import InferredTypeInfo, expected_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled
from typeinfo.pickling import classes_as_pickled

__all__ = ["run_over_columns"]


_ELEMENTWISE = Lifting.MAP, Lifting.PROJECTION, Lifting.PREDICATE, Lifting.FLAT_MAP


def run_over_columns(plan: Plan, options: PlanOptions) -> Plan:
    """Let functions run over columns, wherever their elements may be columns.

    Those of a source or of a lifted operator are; so are those of an operator that runs over columns itself,
    unless calls make its results, and those of a timestamp assigner, a partitioning or a union whose input is
    columns.
    """
    if not options.fields:
        return plan
    with classes_as_pickled():
        return Plan(tuple(_Walk(plan, batch=options.batch).nodes()))


class _Walk:
    """A walk along a plan, which finds the nodes whose elements are columns.

    Args:
        plan: the plan.
        batch: whether it runs in batch mode, where windows are folded one key after another.
    """

    def __init__(self, plan: Plan, *, batch: bool) -> None:
        self._plan = plan
        self._folds = (Lifting.FOLD,) if batch else (Lifting.FOLD, Lifting.WINDOW_FOLD)
        self._columns: set[int] = set()

    def nodes(self) -> list[Node]:
        """Return the nodes, with the forms of functions over columns."""
        return [self._with_forms(node) for node in self._plan.nodes]

    def _with_forms(self, node: Node) -> Node:
        if isinstance(node, SourceNode):
            if node.columns is not SourceColumns.NONE:
                self._columns.add(node.id)
            return node
        if not self._columns.issuperset(node.inputs):
            return node
        if isinstance(node, UnionNode):
            self._columns.add(node.id)
        elif isinstance(node, PartitionNode):
            self._columns.add(node.id)
            return self._partition(node)
        elif isinstance(node, OperatorNode):
            return self._operator(node)
        return node

    def _partition(self, node: PartitionNode) -> PartitionNode:
        element_type = self._element_type(node, 0)
        if node.kind is not PartitionKind.HASH or node.key is None or element_type is None:
            return node
        return replace(node, key=key_over_columns(node.key, element_type))

    def _operator(self, node: OperatorNode) -> OperatorNode:
        if node.native is not None:
            self._columns.add(node.id)
            return node
        if node.kind.takes_columns:
            self._columns.add(node.id)
            return node
        if node.function.takes_batches:
            return node
        types = [self._element_type(node, side) for side in range(len(node.inputs))]
        if node.keys:
            keys = [
                key if element_type is None else key_over_columns(key, element_type)
                for key, element_type in zip(node.keys, types, strict=False)
            ]
            node = replace(node, keys=(*keys, *node.keys[len(keys) :]))
            return self._fold(node, types[0])
        element_type = types[0]
        if element_type is None or not _has_columns(node.type_info):
            return node
        if node.kind.lifting is Lifting.TIMESTAMP:
            self._columns.add(node.id)
            return timestamps_over_columns(node, element_type)
        if node.kind.lifting in _ELEMENTWISE:
            found = over_columns(node, element_type)
            if found.arrow or (found.fields and (found.kind.keeps_type or found.fields.results)):
                self._columns.add(node.id)
            return found
        return node

    def _fold(self, node: OperatorNode, element_type: TypeInformation[Any] | None) -> OperatorNode:
        lifting = node.kind.lifting
        if lifting not in self._folds or element_type is None or node.keys[0].columns is None:
            return node
        given = self._plan.by_id[node.inputs[0]].type_info
        is_declared = not isinstance(given, InferredTypeInfo)
        found = fold_over_columns(node, element_type, is_declared=is_declared)
        if _has_column_results(found):
            self._columns.add(node.id)
        return found

    def _element_type(self, node: Node, side: int) -> TypeInformation[Any] | None:
        """Return the type of the elements of an input, ``None`` if they are pickled."""
        t = self._plan.by_id[node.inputs[side]].type_info
        return expected_type(t) if _has_columns(t) else None


def _has_column_results(node: OperatorNode) -> bool:
    """Return whether the results of a keyed reduction, or of windows with a fold, are columns."""
    if node.fields is not None:
        return node.fields.results is not None and not node.not_results
    return node.fold is not None and not node.not_results


def _has_columns(t: TypeInformation[Any]) -> bool:
    """Return whether elements of a declared or inferred type may be columns."""
    from typeinfo.serde.registry import codec_for  # needs pyarrow

    expected = expected_type(t)
    return not is_pickled(expected) and (expected is t or codec_for(expected).can_keep)
