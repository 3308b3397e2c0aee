"""Operators that apply a function to each element, from batches to batches.

The position of an iterator over the batch identifies the element that a function failed on, and the element
of a result.
"""

from __future__ import annotations

import pickle
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import compress
from operator import itemgetter, length_hint
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.context import ProcessContext, UnkeyedTimerService
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Elements, Event
from pystream.engine.failure import TaskFailure, guarded, short_repr
from pystream.engine.functions import BoundedOneInput
from pystream.engine.operators.operator import ElementProcessor, Operator, OperatorEnvironment
from pystream.engine.results.collector import Collector
from pystream.engine.results.copies import ResultCopier, is_tagged
from pystream.engine.results.flat_results import FlatResults, in_batches
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.vector_function import VectorFunction
from pystream.kinds import FunctionCall, Given, Lifting, OperatorKind

if TYPE_CHECKING:
    from pystream.engine.columns.column_run import ColumnRun

__all__ = [
    "CO_FLAT_MAP",
    "CO_MAP",
    "CO_PROCESS",
    "FILTER",
    "FLAT_MAP",
    "MAP",
    "PROCESS",
    "PROJECT",
    "Elementwise",
    "Process",
]


class Elementwise(Operator):
    """An operator without keys; with two inputs, it has a method for each."""

    METHODS: ClassVar[tuple[str, ...]]

    @classmethod
    def make(cls, spec: OperatorSpec, batch: bool) -> Operator:
        """Return the operator of a specification: keyed, vectorised, or of this class."""
        if spec.keys:
            return cls._keyed(spec, batch)
        function = pickle.loads(spec.function)
        if isinstance(function, VectorFunction):
            from pystream.engine.vectorised.operators import vector_operator  # needs pandas

            return vector_operator(spec, function, *cls.METHODS)
        operator = cls(spec, function)
        return operator if spec.columns is None else operator._over_columns(spec, spec.columns)

    @classmethod
    def _keyed(cls, spec: OperatorSpec, batch: bool) -> Operator:
        from pystream.engine.operators.keyed_process import KeyedElementwise
        from pystream.engine.operators.sorted_by_key import by_key

        return by_key(KeyedElementwise(spec, cls.METHODS, cls.element_processor), batch)

    @staticmethod
    def element_processor(call: Callable[[Any], Any], out: Collector) -> ElementProcessor:
        """Return the function that processes one element of a keyed stream and collects the results."""
        raise NotImplementedError

    def __init__(self, spec: OperatorSpec, function: Any) -> None:
        super().__init__(spec.label, (function,) if spec.is_object else ())
        self._function = function
        self._copies = ResultCopier(spec)
        self._is_object = spec.is_object
        self._columns: ColumnRun | None = None

    def _over_columns(self, spec: OperatorSpec, forms: ColumnForms) -> Self:
        """Let the function run over columns where elements come as such."""
        from pystream.engine.columns.column_run import ColumnRun  # needs pyarrow

        (method,) = self.METHODS
        self._columns = ColumnRun(spec, forms, method, self._copies)
        self.takes_columns = True
        return self

    def open(self, environment: OperatorEnvironment) -> None:
        super().open(environment)
        self._prepare(environment)
        if self._columns is not None:
            (call,) = self._calls
            self._columns.open(call, environment.metrics)

    def _prepare(self, environment: OperatorEnvironment) -> None:
        """Create the functions that are called with the elements of each input."""
        self._calls: list[Callable[[Any], Any]] = [
            getattr(self._function, name) if self._is_object else self._function for name in self.METHODS
        ]

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        called = partial(self._called, side=side)
        return called(elements) if self._columns is None else self._columns.process(elements, called)

    def _called(self, elements: Elements, side: int) -> Iterator[Event]:
        """Return the results of calls with elements."""
        values = elements.values
        remaining = iter(values)

        def failure(error: BaseException) -> TaskFailure:
            at = len(values) - length_hint(remaining) - 1
            return TaskFailure.of(self.label, error, short_repr(values[at]) if at >= 0 else "")

        return guarded(self._run(elements, remaining, self._calls[side]), failure)

    @abstractmethod
    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]: ...


class Map(Elementwise):
    """Map each element to one result."""

    METHODS: ClassVar[tuple[str, ...]] = ("map",)

    @staticmethod
    def element_processor(call: Callable[[Any], Any], out: Collector) -> ElementProcessor:
        def process(value: Any, timestamp: int) -> None:
            out.add(call(value), timestamp)

        return process

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        results = self._copies.of_each(call, remaining)
        values = elements.values
        yield Elements(results, elements.timestamps, origin=lambda index: short_repr(values[index]))


