"""A stand-in for the engine, in this process, for jobs that ask no more of it than to hand rows on."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import cloudpickle
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PythonException

from pystream.engine.connectors.collection import CollectionSource
from pystream.hosts.spark.action_rows import write_results
from pystream.hosts.spark.bounded import rows_input
from pystream.hosts.spark.job import _Run
from pystream.hosts.spark.job_request import job_info
from pystream.hosts.spark.lowering import Stage
from pystream.hosts.spark.shipping import ship
from pystream.hosts.spark.worker import ROW_SCHEMA, SourceInput, StageFunction, StagePayload
from pystream.plan.dependencies import Dependencies

__all__ = ["StandIn", "rows_in_process"]

Shape: TypeAlias = tuple[tuple[object, ...], ...]

_ORDER = [(name, "ascending") for name in ("group", "seq", "edge", "channel")]


class StandIn:
    """Runs the jobs that the engine has run the like of.

    Lowering, the workers' functions and what becomes of rows at the driver are those of any job. Two jobs are
    alike to the engine if their stages read and feed each other in the same way: it sees neither their
    operators nor their elements, which lie in the rows as bytes.
    """

    def __init__(self) -> None:
        self._job_of_engine: dict[Shape, str] = {}

    def rows(self, run: _Run, attempt: int) -> pa.Table:
        """Return the rows of a job that reach the driver, as ``_Run._rows`` does."""
        if not _hands_rows_on(run) or self._job_of_engine.setdefault(_shape(run), run.job_id) == run.job_id:
            return _rows_by_engine(run, attempt)
        return rows_in_process(run, attempt)


_rows_by_engine = _Run._rows


def _hands_rows_on(run: _Run) -> bool:
    """Tell whether all the engine does is to call each stage with the rows of those before it.

    That is so with one subtask a stage, no tables or expressions, no dependencies and no options.
    """
    options = any(key.startswith("spark.") for key in run.request.spark_conf)
    return (
        not options
        and run.request.dependencies == Dependencies()
        and all(stage.task.parallelism == 1 for stage in run._stages)
        and all(_is_in_memory(s) or s.chain in run._inputs for s in run._stages if s.source is not None)
    )


def _is_in_memory(stage: Stage) -> bool:
    """Tell whether a stage reads a collection, which the engine would bring to the workers as rows."""
    is_collection = stage.source is not None and isinstance(stage.source.source, CollectionSource)
    return is_collection and stage.reading is None and not stage.native


def _input(run: _Run, stage: Stage) -> SourceInput:
    if stage.source is None or not _is_in_memory(stage):
        return run._inputs[stage.chain]
    source: CollectionSource = stage.source.source
    return SourceInput(source, tuple(map(tuple, source.splits(stage.task.parallelism))))


def _shape(run: _Run) -> Shape:
    numbers = {stage.chain: number for number, stage in enumerate(run._stages)}
    return tuple(
        (
            len(stage.outputs),
            *(type(sink.target).__name__ for _, sink in stage.sinks),
            *((numbers[edge.source], edge.shuffled, edge.by_group) for edge in stage.inputs),
        )
        for stage in run._stages
    )


def rows_in_process(run: _Run, attempt: int) -> pa.Table:
    """Return the rows of a job that reach the driver, its stages called one after the other."""
    shipped = ship(run.request.dependencies)
    job = replace(job_info(run.request, run.job_id, shipped), attempt=attempt)
    files = run.results.begin(None, early=False)
    given: dict[int, pa.Table] = {}
    for stage in run._stages:
        if stage.source is None:
            payload = StagePayload(stage.task, job, rows_input(stage), shipped.environment)
            arriving = _received(stage, given)
        else:
            payload = StagePayload(stage.task, job, _input(run, stage), shipped.environment)
            arriving = pa.table({"id": pa.array([0], pa.int64())})
        given[stage.chain] = _called(StageFunction(payload), arriving)
    ends = (
        _of_edges(given[stage.chain], [number for number, _ in (*stage.sinks, *stage.caches)])
        for stage in run._stages
    )
    rows = pa.concat_tables(ends)
    write_results(rows, frozenset(number for number, _, _ in (*run._driver_sinks, *run._caches)), files)
    return rows


def _called(function: StageFunction, arriving: pa.Table) -> pa.Table:
    """Call a stage's function as a worker does: it has travelled, and its failure is told as text."""
    travelled: StageFunction = pickle.loads(cloudpickle.dumps(function))
    try:
        return pa.Table.from_batches(travelled(iter(arriving.to_batches())), ROW_SCHEMA)
    except Exception:  # noqa: BLE001 - whatever a worker raises
        raise PythonException(traceback.format_exc()) from None


def _received(stage: Stage, given: Mapping[int, pa.Table]) -> pa.Table:
    rows = pa.concat_tables(_of_edges(given[edge.source], [edge.number]) for edge in stage.inputs)
    return rows.sort_by(_ORDER) if any(edge.shuffled for edge in stage.inputs) else rows


def _of_edges(rows: pa.Table, numbers: list[int]) -> pa.Table:
    return rows.filter(pc.is_in(rows["edge"], pa.array(numbers, pa.int32())))
