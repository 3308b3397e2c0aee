"""Check promised Python names: that pystream has them, with the promised parameters."""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import reduce
from types import SimpleNamespace
from typing import Any

from pystream.dataset.import_names import IMPORT_NAMES as DATASET
from pystream.jython.import_names import IMPORT_NAMES as JYTHON
from tests.parity.promises import Promise

__all__ = ["MismatchError", "NameTable", "promised_parameters"]

_MODULES: Mapping[str, Mapping[str, str]] = {**DATASET, **JYTHON}
"""Modules of the older APIs, with the module that defines each name."""

_OF_JYTHON: Mapping[str, str] = {
    "Environment": "PythonStreamExecutionEnvironment",
    "Factory": "PythonEnvironmentFactory",
}
"""Classes of the Jython guide that api.tsv calls otherwise."""

_CLASSES_OF_METHODS: Mapping[str, str] = {
    "flink.DataSet.and_agg": "AggregateOperator",
    "flink.JoinOperator.where": "PairedSets",
    "flink.JoinOperator.equal_to": "KeyedFirst",
    "flink.CoGroupOperator.where": "PairedSets",
    "flink.CoGroupOperator.equal_to": "KeyedFirst",
    **{f"flink.Grouping.{name}": "UnsortedGrouping" for name in ("reduce", "aggregate", "sum", "min", "max")},
}
"""Rows that name one class for several, with the class that has the method."""

_WITHOUT_ROW: Mapping[str, str] = {"TableConfig": "pyflink.table"}
"""Classes that have no row of their own, only methods with one, and their modules."""

_OTHER_PARAMETERS: Mapping[str, str] = {
    "StreamExecutionEnvironment": "created from a Configuration, because there is no Java object to wrap",
    "Types.ROW": "the parameter is field_types, as in every release of PyFlink",
    "Types.ROW_NAMED": "the parameters are field_names and field_types, as in every release of PyFlink",
}
"""Rows whose parameters differ deliberately, with the reason."""


class MismatchError(Exception):
    """A promised name is missing, or its parameters differ."""


class NameTable:
    """Looks up promised names, including those of rows that name the class without its module.

    Args:
        promises: all rows of api.tsv.
    """

    def __init__(self, promises: Sequence[Promise]) -> None:
        owners = {p.name: p.owner for p in promises if p.has_name and p.owner.startswith("pyflink")}
        self._modules = {**_WITHOUT_ROW, **owners}

    def check(self, promise: Promise) -> None:
        """Check that pystream has a promised name.

        Raises:
            MismatchError: if it does not; the message says what is missing.
        """
        # The name of a method with two signatures ends in the parameters of the second one.
        *outer, name = promise.name.partition("(")[0].split(".")
        owner = self._owner(_CLASSES_OF_METHODS.get(promise.id, promise.owner))
        try:
            owner = reduce(getattr, outer, owner)
            value = getattr(owner, name)
        except (AttributeError, ImportError) as error:
            raise MismatchError(f"{promise.owner} has no {name}: {error}") from None
        if promise.kind in ("attribute", "enum_member"):
            self._check_value(promise, value)
        elif _only_raises(value):
            raise MismatchError(f"{promise.id} refuses every call")
        elif promise.id not in _OTHER_PARAMETERS:
            self._check_parameters(promise, owner, name)

    def _owner(self, owner: str) -> Any:
        if owner.startswith("pyflink"):
            try:
                return importlib.import_module(owner.replace("pyflink", "pystream", 1))
            except ModuleNotFoundError as error:
                raise MismatchError(f"there is no module {error.name}") from None
        if owner in _MODULES:
            names = _MODULES[owner].items()
            return SimpleNamespace(**{name: _defined(module, name) for name, module in names})
        outer, *inner = owner.split(".")
        if outer == "jython":
            value = importlib.import_module("pystream.jython")
            return getattr(value, _OF_JYTHON.get(inner[0], inner[0])) if inner else value
        if outer == "flink" or owner in _CLASSES_OF_METHODS.values():
            return _class_of_dataset((outer, *inner)[-1])
        if outer not in self._modules:
            raise MismatchError(f"no row names the module of {outer}")
        value = self._owner(self._modules[outer])
        for name in (outer, *inner):
            try:
                value = getattr(value, name)
            except (AttributeError, ImportError) as error:
                raise MismatchError(f"there is no {owner}: {error}") from None
        return value

    def _check_value(self, promise: Promise, value: Any) -> None:
        _, equals, text = promise.signature.partition("=")
        if not equals or text.strip().startswith("<"):  # the repr of an object has only its class
            return
        wanted = ast.literal_eval(text.strip())
        actual = value.value if isinstance(value, enum.Enum) else value
        if actual != wanted:
            raise MismatchError(f"{promise.id} is {actual!r}, not {wanted!r}")

    def _check_parameters(self, promise: Promise, owner: Any, name: str) -> None:
        for method, wanted in promised_methods(promise).items():
            value = getattr(owner, name)
            if not hasattr(value, method):
                raise MismatchError(f"{promise.id} has no {method}")
            if wanted is not None:
                self._check_call(promise, value, method, wanted)
        wanted_here = promised_parameters(promise)
        if wanted_here is not None:
            self._check_call(promise, owner, name, wanted_here)

    def _check_call(self, promise: Promise, owner: Any, name: str, wanted: Sequence[str]) -> None:
        actual = _parameters(owner, name)
        takes_rest = any(p.kind is p.VAR_POSITIONAL for p in actual)
        positional = [p for p in actual if p.kind not in (p.VAR_KEYWORD, p.KEYWORD_ONLY)]
        for position, wanted_name in enumerate(wanted):
            found = next((p for p in actual if p.name == wanted_name), None)
            if found is None:
                raise MismatchError(f"{promise.id} has no parameter {wanted_name}: ({_text(actual)})")
            if found in positional and positional.index(found) != position and not takes_rest:
                raise MismatchError(f"{promise.id} takes {wanted_name} in another place: ({_text(actual)})")
        for parameter in positional[len(wanted) :]:
            if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
                raise MismatchError(f"{promise.id} demands {parameter.name} in addition: ({_text(actual)})")


