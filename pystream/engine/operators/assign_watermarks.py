"""AssignWatermarks: the operator that assigns timestamps to elements and generates watermarks."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.engine.events import (
    MAX_WATERMARK,
    NO_TIMESTAMP,
    Elements,
    Event,
    Timestamps,
    Watermark,
    WatermarkStatus,
)
from pystream.engine.failure import ElementFailure, TaskFailure, call_each, short_repr
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.state_format import StateFormat
from pystream.engine.time.watermark_generators import BoundedOutOfOrderness, NoWatermarks, WatermarkGenerator
from pystream.kinds import Lifting, OperatorKind
from typeinfo.errors import PyStreamError

if TYPE_CHECKING:
    from pystream.engine.columns.timestamp_run import TimestampRun
    from pystream.engine.vectorised.columns import ColumnValues

__all__ = [
    "ASSIGN_COLUMN_WATERMARKS",
    "ASSIGN_WATERMARKS",
    "AssignWatermarks",
    "ColumnTimestamps",
    "TimestampError",
    "WatermarkGeneratorError",
    "WatermarkPlan",
]


class TimestampError(PyStreamError, ValueError):
    """A timestamp is not a 64-bit integer."""


class WatermarkGeneratorError(PyStreamError, TypeError):
    """A watermark generator cannot be part of a snapshot."""


class ColumnTimestamps(ABC):
    """A timestamp assigner of the engine that also takes all elements of a batch as columns."""

    @abstractmethod
    def timestamps_of_columns(self, values: ColumnValues) -> array[int] | None:
        """Return the timestamps of elements, ``None`` if they must be extracted one by one."""


@dataclass(frozen=True, slots=True)
class WatermarkPlan:
    """A watermark strategy in the form that workers use; cloudpickled.

    Attributes:
        extract: returns the timestamp, given the element and its current timestamp; ``None`` keeps that.
        generator: makes the generator of a subtask.
        idleness: time in ms without elements after which the input counts as idle, ``None`` for never.
        of_columns: returns the timestamps of a batch as `ColumnTimestamps` does, ``None`` if ``extract`` is
            not one of these.
    """

    extract: Callable[[Any, int], int] | None
    generator: Callable[[], WatermarkGenerator]
    idleness: int | None = None
    of_columns: Callable[[ColumnValues], array[int] | None] | None = None

    def plain_extract(self) -> Callable[[Any, int], int] | None:
        """Return the function that extracts timestamps, ``None`` if the generator is user-defined."""
        return self.extract if self.is_built_in else None

    @property
    def is_built_in(self) -> bool:
        """Whether the generator is one of Flink's two."""
        return getattr(self.generator, "func", self.generator) in (NoWatermarks, BoundedOutOfOrderness)


_Snapshot: TypeAlias = "tuple[int, bytes, bool, int]"


