"""A reproduction runs where it is pasted, whatever values and classes users have, or says what it lacks."""

from __future__ import annotations

import collections
import datetime
import enum
import functools
import random
import subprocess
import sys
import threading
import types
import zoneinfo
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn
from uuid import UUID

import numpy as np
import pandas as pd
import pytest

from typeinfo import Instant, Row, RowKind, TypeInformation, Types, register_custom_type
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.serde.keys import key_encoder
from typeinfo.testing.laws import LawViolation, Subject, check_all, check_keys, check_round_trip
from typeinfo.testing.rebuilding import Likeness, likeness, repr_of
from typeinfo.testing.reproduction import Source, source
from typeinfo.testing.source_names import Scope, Unwritable

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


class Perm(enum.Flag):
    READ = 1
    WRITE = 2


Odd = enum.Enum("Odd", {"two words": 1, "class": 2}, module=__name__)


class Plain:
    def __init__(self, a: int) -> None:
        self.a = a


class Hidden:
    """As attrs does with names that begin with an underscore."""

    def __init__(self, cents: int) -> None:
        self._cents = cents

    def read(self) -> int:
        return self._cents


class Doubles:
    """Its attribute is not what its parameter was."""

    def __init__(self, a: int) -> None:
        self.a = 2 * a


class Lies:
    """Its repr is a call that makes something else."""

    def __init__(self, *parts: int) -> None:
        self.parts = parts[::-1]

    def __repr__(self) -> str:
        return f"Lies({', '.join(map(str, self.parts))})"


class Elsewhere:
    """Its repr names what nobody imports."""

    def __init__(self, *parts: int) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return f"shop.model.Elsewhere{self.parts}"


class Forgetful:
    """Its ``==`` and its constructor leave out an attribute."""

    note = ""

    def __init__(self, id: int) -> None:
        self.id = id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Forgetful) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


class Unkept:
    """Takes what it does not keep."""

    def __init__(self, given: int) -> None:
        pass


class Wraps:
    """Holds its argument in a list."""

    def __init__(self, parts: Any) -> None:
        self.parts = [parts]


class Computed:
    """Its repr takes long to evaluate."""

    def __repr__(self) -> str:
        return "2 ** 3"


class AnswersAll:
    """Fails for attributes it does not have, in its own way."""

    def __init__(self, **parts: int) -> None:
        self.__dict__["parts"] = parts

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["parts"][name]


class NeverEqual:
    """Cannot be compared."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


class Slots:
    __slots__ = ("__held", "unset")

    def __init__(self, first: int, /) -> None:
        self.__held = first


class Dangerous:
    """Its repr is code."""

    def __init__(self, *parts: int) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return "exit()"


@dataclass
class Inner:
    at: datetime.datetime
    tags: frozenset[Perm] = frozenset()


@dataclass
class Outer:
    inner: Inner
    total: float = field(init=False, default=0.0)


@dataclass
class Counted:
    seed: InitVar[int]
    count: int = field(init=False, default=0)

    def __post_init__(self, seed: int) -> None:
        self.count = seed * 2


@dataclass(frozen=True, slots=True)
class Frozen:
    price: Decimal
    owner: Plain


@dataclass
class Late:
    """Gets an attribute that is no field."""

    a: int


class Renamed(NamedTuple):
    a: int

    @property
    def double(self) -> int:
        return 2 * self.a


class Checked(NamedTuple("_Checked", [("a", int)])):
    def __new__(cls, *numbers: int) -> Checked:
        return super().__new__(cls, sum(numbers))


class Bag(dict[str, Any]):
    """A dict of one's own."""


class Label(str):
    """A str of one's own."""


class Meters(float):
    """A float of one's own."""


class Zone(datetime.tzinfo):
    def utcoffset(self, dt: Any) -> datetime.timedelta:
        return datetime.timedelta(hours=1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Zone)

    def __hash__(self) -> int:
        return 0


Odd.__doc__ = "Made by a call."
triple = lambda value: 3 * value  # noqa: E731 - it has no name of its own


@functools.cache
def cached(value: int) -> int:
    """Return what it is given."""
    return value


def with_note(value: Any, **attributes: Any) -> Any:
    for name, held in attributes.items():
        setattr(value, name, held)
    return value


def set_total(outer: Outer) -> Outer:
    outer.total = 1.5
    return outer


