"""A pytest plugin that holds the laws against all types that a module declares.

It does nothing unless it is told of a module, by ``--typeinfo-laws=shop.model`` or in pytest's configuration
by ``typeinfo_laws = shop.model``; several can be named.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Generator, Iterator
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
    if not (_is_record(item) or custom_type_of(item)):
        return None
    if inspect.isabstract(item):
        return Declared(name, None, f"{name} is abstract, so there are no instances of it alone")
    try:
        return Declared(name, Types.of(item))
    except TypeInferenceError as error:
        return Declared(name, None, str(error))


def _is_record(cls: type[Any]) -> bool:
    return record_kind(cls) is not None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting."""
    group = parser.getgroup("typeinfo")
    group.addoption(
        "--typeinfo-laws",
        action="append",
        default=[],
        metavar="MODULE",
        help="hold the laws of typeinfo against all types that a module declares",
    )
    group.addoption(
        "--typeinfo-laws-examples",
        type=int,
        default=100,
        metavar="N",
        help="how many batches of values each law is tried with (100)",
    )
    parser.addini("typeinfo_laws", "modules to hold the laws of typeinfo against", type="args", default=[])


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
        if declared.type is None:
            yield NoType.from_parent(self, name=declared.name, fault=declared.fault)
            return
        from typeinfo.testing.laws import laws_of  # of no use to runs without the option

        broken: list[str] = []
        for law in laws_of(declared.type):
            name = f"{declared.name}-{law.name}"
            yield LawTest.from_parent(
                self, name=name, law=law, held=declared.type, module=module, broken=broken
            )


class LawTest(pytest.Item):
    """The test of one law and type; skipped once another law of the type is broken.

    Args:
        law: the law.
        held: the type.
        module: the module that declares it.
        broken: names of the tests of this type that have failed so far, shared among them.
        kwargs: for pytest.
    """

    def __init__(
        self, *, law: Any, held: TypeInformation[Any], module: ModuleType, broken: list[str], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._broken = broken
        self._law = law
        self._type = held
        self._file = module.__file__

    def runtest(self) -> None:
        """Search for values that break the law."""
        if self._broken:
            pytest.skip(f"{self._broken[0]} has failed")
        try:
            self._law(self._type, examples=self.config.getoption("--typeinfo-laws-examples"))
        except BaseException:
            self._broken.append(self.name)
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


class NoType(pytest.Item):
    """Skipped: a class that no type can be derived from, such as a generic one, or one without instances."""

    def __init__(self, *, fault: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._fault = fault

    def runtest(self) -> None:
        """Skip, and say why."""
        pytest.skip(self._fault)
