"""Jobs through Spark Connect, on a local server that this test starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import sys
import warnings
from pathlib import Path
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote
import flights
from pystream.common import Configuration, Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import PyStreamError
from pystream.table import StreamTableEnvironment
from pystream.table.udf import udf

warnings.simplefilter("error")
conf = Configuration().set_string("spark.remote", "local[2]")
env = StreamExecutionEnvironment.get_execution_environment(conf).set_parallelism(2)
pairs = env.from_collection([("a", 1), ("b", 10), ("a", 2)], Types.TUPLE([Types.STRING(), Types.LONG()]))
sums = pairs.key_by(lambda pair: pair[0]).reduce(lambda one, other: (one[0], one[1] + other[1]))
with sums.execute_and_collect() as results:
    print(sorted(results))
try:
    other = StreamExecutionEnvironment.get_execution_environment(conf)
    other.set_python_executable(sys.executable)
    list(other.from_elements(1).map(lambda number: -number).execute_and_collect())
except PyStreamError as error:
    print(error)
warnings.resetwarnings()

scratch = Path(sys.argv[1])
flights.write_legs(flights.unpack_flights(scratch), scratch / "legs")
print(int(flights.summary(scratch / "legs")["flights"].sum()))
print(is_remote(), type(SparkSession.active()).__module__)
t_env = StreamTableEnvironment.create(env)
t_env.create_temporary_view("pairs", pairs)
t_env.create_temporary_function("twice", udf(lambda n: 2 * n, result_type="BIGINT"))
print(t_env.sql_query("SELECT SUM(twice(f1)) AS n FROM pairs").to_pandas()["n"].tolist())
"""


def test_a_keyed_job_and_the_demo_run_quietly_through_spark_connect(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "examples")])},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert (done.returncode, done.stderr) == (0, "")
    keyed, refusal, *_, arrived, session, called = done.stdout.splitlines()
    assert keyed == "[('a', 1), ('a', 3), ('b', 10)]"
    assert "python.executable" in refusal
    assert "the server chooses the interpreter of its workers" in refusal
    assert arrived == "327346"
    assert session == "True pyspark.sql.connect.session"
    assert called == "[26]"
