"""Load and run the oracle programs, and describe their outcomes as JSON.

The recorder (PyFlink) and the test (pystream) share this module, so it imports neither.
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
    """A public function of a program file, with one of the file's CASES if it has a parameter for it."""

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
        arguments = {"env": env, "case": self.argument, "tmp": tmp}
        parameters = inspect.signature(self.function).parameters
        return self.function(**{name: arguments[name] for name in parameters})


def program_files() -> list[Path]:
    return sorted(PROGRAMS.glob("*.py"))


def recorded(path: Path) -> dict[str, Outcome]:
    """Read the recorded outcomes of a program file, by program key."""
    outcomes: dict[str, Outcome] = json.loads((RECORDED / f"{path.stem}.json").read_text(encoding="utf-8"))
    return outcomes


def load(path: Path, root: str) -> dict[str, Program]:
    """Execute a program file with imports of the package ``root``, and return its programs by key.

    The module is not in ``sys.modules``, so that its functions are pickled by value, as in the ``__main__``
    of a script.
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
    """Run a program and return its result, its error (by ``describe``) and its standard output."""
    read_stdout()
    outcome: Outcome
    try:
        result = program.call(env, tmp)
        if hasattr(result, "execute_and_collect"):
            with result.execute_and_collect() as elements:
                outcome = {"elements": [tag(element) for element in elements]}
        else:
            outcome = {"value": tag(result)}
    except Exception as error:  # noqa: BLE001 - any error of a program is its outcome
        outcome = describe(error)
    outcome = _mask_variable_parts(outcome, str(tmp))
    lines = _mask_variable_parts(read_stdout(), str(tmp)).splitlines()
    if lines:
        outcome["stdout"] = lines
    if env.get_parallelism() != 1:
        outcome["ordered"] = False
    return outcome


def normalized(outcome: Outcome) -> Outcome:
    """Sort an outcome without order, so that ``==`` compares it."""
    if outcome.get("ordered", True):
        return outcome
    return {
        part: sorted(content, key=_sort_key) if part in ("elements", "stdout") else content
        for part, content in outcome.items()
    }


def tag(value: Any) -> Json:
    """Encode a value as JSON that includes its Python type."""
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


def _mask_variable_parts(part: Any, tmp: str) -> Any:
    """Replace everything that differs between runs: the temporary directory, identity hashes, random ids."""
    text = json.dumps(part).replace(json.dumps(tmp)[1:-1], "{tmp}")
    text = re.sub(r"@[0-9a-f]{5,8}\b", "@{hash}", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    return json.loads(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{uid}", text))
