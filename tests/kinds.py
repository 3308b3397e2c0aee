"""The kinds of operators that the engine defines, found by walking its modules."""

from __future__ import annotations

import inspect
import pkgutil
from functools import cache
from importlib import import_module
from typing import NamedTuple

import pystream.engine
from pystream.kinds import OperatorKind


class DefinedKind(NamedTuple):
    """A kind with the module that defines it, and its name there."""

    module: str
    name: str
    kind: OperatorKind


@cache
def defined_kinds() -> tuple[DefinedKind, ...]:
    """Return the kinds of operators, each once, with the modules that define them."""
    modules = pkgutil.walk_packages(pystream.engine.__path__, "pystream.engine.")
    return tuple(
        DefinedKind(module.__name__, name, value)
        for module in map(import_module, sorted(module.name for module in modules))
        for name, value in vars(module).items()
        if isinstance(value, OperatorKind) and f"\n{name} = " in inspect.getsource(module)
    )
