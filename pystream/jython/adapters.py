"""Adapters from functions with the methods of Java to those of `pystream.datastream`.

An adapter holds the user's function as ``__wrapped__``, so that messages and plans describe that one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pystream.datastream.functions import (
    FilterFunction,
    FlatMapFunction,
    Function,
    KeySelector,
    MapFunction,
    ReduceFunction,
    SourceContext,
    SourceFunction,
    WindowFunction,
)
from pystream.engine.context import RuntimeContext as EngineContext
from pystream.engine.windows.windows import TimeWindow
from pystream.errors import PlanError, PlanTypeError
from pystream.jython import functions
from pystream.jython.runtime_context import RuntimeContext
from pystream.plan.function import UserFunction
from pystream.settings.configuration import Configuration

__all__ = [
    "Calls",
    "FilterAdapter",
    "FlatMapAdapter",
    "JavaTimeWindow",
    "KeyAdapter",
    "MapAdapter",
    "NamesAdapter",
    "ReduceAdapter",
    "Selected",
    "SourceAdapter",
    "WindowAdapter",
    "opened",
]


class Calls(NamedTuple):
    """The method and parameters by which a stream calls a function.

    Attributes:
        call: the method of the stream.
        base: the base class of its functions.
        method: the method of a function.
        parameters: those of the method, for messages.
    """

    call: str
    base: type[Any]
    method: str
    parameters: str

    def check(self, function: object) -> None:
        """Check that a function can be called in this way, and sent to workers.

        Raises:
            PlanTypeError: it cannot be called.
            FunctionPicklingError: it cannot be sent.
        """
        wanted = f"a {self.base.__name__}, an object with {self.method}({self.parameters})"
        if isinstance(function, type):
            name = function.__name__
            raise PlanTypeError(f"{self.call} takes {wanted}, not the class {name}: write {name}()")
        if isinstance(function, Function):
            raise PlanTypeError(
                f"{self.call} takes {wanted}, not a function of pyflink.datastream, "
                f"{type(function).__name__}; derive it from org.apache.flink's {self.base.__name__}"
            )
        called = self.of(function)
        if called is None:
            raise PlanTypeError(f"{self.call} takes {wanted}, not {function!r}")
        if "collector" in self.parameters and inspect.isgeneratorfunction(called):
            raise PlanTypeError(
                f"{self.call}: {called.__qualname__} yields its results, which nobody would read; pass each "
                "to collector.collect()"
            )
        UserFunction.of(function, self.call)

    def of(self, function: Any) -> Callable[..., Any] | None:
        """Return what is called: the method, or the function itself if it has none; ``None`` if neither."""
        called = getattr(function, self.method, None)
        if not callable(called):
            called = function if callable(function) else None
        return called


MAP = Calls("map", functions.MapFunction, "map", "value")
FLAT_MAP = Calls("flat_map", functions.FlatMapFunction, "flatMap", "value, collector")
FILTER = Calls("filter", functions.FilterFunction, "filter", "value")
KEY_BY = Calls("key_by", functions.KeySelector, "getKey", "input")
REDUCE = Calls("reduce", functions.ReduceFunction, "reduce", "input1, input2")
APPLY = Calls("apply", functions.WindowFunction, "apply", "key, window, values, collector")
SPLIT = Calls("split", functions.OutputSelector, "select", "value")


class _Results(functions.Collector[Any]):
    """Collect results in a list."""

    def __init__(self) -> None:
        self.list: list[Any] = []

    def collect(self, record: Any) -> None:
        self.list.append(record)


def opened(function: Any, context: EngineContext | None = None) -> None:
    """Open a function if it has a method for that, with its runtime context if it takes one."""
    if context is not None and callable(getattr(function, "setRuntimeContext", None)):
        function.setRuntimeContext(RuntimeContext(context))
    if callable(getattr(function, "open", None)):
        function.open(Configuration())


class _Adapter(Function):
    """Base class of adapters."""

    CALLS: Calls

    def __init__(self, function: Any) -> None:
        self.CALLS.check(function)
        self.__wrapped__ = function

    def open(self, runtime_context: EngineContext) -> None:
        opened(self.__wrapped__, runtime_context)
        self._call: Callable[..., Any] = self.CALLS.of(self.__wrapped__)  # type: ignore[assignment]

    def close(self) -> None:
        if callable(getattr(self.__wrapped__, "close", None)):
            self.__wrapped__.close()


class MapAdapter(_Adapter, MapFunction[Any, Any]):
    """Calls ``map``."""

    CALLS = MAP

    def map(self, value: Any) -> Any:
        return self._call(value)


class FlatMapAdapter(_Adapter, FlatMapFunction[Any, Any]):
    """Calls ``flatMap``."""

    CALLS = FLAT_MAP

    def flat_map(self, value: Any) -> Iterable[Any]:
        results = _Results()
        self._call(value, results)
        return results.list


class FilterAdapter(_Adapter, FilterFunction[Any]):
    """Calls ``filter``."""

    CALLS = FILTER

    def filter(self, value: Any) -> bool:
        return bool(self._call(value))


class KeyAdapter(_Adapter, KeySelector[Any, Any]):
    """Calls ``getKey``."""

    CALLS = KEY_BY

    def get_key(self, value: Any) -> Any:
        return self._call(value)


class ReduceAdapter(_Adapter, ReduceFunction[Any]):
    """Calls ``reduce``."""

    CALLS = REDUCE

    def reduce(self, value1: Any, value2: Any) -> Any:
        return self._call(value1, value2)


class JavaTimeWindow(TimeWindow):
    """A window of time, with the names of its methods in Java as well."""

    __slots__ = ()

    def getStart(self) -> int:
        """Return the first ms since the Unix epoch that belongs to the window."""
        return self.start

    def getEnd(self) -> int:
        """Return the first ms since the Unix epoch after the window."""
        return self.end

    def maxTimestamp(self) -> int:
        """Return the last ms since the Unix epoch that belongs to the window."""
        return self.end - 1


class WindowAdapter(_Adapter, WindowFunction[Any, Any, Any, Any]):
    """Calls ``apply``."""

    CALLS = APPLY

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        if isinstance(window, TimeWindow):
            window = JavaTimeWindow(*window)
        results = _Results()
        self._call(key, window, list(inputs), results)
        return results.list


class NamesAdapter(_Adapter, MapFunction[Any, Any]):
    """Calls ``select``, once for each element; the result is the names of its outputs and the element."""

    CALLS = SPLIT

    def map(self, value: Any) -> tuple[frozenset[str], Any]:
        names = self._call(value)
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise TypeError(f"select must return a list of names of outputs, not {names!r}")
        return frozenset(names), value


class Selected(FlatMapFunction[Any, Any]):
    """Keep the elements of outputs of a split stream.

    Args:
        names: those of the outputs.
        selector: what names the outputs of elements, for messages.

    Raises:
        PlanError: there are no names.
        PlanTypeError: a name is not a text.
    """

    def __init__(self, names: Iterable[str], selector: Any) -> None:
        self.__wrapped__ = selector
        self._names = frozenset(names)
        if not self._names:
            raise PlanError("select takes the names of outputs, at least one")
        for name in self._names:
            if not isinstance(name, str):
                raise PlanTypeError(f"select takes the names of outputs, not {name!r}")

    def flat_map(self, value: tuple[frozenset[str], Any]) -> Iterable[Any]:
        names, element = value
        return () if names.isdisjoint(self._names) else (element,)


class SourceAdapter(SourceFunction[Any]):
    """Calls ``run`` and ``cancel`` of an object that is not a SourceFunction.

    Args:
        function: the object.

    Raises:
        PlanTypeError: it lacks one of them.
    """

    def __init__(self, function: Any) -> None:
        if isinstance(function, type) or not all(
            callable(getattr(function, method, None)) for method in ("run", "cancel")
        ):
            raise PlanTypeError(
                f"create_python_source takes a SourceFunction, an object with run(ctx) and cancel(), not "
                f"{function!r}"
            )
        self.__wrapped__ = function

    def run(self, ctx: SourceContext[Any]) -> None:
        self.__wrapped__.run(ctx)

    def cancel(self) -> None:
        self.__wrapped__.cancel()
