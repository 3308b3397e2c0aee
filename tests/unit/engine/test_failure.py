"""Reports of failures in user code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pystream.engine.events import MAX_BATCH, Elements
from pystream.engine.failure import TaskFailure, find_report
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP, PROCESS
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import ColumnsOutput, Consumer, ExchangeOutput, KeySpec, PrintOutput
from pystream.kinds import OperatorKind, PartitionKind
from tests.unit.engine.tasks import collect, items, label, operator
from typeinfo import Row, Types
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps

ANY = Types.PICKLED_BYTE_ARRAY


class Speechless(Exception):  # noqa: N818 - no matter
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


class Unprintable:
    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"Unprintable({self.number})"

    def __str__(self) -> str:
        raise ValueError("no text")


class Ambiguous:
    def __init__(self, number: int) -> None:
        self.number = number

    def __bool__(self) -> bool:
        if self.number == 2:
            raise ValueError("neither true nor false")
        return True


class Several:
    def flat_map(self, value: Any) -> Any:
        return value or None

    def process_element(self, value: Any, context: Any) -> Iterator[Any]:
        yield from value


class Odd:
    def process_element(self, value: int, context: Any) -> Iterator[Any]:
        yield OutputTag("odd", Types.LONG()), value
        yield value if value != 3 else "wrong"


def failure_of(*consumers: Consumer, elements: list[Any]) -> TaskFailure:
    with pytest.raises(TaskFailure) as failure:
        items(consumers, [elements])
    return failure.value


def lock_on_two(value: int) -> Any:
    return threading.Lock() if value == 2 else value


@pytest.mark.parametrize(
    "output",
    [
        collect(),
        ExchangeOutput(1, label("Rebalance"), PartitionKind.REBALANCE, 2, b"", ANY),
        ColumnsOutput(ANY),
    ],
)
def test_an_element_that_cannot_be_serialized_is_named_with_its_operator(output: Consumer) -> None:
    report = failure_of(operator(MAP, lock_on_two, output), elements=[1, 2, 3]).report
    assert report.operator.startswith("'Map'")
    assert "lock" in report.summary
    assert report.element == "2"
    assert "cannot pickle" in report.summary


@pytest.mark.parametrize("output", [collect(), collect(type_info=Types.LONG()), ColumnsOutput(Types.LONG())])
@pytest.mark.parametrize("kind", [FLAT_MAP, PROCESS])
def test_an_invalid_result_of_several_is_named_with_its_element(kind: OperatorKind, output: Consumer) -> None:
    function = Several() if kind is PROCESS else Several().flat_map
    elements = [[], [1] * MAX_BATCH, [], [2, "wrong", 3], [], [4]]
    spec = operator(kind, function, output, output_type=Types.LONG())
    report = failure_of(spec, elements=elements).report
    assert report.operator.startswith(f"'{kind.name}'")
    assert (report.element, report.result) == ("[2, 'wrong', 3]", "'wrong'")


PAIR = Types.ROW_NAMED(["a", "b"], [Types.LONG(), Types.STRING()])


@pytest.mark.parametrize(
    ("type_info", "result"),
    [
        (PAIR, Row(a=1, b=2)),
        (Types.ROW([Types.LONG(), Types.STRING()]), Row(1, 2)),
        (Types.LIST(PAIR), [Row(a=1, b="x"), Row(a=1, b=2)]),
        (Types.ROW_NAMED(["pair"], [PAIR]), Row(pair=Row(a=1, b=2))),
        (Types.TUPLE([Types.LONG(), PAIR]), (1, Row(a=1, b=2))),
        (Types.MAP(Types.STRING(), PAIR), {"x": Row(a=1, b=2)}),
        (PAIR, Row(a=1, b=2, c=3)),
    ],
)
def test_rows_that_do_not_fit_are_shown_as_rows(type_info: TypeInformation[Any], result: Any) -> None:
    for output in (collect(type_info=type_info), ColumnsOutput(type_info)):
        spec = operator(MAP, lambda value: result, output, output_type=type_info)
        assert failure_of(spec, elements=[1]).report.result == repr(result)


@pytest.mark.parametrize("output", [collect(type_info=Types.LONG()), ColumnsOutput(Types.LONG())])
@pytest.mark.parametrize(
    ("kind", "function"),
    [
        (MAP, lambda value: "wrong" if value == 3 else value),
        (FLAT_MAP, lambda value: [1, "wrong" if value == 3 else value]),
        (PROCESS, Odd()),
        (REDUCE, lambda fold, value: "wrong" if value == 3 else fold),
    ],
)
def test_an_invalid_result_of_a_keyed_function_is_named_with_its_element(
    kind: OperatorKind, function: Any, output: Consumer
) -> None:
    keys = (KeySpec(dumps(lambda value: 0), ANY),)
    spec = operator(kind, function, output, output_type=Types.LONG(), keys=keys)
    report = failure_of(spec, elements=[1, 2, 3, 4]).report
    assert (report.element, report.result) == ("3", "'wrong'")


def test_the_element_of_an_invalid_result_is_named_beside_side_outputs() -> None:
    spec = operator(PROCESS, Odd(), collect(), output_type=Types.LONG())
    report = failure_of(spec, elements=[1, 2, 3, 4]).report
    assert (report.element, report.result) == ("3", "'wrong'")


def test_an_element_without_text_is_named_when_it_is_printed() -> None:
    output = PrintOutput(0, ANY, "", show_subtask=False)
    report = failure_of(operator(MAP, Unprintable, output), elements=[7]).report
    assert report.operator.startswith("'Map'")
    assert (report.summary, report.element) == ("ValueError: no text", "Unprintable(7)")


class OwnExit(BaseException):
    pass


class Raising:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def raised(self, value: int, *others: Any) -> Any:
        raise self.error

    map = filter = flat_map = process_element = raised

    def reduce(self, first: int, second: int) -> int:
        raise self.error


class Generating(Raising):
    def flat_map(self, value: int, *others: Any) -> Any:
        yield value
        raise self.error

    process_element = flat_map


ERRORS = [
    GeneratorExit("stop"),
    SystemExit("stop"),
    KeyboardInterrupt("stop"),
    StopIteration("stop"),
    StopAsyncIteration("stop"),
    asyncio.CancelledError("stop"),
    OwnExit("stop"),
]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("timestamps", [None, [1, 2]])
@pytest.mark.parametrize(
    ("kind", "keyed", "function"),
    [
        (MAP, False, Raising),
        (FILTER, False, Raising),
        (FLAT_MAP, False, Raising),
        (FLAT_MAP, False, Generating),
        (PROCESS, False, Raising),
        (PROCESS, False, Generating),
        (PROCESS, True, Raising),
        (PROCESS, True, Generating),
        (REDUCE, True, Raising),
    ],
)
def test_whatever_a_function_raises_is_a_failure_of_its_operator(
    kind: OperatorKind,
    keyed: bool,
    function: type[Raising],
    timestamps: list[int] | None,
    error: BaseException,
) -> None:
    keys = (KeySpec(dumps(lambda value: 1), ANY),) if keyed else ()
    spec = operator(kind, function(error), collect(), keys=keys)
    with pytest.raises(TaskFailure) as failure:
        items((spec,), [Elements([5, 5], timestamps)])
    report = failure.value.report
    assert report.operator.startswith(f"'{kind.name}'")
    assert (report.summary, report.element) == (f"{type(error).__name__}: stop", "5")


def test_a_filter_names_the_element_whose_answer_is_neither_true_nor_false() -> None:
    report = failure_of(operator(FILTER, Ambiguous, collect()), elements=[1, 2, 3, 4]).report
    assert (report.summary, report.element) == ("ValueError: neither true nor false", "2")


def test_an_exception_without_text_is_summarized_by_its_class() -> None:
    def raising(value: int) -> int:
        raise Speechless

    report = failure_of(operator(MAP, raising, collect()), elements=[1]).report
    assert report.summary.startswith("Speechless: ")
    assert report.element == "1"


def test_a_long_message_is_truncated() -> None:
    def raising(value: int) -> int:
        raise ValueError("x" * 3_000_000)

    failure = failure_of(operator(MAP, raising, collect()), elements=[1])
    assert len(str(failure)) < 50_000
    assert "3000012 characters" in failure.report.summary
    found = find_report(f"Error: {failure}\n\tat engine")
    assert found == failure.report


def test_the_message_comes_before_the_report_it_is_made_of() -> None:
    def raising(value: int) -> int:
        raise ValueError("no such number")

    failure = failure_of(operator(MAP, raising, collect()), elements=[12])
    assert str(failure).startswith(failure.report.message())


@pytest.mark.parametrize("make", [lambda part: b"%d" % part * 100_000, lambda part: [part] * 50_000])
def test_large_elements_are_sent_in_rows_of_bounded_size(make: Callable[[int], Any]) -> None:
    exchange = ExchangeOutput(1, label("Rebalance"), PartitionKind.FORWARD, 2, b"", ANY)
    outputs = (collect(), exchange, PrintOutput(2, ANY, "", show_subtask=False))
    rows = items(tuple(operator(MAP, make, output) for output in outputs), [list(range(1, 601))])
    for edge in (0, 1, 2):
        sizes = [len(row.payload) for row in rows if row.edge == edge]
        assert sum(sizes) > 40 << 20
        assert max(sizes) < 36 << 20


def test_large_elements_are_returned_in_batches_of_bounded_size() -> None:
    consumers = (operator(MAP, lambda part: b"%d" % part * 100_000, ColumnsOutput(ANY)),)
    batches = items(consumers, [list(range(1, 601))])
    assert sum(batch.num_rows for batch in batches) == 600
    assert max(batch.nbytes for batch in batches) < 36 << 20
