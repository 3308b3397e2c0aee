"""A pytest plugin that checks the laws for all types that a module declares.

It does nothing unless it is given a module, by ``--typeinfo-laws=shop.model`` or in pytest's configuration
by ``typeinfo_laws = shop.model``; several can be named.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Generator, Iterator
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from typeinfo.custom import custom_type_of, custom_types
from typeinfo.errors import TypeInferenceError
from typeinfo.info import TypeInformation
from typeinfo.records import record_kind
from typeinfo.types import Types

__all__ = ["Declared", "declared_types"]


class Declared(NamedTuple):
    """A type that a module declares.

    Attributes:
        name: its name in the module.
        type: the type, or ``None`` if there is none.
        fault: why there is none.
    """

    name: str
    type: TypeInformation[Any] | None
    fault: str = ""


def declared_types(module: ModuleType) -> Iterator[Declared]:
    """Yield the types of a module, in the order of its names.

    They are the types among its values, those of the dataclasses, NamedTuples and TypedDicts it defines, and
    those of classes registered by functions it defines. Equal types are yielded once.
    """
    seen: set[TypeInformation[Any]] = set()
    found = [*vars(module).items(), *_registered_by(module)]
    for name, item in found:
        declared = _declared(name, item, module)
        if declared is not None and declared.type not in seen:
            if declared.type is not None:
                seen.add(declared.type)
            yield declared


def _registered_by(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for t in custom_types():
        owners = {getattr(part, "__module__", None) for part in (t.custom_class, t.encode, t.decode)}
        if module.__name__ in owners:
            yield t.custom_class.__name__, t


def _declared(name: str, item: Any, module: ModuleType) -> Declared | None:
    if isinstance(item, TypeInformation):
        return Declared(name, item)
    if not isinstance(item, type) or item.__module__ != module.__name__:
        return None
    if record_kind(item) is None and custom_type_of(item) is None:
        return None
    if inspect.isabstract(item):
        return Declared(name, None, f"{name} is abstract, so there are no instances of it alone")
    try:
        return Declared(name, Types.of(item))
    except TypeInferenceError as error:
        return Declared(name, None, str(error))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting."""
    group = parser.getgroup("typeinfo")
    group.addoption(
        "--typeinfo-laws",
        action="append",
        default=[],
        metavar="MODULE",
        help="check the laws of typeinfo for all types that a module declares",
    )
    group.addoption(
        "--typeinfo-laws-examples",
        type=int,
        default=100,
        metavar="N",
        help="the number of batches of values to try each law with (100)",
    )
    parser.addini("typeinfo_laws", "modules whose types are checked", type="args", default=[])


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add the modules to the collected command-line arguments."""
    report = yield
    if isinstance(collector, pytest.Session) and report.passed and report.result is not None:
        config = collector.config
        for name in dict.fromkeys(
            [*config.getini("typeinfo_laws"), *(config.getoption("--typeinfo-laws") or [])]
        ):
            laws = LawsOfModule.from_parent(collector, name=f"typeinfo-laws[{name}]", module=name)
            report.result.append(laws)
    return report


class LawsOfModule(pytest.Collector):
    """The tests of one module's types."""

    def __init__(self, *, module: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._module = module

    def collect(self) -> list[pytest.Item]:
        """Return a test for each type and law.

        Raises:
            CollectError: the module cannot be imported, or declares no type.
        """
        try:
            module = importlib.import_module(self._module)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            if isinstance(error, ModuleNotFoundError) and error.name == self._module.partition(".")[0]:
                fault += "; run `python -m pytest`, or set `pythonpath = ['.']` in pytest's configuration"
            raise self.CollectError(f"typeinfo-laws: cannot import {self._module}: {fault}") from error
        tests: list[pytest.Item] = []
        for declared in declared_types(module):
            tests.extend(self._tests(declared, module))
        if not tests:
            raise self.CollectError(f"typeinfo-laws: {self._module} declares no type")
        return tests

    def _tests(self, declared: Declared, module: ModuleType) -> Iterator[pytest.Item]:
        from typeinfo.testing.laws import laws_of  # of no use to runs without the option

        make = partial(LawTest.from_parent, self, file=module.__file__)
        if declared.type is None:
            yield make(name=declared.name, check=None, obstacles=[declared.fault])
            return
        obstacles: list[str] = []
        for law in laws_of(declared.type):
            check = partial(law, declared.type)
            yield make(name=f"{declared.name}-{law.name}", check=check, obstacles=obstacles)


class LawTest(pytest.Item):
    """The test of one law and type; skipped if the class has no type or another law of the type is broken.

    Args:
        check: checks the law for the type.
        file: the file of the module that declares the type.
        obstacles: the reasons to skip the test; shared among the tests of a type, as each adds its failure.
        kwargs: for pytest.
    """

    def __init__(self, *, check: Any, file: str | None, obstacles: list[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check = check
        self._file = file
        self._obstacles = obstacles

    def runtest(self) -> None:
        """Search for values that break the law."""
        if self._obstacles:
            pytest.skip(self._obstacles[0])
        try:
            self._check(examples=self.config.getoption("--typeinfo-laws-examples"))
        except BaseException:
            self._obstacles.append(f"{self.name} has failed")
            raise

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the violation of the law and its reproduction, without the search."""
        from typeinfo.testing.laws import LawViolation
        from typeinfo.testing.strategies import ValuesError

        error = excinfo.value
        is_told = isinstance(error, (LawViolation, ValuesError))
        return str(error) if is_told else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the module's file and the name of the test."""
        return self._file or self.name, None, self.name
