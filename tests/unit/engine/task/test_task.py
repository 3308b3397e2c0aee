"""Tasks: operators, types on edges, failures, fan-out, limits and life cycle."""

from __future__ import annotations

import itertools
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.datastream import MapFunction
from pystream.engine.context import CachedFileError, RuntimeContext
from pystream.engine.events import MAX_BATCH
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL
from pystream.engine.failure import TaskFailure
from pystream.engine.metrics.values import CounterValue
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP, PROCESS, PROJECT
from pystream.engine.spec import ColumnsOutput, Consumer, ExchangeOutput, PrintOutput, SinkOutput
from pystream.kinds import OperatorKind, PartitionKind
from tests.unit.engine.tasks import JOB, collect, items, label, operator, run
from typeinfo import Row, Types

PAIR = Types.TUPLE((Types.LONG, Types.LONG))


class TestOperators:
    def test_map(self) -> None:
        assert run((operator(MAP, lambda v: v * 2, collect()),), [[1, 2], [3]]) == {0: [2, 4, 6]}

    def test_a_callable_object_is_called_whatever_methods_it_has(self) -> None:
        class Table:
            def open(self, mode: str) -> None:
                raise AssertionError(mode)

            def map(self, key: str) -> str:
                raise AssertionError(key)

            def __call__(self, value: int) -> int:
                return -value

        assert run((operator(MAP, Table(), collect()),), [[1, 2]]) == {0: [-1, -2]}

    def test_filter_uses_truth_values(self) -> None:
        assert run((operator(FILTER, lambda v: v, collect()),), [[0, "", "x", None, 2]]) == {0: ["x", 2]}

    @pytest.mark.parametrize(
        "function",
        [
            lambda v: [v] * v,
            lambda v: (v for _ in range(v)),
            lambda v: iter([v] * v),
            lambda v: [v] * v or None,
        ],
    )
    def test_flat_map_accepts_any_iterable_or_none(self, function: Any) -> None:
        assert run((operator(FLAT_MAP, function, collect()),), [[0, 1, 2]]) == {0: [1, 2, 2]}

    def test_flat_map_emits_bounded_batches(self) -> None:
        def endless(value: int) -> Iterator[int]:
            return itertools.count(value)

        consumers = (operator(FLAT_MAP, endless, operator(MAP, lambda v: v, collect(limit=MAX_BATCH + 5))),)
        got = run(consumers, [[7]])[0]
        assert got == list(range(7, 7 + MAX_BATCH + 5))

    def test_project(self) -> None:
        assert run((operator(PROJECT, (2, 0), collect()),), [[(1, 2, 3)]]) == {0: [(3, 1)]}
        assert run((operator(PROJECT, (1,), collect()),), [[(1, 2, 3)]]) == {0: [(2,)]}

    def test_process_has_a_context_and_may_emit_nothing(self) -> None:
        class Times:
            def process_element(self, value: int, ctx: Any) -> Iterator[Any]:
                if value:
                    yield value, ctx.timestamp(), ctx.timer_service().current_watermark()

        lowest = -(2**63)
        assert run((operator(PROCESS, Times(), collect()),), [[0, 1]]) == {0: [(1, lowest, lowest)]}

    @given(st.lists(st.lists(st.integers(), max_size=5), max_size=5))
    def test_batch_sizes_do_not_change_results(self, batches: list[list[int]]) -> None:
        consumers = (
            operator(
                MAP, lambda v: v + 1, operator(FILTER, lambda v: v % 2, operator(FLAT_MAP, _twice, collect()))
            ),
        )
        whole = [value for batch in batches for value in batch]
        expected = [v + 1 for v in whole if (v + 1) % 2 for _ in range(2)]
        assert run(consumers, batches).get(0, []) == run(consumers, [whole]).get(0, []) == expected


def _twice(value: Any) -> list[Any]:
    return [value, value]


def _fail_on_three(value: int) -> Any:
    if value == 3:
        raise ValueError("three!")
    return [value]


def _stop_on_three(value: int) -> Any:
    if value == 3:
        raise StopIteration
    return [value]


class _FailsInGenerator:
    def process_element(self, value: int, ctx: Any) -> Iterator[int]:
        yield value
        _fail_on_three(value)


