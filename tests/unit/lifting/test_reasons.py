"""Reasons why functions are not lifted."""

from __future__ import annotations

import datetime
import json
import math
import operator
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pytest

from pystream.expressions.folds import Fold, Reduction
from pystream.lifting import (
    Expression,
    NotLifted,
    lift,
    lift_condition,
    lift_field_fold,
    lift_flat_map,
    lift_reduce,
)
from typeinfo import Row, TypeInformation, Types

LONG, DOUBLE, STRING = Types.LONG(), Types.DOUBLE(), Types.STRING()
PAIR = Types.TUPLE([LONG, STRING])
NAMED = Types.ROW_NAMED(["a", "b"], [LONG, STRING])
known = [1, 2]


@dataclass
class Checked:
    x: int

    def __post_init__(self) -> None:
        assert self.x


@dataclass
class Floating:
    x: float


class Renamed(NamedTuple):
    x: int


class Replacing(Renamed):
    def _replace(self, **fields: Any) -> Any:
        return Replacing(0)


@dataclass(frozen=True)
class Unhashable:
    factors: list[int]

    def __call__(self, x: int) -> int:
        return x * self.factors[0]


def looping(x: int) -> int:
    total = 0
    for i in range(x):
        total += i
    return total


def trying(s: str) -> int:
    try:
        return int(s)
    except ValueError:
        return 0


def setting(r: Any) -> Any:
    r["a"] = 1
    return r


def importing(s: str) -> Any:
    import re

    return re.escape(s)


def sometimes(x: int) -> int:
    if x > 0:
        y = 1
    return y  # pyright: ignore[reportPossiblyUnboundVariable]