@functools.cache
def same_name() -> type[Any]:
    module = types.ModuleType("shop_of_another")
    exec("class Plain:\n    def __init__(self, a): self.a = a\n", vars(module))
    sys.modules[module.__name__] = module
    return vars(module)["Plain"]  # type: ignore[no-any-return]


AT = datetime.datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)
VALUES: dict[str, Any] = {
    "enum members": [Odd["two words"], Odd["class"]],
    "flags": [Perm.READ, Perm.READ | Perm.WRITE, Perm(0), Perm.WRITE],
    "decimals": [Decimal("1.50"), Decimal("NaN"), Decimal("-0")],
    "uuid": UUID(int=7),
    "named tuples": [Renamed(1), Checked(1, 2)],
    "nested dataclasses": Outer(Inner(AT, frozenset({Perm.READ, Perm.WRITE}))),
    "a field that the constructor does not take": set_total(Outer(Inner(AT))),
    "a parameter that is no field": Counted(4),
    "a frozen dataclass with slots": Frozen(Decimal("1"), Plain(1)),
    "an attribute that is no field": with_note(Late(1), note="x"),
    "an attribute that does not count": with_note(Forgetful(1), note="x"),
    "an attribute as the parameter": Plain(1),
    "an attribute with an underscore": Hidden(1),
    "an attribute that was another argument": Doubles(1),
    "a repr that lies": Lies(1, 2),
    "a repr of a name that is not known": Elsewhere(1, 2),
    "a repr that is code": Dangerous(1),
    "slots": Slots(3),
    "what fails when it is asked": [AnswersAll(a=1), NeverEqual(1)],
    "annotations": [list[int], dict[str, Plain] | None, Literal["a"]],
    "wrapped functions": cached,
    "dict subclasses": [Bag(a=1), collections.OrderedDict(b=2), collections.Counter("aab")],
    "a dict subclass with attributes": with_note(Bag(a=1), note=[Plain(2)]),
    "a default dict": collections.defaultdict(list, a=[1]),
    "a deque": collections.deque([Perm.READ], maxlen=3),
    "other subclasses": [Label("x"), Meters(1.5), Meters("nan")],
    "zoned": [AT, AT.replace(fold=1), AT.timetz(), datetime.datetime(1, 1, 1, tzinfo=Zone())],
    "a fixed zone": datetime.datetime(
        2024, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2), "CEST")
    ),
    "periods": [datetime.timedelta(days=-1, microseconds=3), datetime.time(1, 2, fold=1)],
    "bytes": [b"\0'\"", bytearray(b"x"), ""],
    "floats": [float("nan"), float("-inf"), -0.0, complex(-0.0, float("inf")), complex("nan")],
    "numbers": [True, 10**5000, range(3), Fraction(1, 3)],
    "sets": [set(), frozenset(), {1, "a"}, frozenset({Renamed(1)}), {Perm.READ}],
    "rows": [Row(a=Plain(1)), Row.of_kind(RowKind.DELETE, AT), Row()],
    "instants": Instant(-1, 5),
    "numpy arrays": [np.array([1, 2]), np.array([1.5, np.nan], np.float32), np.array([0.1 + 1e-12])],
    "numpy scalars": [np.float64(1.5), np.int8(3), np.str_("x"), np.datetime64("2024-01-01")],
    "pandas": [pd.Timestamp("2024-01-01", tz="UTC"), pd.DataFrame({"a": [1, 2]}), pd.Series([1.5])],
    "random": random.Random(3),
    "functions": [
        triple,
        Decimal.quantize,
        Plain(1).__init__,
        "abc".upper,
        len,
        functools.partial(triple, 1),
    ],  # type: ignore[misc]
    "classes": [Plain, Decimal, int, type(None), types.SimpleNamespace(a=Plain(1))],
    "exceptions": [ValueError("x", 1), LookupError()],
    "names that are taken": [Plain(1), same_name()(2), datetime.datetime, datetime.date(1, 1, 1)],
}


def pasted(value: Any) -> Any:
    written = Source()
    text = written.of(value)
    names: dict[str, Any] = {}
    exec("\n".join(written.imports()), names)
    return eval(text, names)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_what_is_written_makes_the_same_again(value: Any) -> None:
    assert likeness(pasted(value), value) is Likeness.FULL
    assert not any(line.startswith("#") for line in _lines_of(value))