class TestFailures:
    @pytest.mark.parametrize("kind", [MAP, FILTER, FLAT_MAP])
    def test_the_failing_element_is_named(self, kind: OperatorKind) -> None:
        with pytest.raises(TaskFailure) as caught:
            run((operator(kind, _fail_on_three, collect()),), [[1, 2], [4, 3, 5]])
        report = caught.value.report
        assert report.element == "3"
        assert report.summary == "ValueError: three!"
        assert kind.name in report.operator
        assert "app.py:1" in report.operator
        assert "_fail_on_three" in report.trace
        assert "operators.py" not in report.trace
        original = report.original()
        assert isinstance(original, ValueError)

    def test_the_element_of_a_failing_generator_is_named(self) -> None:
        with pytest.raises(TaskFailure) as caught:
            run((operator(PROCESS, _FailsInGenerator(), collect()),), [[1, 3, 5]])
        assert caught.value.report.element == "3"

    @pytest.mark.parametrize("kind", [MAP, FILTER, FLAT_MAP])
    @pytest.mark.parametrize("values", [[1, 3, 5], [1, 5, 3]])
    def test_a_stop_iteration_is_a_failure(self, kind: OperatorKind, values: list[int]) -> None:
        with pytest.raises(TaskFailure, match="StopIteration") as caught:
            run((operator(kind, _stop_on_three, collect()),), [values])
        assert caught.value.report.element == "3"

    def test_a_result_that_is_not_iterable_is_refused(self) -> None:
        with pytest.raises(TaskFailure, match=r"5 \(int\), which is not a collection of results") as caught:
            run((operator(FLAT_MAP, lambda v: 5, collect()),), [["here"]])
        assert caught.value.report.element == "'here'"

    def test_a_failing_input_is_reported_with_its_operator(self) -> None:
        def broken() -> Iterator[list[int]]:
            yield [1]
            raise OSError("disk on fire")

        with pytest.raises(TaskFailure, match="OSError: disk on fire") as caught:
            run((collect(),), broken())
        assert caught.value.report.operator.startswith("'Source'")

    def test_an_exception_that_cannot_be_pickled_is_reported_as_text(self) -> None:
        class OddError(Exception):
            lock: Any = None

        def odd(value: Any) -> Any:
            OddError.lock = threading.Lock()  # so that the class cannot be pickled
            raise OddError("strange")

        with pytest.raises(TaskFailure, match="OddError: strange") as caught:
            run((operator(MAP, odd, collect()),), [[1]])
        assert caught.value.report.original() is None


class TestTypesOnEdges:
    def test_results_are_validated(self) -> None:
        consumers = (operator(MAP, lambda v: (v, v), collect(0, PAIR), output_type=PAIR),)
        assert run(consumers, [[1]], PAIR) == {0: [(1, 1)]}
        wrong = (operator(MAP, lambda v: (v, str(v)), collect(0, PAIR), output_type=PAIR),)
        with pytest.raises(TaskFailure) as caught:
            run(wrong, [[8]], PAIR)
        assert caught.value.report.result == "(8, '8')"
        assert caught.value.report.element == "8"
        assert "[1]" in caught.value.report.summary

    def test_functions_in_a_chain_receive_normalised_values(self) -> None:
        seen = operator(MAP, lambda v: v, collect(0, Types.DOUBLE), output_type=Types.DOUBLE)
        consumers = (operator(MAP, lambda v: 0.1, seen, output_type=Types.FLOAT),)
        assert run(consumers, [[1]], Types.DOUBLE) == {0: [0.10000000149011612]}

    def test_elements_are_validated_before_a_filter(self) -> None:
        consumers = (
            operator(
                MAP,
                lambda v: v * 2**60,
                operator(FILTER, lambda v: False, collect(0, Types.LONG), output_type=Types.LONG),
                output_type=Types.LONG,
            ),
        )
        with pytest.raises(TaskFailure, match="LONG"):
            run(consumers, [[99]], Types.LONG)

    def test_columns_are_validated_while_they_are_encoded(self) -> None:
        consumers = (operator(MAP, lambda v: (v, v + 1), ColumnsOutput(PAIR), output_type=PAIR),)
        (batch,) = items(consumers, [[1, 2]])
        assert isinstance(batch, pa.RecordBatch)
        assert batch.to_pydict() == {"f0": [1, 2], "f1": [2, 3]}
        wrong = (operator(MAP, lambda v: (v, None), ColumnsOutput(PAIR), output_type=PAIR),)
        with pytest.raises(TaskFailure) as caught:
            items(wrong, [[1]])
        assert "'Map'" in caught.value.report.operator
        assert caught.value.report.result == "(1, None)"


class TestFanOut:
    def test_each_consumer_receives_all_elements(self) -> None:
        consumers = (
            operator(MAP, lambda v: v + 1, collect(0)),
            collect(1),
            operator(FILTER, bool, collect(2)),
        )
        assert run(consumers, [[0, 1]]) == {0: [1, 2], 1: [0, 1], 2: [1]}

    @pytest.mark.parametrize("input_type", [Types.PICKLED_BYTE_ARRAY, Types.ROW([Types.LONG])])
    def test_functions_receive_copies_of_shared_elements(self, input_type: Any) -> None:
        def spoil(row: Row[Any]) -> int:
            row[0] = -1
            return 0

        consumers = (
            operator(MAP, spoil, collect(0)),
            operator(MAP, lambda row: row[0], collect(1)),
            collect(2),
        )
        serial = [Row(f0=1), Row(f0=2)]
        rows = items(consumers, [serial], input_type)
        deserialize = ElementsFormat(Types.PICKLED_BYTE_ARRAY).load_list
        assert [value for row in rows if row.edge == 1 for value in deserialize(row.payload)] == [1, 2]


