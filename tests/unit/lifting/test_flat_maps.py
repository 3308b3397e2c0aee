"""Flat maps: generators, local lists, collectors and conversion of results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import Expression, NotLifted, lift, lift_condition, lift_flat_map
from tests.unit.lifting.model import evaluate
from typeinfo import Row, TypeInformation, Types
from typeinfo.extended import optional_of

LONG, STRING = Types.LONG(), Types.STRING()


def returns_another(n: int) -> Any:
    out = []
    out.append(n)
    if n > 1:
        return []
    return out


def returns_another_before(n: int) -> Any:
    if n > 1:
        return [n]
    out = []
    out.append(n)
    return out


def counts_its_list(n: int) -> Any:
    out: list[int] = []
    out.append(len(out))
    return out


def has_two_names(n: int) -> Any:
    out = other = []  # type: ignore[var-annotated]
    other.append(n)
    return out


def sets_it_twice(n: int) -> Any:
    out = []
    out.append(n)
    out = [n]
    out.append(n)
    return out


def returns_a_part_of_it(n: int) -> Any:
    out = []
    out.append(n)
    out.append(n)
    return out[:1]


def creates_it_in_a_branch(n: int) -> Any:
    if n > 1:
        out = []
    out.append(n)  # pyright: ignore[reportPossiblyUnboundVariable]
    return out  # pyright: ignore[reportPossiblyUnboundVariable]


@pytest.mark.parametrize(
    "function",
    [
        returns_another,
        returns_another_before,
        counts_its_list,
        has_two_names,
        sets_it_twice,
        returns_a_part_of_it,
        creates_it_in_a_branch,
    ],
)
def test_a_local_list_that_is_not_only_appended_to_is_not_lifted(function: Callable[[int], Any]) -> None:
    assert isinstance(lift_flat_map(function, LONG, LONG), NotLifted)


def carries_on(text: str) -> Any:
    kept = ""
    for part in text.split(","):
        if part == "a":
            kept = part
            continue
        yield kept


def yields_and_returns(n: int) -> Any:
    yield n
    return n


@pytest.mark.parametrize(
    ("function", "t", "reason"),
    [
        (carries_on, STRING, "changes kept in a loop"),
        (yields_and_returns, LONG, "yields, and returns a value besides, which is not lifted"),
    ],
)
def test_reasons(function: Callable[[Any], Any], t: TypeInformation[Any], reason: str) -> None:
    found = lift_flat_map(function, t, t)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith(reason)


def test_a_generator_is_not_a_result() -> None:
    generator: Any = yields_and_returns
    for function in (generator, lambda n: (n for _ in range(3))):
        found = lift(function, [LONG], Types.LIST(LONG))
        assert isinstance(found, NotLifted)
        assert found.reason.startswith("returns a generator, which is not a value")


def test_rows_without_names_match_by_position() -> None:
    swapped = Types.ROW_NAMED(["f1", "f0"], [LONG, LONG])

    def each(n: int) -> Any:
        for row in [Row(n, 0), Row(n, 1)]:  # noqa: UP028
            yield row

    assert isinstance(lift_flat_map(each, LONG, swapped), NotLifted)
    made = lift_flat_map(lambda n: [Row(n, 0), Row(f0=n, f1=1)], LONG, swapped)
    assert isinstance(made, Expression)
    assert evaluate(made, [7]) == [Row(f1=7, f0=0), Row(f1=1, f0=7)]


def test_the_result_of_each_branch_is_converted() -> None:
    named = Types.ROW_NAMED(["a", "b"], [LONG, Types.DOUBLE()])
    made = lift(lambda r: r if r.a > 0 else Row(-r.a, 1), [named], named)
    assert isinstance(made, Expression)
    found = [evaluate(made, [Row(a=a, b=0.5)]) for a in (1, -2)]
    assert found == [Row(a=1, b=0.5), Row(a=2, b=1.0)]
    assert type(found[1].b) is float


def test_a_collector_is_an_argument_only_on_request() -> None:
    def twice(n: int, out: Any) -> None:
        out.collect(n)
        out.collect(n)

    found = lift_flat_map(twice, LONG, LONG)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith("calls twice() without out")
    assert isinstance(lift_flat_map(twice, LONG, LONG, collects=True), Expression)


def odds(n: int) -> Any:
    for i in range(n):
        if i % 2:
            yield i


def twice(n: int) -> Any:
    yield n
    yield n + 1


class Twice:
    def flat_map(self, n: int) -> Any:
        yield from self.each(n)

    def each(self, n: int) -> Any:
        yield n
        yield n


def reads_it_twice(s: str) -> Any:
    parts = (part for part in s.split(","))
    yield from parts
    yield from parts


def looks_into_it_twice(n: int) -> Any:
    odd = odds(n)
    return 1 in odd and 1 in odd


def asks_whether_there_is_one(n: int) -> Any:
    if odds(n):
        yield n


def measures_it_twice(n: int) -> Any:
    made = odds(n)
    return len(list(made)) + len(list(made))


def measured(values: Any) -> Any:
    return len(list(values)) + len(list(values))


def counts_twice(s: str) -> Any:
    numbered = enumerate(s.split(","))
    yield from numbered
    yield from numbered


def creates_one_and_leaves_it(n: int) -> Any:
    odds(1 // n)
    yield n


@pytest.mark.parametrize(
    ("function", "t"),
    [
        (looks_into_it_twice, LONG),
        (measures_it_twice, LONG),
        (lambda n: measured(odds(n)), LONG),
        (lambda n: odds(n)[0], LONG),
        (lambda n: len(odds(n)), LONG),
        (lambda n: n if odds(n) else 0, LONG),
        (lambda n: n if not odds(n) else 0, LONG),
        (lambda n: (odds(n) or [1])[0], LONG),
        (lambda n: 1 in odds(n), LONG),
        (lambda n: odds(n) == [1], LONG),
        (lambda n: odds(n) + odds(n), LONG),
        (lambda n: [odds(n)], LONG),
        (lambda n: (odds(n), 1)[1], LONG),
        (lambda n: odds(n) is None, LONG),
        (lambda n: odds(n)(), LONG),
        (lambda n: odds(n).close(), LONG),
        (lambda n: min(odds(n), odds(n)), LONG),
        (lambda n: len(x for x in [n]), LONG),  # type: ignore[arg-type]
        (lambda s: enumerate(s.split(","))[0], STRING),  # type: ignore[index]
        (lambda s: len(enumerate(s.split(","))), STRING),  # type: ignore[arg-type]
    ],
)
def test_a_generator_is_lifted_only_where_it_is_consumed_at_once(
    function: Any, t: TypeInformation[Any]
) -> None:
    found = lift(function, [t])
    assert isinstance(found, NotLifted)
    assert "uses a generator as a value" in found.reason


@pytest.mark.parametrize(
    ("function", "t"),
    [
        (reads_it_twice, STRING),
        (asks_whether_there_is_one, LONG),
        (counts_twice, STRING),
        (creates_one_and_leaves_it, LONG),
    ],
)
def test_a_generator_that_a_flat_map_keeps_is_not_lifted(function: Any, t: TypeInformation[Any]) -> None:
    found = lift_flat_map(function, t)
    assert isinstance(found, NotLifted)
    assert "uses a generator as a value" in found.reason


def loops_over_one(n: int) -> Any:
    for i in odds(n):
        yield i * 2


def adds_those_of_one(n: int) -> Any:
    out: list[int] = []
    out.extend(odds(n))
    out += twice(n)
    out.extend(i for i in range(n) if i > 1)
    return out


@pytest.mark.parametrize(
    "function",
    [
        odds,
        loops_over_one,
        adds_those_of_one,
        lambda n: odds(n),
        lambda n: (i + 1 for i in odds(n)),
        lambda n: [i for i in odds(n) for _ in twice(i)],
        lambda n: [*twice(n), *odds(n)],
        lambda n: list(odds(n)),
        lambda n: [len(list(odds(n))), list(twice(n))[1]],
        lambda n: [",".join(str(i) for i in odds(n))],
        lambda n: enumerate(odds(n)),
        lambda n: [a * b for a, b in enumerate(odds(n))],
        Twice().flat_map,
    ],
)
def test_a_generator_consumed_at_once_is_lifted(function: Any) -> None:
    found = lift_flat_map(function, LONG)
    assert isinstance(found, Expression), found.reason
    for n in (0, 1, 4, 7):
        assert evaluate(found, [n]) == list(function(n))


def returns_an_empty_list(n: int) -> Any:
    out: list[int] = []
    return out


def adds_in_a_branch(n: int) -> Any:
    out = []
    if n > 1:
        out.append(n)
    return out


def appends(n: int) -> Any:
    out = []
    out.append(n)
    out.extend([n, 2])
    return out


@pytest.mark.parametrize("function", [returns_an_empty_list, adds_in_a_branch, appends])
def test_a_local_list_is_a_value(function: Any) -> None:
    mapped = lift(function, [LONG], Types.LIST(LONG))
    measured = lift(lambda n: len(function(n)), [LONG])
    emptied = lift_flat_map(lambda n: [n] if function(n) else [], LONG)
    for found in (mapped, measured, emptied):
        assert isinstance(found, Expression), found.reason
    for n in (0, 3):
        assert evaluate(mapped, [n]) == function(n)  # type: ignore[arg-type]
        assert evaluate(measured, [n]) == len(function(n))  # type: ignore[arg-type]
        assert evaluate(emptied, [n]) == ([n] if function(n) else [])  # type: ignore[arg-type]


def test_the_truth_of_a_local_list() -> None:
    found = lift_condition(adds_in_a_branch, LONG)
    assert isinstance(found, Expression)
    assert [evaluate(found, [n]) for n in (1, 2)] == [False, True]


def collects_for(n: int, out: Any) -> None:
    out.collect(n)


def hands_it_on(n: int, out: Any) -> None:
    collects_for(n, out)
    out.collect(n + 1)


def renames_it(n: int, out: Any) -> None:
    other = out
    other.collect(n)


def asks_for_its_truth(n: int, out: Any) -> None:
    if out:
        out.collect(n)


def calls_another_method(n: int, out: Any) -> None:
    out.collect(n)
    out.close()


def returns_it(n: int, out: Any) -> Any:
    return out


@pytest.mark.parametrize(
    "function", [hands_it_on, renames_it, asks_for_its_truth, calls_another_method, returns_it]
)
def test_a_collector_only_collects(function: Any) -> None:
    found = lift_flat_map(function, LONG, LONG, collects=True)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith("uses out other than by out.collect(...), which is not lifted")


FLAG = False


def skips_a_part(n: int) -> Any:
    if FLAG:
        print(n)
    yield n


def skips_a_yield(n: int) -> Any:
    if FLAG:
        print(n)
        yield 0
    else:
        yield n
    yield n + 1


def skips_an_end(n: int) -> Any:
    if FLAG:
        print(n)
        return
    yield n


def skips_within_a_loop(n: int) -> Any:
    for i in range(n):
        if FLAG:
            print(i)
            yield i
    for i in range(n):
        if not FLAG:
            yield i
    for i in range(n):
        if FLAG:
            print(i)
            continue
        yield i
    for i in range(n):
        if not FLAG:
            continue
        yield print(i)


def skips_within_a_function(n: int) -> Any:
    if FLAG:
        print(n)
        return []
    return [n]


@pytest.mark.parametrize(
    "function", [skips_a_part, skips_a_yield, skips_an_end, skips_within_a_loop, skips_within_a_function]
)
def test_branches_that_a_constant_condition_excludes_are_not_evaluated(function: Any) -> None:
    found = lift_flat_map(function, LONG)
    assert isinstance(found, Expression), found.reason
    for n in (0, 2):
        assert evaluate(found, [n]) == list(function(n))


def yields_in_a_branch(n: int) -> Any:
    if n > 1:
        yield n


def yields_in_one_of_many(n: int) -> Any:
    if n > 5:
        return
    if n > 1:
        yield n
    for i in range(n):
        if i > 2:
            yield i
    yield from [] if n else [n]


@pytest.mark.parametrize("function", [yields_in_a_branch, yields_in_one_of_many, adds_in_a_branch])
def test_no_results_in_a_branch_are_not_none(function: Any) -> None:
    found = lift_flat_map(function, LONG)
    assert isinstance(found, Expression)
    assert found.type == Types.LIST(LONG)
    for n in (0, 1, 2, 5, 7):
        assert evaluate(found, [n]) == list(function(n))


def test_none_in_a_branch_is_a_result() -> None:
    found = lift_flat_map(lambda n: [None] if n > 1 else [n], LONG)
    assert isinstance(found, Expression)
    assert found.type == Types.LIST(optional_of(LONG))
    assert [evaluate(found, [n]) for n in (1, 2)] == [[1], [None]]
