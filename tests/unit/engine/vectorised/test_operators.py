"""Map, filter and flat_map called once per batch: results, timestamps and errors."""

from __future__ import annotations

import datetime
import enum
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pystream.datastream import MapFunction, RuntimeContext
from pystream.engine.events import MAX_BATCH, Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP
from pystream.engine.spec import ColumnsOutput
from pystream.engine.vectorised.columns import ColumnValues
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import collect, items, operator, run
from tests.unit.engine.vectorised.functions import (
    DOUBLE,
    LONG,
    MAYBE_LONG,
    PAIR,
    STRING,
    columns,
    given,
    values,
    vectorised,
)
from typeinfo import Instant, Row, Types


def doubled(batch: pd.Series) -> pd.Series:
    return batch * 2


def added(batch: pa.Array) -> pa.Array:
    return pc.add(batch, 1)


def above_two(batch: pd.Series) -> pd.Series:
    return batch > 2


def repeated(batch: pd.Series) -> pd.Series:
    return batch.repeat(batch)


def swapped(rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"f1": rows["f1"].str.upper(), "f0": rows["f0"] + 1})


def kept(rows: pa.RecordBatch) -> pa.Array:
    return pc.equal(rows.column("f1"), "a")


class Colour(enum.Enum):
    RED = 1