@pytest.mark.parametrize(
    ("function", "t", "reason"),
    [
        (lambda s: input(s), STRING, "calls input(), which is not known to be pure"),
        (lambda s: json.loads(s), STRING, "calls loads(), which takes any number of arguments"),
        (lambda s: print(s), STRING, "calls print(), which is not known to be pure"),
        (lambda x: x in known, LONG, "looks into a list, which may change; use a tuple or frozenset"),
        (lambda x: known[0] + x, LONG, "uses a value of class list, which is not known to be immutable"),
        (lambda x: x if x else "none", LONG, "returns int in one case and str in another"),
        (lambda x: str(x), DOUBLE, "turns a float into text, which Java writes with other digits"),
        (lambda x: round(x, 2), DOUBLE, "uses round() with digits, which Java rounds otherwise"),
        (lambda x: x**2, DOUBLE, "uses ** other than of an int to a constant from 0 to 16"),
        (lambda x: x + 2**70, LONG, "uses the integer 1180591620717411303424, which does not fit 64 bits"),
        (lambda x: x * -0.0, DOUBLE, "uses the constant -0.0"),
        (lambda x: x + "a", LONG, "uses + between int and str, which is not lifted"),
        (lambda x: x < "a", LONG, "compares int with str by <, which is not lifted"),
        (lambda s: s[::2], STRING, "slices with a step, which is not lifted"),
        (lambda s: s.title(), STRING, "calls .title() of str, which is not lifted"),
        (lambda s: s.replace("", "-"), STRING, "replaces nothing, which stands between all characters"),
        (lambda s: f"{s:>10}", STRING, "formats with '>10', which is not lifted"),
        (lambda s: f"{s!r}", STRING, "formats with repr() or ascii(), which is not lifted"),
        (lambda t: t[2], PAIR, "indexes tuple of 2 fields with 2, which always fails"),
        (lambda r: r.c, NAMED, "uses .c of a Row of the fields ['a', 'b']"),
        (lambda r: r["c"], NAMED, "uses ['c'] of Row, which has no such field"),
        (lambda x: {"a": x}, LONG, "uses a dict, which is not lifted"),
        (lambda x: lambda: x, LONG, "uses a function inside, which is not lifted"),
        (lambda x: x / 0, LONG, None),
        (lambda x: x + 1 // 0, LONG, "always fails: ZeroDivisionError"),
        (lambda x: Checked(x), LONG, "makes a Checked, which has a __post_init__ of its own"),
        (lambda x: Floating(x), LONG, "returns Floating.x a value of class int, declared float"),
        (lambda x: datetime.datetime.now(), LONG, "calls datetime.now(), which is not known to be pure"),
        (Unhashable([2]), LONG, "calls Unhashable(), which is not known to be pure"),
        (lambda x: math.sin(x), DOUBLE, "calls sin(), which is not known to be pure"),
        (looping, LONG, "loops, which is not lifted"),
        (trying, STRING, "catches errors, which is not lifted"),
        (setting, NAMED, "sets an item of an object; return a new one instead"),
        (importing, STRING, "imports a module; import it at the top of the file"),
        (sometimes, LONG, "uses y, which is not set in every case"),
        (len, LONG, "uses len() of int, which is not lifted"),
        (operator.itemgetter(5), PAIR, "indexes tuple of 2 fields with 5"),
        (lambda x: x, Types.PICKLED_BYTE_ARRAY(), "takes elements of unknown type; declare it"),
        (lambda x: x + 1, Types.BIG_INT(), "uses + between BigInteger and int, which is not lifted"),
        (lambda t: {t[0], 1} == {1}, PAIR, "uses a set, which is not lifted"),
        (lambda t: t == [1, 1], Types.TUPLE([LONG, LONG]), "compares tuple with list"),
        (lambda t: [t[0], 1] != (1, 1), PAIR, "compares list with tuple"),
        (lambda x: [x, x] in [(0, 0)], LONG, "compares list with tuple"),
        (lambda x: x in [1, 2] == x, LONG, "compares list with int"),
        (lambda x: x in [1, 2] or x in {3}, LONG, None),
        (lambda x: sum((x, 1.0)), DOUBLE, "uses sum() of floats, which versions of Python round differently"),
        (lambda x: sum((x, 1)), LONG, None),
        (lambda x: sum((x, 1), start=2), LONG, None),
        (lambda x: int(value=x), LONG, "calls int() with arguments by name"),
        (lambda s: len(value=s), STRING, "calls len() with arguments by name"),
        (lambda s: s.upper(value=s), STRING, "calls .upper() with arguments by name"),
        (lambda s: s.split(sep=",", maxsplit=1)[0], STRING, None),
        (lambda x: Row(x, 1).f0, LONG, "uses .f0 of a Row made without names"),
        (lambda x: (Row(x, 1) if x else Row(x, 2)).f0, LONG, "uses .f0 of a Row made without names"),
        (lambda x: [Row(x, 1)][0]["f0"], LONG, "uses ['f0'] of Row, which has no such field"),
        (lambda t: t[0].f0, Types.TUPLE([Types.ROW([LONG])]), None),
        (lambda r: r.f0, Types.ROW([LONG]), None),
    ],
)
def test_reason(function: Callable[[Any], Any], t: TypeInformation[Any], reason: str | None) -> None:
    found = lift(function, [t])
    if reason is None:
        assert isinstance(found, Expression)
        return
    assert isinstance(found, NotLifted)
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    "function", [lambda t: t[0] == t[1], lambda t: t[1] != t[0], lambda t: t[0] in (t[1], None)]
)
@pytest.mark.parametrize(
    "plain",
    [LONG, DOUBLE, STRING, Types.BOOLEAN(), Types.PRIMITIVE_ARRAY(Types.BYTE()), Types.SQL_DATE(), PAIR],
)
@pytest.mark.parametrize(
    "other",
    [
        Types.BIG_DEC(),
        Types.BIG_INT(),
        Types.INSTANT(),
        Types.MAP(STRING, LONG),
        Types.of(datetime.timedelta),
        Types.of(uuid.UUID),
    ],
)
def test_values_of_other_classes_are_not_compared(
    function: Callable[[Any], Any], plain: TypeInformation[Any], other: TypeInformation[Any]
) -> None:
    found = lift(function, [Types.TUPLE([plain, other])])
    assert isinstance(found, NotLifted)
    assert found.reason.startswith(("compares ", "uses 'in' of a float among computed values"))


