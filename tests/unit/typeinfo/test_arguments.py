"""Arguments are checked by the annotations of the parameters that they are given for."""

from __future__ import annotations

import collections.abc
import typing
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import pytest

from typeinfo.arguments import checks_arguments
from typeinfo.errors import PyStreamError

T = TypeVar("T")


class Error(PyStreamError, TypeError):
    """The error of the checks of these tests."""


class Named:
    _from_name = "named({})"


class Shaped(Protocol):
    """Anything with a shape; such classes cannot be checked."""

    def shape(self) -> int: ...


def taking(annotation: str) -> Callable[[Any], Any]:
    """Return a function of one parameter, annotated so."""
    scope = {**vars(typing), **vars(collections.abc), "T": T, "Shaped": Shaped, "Raising": Raising}
    exec(f"def call(given: {annotation!r}): return given", scope)
    checked: Callable[[Any], Any] = checks_arguments(Error)(scope["call"])
    return checked


class Raising:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    __eq__ = __hash__ = __repr__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("annotation", "fitting", "misfits"),
    [
        ("int", [1, -1], [True, 1.5, "1", None, 2**64, Raising()]),
        ("float", [1, 1.5, float("nan")], [True, "1.5", None]),
        ("bool", [True], [1, None, "true"]),
        ("str", ["", "a\0b"], [b"a", 1, None]),
        ("bytes", [b"a", bytearray(b"a")], ["a"]),
        ("str | None", ["a", None], [1]),
        ("Optional[int]", [1, None], ["a"]),
        ("Callable[[int], int] | str", [len, "a", int], [1, None]),
        ("Sequence[str]", [["a"], ("a",), []], ["a", [1], [None], 5]),
        ("Sequence[int]", [[1], range(2), b"a", bytearray(b"a")], ["a", "", ["a"]]),
        ("Sequence[float]", [[1, 0.5]], [b"a", bytearray(b"a"), memoryview(b"a"), "a"]),
        ("Sequence[Raising]", [[Raising()], []], ["a", "", b"a", b"", bytearray(b"a")]),
        ("Sequence[str | Raising]", [["a", Raising()]], ["a", b"a", [b"a"]]),
        ("Iterable[T]", [[1], "ab", b"a", {}], [5]),
        ("Mapping[str, int]", [{"a": 1}], [{1: 1}, {"a": "b"}, ["a"]]),
        ("list[list[int]]", [[[1]], [[]]], [[1], [["a"]]]),
        ("tuple[int, ...]", [(1, 2)], [(1, "a"), [1]]),
        ("Literal['a', 'b'] | int", ["a", 3], ["c", None]),
        ("type[int]", [int, str], [1]),
        ("T | Raising", [1, None, Raising()], []),
        ("Shaped", [1, None], []),
        ("object", [1, None], []),
        ("NowhereDefined | None", [1, None], []),
    ],
)
def test_arguments_of_other_classes_are_refused(
    annotation: str, fitting: list[Any], misfits: list[Any]
) -> None:
    call = taking(annotation)
    for argument in fitting:
        assert call(argument) is argument
    for argument in misfits:
        with pytest.raises(Error, match=r"call takes .* as given"):
            call(argument)


def test_a_refused_call_has_no_effects() -> None:
    taken: list[object] = []

    @checks_arguments(Error)
    def call(number: int, name: str = "") -> None:
        taken.append(number)

    with pytest.raises(Error, match=r"call takes an int of 64 bits, not 'a' \(str\), as number"):
        call("a")  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"call takes a str, not 1 \(int\), as name"):
        call(1, name=1)  # type: ignore[arg-type]
    assert taken == []


def test_a_class_in_place_of_its_instance_is_refused_with_what_to_write() -> None:
    scope: dict[str, Any] = {"__name__": "project.part", "Raising": Raising}
    exec("def call(given: 'Raising | None'): ...", scope)
    with pytest.raises(Error, match=r"not the class Raising, as given; write Raising\(…\)"):
        checks_arguments(Error)(scope["call"])(Raising)


def test_a_name_in_place_of_what_it_names_is_refused_with_what_to_write() -> None:
    @checks_arguments(Error)
    def call(given: Named | None) -> None: ...

    with pytest.raises(Error, match=r"not 'a' \(str\), as given; write named\('a'\)"):
        call("a")  # type: ignore[arg-type]
    with pytest.raises(Error, match=r"not 'a > 1' \(str\), as given$"):
        call("a > 1")  # type: ignore[arg-type]


def test_methods_are_named_by_the_class_of_the_object() -> None:
    @checks_arguments(Error)
    class _Part:
        def add(self, number: int) -> None: ...

    class Whole(_Part): ...

    with pytest.raises(Error, match=r"Whole\.add takes"):
        Whole().add("a")  # type: ignore[arg-type]


def test_classes_are_checked_by_their_constructor_and_public_methods() -> None:
    @checks_arguments(Error)
    class Thing:
        def __init__(self, name: str) -> None: ...

        @staticmethod
        def of(name: str) -> None: ...

        @classmethod
        def made(cls, *names: str, count: int = 1) -> None: ...

        def add(self, number: int) -> None: ...

        def _own(self, number: int) -> None: ...

    for refused in (
        lambda: Thing(1),  # type: ignore[arg-type]
        lambda: Thing.of(1),  # type: ignore[arg-type]
        lambda: Thing.made("a", 1),  # type: ignore[arg-type]
        lambda: Thing.made("a", count="b"),  # type: ignore[arg-type]
        lambda: Thing("a").add("b"),  # type: ignore[arg-type]
    ):
        with pytest.raises(Error, match="Thing"):
            refused()
    Thing("a")._own("b")  # type: ignore[arg-type]
    assert Thing.add.__name__ == "add"


def test_an_argument_that_is_nested_too_deeply_is_refused_to_the_program() -> None:
    scope: dict[str, Any] = {"__name__": "project.part"}
    exec("def depth(nested): return 1 + max(map(depth, nested), default=0)", scope)
    depth = checks_arguments(Error)(scope["depth"])
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    assert depth([[]]) == 2
    with pytest.raises(Error, match="depth: an argument is nested too deeply"):
        depth(deep)
    with pytest.raises(RecursionError):  # within the project, the error goes on to the call of the program
        eval("depth(deep)", {"__name__": "project.other", "depth": depth, "deep": deep})


def test_secrets_are_not_shown() -> None:
    @checks_arguments(Error)
    def connect(password: str) -> None: ...

    with pytest.raises(Error) as caught:
        connect(12345)  # type: ignore[arg-type]
    assert "12345" not in str(caught.value)
