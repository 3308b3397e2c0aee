"""Jobs of ``pystream run`` and ``pystream doctor --run``."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pystream.doctor import examine

JOB = """\
import sys
import beside
from pyflink.common import Types
from pyflink.datastream import MapFunction, StreamExecutionEnvironment

class Describe(MapFunction):
    def map(self, value):
        import helper
        with open("data/name.txt") as file:
            return f"{helper.double(value)} {beside.word()} {file.read()}"

env = StreamExecutionEnvironment.get_execution_environment()
env.from_collection([1, 2], Types.INT()).map(Describe(), Types.STRING()).print()
env.execute(sys.argv[1])
"""


@pytest.mark.promise("cli:pyfs", "cli:pyarch")
def test_a_pyflink_script_runs_unchanged_and_prints_only_its_result(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "beside.py").write_text("from pyflink.common import Row\ndef word():\n    return Row(7)[0]\n")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "helper.py").write_text("def double(number):\n    return 2 * number\n")
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("name.txt", "Alice")
    options = ["-p", "1", "-pyfs", "files/helper.py", "-pyarch", "archive.zip#data"]
    done = subprocess.run(
        [sys.executable, "-m", "pystream", "run", *options, "job.py", "name of the job"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "2 7 Alice\n4 7 Alice\n"


def test_doctor_runs_a_job(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    assert examine(run_job=True)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("ok     a job of two elements ran in ")
