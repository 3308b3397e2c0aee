"""What is printed of types and values makes them again."""

from __future__ import annotations

import contextlib
import datetime
import io
from decimal import Decimal
from functools import partial
from typing import Any, Literal
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from typeinfo import Instant, Row, RowKind, TypeInformation, Types
from typeinfo.row import make_row
from typeinfo.testing.reproduction import Source, source
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import RECORDS, Colour, Level, Pair, Reading, batches, type_infos, values


def made(text: str, imports: list[str]) -> Any:
    names: dict[str, Any] = {}
    exec("\n".join(imports), names)
    return eval(text, names)


def pasted(value: Any) -> Any:
    written = Source()
    return made(written.of(value), written.imports())


@given(type_infos())
@settings(max_examples=50, suppress_health_check=list(HealthCheck))
def test_any_type_can_be_pasted(t: TypeInformation[Any]) -> None:
    assert pasted(t) == t


@given(st.data())
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_any_batch_can_be_pasted(data: st.DataObject) -> None:
    batch = data.draw(batches(data.draw(type_infos())))
    assert same(pasted(batch), batch)


@pytest.mark.parametrize("t", RECORDS, ids=str)
def test_records_can_be_pasted(t: TypeInformation[Any]) -> None:
    assert pasted(t) == t


WRITTEN = [
    (Types.ROW_NAMED(["a"], [Types.INT()]), "Types.ROW_NAMED(['a'], [Types.INT()])"),
    (
        Types.MAP(Types.STRING(), Types.LIST(Types.BYTE())),
        "Types.MAP(Types.STRING(), Types.LIST(Types.BYTE()))",
    ),
    (Types.of(int | None), "OptionalTypeInfo(Types.LONG())"),
    (Types.of(Literal["a", "b"]), "LiteralTypeInfo(('a', 'b'), Types.STRING())"),
    (Types.of(Reading), "Types.of(Reading)"),
    (Types.of(Colour), "Types.of(Colour)"),
    (Row(a=1, b=None), "Row(a=1, b=None)"),
    (Row(1, "a"), "Row(1, 'a')"),
    (Row.of_kind(RowKind.DELETE, a=1), "Row.of_kind(RowKind.DELETE, a=1)"),
    (Row.of_kind(RowKind.UPDATE_AFTER, 1), "Row.of_kind(RowKind.UPDATE_AFTER, 1)"),
    (make_row([1], ["self"]), "make_row([1], ['self'])"),
    (make_row([1], ["class"]), "make_row([1], ['class'])"),
    (make_row([1], ["ª"]), "make_row([1], ['ª'])"),
    (make_row([1], ["row_kind"], RowKind.DELETE), "make_row([1], ['row_kind'], RowKind.DELETE)"),
    (make_row([], []), "make_row([], [])"),
    ((1,), "(1,)"),
    ({"a": [Row()]}, "{'a': [Row()]}"),
    (float("-inf"), "float('-inf')"),
    (complex(-0.0, float("nan")), "complex(-0.0, float('nan'))"),
    (Decimal("1.50"), "Decimal('1.50')"),
    (UUID(int=1), "UUID('00000000-0000-0000-0000-000000000001')"),
    (Instant(-1, 5), "Instant(-1, 5)"),
    (datetime.timedelta(days=1), "datetime.timedelta(days=1)"),
    (Level.HIGH, "Level.HIGH"),
    (Pair(None, datetime.date(2024, 1, 2)), "Pair(left=None, right=datetime.date(2024, 1, 2))"),
    (Reading("a", None, ["b"]), "Reading(city='a', celsius=None, tags=['b'])"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_how_it_is_written(value: Any, text: str) -> None:
    assert source(value) == text
    back = pasted(value)
    assert back == value if isinstance(value, TypeInformation) else same(back, value)


class Opaque:
    """Nothing of it shows, and it says itself how it is pickled."""

    def __init__(self, given: int) -> None:
        self._held = given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and self._held == other._held

    def __hash__(self) -> int:
        return hash(self._held)

    def __reduce__(self) -> tuple[type[Opaque], tuple[int]]:
        return Opaque, (self._held,)


def test_an_object_that_does_not_show_what_it_holds_is_pickled() -> None:
    assert source(Opaque(1)).startswith("pickle.loads(")
    assert pasted(Opaque(1)) == Opaque(1)


@pytest.mark.parametrize("value", [np.zeros((2, 0)), np.longdouble(1) / 3, pd.Series([None, "a"])], ids=type)
def test_arrays_are_pickled_if_their_text_does_not_make_them(value: Any) -> None:
    assert source(value).startswith("pickle.loads(")
    assert same(pasted([value]), [value])


def test_functions_are_imported_by_name() -> None:
    written = Source()
    assert written.of(partial(make_row, [1], fields=["a"])) == "partial(make_row, [1], fields=['a'])"
    assert written.imports() == ["from functools import partial", "from typeinfo.row import make_row"]


SHOWN = [
    Types.ROW_NAMED(["a", "b"], [Types.BIG_DEC(), Types.INSTANT()]),
    Types.ROW([Types.ROW([Types.DOUBLE()]), Types.of(bytes)]),
    Types.MAP(Types.STRING(), Types.UUID()),
    Types.TUPLE([Types.LOCAL_DATE_TIME(), Types.DURATION(), Types.PICKLED_BYTE_ARRAY()]),
    *RECORDS,
]


@pytest.mark.parametrize("t", SHOWN, ids=str)
def test_what_hypothesis_prints_can_be_pasted(t: TypeInformation[Any]) -> None:
    seen: list[Any] = []

    @given(st.lists(values(t), min_size=2, max_size=2))
    @settings(
        max_examples=1, report_multiple_bugs=False, print_blob=False, suppress_health_check=list(HealthCheck)
    )
    def failing(drawn: list[Any]) -> None:
        seen.append(drawn)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        failing()
    shown = "\n".join(caught.value.__notes__)
    printed = shown.removeprefix("Failing test case: ")
    imports = [
        "import datetime",
        "from datetime import *",
        "from decimal import Decimal",
        "from uuid import UUID",
        "from typeinfo import *",
        "from typeinfo.row import make_row",
        "from typeinfo.testing.strategies import *",
        "nan, inf = float('nan'), float('inf')",
        "import datetime",
        "def failing(drawn): return drawn",
    ]
    assert same(made(printed, imports), seen[-1]), shown


def test_what_ipython_shows() -> None:
    from hypothesis.vendor.pretty import pretty  # the same protocol

    with contextlib.redirect_stdout(io.StringIO()):
        assert pretty([Types.INT(), Row(1), Instant(0)]) == "[Types.INT(), Row(1), Instant(0, 0)]"
