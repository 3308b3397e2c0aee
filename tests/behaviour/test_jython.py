"""The streaming API of the Jython guide."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import StreamExecutionEnvironment
from pystream.errors import JobExecutionError, PlanError, PlanTypeError, PyStreamError, SinkError
from pystream.jython import (
    Collector,
    FilterFunction,
    FlatMapFunction,
    JavaTimeWindow,
    KeySelector,
    MapFunction,
    OutputSelector,
    PythonDataStream,
    PythonKeyedStream,
    PythonStreamExecutionEnvironment,
    ReduceFunction,
    RichFilterFunction,
    RichFlatMapFunction,
    RichMapFunction,
    RichReduceFunction,
    RichSinkFunction,
    RichWindowFunction,
    SerializationSchema,
    SimpleStringSchema,
    SinkFunction,
    SourceContext,
    SourceFunction,
    Time,
    WindowFunction,
    WriteMode,
)
from pystream.jython.times import milliseconds


@pytest.fixture
def jython(env: StreamExecutionEnvironment) -> PythonStreamExecutionEnvironment:
    """An environment of parallelism 1."""
    return PythonStreamExecutionEnvironment(env)


def collected(stream: PythonDataStream[Any]) -> list[Any]:
    with stream._stream.execute_and_collect() as elements:
        return list(elements)


def lines_below(path: Path) -> list[str]:
    """Return the sorted lines of all visible files of a directory."""
    files = [file for file in path.iterdir() if not file.name.startswith((".", "_"))]
    return sorted(line for file in files for line in file.read_text("utf-8").splitlines())


class Doubler(MapFunction[Any, Any]):
    def map(self, value: Any) -> Any:
        return value * 2


class Tokenizer(FlatMapFunction[str, tuple[int, str]]):
    def flatMap(self, value: str, collector: Collector[tuple[int, str]]) -> None:
        for word in value.lower().split():
            collector.collect((1, word))


class Even(FilterFunction[int]):
    def filter(self, value: int) -> bool:
        return value % 2 == 0


class Second(KeySelector[tuple[int, str], str]):
    def getKey(self, input: tuple[int, str]) -> str:
        return input[1]


class Sum(ReduceFunction[tuple[int, str]]):
    def reduce(self, input1: tuple[int, str], input2: tuple[int, str]) -> tuple[int, str]:
        return input1[0] + input2[0], input1[1]


class WindowSum(WindowFunction[tuple[int, str], tuple[str, int], str, Any]):
    def apply(self, key: str, window: Any, values: Any, collector: Collector[tuple[str, int]]) -> None:
        assert len(values) > 0
        collector.collect((key, sum(value[0] for value in values)))


class Parity(OutputSelector[int]):
    def select(self, value: int) -> list[str]:
        return ["even" if value % 2 == 0 else "odd"]


class Duck:
    """All methods, without a base class."""

    def map(self, value: int) -> int:
        return value + 1

    def flatMap(self, value: int, collector: Collector[int]) -> None:
        collector.collect(value)
        collector.collect(value)

    def filter(self, value: int) -> bool:
        return value > 0

    def getKey(self, input: int) -> int:
        return input % 2

    def reduce(self, input1: int, input2: int) -> int:
        return input1 + input2

    def select(self, value: int) -> list[str]:
        return ["all"]


def keyed(jython: PythonStreamExecutionEnvironment, numbers: range) -> PythonKeyedStream[Any, Any]:
    return jython.from_elements(*((number, "k") for number in numbers)).key_by(Second())


def test_operators_on_elements(jython: PythonStreamExecutionEnvironment) -> None:
    words = jython.from_elements("To be", "", "or").flat_map(Tokenizer())
    assert collected(words) == [(1, "to"), (1, "be"), (1, "or")]
    assert collected(jython.from_collection([1, 2]).map(Doubler()).filter(Even())) == [2, 4]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_functions_need_no_base_class(jython: PythonStreamExecutionEnvironment) -> None:
    duck: Any = Duck()
    stream = jython.from_elements(-3, 1, 2).map(duck).flat_map(duck).filter(duck)
    assert collected(stream.key_by(duck).reduce(duck)) == [2, 4, 3, 6]
    assert collected(stream.split(duck).select("all")) == [2, 2, 3, 3]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_plain_functions_are_functions(jython: PythonStreamExecutionEnvironment) -> None:
    def twice(value: int, collector: Collector[int]) -> None:
        collector.collect(value)
        collector.collect(value)

    stream = jython.from_elements(1, 2).map(lambda value: value + 1).flat_map(twice)
    total = stream.key_by(lambda value: 0).count_window(4)
    assert collected(total.reduce(lambda one, other: one + other)) == [10]
    assert collected(stream.split(lambda value: [str(value)]).select("3")) == [3, 3]


@pytest.mark.promise("beh:jython.rolling-reduce")
def test_a_reduction_of_a_keyed_stream_emits_a_value_for_each_element(
    jython: PythonStreamExecutionEnvironment,
) -> None:
    stream = jython.from_elements((1, "x"), (5, "y"), (2, "x"), (3, "x")).key_by(Second()).reduce(Sum())
    assert collected(stream) == [(1, "x"), (5, "y"), (3, "x"), (6, "x")]


@pytest.mark.promise("beh:jython.window-reduce-one")
@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_reduction_of_windows_emits_one_value_for_each(jython: PythonStreamExecutionEnvironment) -> None:
    words = jython.from_elements(*((number, "ab"[number % 2]) for number in range(1, 8)))
    windows = words.key_by(Second()).count_window(2)
    assert sorted(collected(windows.reduce(Sum()))) == [(4, "b"), (6, "a"), (12, "b")]


@pytest.mark.promise("beh:jython.count-window-sliding")
@pytest.mark.parametrize(("size", "slide", "sums"), [(10, 5, [15, 55, 105, 155]), (2, 7, [13, 27])])
@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_sliding_windows_of_a_count(
    jython: PythonStreamExecutionEnvironment, size: int, slide: int, sums: list[int]
) -> None:
    windows = keyed(jython, range(1, 21)).count_window(size, slide)
    assert collected(windows.apply(WindowSum())) == [("k", total) for total in sums]
    windows = keyed(jython, range(1, 21)).count_window(size, slide)
    assert collected(windows.reduce(Sum())) == [(total, "k") for total in sums]


@pytest.mark.promise(
    "beh:jython.time-window-sliding",
    "org.apache.flink.streaming.api.windowing.time.Time.milliseconds",
)
def test_windows_of_time(jython: PythonStreamExecutionEnvironment) -> None:
    tumbling = keyed(jython, range(1, 21)).time_window(milliseconds(30)).apply(WindowSum())
    assert sum(total for _, total in collected(tumbling)) == 210
    # Each element is in the five windows of 100 ms that start every 20 ms.
    sliding = keyed(jython, range(1, 21)).time_window(milliseconds(100), milliseconds(20))
    sums = collected(sliding.reduce(Sum()))
    assert len(sums) >= 5
    assert sum(total for total, _ in sums) == 5 * 210


class Bounds(WindowFunction[Any, int, Any, Any]):
    def apply(
        self, key: Any, window: JavaTimeWindow, values: Any, collector: Collector[tuple[int, ...]]
    ) -> None:
        length = window.getEnd() - window.getStart()
        collector.collect((length, window.end - window.start, window.getEnd() - window.maxTimestamp()))


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_window_of_time_has_the_methods_of_java(jython: PythonStreamExecutionEnvironment) -> None:
    windows = keyed(jython, range(1)).time_window(Time.hours(1))
    assert collected(windows.apply(Bounds())) == [(3_600_000, 3_600_000, 1)]


@pytest.mark.promise("beh:jython.union-self-twice")
def test_a_union_with_itself_has_each_element_twice(jython: PythonStreamExecutionEnvironment) -> None:
    one = jython.from_elements(1)
    assert sorted(collected(one.union(one, jython.from_elements(2)))) == [1, 1, 2]


def test_a_union_of_streams_from_different_sources(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    (tmp_path / "in.txt").write_text("a\n")
    lines = jython.read_text_file(f"file://{tmp_path}/in.txt")
    numbers = jython.generate_sequence(1, 2)
    stream: PythonDataStream[Any] = jython.from_elements(None)
    assert sorted(map(str, collected(stream.union(lines, numbers)))) == ["1", "2", "None", "a"]


class Alternate(OutputSelector[int]):
    """Names the outputs of an element by the number of elements before it."""

    def __init__(self) -> None:
        self.seen = 0

    def select(self, value: int) -> list[str]:
        self.seen += 1
        return ["first", "both"] if self.seen % 2 else ["second", "both", "both"]


@pytest.mark.promise("beh:jython.split-multi")
def test_an_element_goes_to_several_outputs(jython: PythonStreamExecutionEnvironment) -> None:
    split = jython.from_elements(4, 5, 6).split(Alternate())
    assert collected(split.select("first")) == [4, 6]
    assert collected(split.select("both")) == [4, 5, 6]
    assert collected(split.select("second", "both")) == [4, 5, 6]
    assert collected(split.select("unknown")) == []
    assert collected(split) == [4, 5, 6]


def test_a_selector_is_called_once_for_each_element(
    jython: PythonStreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    split = jython.generate_sequence(1, 6).split(Alternate())
    split.select("first").output("first")
    split.select("second").output("second")
    jython.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == [
        *("first> 1", "first> 3", "first> 5"),
        *("second> 2", "second> 4", "second> 6"),
    ]


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_a_selector_that_returns_no_list_fails_the_job(jython: PythonStreamExecutionEnvironment) -> None:
    selector: Any = lambda value: "even"  # noqa: E731
    with pytest.raises(JobExecutionError, match="must return a list of names of outputs, not 'even'"):
        collected(jython.from_elements(1).split(selector).select("even"))


class MinusOne(MapFunction[int, int]):
    def map(self, value: int) -> int:
        return value - 1


@pytest.mark.parametrize("source", ["elements", "sequence"])
def test_elements_are_fed_back(jython: PythonStreamExecutionEnvironment, source: str) -> None:
    numbers = {"elements": jython.from_elements(0, 1, 2), "sequence": jython.generate_sequence(0, 2)}[source]
    iteration = numbers.iterate(5000)
    body = iteration.map(MinusOne())
    feedback = body.filter(lambda value: value > 0)
    assert iteration.close_with(feedback) is feedback
    assert sorted(collected(body.filter(lambda value: value <= 0))) == [-1, 0, 0]


class Marks(RichMapFunction[int, tuple[str, int]]):
    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, config: Any) -> None:
        context = self.getRuntimeContext()
        self.mark = f"{context.getIndexOfThisSubtask()} of {context.getNumberOfParallelSubtasks()}"
        (self.path / f"opened {self.mark}").touch(exist_ok=False)
        assert not config.to_dict()

    def map(self, value: int) -> tuple[str, int]:
        assert not (self.path / f"closed {self.mark}").exists()
        return self.mark, value

    def close(self) -> None:
        (self.path / f"closed {self.mark}").touch(exist_ok=False)


@pytest.mark.promise("beh:jython.rich-open-close")
def test_a_rich_function_is_opened_and_closed_on_each_subtask(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    stream = jython.from_elements(1).map(Marks(tmp_path)).set_parallelism(2)
    assert [value for _, value in collected(stream)] == [1]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("closed 0 of 2", "closed 1 of 2", "opened 0 of 2", "opened 1 of 2"),
    ]


class Opened:
    """Counts how often the function was opened before it is called."""

    times = 0

    def open(self, config: Any) -> None:
        self.times += 1


class OpenedFlatMap(Opened, RichFlatMapFunction[Any, Any]):
    def flatMap(self, value: Any, collector: Collector[Any]) -> None:
        collector.collect((value, self.times))


class OpenedFilter(Opened, RichFilterFunction[Any]):
    def filter(self, value: Any) -> bool:
        return self.times == 1


class OpenedReduce(Opened, RichReduceFunction[Any]):
    def reduce(self, input1: Any, input2: Any) -> Any:
        return self.times


class OpenedWindow(Opened, RichWindowFunction[Any, Any, Any, Any]):
    def apply(self, key: Any, window: Any, values: Any, collector: Collector[Any]) -> None:
        collector.collect(self.times)


@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_all_rich_functions_are_opened(jython: PythonStreamExecutionEnvironment) -> None:
    stream = jython.from_elements(1, 2).filter(OpenedFilter())
    assert collected(stream.flat_map(OpenedFlatMap())) == [(1, 1), (2, 1)]
    keyed_stream = stream.key_by(lambda value: 0)
    assert collected(keyed_stream.reduce(OpenedReduce())) == [1, 1]
    assert collected(keyed_stream.count_window(2).reduce(OpenedReduce())) == [1]
    assert collected(keyed_stream.count_window(2).apply(OpenedWindow())) == [1]


class Plus(MapFunction[int, int]):
    def __init__(self, n: int) -> None:
        self.n = n

    def map(self, value: int) -> int:
        return value + self.n


@pytest.mark.promise("beh:jython.udf-serialized")
def test_a_function_is_sent_as_it_was_when_it_was_passed(jython: PythonStreamExecutionEnvironment) -> None:
    function = Plus(1)
    stream = jython.from_elements(1).map(function)
    function.n = 100
    assert collected(stream) == [2]
    assert function.n == 100


class Person:
    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"I am {self.name}"


@pytest.mark.promise("beh:jython.user-classes-as-data")
def test_elements_are_any_objects(jython: PythonStreamExecutionEnvironment) -> None:
    values: list[Any] = [1, 2**70, 1.5, True, None, "ä", b"\0", bytearray(b"a"), (1, ["b"]), [1], {"k": 2}]
    assert collected(jython.from_elements(*values).map(lambda value: [value])) == [
        [value] for value in values
    ]
    people = jython.from_elements("Ann").map(lambda name: (1, Person(name)))
    assert [person.name for _, person in collected(people)] == ["Ann"]


@pytest.mark.promise("beh:jython.sink-str")
def test_output_is_the_text_of_elements(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = jython.from_elements((1, "a", 2.0), "b", True, None).map(lambda value: value)
    stream.union(jython.from_elements("Ann").map(lambda name: Person(name))).output()
    stream.union(jython.from_elements("Ann").map(lambda name: Person(name))).write_as_text(str(tmp_path))
    jython.execute()
    expected = ["(1, 'a', 2.0)", "I am Ann", "None", "True", "b"]
    assert sorted(capsys.readouterr().out.splitlines()) == expected
    assert lines_below(tmp_path) == expected


def test_lines_have_no_number_of_a_subtask(
    jython: PythonStreamExecutionEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    jython.set_parallelism(2).generate_sequence(1, 3).print()
    jython.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["1", "2", "3"]


@pytest.mark.promise("beh:jython.file-uris")
@pytest.mark.parametrize("scheme", ["", "file://"])
def test_files_are_paths_or_uris(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path, scheme: str
) -> None:
    (tmp_path / "in.txt").write_text("a b\nc\n")
    for read in (jython.read_text_file, jython.read_text):
        assert collected(read(f"{scheme}{tmp_path}/in.txt")) == ["a b", "c"]
    jython.from_elements("x").write_as_text(f"{scheme}{tmp_path}/out")
    jython.execute()
    assert lines_below(tmp_path / "out") == ["x"]


@pytest.mark.promise("beh:jython.file-uris", "beh:jython.shared-medium")
def test_a_name_node_that_does_not_answer_is_named(jython: PythonStreamExecutionEnvironment) -> None:
    with pytest.raises(PyStreamError, match="hdfs://localhost:1/"):
        collected(jython.read_text_file("hdfs://localhost:1/in"))
    jython.from_elements(1).write_as_text("hdfs://localhost:1/out")
    with pytest.raises(PyStreamError, match="hdfs://localhost:1/out"):
        jython.execute()


def test_a_target_that_exists_is_refused_before_the_job_starts(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out"
    for _ in range(2):
        numbers = jython.from_elements(1, 2)
        numbers.write_as_text(str(target))
        numbers.output()
        if target.exists():
            with pytest.raises(SinkError, match=r"out exists: remove it, or pass WriteMode\.OVERWRITE"):
                jython.execute()
        else:
            jython.execute()
    assert lines_below(target) == ["1", "2"]
    assert capsys.readouterr().out.splitlines() == ["1", "2"]


def test_a_target_that_exists_is_replaced(jython: PythonStreamExecutionEnvironment, tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("a file")
    for number in (1, 2):
        jython.from_elements(number).write_as_text(str(target), mode=WriteMode.OVERWRITE)
        jython.execute()
        assert lines_below(target) == [str(number)]


def test_an_empty_directory_is_no_target_yet(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    jython.from_elements(1).write_as_text(str(tmp_path), WriteMode.NO_OVERWRITE)
    jython.execute()
    assert lines_below(tmp_path) == ["1"]


def test_a_directory_with_more_than_text_output_is_kept(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    precious = tmp_path / "home" / "letters" / "one.txt"
    precious.parent.mkdir(parents=True)
    precious.touch()
    jython.from_elements(1).write_as_text(str(tmp_path / "home"), WriteMode.OVERWRITE)
    with pytest.raises(SinkError, match="has a directory 'letters', which no job that writes text has made"):
        jython.execute()
    assert precious.exists()


class Server:
    """A server that accepts one connection and receives all bytes of it."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("localhost", 0))
        self.port: int = self.socket.getsockname()[1]
        self.received = b""
        self._thread = threading.Thread(target=self._receive, daemon=True)
        self._thread.start()

    def _receive(self) -> None:
        connection, _ = self.socket.accept()
        with closing(connection):
            while data := connection.recv(4096):
                self.received += data

    def all(self) -> bytes:
        self._thread.join(60)
        assert not self._thread.is_alive()
        return self.received


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    with closing(made.socket):
        yield made


