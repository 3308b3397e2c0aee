"""The names below org.apache.flink."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import pystream.jython
from pystream.jython.import_names import IMPORT_NAMES

NAMES = [(module, name) for module, names in IMPORT_NAMES.items() for name in names]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_name_is_defined_where_the_table_says(module: str, name: str) -> None:
    defined = getattr(importlib.import_module(IMPORT_NAMES[module][name]), name)
    assert defined is not None
    assert defined is getattr(pystream.jython, name, defined)


PROGRAM = """
from pystream import compat
from pystream.jython.import_names import IMPORT_NAMES
compat.install(IMPORT_NAMES)
{imports}
print(str(Time.milliseconds(5)), WriteMode.OVERWRITE.name, str(Time.hours(1)))
"""
FROM_CLASSES = """
from org.apache.flink.streaming.api.windowing.time.Time import milliseconds, seconds
from org.apache.flink.core.fs.FileSystem.WriteMode import OVERWRITE
assert milliseconds(1000) == seconds(1)
"""
FROM_PACKAGES = """
from org.apache.flink.streaming.api.windowing.time import Time
from org.apache.flink.core.fs.FileSystem import WriteMode
"""
OUTER = """
from org.apache.flink.streaming.api.windowing.time import Time
from org.apache.flink.core.fs import FileSystem
WriteMode = FileSystem.WriteMode
"""


@pytest.mark.parametrize(
    "imports", [FROM_PACKAGES, OUTER, FROM_CLASSES + FROM_PACKAGES, OUTER + FROM_CLASSES]
)
def test_static_members_are_imported_in_any_way(imports: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(imports=imports)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "5 ms OVERWRITE 3600000 ms\n"
