"""The import name pyflink."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
from pystream import compat
import pystream.datastream, sys
before = pystream.datastream.__spec__
assert not compat.installed()
compat.install()
compat.install()
assert sum(type(finder).__name__ == "_Finder" for finder in sys.meta_path) == 1
import pyflink.datastream
from pyflink.datastream import MapFunction
from pyflink.common.typeinfo import Types
from pyflink.datastream.connectors.file_system import FileSink
import pyflink.datastream.functions, pystream.datastream.functions, pystream.datastream.connectors.file_system
assert pyflink.datastream is pystream.datastream
assert pyflink.datastream.functions is pystream.datastream.functions
assert MapFunction is pystream.datastream.functions.MapFunction
assert MapFunction.__module__.startswith("pystream.datastream.functions.")
assert FileSink is pystream.datastream.connectors.file_system.FileSink
assert pyflink.datastream.__spec__ is before
from pyflink.table import Expression
from pyflink.table.expression import TimeIntervalUnit
from pyflink.table.expressions import col, lit
assert isinstance(col("day").extract(TimeIntervalUnit.DAY) + lit(1), Expression)
try:
    import pyflink.no_such_module
except ModuleNotFoundError as error:
    print(error)
"""


def test_pyflink_is_pystream_module_for_module() -> None:
    # In a process of its own: the name stays for the life of a process.
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == (
        "No module named 'pyflink.no_such_module': there is no 'pystream.no_such_module'\n"
    )


NAMES = """
from pystream import compat
compat.install({"old.plan.Types": {"INT": "builtins", "int": "builtins", "OrderedDict": "collections"}})
compat.install({"old.Set": {"set": "builtins"}})
compat.install({"old.Number": {"Decimal": "decimal"}})
from old.Number import Decimal
import old.plan.Types, old.Set
from old.plan import Types
from old.Set import *
assert (Types.int, Types.OrderedDict.__module__, set) == (int, "collections", __builtins__.set)
assert compat.installed().keys() == {"old.plan.Types", "old.Set", "old.Number"}
for statement in ("from old.plan.Types import INT", "from old.plan.Types import LONG", "import old.other"):
    try:
        exec(statement)
    except (ImportError, AttributeError) as error:
        print(error)
"""


def test_modules_of_older_apis_are_made_of_tables() -> None:
    done = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "cannot import name 'INT' from 'old.plan.Types' (unknown location)",
        "cannot import name 'LONG' from 'old.plan.Types' (unknown location)",
        "No module named 'old.other'",
    ]
