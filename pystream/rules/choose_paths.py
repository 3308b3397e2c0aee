"""Rule: choose the execution path of every operator, with the reason why it is not a faster one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pystream.errors import PlanError
from pystream.expressions.expression import Expression
from pystream.kinds import SourceColumns
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    Node,
    OperatorNode,
    PartitionNode,
    PathChoice,
    SinkNode,
    SourceNode,
    UnknownType,
)
from pystream.plan.query import Query
from typeinfo.inferred import expected_type
from typeinfo.pickled import PickledBytesTypeInfo, is_pickled

__all__ = ["choose_paths"]


def choose_paths(plan: Plan, options: PlanOptions) -> Plan:
    """Set the execution path of every node.

    Raises:
        PlanError: strict types are on and a node carries pickled elements.
    """
    without_type = _without_type(plan)
    chosen = tuple(replace(node, choice=_choice(plan, node, options, without_type)) for node in plan.nodes)
    if options.strict_types:
        _refuse_pickled(chosen)
    return Plan(chosen)


def _choice(
    plan: Plan, node: Node, options: PlanOptions, without_type: Mapping[int, tuple[Node, ...]]
) -> PathChoice:
    if isinstance(node, SourceNode) and isinstance(node.source, Query):
        return PathChoice("native", _why_called(node.source))
    if _is_native(node):
        return PathChoice("native")
    if isinstance(node, PartitionNode) and any(map(_is_native, plan.consumers[node.id])):
        return PathChoice("native")
    if is_pickled(expected_type(node.type_info)):
        return PathChoice("pickled", _why_pickled(node, without_type) + _why_not_native(node))
    if any(is_pickled(expected_type(plan.by_id[id].type_info)) for id in node.inputs):
        return PathChoice("pickled", _takes_pickled(node, without_type) + _why_not_native(node))
    if isinstance(node, OperatorNode) and node.function.takes_batches:
        return PathChoice("vectorised", "a Python function, called once per batch")
    if isinstance(node, OperatorNode) and node.kind.takes_columns:
        taken = "takes columns, and computes by kernels of Arrow where there are any"
        return PathChoice("arrow", taken + _why_not_native(node))
    if isinstance(node, OperatorNode) and node.arrow:
        why = _why_not_native(node)
        return PathChoice("arrow", f"computed by kernels of Arrow{why}" if why else "")
    if isinstance(node, OperatorNode) and node.fold is not None:
        made = f"; results are made by calls: {node.not_results}" if node.not_results else ", without calls"
        return PathChoice("fields", f"folds columns{made}{_why_not_native(node)}")
    if isinstance(node, OperatorNode) and node.fields is not None:
        no_fold = f"; no fold of columns: it {node.not_fields}" if node.not_fields else ""
        return PathChoice("fields", _why_on_fields(node) + no_fold + _why_not_native(node))
    return PathChoice("typed", _why_typed(node, options) + _why_not_native(node))


def _why_called(query: Query) -> str:
    """Return why a query calls functions in Python."""
    reasons = (
        f"calls {one.title} in Python: it {one.not_lifted}" for one in query.functions if one.not_lifted
    )
    return "; ".join(reasons)


def _why_pickled(node: Node, without_type: Mapping[int, tuple[Node, ...]]) -> str:
    if not isinstance(node.type_info, PickledBytesTypeInfo):
        return f"{node.type_info} has a part of unknown type, which is pickled; declare that type"
    if not _loses_type(node):
        return _takes_pickled(node, without_type)
    if isinstance(node, SourceNode):
        return f"{node.type_origin}: pass one such as Types.STRING() or Types.of(MyClass)"
    return f"{node.type_origin}: annotate the function's result, or pass the type"


def _loses_type(node: Node) -> bool:
    """Return whether a node itself, not its inputs, is the reason why its elements have no known type."""
    return isinstance(node, (SourceNode, OperatorNode)) and isinstance(node.type_origin, UnknownType)


def _without_type(plan: Plan) -> dict[int, tuple[Node, ...]]:
    """Return, for each node with pickled elements, the nodes at which the type was lost."""
    found: dict[int, tuple[Node, ...]] = {}
    for node in plan.nodes:
        if _loses_type(node):
            found[node.id] = (node,)
        elif is_pickled(expected_type(node.type_info)):
            before = [lost for id in node.inputs for lost in found.get(id, ())]
            found[node.id] = tuple({lost.id: lost for lost in before}.values())
    return found


def _takes_pickled(node: Node, without_type: Mapping[int, tuple[Node, ...]]) -> str:
    lost = {before.id: before for id in node.inputs for before in without_type.get(id, ())}
    names = ", ".join(f"{before.settings.name!r} ({before.id})" for before in lost.values())
    return f"the elements it takes are pickled: declare {f'the type of {names}' if names else 'their type'}"


def _why_not_native(node: Node) -> str:
    why = isinstance(node, OperatorNode) and node.not_native
    return f" (not a Spark expression: {why})" if why else ""


def _why_typed(node: Node, options: PlanOptions) -> str:
    if isinstance(node, OperatorNode):
        called = "a Python function, called once per element"
        if node.not_fields:
            called += f", not with its fields: it {node.not_fields}"
        if not options.lifting:
            return f"{called}; {options.why_not_lifted}"
        if node.kind.takes_batches and not node.not_native:
            return f"{called}; on a table source, such as from_arrow, it may run as a Spark expression"
        return called
    if isinstance(node, SourceNode) and node.columns is SourceColumns.WORKERS:
        return "Python reads the files, as columns"
    if isinstance(node, SourceNode) and node.columns is SourceColumns.TIMED:
        return "Python reads the messages, as columns"
    if isinstance(node, SourceNode) and node.not_columns:
        return f"rows of the table become Python objects: {node.not_columns}"
    if isinstance(node, SourceNode) and node.divisible:
        return "Python values are sent to the workers; from_arrow or from_pandas sends columns"
    return ""


def _why_on_fields(node: OperatorNode) -> str:
    assert node.fields is not None
    if not node.fields.is_called:
        return "hands on fields, without a call"
    count = len(node.fields.reads)
    called = f"a Python function, called with {count} {'field' if count == 1 else 'fields'} of each element"
    reduced = node.fields.reduced
    if reduced is None:
        return called
    apart = sum(isinstance(result, Expression) for result in reduced.results or ())
    are = "column of its results is" if apart == 1 else "columns of its results are"
    return f"{called}; {apart} {are} computed by kernels of Arrow"


def _is_native(node: Node) -> bool:
    return isinstance(node, OperatorNode) and node.native is not None


def _refuse_pickled(nodes: tuple[Node, ...]) -> None:
    lines = [
        f"  {node.settings.name!r} ({node.settings.call_site}): {node.choice.why_not_faster}"
        for node in nodes
        if is_pickled(expected_type(node.type_info))
        and node.choice
        and not isinstance(node, (SinkNode, PartitionNode))
    ]
    if lines:
        raise PlanError(
            "pystream.strict-types is on, and the elements of these operators have no known type:\n"
            + "\n".join(lines)
        )