class CoMap(Map):
    """Map each element of two inputs to one result; ``None`` emits nothing."""

    METHODS: ClassVar[tuple[str, ...]] = ("map1", "map2")

    @staticmethod
    def element_processor(call: Callable[[Any], Any], out: Collector) -> ElementProcessor:
        def process(value: Any, timestamp: int) -> None:
            result = call(value)
            if result is not None:
                out.add(result, timestamp)

        return process

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        for results in super()._run(elements, remaining, call):
            yield _selected(results, [value is not None for value in results.values])


class Filter(Elementwise):
    """Emit the elements that satisfy a predicate."""

    METHODS: ClassVar[tuple[str, ...]] = ("filter",)

    @staticmethod
    def element_processor(call: Callable[[Any], Any], out: Collector) -> ElementProcessor:
        def process(value: Any, timestamp: int) -> None:
            if call(value):
                out.add(value, timestamp)

        return process

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        if elements.timestamps is None:
            yield Elements(self._copies.of_passing(call, remaining))
            return
        passing = self._copies.each(value for value in remaining if call(value))
        yield from in_batches(passing, remaining, elements.timestamps)


class FlatMap(Elementwise):
    """Map each element to the results in an iterable; ``None`` means none."""

    METHODS: ClassVar[tuple[str, ...]] = ("flat_map",)

    @staticmethod
    def element_processor(call: Callable[[Any], Any], out: Collector) -> ElementProcessor:
        def process(value: Any, timestamp: int) -> None:
            results = call(value)
            if results is not None:
                for result in results:
                    out.add(result, timestamp)

        return process

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        results = FlatResults((call(value) for value in remaining), elements.values)
        first = 0
        for batch in in_batches(self._copied(results), remaining, elements.timestamps):
            yield batch._replace(origin=partial(results.origin, first))
            first += len(batch.values)

    def _copied(self, results: Iterable[Any]) -> Iterable[Any]:
        return self._copies.each(results)


class CoFlatMap(FlatMap):
    """Map each element of two inputs to any number of results."""

    METHODS: ClassVar[tuple[str, ...]] = ("flat_map1", "flat_map2")


class Project(Elementwise):
    """Project tuples onto the chosen fields, in the chosen order."""

    METHODS: ClassVar[tuple[str, ...]] = ("project",)

    def _prepare(self, environment: OperatorEnvironment) -> None:
        indexes: Sequence[int] = self._function
        self._calls = [itemgetter(*indexes) if len(indexes) > 1 else lambda value: (value[indexes[0]],)]

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        yield Elements(self._copies.of_each(call, remaining), elements.timestamps)


class Process(FlatMap):
    """Process each element with a function that gets a context and may emit to side outputs."""

    METHODS: ClassVar[tuple[str, ...]] = ("process_element",)

    @classmethod
    def _keyed(cls, spec: OperatorSpec, batch: bool) -> Operator:
        from pystream.engine.operators.keyed_process import KeyedProcess
        from pystream.engine.operators.sorted_by_key import by_key

        return by_key(KeyedProcess(spec), batch)

    def _prepare(self, environment: OperatorEnvironment) -> None:
        super()._prepare(environment)
        self._timer_service = UnkeyedTimerService(environment.clock)
        self._context = ProcessContext(self._timer_service)

    def _run(
        self, elements: Elements, remaining: Iterator[Any], call: Callable[[Any], Any]
    ) -> Iterator[Elements]:
        context, timestamps = self._context, elements.timestamps

        def call_at_its_time(value: Any) -> Any:
            if timestamps is not None:
                context._timestamp = timestamps[len(timestamps) - length_hint(remaining) - 1]
            return call(value, context)  # type: ignore[call-arg]

        context._timestamp = NO_TIMESTAMP
        for results in super()._run(elements, remaining, call_at_its_time):
            yield from _by_tag(results)

    def _copied(self, results: Iterable[Any]) -> Iterable[Any]:
        return self._copies.each_tagged(results)

    def advance(self, watermark: int) -> Iterator[Event]:
        self._timer_service._watermark = watermark
        if watermark == MAX_WATERMARK and isinstance(self._function, BoundedOneInput):
            yield from guarded(self._at_end(self._function), partial(TaskFailure.of, self.label))
        yield from super().advance(watermark)

    def _at_end(self, function: BoundedOneInput) -> Iterator[Elements]:
        """Yield the results of a function at the end of the input."""
        for results in in_batches(self._copied(function.end_input()), iter(()), None):
            yield from _by_tag(results)

    def event_time(self) -> int:
        return self._timer_service._watermark

    def restore_event_time(self, watermark: int) -> None:
        self._timer_service._watermark = watermark


