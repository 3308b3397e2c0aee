"""Types and values are printed as source that makes them, and reproductions run where they are pasted."""

from __future__ import annotations

import datetime
import subprocess
import sys
import zoneinfo
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import pretty

from typeinfo import Instant, Row, RowKind, TypeInformation, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.row import make_row
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.testing.laws import LawViolation, Subject, check_keys, check_round_trip
from typeinfo.testing.reproduction import reproduction, source
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import RECORDS, Colour, Level, Pair, Reading, batches, type_infos, values

LONG = Types.LONG()


def pasted(value: Any) -> Any:
    """Return the value that the source of a value evaluates to, as an argument in the laws' module."""
    *imports, _, _ = reproduction("law", value).splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(line for line in imports if line != "# law cannot be imported: define it here"), names)
    return eval(source(value), names)


@given(type_infos())
@settings(max_examples=50, suppress_health_check=list(HealthCheck))
def test_any_type_can_be_pasted(t: TypeInformation[Any]) -> None:
    assert pasted(t) == t


@given(st.data())
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_any_batch_can_be_pasted(data: st.DataObject) -> None:
    batch = data.draw(batches(data.draw(type_infos())))
    assert same(pasted(batch), batch)


class Price:
    """Defines no repr."""

    def __init__(self, cents: int, currency: str | None = None) -> None:
        self._cents, self.currency = cents, currency


WRITTEN = [
    *((t, None) for t in RECORDS),
    (Types.ROW_NAMED(["a"], [Types.INT()]), "Types.ROW_NAMED(['a'], [Types.INT()])"),
    (
        Types.MAP(Types.STRING(), Types.LIST(Types.BYTE())),
        "Types.MAP(Types.STRING(), Types.LIST(Types.BYTE()))",
    ),
    (Types.of(int | None), "OptionalTypeInfo(value_type=Types.LONG())"),
    (Types.of(Literal["a", "b"]), "LiteralTypeInfo(values=('a', 'b'), value_type=Types.STRING())"),
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
    (float("-inf"), "-inf"),
    (Decimal("1.50"), "Decimal('1.50')"),
    (Fraction(1, 3), "Fraction(1, 3)"),
    (UUID(int=1), "UUID('00000000-0000-0000-0000-000000000001')"),
    (Instant(-1, 5), "Instant(-1, 5)"),
    (datetime.timedelta(days=1), "datetime.timedelta(days=1)"),
    (datetime.time(1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), None),
    (Level.HIGH, "Level.HIGH"),
    (Pair(None, datetime.date(2024, 1, 2)), "Pair(left=None, right=datetime.date(2024, 1, 2))"),
    (Reading("a", None, ["b"]), "Reading(city='a', celsius=None, tags=['b'])"),
    ([Price(1)], "[Price(cents=1, currency=None)]"),
    ("x" * 65_537, "'x' * 65537"),
    (list(range(1_000)), "list(range(1000))"),
    ([[]] * 200, "[[] for _ in range(200)]"),
    (partial(make_row, [1], fields=["a"]), "functools.partial(make_row, [1], fields=['a'])"),
    ([np.array([1.5]), np.float64(1.5), float("nan")], "[array([1.5]), np.float64(1.5), nan]"),
]


@pytest.mark.parametrize(("value", "text"), WRITTEN, ids=str)
def test_source_makes_the_same_again(value: Any, text: str | None) -> None:
    assert text is None or source(value) == text
    back = pasted(value)
    assert back == value if isinstance(value, TypeInformation) else same(back, value)


