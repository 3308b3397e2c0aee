"""Print the public names of an installed PyFlink, for the test that looks for each of them in pystream.

A module exports all that it imports, and programs use that. Left out are imports from other packages and from
the modules around the gateway to Java.

Run in an environment with PyFlink: ``python tests/parity/pyflink_names.py > tests/parity/pyflink_names.txt``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

PACKAGES = ("pyflink.common", "pyflink.datastream", "pyflink.metrics", "pyflink.table")
AROUND_JAVA = ("pyflink.java_gateway", "pyflink.util")


def modules() -> Iterator[ModuleType]:
    for package in map(importlib.import_module, PACKAGES):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".tests" not in found.name:
                yield importlib.import_module(found.name)


def is_public(module: ModuleType, name: str, value: Any) -> bool:
    if name.startswith("_") or inspect.ismodule(value):
        return False
    origin = getattr(value, "__module__", module.__name__)
    return origin.startswith("pyflink.") and not origin.startswith(AROUND_JAVA)


def names() -> Iterator[str]:
    for module in modules():
        for name, value in vars(module).items():
            if not is_public(module, name, value):
                continue
            yield f"{module.__name__} {name}"
            if inspect.isclass(value) and value.__module__ == module.__name__:
                members = (member for member in dir(value) if not member.startswith("_"))
                yield from (f"{module.__name__} {name}.{member}" for member in members)


if __name__ == "__main__":
    print("\n".join(sorted(set(names()))))
