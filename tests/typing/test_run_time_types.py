"""The streams of programs have, at run time, the types that mypy reveals."""

from __future__ import annotations

import ast
import datetime
import decimal
import linecache
import re
import typing
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import pystream
import typeinfo
from pystream.datastream import DataStream
from pystream.hosts.host import LocalHost
from tests.typing.checkers import ROOT, mypy_report
from tests.typing.test_documents import PAGES, blocks
from typeinfo import Row, TypeInformation, Types
from typeinfo.composite import TupleTypeInfo
from typeinfo.errors import PyStreamError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.inferred import expected_type
from typeinfo.pickled import PickledBytesTypeInfo

ROOTS = {
    "Any": Any,
    "builtins": __builtins__,
    "datetime": datetime,
    "decimal": decimal,
    "pystream": pystream,
    "typeinfo": typeinfo,
    "typing": typing,
}


def programs() -> Iterator[tuple[str, str]]:
    """Yield the programs of the documentation and of the examples, with names for them."""
    for page in PAGES:
        for line, code in blocks(page):
            yield f"{page.stem.lower().replace('-', '_')}_{line}", code
    for path in sorted((ROOT / "tests" / "examples").glob("*.py")):
        yield f"example_{path.stem}", path.read_text("utf-8").replace("pyflink", "pystream")


def variables(code: str) -> list[str]:
    """Return the variables that a program assigns at its top level."""
    targets = [
        target
        for statement in ast.parse(code).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    ]
    return list(dict.fromkeys(target.id for target in targets if isinstance(target, ast.Name)))


def run(name: str, code: str) -> dict[str, Any]:
    """Return the variables of a program, as far as it runs without the results of its jobs."""
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
    names: dict[str, Any] = {"__name__": "program"}
    with suppress(Exception):
        exec(compile(code, name, "exec"), names)
    return names


class _NoJobsError(Exception):
    """A job was to be started."""


def _refuse(*arguments: Any) -> Any:
    raise _NoJobsError


def class_of(t: TypeInformation[Any]) -> Any:
    """Return what a type checker knows of a type: its class and those of its parts, without ``None``."""
    t = expected_type(t)
    while isinstance(t, (OptionalTypeInfo, LiteralTypeInfo)):
        t = t.value_type
    if isinstance(t, PickledBytesTypeInfo):
        return Any
    if isinstance(t, TupleTypeInfo):
        return (tuple, *map(class_of, t.field_types))
    parts = () if t.value_class is Row else tuple(class_of(slot.type) for slot in t.slots())
    return (t.value_class, *parts) if parts and t.value_class in (list, dict) else t.value_class


def revealed(text: str, module: str, names: dict[str, Any]) -> Any:
    """Return what is known of the elements of a stream by the type that mypy reveals; ``None`` if nothing."""
    match = re.fullmatch(r'Revealed type is "[\w.]*Stream\[(.*?)(, [^\[\]]*)?\]"', text)
    if match is None:
        return None
    written = re.sub(r"tuple\[.*fallback=([\w.]+)\]", r"\1", match[1])
    written = re.sub(r"\bbuiltins\.", "", written).replace(f"{module}.", "")
    written = re.sub(r"typeinfo\.row\.Row\[.*\]", "typeinfo.Row", written)
    annotation = eval(written, {**ROOTS, **names})
    return Row if annotation is Row else class_of(Types.of(annotation))


@pytest.fixture(scope="module")
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Any, Any]]:
    """Return what mypy and the run time know of the elements of each stream, by the program and variable."""
    directory = tmp_path_factory.mktemp("programs")
    # The last line differs in each run, as mypy does not reveal types of modules in its cache.
    places: dict[tuple[Path, int], tuple[str, str]] = {}
    codes: dict[str, str] = dict(programs())
    for name, code in codes.items():
        file = directory / f"{name}.py"
        first = code.count("\n") + 2
        asked = variables(code)
        file.write_text(
            "\n".join([code, *(f"reveal_type({variable})" for variable in asked), f"# {directory}"]), "utf-8"
        )
        places |= {(file.resolve(), first + at): (name, variable) for at, variable in enumerate(asked)}
    report = mypy_report("mypy-plugin", [directory], request.config.cache.mkdir("typing-mypy-plugin"))
    assert not report.crash, report.crash
    (directory / "config.yaml").write_text("pystream.runner: local\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLINK_CONF_DIR", str(directory))
        patch.setattr(LocalHost, "submit", _refuse)
        patch.setattr(SparkSession.Builder, "getOrCreate", _refuse)  # mypy reveals Any for its streams
        ran = {name: run(name, code) for name, code in codes.items()}
    types: dict[str, tuple[Any, Any]] = {}
    for note in report.notes:
        name, variable = places.get((note.path, note.line), ("", ""))
        stream = ran.get(name, {}).get(variable)
        if isinstance(stream, DataStream):
            with suppress(NameError, SyntaxError, PyStreamError, AttributeError, TypeError):
                known = revealed(note.message, name, ran[name])
                kept = stream.filter(bool)  # a source tells its declared type only
                types[f"{name}: {variable}"] = known, class_of(kept.get_type())
    return types


DIFFERENT = {
    "files_160: users": "the schema of the file says more than the class that mypy knows",
    "example_count_by_key_to_files: ds": "the variable is assigned streams of several types",
    "example_tuple_stream_to_table_sink: ds": "the variable is assigned streams of several types",
}
"""The reasons why a stream has another type at run time; where mypy reveals Any, it knows none."""


def test_streams_have_the_types_that_mypy_reveals(found: dict[str, tuple[Any, Any]]) -> None:
    different = {
        place: types for place, types in found.items() if types[0] is not Any and types[0] != types[1]
    }
    assert different.keys() == DIFFERENT.keys(), different
    assert len(found) > len(DIFFERENT)
