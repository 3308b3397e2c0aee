"""The streams of the typing cases have, at run time, the types that their assertions state.

The type checkers check these assertions; here the functions that contain them are called with streams of the
types of their parameters.
"""

from __future__ import annotations

import ast
import sys
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

import pytest

from pystream.common import Configuration, Time
from pystream.datastream import (
    AllWindowedStream,
    ConnectedStreams,
    DataStream,
    KeyedStream,
    StreamExecutionEnvironment,
    WindowedStream,
)
from pystream.datastream.window import TumblingEventTimeWindows
from pystream.table import StreamTableEnvironment
from tests.typing.checkers import CASES
from tests.typing.test_run_time_types import class_of
from typeinfo import Row, Types

FOLDERS = ("every", "plain", "plugin", "batches")
WINDOWS = TumblingEventTimeWindows.of(Time.seconds(1))


class Asserted(NamedTuple):
    """What a line of a case asserts of a value, and the value's type at run time."""

    place: str
    stated: Any
    found: Any


class _NoArgumentError(Exception):
    """No argument of a class can be made for a case."""


def argument(env: StreamExecutionEnvironment, annotation: Any) -> Any:
    """Return an argument of the type of a parameter."""
    origin, parts = get_origin(annotation) or annotation, get_args(annotation)
    if origin is StreamExecutionEnvironment:
        return env
    if origin is StreamTableEnvironment:
        return StreamTableEnvironment.create(env)
    if origin is DataStream:
        source = env.from_collection([]) if parts[0] is Any else env.from_collection([], bound(parts[0]))
        return source.filter(bool)  # a source tells its declared type only, and has a parallelism of 1
    if origin is KeyedStream:
        key_type = None if parts[1] is Any else bound(parts[1])
        return argument(env, DataStream[parts[0]]).key_by(lambda element: element, key_type)
    if origin is WindowedStream:
        return argument(env, KeyedStream[parts[0], parts[1]]).window(WINDOWS)
    if origin is AllWindowedStream:
        return argument(env, DataStream[parts[0]]).window_all(WINDOWS)
    if origin is ConnectedStreams:
        return argument(env, DataStream[parts[0]]).connect(argument(env, DataStream[parts[1]]))
    raise _NoArgumentError(f"takes {origin.__name__}")


def bound(annotation: Any) -> Any:
    """Return the type of an annotation; of a type variable, that of its bound."""
    return Types.of(annotation.__bound__ or object if isinstance(annotation, TypeVar) else annotation)


def stated(annotation: Any) -> Any:
    """Return what a type checker knows of the elements of a stream of a type."""
    (element, *_) = get_args(annotation)
    if element is Any:
        return Any
    return Row if Row in (element, get_origin(element)) else class_of(bound(element))


def module_of(path: Path) -> dict[str, Any]:
    """Return the names of a file of cases, without those that only a type checker can evaluate."""
    module = types.ModuleType(f"cases_{path.stem}")
    sys.modules[module.__name__] = module
    for statement in ast.parse(path.read_text("utf-8")).body:
        with suppress(ImportError, TypeError):  # cases of wrong classes fail
            exec(compile(ast.Module([statement], []), str(path), "exec"), module.__dict__)
    return module.__dict__


def functions(path: Path) -> Iterator[tuple[str, set[int]]]:
    """Yield the functions of a file that assert types of streams, with the lines on which they do."""
    for statement in ast.parse(path.read_text("utf-8")).body:
        if not isinstance(statement, ast.FunctionDef):
            continue
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        lines = {
            call.lineno
            for call in calls
            if ast.unparse(call.func) == "assert_type"
            and ast.unparse(call.args[1]).partition("[")[0] in STREAMS
        }
        if lines:
            yield statement.name, lines


STREAMS = ("DataStream", "KeyedStream", "CachedDataStream", "IterativeStream")


