"""A function may change what it has given, and give it again; what was given stays as it was."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from pystream.datastream import ProcessFunction
from pystream.runtime.failure import TaskFailure
from pystream.runtime.frames import read_frame
from pystream.runtime.output_tag import OutputTag
from pystream.runtime.snapshots import flattened, mapped
from pystream.runtime.spec import ExchangeOutput, OperatorKind, PartitionKind, SideOutputSpec
from tests.unit.runtime.tasks import collect, items, label, operator, run
from typeinfo import Row, Types
from typeinfo.serde import serializer_for

MAP, FLAT_MAP = OperatorKind.MAP, OperatorKind.FLAT_MAP
LONGS = Types.LIST(Types.LONG)
ROW_OF_LONGS = Types.ROW([LONGS])
GROWN = [[1], [1, 2], [1, 2, 3]]


class Growing:
    """Gives one list, longer each time."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def __call__(self, value: int) -> Any:
        self.seen.append(value)
        return self.seen


class GrowingInside(Growing):
    def __call__(self, value: int) -> Any:
        return value, super().__call__(value)


class GrowingInsideRow(Growing):
    def __call__(self, value: int) -> Any:
        return Row(value, super().__call__(value))


class GrowingByKey:
    """Gives a list a key, longer each time; no list comes twice for a long time."""

    def __init__(self) -> None:
        self.seen: dict[int, list[int]] = {}

    def __call__(self, value: int) -> Any:
        seen = self.seen.setdefault(value % 100, [])
        seen.append(value)
        return seen


class Holding:
    """Gives the one tuple it holds, with a list that grows."""

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


def growing(value: int) -> Iterator[list[int]]:
    seen = []
    for number in range(1, value + 1):
        seen.append(number)
        yield seen


@pytest.mark.parametrize("batches", [[[1, 2, 3]], [[1], [2], [3]]])
def test_what_is_collected_is_as_it_was_given(batches: list[list[int]]) -> None:
    assert run((operator(MAP, Growing(), collect()),), batches) == {0: GROWN}


def test_a_declared_type_makes_no_difference() -> None:
    consumers = (operator(MAP, Growing(), collect(type_info=LONGS), output_type=LONGS),)
    assert run(consumers, [[1, 2, 3]], LONGS) == {0: GROWN}


def test_the_next_function_sees_it_as_it_was_given() -> None:
    consumers = (operator(MAP, Growing(), operator(MAP, list, collect())),)
    assert run(consumers, [[1, 2, 3]]) == {0: GROWN}


def test_what_is_exchanged_is_as_it_was_given() -> None:
    exchange = ExchangeOutput(5, label("Rebalance"), PartitionKind.FORWARD, 2, b"", Types.PICKLED_BYTE_ARRAY)
    rows = items((operator(MAP, Growing(), exchange),), [[1, 2, 3]])
    deserialize = serializer_for(Types.PICKLED_BYTE_ARRAY).deserialize
    frames = [event for row in rows if row.payload for event in read_frame(row.payload, deserialize)]
    assert [value for elements in frames for value in elements.values] == GROWN


def test_what_a_generator_gives_is_as_it_was_given() -> None:
    assert run((operator(FLAT_MAP, growing, collect()),), [[3, 2]]) == {0: [*GROWN, *GROWN[:2]]}


def test_an_object_inside_a_tuple_is_as_it_was_given() -> None:
    expected = [(1, [1]), (2, [1, 2]), (3, [1, 2, 3])]
    assert run((operator(MAP, GrowingInside(), collect()),), [[1, 2, 3]]) == {0: expected}


def test_a_tuple_that_is_held_is_as_it_was_given() -> None:
    assert run((operator(MAP, Holding(), collect()),), [[1, 2, 3]]) == {0: [("a", part) for part in GROWN]}


