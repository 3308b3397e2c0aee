"""The live view of an unbounded job: a header and a table of its stages, as objects of rich."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pystream.engine.events import MAX_WATERMARK
from pystream.hosts.unbounded.quantities import duration_text, number_text, rate_text, size_text, time_text
from pystream.hosts.unbounded.snapshot import JobSnapshot, StageSnapshot
from pystream.hosts.unbounded.summary import summary

__all__ = ["metrics_table"]

_NONE = "-"
_GAP = 2
_NAME_WIDTH = 48
_NARROW_NAME_WIDTH = 24
_LINES_AROUND = 8  # an empty one, two of the header, page, notice, titles, stages left out, the cursor


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    width: int
    dropped: int  # on narrow terminals, columns are left out in this order
    text: Callable[[StageSnapshot, int], str]
    is_shown: Callable[[StageSnapshot], bool] = lambda stage: True
    style: str = ""


def _watermark(stage: StageSnapshot, now: int) -> str:
    if stage.event_time is None:
        return "end" if stage.watermark == MAX_WATERMARK else _NONE
    return time_text(stage.event_time, now)


def _lag(stage: StageSnapshot, now: int) -> str:
    return _NONE if stage.event_time is None else duration_text(now - stage.event_time)


def _backlog(stage: StageSnapshot, now: int) -> str:
    if stage.backlog is None:
        return ""
    return (size_text if stage.backlog.unit == "bytes" else number_text)(stage.backlog.size)


def _state(stage: StageSnapshot, now: int) -> str:
    return size_text(stage.state_bytes) if stage.state_bytes else ""


def _has_event_time(stage: StageSnapshot) -> bool:
    return stage.event_time is not None


_COLUMNS = (
    _Column("in", 6, 2, lambda stage, now: number_text(stage.records_in), style="dim"),
    _Column("in/s", 6, 7, lambda stage, now: rate_text(stage.records_in_per_second), style="green"),
    _Column("out", 6, 2, lambda stage, now: number_text(stage.records_out), style="dim"),
    _Column("out/s", 6, 5, lambda stage, now: rate_text(stage.records_out_per_second), style="green"),
    _Column("backlog", 7, 4, _backlog, lambda stage: stage.backlog is not None),
    _Column("watermark", 16, 1, _watermark, _has_event_time),
    _Column("lag", 11, 6, _lag, _has_event_time),
    _Column("state", 7, 3, _state, lambda stage: stage.state_bytes > 0),
)


def metrics_table(
    job: JobSnapshot, status: str, size: tuple[int, int], page: str = "", notice: str = ""
) -> RenderableType:
    """Return the live view of a job, which fits a terminal.

    Args:
        job: its metrics.
        status: such as "running".
        size: columns and lines of the terminal.
        page: address of Spark's page of the job.
        notice: a message.
    """
    width, height = size
    condition, progress = summary(job, status)
    first = Text.assemble((job.name, "bold"), "  ", " · ".join(condition), no_wrap=True, overflow="ellipsis")
    parts: list[RenderableType] = ["", first]
    if progress:
        parts.append(_line(" · ".join(progress), "dim"))
    if page:
        parts.append(_line(page, "dim"))
    if notice:
        parts.append(_line(notice, "yellow"))
    room = max(height - _LINES_AROUND, 1)
    if job.stages:
        parts.append(_stages(job.stages[:room], job.time, width))
    left_out = len(job.stages) - room
    if left_out > 0:
        parts.append(_line(f"and {left_out} more stage{'s' if left_out > 1 else ''}", "dim"))
    return Group(*parts)


def _line(text: str, style: str) -> Text:
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def _stages(stages: Sequence[StageSnapshot], now: int, width: int) -> Table:
    names = min(max(len(stage.name) for stage in stages), _NAME_WIDTH)
    columns = [column for column in _COLUMNS if any(map(column.is_shown, stages))]
    while len(columns) > 1 and width - _width(columns) < min(names, _NARROW_NAME_WIDTH):
        first = min(column.dropped for column in columns)
        columns = [column for column in columns if column.dropped > first]
    table = Table(box=None, header_style="dim", padding=0, pad_edge=False)
    name_width = max(min(names, width - _width(columns)), len("stage"))
    table.add_column("stage", no_wrap=True, width=name_width, overflow="ellipsis")
    for column in columns:
        table.add_column(
            column.title, justify="right", no_wrap=True, width=column.width + _GAP, style=column.style
        )
    for stage in stages:
        table.add_row(Text(stage.name), *(column.text(stage, now) for column in columns))
    return table


def _width(columns: Sequence[_Column]) -> int:
    return sum(column.width + _GAP for column in columns)
