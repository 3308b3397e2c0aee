"""Tasks for the tests of the runtime, fed in this process."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pystream.engine.events import Arrival, Elements
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow
from pystream.engine.failure import OperatorLabel
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.elementwise import FILTER, PROJECT
from pystream.engine.spec import CollectOutput, Consumer, OperatorSpec, TaskSpec
from pystream.engine.task.task import Task
from pystream.engine.task_info import JobInfo, SubtaskInfo
from pystream.kinds import OperatorKind
from typeinfo import Types
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.pickling import dump_state, dumps

JOB = JobInfo("0" * 32, "test", parameters={"mode": "fast"}, cached_files={"model": "/files/model"})


def label(name: str) -> OperatorLabel:
    return OperatorLabel(name, f"{name.lower()}-1", "", "app.py:1")


def operator(
    kind: OperatorKind,
    function: Any,
    *consumers: Consumer,
    output_type: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
    **rest: Any,
) -> OperatorSpec:
    return OperatorSpec(
        label=label(kind.name),
        kind=kind,
        function=dumps(function),
        is_object=not callable(function),
        output_type=output_type,
        trusted=isinstance(output_type, PickledBytesTypeInfo) or kind in (FILTER, PROJECT),
        consumers=consumers,
        **rest,
    )


def collect(
    edge: int = 0, type_info: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY, limit: int | None = None
) -> CollectOutput:
    return CollectOutput(edge, type_info, limit)


def pickled_types(running: Task) -> dict[str, bytes]:
    """Return the types of the states of each operator, as a savepoint holds them."""
    return {uid: dump_state(history) for uid, history in running.state_types().items()}


def items(
    consumers: tuple[Consumer, ...],
    batches: Iterable[list[Any] | Elements],
    input_type: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
    index: int = 0,
) -> list[Any]:
    """Return the rows and batches of a task."""
    spec = TaskSpec("Source: Test -> Map", 2, 128, label("Source"), input_type, consumers)
    arriving = (Arrival(batch if isinstance(batch, Elements) else Elements(batch)) for batch in batches)
    return list(Task(spec, SubtaskInfo(JOB, index, 2, 128, 0), MetricRegistry()).run(arriving))


def run(
    consumers: tuple[Consumer, ...],
    batches: Iterable[list[Any]],
    type_info: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
    input_type: TypeInformation[Any] = Types.PICKLED_BYTE_ARRAY,
) -> dict[int, list[Any]]:
    """Return the elements at each collecting edge, in order."""
    load = ElementsFormat(type_info).load_list
    got: dict[int, list[Any]] = {}
    for row in items(consumers, batches, input_type):
        assert isinstance(row, OutputRow)
        if row.seq != END_OF_CHANNEL:
            got.setdefault(row.edge, []).extend(load(row.payload))
    return got
