"""Load the oracle programs, run one, and describe what it did as plain JSON.

Shared by the recorder (PyFlink) and by the replay test (pystream), so it imports neither.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import inspect
import json
import re
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RECORDED = HERE / "recorded"
OWN_PREFIX = "pystream"
MODULE_NAME = "oracle_program"

Json = Any
Outcome = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Program:
    """One program: a public function of a file, with one of that file's CASES if it asks for one."""

    file: str
    name: str
    function: Callable[..., Any]
    case: str | None = None
    argument: Any = None

    @property
    def key(self) -> str:
        return self.name if self.case is None else f"{self.name}[{self.case}]"

    @property
    def id(self) -> str:
        return f"{self.file}::{self.key}"

    def call(self, env: Any, tmp: Path) -> Any:
        offered = {"env": env, "case": self.argument, "tmp": tmp}
        wanted = inspect.signature(self.function).parameters
        return self.function(**{name: offered[name] for name in wanted})


def program_files() -> list[Path]:
    return sorted(PROGRAMS.glob("*.py"))


def fixture(path: Path) -> dict[str, Outcome]:
    """Read what was recorded for a program file: an outcome by program key."""
    outcomes: dict[str, Outcome] = json.loads((RECORDED / f"{path.stem}.json").read_text(encoding="utf-8"))
    return outcomes


def load(path: Path, root: str) -> dict[str, Program]:
    """Execute a program file against the engine package ``root`` and return its programs by key.

    The module never enters ``sys.modules``: its functions are then pickled by value, as those of a
    script's ``__main__`` are.
    """
    text = re.sub(rf"\b{OWN_PREFIX}\b", root, path.read_text(encoding="utf-8"))
    module = types.ModuleType(MODULE_NAME)
    exec(compile(text, str(path), "exec", dont_inherit=True), module.__dict__)
    return {program.key: program for program in _programs(path.stem, module)}


def _programs(file: str, module: types.ModuleType) -> Iterator[Program]:
    for name, function in list(vars(module).items()):
        if not inspect.isfunction(function) or name.startswith("_"):
            continue
        parameters = inspect.signature(function).parameters
        if function.__module__ != MODULE_NAME or not parameters.keys() <= {"env", "case", "tmp"}:
            continue
        if "case" not in parameters:
            yield Program(file, name, function)
            continue
        for case, argument in module.CASES.items():
            yield Program(file, name, function, case, argument)


def observe(
    program: Program, env: Any, tmp: Path, read_stdout: Callable[[], str], describe: Callable[..., Outcome]
) -> Outcome:
    """Run a program and describe its result, its error (through ``describe``) and what it printed."""
    read_stdout()
    outcome: Outcome
    try:
        result = program.call(env, tmp)
        if hasattr(result, "execute_and_collect"):
            with result.execute_and_collect() as elements:
                outcome = {"elements": [tag(element) for element in elements]}
        else:
            outcome = {"value": tag(result)}
    except Exception as error:  # noqa: BLE001 - whatever a program raises is the observation
        outcome = describe(error)
    outcome = _steady(outcome, str(tmp))
    lines = _steady(read_stdout(), str(tmp)).splitlines()
    if lines:
        outcome["stdout"] = lines
    if env.get_parallelism() != 1:
        outcome["ordered"] = False
    return outcome


def normal(outcome: Outcome) -> Outcome:
    """Sort what has no order, so that two outcomes can be compared with ``==``."""
    if outcome.get("ordered", True):
        return outcome
    return {
        part: sorted(content, key=_sort_key) if part in ("elements", "stdout") else content
        for part, content in outcome.items()
    }


def tag(value: Any) -> Json:
    """Describe a value as JSON that keeps its Python type."""
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is list:
        return [tag(item) for item in value]
    name = kind.__name__
    if kind is float:
        return {"float": repr(value)}
    if kind in (bytes, bytearray):
        return {name: value.hex()}
    if kind is tuple:
        return {"tuple": [tag(item) for item in value]}
    if kind in (set, frozenset):
        return {name: sorted((tag(item) for item in value), key=_sort_key)}
    if kind is dict:
        return {"dict": sorted(([tag(key), tag(item)] for key, item in value.items()), key=_sort_key)}
    if kind is decimal.Decimal:
        return {"Decimal": str(value)}
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return {name: str(value)}
    if isinstance(value, enum.Enum):
        return {"enum": f"{name}.{value.name}"}
    if name == "Row":
        return {"row": _row(value)}
    if name == "Instant":
        return {"Instant": [value.seconds, value.nanos]}
    return {"object": name, "str": re.sub(r" at 0x[0-9a-f]+", "", str(value))}


def _row(row: Any) -> Json:
    described: dict[str, Json] = {"kind": str(row.get_row_kind()), "values": [tag(item) for item in row]}
    try:
        described["names"] = list(row.as_dict())
    except TypeError:
        described["names"] = None
    return described


def _sort_key(item: Json) -> str:
    return json.dumps(item, sort_keys=True)


def _steady(part: Any, tmp: str) -> Any:
    """Replace what differs from run to run: the temporary directory, identity hashes, random ids."""
    text = json.dumps(part).replace(json.dumps(tmp)[1:-1], "{tmp}")
    text = re.sub(r"@[0-9a-f]{5,8}\b", "@{hash}", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    return json.loads(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{uid}", text))
