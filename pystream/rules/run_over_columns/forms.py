"""The forms in which functions run over the columns of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.expressions.field_code import FieldCode
from pystream.expressions.folds import Accumulation
from pystream.expressions.key_columns import KeyColumns
from pystream.field_aggregations import FieldAggregation
from pystream.kinds import Lifting, WindowFold
from pystream.lifting import (
    NotLifted,
    columns_of,
    is_exactly,
    lift,
    lift_key,
    lift_result,
    replace_element,
    replace_reduced,
    result_list,
)
from pystream.plan.nodes import KeyFunction, OperatorNode
from pystream.rules.lift_functions.folds import key_reduction, window_columns_fold
from pystream.rules.lift_functions.functions import elementwise_step
from pystream.rules.lift_functions.liftable import (
    as_pickled,
    declared_type,
    liftable_part,
    refusal_of_undeclared,
    sent,
)
from typeinfo.composite import RecordTypeInfo, TupleTypeInfo
from typeinfo.extended import is_immutable
from typeinfo.formats.layout import columns_of as columns_of_type
from typeinfo.formats.layout import has_columns
from typeinfo.inferred import InferredTypeInfo, expected_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import is_pickled
from typeinfo.types import Types

__all__ = [
    "key_over_columns",
    "over_columns",
    "fold_over_columns",
    "fold_with_results",
    "timestamps_over_columns",
]

_MOMENTS = (Types.SQL_DATE(), Types.SQL_TIME())
_WINDOW_FUNCTION = "a window function takes them"


def over_columns(node: OperatorNode, element_type: TypeInformation[Any]) -> OperatorNode:
    """Return a map, filter, flat map or projection with the forms of its function, or the reason for none."""
    node = replace(node, arrow=_kernels(node, element_type))
    if node.kind.lifting is Lifting.PROJECTION:
        return node
    value = sent(node.function)
    if isinstance(value, NotLifted):
        return replace(node, not_fields=value.reason)
    function = getattr(value, node.kind.method) if node.function.is_object else value
    result_type = None if node.kind.keeps_type else expected_type(node.type_info)
    many = node.kind.lifting is Lifting.FLAT_MAP
    code = replace_element(
        function,
        element_type,
        result_type,
        many=many,
        is_computed=_has_kernels,
        is_declared=not isinstance(node.type_info, InferredTypeInfo),
    )
    return _with_code(node, code)


def _with_code(node: OperatorNode, code: Any) -> OperatorNode:
    if isinstance(code, NotLifted):
        return replace(node, not_fields=code.reason)
    return replace(node, fields=code)


def _kernels(node: OperatorNode, element_type: TypeInformation[Any]) -> tuple[Expression, ...]:
    """Return the expressions of an operator, if all of them have kernels, else nothing."""
    step = elementwise_step(node, element_type, timed=False)
    if isinstance(step, NotLifted):
        return ()
    if node.kind.lifting is Lifting.FLAT_MAP:
        from pystream.expressions.result_lists import has_result_kernels, rows_in  # needs pyarrow

        results = result_list(step.expression)
        if isinstance(results, NotLifted) or not has_result_kernels(results):
            return ()
        return (results,) if all(_are_exact(node.type_info, row) for row in rows_in(results)) else ()
    columns = columns_of(step.expression)
    if isinstance(columns, NotLifted) or not all(map(_has_kernels, columns)):
        return ()
    return tuple(columns) if node.kind.keeps_type or _are_exact(node.type_info, columns) else ()


def _are_exact(type_info: TypeInformation[Any], columns: Sequence[Expression]) -> bool:
    """Return whether expressions have just the inferred types of columns, so that they change no values."""
    if not isinstance(type_info, InferredTypeInfo):
        return True
    fields = columns_of_type(type_info.value_type)
    return all(
        is_exactly(column, field.type, nullable=field.nullable)
        for column, field in zip(columns, fields, strict=True)
    )


def timestamps_over_columns(node: OperatorNode, element_type: TypeInformation[Any]) -> OperatorNode:
    """Return a timestamp assigner with the forms of its function, or the reason for none."""
    extract: Callable[..., Any] | None = liftable_part(node)
    if extract is None:
        return node
    time = lift(extract, [element_type, Types.LONG()], Types.LONG())
    arrow: tuple[Expression, ...] = ()
    if isinstance(time, Expression) and _has_kernels(time) and _reads_element_only(time):
        arrow = (time,)
    code = replace_element(extract, element_type, None, others=1)
    return _with_code(replace(node, arrow=arrow), code)


def _reads_element_only(expression: Expression) -> bool:
    if expression.op is Op.INPUT:
        return expression.data == (0,)
    return all(map(_reads_element_only, expression.parts))


def fold_over_columns(
    node: OperatorNode, element_type: TypeInformation[Any], *, is_declared: bool
) -> OperatorNode:
    """Return a keyed reduction, or windows with a fold, with that fold of columns, or the reason for none."""
    parts = [slot.type for slot in element_type.slots()] if has_columns(element_type) else [element_type]
    if not all(map(is_immutable, parts)):
        return replace(node, not_fields=f"takes elements of {element_type}, which have parts that can change")
    found = (
        window_columns_fold(node, element_type, is_declared=is_declared)
        if node.kind.lifting is Lifting.WINDOW_FOLD
        else key_reduction(node, element_type, in_order=True, is_declared=is_declared)
    )
    if isinstance(found, Accumulation) and not all(_has_kernels(part.value) for part in found.parts):
        found = NotLifted("adds what no kernel computes")
    if isinstance(found, NotLifted):
        refused = replace(node, not_fields=found.reason)
        return _fold_over_fields(refused, element_type, is_declared=is_declared)
    return _results_over_columns(replace(node, fold=found))


def _results_over_columns(node: OperatorNode) -> OperatorNode:
    """Return a fold with its results as columns, or the reason why calls make them."""
    if node.kind.lifting is not Lifting.WINDOW_FOLD:
        return node
    windows: WindowFold = liftable_part(node)
    if windows.has_function:
        return replace(node, not_results=_WINDOW_FUNCTION)
    if not isinstance(node.fold, Accumulation):
        return node
    found = fold_with_results(node.fold, windows.function, windows.accumulator_type, node.type_info)
    if isinstance(found, NotLifted):
        return replace(node, not_results=f"get_result {found.reason}")
    return replace(node, fold=found)


def _fold_over_fields(
    node: OperatorNode, element_type: TypeInformation[Any], *, is_declared: bool
) -> OperatorNode:
    """Return a keyed reduction, or windows with a fold, with its function on fields, or the reason for none.

    That of windows with an aggregate function is its ``add``.
    """
    if node.kind.lifting is Lifting.FOLD:
        value = sent(node.function)
        if isinstance(value, NotLifted):
            return node
        reduce = value.reduce if node.function.is_object else value
        return _reduce_over_fields(node, reduce, element_type, is_declared=is_declared)
    fold: WindowFold | None = liftable_part(node)
    if fold is None or fold.is_repeated:
        return node
    if fold.reduce is not None:
        found = _reduce_over_fields(node, fold.reduce, element_type, is_declared=is_declared)
        return replace(found, not_results=_WINDOW_FUNCTION) if fold.has_function else found
    code = replace_element(fold.function.add, element_type, None, others=1)
    return node if isinstance(code, NotLifted) else replace(node, fields=code)


def _reduce_over_fields(
    node: OperatorNode,
    function: Callable[..., Any],
    element_type: TypeInformation[Any],
    *,
    is_declared: bool,
) -> OperatorNode:
    """Return an operator with its reduce function on fields, or the reason for none."""
    if isinstance(getattr(function, "__self__", None), FieldAggregation):
        return node
    code: FieldCode | NotLifted = replace_reduced(function, element_type, is_declared=is_declared)
    if isinstance(code, FieldCode) and not _is_only_fields(element_type):
        code = NotLifted(f"takes elements of {element_type}, which may hold more than their fields")
    if isinstance(code, NotLifted):
        return replace(node, not_fields=f"{node.not_fields}, and {code.reason}")
    return replace(node, fields=code)


def _is_only_fields(element_type: TypeInformation[Any]) -> bool:
    """Return whether elements are nothing but their fields, so that these can be held in their place."""
    from typeinfo.serde.composite import FieldsCodec  # needs pyarrow
    from typeinfo.serde.registry import codec_for

    codec = codec_for(element_type)
    is_record = isinstance(element_type, RecordTypeInfo)
    return not is_record or (isinstance(codec, FieldsCodec) and codec.is_only_fields)


def fold_with_results(
    accumulation: Accumulation,
    function: Any,
    accumulator_type: TypeInformation[Any],
    type_info: TypeInformation[Any],
) -> Accumulation | NotLifted:
    """Return an accumulation with its results as columns, or the reason why no kernels compute them.

    Args:
        accumulation: what ``add`` of an aggregate function was recognised as.
        function: the aggregate function.
        accumulator_type: the declared type of its accumulators; pickled if there is none.
        type_info: the declared or inferred type of its results.
    """
    result_type, declared = expected_type(type_info), declared_type(type_info)
    if is_pickled(result_type):
        return NotLifted("returns what has no known type")
    result = lift_result(function, accumulation, accumulator_type, declared)
    if isinstance(result, NotLifted):
        return result
    refusal = refusal_of_undeclared(result_type, [result]) if declared is None else None
    if refusal is not None:
        return refusal
    columns = columns_of(result)
    if isinstance(columns, NotLifted):
        return columns
    if not all(map(_has_kernels, columns)) or not _are_exact(type_info, columns):
        return NotLifted("returns what no kernel computes")
    return replace(accumulation, results=tuple(columns), result_type=result_type)


def key_over_columns(key: KeyFunction, element_type: TypeInformation[Any]) -> KeyFunction:
    """Return a key selector with its form over columns, if it has one."""
    selector = key.function.value
    if key.function.takes_batches:
        return key
    if not isinstance(selector, (str, int)):
        selector = as_pickled(key.function, "get_key")
    found = selector if isinstance(selector, NotLifted) else lift_key(selector, element_type, key.type_info)
    if isinstance(found, NotLifted):
        return key
    is_tuple = isinstance(found.type, TupleTypeInfo)
    parts = columns_of(found) if is_tuple else [found]
    if isinstance(parts, NotLifted) or not parts or not all(map(_has_key_kernels, parts)):
        return key
    return replace(key, columns=KeyColumns(element_type, tuple(parts), is_tuple))


def _has_kernels(expression: Expression) -> bool:
    from pystream.expressions.kernels import has_column_kernels  # needs pyarrow

    return has_column_kernels(expression)


def _has_key_kernels(expression: Expression) -> bool:
    from pystream.expressions.kernels import BASIC, has_kernels  # needs pyarrow

    return has_kernels(expression) and (expression.type in BASIC or expression.type in _MOMENTS)