def test_a_reason_names_file_and_line() -> None:
    def far(x: Any) -> Any:
        y = x

        return print(y)

    line = far.__code__.co_firstlineno + 3
    found = lift(far, [LONG])
    assert isinstance(found, NotLifted)
    assert found.reason.endswith(f"(test_reasons.py:{line})")


def test_each_of_several_lambdas_on_a_line_is_told_apart() -> None:
    first, second, third = (lambda x: x + 1), (lambda x: x + 2), (lambda x, y=(lambda: 1): x + 3)
    found = [str(lift(f, [LONG])) for f in (first, second, third)]
    assert found == ["add(x, 1)", "add(x, 2)", "add(x, 3)"]


def test_a_lambda_may_stand_anywhere() -> None:
    alone = lambda x: x + 1  # noqa: E731
    long = (  # noqa: E731
        lambda x: x
        + 2
        if x
        else math.floor(x)  # which is compiled otherwise, as it is imported
    )  # fmt: skip
    assert str(lift(alone, [LONG])) == "add(x, 1)"
    assert isinstance(lift(long, [LONG]), Expression)


def test_a_function_whose_source_is_another_is_not_lifted() -> None:
    namespace: dict[str, Any] = {}
    exec(compile("f = lambda x: x + 1", __file__, "exec"), namespace)
    assert isinstance(lift(namespace["f"], [LONG]), NotLifted)


def test_a_reduce_function_that_is_not_a_fold() -> None:
    found = lift_reduce(lambda a, b: (a[0] - b[0], a[1]), PAIR)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith("reduces field 0 otherwise than by +, min or max")


@pytest.mark.parametrize(
    ("kind", "name", "t", "reason"),
    [
        ("sum", 0, Types.of(Checked), "makes a Checked, which has a __post_init__ of its own"),
        ("max", "x", Types.of(Replacing), "changes a Replacing, which has a _replace() of its own"),
        (
            "sum",
            "x",
            Types.of(Floating),
            "reduces field 0 of floats, where the order of the elements matters",
        ),
        ("sum", 0, Types.of(Literal[1, 2]), "is declared to return Literal"),
        ("max", 0, Types.LIST(LONG), "reduces its elements of class list by max, which is not lifted"),
        ("min", 1, Types.TUPLE([LONG, Types.BOOLEAN()]), "reduces field 1 of class bool by min"),
        ("sum", 0, Types.PICKLED_BYTE_ARRAY(), "takes elements of unknown type; declare it"),
    ],
)
def test_why_a_field_is_not_folded(kind: str, name: int | str, t: TypeInformation[Any], reason: str) -> None:
    found = lift_field_fold(kind, name, t)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith(reason)


def test_an_element_that_is_kept_need_not_be_constructed() -> None:
    found = lift_field_fold("max_by", "x", Types.of(Checked))
    assert isinstance(found, Reduction)
    assert found.folds == (Fold.MAX,)


def test_a_declared_type_that_does_not_fit() -> None:
    found = lift(lambda x: x > 1, [LONG], LONG)
    assert isinstance(found, NotLifted)
    assert found.reason.startswith("returns bool where Long is declared (test_reasons.py:")


def test_conditions_and_lists_of_results() -> None:
    assert isinstance(lift_condition(lambda x: x and "yes", LONG), Expression)
    assert isinstance(lift_flat_map(lambda x: x, LONG), NotLifted)
    assert isinstance(lift_flat_map(lambda x: (x, x + 1), LONG), Expression)


def test_whether_an_expression_may_raise() -> None:
    small = Types.INT()
    for function, t, fails in (
        (lambda x: x * 2 + 1, small, False),
        (lambda x: x * 2 + 1, LONG, True),
        (lambda x: x % 3 == 0, LONG, False),
        (lambda x: 3 % x, LONG, True),
        (lambda x: x / 2, small, False),
        (lambda r: r.a is None, NAMED, False),
        (lambda r: r.a > 1, NAMED, True),
        (lambda x: Row(x, 1), LONG, False),
    ):
        found = lift(function, [t])  # type: ignore[arg-type]
        assert isinstance(found, Expression)
        assert found.fails is fails
