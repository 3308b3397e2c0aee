"""Elements of one type, as columns, and what operators make of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pystream.engine.events import Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from tests.unit.engine.driving import opened
from typeinfo import Types
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for


@dataclass
class Order:
    id: int
    amount: float | None
    name: str


ORDER = Types.of(Order)


def columns(elements: list[Any], t: TypeInformation[Any] = ORDER) -> ColumnValues:
    """Return elements as columns."""
    layout = layout_of(t)
    return ColumnValues(layout, layout.batch(serializer_for(t).to_batch(elements).columns))


def outcome(spec: OperatorSpec, values: Any, times: list[int] | None) -> Any:
    """Return the validated results with their times, or the report of the failure."""
    try:
        events: list[Any] = list(opened(spec).process(Elements(values, times), 0))
        found = [value for event in events for value in event.values]
        conformed = found if spec.trusted else serializer_for(spec.output_type).conform(found)
    except TaskFailure as failure:
        return failure.report
    except Exception as error:  # noqa: BLE001 - compared
        return repr(error)
    stamps = [time for event in events for time in event.timestamps or []]
    return repr(conformed), stamps
