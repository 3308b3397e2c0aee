"""The inputs of queries in an unbounded job: stages whose elements become a streaming table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pystream.errors import UnsupportedOperationError
from pystream.hosts.lowering import Stage
from pystream.plan.query import Query

__all__ = ["parts_of_queries"]


def parts_of_queries(stages: Sequence[Stage]) -> list[Stage]:
    """Return the stages, with those that make the table of a query as part of the stage that reads it.

    Args:
        stages: senders before receivers.

    Raises:
        UnsupportedOperationError: a query combines rows; or the elements of a table come from other stages,
            or from operators that keep state.
    """
    readers = {sink: stage for stage in stages if stage.source is not None for sink in stage.source.inputs}
    result = []
    for stage in stages:
        _check_query(stage)
        if stage.table is None:
            result.append(stage)
            continue
        _check(stage)
        reader = readers[stage.table.id]
        while reader.table is not None:
            reader = readers[reader.table.id]
        result.append(replace(stage, part_of=reader.chain))
    return result


def _check_query(stage: Stage) -> None:
    """Check that a stage does not read the results of a query that needs all rows of bounded tables at once.

    Raises:
        UnsupportedOperationError: it does.
    """
    node = stage.source
    if node is not None and isinstance(node.source, Query) and node.source.combines_rows:
        raise UnsupportedOperationError(
            f"the query of {node.settings.name!r} ({node.settings.call_site}) combines rows of bounded "
            "tables, which an unbounded job cannot do yet: write its results to files, and read these"
        )


def _check(stage: Stage) -> None:
    assert stage.table is not None
    name = f"the query of {stage.table.settings.name!r} ({stage.table.settings.call_site})"
    instead = "write the stream to files, and read these in a second job"
    if stage.source is None:
        raise UnsupportedOperationError(
            f"{name}: an unbounded stream cannot become a table yet if other operators read it, too, or if "
            f"its elements come from other subtasks, as after key_by(); {instead}"
        )
    for operator in stage.task.operators:
        if operator.keeps_state:
            raise UnsupportedOperationError(
                f"{name}: {operator.label.name!r} keeps state, after which an unbounded stream cannot become "
                f"a table yet; {instead}"
            )
