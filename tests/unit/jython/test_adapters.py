"""Adapters from functions with the methods of Java."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.engine.windows.windows import CountWindow, TimeWindow
from pystream.errors import PlanError, PlanTypeError
from pystream.jython import Collector, RichMapFunction, RuntimeContext
from pystream.jython.adapters import (
    FilterAdapter,
    FlatMapAdapter,
    KeyAdapter,
    MapAdapter,
    NamesAdapter,
    ReduceAdapter,
    Selected,
    SourceAdapter,
    WindowAdapter,
)
from pystream.plan.function import describe_function


class Context:
    """The methods of the engine's runtime context that are renamed."""

    def __getattr__(self, name: str) -> Any:
        return lambda: name


class Life(RichMapFunction[int, Any]):
    def __init__(self) -> None:
        self.said: list[Any] = []

    def open(self, config: Any) -> None:
        self.said.append(("open", config.to_dict(), self.getRuntimeContext().getTaskName()))

    def map(self, value: int) -> Any:
        return [*self.said, value]

    def close(self) -> None:
        self.said.append("close")


def opened(adapter: Any) -> Any:
    adapter.open(Context())
    return adapter


def test_a_rich_function_is_opened_called_and_closed() -> None:
    function = Life()
    adapter = opened(MapAdapter(function))
    assert adapter.map(1) == [("open", {}, "get_task_name"), 1]
    adapter.close()
    assert function.said[1:] == ["close"]


def test_a_context_is_there_only_when_the_function_is_open() -> None:
    with pytest.raises(PlanError, match="Life has no context before it is opened"):
        Life().getRuntimeContext()


def test_the_context_has_the_names_of_java() -> None:
    context = RuntimeContext(Context())  # type: ignore[arg-type]
    assert [
        context.getTaskName(),
        context.getTaskNameWithSubtasks(),
        context.getNumberOfParallelSubtasks(),
        context.getMaxNumberOfParallelSubtasks(),
        context.getIndexOfThisSubtask(),
        context.getAttemptNumber(),
    ] == [
        "get_task_name",
        "get_task_name_with_subtasks",
        "get_number_of_parallel_subtasks",
        "get_max_number_of_parallel_subtasks",
        "get_index_of_this_subtask",
        "get_attempt_number",
    ]


def test_a_function_without_a_life_cycle_needs_none() -> None:
    adapter = opened(MapAdapter(abs))
    assert adapter.map(-1) == 1
    adapter.close()


def test_each_method_is_called() -> None:
    def twice(value: int, collector: Collector[int]) -> None:
        collector.collect(value)
        collector.collect(value)
        collector.close()

    def listed(key: str, window: Any, values: Any, collector: Collector[Any]) -> None:
        collector.collect((key, type(window).__name__, values))

    assert opened(FlatMapAdapter(twice)).flat_map(1) == [1, 1]
    assert opened(FilterAdapter(lambda value: value)).filter("text") is True
    assert opened(KeyAdapter(lambda value: value % 2)).get_key(3) == 1
    assert opened(ReduceAdapter(lambda one, other: one - other)).reduce(5, 3) == 2
    assert opened(WindowAdapter(listed)).apply("k", TimeWindow(0, 5), iter([1, 2])) == [
        ("k", "JavaTimeWindow", [1, 2])
    ]
    assert opened(WindowAdapter(listed)).apply("k", CountWindow(0), (1,)) == [("k", "CountWindow", [1])]


def test_outputs_are_selected_by_name() -> None:
    named = opened(NamesAdapter(lambda value: ["a", "b", "a"])).map(7)
    assert named == ({"a", "b"}, 7)
    assert [list(Selected(names, None).flat_map(named)) for names in ("a", "ab", "c")] == [[7], [7], []]
    with pytest.raises(TypeError, match="not None"):
        opened(NamesAdapter(lambda value: None)).map(7)


def test_the_users_function_is_described() -> None:
    assert describe_function(MapAdapter(Life())).startswith("Life at ")
    assert describe_function(Selected("a", Life())).startswith("Life at ")


@pytest.mark.parametrize("source", [1, Life(), SourceAdapter])
def test_a_source_has_run_and_cancel(source: Any) -> None:
    with pytest.raises(PlanTypeError, match=r"an object with run\(ctx\) and cancel\(\), not "):
        SourceAdapter(source)
