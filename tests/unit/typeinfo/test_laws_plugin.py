"""The pytest plugin: a test for each law and each type a module declares, and none unless it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import typeinfo.testing.laws.search  # noqa: F401 - numpy cannot be loaded again by each run within this one

pytest_plugins = ["pytester"]

MODEL = '''
from dataclasses import dataclass
import decimal
from typing import Generic, NamedTuple, TypedDict, TypeVar

from typeinfo import Types, register_custom_type

T = TypeVar("T")

@dataclass
class Order:
    id: int

@dataclass
class Box(Generic[T]):
    content: T

class Pair(NamedTuple):
    a: int

class Entry(TypedDict):
    b: str

class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

class Nothing:
    """Of no type."""

PRICE = Types.BIG_DEC()
SAME = Types.BIG_DEC()
ANY = Types.PICKLED_BYTE_ARRAY()

def to_cents(money): return money.cents
def to_precision(context): return context.prec

register_custom_type(Money, Types.LONG(), to_cents, Money)
register_custom_type(decimal.Context, Types.LONG(), to_precision, decimal.Context)
'''
BROKEN = """
class Euro:
    def __init__(self, cents: int) -> None:
        self.cents = cents
    def __eq__(self, other):
        return vars(self) == vars(other)

from typeinfo import Types, register_custom_type
def to_euros(euro): return euro.cents // 100
def of_euros(euros): return Euro(euros * 100)
register_custom_type(Euro, Types.LONG(), to_euros, of_euros)
"""
REFUSING = """
import abc
from dataclasses import dataclass

@dataclass
class Stock:
    quantity: int
    def __post_init__(self):
        if self.quantity < 0:
            raise ValueError("negative quantity")

@dataclass
class Shape(abc.ABC):
    width: int
    @abc.abstractmethod
    def area(self): ...
"""
KEYS, SOME, ALL = 11, 10, 9  # how many laws say something of what can be a key, what cannot, and all objects


@pytest.fixture
def shop(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.Pytester]:
    """A project with modules of types."""
    from typeinfo import custom

    monkeypatch.setattr(custom, "_registered", {})
    pytester.makepyfile(shop_model=MODEL, shop_broken=BROKEN, shop_refusing=REFUSING)
    pytester.syspathinsert()
    yield pytester
    for name in ("shop_model", "shop_broken", "shop_refusing"):
        sys.modules.pop(name, None)


def test_nothing_happens_unless_it_is_told_to(shop: pytest.Pytester) -> None:
    shop.makepyfile("def test_nothing(): pass")
    shop.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert "shop_model" not in sys.modules


def test_each_law_is_checked_for_each_type(shop: pytest.Pytester) -> None:
    result = shop.runpytest("--typeinfo-laws=shop_model", "--collect-only", "-q")
    found: dict[str, int] = {}
    for line in result.outlines:
        if "typeinfo-laws[shop_model]::" in line:
            name = line.rpartition("::")[2].partition("-")[0]
            found[name] = found.get(name, 0) + 1
    assert found == {
        "Order": KEYS,
        "Box": 1,
        "Pair": KEYS,
        "Entry": KEYS,
        "Money": SOME,
        "PRICE": KEYS,
        "ANY": ALL,
        "Context": SOME,
    }


def test_they_pass_beside_other_tests_and_can_be_chosen(shop: pytest.Pytester) -> None:
    shop.makepyfile("def test_nothing(): pass")
    options = ("--typeinfo-laws=shop_model", "--typeinfo-laws-examples=3")
    result = shop.runpytest(*options, "-k", "nothing or Order or Box or Money", "-rs")
    result.assert_outcomes(passed=1 + KEYS + SOME, skipped=1, deselected=3 * KEYS + ALL + SOME)
    result.stdout.fnmatch_lines(["*SKIPPED*the type variable T is not bound*"])


def test_a_broken_law_is_shown_with_its_reproduction(shop: pytest.Pytester) -> None:
    shop.makeini("[pytest]\ntypeinfo_laws = shop_broken")
    result = shop.runpytest("-k", "round_trip")
    result.assert_outcomes(failed=1, deselected=SOME - 1)
    result.stdout.fnmatch_lines(
        [
            "check_round_trip does not hold for Euro<Long>: columns of Euro<Long> lose something: *",
            "*from shop_broken import Euro",
            "*from typeinfo import Types",
            "*from typeinfo.testing.laws import check_round_trip",
            "*check_round_trip(Types.of(Euro), [[]Euro(cents=*)])",
        ]
    )
    result.stdout.no_fnmatch_line("*hypothesis/*")


def test_a_broken_type_fails_once(shop: pytest.Pytester) -> None:
    result = shop.runpytest("--typeinfo-laws=shop_broken", "-rs")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1
    assert outcomes["passed"] + outcomes["skipped"] == SOME - 1
    result.stdout.fnmatch_lines(["*SKIPPED*Euro-* has failed*"])


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("shop_missing", "cannot import shop_missing: ModuleNotFoundError"),
        ("shop_raises", "cannot import shop_raises: ZeroDivisionError"),
        ("shop_empty", "shop_empty declares no type"),
    ],
)
def test_a_module_without_types_is_an_error(shop: pytest.Pytester, module: str, message: str) -> None:
    shop.makepyfile(shop_raises="1 / 0", shop_empty="from typeinfo import Types")
    result = shop.runpytest(f"--typeinfo-laws={module}")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*typeinfo-laws: {message}*"])


def test_a_constructor_that_refuses_values_is_reported_in_one_line(shop: pytest.Pytester) -> None:
    result = shop.runpytest_inprocess("--typeinfo-laws=shop_refusing", "-k", "round_trip or Shape", "-rs")
    result.assert_outcomes(failed=1, skipped=1)
    line = "Stock(quantity=-1) cannot be made: negative quantity; call register_values(Stock, ...)"
    result.stdout.fnmatch_lines([line, "*Shape is abstract*"])
    assert "hypothesis" not in result.stdout.str().partition("FAILURES")[2].partition("short test summary")[0]


def test_the_error_of_a_module_not_on_the_path_has_the_remedy(shop: pytest.Pytester) -> None:
    result = shop.runpytest_inprocess("--typeinfo-laws=nowhere.model")
    result.stdout.fnmatch_lines(["*No module named 'nowhere'; run `python -m pytest`, or set `pythonpath*"])
    result = shop.runpytest_inprocess("--typeinfo-laws=shop_model.nowhere")
    result.stdout.no_fnmatch_line("*python -m pytest*")