def _lines_of(value: Any) -> list[str]:
    written = Source()
    written.of(value)
    return written.imports()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Perm.READ | Perm.WRITE, "Perm(3)"),
        (Odd["two words"], "Odd['two words']"),
        (Hidden(1), "Hidden(cents=1)"),
        (Doubles(1), "restored(Doubles, a=2)"),
        (Lies(1, 2), "restored(Lies, parts=(2, 1))"),
        (set_total(Outer(Inner(AT))).inner.at, source(AT)),
        (Slots(3), "restored(Slots, _Slots__held=3)"),
        (Bag(a=Plain(1)), "Bag({'a': Plain(a=1)})"),
        (np.array([1, 2]), "array([1, 2])"),
        (np.array([1.5, np.nan]), "array([1.5, nan])"),
        (np.float64(1.5), "np.float64(1.5)"),
        (AT, "datetime.datetime(2024, 10, 27, 2, 30, tzinfo=zoneinfo.ZoneInfo(key='Europe/Berlin'))"),
        ({8, 1}, "{1, 8}"),
        (Unkept(1), None),
        (triple, "triple"),
        (Decimal.quantize, "Decimal.quantize"),
        ("abc".upper, "'abc'.upper"),
        (random.Random(3), None),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_it_is_as_short_as_can_be(value: Any, text: str | None) -> None:
    assert source(value) == text if text else source(value).startswith("pickle.loads(")


@pytest.mark.parametrize(
    "array", [np.array([1 / 3, 1e-20]), np.zeros((2, 1_001), bool), np.array([0.1 + 1j / 3])], ids=repr
)
def test_arrays_are_written_on_one_line_with_all_elements_and_digits(array: Any) -> None:
    written = source([array])
    assert written.startswith("[array([")
    assert "\n" not in written
    assert likeness(pasted(array), array) is Likeness.FULL


UNWRITTEN = [(number for number in ()), memoryview(b"x"), sys._getframe()]


@pytest.mark.parametrize("value", UNWRITTEN, ids=lambda value: type(value).__name__)
def test_what_cannot_be_written_is_told_to_be_put_in(value: Any) -> None:
    written = Source()
    assert written.of([value, Plain(1), value]) == "[value_1, Plain(a=1), value_1]"
    note, _ = written.imports()
    assert note.startswith(f"# value_1 is {repr(value)[:20]}")
    assert note.endswith("which cannot be written down: put it in")
    assert source((1, value)) == f"(1, {value!r})"


def test_what_contains_itself_is_pickled() -> None:
    node = with_note(Plain(0))
    node.a = [{"up": node}]
    back = pasted([node])[0]
    assert back.a[0]["up"] is back
    one, other = with_note(Plain(0)), with_note(Plain(0))
    one.a, other.a = other, one
    back = pasted(one)
    assert back.a.a is back
    endless: list[Any] = []
    endless.append(endless)
    back = pasted(endless)
    assert back[0] is back


def test_deep_objects_are_written_in_bounded_time() -> None:
    deep: Any = Wraps(0)
    for _ in range(25):  # each writes its parts in one way that fails, and in another that does not
        deep = Wraps(deep)
    assert likeness(pasted(deep), deep) is Likeness.FULL


def test_names_that_are_taken_are_given_others() -> None:
    written = Source()
    assert written.of([Plain(1), same_name()(2)]) == "[Plain(a=1), Plain_2(a=2)]"
    assert f"from {same_name().__module__} import Plain as Plain_2" in written.imports()
    assert written.of(datetime.datetime) == "datetime_2"


def test_a_repr_is_evaluated_only_if_it_is_no_more_than_calls() -> None:
    with pytest.raises(Unwritable):
        repr_of(Computed(), Scope())


def test_what_was_tried_in_vain_is_not_imported() -> None:
    written = Source()
    written.of(Elsewhere(1))
    assert written.imports() == [
        f"from {__name__} import Elsewhere",
        "from typeinfo.testing.rebuilding import restored",
    ]


class Caps(ColumnarSerializer[int]):
    """Loses what is beyond a limit."""

    def __init__(self, t: TypeInformation[int], limit: int, *, name: str = "x") -> None:
        super().__init__(t)
        self.limit, self._name = limit, name

    def deserialize(self, data: bytes) -> list[int]:
        return [min(value, self.limit) for value in super().deserialize(data)]


class CapsFirst(Caps):
    """Its type comes last."""

    def __init__(self, limit: int, t: TypeInformation[int]) -> None:
        super().__init__(t, limit)