def _defined(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _class_of_dataset(name: str) -> Any:
    modules = [names[name] for names in DATASET.values() if name in names]
    if not modules:
        raise MismatchError(f"no module has {name}")
    return _defined(modules[0], name)


def promised_methods(promise: Promise) -> dict[str, list[str] | None]:
    """Return the methods that ``class X with a(self, p) and b`` promises, with their parameters if given."""
    methods = promise.signature.partition(" with ")[2] if promise.kind == "class" else ""
    found = re.findall(r"(\w+)(\([^)]*\))?(?=, | and |$)", methods)
    return {name: re.findall(r"\w+", text.replace("self", "")) if text else None for name, text in found}


def promised_parameters(promise: Promise) -> list[str] | None:
    """Return the parameter names of a signature, without those for Java objects.

    None means that the signature of a class does not have the parameters of its constructor.
    """
    if promise.kind in ("class", "format") and "(" not in promise.signature:
        return None
    if promised_methods(promise):
        return None
    head, _, rest = promise.signature.partition("(")
    arguments = rest[: _closing(rest)]
    try:
        tree = ast.parse(f"def f({arguments}): ...").body[0]
    except SyntaxError:
        # A class with base classes instead of parameters, or a chain of builder calls.
        return None
    assert isinstance(tree, ast.FunctionDef)
    args = tree.args
    parameters = [*args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    promised = [p for p in parameters if p is not None]
    names = [p.arg for p in promised if not _is_java(p)]
    if promise.kind in ("class", "format") and ("." in head or any(map(_is_class, names))):
        return None
    # Only PyFlink itself creates wrappers of Java objects.
    return names if names or not promised else None


def _is_java(parameter: ast.arg) -> bool:
    annotation = ast.unparse(parameter.annotation) if parameter.annotation else ""
    return parameter.arg.startswith("j_") or "JavaObject" in annotation


def _is_class(name: str) -> bool:
    """Return whether a name in the parentheses of a class is a base class and no parameter."""
    return name == "object" or name[:1].isupper()


def _closing(text: str) -> int:
    depth = 1
    for position, character in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth == 0:
            return position
    raise ValueError(f"no closing parenthesis: {text!r}")


def _parameters(owner: Any, name: str) -> list[inspect.Parameter]:
    raw = inspect.getattr_static(owner, name, None) if isinstance(owner, type) else None
    value = getattr(owner, name)
    parameters = list(inspect.signature(value).parameters.values())
    bound = isinstance(raw, (staticmethod, classmethod)) or inspect.isclass(value) or raw is None
    return parameters if bound else parameters[1:]


def _only_raises(value: Any) -> bool:
    """Return whether a function only raises an exception."""
    if not inspect.isfunction(value) or value.__code__.co_filename == "<string>":  # generated by dataclass
        return False
    definition = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    statements = [s for s in definition.body if not isinstance(s, ast.Expr)]
    return len(statements) == 1 and isinstance(statements[0], ast.Raise)


def _text(parameters: list[inspect.Parameter]) -> str:
    return ", ".join(p.name for p in parameters)