class TestOutputs:
    def test_reading_ends_at_the_limit(self) -> None:
        read: list[int] = []

        def batches() -> Iterator[list[int]]:
            for start in itertools.count(step=3):
                read.append(start)
                yield [start, start + 1, start + 2]

        assert run((operator(MAP, lambda v: v, collect(limit=4)),), batches()) == {0: [0, 1, 2, 3]}
        assert len(read) == 2

    def test_reading_continues_for_outputs_without_a_limit(self) -> None:
        consumers = (collect(0, limit=1), collect(1))
        assert run(consumers, [[1, 2], [3]]) == {0: [1], 1: [1, 2, 3]}

    def test_an_exchange_numbers_its_rows_for_each_receiver_and_ends_every_channel(self) -> None:
        exchange = ExchangeOutput(5, label("Rebalance"), PartitionKind.REBALANCE, 3, b"", Types.LONG)
        rows = items((exchange,), [list(range(30_000))], Types.LONG, index=1)
        filled = sorted((row.target, row.seq) for row in rows if row.payload)
        assert filled == [(target, seq) for target in range(3) for seq in range(2)]
        assert {row.channel for row in rows} == {1}
        assert {row.edge for row in rows} == {5}
        assert sorted(row.target for row in rows if not row.payload) == [0, 1, 2]

    def test_rows_that_end_channels_sort_last(self) -> None:
        exchange = ExchangeOutput(5, label("Rebalance"), PartitionKind.REBALANCE, 2, b"", Types.LONG)
        rows = items((exchange,), [[0, 1, 2, 3]], Types.LONG)
        ends = [row for row in rows if not row.payload]
        assert {row.seq for row in ends} == {END_OF_CHANNEL}
        assert all(row.seq < END_OF_CHANNEL for row in rows if row.payload)

    @pytest.mark.parametrize(
        ("identifier", "show", "expected"),
        [("", False, "7"), ("", True, "2> 7"), ("id", False, "id> 7"), ("id", True, "id:2> 7")],
    )
    def test_print_prefixes_identifier_and_subtask(self, identifier: str, show: bool, expected: str) -> None:
        (row,) = items((PrintOutput(0, Types.LONG, identifier, show),), [[7]], Types.LONG, index=1)
        assert pickle.loads(row.payload) == [expected]


class _Writer:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._path.write_text("")

    def write(self, values: list[Any], timestamps: list[int] | None, watermark: int) -> None:
        if "bad" in values:
            raise OSError("no space")
        with self._path.open("a") as file:
            file.writelines(f"{value}\n" for value in values)

    def finish(self, *, end_of_input: bool) -> str:
        return self._path.name

    def abort(self) -> None:
        self._path.unlink()

    def close(self) -> None:
        pass


class _Sink:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def writer(self, transaction: str) -> _Writer:
        return _Writer(self._directory / transaction)


class TestSinks:
    def output(self, directory: Path) -> SinkOutput:
        return SinkOutput(3, label("Writer"), _Sink(directory))  # type: ignore[arg-type]

    def test_the_result_of_the_writer_is_sent_at_the_end(self, tmp_path: Path) -> None:
        (row,) = items((self.output(tmp_path),), [["a"], ["b"]], index=1)
        assert (row.edge, pickle.loads(row.payload)) == (3, f"{JOB.job_id}.3")
        assert (tmp_path / f"{JOB.job_id}.3").read_text() == "a\nb\n"

    def test_a_failing_writer_is_named_and_aborted(self, tmp_path: Path) -> None:
        with pytest.raises(TaskFailure, match="OSError: no space") as caught:
            items((self.output(tmp_path),), [["a"], ["bad"]])
        assert caught.value.report.operator.startswith("'Writer'")
        assert list(tmp_path.iterdir()) == []

    def test_a_failing_function_aborts_the_writer(self, tmp_path: Path) -> None:
        with pytest.raises(TaskFailure):
            items((operator(MAP, _fail_on_three, self.output(tmp_path)),), [[1], [3]])
        assert list(tmp_path.iterdir()) == []