@pytest.fixture(scope="module")
def cases() -> tuple[list[Asserted], dict[str, str]]:
    """Return the assertions of all cases, and the reasons why some are not reached, by the function."""
    found: list[Asserted] = []
    not_reached: dict[str, str] = {}
    env = StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict({"pystream.runner": "local"})
    )
    env.set_parallelism(1)
    for path in (path for folder in FOLDERS for path in sorted((CASES / folder).glob("*.py"))):
        seen: list[tuple[int, Any, Any]] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(typing, "assert_type", _recorder(seen))
            names = module_of(path)
        for name, lines in functions(path):
            seen.clear()
            reason = ""
            try:
                hints = typing.get_type_hints(names[name])
                hints.pop("return", None)
                names[name](*(argument(env, annotation) for annotation in hints.values()))
            except Exception as error:  # noqa: BLE001 - compared
                reason = str(error)
            found += [
                Asserted(f"{path.stem}: {name}", stated(annotation), class_of(value.filter(bool).get_type()))
                for line, value, annotation in seen
                if line in lines
            ]
            if lines - {line for line, _, _ in seen}:
                not_reached[f"{path.stem}: {name}"] = reason
    return found, not_reached


def _recorder(seen: list[tuple[int, Any, Any]]) -> Callable[[Any, Any], Any]:
    def assert_type(value: Any, annotation: Any) -> Any:
        seen.append((sys._getframe(1).f_lineno, value, annotation))
        return value

    return assert_type


DIFFERENT = {
    "connectors: elements_of_a_source_function": "a source has its declared type only",
}
"""The reasons why a stream has another type at run time than its case states."""

NOT_REACHED = {
    "accepted_values: arguments_with_type_variables": "takes Callable",
    "accepted_values: variables": "takes list",
    "connected: broadcast_to_a_keyed_stream": "takes BroadcastStream",
    "connectors: hybrid_sources": "takes FileSource",
    "connectors: rows_of_a_query": "has 0 placeholders, but there are 1 values",
    "connectors: stream_of_a_source": "takes Source",
    "exact_arguments: source_of_a_narrower_element": "takes Source",
    "exact_arguments: watermarks_of_any_object": "takes Source",
    "exact_keys: fields_by_stars": "takes list",
    "exact_keys: of_a_bounded_type_variable": "the name 'User' in 'User' is not known",
    "exact_keys: of_an_open_type_variable": "elements of PickledByteArrayTypeInfo have none",
    "exact_keys: of_unknown_elements": "elements of PickledByteArrayTypeInfo have none",
    "exact_streams: a_type_that_may_be_missing": "takes bool",
    "exact_streams: projection_known_at_run_time": "takes int",
    "exact_streams: projection_of_a_subclass": "takes Pairs",
    "exact_streams: projection_of_the_unknown": "project needs a stream of Types.TUPLE",
    "exact_streams: projection_of_what_may_be_a_tuple": "there is no type for Hashable",
    "functions: retries": "takes AsyncRetryStrategy",
    "keyed_streams: keys_known_at_run_time": "takes str",
    "table_columns: rows_become_a_class": "takes Table",
    "table_columns: values_become_others": "takes Table",
    "tables: rows_of_the_same_columns": "takes Table",
    "tables: streams_of_a_class": "takes Table",
    "tables: streams_of_a_type": "takes Table",
    "tables: streams_of_rows": "takes Table",
    "vectorised: the_declared_type_is_that_of_the_result": "output_type Long contradicts the annotation",
}
"""The cases that are not called, or fail before some of their assertions, with a part of the reason."""


def test_streams_have_the_types_that_the_cases_state(cases: tuple[list[Asserted], dict[str, str]]) -> None:
    found, _ = cases
    different = [one for one in found if one.stated is not Any and one.stated != one.found]
    assert {one.place for one in different} == DIFFERENT.keys(), different
    assert len(found) > 200


def test_cases_that_are_not_compared_are_listed(cases: tuple[list[Asserted], dict[str, str]]) -> None:
    _, not_reached = cases
    assert not_reached.keys() == NOT_REACHED.keys()
    assert not [place for place, part in NOT_REACHED.items() if part not in not_reached[place]]
