"""AsyncWait: the operator of asynchronous functions."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import repeat

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event, Watermark
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.operators.async_wait.calls import AsyncRunner, CallRunner
from pystream.engine.operators.async_wait.plan import AsyncPlan
from pystream.engine.operators.async_wait.queue import PendingElement, WaitingQueue
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.results.collector import Collector
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.kinds import FunctionCall, Given, OperatorKind, keeps_no_state

__all__ = ["ASYNC_WAIT", "AsyncWait"]


class AsyncWait(Operator):
    """Emit the results of asynchronous calls; those of one element together, with its timestamp.

    A watermark is emitted after the results of all elements before it. Mirrors
    ``org.apache.flink.streaming.api.operators.async.AsyncWaitOperator``.
    """

    def __init__(self, spec: OperatorSpec, batch: bool = False) -> None:
        plan: AsyncPlan = pickle.loads(spec.function)
        super().__init__(spec.label, (plan.function,))
        self._plan = plan
        self._copies = ResultCopier(spec)
        self._waiting = WaitingQueue(ordered=plan.ordered)
        self._out = Collector()
        self._runner: CallRunner | None = None

    def open(self, environment: OperatorEnvironment) -> None:
        super().open(environment)
        self._runner = self._new_runner(environment)

    def _new_runner(self, environment: OperatorEnvironment) -> CallRunner:
        """Return a runner for the calls."""
        return AsyncRunner(self._plan, self._copies)

    def close(self) -> None:
        if self._runner is not None:
            self._runner.stop()
            self._runner = None
        super().close()

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        assert self._runner is not None
        waiting, start = self._waiting, self._runner.start
        for value, timestamp in zip(
            elements.values, elements.timestamps or repeat(NO_TIMESTAMP), strict=False
        ):
            while len(waiting) >= self._plan.capacity:
                self._record_finished(wait=True)
                yield from self._leaving()
            entry = PendingElement(value, timestamp)
            waiting.put(entry)
            start(entry)
        self._record_finished(wait=False)
        yield from self._leaving()

    def advance(self, watermark: int) -> Iterator[Event]:
        self._waiting.put_watermark(watermark)
        self._record_finished(wait=False)
        yield from self._leaving()
        if watermark == MAX_WATERMARK:
            yield from self.end_epoch()

    def end_epoch(self) -> Iterator[Event]:
        """Wait for all calls in flight, and yield their results."""
        while len(self._waiting):
            self._record_finished(wait=True)
            yield from self._leaving()

    def tick(self) -> Iterator[Event]:
        self._record_finished(wait=False)
        return self._leaving()

    def _record_finished(self, *, wait: bool) -> None:
        """Record the elements that are done; on request, wait until there is one."""
        assert self._runner is not None
        finished = self._runner.finished
        while wait or not finished.empty():
            entry = finished.get()
            wait = False
            if entry.error is not None:
                raise TaskFailure.of(self.label, entry.error, short_repr(entry.value)) from entry.error
            self._waiting.done(entry)

    def _leaving(self) -> Iterator[Event]:
        out = self._out
        for leaving in self._waiting.take():
            if isinstance(leaving, Watermark):
                yield from out.take()
                yield leaving
                continue
            out.element = leaving.value
            for result in leaving.results:
                out.add(result, leaving.timestamp)
            if out.is_full:
                yield from out.take()
        yield from out.take()


def _calls(plan: AsyncPlan, is_object: bool) -> tuple[FunctionCall, ...]:
    function = plan.function
    calls = [FunctionCall(function.async_invoke, (Given.ELEMENT,), many=True)]
    own = getattr(type(function), "timeout", None)
    if own is not None and not own.__module__.startswith("pystream."):
        calls.append(FunctionCall(function.timeout, (Given.ELEMENT,), many=True))
    return tuple(calls)


ASYNC_WAIT = OperatorKind("async wait operator", AsyncWait, keeps_state=keeps_no_state, calls=_calls)