class _Journal:
    """Logs its calls to a file that all instances share."""

    def __init__(self, path: Path, name: str, fail_on: str = "") -> None:
        self._path, self._name, self._fail_on = path, name, fail_on

    def _note(self, what: str) -> None:
        with self._path.open("a") as file:
            file.write(f"{what} {self._name}\n")
        if what == self._fail_on:
            raise RuntimeError(f"{what} fails")

    def open(self, context: RuntimeContext) -> None:
        self._note("open")

    def close(self) -> None:
        self._note("close")

    def map(self, value: Any) -> Any:
        self._note(f"map {value}")
        return value


class TestLifeCycle:
    def journal(self, path: Path, batches: list[list[Any]], **fail: str) -> list[str]:
        first = _Journal(path, "first", fail.get("first", ""))
        second = _Journal(path, "second", fail.get("second", ""))
        try:
            run((operator(MAP, first, operator(MAP, second, collect())),), batches)
        except TaskFailure as failure:
            return [*path.read_text().splitlines(), failure.report.summary]
        return path.read_text().splitlines()

    def test_a_chain_opens_from_its_end_and_closes_from_its_beginning(self, tmp_path: Path) -> None:
        assert self.journal(tmp_path / "j", [["x"]]) == [
            "open second",
            "open first",
            "map x first",
            "map x second",
            "close first",
            "close second",
        ]

    def test_functions_are_opened_and_closed_without_elements(self, tmp_path: Path) -> None:
        got = self.journal(tmp_path / "j", [])
        assert got == ["open second", "open first", "close first", "close second"]

    def test_all_are_closed_after_a_failure(self, tmp_path: Path) -> None:
        got = self.journal(tmp_path / "j", [["x"]], second="map x")
        assert got[-3:] == ["close first", "close second", "RuntimeError: map x fails"]

    @pytest.mark.parametrize("what", ["open", "close"])
    def test_a_failing_hook_fails_the_task(self, tmp_path: Path, what: str) -> None:
        assert self.journal(tmp_path / "j", [["x"]], first=what)[-1] == f"RuntimeError: {what} fails"

    def test_the_runtime_context_describes_the_task(self) -> None:
        class Describe:
            def open(self, context: RuntimeContext) -> None:
                context.get_metrics_group().counter("opened").inc()
                self.found = (
                    context.get_task_name(),
                    context.get_task_name_with_subtasks(),
                    context.get_index_of_this_subtask(),
                    context.get_number_of_parallel_subtasks(),
                    context.get_max_number_of_parallel_subtasks(),
                    context.get_attempt_number(),
                    context.get_job_parameter("mode", "slow"),
                    context.get_job_parameter("other", "none"),
                    str(context.get_cached_file("model")),
                )
                with pytest.raises(CachedFileError, match="no cached file 'x'; registered: model"):
                    context.get_cached_file("x")

            def map(self, value: Any) -> Any:
                return self.found

        name = "Source: Test -> Map"
        expected = (name, f"{name} (1/2)#0", 0, 2, 128, 0, "fast", "none", "/files/model")
        assert run((operator(MAP, Describe(), collect()),), [[1]]) == {0: [expected]}


class _Counting(MapFunction[int, int]):
    """Count elements."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self._seen = runtime_context.get_metrics_group().counter("seen")

    def map(self, value: int) -> int:
        self._seen.inc()
        return value


class TestMetrics:
    def measured(self, *consumers: Consumer) -> list[tuple[int, int, object]]:
        """Return edge, target and metrics of each row with metrics."""
        counting = operator(MAP, _Counting(), *consumers, output_type=Types.LONG)
        rows = items((counting,), [[1, 2], [3]], Types.LONG)
        ends = [row for row in rows if row.seq == END_OF_CHANNEL]
        return [(row.edge, row.target, pickle.loads(row.payload)) for row in ends if row.payload]

    def test_metrics_are_sent_by_one_output(self) -> None:
        assert self.measured(collect(3), collect(4)) == [(3, 0, {"Map.seen": CounterValue(3)})]

    def test_metrics_are_sent_to_one_target_of_an_exchange(self) -> None:
        exchange = ExchangeOutput(5, label("Rebalance"), PartitionKind.REBALANCE, 3, b"", Types.LONG)
        assert self.measured(exchange, collect(6)) == [(5, 0, {"Map.seen": CounterValue(3)})]

    def test_a_gauge_that_fails_fails_the_task(self) -> None:
        class Gauging(MapFunction[int, int]):
            def open(self, runtime_context: RuntimeContext) -> None:
                runtime_context.get_metrics_group().gauge("broken", lambda: 1 // 0)

            def map(self, value: int) -> int:
                return value

        with pytest.raises(TaskFailure, match=r"gauge 'Map\.broken' cannot be read: .*by zero"):
            run((operator(MAP, Gauging(), collect()),), [[1]])