class Scaled(MapFunction[Any, Any]):
    """Multiplies by the parallelism, read in ``open``."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.factor = runtime_context.get_number_of_parallel_subtasks() + 1

    def map(self, value: pd.Series) -> pd.Series:
        return value * self.factor


class TestResults:
    def test_a_map_of_series(self) -> None:
        assert values(given(vectorised(MAP, doubled, LONG), [[1, 2], [3]])) == [2, 4, 6]

    def test_a_map_of_arrays(self) -> None:
        assert values(given(vectorised(MAP, added, LONG), [[1, 2], [3]])) == [2, 3, 4]

    def test_a_map_of_rows_with_columns_in_any_order(self) -> None:
        assert values(given(vectorised(MAP, swapped, PAIR), [[(1, "a"), (2, "b")]])) == [(2, "A"), (3, "B")]

    def test_a_filter_keeps_the_same_objects(self) -> None:
        elements = [(1, "a"), (2, "b"), (3, "a")]
        (event,) = given(vectorised(FILTER, kept, PAIR), [elements])
        assert [
            value is one for value, one in zip(event.values, [elements[0], elements[2]], strict=True)
        ] == [
            True,
            True,
        ]

    def test_a_filter_of_columns(self) -> None:
        assert values(given(vectorised(FILTER, above_two, LONG), [columns(LONG, [1, 5, 2, 9])])) == [5, 9]

    def test_a_flat_map(self) -> None:
        assert values(given(vectorised(FLAT_MAP, repeated, LONG), [[0, 1, 3], [2]])) == [1, 3, 3, 3, 2, 2]

    def test_a_flat_map_in_several_batches_or_none(self) -> None:
        def thrice(batch: pd.Series) -> Iterator[pd.Series] | None:
            return None if len(batch) == 1 else iter([batch, batch + 10, batch[:0]])

        spec = vectorised(FLAT_MAP, thrice, LONG)
        assert values(given(spec, [[1, 2], [3]])) == [1, 2, 11, 12]

    def test_a_flat_map_emits_bounded_batches(self) -> None:
        def many(batch: pd.Series) -> pd.Series:
            return pd.Series(np.arange(MAX_BATCH * 2 + 1))

        sizes = [len(event.values) for event in given(vectorised(FLAT_MAP, many, LONG), [[1]])]
        assert sizes == [MAX_BATCH, MAX_BATCH, 1]

    def test_a_function_object_is_opened(self) -> None:
        assert values(given(vectorised(MAP, Scaled(), LONG), [[1, 2]])) == [2, 4]

    def test_the_function_is_called_once_per_batch(self) -> None:
        def size(batch: pd.Series) -> pd.Series:
            return pd.Series([len(batch)] * len(batch))

        assert values(given(vectorised(MAP, size, LONG), [[7, 7, 7], [7]])) == [3, 3, 3, 1]

    def test_results_are_matched_by_position(self) -> None:
        def backwards(batch: pd.Series) -> pd.Series:
            return batch.sort_values(ascending=False)

        assert values(given(vectorised(MAP, backwards, LONG), [[1, 3, 2]])) == [3, 2, 1]

    def test_changes_to_the_argument_do_not_change_the_input(self) -> None:
        def overwritten(batch: pd.Series) -> pd.Series:
            batch = batch.copy()
            batch[:] = 0
            return batch

        elements = columns(LONG, [1, 2])
        assert values(given(vectorised(MAP, overwritten, LONG), [elements])) == [0, 0]
        assert list(elements) == [1, 2]


class TestNothing:
    """pandas and Arrow infer another type for columns that are empty or hold only nulls."""

    @pytest.mark.parametrize(
        "type_info", [LONG, STRING, Types.UUID(), Types.LIST(LONG), Types.MAP(DOUBLE, LONG)]
    )
    def test_no_results(self, type_info: Any) -> None:
        def above(batch: pa.Array) -> pa.Array:
            return pa.array([number for number in batch.to_pylist() if number > 10])

        assert values(given(vectorised(FLAT_MAP, above, LONG, type_info), [[1, 2]])) == []

    @pytest.mark.parametrize("make", [pd.DataFrame, pa.table, lambda _: pa.RecordBatch.from_arrays([], [])])
    @pytest.mark.parametrize("type_info", [PAIR, Types.ROW_NAMED(["pair"], [PAIR])])
    def test_no_rows(self, make: Any, type_info: Any) -> None:
        def none(rows: pa.RecordBatch) -> Any:
            return make({})

        assert values(given(vectorised(FLAT_MAP, none, PAIR, type_info), [[(1, "a")]])) == []

    def test_rows_without_columns_are_refused(self) -> None:
        def bare(rows: pd.DataFrame) -> Any:
            return pd.DataFrame(index=rows.index)

        with pytest.raises(TaskFailure, match=r"returned the columns \[\]"):
            given(vectorised(MAP, bare, PAIR), [[(1, "a")]])

    @pytest.mark.parametrize(
        "row",
        [
            Row(pair=None, tags=[], scores={}, ids=[None, None]),
            Row(pair=(1, "a"), tags=None, scores=None, ids=None),
            Row(pair=None, tags=None, scores={"a": None}, ids=[]),
        ],
    )
    def test_fields_that_are_null_in_the_whole_batch(self, row: Row) -> None:
        shape = Types.ROW_NAMED(
            ["pair", "tags", "scores", "ids"],
            [PAIR, Types.LIST(STRING), Types.of(dict[str, int | None]), Types.of(list[uuid.UUID | None])],
        )

        def made(batch: pa.Array) -> pa.RecordBatch:
            plain = row.as_dict()
            if row.pair is not None:
                plain["pair"] = dict(zip(("f0", "f1"), row.pair, strict=True))
            rows = pa.RecordBatch.from_pylist([{**plain, "scores": None}] * 2)
            if row.scores is None:
                return rows
            scores = pa.array([list(row.scores.items())] * 2, pa.map_(pa.string(), pa.null()))
            return rows.set_column(2, "scores", scores)

        assert values(given(vectorised(MAP, made, LONG, shape), [[1, 2]])) == [row, row]

    def test_null_in_a_field_that_is_not_nullable(self) -> None:
        def nothing(batch: pa.Array) -> pa.Array:
            return pa.nulls(len(batch))

        assert values(given(vectorised(MAP, nothing, LONG, MAYBE_LONG), [[1, 2]])) == [None, None]
        with pytest.raises(TaskFailure, match="None is not a LONG"):
            given(vectorised(MAP, nothing, LONG), [[1, 2]])


class TestTimes:
    def test_map_and_filter_keep_timestamps(self) -> None:
        assert given(vectorised(MAP, doubled, LONG), [[1, 5]], [10, 20])[0].timestamps == [10, 20]
        assert list(given(vectorised(FILTER, above_two, LONG), [[1, 5]], [10, 20])[0].timestamps) == [20]

    def test_a_flat_map_keeps_timestamps_by_the_index(self) -> None:
        (event,) = given(vectorised(FLAT_MAP, repeated, LONG), [[2, 0, 1]], [10, 20, 30])
        assert (list(event.values), list(event.timestamps or ())) == ([2, 2, 1], [10, 10, 30])

    @pytest.mark.parametrize(
        "result",
        [
            lambda batch: batch[batch > 1].reset_index(drop=True),
            lambda batch: pd.Series([1, 2]),
            lambda batch: pa.array([1, 2]),
            lambda batch: batch.groupby(batch).sum(),
        ],
    )
    def test_results_without_the_index_are_refused(self, result: Any) -> None:
        def made(batch: pd.Series) -> Any:
            return result(batch)

        assert values(given(vectorised(FLAT_MAP, made, LONG), [[1, 2, 3]]))
        with pytest.raises(
            TaskFailure, match=r"keep the index 'pystream\.element'.*or assign timestamps after"
        ):
            given(vectorised(FLAT_MAP, made, LONG), [[1, 2, 3]], [10, 20, 30])

    def test_a_field_with_the_name_of_an_index(self) -> None:
        fields = Types.ROW_NAMED(["element", "n"], [LONG, LONG])
        rows = [Row(element=1, n=7), Row(element=0, n=8)]

        def in_order(batch: pd.DataFrame) -> pd.Series:
            return batch.sort_values("element")["n"]

        def by_number(batch: pd.DataFrame) -> pd.Series:
            return batch.set_index("element")["n"]

        (event,) = given(vectorised(FLAT_MAP, in_order, fields, LONG), [rows], [10, 20])
        assert (list(event.values), list(event.timestamps or ())) == ([8, 7], [20, 10])
        with pytest.raises(TaskFailure, match="do not say which elements they come from"):
            given(vectorised(FLAT_MAP, by_number, fields, LONG), [rows], [10, 20])

    def test_an_index_beyond_the_batch_is_refused(self) -> None:
        def shifted(batch: pd.Series) -> pd.Series:
            return batch.set_axis(batch.index + 1)

        with pytest.raises(TaskFailure, match=r"from 1 to 2.*0 to 1"):
            given(vectorised(FLAT_MAP, shifted, LONG), [[1, 2]], [10, 20])


class TestErrors:
    def test_a_failing_function_is_reported_with_its_batch(self) -> None:
        def broken(batch: pd.Series) -> pd.Series:
            raise ZeroDivisionError("oh")

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(MAP, broken, LONG), [[17, 2, 3]])
        report = failed.value.report
        assert report.summary == "ZeroDivisionError: oh"
        assert report.element == "in a batch of 3 elements, the first of them 17"
        assert "raise ZeroDivisionError" in report.trace
        assert "'Map'" in report.operator

    def test_a_map_of_another_length(self) -> None:
        def shorter(batch: pd.Series) -> pd.Series:
            return batch[1:]

        with pytest.raises(TaskFailure, match="got 3 elements and returned 2 results"):
            given(vectorised(MAP, shorter, LONG), [[1, 2, 3]])

    @pytest.mark.parametrize(
        ("result", "words"),
        [
            (lambda batch: batch * 0.5, "float64"),
            (lambda batch: batch * 1.0, "float64"),
            (lambda batch: batch > 0, "bool"),
            (lambda batch: batch.astype(str), "not a LONG"),
            (lambda batch: batch.astype("Int64").where(batch > 1), "None is not a LONG"),
            (lambda batch: batch.astype(object).where(batch > 1, 1.5), "1.5"),
            (lambda batch: pa.array([1.0, 2.0]), "double"),
            (lambda batch: pa.array([None, 2]), "None is not a LONG"),
            (lambda batch: batch.to_numpy(), "numpy.ndarray"),
            (lambda batch: list(batch), "builtins.list"),
            (lambda batch: None, "returned None"),
            (lambda batch: batch.to_frame(), "pandas.DataFrame"),
            (lambda batch: pa.array([2**63, 1], pa.uint64()), "9223372036854775808"),
        ],
    )
    def test_a_result_of_another_type(self, result: Any, words: str) -> None:
        def made(batch: pd.Series) -> Any:
            return result(batch)

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(MAP, made, LONG), [[1, 2]])
        assert words in failed.value.report.summary

    @pytest.mark.parametrize(
        ("result", "words"),
        [
            (lambda rows: rows["f0"], "pandas.Series"),
            (lambda rows: rows[["f0"]], "['f0']"),
            (lambda rows: rows.assign(more=1), "'more'"),
            (lambda rows: rows.assign(f0=0.5), "value[0]: "),
            (lambda rows: rows.assign(f1=None), "value[1]: "),
        ],
    )
    def test_a_table_that_does_not_fit(self, result: Any, words: str) -> None:
        def made(rows: pd.DataFrame) -> Any:
            return result(rows)

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(MAP, made, PAIR), [[(1, "a")]])
        assert words in failed.value.report.summary

    @pytest.mark.parametrize(
        ("result", "type_info"),
        [
            (lambda batch: pd.to_datetime(batch, unit="D").dt.to_period("M"), LONG),
            (lambda batch: pd.to_datetime(batch, unit="D").dt.to_period("M").astype("category"), LONG),
            (
                lambda batch: pd.DataFrame({"bin": pd.cut(batch, [0, 5]).astype("interval[int64]")}),
                Types.ROW_NAMED(["bin"], [Types.ROW_NAMED(["left", "right"], [LONG, LONG])]),
            ),
            (lambda batch: pa.array(pd.to_datetime(batch, unit="D").dt.to_period("M")), LONG),
            (lambda batch: pd.Series(["RED", "RED"], dtype="string"), Types.of(Colour)),
            (lambda batch: pd.Series(["RED", None], dtype="string"), Types.of(Colour | None)),
            (lambda batch: pd.Series(["RED", "RED"], dtype="category"), Types.of(Colour)),
            (lambda batch: pd.Series([str(uuid.UUID(int=7))] * 2, dtype="string"), Types.UUID()),
        ],
    )
    def test_pandas_representations_of_other_types_are_refused(self, result: Any, type_info: Any) -> None:
        def made(batch: pd.Series) -> Any:
            return result(batch)

        with pytest.raises(TaskFailure, match=r"a (column|Series) of .*does not hold .*convert it"):
            given(vectorised(MAP, made, LONG, type_info), [[1, 2]])

    @pytest.mark.parametrize(
        ("result", "type_info", "expected"),
        [
            (pa.array(["RED", "RED"]), Types.of(Colour), Colour.RED),
            (pd.Series([Colour.RED] * 2), Types.of(Colour), Colour.RED),
            (pa.array([str(uuid.UUID(int=7))] * 2), Types.UUID(), uuid.UUID(int=7)),
            (pd.Series([None, None], dtype=pd.ArrowDtype(pa.null())), Types.of(Colour | None), None),
        ],
    )
    def test_arrow_representations_of_other_types_are_refused(
        self, result: Any, type_info: Any, expected: Any
    ) -> None:
        def made(batch: pd.Series) -> Any:
            return result

        assert values(given(vectorised(MAP, made, LONG, type_info), [[1, 2]])) == [expected] * 2

    def test_the_invalid_result_is_named(self) -> None:
        def holes(batch: pd.Series) -> pd.Series:
            return batch.astype("Int64").where(batch != 8)

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(MAP, holes, LONG), [[7, 8, 9]])
        assert failed.value.report.element == "result 1 of a batch of 3 elements"

    @pytest.mark.parametrize(
        ("result", "words"),
        [
            (lambda batch: batch, "int64"),
            (lambda batch: [True, False], "builtins.list"),
            (lambda batch: batch[:1] > 0, "got 2 elements and returned 1"),
            (
                lambda batch: (batch > 1).astype("boolean").where(batch > 1),
                "null for 1 of 2 elements, the first of them element 0",
            ),
        ],
    )
    def test_an_invalid_predicate_result_is_refused(self, result: Any, words: str) -> None:
        def decided(batch: pd.Series) -> Any:
            return result(batch)

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(FILTER, decided, LONG), [[1, 2]])
        assert words in failed.value.report.summary

    @pytest.mark.parametrize(
        ("type_info", "array"),
        [
            (Types.SQL_TIME(), pa.array([0, 86_400_000_000]).view(pa.time64("us"))),
            (Types.SQL_DATE(), pa.array([0, 2**31 - 1], pa.int32()).view(pa.date32())),
            (Types.CHAR(), pa.array(["a", "bc"])),
        ],
    )
    def test_arrow_values_outside_the_type_are_refused(self, type_info: Any, array: pa.Array) -> None:
        def made(batch: pa.Array) -> pa.Array:
            return array

        with pytest.raises(TaskFailure) as failed:
            given(vectorised(MAP, made, LONG, type_info), [[1, 2]])
        assert failed.value.report.element == "result 1 of a batch of 2 elements"

    def test_lossless_layouts_are_accepted(self) -> None:
        for result in (
            pd.Series([1, 2], dtype="int8"),
            pd.Series([1, 2], dtype="uint64"),
            pd.Series([1, 2], dtype="Int32"),
            pd.Series([1, 2], dtype="int64[pyarrow]"),
            pd.Series([1, 2], dtype=object),
            pd.Series([1, 2]).astype("category"),
            pa.array([1, 2], pa.int16()),
            pa.chunked_array([[1], [2]]),
        ):

            def made(batch: pd.Series, result: Any = result) -> Any:
                return result

            assert values(given(vectorised(MAP, made, STRING, LONG), [["a", "b"]])) == [1, 2]


class TestWhatFunctionsAreGiven:
    @pytest.mark.parametrize(
        ("type_info", "elements", "dtype"),
        [
            (LONG, [1, 2**62 + 1], "int64"),
            (MAYBE_LONG, [1, 2**62 + 1], "Int64"),
            (MAYBE_LONG, [None, 2**62 + 1], "Int64"),
            (Types.of(float | None), [None, float("nan"), 1.0], "Float64"),
            (DOUBLE, [float("nan"), 1.0], "float64"),
            (Types.of(bool | None), [None, True], "boolean"),
            (Types.BOOLEAN(), [False, True], "bool"),
            (Types.INT(), [1], "int32"),
            (STRING, ["a"], "string"),
            (Types.of(str | None), ["a", None], "string"),
            (Types.SQL_TIMESTAMP(), [datetime.datetime(9999, 12, 31, 1, 2, 3, 4)], "datetime64[us]"),
            (Types.INSTANT(), [], "datetime64[us, UTC]"),
            (Types.SQL_DATE(), [datetime.date(1, 1, 1)], "object"),
            (Types.LIST(LONG), [[1], []], "object"),
            (Types.BIG_INT(), [10**30], "object"),
        ],
    )
    def test_the_dtype_depends_on_the_type_alone(self, type_info: Any, elements: Any, dtype: str) -> None:
        seen = []

        def look(batch: pd.Series) -> pd.Series:
            seen.append((str(batch.dtype), batch.index.name))
            return batch

        operator = opened(vectorised(MAP, look, type_info))
        operator._call = look  # type: ignore[attr-defined]  # not its copy
        (event,) = operator.process(Elements(elements), 0)
        assert seen == [(dtype, "pystream.element")]
        assert repr(list(event.values)) == repr(elements)  # type: ignore[union-attr]

    def test_a_timestamp_that_is_nat_in_pandas_is_refused(self) -> None:
        def itself(batch: pd.Series) -> pd.Series:
            return batch

        first = Instant.of_epoch_micro(-(2**63))
        with pytest.raises(TaskFailure, match="stand for NaT in pandas"):
            given(vectorised(MAP, itself, Types.of(Instant | None)), [[first]])


class TestTasks:
    def test_columns_stay_columns_between_operators(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(self: ColumnValues) -> list[Any]:
            raise AssertionError("made Python values")

        monkeypatch.setattr(ColumnValues, "_list", refuse)
        chain = vectorised(
            MAP, doubled, LONG, LONG, vectorised(FILTER, above_two, LONG, LONG, ColumnsOutput(LONG))
        )
        (batch,) = items((chain,), [columns(LONG, [1, 2, 3])], LONG)
        assert batch.to_pydict() == {"value": [4, 6]}

    def test_other_operators_receive_lists(self) -> None:
        def is_list(value: Any) -> Any:
            return value

        chain = vectorised(
            MAP,
            doubled,
            LONG,
            LONG,
            operator(MAP, is_list, collect(1, LONG), output_type=LONG),
            collect(2, LONG),
            vectorised(FILTER, above_two, LONG, LONG, collect(3, LONG)),
        )
        got = run(
            (chain, operator(FILTER, lambda v: v != 2, collect(4, LONG), output_type=LONG)),
            [columns(LONG, [1, 2, 3]), [9]],
            LONG,
            LONG,
        )
        assert got == {1: [2, 4, 6, 18], 2: [2, 4, 6, 18], 3: [4, 6, 18], 4: [1, 3, 9]}

    def test_columns_are_sliced_as_lists(self) -> None:
        elements = list(range(10))
        held = columns(LONG, elements)
        for cut in (
            slice(2, 5),
            slice(None, 3),
            slice(7, 99),
            slice(5, 2),
            slice(None, None, 2),
            slice(-3, None),
        ):
            assert list(held[cut]) == elements[cut]
            assert len(held[cut]) == len(elements[cut])
        assert (held[3], held[-1], bool(held), bool(held[:0])) == (3, 9, True, False)