class Pair(SerializationSchema[Any]):
    def serialize(self, element: Any) -> Any:
        text = f"{element[0]}, {element[1]}|"
        return text if element[0] % 2 else text.encode()


@pytest.mark.promise("beh:jython.socket-bytes")
def test_elements_are_sent_to_a_server(jython: PythonStreamExecutionEnvironment, server: Server) -> None:
    jython.from_elements((1, "a"), (2, "b")).write_to_socket("localhost", server.port, Pair())
    jython.execute()
    assert server.all() == b"1, a|2, b|"


def test_parallel_streams_share_a_connection(
    jython: PythonStreamExecutionEnvironment, server: Server
) -> None:
    numbers = jython.set_parallelism(2).generate_sequence(1, 50).map(lambda n: f"{n} ")
    numbers.write_to_socket("localhost", server.port, SimpleStringSchema())
    jython.execute()
    assert sorted(map(int, server.all().split())) == [*range(1, 51)]


def test_a_server_that_is_not_there_is_named(jython: PythonStreamExecutionEnvironment) -> None:
    with closing(socket.create_server(("localhost", 0))) as closed:
        port = closed.getsockname()[1]
    jython.from_elements("a").write_to_socket("localhost", port, SimpleStringSchema())
    with pytest.raises(JobExecutionError, match=f"cannot connect to localhost:{port}"):
        jython.execute()