@pytest.mark.parametrize("make", [Row, lambda *parts: parts])
def test_what_is_given_twice_are_two(make: Callable[..., Any]) -> None:
    twice = list(flattened(lambda value: [make(value[0], value[1])] * 2, iter([(1, [1])])))
    twice[0][1].append(9)
    assert twice[1][1] == [1]


def test_an_object_inside_a_row_is_as_it_was_given() -> None:
    type_info = Types.ROW([Types.LONG, LONGS])
    consumers = (operator(MAP, GrowingInsideRow(), collect(type_info=type_info), output_type=type_info),)
    expected = [Row(f0=1, f1=[1]), Row(f0=2, f1=[1, 2]), Row(f0=3, f1=[1, 2, 3])]
    assert run(consumers, [[1, 2, 3]], type_info) == {0: expected}


def test_a_row_of_new_parts_is_handed_on_itself() -> None:
    rows: list[int] = []

    def made(value: int) -> Row[Any]:
        row: Row[Any] = Row(value, [value], {value: "a"})
        rows.append(id(row))
        return row

    assert [id(row) for row in mapped(made, iter(range(40)))] == rows


def test_an_object_given_again_late_in_a_batch_is_as_it_was_given() -> None:
    results = run((operator(MAP, GrowingByKey(), collect()),), [list(range(300))])[0]
    assert results[:100] == [[n] for n in range(100)]
    assert results[250] == [50, 150, 250]


def test_a_row_filled_anew_is_as_it_was_given() -> None:
    type_info = Types.ROW_NAMED(["n"], [Types.LONG])
    consumers = (operator(MAP, OneRow(), collect(type_info=type_info), output_type=type_info),)
    assert run(consumers, [[1, 2]], type_info) == {0: [Row(n=1), Row(n=2)]}


def test_results_that_begin_immutable_may_be_of_any_number() -> None:
    def several(value: int) -> Iterator[int]:
        yield from range(value)

    assert run((operator(FLAT_MAP, several, collect()),), [[400, 0, 3]])[0] == [*range(400), 0, 1, 2]


@pytest.mark.parametrize("function", [lambda value: [value], lambda value: value, lambda value: (1, value)])
def test_what_nobody_else_holds_is_handed_on_itself(function: Callable[[Any], Any]) -> None:
    given: list[int] = []

    def remembered(value: Any) -> Any:
        result = function(value)
        given.append(id(result))
        return result

    elements = [[number] for number in range(40)]
    assert [id(result) for result in mapped(remembered, iter(elements))] == given
    given.clear()
    flat = list(flattened(lambda value: [remembered(value)], iter(elements)))
    assert [id(result) for result in flat] == given


@pytest.mark.parametrize("make", [Row, lambda *parts: parts])
def test_a_part_of_the_element_is_handed_on_itself(make: Callable[..., Any]) -> None:
    elements = [make(number, [number]) for number in range(40)]
    expected = [id(element[1]) for element in elements]
    mapped_ids = [id(result[1]) for result in mapped(lambda value: make("new", value[1]), iter(elements))]
    assert mapped_ids == expected
    flat = flattened(lambda value: [make("new", value[1])], iter(elements))
    assert [id(result[1]) for result in flat] == expected


@pytest.mark.parametrize("make", [Row, lambda *parts: parts])
def test_a_part_of_an_element_given_with_it_is_handed_on_itself(make: Callable[..., Any]) -> None:
    elements = [make(number, [number]) for number in range(40)]
    both = flattened(lambda value: [value, make("new", value[1]), value], iter(elements), encoded=True)
    flat = list(both)
    assert [id(result[1]) for result in flat] == [id(element[1]) for element in elements for _ in range(3)]


@pytest.mark.parametrize("make", [Row, lambda *parts: parts])
def test_a_part_of_an_element_that_is_given_and_kept_is_as_it_was_given(make: Callable[..., Any]) -> None:
    kept: list[Any] = []

    def grown(value: Any) -> list[Any]:
        kept.append(value)
        kept[0][0].append(len(kept))
        return [value, make("new", value[0], len(kept))]

    flat = list(flattened(grown, iter([make([]), make([])]), encoded=True))
    assert list(flat[1]) == ["new", [1], 1]


