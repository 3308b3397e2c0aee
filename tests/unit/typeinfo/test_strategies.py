"""Strategies of types, values, batches and streams, and their registration with Hypothesis."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from typeinfo import Instant, Row, TypeCheckError, TypeInformation, Types, UnsupportedTypeError
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import serializer_for
from typeinfo.testing.invalid_values import misfits
from typeinfo.testing.laws import check_all, check_round_trip
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import (
    Event,
    EventStream,
    Pair,
    Reading,
    ValuesError,
    Watermark,
    batches,
    event_streams,
    invalid_values,
    records,
    register_values,
    row_types,
    type_infos,
    values,
)

QUIET = settings(max_examples=30, suppress_health_check=list(HealthCheck))


def test_hypothesis_loads_the_hook_and_nothing_heavy() -> None:
    program = "import hypothesis, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "typeinfo.testing.hypothesis_hook" in loaded
    assert loaded.isdisjoint({"pyarrow", "numpy", "pyspark", "typeinfo.testing.strategies", "typeinfo.serde"})


@given(st.from_type(TypeInformation), st.from_type(Row), st.from_type(Instant))
@QUIET
def test_from_type_draws_values(t: TypeInformation[Any], row: Row[Any], instant: Instant) -> None:
    assert isinstance(t, TypeInformation)
    assert isinstance(row, Row)
    assert isinstance(instant, Instant)


@given(st.from_type(Row[tuple[int, str]]))
def test_from_type_draws_the_annotated_rows(row: Row[tuple[int, str]]) -> None:
    expected = Types.ROW([Types.LONG(), Types.STRING()])
    assert serializer_for(expected).conform([row]) == [row]


@given(st.data())
@QUIET
def test_batches_hold_values_of_their_type(data: st.DataObject) -> None:
    t = data.draw(type_infos())
    batch = data.draw(batches(t, min_size=1, max_size=3))
    assert 1 <= len(batch) <= 3
    assert same(serializer_for(t).conform(batch), batch)


def test_batches_hold_values_twice_but_not_one_object() -> None:
    twice = find(batches(Types.LIST(Types.LONG())), lambda batch: len(batch) > len({str(v) for v in batch}))
    assert twice == [[], []]
    assert twice[0] is not twice[1]


def test_records_are_of_their_class() -> None:
    assert find(records(Reading), lambda reading: bool(reading.tags)) == Reading("", None, [""])
    assert find(records(Pair), lambda pair: pair.left is not None).left == 0


@given(st.data())
@QUIET
def test_invalid_values_are_refused(data: st.DataObject) -> None:
    t = data.draw(type_infos(max_leaves=4).filter(lambda t: t != Types.PICKLED_BYTE_ARRAY))
    wrong = data.draw(invalid_values(t))
    with pytest.raises(TypeCheckError):
        serializer_for(t).conform([wrong])


def test_pickled_elements_have_no_invalid_values() -> None:
    assert invalid_values(Types.PICKLED_BYTE_ARRAY).is_empty


def test_no_strategy_filters() -> None:
    """A strategy that filters starves where types are nested; ``filter`` is not called at all."""
    from pathlib import Path

    import typeinfo.testing.strategies

    for module in Path(typeinfo.testing.strategies.__file__).parent.glob("*.py"):
        text = module.read_text("utf-8")
        assert ".filter(" not in text
        assert "assume(" not in text


class Even:
    """Made of even numbers alone."""

    def __init__(self, number: int) -> None:
        if number % 2:
            raise ValueError("odd")
        self.number = number


class Plain:
    """Says nothing of its parameters."""

    def __init__(self, held):  # type: ignore[no-untyped-def]
        self.held = held


class Typed:
    """Annotates its parameters."""

    def __init__(self, count: int, *, names: "list[str] | None") -> None:  # noqa: UP037
        self.count, self.names = count, names


@dataclass
class Ordered:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("the wrong way round")


def of_number(even: Even) -> int:
    return even.number


def of_held(plain: Plain) -> int:
    return plain.held * 1


def of_typed(typed: Typed) -> str:
    return repr(vars(typed))


def test_values_of_custom_types() -> None:
    plain = values(CustomTypeInfo(Plain, Types.BYTE(), of_held, Plain))
    assert {
        type(found) for found in (find(plain, lambda p: p.held > 100), find(plain, lambda p: p.held < -100))
    } == {Plain}
    typed = values(CustomTypeInfo(Typed, Types.STRING(), of_typed, eval))
    assert find(typed, lambda t: t.names is not None).names == []
    assert find(typed, lambda t: t.count > 2**40)


def test_registered_values_are_used_everywhere() -> None:
    register_values(Even, st.integers(0, 9).map(lambda n: Even(2 * n)))
    t = CustomTypeInfo(Even, Types.LONG(), of_number, Even)
    assert find(values(Types.LIST(t)), lambda evens: len(evens) > 1)[0].number == 0
    assert find(st.from_type(Even), lambda even: even.number > 3).number == 4

    register_values(Ordered, st.integers(0, 9).map(lambda n: Ordered(n, n + 1)))
    assert find(records(Ordered), lambda ordered: True) == Ordered(0, 1)


def test_edges_come_up() -> None:
    for wanted in (-(2**31), 2**31 - 1, -1):
        assert find(values(Types.INT()), lambda n, wanted=wanted: n == wanted) == wanted
    assert find(values(Types.STRING()), lambda text: "\0" in text) == "\0"
    assert find(values(Types.DOUBLE()), lambda x: x == 0 and str(x) == "-0.0") == 0


@given(row_types())
@QUIET
def test_row_types_are_types_of_rows(t: TypeInformation[Any]) -> None:
    assert str(t).startswith("RowTypeInfo(")


def test_a_type_that_is_unknown_has_no_values() -> None:
    class Strange(TypeInformation[int]):
        """Not of this library."""

    with pytest.raises(UnsupportedTypeError, match="there is no strategy for"):
        values(Strange())


def test_misfits_of_custom_types_are_other_classes() -> None:
    t = CustomTypeInfo(Plain, Types.BYTE(), of_held, Plain)
    assert all(not isinstance(misfit.value, Plain) for misfit in misfits(t, Plain(1)))


class Total:
    """Adds up the numbers of a dict it is made of."""

    def __init__(self, parts: dict[str, int]) -> None:
        self.parts, self.total = parts, sum(parts.values())


T = TypeVar("T")
Amounts: TypeAlias = dict[str, int]


@dataclass
class Bill:
    amounts: Amounts
    rebates: dict[str, int | None]
    lines: list[dict[str, tuple[int, dict[int, float]]]]
    row: Row[tuple[int, int | None]]
    given: Annotated[Row[Any], Types.ROW([Types.INT()])]
    total: Annotated[int, Types.BIG_INT()] = field(init=False)

    def __post_init__(self) -> None:
        self.total = sum(self.amounts.values())


@dataclass
class Crate(Generic[T]):
    """Nothing but an annotation knows of its argument."""

    content: T


class Sums(NamedTuple):
    """Holds a record that holds a dict."""

    bills: dict[str, Bill]


def has_none(value: Any) -> bool:
    if isinstance(value, dict):
        return has_none([*value.values()])
    if isinstance(value, (list, tuple, Row)):
        return any(part is None or has_none(part) for part in value)
    return False


@given(records(Bill), records(Sums), records(Crate[dict[str, int]]), records(dict[str, int]))
@QUIET
def test_none_comes_up_only_where_annotations_admit_it(
    bill: Bill, sums: Sums, crate: Any, plain: Any
) -> None:
    bills = [bill, *sums.bills.values()]
    assert None not in bills
    for one in bills:
        assert not has_none([one.amounts, one.lines, one.row[0]])
    assert not has_none([crate.content, plain])


@pytest.mark.parametrize(
    "place",
    [
        lambda bill: bill.rebates.values(),
        lambda bill: [bill.row[1]],
        lambda bill: [*bill.given],
    ],
)
def test_none_comes_up_where_annotations_admit_it(place: Any) -> None:
    find(records(Bill), lambda bill: None in place(bill), settings=settings(phases=[Phase.generate]))


def test_none_comes_up_where_types_admit_it() -> None:
    numbers = Types.of(dict[str, int])
    for t in (numbers, Types.LIST(numbers), Types.of(Crate[dict[str, int]])):
        found = find(values(t), lambda value: has_none(getattr(value, "content", value)))
        assert serializer_for(t).conform([found])
    assert has_none(find(values(Types.ROW([Types.INT()])), has_none))


def test_laws_apply_to_classes_that_add_up_a_dict() -> None:
    t = CustomTypeInfo(Total, Types.of(dict[str, int]), lambda total: total.parts, Total)
    for subject in (Bill, Types.LIST(Types.of(Bill)), t):
        check_round_trip(subject, examples=10)


@given(st.from_type(Row[tuple[int, int | None]]))
@QUIET
def test_from_type_draws_none_only_where_annotated(row: Row[tuple[int, int | None]]) -> None:
    assert row[0] is not None


STREAMS = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 3), st.booleans(), st.booleans())


@given(st.data(), STREAMS)
@settings(max_examples=100)
def test_a_stream_keeps_its_bounds(data: st.DataObject, bounds: tuple[int, int, int, bool, bool]) -> None:
    disorder, lateness, channels, duplicates, watermarks = bounds
    stream = data.draw(
        event_streams(
            st.integers(),
            max_disorder=disorder,
            max_lateness=lateness,
            channels=channels,
            duplicates=duplicates,
            watermarks=watermarks,
            start=100,
        )
    )
    assert stream.disorder() <= disorder
    assert all(item.channel < channels for item in stream)
    assert all(event.timestamp >= 100 for event in stream.events())
    assert watermarks or not stream.watermarks()
    if not duplicates:
        assert len(stream.events()) <= 8
    assert max(Counter(event.timestamp for event in stream.events()).values(), default=0) <= 16
    for channel in range(channels):
        marks = [mark.timestamp for mark in stream.channel(channel).watermarks()]
        assert marks == sorted(set(marks))
        passed = -(2**63)
        for item in stream.channel(channel):
            if isinstance(item, Watermark):
                passed = item.timestamp
            else:
                assert passed < item.timestamp + lateness
    assert lateness or not stream.late()


@pytest.mark.parametrize(
    ("arguments", "wanted", "smallest"),
    [
        ({"max_disorder": 5}, lambda s: s.disorder() > 0, [Event(0, 1), Event(0, 0)]),
        ({"duplicates": True}, lambda s: len(set(s.events())) < len(s.events()), [Event(0, 0), Event(0, 0)]),
        ({}, lambda s: s.watermarks(), [Event(0, 0), Watermark(-1)]),
        ({"channels": 2}, lambda s: len(s.channel(1)) > 0, [Event(0, 0, 1)]),
    ],
    ids=["disorder", "duplicates", "watermarks", "channels"],
)
def test_streams_meet_their_bounds_and_shrink(arguments: Any, wanted: Any, smallest: list[Any]) -> None:
    stream = find(event_streams(st.integers(), **arguments), lambda s: bool(wanted(s)))
    assert list(stream) == smallest


def test_late_events_come_where_they_were_asked_for() -> None:
    streams = event_streams(st.integers(), max_lateness=5)
    stream = find(streams, lambda s: bool(s.late()), settings=settings(phases=[Phase.generate]))
    assert all(
        mark.timestamp >= event.timestamp for event in stream.late() for mark in stream.watermarks()[-1:]
    )


def test_properties_of_a_stream() -> None:
    events = [Event("a", 5), Event("b", 3), Event("c", 9, 1)]
    stream = EventStream((events[0], Watermark(4), events[1], events[2]))
    assert stream.events() == events
    assert stream.in_order() == [events[1], events[0], events[2]]
    assert stream.late() == [events[1]]
    assert stream.disorder() == 2
    assert len(stream) == 4
    pushed: list[Any] = []
    stream.replay(lambda value, timestamp: pushed.append((value, timestamp)), pushed.append)
    assert pushed == [("a", 5), 4, ("b", 3), ("c", 9)]


@pytest.mark.parametrize(
    "bad", [{"max_disorder": -1}, {"channels": 0}, {"max_lateness": -1}, {"max_size": -1}]
)
def test_negative_bounds_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="cannot be negative"):
        event_streams(st.none(), **bad)  # type: ignore[arg-type]


class Refusing:
    """Says nothing of its parameter."""

    def __init__(self, count):
        if count < 0:
            raise ValueError("negative")
        self.count = count


def refused_count(refusing: Refusing) -> int:
    return refusing.count


@dataclass
class OwnInit:
    """A dataclass whose constructor takes something other than its fields."""

    size: int

    def __init__(self, text: str) -> None:
        self.size = len(text)


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (
            CustomTypeInfo(Refusing, Types.LONG(), refused_count, Refusing),
            "Refusing cannot be decoded from -1: negative; call register_values(Refusing, ...)",
        ),
        (
            Types.of(list[OwnInit]),
            "OwnInit(size=0) cannot be made: OwnInit.__init__() got an unexpected keyword argument 'size';"
            " call register_values(OwnInit, ...)",
        ),
    ],
    ids=["decoded", "own __init__"],
)
def test_the_error_of_a_value_that_cannot_be_made_names_its_arguments(subject: Any, message: str) -> None:
    with pytest.raises(ValuesError) as caught:
        check_all(subject)
    assert str(caught.value) == message
    assert caught.value.__context__ is None
