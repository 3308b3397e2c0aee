"""None where Python accepts it: no error then, and nothing that would keep a lazy table from being lifted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import Expression, is_guarded, lift
from tests.unit.lifting.model import evaluate
from typeinfo import Row, TypeInformation, Types

SHORT_PAIR = Types.TUPLE([Types.INT(), Types.STRING()])


def results(
    function: Callable[[Any], Any], fields: dict[str, TypeInformation[Any]], rows: list[tuple[Any, ...]]
) -> tuple[list[Any], list[Any], bool]:
    """Return what an expression gives for some rows, what its function does, and if that is so for all."""
    found = lift(function, [Types.ROW_NAMED(list(fields), list(fields.values()))])
    assert isinstance(found, Expression), found
    named = [Row(**dict(zip(fields, row, strict=True))) for row in rows]
    return [evaluate(found, [row]) for row in named], [function(row) for row in named], not is_guarded(found)


@pytest.mark.parametrize(
    "function",
    [
        lambda r: r.s[r.k :],
        lambda r: r.s[: r.k],
        lambda r: r.s[r.k : 2],
        lambda r: r.s[-2 : r.k],
        lambda r: r.s[r.k : r.n],
        lambda r: r.s[r.k : None],
        lambda r: r.s[(r.k if r.k else None) : r.n],
        lambda r: ";".join(r.s.split(",")[r.k :]),
        lambda r: ";".join(r.s.split(",")[r.k : r.n]),
    ],
)
def test_a_bound_that_is_none_is_as_if_left_out(function: Callable[[Any], Any]) -> None:
    fields: dict[str, TypeInformation[Any]] = {"s": Types.STRING(), "k": Types.INT(), "n": Types.LONG()}
    numbers = [None, 0, 1, 2, 7, -1, -3, -9]
    given, wanted, holds = results(function, fields, [("a,bc,", k, n) for k in numbers for n in numbers])
    assert given == wanted
    assert holds


def test_a_list_does_not_hold_none() -> None:
    fields: dict[str, TypeInformation[Any]] = {"x": Types.STRING(), "s": Types.STRING()}
    for function in (lambda r: r.x in r.s.split(","), lambda r: r.x not in r.s.split(",")):
        given, wanted, holds = results(function, fields, [(None, "a,b"), ("a", "a,b"), ("c", "a,b")])
        assert given == wanted
        assert holds


@pytest.mark.parametrize(
    "function",
    [
        lambda r: r.i == r.x,
        lambda r: r.x != r.i,
        lambda r: r.x == 1,
        lambda r: (r.i + 0 if r.i else None) == r.x,
    ],
)
def test_whole_numbers_are_compared_with_floats(function: Callable[[Any], Any]) -> None:
    for whole, values in ((Types.INT(), (0, 1)), (Types.LONG(), (0, 1)), (Types.BOOLEAN(), (False, True))):
        pairs = [(i, x) for i in (None, *values) for x in (None, 1.0, 1.5, float("nan"))]
        given, wanted, _ = results(function, {"i": whole, "x": Types.DOUBLE()}, pairs)
        assert given == wanted


def test_only_whole_numbers_that_may_be_too_large_keep_a_lazy_table_from_the_engine() -> None:
    for whole, wanted in ((Types.INT(), True), (Types.LONG(), False)):
        fields: dict[str, TypeInformation[Any]] = {"i": whole, "x": Types.DOUBLE()}
        assert results(lambda r: r.i == r.x, fields, [])[2] is wanted


@pytest.mark.parametrize(
    "function",
    [
        lambda r: r.t == (1, "a"),
        lambda r: r.t != (1, "a"),
        lambda r: r.t == r.u,
        lambda r: (r.t if r.t else None) == r.u,
        lambda r: r.t in ((1, "a"), (2, "b")),
        lambda r: r.t == (1,),
    ],
)
def test_a_tuple_that_is_none_is_compared(function: Callable[[Any], Any]) -> None:
    tuples = [None, (1, "a"), (2, "b")]
    fields: dict[str, TypeInformation[Any]] = {"t": SHORT_PAIR, "u": SHORT_PAIR}
    given, wanted, _ = results(function, fields, [(t, u) for t in tuples for u in tuples])
    assert given == wanted
