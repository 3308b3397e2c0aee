"""SplitWatermarks: the operator that generates the watermarks of each split of a source by itself."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from pystream.engine.connectors.split_names import source_of
from pystream.engine.events import MAX_WATERMARK, Elements, Event, Watermark, WatermarkStatus
from pystream.engine.operators.assign_watermarks import AssignWatermarks, WatermarkPlan
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.spec import OperatorSpec
from pystream.engine.time.watermark_valve import ValveSnapshot, WatermarkValve
from pystream.kinds import OperatorKind

__all__ = ["SPLIT_WATERMARKS", "SplitWatermarks"]

_Snapshot: TypeAlias = "tuple[int, int, dict[str, Any], int, ValveSnapshot]"
"""The number of splits, the time since it is known, the states of splits, and that of the valve."""


class SplitWatermarks(Operator):
    """Assign timestamps to the elements of splits, and emit the lowest of the watermarks of all splits.

    Elements arrive as tuples of the name of their split, the number of splits of the subtask, and the
    element; only the last is passed on. A split that has had no element holds back event time, unless the
    strategy has an idleness, and that has passed. Of sources that are read one after the other, the splits of
    a source have ended once there is an element of the next one.

    Mirrors what ``org.apache.flink.streaming.api.operators.SourceOperator`` does for the splits of a reader.
    """

    def __init__(self, spec: OperatorSpec, batch: bool) -> None:
        super().__init__(spec.label)
        self._spec = spec
        self._batch = batch
        plan: WatermarkPlan = pickle.loads(spec.function)
        self._idleness = plan.idleness
        self._splits: dict[str, AssignWatermarks] = {}
        self._expected = 1
        self._valve = WatermarkValve(self._expected)

    def open(self, environment: OperatorEnvironment) -> None:
        self._environment = environment
        self._clock = environment.clock
        self._since = self._clock.now()  # when the number of splits became known

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        values, timestamps = elements.values, elements.timestamps
        start = 0
        for name, group in groupby(values, itemgetter(0)):
            run = list(group)
            end = start + len(run)
            if name not in self._splits or run[-1][1] != self._expected:
                yield from self._found(name, run[-1][1])
            bundle = Elements(
                [value for _, _, value in run], None if timestamps is None else timestamps[start:end]
            )
            start = end
            yield from self._passed(name, self._splits[name].process(bundle, side))

    def _found(self, name: str, expected: int) -> Iterator[Event]:
        """Add a split, or take note of another number of splits."""
        ended = [split for split in self._splits if source_of(split) != source_of(name)]
        if expected != self._expected or ended:
            self._expected = expected
            self._since = self._clock.now()
        if name not in self._splits:
            self._add(name)
        yield from self._changed(partial(self._resized, ended))

    def _add(self, name: str) -> AssignWatermarks:
        split = self._splits[name] = AssignWatermarks(self._spec, self._batch)
        split.open(self._environment)
        return split

    def _resized(self, ended: Sequence[str] = ()) -> int | None:
        """Remove ended splits, and wait for those that have had no elements, unless these count as idle."""
        for name in ended:
            del self._splits[name]
            self._valve.remove(name)
        is_over = self._idleness is not None and self._clock.now() >= self._since + self._idleness
        known = len(self._splits)
        return self._valve.resize(known if is_over else max(self._expected, known))

    def _passed(self, name: str, events: Iterator[Event]) -> Iterator[Event]:
        """Yield the elements of a split, and watermarks and status where those of the input change."""
        for event in events:
            if isinstance(event, Elements):
                yield event
            elif isinstance(event, Watermark):
                yield from self._changed(partial(self._valve.advance, name, event.timestamp))
            else:
                yield from self._changed(partial(self._valve.mark, name, idle=event.idle))

    def _changed(self, change: Callable[[], int | None]) -> Iterator[Event]:
        """Change the valve, and yield what changes for the input as a whole."""
        was_idle = self._valve.is_idle
        watermark = change()
        if was_idle and not self._valve.is_idle:
            yield WatermarkStatus(idle=False)
        if watermark is not None:
            yield Watermark(watermark)
        if self._valve.is_idle and not was_idle:
            yield WatermarkStatus(idle=True)

    def tick(self) -> Iterator[Event]:
        for name, split in self._splits.items():
            yield from self._passed(name, split.tick())

    def end_epoch(self) -> Iterator[Event]:
        """Emit the periodic watermarks at the end of an epoch, or mark the input as idle."""
        yield from self._changed(self._resized)
        for name, split in self._splits.items():
            yield from self._passed(name, split.end_epoch())

    def next_timer(self) -> int | None:
        times = [split.next_timer() for split in self._splits.values()]
        if self._idleness is not None and self._valve.channels > len(self._splits):
            times.append(self._since + self._idleness)
        return min((time for time in times if time is not None), default=None)

    def mark(self, status: WatermarkStatus) -> Iterator[Event]:
        """Drop the status of the input, like its watermarks."""
        return iter(())

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            self._valve.watermark = watermark  # no watermark of a split follows
            yield Watermark(watermark)

    def snapshot(self) -> _Snapshot:
        """Return the state of all splits.

        Raises:
            TaskFailure: a generator cannot be pickled.
        """
        states = {name: split.snapshot() for name, split in self._splits.items()}
        return self._expected, self._since, states, self._valve.channels, self._valve.snapshot()

    def restore(self, state: _Snapshot | None) -> None:
        self._splits.clear()
        if state is None:
            self._expected, self._since = 1, self._clock.now()
            self._valve.restore(None)
            self._valve.resize(self._expected)
        else:
            self._expected, self._since, states, channels, valve = state
            for name, each in states.items():
                self._add(name).restore(each)
            self._valve.restore(valve)
            self._valve.channels = channels

    def merge(self, states: Sequence[_Snapshot]) -> None:
        """Return no state: as in Flink, watermarks start again after a savepoint, with whatever splits."""


SPLIT_WATERMARKS = OperatorKind("Timestamps/Watermarks by Split", SplitWatermarks)
