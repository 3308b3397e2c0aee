"""Errors: messages with the mistake, the operator and the element, and no leftovers of the failed job."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException, PythonException
from pyspark.sql import SparkSession

from pystream.common import Encoder, Row, TypeInformation, WatermarkStrategy
from pystream.common.typeinfo import Types
from pystream.datastream import DataStream, MapFunction, RuntimeContext, StreamExecutionEnvironment
from pystream.datastream.connectors import FileSink, FileSource, StreamFormat
from pystream.errors import JobExecutionError, PlanError, PyStreamError, TypeCheckError

HERE = Path(__file__).name


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def failure_of(stream: DataStream[Any]) -> str:
    """Return the error message of a job, which must not mention Spark; the program can run another job."""
    with pytest.raises(JobExecutionError) as failure:
        collected(stream)
    message = str(failure.value)
    for internal in ("org.apache", "java.", "py4j", "pyspark", "\tat "):
        assert internal not in message
    assert collected(stream.get_execution_environment().from_collection([1])) == [1]
    return message


def line_of(function: Any, text: str) -> int:
    """Return the line number of a text within a function."""
    lines, first = inspect.getsourcelines(function)
    return next(first + offset for offset, line in enumerate(lines) if text in line)


def divide(value: int) -> int:
    return 10 // value


def numbers(env: StreamExecutionEnvironment, *values: int) -> DataStream[int]:
    return env.from_collection(list(values), Types.INT())


def test_an_error_of_a_function_is_reported_with_all_its_context(
    env: StreamExecutionEnvironment,
) -> None:
    added = inspect.currentframe().f_lineno + 1  # type: ignore[union-attr]
    message = failure_of(numbers(env, 5, 2, 0, 1).map(divide).name("division").uid("div-1"))
    assert "'division'" in message
    assert "div-1" in message
    assert f"divide at {HERE}" in message or f"divide at tests/behaviour/{HERE}" in message
    assert f"{HERE}:{added}" in message
    assert "ZeroDivisionError: integer division or modulo by zero" in message
    assert "element: 0" in message
    assert f'{HERE}", line {line_of(divide, "10 // value")}, in divide' in message
    assert "10 // value" in message


def test_the_error_of_the_function_is_the_cause(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(JobExecutionError) as failure:
        collected(numbers(env, 0).map(divide))
    assert isinstance(failure.value.__cause__, ZeroDivisionError)


def test_an_error_class_of_the_program_is_reported(env: StreamExecutionEnvironment) -> None:
    class OwnError(Exception):
        def __init__(self, code: int, *, extra: str) -> None:
            super().__init__(f"code {code} {extra}")

    def raising(value: int) -> int:
        raise OwnError(3, extra="more")

    assert "OwnError: code 3 more" in failure_of(numbers(env, 1).map(raising))


@pytest.mark.parametrize("operator", ["filter", "flat_map"])
def test_any_operator_names_the_element_its_function_failed_on(
    env: StreamExecutionEnvironment, operator: str
) -> None:
    stream = numbers(env, 1, 2, 0, 4)
    if operator == "filter":
        message = failure_of(stream.filter(divide))
        assert "'Filter'" in message
    else:
        message = failure_of(stream.flat_map(lambda value: [10 // value]))
        assert "'FlatMap'" in message
    assert "element: 0" in message


def test_a_generator_that_raises_midway_is_reported(env: StreamExecutionEnvironment) -> None:
    def several(value: int) -> Iterator[int]:
        yield value
        yield 10 // value

    assert "element: 0" in failure_of(numbers(env, 5, 0).flat_map(several))


@pytest.mark.parametrize("method", ["open", "close"])
def test_open_and_close_that_raise_are_reported(env: StreamExecutionEnvironment, method: str) -> None:
    class Failing(MapFunction[int, int]):
        def map(self, value: int) -> int:
            return value

    def fails(self: Any, *args: Any) -> None:
        raise OSError(f"cannot {method}")

    setattr(Failing, method, fails)
    message = failure_of(numbers(env, 1).map(Failing()).name("frail"))
    assert f"OSError: cannot {method}" in message
    assert "'frail'" in message


def test_a_failure_after_an_exchange_names_its_own_operator(env2: StreamExecutionEnvironment) -> None:
    stream = numbers(env2, *range(8)).rebalance().map(lambda value: value - 6, Types.INT()).name("less")
    message = failure_of(stream.rebalance().map(divide).name("division"))
    assert "operator 'division'" in message
    assert "element: 0" in message


@pytest.mark.parametrize(
    ("result", "type_info", "expected"),
    [
        ("x", Types.INT(), "'x'"),
        (2**31, Types.INT(), "2147483648"),
        (None, Types.LONG(), "None"),
        ((1, 2, 3), Types.TUPLE([Types.INT(), Types.INT()]), "(1, 2, 3)"),
        (Row(a=1, z=2), Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.INT()]), "z"),
    ],
)
def test_a_result_that_does_not_fit_its_type_is_reported(
    env: StreamExecutionEnvironment, result: Any, type_info: Any, expected: str
) -> None:
    message = failure_of(numbers(env, 1).map(lambda value: result, type_info).name("typed"))
    assert "'typed'" in message
    assert "TypeCheckError" in message
    assert expected in message


def test_the_position_within_a_value_is_reported(env: StreamExecutionEnvironment) -> None:
    nested = Types.ROW_NAMED(["user"], [Types.ROW_NAMED(["tags"], [Types.LIST(Types.STRING())])])
    bad = Row(user=Row(tags=["a", "b", 3]))
    assert ".user.tags[2]" in failure_of(numbers(env, 1).map(lambda value: bad, nested))


def test_a_result_that_is_not_iterable_is_reported(env: StreamExecutionEnvironment) -> None:
    message = failure_of(numbers(env, 7).flat_map(lambda value: value))  # type: ignore[arg-type,return-value]
    assert "the function returned 7 (int), which is not a collection of results; return a list" in message
    assert f"lambda at tests/behaviour/{HERE}" in message or f"lambda at {HERE}" in message
    assert "element: 7" in message


def test_elements_of_a_collection_are_checked_when_it_is_given(env: StreamExecutionEnvironment) -> None:
    number: TypeInformation[Any] = Types.INT()
    several: TypeInformation[Any] = Types.LIST(number)
    with pytest.raises(TypeCheckError, match=r"element 2.*'c'"):
        env.from_collection([1, 2, "c"], number)
    with pytest.raises(TypeCheckError, match=r"element 1.*\[0\]"):
        env.from_collection([[1], ["b"]], several)


@pytest.mark.parametrize("collection", [3, None, 1.5, object()])
def test_an_argument_that_is_not_a_collection_is_refused(
    env: StreamExecutionEnvironment, collection: Any
) -> None:
    with pytest.raises(PyStreamError, match="collection"):
        env.from_collection(collection)


def test_a_function_that_cannot_be_pickled_is_refused_when_it_is_given(
    env: StreamExecutionEnvironment,
) -> None:
    lock = threading.Lock()
    with pytest.raises(PyStreamError, match=r"map:.*cannot be sent.*open\(\).*lock") as refusal:
        numbers(env, 1).map(lambda value: (lock, value))
    assert isinstance(refusal.value, TypeError)


@pytest.mark.parametrize("function", [3, "text", None])
def test_an_argument_that_is_not_a_function_is_refused(
    env: StreamExecutionEnvironment, function: Any
) -> None:
    stream = numbers(env, 1)
    for operator in (stream.map, stream.flat_map, stream.filter, stream.process):
        with pytest.raises(PlanError, match="takes a"):
            operator(function)


def test_a_class_instead_of_its_object_is_refused(env: StreamExecutionEnvironment) -> None:
    class AddOne(MapFunction[int, int]):
        def map(self, value: int) -> int:
            return value + 1

    with pytest.raises(PlanError, match=r"AddOne\(\)"):
        numbers(env, 1).map(AddOne)  # type: ignore[arg-type]


def test_an_output_type_that_contradicts_an_annotation_is_refused(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(PlanError, match=r"output_type String contradicts.*divide"):
        numbers(env, 1).map(divide, output_type=Types.STRING())  # type: ignore[arg-type]


def test_an_output_type_that_is_not_a_type_is_refused(env: StreamExecutionEnvironment) -> None:
    with pytest.raises(PyStreamError, match="output_type"):
        numbers(env, 1).map(lambda value: value, output_type=int)  # type: ignore[arg-type]
    with pytest.raises(PyStreamError, match="type_info"):
        env.from_collection([1], type_info=int)  # type: ignore[arg-type]


def test_a_missing_file_is_named_before_anything_runs(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    missing = tmp_path / "no-such-file.txt"
    with pytest.raises(PyStreamError, match=r"no-such-file\.txt"):
        collected(env.read_text_file(str(missing)))
    assert collected(env.from_collection([1])) == [1]


def test_a_file_whose_content_contradicts_its_name_is_named(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "plain.gz").write_text("not compressed")
    message = failure_of(env.read_text_file(str(tmp_path / "plain.gz")))
    assert "plain.gz" in message
    assert "Source: Text File Source" in message


def sink_to(place: Path) -> FileSink:
    return FileSink.for_row_format(str(place), Encoder.simple_string_encoder()).build()


def test_a_failing_job_leaves_no_output(env2: StreamExecutionEnvironment, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    stream = numbers(env2, *range(1, 9), 0).rebalance()
    stream.map(lambda value: value, Types.INT()).sink_to(sink_to(good))
    stream.map(divide).sink_to(sink_to(bad))
    with pytest.raises(JobExecutionError, match="ZeroDivisionError"):
        env2.execute()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_sink_that_cannot_be_written_fails_before_anything_runs(
    env: StreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("a file")
    numbers(env, 1).sink_to(sink_to(tmp_path / "out"))
    with pytest.raises(PyStreamError, match="out"):
        env.execute()
    assert (tmp_path / "out").read_text() == "a file"
    assert collected(numbers(env, 1)) == [1]


@pytest.mark.parametrize("wrong", ["source", 3, None])
def test_an_argument_that_is_not_a_source_or_sink_is_refused(
    env: StreamExecutionEnvironment, wrong: Any
) -> None:
    with pytest.raises(PlanError, match="FileSource"):
        env.from_source(wrong, WatermarkStrategy.no_watermarks(), "source")
    with pytest.raises(PlanError, match="FileSink"):
        numbers(env, 1).sink_to(wrong)
    with pytest.raises(PlanError, match="SinkFunction"):
        numbers(env, 1).add_sink(wrong)


def test_a_source_of_another_type_is_refused(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    lines = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path)).build()
    with pytest.raises(PlanError, match=r"type_info is Integer.*String"):
        env.from_source(lines, WatermarkStrategy.no_watermarks(), "lines", Types.INT())


# errors that end a worker, and errors that Spark shows


def test_an_exit_is_reported_with_its_element(env: StreamExecutionEnvironment) -> None:
    message = failure_of(numbers(env, 5).map(lambda value: sys.exit(3)))
    assert "SystemExit: 3" in message
    assert "element: 5" in message


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit, BaseException])
def test_every_exception_of_a_function_is_reported_with_its_element(
    env: StreamExecutionEnvironment, error: type[BaseException]
) -> None:
    def raising(value: int) -> int:
        raise error("on purpose")

    message = failure_of(numbers(env, 5).map(raising).name("raising"))
    assert "'raising'" in message
    assert f"{error.__name__}: on purpose" in message
    assert "element: 5" in message


def test_a_wrong_result_of_several_is_reported_with_its_element(env: StreamExecutionEnvironment) -> None:
    stream = numbers(env, 5, 6).flat_map(lambda value: [value, "wrong"], Types.LONG())  # type: ignore[arg-type,list-item]
    message = failure_of(stream.name("several"))
    assert "'several'" in message
    assert "element: 5" in message
    assert "result: 'wrong'" in message


@pytest.mark.spark_only("the local host has no workers")
def test_the_death_of_a_worker_is_reported(env: StreamExecutionEnvironment) -> None:
    assert "a Python worker died; the current element is unknown" in failure_of(
        numbers(env, 5).map(lambda value: os._exit(3))
    )


def test_an_element_that_cannot_be_sent_is_reported(env: StreamExecutionEnvironment) -> None:
    message = failure_of(numbers(env, 5).map(lambda value: threading.Lock()).name("locking"))
    assert "'locking'" in message
    assert "<unlocked _thread.lock" in message
    assert "in open() of the function that uses it" in message
    assert "element: 5" in message


@pytest.mark.spark_only("data frames are Spark's")
def test_an_error_of_a_table_has_no_internal_traceback(env: StreamExecutionEnvironment) -> None:
    frame = numbers(env, 0).map(divide, Types.INT()).name("division").to_data_frame()
    with pytest.raises(PySparkException) as failure:
        frame.collect()
    message = str(failure.value)
    assert "operator 'division'" in message.partition("pystream-failure:")[0]
    assert "in divide" in message
    assert "operators.py" not in message
    assert "task.py" not in message


class UnencodableError(Exception):
    def __str__(self) -> str:
        return "caf\udce9"


def raising_value_error(value: Any) -> Any:
    raise ValueError("caf\udce9")


def raising_with_a_note(value: Any) -> Any:
    error = KeyError("plain")
    error.add_note("caf\udce9")
    raise error


def raising_from(value: Any) -> Any:
    raise KeyError("plain") from UnencodableError()


def raising_key_error(value: Any) -> Any:
    raise KeyError("plain")


class FailingOnClose(MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        return value

    def close(self) -> None:
        raise UnencodableError


class FailingWhenUnpickled:
    def __reduce__(self) -> Any:
        return raising_value_error, (1,)


@pytest.mark.time_limit(60)
@pytest.mark.parametrize(
    ("element", "function"),
    [
        (1, raising_value_error),
        (1, raising_with_a_note),
        (1, raising_from),
        (1, FailingOnClose()),
        ("caf\udce9", raising_key_error),
        ({"caf\udce9": [b"\xff", "caf\udce9"]}, raising_key_error),
        (1, functools.partial(lambda difficult, value: value, FailingWhenUnpickled())),
    ],
)
def test_text_that_utf_8_cannot_encode_is_escaped_in_errors(
    env: StreamExecutionEnvironment, element: Any, function: Any
) -> None:
    message = failure_of(env.from_collection([element]).map(function).name("op\udce9"))
    assert "caf\\udce9" in message
    assert "op\\udce9" in message
    assert message.encode()


def test_text_that_utf_8_cannot_encode_is_passed_on_unchanged(
    env: StreamExecutionEnvironment, capfd: pytest.CaptureFixture[str]
) -> None:
    class Counting(MapFunction[Any, Any]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.counter = runtime_context.get_metrics_group().add_group("m\udce9").counter("c\udce9")

        def map(self, value: Any) -> Any:
            self.counter.inc()
            return value + "\udce9"

    stream = env.from_collection(["caf\udce9"]).map(Counting()).name("op\udce9")
    stream.print("p\udce9")
    result = env.execute("job\udce9")
    assert "> caf" in capfd.readouterr().out
    assert 1 in result.get_all_accumulator_results().values()
    assert collected(stream) == ["caf\udce9\udce9"]


@pytest.mark.spark_only("data frames are Spark's")
def test_an_error_of_a_data_frame_is_readable(env: StreamExecutionEnvironment) -> None:
    frame = numbers(env, 1, 0).map(divide, Types.INT()).name("division").to_data_frame()
    with pytest.raises(PythonException) as failure:
        frame.collect()
    message = str(failure.value)
    assert "operator 'division'" in message
    assert "pystream-failure" not in message
    assert (
        message.split("\n\nJVM")[0].rstrip().endswith("ZeroDivisionError: integer division or modulo by zero")
    )
    assert "operator 'division'" in failure_of(env.from_data_frame(frame).map(lambda row: row))


def test_an_interpreter_that_cannot_be_started_is_named(
    env: StreamExecutionEnvironment, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "/no/python")
    with pytest.raises(JobExecutionError) as failure:
        collected(numbers(env, 1).map(lambda value: object()))
    assert "the Python of the workers, /no/python, cannot be started" in str(failure.value)
    assert "PYSPARK_PYTHON" in str(failure.value)


def test_a_session_of_the_program_runs_functions_with_its_interpreter(
    env: StreamExecutionEnvironment, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python3")  # the default of Spark
    assert collected(numbers(env, 1).map(lambda value: sys.executable)) == [sys.executable]
