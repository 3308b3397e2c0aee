"""Results do not change after they were passed on, though functions change their arguments and results."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from pystream.datastream import ProcessFunction
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.send_buffer import read_frame
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP, PROCESS, PROJECT
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import ColumnsOutput, ExchangeOutput, OperatorSpec, SideOutputSpec
from pystream.kinds import OperatorKind, PartitionKind
from tests.unit.engine.tasks import collect, items, label, operator, run
from typeinfo import Row, RowKind, Types

LONGS = Types.LIST(Types.LONG)
ROW_OF_LONGS = Types.ROW([LONGS])
GROWN = [[1], [1, 2], [1, 2, 3]]


class Growing:
    """Return the same list, longer each time, after ``None`` for a while."""

    def __init__(self, nothing: int = 0) -> None:
        self.seen: list[int] = []
        self.nothing = nothing

    def __call__(self, value: int) -> Any:
        if self.nothing:
            self.nothing -= 1
            return None
        self.seen.append(value)
        return self.seen


class Holding:
    """Return the same tuple, with a list that grows."""

    def __init__(self) -> None:
        self.held: tuple[str, list[int]] = ("a", [])

    def __call__(self, value: int) -> Any:
        self.held[1].append(value)
        return self.held


class OneRow:
    def __init__(self) -> None:
        self.row = Row(n=0)

    def __call__(self, value: int) -> Any:
        self.row["n"] = value
        return self.row


def growing_inside(value: int) -> Iterator[list[list[int]]]:
    seen = []
    for number in range(1, value + 1):
        seen.append(number)
        yield [seen]


def both(row: Row[Any]) -> list[Row[Any]]:
    return [row, Row(row[0])]


def with_nine(row: Row[Any]) -> Row[Any]:
    row[0].append(9)
    return row


@pytest.mark.parametrize("batches", [[[1, 2, 3]], [[1], [2], [3]]])
def test_collected_results_do_not_change(batches: list[list[int]]) -> None:
    assert run((operator(MAP, Growing(), collect()),), batches) == {0: GROWN}


def test_results_after_many_nulls_do_not_change() -> None:
    results = run((operator(MAP, Growing(nothing=40), collect()),), [list(range(1, 44))])[0]
    assert results == [None] * 40 + [[41], [41, 42], [41, 42, 43]]


@pytest.mark.parametrize("declared", [False, True])
def test_lists_inside_lists_do_not_change(declared: bool) -> None:
    type_info = Types.LIST(LONGS) if declared else Types.PICKLED_BYTE_ARRAY()
    consumers = (operator(FLAT_MAP, growing_inside, collect(type_info=type_info), output_type=type_info),)
    assert run(consumers, [[3]], type_info) == {0: [[part] for part in GROWN]}


def test_arguments_of_the_next_function_do_not_change() -> None:
    consumers = (operator(MAP, Growing(), operator(MAP, list, collect())),)
    assert run(consumers, [[1, 2, 3]]) == {0: GROWN}


def test_exchanged_results_do_not_change() -> None:
    exchange = ExchangeOutput(5, label("Rebalance"), PartitionKind.FORWARD, 2, b"", Types.PICKLED_BYTE_ARRAY)
    rows = items((operator(MAP, Growing(), exchange),), [[1, 2, 3]])
    deserialize = ElementsFormat(Types.PICKLED_BYTE_ARRAY).load_list
    frames = [event for row in rows if row.payload for event in read_frame(row.payload, deserialize)]
    assert [value for elements in frames for value in elements.values] == GROWN


def test_lists_inside_a_reused_tuple_do_not_change() -> None:
    assert run((operator(MAP, Holding(), collect()),), [[1, 2, 3]]) == {0: [("a", part) for part in GROWN]}


def test_reused_rows_do_not_change() -> None:
    type_info = Types.ROW_NAMED(["n"], [Types.LONG])
    consumers = (operator(MAP, OneRow(), collect(type_info=type_info), output_type=type_info),)
    assert run(consumers, [[1, 2]], type_info) == {0: [Row(n=1), Row(n=2)]}


def test_reused_bytes_do_not_change() -> None:
    buffer = bytearray(b" ")

    def filled(value: int) -> Any:
        buffer[0] = value
        return buffer

    bytes_type = Types.PRIMITIVE_ARRAY(Types.BYTE)
    consumers = (operator(MAP, filled, collect(type_info=bytes_type), output_type=bytes_type),)
    assert run(consumers, [[97, 98]], bytes_type) == {0: [b"a", b"b"]}


@pytest.mark.parametrize("made", [list, lambda row: row])
def test_values_accepted_as_tuples_do_not_change(made: Callable[[Any], Any]) -> None:
    pair = Types.TUPLE([Types.LONG, Types.LONG])
    held: Any = made(Row(1, 0))

    def counted(value: int) -> Any:
        held[1] = value
        return held

    consumers = (operator(MAP, counted, collect(type_info=pair), output_type=pair),)
    assert run(consumers, [[1, 2]], pair) == {0: [(1, 1), (1, 2)]}


def test_a_row_that_is_filtered_keeps_its_kind_and_its_values() -> None:
    type_info = Types.ROW_NAMED(["n"], [Types.LONG])
    kept: list[Row[Any]] = []

    def spoiling(row: Row[Any]) -> bool:
        kept.append(row)
        for earlier in kept[:-1]:
            earlier["n"] = 0
            earlier.set_row_kind(RowKind.INSERT)
        return True

    rows = [Row.of_kind(RowKind.DELETE, n=1), Row.of_kind(RowKind.UPDATE_AFTER, n=2)]
    consumers = (operator(FILTER, spoiling, collect(type_info=type_info), output_type=type_info),)
    got = run(consumers, [rows], type_info)[0]
    assert [(row.get_row_kind(), row["n"]) for row in got] == [
        (RowKind.DELETE, 1),
        (RowKind.UPDATE_AFTER, 2),
    ]


def test_rows_that_are_filtered_become_columns_as_they_were() -> None:
    type_info = Types.ROW_NAMED(["n", "text"], [Types.LONG, Types.STRING])
    kept: list[Row[Any]] = []

    def spoiling(row: Row[Any]) -> bool:
        kept.append(row)
        for earlier in kept[:-1]:
            earlier["n"] = 0
        return True

    rows = [Row(n=n, text="") for n in range(1, 4)]
    given = items(
        (operator(FILTER, spoiling, ColumnsOutput(type_info), output_type=type_info),), [rows], type_info
    )
    assert [row for batch in given for row in batch.to_pylist()] == [
        {"n": n, "text": ""} for n in range(1, 4)
    ]


@pytest.mark.parametrize("kind", [MAP, FILTER])
def test_large_rows_leave_in_small_batches(kind: OperatorKind) -> None:
    type_info = Types.ROW_NAMED(["text"], [Types.STRING])
    rows = [Row(text="x" * (5 << 20))] * 3
    function = (lambda row: row) if kind is MAP else (lambda row: True)
    given = items(
        (operator(kind, function, ColumnsOutput(type_info), output_type=type_info),), [rows], type_info
    )
    assert [batch.num_rows for batch in given] == [1] * 3


def test_results_of_one_element_share_nothing() -> None:
    following = operator(MAP, with_nine, collect(type_info=ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    consumers = (operator(FLAT_MAP, both, following, output_type=ROW_OF_LONGS),)
    assert run(consumers, [[Row([1])]], ROW_OF_LONGS) == {0: [Row(f0=[1, 9]), Row(f0=[1, 9])]}


def test_fields_that_are_projected_twice_share_nothing() -> None:
    pair = Types.TUPLE([LONGS, LONGS])

    def grown(value: tuple[list[int], list[int]]) -> Any:
        value[0].append(9)
        return value

    following = operator(MAP, grown, collect(type_info=pair), output_type=pair)
    projected = replace(operator(PROJECT, (0, 0), following, output_type=pair), is_object=False)
    assert run((projected,), [[([1],)]], pair, Types.TUPLE([LONGS])) == {0: [([1, 9], [1])]}


def test_main_and_side_results_of_one_element_share_nothing() -> None:
    class Both(ProcessFunction[Any, Any]):
        def process_element(self, value: Any, ctx: Any) -> Any:
            return [value, (OutputTag("side", LONGS), value[0])]

    def changing(longs: list[int]) -> Row[Any]:
        longs.append(9)
        return Row(longs)

    changed = operator(MAP, changing, collect(1, ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    spec = operator(PROCESS, Both(), collect(0, ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    spec = replace(spec, side_outputs=(SideOutputSpec("side", LONGS, (changed,)),))
    assert run((spec,), [[Row([1])]], ROW_OF_LONGS) == {0: [Row(f0=[1])], 1: [Row(f0=[1, 9])]}


def test_a_list_subclass_is_iterated_once() -> None:
    class Emptied(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            while self:
                yield self.pop()

    consumers = (operator(FLAT_MAP, lambda value: Emptied([[value]]), collect()),)
    assert run(consumers, [[1, 2, 3]]) == {0: [[1], [2], [3]]}


def test_a_generator_in_pieces_emits_all_its_results() -> None:
    consumers = (operator(FLAT_MAP, lambda value: iter(range(value)), collect()),)
    assert run(consumers, [[400, 0, 3]])[0] == [*range(400), 0, 1, 2]


@pytest.mark.parametrize("found", [1, [1]])
def test_a_map_that_raises_stop_iteration_fails(found: Any) -> None:
    def first(value: list[Any]) -> Any:
        return next(part for part in value if part)

    values = [[found]] * 40 + [[0]] + [[found]] * 40
    with pytest.raises(TaskFailure, match="StopIteration"):
        run((operator(MAP, first, collect()),), [values])


def _lock(value: int) -> Any:
    return threading.Lock()


def _generator(value: int) -> Any:
    return (number for number in range(value))


@pytest.mark.parametrize("made", [_lock, _generator])
@pytest.mark.parametrize(("kind", "wrapped"), [(MAP, False), (FLAT_MAP, True)])
def test_a_value_that_cannot_be_copied_is_an_error_that_names_the_operator(
    made: Callable[[int], Any], kind: OperatorKind, wrapped: bool
) -> None:
    function = (lambda value: [made(value)]) if wrapped else made
    following: OperatorSpec = operator(MAP, repr, collect())
    with pytest.raises(
        TaskFailure, match=r"cannot be copied.*open\(\) of the function that uses it"
    ) as caught:
        run((operator(kind, function, following),), [[5, 6]])
    assert caught.value.report.operator.startswith(repr(kind.name))
    assert caught.value.report.element == "5"