class CoProcess(Process):
    """Process each element of two inputs with a function that gets a context."""

    METHODS: ClassVar[tuple[str, ...]] = ("process_element1", "process_element2")


def _selected(elements: Elements, answers: Sequence[Any]) -> Elements:
    values, timestamps, _, origin = elements
    return Elements(
        list(compress(values, answers)),
        None if timestamps is None else list(compress(timestamps, answers)),
        origin=origin and (lambda index: origin(list(compress(range(len(values)), answers))[index])),
    )


def _by_tag(results: Elements) -> Iterator[Elements]:
    """Yield results without a tag, then those of each tag."""
    tags = [value[0].tag_id if is_tagged(value) else None for value in results.values]
    if tags.count(None) == len(tags):
        yield results
        return
    for tag in dict.fromkeys([None, *tags]):
        part = _selected(results, [own == tag for own in tags])
        if part.values:
            values = part.values if tag is None else [value for _, value in part.values]
            yield part._replace(values=values, tag=tag)


def _has_keys(function: bytes, has_keys: bool) -> bool:
    return has_keys


def _map_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (FunctionCall(function.map if is_object else function, (Given.ELEMENT,)),)


def _flat_map_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (FunctionCall(function.flat_map if is_object else function, (Given.ELEMENT,), many=True),)


def _process_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    elements = FunctionCall(function.process_element, (Given.ELEMENT, Given.CONTEXT), many=True)
    return (elements, *timer_calls(function))


def timer_calls(function: Any) -> tuple[FunctionCall, ...]:
    """Return the calls of a function object for its timers, if it has any."""
    own = getattr(type(function), "on_timer", None)
    if own is None or own.__module__.startswith("pystream."):
        return ()
    return (FunctionCall(function.on_timer, (Given.TIME, Given.CONTEXT), many=True),)


def _co_map_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (
        FunctionCall(function.map1, (Given.ELEMENT,), skips_none=True),
        FunctionCall(function.map2, (Given.OTHER,), skips_none=True),
    )


def _co_flat_map_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (
        FunctionCall(function.flat_map1, (Given.ELEMENT,), many=True),
        FunctionCall(function.flat_map2, (Given.OTHER,), many=True),
    )


def _co_process_calls(function: Any, is_object: bool) -> tuple[FunctionCall, ...]:
    return (
        FunctionCall(function.process_element1, (Given.ELEMENT, Given.CONTEXT), many=True),
        FunctionCall(function.process_element2, (Given.OTHER, Given.CONTEXT), many=True),
        *timer_calls(function),
    )


MAP = OperatorKind(
    "Map",
    Map.make,
    method="map",
    takes_batches=True,
    one_to_one=True,
    lifting=Lifting.MAP,
    keeps_state=_has_keys,
    calls=_map_calls,
)
FLAT_MAP = OperatorKind(
    "FlatMap",
    FlatMap.make,
    method="flat_map",
    takes_batches=True,
    lifting=Lifting.FLAT_MAP,
    keeps_state=_has_keys,
    calls=_flat_map_calls,
)
FILTER = OperatorKind(
    "Filter",
    Filter.make,
    method="filter",
    takes_batches=True,
    keeps_type=True,
    lifting=Lifting.PREDICATE,
    keeps_state=_has_keys,
)
PROJECT = OperatorKind(
    "Projection",
    Project.make,
    keeps_type=True,
    one_to_one=True,
    lifting=Lifting.PROJECTION,
    keeps_state=_has_keys,
)
PROCESS = OperatorKind(
    "PROCESS", Process.make, side_outputs=True, keeps_state=_has_keys, calls=_process_calls
)
CO_MAP = OperatorKind("Co-Map", CoMap.make, inputs=2, keeps_state=_has_keys, calls=_co_map_calls)
CO_FLAT_MAP = OperatorKind(
    "Co-Flat Map", CoFlatMap.make, inputs=2, keeps_state=_has_keys, calls=_co_flat_map_calls
)
CO_PROCESS = OperatorKind(
    "Co-Process", CoProcess.make, inputs=2, side_outputs=True, keeps_state=_has_keys, calls=_co_process_calls
)
