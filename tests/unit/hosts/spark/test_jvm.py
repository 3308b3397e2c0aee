"""Use of PySpark's internals in a single module."""

from __future__ import annotations

import ast
from pathlib import Path

import pystream.hosts.spark

ROOT = Path(pystream.hosts.spark.__file__).parents[3]
SOURCES = [
    *(ROOT / "pystream" / "hosts" / "spark").glob("*.py"),
    *(ROOT / "typeinfo" / "formats").glob("spark*.py"),
    *(ROOT / "typeinfo" / "formats" / "spark").glob("*.py"),
]


NAMED_TUPLES = {"_fields", "_make", "_replace", "_asdict"}  # their public methods


def internals(source: str) -> set[str]:
    """Return the private attributes and imports that a module uses and does not define."""
    tree = ast.parse(source)
    used, own = set(), set(NAMED_TUPLES)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name) | ast.FunctionDef(name=name):
                own.add(name)
            case ast.FunctionDef(name=name):
                own.add(name)
            case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
                used.add(name)
            case ast.ImportFrom(module=str(module), names=names) if module.startswith(("pyspark", "py4j")):
                used |= {name.name for name in names if name.name.startswith("_")}
    return used - own


def test_one_module_uses_the_internals_of_pyspark() -> None:
    users = {path.name for path in SOURCES if internals(path.read_text(encoding="utf-8"))}
    assert users == {"jvm.py"}


def test_internals_are_found() -> None:
    source = "frame._jdf.count(); self._own; other._own; from pyspark import _globals\n"
    source += "def _method(self): super()._method()"
    assert internals(source) == {"_jdf", "_globals"}
