"""A task: a tree of operators fed with batches, every edge holding its elements to their declared type."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from pystream.metrics.registry import MetricRegistry
from pystream.runtime.context import RuntimeContext
from pystream.runtime.failure import OperatorLabel, TaskFailure, short_repr
from pystream.runtime.operators import Operator, make_operator
from pystream.runtime.outputs import Columns, Item, Output, make_output
from pystream.runtime.spec import ColumnsOutput, Consumer, OperatorSpec, TaskSpec
from pystream.runtime.task_info import SubtaskInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["Task"]


class Task:
    """One subtask: feed it batches, take the items its outputs give.

    Args:
        spec: the operators and outputs.
        subtask: where it runs.
        metrics: what its functions measure.

    Raises:
        TaskFailure: a function or a sink writer could not be unpickled or made.
    """

    def __init__(self, spec: TaskSpec, subtask: SubtaskInfo, metrics: MetricRegistry) -> None:
        self._name = spec.name
        self._input_label = spec.input_label
        self._subtask = subtask
        self._metrics = metrics
        self._operators: list[Operator] = []
        self._outputs: list[Output] = []
        self._consumers = self._build(spec.consumers, spec.input_label, spec.input_type, conformed=True)

    def _build(
        self,
        specs: tuple[Consumer, ...],
        label: OperatorLabel,
        type_info: TypeInformation[Any],
        *,
        conformed: bool,
    ) -> _Consumers:
        consumers = [
            self._vertex(spec) if isinstance(spec, OperatorSpec) else self._output(spec, label, conformed)
            for spec in specs
        ]
        return _Consumers(consumers, type_info)

    def _vertex(self, spec: OperatorSpec) -> _Vertex:
        # A sole columnar consumer checks while it encodes, which saves a pass over the batch.
        checks_itself = len(spec.consumers) == 1 and isinstance(spec.consumers[0], ColumnsOutput)
        vertex = _Vertex(
            make_operator(spec),
            None if spec.trusted or checks_itself else serializer_for(spec.output_type).conform,
            self._build(
                spec.consumers, spec.label, spec.output_type, conformed=spec.trusted or not checks_itself
            ),
        )
        self._operators.append(vertex.operator)
        return vertex

    def _output(self, spec: Any, label: OperatorLabel, conformed: bool) -> Output:
        if isinstance(spec, ColumnsOutput):
            output: Output = Columns(spec, label, conformed=conformed)
        else:
            output = make_output(spec, label, self._subtask)
        self._outputs.append(output)
        return output

    def run(self, batches: Iterable[list[Any]]) -> Iterator[Item]:
        """Yield what the outputs give for all batches, and at their end.

        Functions are opened before the first batch, even if there is none, the last of a chain first, and
        closed in the opposite order after the last batch. Reading stops early once no output needs more. What
        was measured, here and by the tasks before, leaves by the first output that has rows.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or the input cannot be read.
        """
        try:
            for operator in self._operators:
                metrics = self._metrics.group(operator.label.name)
                operator.open(RuntimeContext(self._subtask, self._name, metrics))
            for batch in self._read(batches):
                yield from self._consumers.feed(batch)
                if self._consumers.done:
                    break
            for output in self._outputs:
                yield from output.finish()
            measured = self._measured()
        except BaseException:
            self._abandon()
            raise
        for operator in reversed(self._operators):
            operator.close()
        for output in self._outputs:
            for row in output.end(measured):
                yield row
                measured = b""

    def _read(self, batches: Iterable[list[Any]]) -> Iterator[list[Any]]:
        try:
            yield from batches
        except Exception as error:
            raise TaskFailure.of(self._input_label, error) from error

    def _measured(self) -> bytes:
        try:
            snapshot = self._metrics.snapshot()
        except Exception as error:
            raise TaskFailure.of(self._input_label, error) from error
        return pickle.dumps(snapshot, pickle.HIGHEST_PROTOCOL) if snapshot else b""

    def _abandon(self) -> None:
        for operator in reversed(self._operators):
            with suppress(Exception):  # the first failure is the one to report
                operator.close()
        for output in self._outputs:
            with suppress(Exception):
                output.abort()


class _Consumers:
    """All that get the elements of one edge."""

    __slots__ = ("_consumers", "_copy")

    def __init__(self, consumers: list[_Vertex | Output], type_info: TypeInformation[Any]) -> None:
        self._consumers = consumers
        shared = len(consumers) > 1 and type_info.is_mutable()
        self._copy = serializer_for(type_info) if shared else None

    def feed(self, values: list[Any]) -> Iterator[Item]:
        """Hand a batch to each consumer; functions that share elements get copies, as Flink's do."""
        if not values:
            return
        for consumer in self._consumers:
            if self._copy is not None and isinstance(consumer, _Vertex):
                yield from consumer.write(self._copy.deserialize(self._copy.serialize(values)))
            else:
                yield from consumer.write(values)

    @property
    def done(self) -> bool:
        return all(consumer.done for consumer in self._consumers)


class _Vertex:
    """An operator, the check of what it gives, and who gets it."""

    __slots__ = ("_conform", "_consumers", "operator")

    def __init__(self, operator: Operator, conform: Any, consumers: _Consumers) -> None:
        self.operator = operator
        self._conform = conform
        self._consumers = consumers

    def write(self, values: list[Any]) -> Iterator[Item]:
        for results in self.operator.process(values):
            yield from self._consumers.feed(self._checked(results))
            if self.done:
                return

    @property
    def done(self) -> bool:
        return self._consumers.done

    def _checked(self, results: list[Any]) -> list[Any]:
        if self._conform is None:
            return results
        try:
            checked: list[Any] = self._conform(results)
        except TypeCheckError as error:
            element = "" if error.index is None else short_repr(results[error.index])
            raise TaskFailure.of(self.operator.label, error, element) from error
        return checked