class AssignWatermarks(Operator):
    """Assign timestamps to elements, and emit watermarks: between bundles, or after every element.

    Periodic watermarks are emitted between bundles once the interval has passed. With an interval of 0 the
    generator is asked after every element, so that watermarks depend neither on time nor on batches.
    Incoming watermarks are dropped, except for the last one, which ends event time.
    """

    takes_columns = True

    def __init__(self, spec: OperatorSpec, batch: bool) -> None:
        super().__init__(spec.label)
        self._batch = batch
        self._plan: WatermarkPlan = pickle.loads(spec.function)
        self._columns: TimestampRun | None = None
        if spec.columns is not None and self._plan.extract is not None:
            from pystream.engine.columns.timestamp_run import TimestampRun  # needs pyarrow

            self._columns = TimestampRun(spec.label, spec.columns, self._plan.extract)
        self._emitted = NO_TIMESTAMP
        self._pending: list[Watermark | WatermarkStatus] = []
        self._is_idle = False
        self._last_element = 0
        self._last_emit = 0

    def open(self, environment: OperatorEnvironment) -> None:
        self._clock = environment.clock
        self._last_element = environment.clock.now()
        execution = environment.subtask.job.execution
        self._interval = execution.watermark_interval
        self._bundle_size = execution.bundle_size
        self._generator = self._new_generator()
        self._stored = StateFormat(self.label, type(self._generator).__module__.startswith("pystream."))
        # Flink's two built-in generators process whole bundles at once, unless each element is followed.
        is_bounded = type(self._generator) is BoundedOutOfOrderness
        self._needs_highest = is_bounded and self._interval > 0
        self._needs_each = not self._needs_highest and type(self._generator) is not NoWatermarks

    def snapshot(self) -> _Snapshot:
        """Return the last watermark, the pickled generator, the status and the time of the last element.

        Raises:
            TaskFailure: the generator cannot be pickled.
        """
        generator = self._generator
        try:
            return self._emitted, self._stored.dump(generator), self._is_idle, self._last_element
        except Exception as cause:
            name = type(generator).__qualname__
            error = WatermarkGeneratorError(
                f"the watermark generator {name} cannot be pickled, as checkpoints require: "
                f"{cause}; keep only plain values in its attributes, or define __getstate__"
            )
            raise TaskFailure.of(self.label, error) from cause

    def merge(self, states: Sequence[_Snapshot]) -> _Snapshot | None:
        """Return the one state, ``None`` if there are several: their input is divided differently now.

        The watermark and the status are to be emitted again, as receivers do not restore those of channels.
        """
        if len(states) != 1:
            return None
        _, generator, _, last_element = states[0]
        return NO_TIMESTAMP, generator, False, last_element

    def restore(self, state: _Snapshot | None) -> None:
        if state is None:
            self._emitted, self._generator = NO_TIMESTAMP, self._new_generator()
            self._is_idle, self._last_element = False, self._clock.now()
        else:
            self._emitted, generator, self._is_idle, self._last_element = state
            self._generator = self._stored.load(generator)

    def _new_generator(self) -> WatermarkGenerator:
        try:
            return self._plan.generator()
        except BaseException as error:
            raise TaskFailure.of(self.label, error) from error

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        timestamps = self._timestamps(elements)
        if self._batch:
            yield Elements(elements.values, timestamps)
            return
        self._last_element = self._clock.now()
        if not self._interval:
            yield from self._followed(Elements(elements.values, timestamps))
            return
        size = self._bundle_size
        for start in range(0, len(elements.values), size):
            bundle = Elements(elements.values[start : start + size], timestamps[start : start + size])
            yield from self._followed(bundle)
            yield from self._periodic()

    def _timestamps(self, elements: Elements) -> Timestamps:
        values = elements.values
        present = elements.timestamps or array("q", [NO_TIMESTAMP]) * len(values)
        extract = self._plan.extract
        if extract is None:
            return present
        timestamps = self._timestamps_of_columns(values, present)
        if timestamps is None:
            try:
                timestamps = call_each(extract, values, present)
            except ElementFailure as failure:
                raise TaskFailure.of(self.label, failure) from failure.__cause__
        if isinstance(timestamps, array):
            return timestamps
        exact = set(map(type, timestamps)) == {int}
        if not exact or min(timestamps) < NO_TIMESTAMP or max(timestamps) > MAX_WATERMARK:
            self._refuse(values, timestamps)
        return timestamps

    def _timestamps_of_columns(
        self, values: Sequence[Any], present: Timestamps
    ) -> list[Any] | array[int] | None:
        if self._columns is not None:
            return self._columns.timestamps(values, present)
        if self._plan.of_columns is None:
            return None
        from pystream.engine.vectorised.columns import ColumnValues  # needs pyarrow

        if isinstance(values, ColumnValues) and values.are_columns:
            return self._plan.of_columns(values)
        return None

    def _refuse(self, values: Sequence[Any], timestamps: list[Any]) -> None:
        for value, timestamp in zip(values, timestamps, strict=True):
            if type(timestamp) is not int or not NO_TIMESTAMP <= timestamp <= MAX_WATERMARK:
                error = TimestampError(
                    f"the timestamp assigner returned {short_repr(timestamp)}; it must return an int of ms "
                    "since the Unix epoch, from -2^63 to 2^63 - 1"
                )
                raise TaskFailure.of(self.label, error, short_repr(value))

    def _followed(self, bundle: Elements) -> Iterator[Event]:
        """Yield a bundle, split where the generator emits watermarks after single elements."""
        if self._needs_highest:
            self._generator.on_event(None, _highest(bundle.timestamps or []), self)
        if not self._needs_each:
            yield bundle
            return
        values, timestamps = bundle.values, bundle.timestamps or []
        start = 0
        for at, (value, timestamp) in enumerate(zip(values, timestamps, strict=True), 1):
            try:
                self._generator.on_event(value, timestamp, self)
                if not self._interval:
                    self._generator.on_periodic_emit(self)
            except BaseException as error:
                raise TaskFailure.of(self.label, error, short_repr(value)) from error
            if self._pending and (events := list(self._emit())):
                yield Elements(values[start:at], timestamps[start:at])
                start = at
                yield from events
        if start < len(values):
            yield Elements(values[start:], timestamps[start:])

    def _periodic(self) -> Iterator[Event]:
        now = self._clock.now()
        if self._last_emit == 0:
            self._last_emit = now
        if now - self._last_emit >= self._interval:
            self._last_emit = now
            yield from self.end_epoch()

    def end_epoch(self) -> Iterator[Event]:
        """Emit the periodic watermark at the end of an epoch, or mark the input as idle."""
        if self._is_overdue():
            yield from self._idle()
            return
        try:
            self._generator.on_periodic_emit(self)
        except BaseException as error:
            raise TaskFailure.of(self.label, error) from error
        yield from self._emit()

    def _is_overdue(self) -> bool:
        """Return whether the input has had no elements for so long that it is idle."""
        deadline = self._idle_from()
        return deadline is not None and self._clock.now() >= deadline

    def _idle(self) -> Iterator[Event]:
        if not self._is_idle:
            self._is_idle = True
            yield WatermarkStatus(idle=True)

    def _idle_from(self) -> int | None:
        idleness = self._plan.idleness
        return None if idleness is None else self._last_element + idleness

    def next_timer(self) -> int | None:
        return None if self._is_idle else self._idle_from()

    def _emit(self) -> Iterator[Event]:
        pending, self._pending = self._pending, []
        for event in pending:
            if isinstance(event, WatermarkStatus):
                if event.idle is not self._is_idle:
                    self._is_idle = event.idle
                    yield event
            elif event.timestamp > self._emitted:
                self._emitted, self._is_idle = event.timestamp, False
                yield event

    def emit_watermark(self, timestamp: int) -> None:
        """Accept a watermark from the generator.

        Raises:
            TimestampError: it is not a 64-bit integer.
        """
        if type(timestamp) is not int or not NO_TIMESTAMP <= timestamp <= MAX_WATERMARK:
            raise TimestampError(
                f"the watermark generator emitted {short_repr(timestamp)}; it must emit an int of ms since "
                f"the epoch, from -2^63 to 2^63 - 1"
            )
        self._pending.append(Watermark(timestamp))

    def mark_idle(self) -> None:
        """Mark the input as idle until the next watermark; called by the generator."""
        self._pending.append(WatermarkStatus(idle=True))

    def mark_active(self) -> None:
        """Mark the input as active; called by the generator."""
        self._pending.append(WatermarkStatus(idle=False))

    def mark(self, status: WatermarkStatus) -> Iterator[Event]:
        """Drop the status of the input, like its watermarks."""
        return iter(())

    def tick(self) -> Iterator[Event]:
        if self._interval and not self._batch:
            yield from self._periodic()
        elif not self._batch and self._is_overdue():
            yield from self._idle()

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            self._emitted = watermark  # the last one: the end of the epoch adds none
            yield Watermark(watermark)


def _highest(timestamps: Timestamps) -> int:
    if not isinstance(timestamps, array):
        return max(timestamps)
    import numpy as np  # not needed to build a program

    return int(np.frombuffer(timestamps, np.int64).max())


def _keeps_state(function: bytes, has_keys: bool) -> bool:
    """Return false for built-in generators: receivers keep the highest watermark of each channel."""
    plan: WatermarkPlan = pickle.loads(function)
    return not plan.is_built_in or plan.idleness is not None


ASSIGN_WATERMARKS = OperatorKind(
    "Timestamps/Watermarks",
    AssignWatermarks,
    keeps_type=True,
    lifting=Lifting.TIMESTAMP,
    liftable=WatermarkPlan.plain_extract,
    keeps_state=_keeps_state,
)
ASSIGN_COLUMN_WATERMARKS = OperatorKind(
    "Timestamps/Watermarks by Column",
    AssignWatermarks,
    takes_columns=True,
    keeps_type=True,
    keeps_state=_keeps_state,
)
