"""Single values are validated as columns are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.state.checks import check_of
from typeinfo import Row, Types
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.row import RowKind
from typeinfo.serde import serializer_for


@dataclass
class Reading:
    n: int
    note: str | None


@dataclass
class Checked:
    n: int

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def twice(self) -> int:
        return 2 * self.n


class Pair(NamedTuple):
    n: int
    x: float


SCALARS: list[TypeInformation[Any]] = [
    Types.BOOLEAN(),
    Types.BYTE(),
    Types.SHORT(),
    Types.INT(),
    Types.LONG(),
    Types.FLOAT(),
    Types.DOUBLE(),
    Types.CHAR(),
    Types.STRING(),
    Types.BIG_INT(),
]
TYPES: list[TypeInformation[Any]] = [
    *SCALARS,
    *(Types.TUPLE([Types.LONG(), scalar]) for scalar in SCALARS),
    Types.TUPLE([Types.TUPLE([Types.STRING()]), Types.INT()]),
    Types.TUPLE([]),
    Types.LIST(Types.LONG()),
    Types.ROW([Types.LONG()]),
    Types.ROW_NAMED(["n", "note"], [Types.LONG(), Types.STRING()]),
    Types.of(Reading),
    Types.of(Checked),
    Types.of(Pair),
]


def _extended(value: Any) -> Any:
    value.extra = 1
    return value


def _incomplete(value: Any) -> Any:
    del value.n
    return value


class Text(str):
    """A str of another class."""


limits = st.sampled_from(
    [sign * 2**bits + by for bits in (7, 15, 31, 63) for by in (-1, 0, 1) for sign in (1, -1)]
)
parts = st.one_of(
    st.none(),
    st.booleans(),
    limits,
    st.floats(),
    st.text(max_size=3),
    st.sampled_from([0.1, "\ud800", "é", "x", Text("x"), Decimal(1), b"x"]),
)
values = st.one_of(
    parts,
    st.lists(parts, max_size=3),
    st.lists(parts, max_size=3).map(tuple),
    st.tuples(st.tuples(st.text(max_size=2)), limits),
    parts.map(Row),
    st.builds(lambda n, note: Row(n=n, note=note), parts, parts),
    st.builds(lambda n, note: Row(note=note, n=n), parts, parts),
    st.builds(Row, limits, st.text(max_size=2)),
    st.builds(lambda n: Row.of_kind(RowKind.DELETE, n=n, note=None), limits),
    st.builds(Reading, st.one_of(limits, parts), parts),
    st.builds(Reading, limits, st.none()).map(_extended),
    st.builds(Reading, limits, st.none()).map(_incomplete),
    st.builds(Checked, parts),
    st.builds(Pair, parts, st.floats()),
)


@pytest.mark.parametrize("type_info", TYPES, ids=str)
@given(value=values)
def test_a_value_is_validated_as_in_a_column(type_info: TypeInformation[Any], value: Any) -> None:
    expected, in_column = _result(lambda: serializer_for(type_info).conform([value])[0])
    checked, alone = _result(lambda: check_of(type_info)(value))
    assert (alone, _shown(checked), type(checked)) == (in_column, _shown(expected), type(expected))
    assert (checked is value) is (expected is value) or type(value) in (tuple, int, str, float)
    assert (checked is value) == (expected is value)


def _result(check: Callable[[], Any]) -> tuple[Any, str]:
    """Return the result of a check, or the text of its error."""
    try:
        return check(), ""
    except TypeCheckError as error:
        return None, str(error)


def test_pickled_values_are_not_validated() -> None:
    value = object()
    assert check_of(Types.PICKLED_BYTE_ARRAY())(value) is value


def _shown(value: Any) -> str:
    return repr(vars(value) if isinstance(value, Reading) else value)
