"""Parse ``explain()``: the execution path of each operator, and why it is not on a faster one."""

from __future__ import annotations

from typing import Any, get_args

from pystream.datastream import DataStream
from pystream.plan.nodes import Path

PATHS = get_args(Path)


def rows(stream: DataStream[Any]) -> list[str]:
    """Return the line of each operator in the plan of a stream."""
    table, *_ = stream.explain().split("\n\n")
    return table.splitlines()[2:]


def paths(stream: DataStream[Any]) -> list[str]:
    """Return the path of each operator after the source."""
    return [next(word for word in row.split() if word in PATHS) for row in rows(stream)[1:]]


def last_path(stream: DataStream[Any]) -> str | None:
    """Return the path of the last operator of a stream."""
    return stream.explain().operators[-1].path


def why_not_faster(stream: DataStream[Any]) -> str:
    """Return why the last operator of a stream is not on a faster path."""
    return stream.explain().operators[-1].why_not_faster
