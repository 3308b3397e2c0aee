"""Jobs: executing, collecting, printing, cancelling, and plans."""

from __future__ import annotations

import datetime
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pytest

from pystream.common import Encoder, Instant, JobStatus, Row, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, FlatMapFunction, RuntimeContext, StreamExecutionEnvironment
from pystream.datastream.connectors.file_system import FileSink
from pystream.datastream.connectors.number_seq import NumberSequenceSource
from pystream.datastream.utils import DataStreamUtils
from pystream.errors import ConfigurationError, JobCancelledError, JobExecutionError, PlanError
from pystream.plan.explain import PlanStage
from tests.explained import rows, why_not_faster


def numbers(env: StreamExecutionEnvironment, *values: int) -> DataStream[int]:
    return env.from_collection(list(values), Types.INT())


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


# execute


def test_execute_returns_a_result(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    def wait(value: int) -> int:
        time.sleep(0.01)
        return value

    numbers(env, 1, 2).map(wait, Types.INT()).print()
    result = env.execute("a job")
    assert printed(capsys) == ["1", "2"]
    assert re.fullmatch(r"[0-9a-f]{32}", str(result.get_job_id()))
    assert result.get_net_runtime() > 0
    assert result.get_all_accumulator_results() == {}


@pytest.mark.promise("beh:execute-nothing-error")
def test_a_program_without_operators_and_sinks_is_refused(env: StreamExecutionEnvironment) -> None:
    for run in (env.execute, env.execute_async, env.get_execution_plan, env.explain):
        with pytest.raises(PlanError, match="nothing to run: no operator or sink was added"):
            run()
        numbers(env, 1).key_by(lambda value: value)
        # Its assignment of timestamps is part of the source.
        env.from_source(
            NumberSequenceSource(1, 3), WatermarkStrategy.for_monotonous_timestamps(), "numbers", Types.LONG()
        )


def test_execute_runs_each_sink_once(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = numbers(env, 1)
    stream.print("first")
    env.execute()
    assert printed(capsys) == ["first> 1"]
    with pytest.raises(PlanError, match="nothing to run"):
        env.execute()
    stream.print("second")
    env.execute()
    assert printed(capsys) == ["second> 1"]


class Counted(FlatMapFunction[int, int]):
    """Write elements to a file and count them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, runtime_context: RuntimeContext) -> None:
        self._count = runtime_context.get_metrics_group().counter("pushed")

    def flat_map(self, value: int) -> Iterable[int]:
        with self._path.open("a") as pushed:
            pushed.write(f"{value}\n")
        self._count.inc()
        return []


@pytest.mark.promise("beh:execute-every-operator")
def test_execute_runs_operators_whose_results_nothing_uses(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = env2.from_arrow(pa.table({"n": range(5)})).map(lambda row: row.n + 1, Types.LONG()).name("next")
    stream.flat_map(Counted(tmp_path / "chained"), Types.INT()).name("chained")
    stream.rebalance().flat_map(Counted(tmp_path / "behind"), Types.INT()).name("behind").disable_chaining()
    stream.print()
    stream.map(lambda n: 10 // n, Types.LONG())  # an expression, on Spark
    assert "chained" in env2.explain()
    result = env2.execute()
    assert len(printed(capsys)) == 5
    for name in ("chained", "behind"):
        assert sorted((tmp_path / name).read_text().split()) == ["1", "2", "3", "4", "5"]
        assert result.get_accumulator_result(f"{name}.pushed") == 5


def test_an_expression_whose_results_nothing_uses_runs(env: StreamExecutionEnvironment) -> None:
    env.from_arrow(pa.table({"n": [1, 0]})).map(lambda row: 10 // row.n, Types.LONG())
    with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
        env.execute()


@pytest.mark.local_only
def test_a_failure_where_nothing_uses_the_results_fails_the_job(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    stream = numbers(env, 0)
    stream.map(str, Types.STRING()).sink_to(
        FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    )
    stream.map(lambda value: 1 // value).name("inverse")
    with pytest.raises(JobExecutionError, match=r"(?s)inverse.*ZeroDivisionError"):
        env.execute()
    assert not list(tmp_path.glob("out/part*"))


@pytest.mark.local_only
def test_a_loop_that_nothing_leaves_runs(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    loop = numbers(env, 3).iterate()
    less = loop.map(lambda value: value - 1, Types.INT())
    less.flat_map(Counted(tmp_path / "seen"), Types.INT())
    loop.close_with(less.filter(lambda value: value > 0))
    alone = numbers(env, 2).iterate()
    alone.close_with(alone.filter(lambda value: value > 9))
    env.execute()
    assert (tmp_path / "seen").read_text().split() == ["2", "1", "0"]


def test_sinks_of_one_program_run_together_and_shared_operators_once(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def counted(value: int) -> int:
        with (tmp_path / "calls").open("a") as calls:
            calls.write(f"{value}\n")
        return value

    shared = numbers(env, 1, 2).map(counted)
    shared.print("all")
    shared.filter(lambda value: value > 1).print("big")
    env.execute()
    assert sorted(printed(capsys)) == ["all> 1", "all> 2", "big> 2"]
    assert (tmp_path / "calls").read_text().split() == ["1", "2"]


def test_shared_operators_before_an_exchange_run_once(
    env2: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def counted(value: int) -> int:
        with (tmp_path / "calls").open("a") as calls:
            calls.write(f"{value}\n")
        return value

    shared = numbers(env2, 1, 2).map(counted).set_parallelism(1)
    shared.rebalance().map(lambda value: value).set_parallelism(2).print("a")
    shared.broadcast().map(lambda value: value).set_parallelism(2).print("b")
    env2.execute()
    assert sorted(line.partition(":")[0] for line in printed(capsys)) == ["a", "a", "b", "b", "b", "b"]
    assert sorted((tmp_path / "calls").read_text().split()) == ["1", "2"]


# print


@pytest.mark.promise("beh:row-print-format", "beh:print-prefix")
def test_print_writes_a_line_per_element_as_flink_does(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    from pystream.common import Row

    row = Types.ROW([Types.STRING(), Types.INT(), Types.STRING()])
    pair = Types.TUPLE([Types.STRING(), Types.DOUBLE()])
    env.from_collection([Row("a", 1, None)], row).print("row")
    env.from_collection([("hi", 1e10)], pair).print("tuple")
    env.from_collection([("hi", 1e10)]).print("pickled")
    env.from_collection([True], Types.BOOLEAN()).print()
    env.execute()
    assert sorted(printed(capsys)) == [
        "pickled> ('hi', 10000000000.0)",
        "row> +I[a,1,None]",
        "true",
        "tuple> (hi,1.0E10)",
    ]


@pytest.mark.promise("beh:print-subtask-prefix")
def test_print_prefixes_the_subtask_if_there_are_several(
    env2: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers(env2, 1, 2).broadcast().print()
    numbers(env2, 3).print("id").set_parallelism(1)
    numbers(env2, 4).broadcast().print("id")
    env2.execute()
    assert sorted(printed(capsys)) == ["1> 1", "1> 2", "2> 1", "2> 2", "id:1> 4", "id:2> 4", "id> 3"]


# collect


@pytest.mark.promise("beh:collect-context-manager", "beh:collect-closeable")
def test_collecting_returns_an_iterator_that_can_be_closed(env: StreamExecutionEnvironment) -> None:
    with numbers(env, 1, 2, 3).execute_and_collect() as elements:
        assert iter(elements) is elements
        assert next(elements) == 1
        assert elements.next() == 2
    with pytest.raises(StopIteration):
        next(elements)
    elements.close()


@pytest.mark.promise("beh:collect-limit-list")
def test_collecting_with_a_limit_returns_a_list(env2: StreamExecutionEnvironment) -> None:
    assert numbers(env2, 1, 2, 3).execute_and_collect(limit=2) == [1, 2]
    assert numbers(env2, 1, 2, 3).execute_and_collect("named", 9) == [1, 2, 3]
    assert len(env2.generate_sequence(1, 100).execute_and_collect(limit=5)) == 5
    assert numbers(env2, 1).execute_and_collect(limit=0) == []
    bad: list[Any] = [-1, 1.5, "2", True]
    for limit in bad:
        with pytest.raises(ConfigurationError, match="limit"):
            numbers(env2, 1).execute_and_collect(limit=limit)


def test_collecting_twice_returns_the_same_results(env: StreamExecutionEnvironment) -> None:
    stream = numbers(env, 1, 2)
    with stream.execute_and_collect() as first, stream.execute_and_collect() as second:
        assert (list(first), list(second)) == ([1, 2], [1, 2])


def test_collecting_leaves_the_sinks_to_execute(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers(env, 1).print()
    with numbers(env, 2).execute_and_collect() as elements:
        assert list(elements) == [2]
    assert printed(capsys) == []
    env.execute()
    assert printed(capsys) == ["1"]


def test_data_stream_utils_collect(env: StreamExecutionEnvironment) -> None:
    with DataStreamUtils.collect(numbers(env, 1, 2)) as elements:
        assert list(elements) == [1, 2]


# execute_async


def test_a_job_in_the_background_can_be_awaited(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers(env, 1).print()
    client = env.execute_async("background")
    result = client.get_job_execution_result().result()
    assert result.get_job_id() == client.get_job_id()
    assert client.get_job_status().result() is JobStatus.FINISHED
    assert client.get_accumulators().result() == {}
    assert printed(capsys) == ["1"]
    client.cancel().result()
    assert client.get_job_status().result() is JobStatus.FINISHED


def test_a_failure_of_a_job_in_the_background_is_reported(env: StreamExecutionEnvironment) -> None:
    numbers(env, 0).map(lambda value: 1 // value).print()
    client = env.execute_async()
    with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
        client.get_job_execution_result().result()
    assert client.get_job_status().result() is JobStatus.FAILED


def slow_job(env: StreamExecutionEnvironment, sign: Path) -> None:
    """Add a sink to a job that runs for minutes and creates a file when it has started."""

    def wait(value: int) -> int:
        sign.touch()
        time.sleep(0.05)
        return value

    env.generate_sequence(1, 10_000).map(wait).print()


def test_a_long_job_can_be_cancelled(
    env: StreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign = tmp_path / "begun"
    slow_job(env, sign)
    client = env.execute_async()
    assert client.get_job_status().result() is JobStatus.RUNNING
    while not sign.exists():
        time.sleep(0.01)
    client.cancel().result()
    with pytest.raises(JobCancelledError):
        client.get_job_execution_result().result()
    assert client.get_job_status().result() is JobStatus.CANCELED
    lines = printed(capsys)
    assert lines == [str(number + 1) for number in range(len(lines))]
    assert len(lines) < 10_000
    assert numbers(env, 1).execute_and_collect(limit=1) == [1]


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1, 0.3])
def test_a_job_can_be_cancelled_at_any_time(
    env: StreamExecutionEnvironment, tmp_path: Path, delay: float
) -> None:
    slow_job(env, tmp_path / "begun")
    client = env.execute_async()
    time.sleep(delay)
    client.cancel().result()
    with pytest.raises(JobCancelledError):
        client.get_job_execution_result().result()


def test_closing_the_results_stops_the_job(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    def wait(value: int) -> int:
        time.sleep(0.05)
        return value

    env.generate_sequence(1, 10_000).map(wait).execute_and_collect().close()
    assert numbers(env, 1).execute_and_collect(limit=1) == [1]


def test_jobs_run_side_by_side(env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]) -> None:
    clients = []
    for name in ("a", "b"):
        numbers(env, 1, 2).print(name)
        clients.append(env.execute_async(name))
    for client in clients:
        client.get_job_execution_result().result()
    assert sorted(printed(capsys)) == ["a> 1", "a> 2", "b> 1", "b> 2"]


# plans


def test_the_execution_plan_is_flinks_json(env2: StreamExecutionEnvironment) -> None:
    mapped = numbers(env2, 1).map(lambda value: value, Types.INT()).name("same")
    mapped.set_description("what it does")
    mapped.rescale().filter(bool).set_parallelism(4).print().name("show")
    plan = json.loads(env2.get_execution_plan())
    source, map_, filter_, sink = plan["nodes"]
    assert [node["type"] for node in plan["nodes"]] == [
        "Source: Collection Source",
        "same",
        "Filter",
        "Sink: show",
    ]
    assert [node["pact"] for node in plan["nodes"]] == ["Data Source", "Operator", "Operator", "Data Sink"]
    assert [node["parallelism"] for node in plan["nodes"]] == [1, 2, 4, 2]
    assert map_["contents"] == "what it does"
    assert "predecessors" not in source
    assert map_["predecessors"] == [{"id": source["id"], "ship_strategy": "REBALANCE", "side": "second"}]
    assert filter_["predecessors"] == [{"id": map_["id"], "ship_strategy": "RESCALE", "side": "second"}]
    assert sink["predecessors"] == [{"id": filter_["id"], "ship_strategy": "REBALANCE", "side": "second"}]


def test_getting_the_plan_does_not_run_it(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers(env, 1).print()
    env.get_execution_plan()
    assert printed(capsys) == []
    env.execute()
    assert printed(capsys) == ["1"]


def test_explain_shows_types_paths_and_why_not_faster(
    env: StreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    def double(value: int) -> int:
        return value * 2

    typed = numbers(env, 1).map(double).name("double")
    pickled = typed.map(lambda value: {value, str(value)}).name("boxed")
    text = pickled.explain()
    assert capsys.readouterr().out == ""
    assert repr(text) == str(text) == pickled.explain()
    (line,) = [line for line in rows(pickled) if "double" in line]
    assert "Long" in line
    assert "typed" in line
    assert "called once per element" in why_not_faster(typed)
    (line,) = [line for line in rows(pickled) if "boxed" in line and "lambda" in line]
    assert "PickledByteArray" in line
    assert "pickled" in line
    assert "no output_type" in why_not_faster(pickled)


@pytest.mark.parametrize("stage", get_args(PlanStage))
def test_explain_shows_any_stage(env: StreamExecutionEnvironment, stage: Any) -> None:
    numbers(env, 1).rebalance().map(lambda value: value).name("same").print()
    text = env.explain(stage)
    assert stage in text.splitlines()[0]
    assert "same" in text
    assert ("Rebalance" in text) == (stage == "logical")
    assert ("typed" in text) == (stage == "physical")


def test_strict_types_refuse_pickled_elements(env: StreamExecutionEnvironment) -> None:
    from pystream.common import Configuration

    env.configure(Configuration.from_dict({"pystream.strict-types": "true"}))
    assert numbers(env, 1).map(str, Types.STRING()).execute_and_collect(limit=1) == ["1"]
    with pytest.raises(PlanError, match=r"strict-types.*\n.*'Map'.*no output_type"):
        numbers(env, 1).map(lambda value: eval("value")).execute_and_collect()


# tables


@pytest.mark.spark_only("a data frame is Spark's")
@pytest.mark.parametrize(
    ("type_info", "element"),
    [
        (Types.SQL_TIME(), datetime.time(1, 2, 3, 4)),
        (Types.ROW([Types.SQL_TIME(), Types.LIST(Types.SQL_TIME())]), Row(None, [datetime.time(5)])),
        (Types.MAP(Types.STRING(), Types.SQL_TIME()), {"a": datetime.time(5)}),
        (Types.SQL_DATE(), datetime.date(1815, 12, 10)),
        (Types.SQL_TIMESTAMP(), datetime.datetime(2024, 2, 29, 1, 2, 3, 4)),
        (Types.INSTANT(), Instant.of_epoch_milli(-1)),
        (Types.BIG_DEC(), Decimal("1.5")),
        (Types.BIG_INT(), 10**37),
        (Types.FLOAT(), 0.5),
        (Types.CHAR(), "é"),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), b"\x00\xff"),
        (Types.OBJECT_ARRAY(Types.INT()), [1, None]),
        (Types.TUPLE([Types.INT(), Types.STRING()]), (1, "a")),
        (Types.PICKLED_BYTE_ARRAY(), {"a": {1}}),
        (Types.ROW_NAMED(["a.b", "c`d", "`e`", "pystream subtask"], [Types.INT()] * 4), Row(1, 2, 3, 4)),
        (Types.ROW_NAMED(["r"], [Types.ROW_NAMED(["a.b", "c`d"], [Types.INT()] * 2)]), Row(Row(1, 2))),
    ],
    ids=str,
)
def test_elements_of_any_type_go_to_a_table_and_back(
    env2: StreamExecutionEnvironment, type_info: Any, element: Any
) -> None:
    stream: DataStream[Any] = env2.from_collection([element, element], type_info)
    frame = stream.rebalance().map(lambda value: value, type_info).to_data_frame()
    back = env2.from_data_frame(frame)
    assert back.get_type() == type_info
    with stream.execute_and_collect() as there, back.execute_and_collect() as here:
        assert list(here) == list(there)
    assert frame.count() == 2


# errors and leftovers


def test_a_restart_strategy_that_raises_ends_the_job(
    env: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise RuntimeError("no idea")

    strategy = env.get_restart_strategy()
    monkeypatch.setattr(type(strategy), "new_backoff", lambda _: refuse)
    with pytest.raises(JobExecutionError, match="ZeroDivisionError") as failure:
        numbers(env, 0).map(lambda value: 1 // value).execute_and_collect(limit=1)
    assert "RuntimeError: no idea" in failure.value.__notes__[0]


def test_characters_that_standard_output_cannot_encode_are_escaped(
    env: StreamExecutionEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii", newline="\n"))
    env.from_collection(["é", "e"], Types.STRING()).print()
    env.execute()
    assert shown.getvalue() == b"\\xe9\ne\n"


@pytest.mark.spark_only("a data frame is Spark's")
def test_a_table_leaves_nothing_behind_in_spark(env2: StreamExecutionEnvironment) -> None:
    stream = numbers(env2, 1, 2)
    shared = stream.map(lambda value: value + 1, Types.INT()).set_parallelism(1)
    both = shared.rebalance().map(lambda value: -value, Types.INT()).union(shared.rebalance())
    frame = both.to_data_frame()
    assert sorted(row[0] for row in frame.collect()) == [-3, -2, 2, 3]
    java: Any = frame.sparkSession.sparkContext._jsc
    assert java.sc().getPersistentRDDs().size() == 0


ENDINGS = """
import os, signal, sys, threading, time
from pathlib import Path
from pystream.common import Encoder
from pystream.common.typeinfo import Types
from pystream.datastream import StreamExecutionEnvironment
from pystream.datastream.connectors import FileSink

place = Path(sys.argv[1])
env = StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)

def slow(value):
    if value > 20_000:  # after the first batch, so that a file is in progress
        time.sleep(0.01)
    return value

def begun():
    while not [*place.rglob("part-*")]:
        time.sleep(0.02)
    time.sleep(0.2)

def start():
    stream = env.generate_sequence(1, 100_000).map(slow, Types.LONG())
    sink = FileSink.for_row_format(str(place), Encoder.simple_string_encoder())
    stream.sink_to(sink.build())
"""
INTERRUPTED = """
signal.signal(signal.SIGINT, signal.default_int_handler)  # processes in the background ignore interrupts
for number in (signal.SIGINT, signal.SIGTERM):
    start()
    threading.Thread(target=lambda: (begun(), os.kill(os.getpid(), number)), daemon=True).start()
    try:
        env.execute()
    except (KeyboardInterrupt, SystemExit):
        print([path for path in place.rglob("*") if path.is_file()])
"""
LEFT = """
start()
env.execute_async()
begun()
"""
KILLED = """
from pyspark import SparkContext
start()
client = env.execute_async()
begun()
os.kill(SparkContext._gateway.proc.pid, signal.SIGKILL)
try:
    client.get_job_execution_result().result()
except Exception as error:
    print(type(error).__name__, error)
print(env.from_collection([1], Types.LONG()).execute_and_collect(limit=1))
"""


def program(text: str, place: Path) -> str:
    """Run a program in a new process and return its output."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", ENDINGS + text, str(place)],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_interrupt_or_a_signal_to_end_waits_until_the_job_has_cleaned_up(tmp_path: Path) -> None:
    assert program(INTERRUPTED, tmp_path) == "[]\n[]\n"


def test_a_program_that_ends_cleans_up_after_its_jobs(tmp_path: Path) -> None:
    program(LEFT, tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_the_death_of_the_java_process_is_reported_and_survived(tmp_path: Path) -> None:
    told, result = program(KILLED, tmp_path).splitlines()
    assert told.startswith("JobExecutionError job")
    assert "Spark's Java process was killed" in told
    assert result == "[1]"