@pytest.mark.parametrize("make", [Row, lambda *parts: parts])
def test_a_part_of_an_element_that_is_kept_is_as_it_was_given(make: Callable[..., Any]) -> None:
    first: list[Any] = []

    def grown(value: Any) -> Any:
        first.append(value)
        first[0][0].append(len(first))
        return make("new", first[0][0])

    results = mapped(grown, iter([make([]), make([]), make([])]))
    assert [list(result)[1] for result in results] == GROWN


@pytest.mark.parametrize(("kind", "times"), [(MAP, 1), (FLAT_MAP, 2)])
@pytest.mark.parametrize("keeps_nothing", [False, True])
def test_a_function_that_keeps_nothing_is_believed(
    kind: OperatorKind, times: int, keeps_nothing: bool
) -> None:
    """One that breaks the promise gives the same list each time, as only a copy could prevent."""
    grown = Growing()
    function = grown if kind is MAP else lambda value: [grown(value)] * times
    consumers = (
        operator(kind, function, collect(type_info=LONGS), output_type=LONGS, keeps_nothing=keeps_nothing),
    )
    expected = [[1, 2, 3]] * 3 if keeps_nothing else GROWN
    assert run(consumers, [[1, 2, 3]], LONGS) == {0: [result for result in expected for _ in range(times)]}


def test_results_of_one_element_are_apart_where_a_function_follows() -> None:
    def changing(row: Row[Any]) -> Row[Any]:
        row[0].append(9)
        return row

    following = operator(MAP, changing, collect(type_info=ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    consumers = (operator(FLAT_MAP, _both, following, output_type=ROW_OF_LONGS, keeps_nothing=True),)
    assert run(consumers, [[Row([1])]], ROW_OF_LONGS) == {0: [Row(f0=[1, 9]), Row(f0=[1, 9])]}


def test_main_and_side_results_of_one_element_are_apart() -> None:
    class Both(ProcessFunction[Any, Any]):
        def process_element(self, value: Any, ctx: Any) -> Any:
            return [value, (OutputTag("side", LONGS), value[0])]

    def changing(longs: list[int]) -> Row[Any]:
        longs.append(9)
        return Row(longs)

    changed = operator(MAP, changing, collect(1, ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    spec = operator(OperatorKind.PROCESS, Both(), collect(0, ROW_OF_LONGS), output_type=ROW_OF_LONGS)
    spec = replace(spec, side_outputs=(SideOutputSpec("side", LONGS, (changed,)),))
    assert run((spec,), [[Row([1])]], ROW_OF_LONGS) == {0: [Row(f0=[1])], 1: [Row(f0=[1, 9])]}


def test_a_list_is_iterated_once() -> None:
    class Emptied(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            while self:
                yield self.pop()

    assert list(flattened(lambda value: Emptied([[value]]), iter([1, 2, 3]))) == [[1], [2], [3]]


@pytest.mark.parametrize("found", [1, [1]])
def test_a_map_that_raises_stop_iteration_fails(found: Any) -> None:
    def first(value: list[Any]) -> Any:
        return next(part for part in value if part)

    values = [[found]] * 40 + [[0]] + [[found]] * 40
    with pytest.raises(TaskFailure, match="StopIteration"):
        run((operator(MAP, first, collect()),), [values])


def _both(row: Row[Any]) -> list[Row[Any]]:
    return [row, Row(row[0])]


def test_what_cannot_be_copied_still_reaches_the_next_function() -> None:
    class Locking:
        def __init__(self) -> None:
            self.lock: Any = None

        def __call__(self, value: int) -> Any:
            self.lock = self.lock or threading.Lock()
            return self.lock

    consumers = (operator(MAP, Locking(), operator(MAP, lambda lock: lock.locked(), collect())),)
    assert run(consumers, [[1, 2]]) == {0: [False, False]}