class PassesOn(Caps):
    """Shows no parameter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OfLong(Caps):
    """Takes nothing."""

    def __init__(self) -> None:
        super().__init__(Types.LONG(), 5)


class KeepsElsewhere(Caps):
    """Keeps its argument under another name."""

    def __init__(self, t: TypeInformation[int], most: int) -> None:
        super().__init__(t, most)


class Keeps(KeepsElsewhere):
    """Shows its arguments."""

    def __repr__(self) -> str:
        return f"Keeps(Types.LONG(), {self.limit})"


@dataclass(eq=False)
class CapsAsDataclass(Caps):
    """Its fields are its arguments."""

    t: TypeInformation[int]
    limit: int

    def __post_init__(self) -> None:
        super().__init__(self.t, self.limit)


LONG = Types.LONG()
SERIALIZERS = [
    (Caps(LONG, 5), "Caps(Types.LONG(), limit=5, name='x')"),
    (Caps(LONG, 5, name="y"), "Caps(Types.LONG(), limit=5, name='y')"),
    (CapsFirst(5, LONG), "CapsFirst(limit=5, t=Types.LONG())"),
    (OfLong(), "OfLong()"),
    (Keeps(LONG, 5), "Keeps(Types.LONG(), 5)"),
    (CapsAsDataclass(LONG, 5), "CapsAsDataclass(Types.LONG(), limit=5)"),
]


def shown(subject: Any, values: Any = None) -> LawViolation:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(subject, values)
    return caught.value


def broken_again(violation: LawViolation, **names: Any) -> None:
    """Run a reproduction, which must break the same law in the same way."""
    with pytest.raises(LawViolation) as caught:
        exec(violation.reproduction(), dict(names))
    assert (caught.value.law, caught.value.reason) == (violation.law, violation.reason)


@pytest.mark.parametrize(("serializer", "text"), SERIALIZERS, ids=[text for _, text in SERIALIZERS])
def test_a_serializer_is_written_with_its_arguments(serializer: Any, text: str) -> None:
    violation = shown(serializer, [7])
    reproduction = violation.reproduction()
    assert f"check_round_trip({text}, [7])" in reproduction
    assert "import Types" not in reproduction.replace("from typeinfo import Types\n", "")
    assert f"from {__name__} import {type(serializer).__name__}\n" in reproduction
    broken_again(violation)


@pytest.mark.parametrize("serializer", [PassesOn(LONG, 5), KeepsElsewhere(LONG, 5)], ids=repr)
def test_a_serializer_that_does_not_keep_its_arguments_is_to_be_put_in(serializer: Any) -> None:
    violation = shown(serializer, [7])
    first, *_, call = violation.reproduction().splitlines()
    assert first == f"# serializer_1 is {serializer!r}, which cannot be written down: put it in"
    assert call == "check_round_trip(serializer_1, [7])"
    broken_again(violation, serializer_1=serializer)


def test_a_serializer_that_was_changed_is_not_written_as_if_it_were_not() -> None:
    changed = with_note(Caps(LONG, 5), conform=triple)
    violation = shown(changed, [7])
    assert "check_round_trip(serializer_1, [7])" in violation.reproduction()
    broken_again(violation, serializer_1=changed)


def test_a_subject_is_written_with_all_it_has() -> None:
    violation = shown(Subject(LONG, Caps(LONG, 5), key_encoder(LONG)), [7])
    broken_again(violation)
    with pytest.raises(LawViolation) as caught:
        check_keys(Subject(LONG, serializer_for(LONG), _constant), [1, 2])
    assert caught.value.reproduction().endswith(
        "check_keys(Subject(Types.LONG(), serializer_for(Types.LONG()), _constant), [1, 2])"
    )
    broken_again(caught.value)


def _constant(value: Any) -> bytes:
    return b""


def fails(value: Any) -> NoReturn:
    raise KeyError("lost")


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_reproduction_of_any_value_breaks_the_law_again(value: Any) -> None:
    broken_again(shown(WritesNothing(Types.PICKLED_BYTE_ARRAY()), [Holder(value)]))


class WritesNothing(ColumnarSerializer[Any]):
    """Fails whatever it is given."""

    def to_batch(self, values: list[Any], conformed: bool = False) -> NoReturn:
        raise KeyError("lost")


class Holder:
    """Of any value."""

    def __init__(self, held: Any) -> None:
        self.held = held


class TestWithinAFunction:
    def test_a_class_is_told_to_be_there(self) -> None:
        @dataclass
        class Money:
            cents: int
            owner: Any = None

            def __post_init__(self) -> None:
                self.cents = abs(self.cents)

        violation = shown(CustomTypeInfo(Money, LONG, money_cents, fails), [Money(-3, Money(4))])
        text = violation.reproduction()
        assert text.splitlines()[0] == (
            "# Money is defined inside TestWithinAFunction.test_a_class_is_told_to_be_there of"
            f" {__name__}: paste this there"
        )
        assert "import Money" not in text
        assert text.endswith("[Money(cents=3, owner=Money(cents=4, owner=None))])")
        broken_again(violation, Money=Money)

    def test_an_instance_that_nothing_else_makes_is_restored(self) -> None:
        class Hides:
            def __init__(self, *given: int) -> None:
                self.held = given[::-1]

        assert source(Hides(1, 2)) == "restored(Hides, held=(2, 1))"

    def test_functions_without_a_name_are_to_be_put_in(self) -> None:
        encode: Callable[[Any], int] = lambda holder: 1  # noqa: E731
        decode = lambda carried: fails(carried)  # noqa: E731
        violation = shown(CustomTypeInfo(Holder, LONG, encode, decode), [Holder(1)])
        lines = violation.reproduction().splitlines()
        line = encode.__code__.co_firstlineno
        assert lines[0] == f"# function_1 is a function of {__name__} in line {line}: put it in"
        assert lines[1] == f"# function_2 is a function of {__name__} in line {line + 1}: put it in"
        broken_again(violation, function_1=encode, function_2=decode)


def money_cents(money: Any) -> int:
    return int(money.cents)


def test_what_types_of_knows_is_written_as_the_type() -> None:
    check_all(list[int], [[1]])
    broken = register_custom_type(Forgetful, LONG, _id, fails)
    try:
        violation = shown(list[Forgetful], [[Forgetful(1)]])
        assert violation.reproduction().endswith(
            "check_round_trip(Types.LIST(Types.of(Forgetful)), [[Forgetful(id=1)]])"
        )
        broken_again(violation)
        assert Types.of(Forgetful) == broken
    finally:
        register_custom_type(Forgetful, LONG, _id, Forgetful)


def _id(value: Forgetful) -> int:
    return value.id


def test_a_function_that_its_module_does_not_keep_is_to_be_put_in() -> None:
    lost = types.FunctionType(fails.__code__, globals(), "lost")
    lost.__qualname__ = "lost"
    written = Source()
    assert written.of(lost) == "lost"
    assert written.imports() == [f"# lost is lost, which {__name__} does not keep under that name: put it in"]


def test_a_type_of_nameless_functions_is_imported_where_a_module_keeps_it() -> None:
    violation = shown(NAMELESS, [Holder(1)])
    assert violation.reproduction().endswith("check_round_trip(NAMELESS, [Holder(held=1)])")
    broken_again(violation)
    assert source(LOCKED) == "LOCKED"


NAMELESS = CustomTypeInfo(Holder, LONG, lambda holder: 1, lambda carried: fails(carried))


class Locked:
    """Can be made in no way."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __reduce__(self) -> NoReturn:
        raise TypeError("not pickled")


