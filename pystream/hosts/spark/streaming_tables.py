"""Refuse programs that cannot become streaming tables, which Spark runs without epochs."""

from __future__ import annotations

from collections.abc import Iterable

from pystream.errors import UnsupportedOperationError
from pystream.hosts.lowering import Stage
from pystream.hosts.spark.frame_source import DataFrameSource

__all__ = ["refuse_streaming_table"]

_INSTEAD = "end the program in foreach_batch() or sink_to() instead, and run it with execute()"


def refuse_streaming_table(stages: Iterable[Stage]) -> None:
    """Raise an error if an unbounded program needs epochs, as for state and repartitioning.

    Args:
        stages: its stages.

    Raises:
        UnsupportedOperationError: a source is not a streaming DataFrame, or an operator keeps state or gets
            elements from other subtasks.
    """
    for stage in stages:
        node = stage.source
        if node is not None and not _is_streaming(node.source):
            raise UnsupportedOperationError(
                f"to_data_frame: an unbounded program becomes a streaming DataFrame only if all its sources "
                f"are such DataFrames, of from_data_frame, which {node.settings.name!r} is not; {_INSTEAD}"
            )
        for operator in stage.task.operators:
            if operator.keeps_state:
                raise UnsupportedOperationError(
                    f"to_data_frame: {operator.label.name!r} keeps state, which a streaming DataFrame would "
                    f"lose after each batch; {_INSTEAD}"
                )
        if any(edge.shuffled for edge in stage.inputs):
            raise UnsupportedOperationError(
                f"to_data_frame: the elements of {stage.task.name!r} come from other subtasks, as after "
                f"rebalance(), which a streaming DataFrame does not support; {_INSTEAD}"
            )


def _is_streaming(source: object) -> bool:
    return isinstance(source, DataFrameSource) and not source.is_bounded
