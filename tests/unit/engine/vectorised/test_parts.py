"""Columns are sliced on their way into tasks and concatenated on their way out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from pystream.engine.events import Arrival, Elements
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import OutputRow
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.elementwise import PROCESS
from pystream.engine.spec import ColumnsOutput, TaskSpec
from pystream.engine.task.outputs import Columns
from pystream.engine.task.task import Task
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.vectorised.columns import layout_of
from pystream.engine.vectorised.parts import cache_sized, elements_of, joined
from pystream.hosts.spark.task_inputs import ColumnsInput
from tests.unit.engine.tasks import JOB, collect, label, operator
from tests.unit.engine.vectorised.functions import LONG, PAIR, STRING, columns
from typeinfo import Types

COUNT = 2_000
WIDE = [(n, f"{n:>400}") for n in range(COUNT)]  # 400 bytes each, so that some 650 make a part
TIMES = [10 * n for n in range(COUNT)]
SUBTASK = SubtaskInfo(JOB, 0, 1, 128, 0)


class WithTimes:
    """Returns the number of each element with its timestamp."""

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield value[0], ctx.timestamp()


def arrays(elements: list[Any], times: list[int]) -> pa.RecordBatch:
    """A table of elements with a character each, their times in the last column."""
    names, texts, marks = (list(column) for column in zip(*elements, strict=True))
    return pa.RecordBatch.from_arrays(
        [pa.array(names), pa.array(texts), pa.array(marks), pa.array(times)], ["f0", "f1", "f2", "t"]
    )


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([Decimal("1.5"), None], pa.decimal128(10, 2)), ["1.50", None]),
        (pa.array([Decimal("1.5")], pa.decimal128(38, 18)), ["1.500000000000000000"]),
        (pa.array([Decimal(7)], pa.decimal128(10, 0)), ["7"]),
    ],
)
def test_decimals_have_the_digits_of_their_column(column: pa.Array, values: list[str | None]) -> None:
    layout = layout_of(Types.ROW([Types.BIG_DEC()]))
    found = [row[0] for part in elements_of(layout, [column]) for row in part.values]
    assert [value and str(value) for value in found] == values


def test_decimals_within_others_have_the_digits_of_their_column() -> None:
    column = pa.array([[Decimal("1.5")], []], pa.list_(pa.decimal128(10, 2)))
    layout = layout_of(Types.ROW([Types.LIST(Types.BIG_DEC())]))
    assert [str(row[0]) for part in elements_of(layout, [column]) for row in part.values] == [
        "[Decimal('1.50')]",
        "[]",
    ]


class TestInCache:
    def test_parts_cover_a_batch_in_order(self) -> None:
        parts = list(cache_sized(Elements(columns(PAIR, WIDE), TIMES)))
        assert len(parts) > 2
        assert [value for part in parts for value in part.values] == WIDE
        assert [time for part in parts for time in part.timestamps or ()] == TIMES

    @pytest.mark.parametrize(
        ("rows", "size", "lengths"),
        [
            (1_000, 8, [1_000]),  # narrow rows fit the cache
            (1_000, 508, [512, 488]),  # 512 bytes a row with its offset
            (1_024, 1 << 10, [256] * 4),
            (600, 100 << 10, [256, 256, 88]),  # however wide, no fewer
            (256, 100 << 10, [256]),
            (0, 8, []),
        ],
    )
    def test_parts_fit_the_cache(self, rows: int, size: int, lengths: list[int]) -> None:
        parts = cache_sized(Elements(columns(STRING, ["x" * size] * rows)))
        assert [len(part.values) for part in parts] == lengths

    def test_lists_are_not_split(self) -> None:
        elements = Elements(WIDE, TIMES)
        (part,) = cache_sized(elements)
        assert part is elements


class TestTasksFedWithColumns:
    @pytest.mark.parametrize("times", [TIMES, None])
    def test_elements_keep_their_timestamps(self, times: list[int] | None) -> None:
        consumers = (operator(PROCESS, WithTimes(), collect()),)
        spec = TaskSpec("Source", 1, 128, label("Source"), PAIR, consumers)
        arrivals = [
            Arrival(Elements(columns(PAIR, WIDE[:1_500]), times and times[:1_500])),
            Arrival(Elements(columns(PAIR, WIDE[1_500:]), times and times[1_500:])),
        ]
        lowest = -(2**63)
        got = [
            value
            for row in Task(spec, SUBTASK, MetricRegistry()).run(arrivals)
            if isinstance(row, OutputRow)
            for value in ElementsFormat(Types.PICKLED_BYTE_ARRAY).load_list(row.payload)
        ]
        assert got == [(n, 10 * n if times else lowest) for n in range(COUNT)]


class TestColumnsInput:
    @pytest.mark.parametrize("mark", [Types.CHAR(), STRING])
    def test_elements_read_keep_their_timestamps(self, mark: Any) -> None:
        taken = Types.TUPLE([LONG, STRING, mark])
        assert layout_of(taken).direct is (mark == STRING)
        elements = [(n, text, "xyz"[n % 3]) for n, text in WIDE]
        batches = [arrays(elements[:1_900], TIMES[:1_900]), arrays(elements[1_900:], TIMES[1_900:])]
        arrivals = list(ColumnsInput(taken, timed=True).batches(iter(batches), SUBTASK, MetricRegistry()))
        got = [
            pair
            for arrival in arrivals
            if isinstance(arrival.event, Elements) and arrival.event.timestamps is not None
            for pair in zip(arrival.event.values, arrival.event.timestamps, strict=True)
        ]
        assert got == list(zip(elements, TIMES, strict=True))
        # Columns are sliced where they become values, which those of a character must at once.
        assert (len(arrivals) == 2) is (mark == STRING)

    def test_elements_without_timestamps(self) -> None:
        marks = pa.RecordBatch.from_arrays([pa.array(["x", "y"])], ["c0"])
        (arrival,) = ColumnsInput(Types.CHAR(), timed=False).batches(iter([marks]), SUBTASK, MetricRegistry())
        assert arrival.event == Elements(["x", "y"], None)


class TestColumnsOutput:
    def output(self) -> Columns:
        return Columns(ColumnsOutput(PAIR), label("Map"), conformed=True)

    def test_lists_and_columns_are_emitted_in_order(self) -> None:
        output = self.output()
        elements = [(n, str(n)) for n in range(20_000)]
        cuts = [0, 3_000, 3_001, 8_191, 8_192, 12_000, 18_000, 20_000]
        given: list[int] = []  # rows of each batch
        got: list[Any] = []
        for number, (start, stop) in enumerate(pairwise(cuts)):
            part: Any = elements[start:stop]
            for item in output.write(Elements(columns(PAIR, part) if number % 2 else part)):
                assert isinstance(item, pa.RecordBatch)
                given.append(item.num_rows)
                got += zip(*item.to_pydict().values(), strict=True)
        assert given == [8_192, 9_808]  # as soon as there are 8,192 of them
        (rest,) = output.finish()
        assert isinstance(rest, pa.RecordBatch)
        got += zip(*rest.to_pydict().values(), strict=True)
        assert got == elements
        assert list(output.finish()) == []

    def test_wide_rows_are_emitted_in_smaller_batches(self) -> None:
        output = self.output()
        wide = columns(PAIR, [(0, "x" * (1 << 20))])
        written = [list(output.write(Elements(wide))) for _ in range(5)]
        assert [len(items) for items in written] == [0, 0, 0, 1, 0]
        (rest,) = output.finish()
        assert isinstance(rest, pa.RecordBatch)
        assert rest.num_rows == 1

    def test_no_batch_without_elements(self) -> None:
        assert list(self.output().finish()) == []

    def test_columns_of_another_type_are_converted_to_the_type_of_the_edge(self) -> None:
        output = self.output()
        short = columns(Types.TUPLE([Types.SHORT(), STRING]), [(1, "a"), (2, "b")])
        assert list(output.write(Elements(short))) == []
        (batch,) = output.finish()
        assert isinstance(batch, pa.RecordBatch)
        assert batch.to_pydict() == {"f0": [1, 2], "f1": ["a", "b"]}
        assert batch.schema.field("f0").type == pa.int64()

    def test_batches_are_joined_in_order(self) -> None:
        batches = [columns(LONG, [n, -n]).batch for n in range(4)]
        (whole,) = joined(batches)
        assert whole.column(0).to_pylist() == [0, 0, 1, -1, 2, -2, 3, -3]
        assert joined([]) == []
        assert joined(batches[:1])[0] is batches[0]