LOCKED = Locked()

SCRIPT = """
from dataclasses import dataclass
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


PICKLED = """
from typeinfo.testing.reproduction import Source

class Sealed:
    def __reduce__(self):
        return make, ()

    def __init__(self, *given): self.given = given

def make(): return Sealed(2, 1)

class Celsius:
    def __init__(self, *given): self.given = given[::-1]

written = Source()
text = written.of([Sealed(2, 1), Celsius(1)])
print(chr(10).join(written.imports()))
print("print(", text, "[0].given)")
"""


def run(script: Path, text: str) -> str:
    script.write_text(text, "utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_what_is_of_a_script_is_not_imported_and_runs_at_its_end(tmp_path: Path) -> None:
    found = run(tmp_path / "weather.py", SCRIPT)
    assert found.splitlines() == [
        "# Celsius is of the script weather.py: paste this there",
        "from typeinfo.testing.laws import check_round_trip",
        "",
        "check_round_trip(Celsius, [Celsius(degrees=-1.0)])",
    ]
    assert "LawViolation: check_round_trip does not hold" in run(tmp_path / "other.py", SCRIPT + found)


def test_what_is_pickled_of_a_script_is_told_to_be(tmp_path: Path) -> None:
    found = run(tmp_path / "weather.py", PICKLED)
    assert "# what is unpickled is of the script weather.py: paste this there" in found
    assert run(tmp_path / "other.py", PICKLED + found).endswith("(2, 1)\n")
    assert "pickle.loads" in found
