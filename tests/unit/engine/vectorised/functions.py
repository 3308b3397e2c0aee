"""Operators whose function is called once per batch, driven in this process."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from pystream.arguments.batches import vector_function
from pystream.datastream.functions import FilterFunction, FlatMapFunction, MapFunction
from pystream.engine.events import Elements
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from pystream.kinds import OperatorKind
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import label
from typeinfo import Types
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps
from typeinfo.serde import serializer_for

LONG, DOUBLE, STRING = Types.LONG(), Types.DOUBLE(), Types.STRING()
MAYBE_LONG = Types.of(int | None)
PAIR = Types.TUPLE((LONG, STRING))

_CLASSES: dict[OperatorKind, tuple[str, type[Any]]] = {
    MAP: ("map", MapFunction),
    FILTER: ("filter", FilterFunction),
    FLAT_MAP: ("flat_map", FlatMapFunction),
}


def vectorised(
    kind: OperatorKind,
    function: Any,
    takes: TypeInformation[Any],
    gives: TypeInformation[Any] | None = None,
    *consumers: Any,
) -> OperatorSpec:
    """The spec of an operator with a function of batches."""
    method, base = _CLASSES[kind]
    vector = vector_function(takes, function, method, base, method)
    assert vector is not None
    return OperatorSpec(
        label=label(kind.name),
        kind=kind,
        function=dumps(vector),
        is_object=isinstance(function, base),
        output_type=gives or takes,
        trusted=kind is FILTER,
        consumers=consumers,
    )


def given(spec: OperatorSpec, batches: Iterable[Any], times: list[int] | None = None) -> list[Elements]:
    """Return the results of an operator for batches, each a list or columns."""
    operator = opened(spec)
    return [event for batch in batches for event in operator.process(Elements(batch, times), 0)]  # type: ignore[misc]


def values(events: Iterable[Elements]) -> list[Any]:
    """The elements of batches as Python values."""
    return [value for event in events for value in event.values]


def columns(type_info: TypeInformation[Any], elements: list[Any]) -> Any:
    """Elements as the columns a table brings."""
    batch: pa.RecordBatch = serializer_for(type_info).to_batch(elements)
    layout = layout_of(type_info)
    return ColumnValues(layout, layout.batch(batch.columns))