def test_a_schema_that_returns_no_bytes_fails_the_job(
    jython: PythonStreamExecutionEnvironment, server: Server
) -> None:
    class Itself:
        def serialize(self, element: int) -> int:
            return element

    jython.from_elements(7).write_to_socket("localhost", server.port, Itself())
    with pytest.raises(JobExecutionError, match="serialize must return bytes, but returned 7 for 7"):
        jython.execute()


class ToFiles(RichSinkFunction[int]):
    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, config: Any) -> None:
        (self.path / "opened").touch()

    def invoke(self, value: int) -> None:
        (self.path / str(10 // value)).touch()

    def close(self) -> None:
        (self.path / "closed").touch()


def test_a_sink_function_is_called_for_each_element(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    jython.from_elements(1, 2).add_sink(ToFiles(tmp_path))
    jython.execute()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["10", "5", "closed", "opened"]
    jython.from_elements(0).add_sink(ToFiles(tmp_path))
    with pytest.raises(JobExecutionError, match=r"(?s)ZeroDivisionError.*element: 0"):
        jython.execute()


@pytest.mark.promise("beh:jython.multi-consumer")
def test_a_stream_feeds_several_operators_and_sinks(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = jython.from_elements(1, 2).map(Doubler())
    numbers.output("once")
    numbers.map(Doubler()).output("twice")
    numbers.write_as_text(str(tmp_path))
    jython.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["once> 2", "once> 4", "twice> 4", "twice> 8"]
    assert lines_below(tmp_path) == ["2", "4"]


@pytest.mark.promise("beh:jython.parallelism-override")
def test_the_parallelism_of_an_operator_wins(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    assert jython.set_parallelism(3).get_parallelism() == 3
    stream = jython.from_elements(1).map(Doubler())
    assert stream.get_parallelism() == 3
    changed = jython.from_elements(1).map(Marks(tmp_path)).set_parallelism(1).name("marks")
    assert [mark for mark, _ in collected(changed)] == ["0 of 1"]
    assert changed._stream.get_name() == "marks"


@pytest.mark.promise("beh:jython.lazy")
def test_nothing_runs_before_execute(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jython.from_elements(1).map(Marks(tmp_path)).output()
    assert not list(tmp_path.iterdir())
    jython.execute("lazy")
    assert list(tmp_path.iterdir())
    assert capsys.readouterr().out == "('0 of 1', 1)\n"


class Numbers(SourceFunction[int]):
    def __init__(self, count: int | None) -> None:
        self.count = count
        self.running = True

    def run(self, ctx: SourceContext[int]) -> None:
        number = 0
        while self.running and number != self.count:
            ctx.collect(number)
            number += 1

    def cancel(self) -> None:
        self.running = False


class DuckSource:
    def run(self, ctx: SourceContext[int]) -> None:
        for number in range(3):
            ctx.collect(number)

    def cancel(self) -> None:
        pass


@pytest.mark.parametrize("source", [Numbers(3), DuckSource()], ids=["derived", "duck"])
def test_a_source_that_ends_ends_the_job(
    jython: PythonStreamExecutionEnvironment, source: Any, tmp_path: Path
) -> None:
    jython.create_python_source(source).map(Doubler()).write_as_text(str(tmp_path))
    jython.execute()
    assert lines_below(tmp_path) == ["0", "2", "4"]


def test_an_endless_source_is_read_as_long_as_wanted(jython: PythonStreamExecutionEnvironment) -> None:
    stream = jython.create_python_source(Numbers(None)).key_by(lambda n: n % 2).count_window(2)
    sums = stream.reduce(lambda one, other: one + other)._stream
    with sums.execute_and_collect() as elements:
        assert sorted(next(elements) for _ in range(4)) == [2, 4, 10, 12]


def test_lines_of_a_server_are_read_until_it_closes(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    with closing(socket.create_server(("localhost", 0))) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with closing(connection):
                connection.sendall(b"to be\nor not\n")

        threading.Thread(target=serve, daemon=True).start()
        lines = jython.socket_text_stream("localhost", server.getsockname()[1])
        lines.flat_map(Tokenizer()).write_as_text(str(tmp_path))
        jython.execute()
    assert lines_below(tmp_path) == ["(1, 'be')", "(1, 'not')", "(1, 'or')", "(1, 'to')"]


def test_the_target_of_a_job_without_end_is_refused_or_replaced(
    jython: PythonStreamExecutionEnvironment, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    for count, mode in ((1, WriteMode.NO_OVERWRITE), (2, WriteMode.OVERWRITE)):
        jython.create_python_source(Numbers(count)).write_as_text(str(target), mode)
        jython.execute()
    assert lines_below(target) == ["0", "1"]
    jython.create_python_source(Numbers(1)).write_as_text(str(target))
    with pytest.raises(SinkError, match="exists: remove it"):
        jython.execute()


def test_a_failure_names_the_users_function(jython: PythonStreamExecutionEnvironment) -> None:
    class Reciprocal(MapFunction[int, float]):
        def map(self, value: int) -> float:
            return 1 / value

    with pytest.raises(JobExecutionError, match=r"(?s)Reciprocal at .*test_jython\.py.*element: 0"):
        collected(jython.from_elements(0).map(Reciprocal()))


class Yielding:
    def flatMap(self, value: int, collector: Collector[int]) -> Iterator[int]:
        yield value


MISTAKES: dict[str, tuple[Callable[[PythonDataStream[Any]], object], type[Exception], str]] = {
    "class": (lambda s: s.map(Doubler), PlanTypeError, r"not the class Doubler: write Doubler\(\)"),
    "other": (
        lambda s: s.filter(Tokenizer()),  # type: ignore[arg-type]
        PlanTypeError,
        r"filter takes a FilterFunction, an object with filter\(value\), not <",
    ),
    "number": (lambda s: s.key_by(1), PlanTypeError, "key_by takes a KeySelector"),  # type: ignore[arg-type]
    "generator": (lambda s: s.flat_map(Yielding()), PlanTypeError, r"flatMap yields its results"),  # type: ignore[arg-type]
    "unpicklable": (
        lambda s: s.map(Plus(threading.Lock())),  # type: ignore[arg-type]
        PyStreamError,
        r"map: Plus at .* cannot be sent to the workers: .*\(here: self\.n\)",
    ),
    "no name": (lambda s: s.split(Parity()).select(), PlanError, "at least one"),
    "name": (lambda s: s.split(Parity()).select(1), PlanTypeError, "names of outputs, not 1"),  # type: ignore[arg-type]
    "mode": (lambda s: s.write_as_text("/x", "OVERWRITE"), PlanTypeError, "a WriteMode"),  # type: ignore[arg-type]
    "port": (lambda s: s.write_to_socket("a", 70_000, Pair()), PyStreamError, "from 0 to 65535"),
    "schema": (lambda s: s.write_to_socket("a", 7, Doubler()), PlanTypeError, "a SerializationSchema"),
    "sink": (lambda s: s.add_sink(Doubler()), PlanTypeError, "add_sink takes a SinkFunction"),  # type: ignore[arg-type]
    "streams": (lambda s: s.union([s]), PlanTypeError, "union takes streams"),  # type: ignore[arg-type]
    "slide": (lambda s: s.key_by(Second()).count_window(2, 0), PyStreamError, "0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.local_only("its operators are those of streams, which run on Spark elsewhere")
def test_mistakes_are_found_when_the_program_is_built(mistake: str) -> None:
    call, error, message = MISTAKES[mistake]
    stream = PythonStreamExecutionEnvironment(StreamExecutionEnvironment()).from_elements(1)
    with pytest.raises(error, match=message):
        call(stream)


def test_a_function_of_pyflink_is_refused() -> None:
    from pystream.datastream.functions import MapFunction as OtherMapFunction

    class Other(OtherMapFunction[int, int]):
        def map(self, value: int) -> int:
            return value

    stream = PythonStreamExecutionEnvironment(StreamExecutionEnvironment()).from_elements(1)
    other: Any = Other()
    with pytest.raises(PlanTypeError, match=r"not a function of pyflink\.datastream, Other"):
        stream.map(other)


def test_a_sink_function_is_abstract() -> None:
    with pytest.raises(TypeError, match="invoke"):
        SinkFunction()  # type: ignore[abstract]