def test_failing_examples_that_hypothesis_prints_can_be_pasted() -> None:
    t = Types.TUPLE([Types.ROW_NAMED(["a", "b"], [Types.BIG_DEC(), Types.LONG()]), Types.INSTANT()])

    @given(values(t))
    @settings(max_examples=1, print_blob=False, suppress_health_check=list(HealthCheck))
    def failing(drawn: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        failing()
    assert "(Row(a=None, b=None), Instant(0, 0))" in "\n".join(caught.value.__notes__)
    assert pretty([Types.INT(), Row(1), Instant(0)]) == "[Types.INT(), Row(1), Instant(0, 0)]"


class Caps(ColumnarSerializer[int]):
    """Loses what exceeds a limit."""

    def __init__(self, t: TypeInformation[int], limit: int, *, name: str = "x") -> None:
        super().__init__(t)
        self.limit, self._name = limit, name

    def deserialize(self, data: bytes) -> list[int]:
        return [min(value, self.limit) for value in super().deserialize(data)]


class PassesOn(Caps):
    """Names none of its parameters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


def violation_of(subject: Any, values: Any) -> LawViolation:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(subject, values)
    return caught.value


def assert_reproduced(violation: LawViolation, **names: Any) -> None:
    with pytest.raises(LawViolation) as caught:
        exec(violation.reproduction(), dict(names))
    assert (caught.value.law, caught.value.reason) == (violation.law, violation.reason)


def test_a_serializer_is_written_with_the_arguments_it_keeps() -> None:
    violation = violation_of(Caps(LONG, 5), [7])
    assert violation.reproduction() == (
        f"from {__name__} import Caps\nfrom typeinfo import Types\n"
        "from typeinfo.testing.laws import check_round_trip\n\n"
        "check_round_trip(Caps(Types.LONG(), limit=5, name='x'), [7])"
    )
    assert_reproduced(violation)


def test_objects_without_source_are_named_in_a_comment() -> None:
    serializer = PassesOn(LONG, 5)
    violation = violation_of(serializer, [7])
    first, *_, call = violation.reproduction().splitlines()
    assert first == "# value_1 is PassesOn<Long>, which cannot be written as source: define it here"
    assert call == "check_round_trip(value_1, [7])"
    assert_reproduced(violation, value_1=serializer)
    assert source([pd.Series([1])]).startswith("[0 1 dtype")
    assert "value_1" in reproduction("law", [pd.Series([1])])


def constant(value: Any) -> bytes:
    return b""


def test_a_subject_is_written_with_its_serializer_and_key_encoder() -> None:
    with pytest.raises(LawViolation) as caught:
        check_keys(Subject(LONG, serializer_for(LONG), constant), [1, 2])
    assert caught.value.reproduction().endswith(
        "check_keys(Subject(Types.LONG(), serializer_for(Types.LONG()), constant), [1, 2])"
    )
    assert_reproduced(caught.value)


def cents(value: Any) -> int:
    return int(value.cents)


def fails(value: Any) -> NoReturn:
    raise KeyError("lost")


def test_local_classes_and_lambdas_are_named_in_a_comment() -> None:
    @dataclass
    class Money:
        cents: int

    violation = violation_of(CustomTypeInfo(Money, LONG, cents, lambda carried: fails(carried)), [Money(3)])
    first, second, *_, call = violation.reproduction().splitlines()
    assert first == "# Money cannot be imported: define it here"
    assert second.startswith(f"# value_1 is a function of {__name__}, line ")
    assert call.endswith("[Money(cents=3)])")
    assert_reproduced(violation, Money=Money, value_1=violation.subject.type.decode)  # type: ignore[attr-defined]


SCRIPT = """
from typeinfo import Types, register_custom_type
from typeinfo.testing.laws import LawViolation, check_round_trip

class Celsius:
    def __init__(self, degrees: float) -> None:
        self.degrees = degrees

register_custom_type(Celsius, Types.DOUBLE(), lambda c: c.degrees, lambda x: Celsius(abs(x)))
try:
    check_round_trip(Celsius, [Celsius(-1.0)])
except LawViolation as violation:
    print(violation.reproduction())
"""


def test_a_reproduction_of_a_script_runs_at_its_end(tmp_path: Path) -> None:
    def run(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, "utf-8")
        done = subprocess.run(
            [sys.executable, str(tmp_path / name)], capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    found = run("weather.py", SCRIPT)
    assert found.splitlines() == [
        "# Celsius is defined in the script weather.py: paste this program there",
        "from typeinfo.testing.laws import check_round_trip",
        "",
        "check_round_trip(Celsius, [Celsius(degrees=-1.0)])",
    ]
    assert "LawViolation: check_round_trip does not hold" in run("other.py", SCRIPT + found)
