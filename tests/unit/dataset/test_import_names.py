"""The import names of the DataSet API."""

from __future__ import annotations

import subprocess
import sys

from pystream.dataset.import_names import IMPORT_NAMES

PROGRAM = """
from importlib import import_module
from pystream import compat
from pystream.dataset.import_names import IMPORT_NAMES
compat.install(IMPORT_NAMES)
for module, names in IMPORT_NAMES.items():
    for name in names:
        assert getattr(import_module(module), name).__class__ is not str

from flink.functions import Aggregation
from flink.functions.Aggregation import Aggregation as Aggregations, Max
from flink.plan import Constants
from flink.plan.Constants import Constants as All, WriteMode
from flink.plan.Environment import get_environment
assert Aggregation.Max is Aggregations.Max is Max
assert Constants.NO_OVERWRITE is All.NO_OVERWRITE is WriteMode.NO_OVERWRITE

get_environment().from_elements(1).map(lambda n: n).output()
import sys
print(sorted({"pyspark", "pandas", "rich"} & sys.modules.keys()))
"""


def test_all_names_can_be_imported_and_a_program_built_without_spark() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"


def test_a_function_class_has_a_module_of_its_name() -> None:
    classes = [name for name in IMPORT_NAMES if name.endswith("Function")]
    assert all(name.rpartition(".")[2] in IMPORT_NAMES[name] for name in classes)
    assert len(classes) == 10
