"""Exceptions reach the driver with causes, contexts, notes and members, as text and as objects."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest

import pystream
from pystream.engine.exception_encoding import decode_exception, encode_exception, summarize, user_traceback
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import FILTER, FLAT_MAP, MAP, PROCESS
from pystream.kinds import OperatorKind
from tests.unit.engine.tasks import collect, items, operator


class Locked(Exception):  # noqa: N818 - no matter
    """Has an attribute that cannot be pickled."""

    code: Any

    def __init__(self) -> None:
        super().__init__("locked")
        self.lock = threading.Lock()


def unportable() -> BaseException:
    """Return an exception whose class cannot be pickled."""
    return type("Unportable", (Exception,), {"lock": threading.Lock(), "__module__": "__main__"})("never")


class Coded(Exception):  # noqa: N818 - no matter
    """Formats its message from its arguments."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code}:{text}")
        self.code = code


class Defaulted(Exception):  # noqa: N818 - no matter
    """Accepts its own message as its argument, with another result."""

    def __init__(self, code: int, text: str = "none") -> None:
        super().__init__(f"{code}:{text}")


class Keyworded(Exception):  # noqa: N818 - no matter
    """Takes no positional arguments."""

    def __init__(self, *, code: int) -> None:
        super().__init__(f"code {code}")
        self.code = code


class Slotted(Exception):  # noqa: N818 - no matter
    """Keeps an attribute in a slot."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class Reduced(Exception):  # noqa: N818 - no matter
    """Has a ``__reduce__`` of its own."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code}:{text}")
        self.pair = (code, text)

    def __reduce__(self) -> Any:
        return Reduced, self.pair


class Stateful(Exception):  # noqa: N818 - no matter
    """Has a ``__reduce__`` and a ``__setstate__`` of its own, with a state that is not a dict."""

    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")
        self.code = code

    def __reduce__(self) -> Any:
        return Stateful.__new__, (Stateful, *self.args), self.code

    def __setstate__(self, state: Any) -> None:
        self.code = state


class Derived(Exception):  # noqa: N818 - no matter
    """Derives an attribute from those that are restored."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.code = 5

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self.name = f"restored {self.code}"


class Refusing(Exception):  # noqa: N818 - no matter
    """Refuses to be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("no")


class Missing(FileNotFoundError):  # noqa: N818 - no matter
    """Extends a class that keeps its arguments where Python cannot see them."""

    def __init__(self, path: str) -> None:
        super().__init__(2, "no such table", path)


@dataclass(frozen=True)
class Frozen(Exception):  # noqa: N818 - no matter
    """Refuses to have attributes set."""

    code: int


def raised(function: Callable[[], Any]) -> BaseException:
    with pytest.raises(BaseException) as failure:
        function()
    return failure.value


def low() -> NoReturn:
    raise KeyError("low")


def caused() -> None:
    try:
        low()
    except KeyError as error:
        error.add_note("a note on the cause")
        raise ValueError("high") from error


def in_context() -> None:
    try:
        low()
    except KeyError:
        raise ValueError("high")  # noqa: B904 - on purpose


def suppressed() -> None:
    try:
        low()
    except KeyError:
        raise ValueError("high") from None


def never_raised() -> None:
    raise ValueError("high") from KeyError("made")


def grouped() -> None:
    raise ExceptionGroup("several", [raised(caused), TypeError("second")])  # type: ignore[list-item]


def travelled(error: BaseException) -> BaseException:
    copy = decode_exception(encode_exception(error))
    assert copy is not None
    return copy


def test_frames_of_packages_with_a_similar_path_are_shown() -> None:
    path = f"{pystream.__path__[0]}_jobs/job.py"
    scope: dict[str, Any] = {}
    exec(compile("def divide():\n    1 / 0\n", path, "exec"), scope)
    assert f'File "{path}", line 2, in divide' in user_traceback(raised(scope["divide"]))


def test_the_cause_survives_with_its_notes() -> None:
    error = raised(caused)
    text, copy = user_traceback(error), travelled(error)
    assert text.index("in low") < text.index("KeyError: 'low'") < text.index("a note on the cause")
    assert text.index("a note on the cause") < text.index("direct cause") < text.index("ValueError: high")
    assert isinstance(copy.__cause__, KeyError)
    assert copy.__cause__.__notes__ == ["a note on the cause"]


def test_the_context_survives_unless_it_is_suppressed() -> None:
    error = raised(in_context)
    assert "During handling" in user_traceback(error)
    assert isinstance(travelled(error).__context__, KeyError)
    error = raised(suppressed)
    assert "low" not in user_traceback(error)
    assert travelled(error).__context__ is None


def test_a_cause_that_was_never_raised_survives() -> None:
    error = raised(never_raised)
    assert "KeyError: 'made'" in user_traceback(error)
    assert isinstance(travelled(error).__cause__, KeyError)


def test_the_members_of_a_group_survive_with_their_causes() -> None:
    error = raised(grouped)
    text, copy = user_traceback(error), travelled(error)
    for part in ("several (2 sub-exceptions)", "in low", "ValueError: high", "TypeError: second"):
        assert part in text
    assert isinstance(copy, ExceptionGroup)
    assert isinstance(copy.exceptions[0].__cause__, KeyError)


def test_a_chain_that_loops_or_is_long_ends() -> None:
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    copy = travelled(first)
    assert copy.__cause__ is not None
    assert copy.__cause__.__cause__ is copy
    assert user_traceback(first).count("ValueError: first") == 1
    link: BaseException = KeyError("oldest")
    for number in range(5_000):
        newer = ValueError(number)
        newer.__cause__ = link
        link = newer
    assert user_traceback(link).count("ValueError") == 10
    assert isinstance(travelled(link), ValueError)


def test_causes_that_cannot_be_pickled_are_kept_as_text() -> None:
    error = raised(caused)
    error.__cause__ = unportable()
    assert isinstance(travelled(error), ValueError)
    assert "Unportable: never" in user_traceback(error)
    assert encode_exception(unportable()) == ""


@pytest.mark.parametrize(
    "error",
    [
        Coded(5, "boom"),
        Defaulted(5, "boom"),
        Keyworded(code=5),
        Reduced(5, "boom"),
        Stateful(5),
        Missing("/a"),
        Frozen(5),
        ImportError("no module", name="a", path="/a"),
        UnicodeDecodeError("utf-8", b"a", 0, 1, "odd"),
        StopIteration(5),
        SystemExit(5),
    ],
)
def test_an_exception_survives_however_it_was_made(error: BaseException) -> None:
    outer = ValueError("outer")
    outer.__cause__ = error
    for copy in (travelled(error), travelled(outer).__cause__):
        assert copy is not None
        assert type(copy) is type(error)
        assert (str(copy), copy.args, vars(copy)) == (str(error), error.args, vars(error))
        for name in ("filename", "errno", "name", "path", "start", "value", "code"):
            assert getattr(copy, name, None) == getattr(error, name, None)


def test_an_exception_that_refuses_to_be_pickled_survives() -> None:
    copy = travelled(Refusing("strange"))
    assert isinstance(copy, Refusing)
    assert str(copy) == "strange"


def test_an_attribute_in_a_slot_survives() -> None:
    copy = travelled(Slotted(5))
    assert isinstance(copy, Slotted)
    assert copy.code == 5


def test_an_exception_restores_its_own_state() -> None:
    error = Derived("/a")
    error.__cause__ = Coded(5, "boom")
    copy = travelled(error)
    assert isinstance(copy, Derived)
    assert vars(copy) == {"code": 5, "name": "restored 5"}
    assert copy.path == "/a"
    assert isinstance(copy.__cause__, Coded)


def test_setstate_is_not_called_with_an_incomplete_state() -> None:
    error = Derived("/a")
    error.code = threading.Lock()  # type: ignore[assignment]
    copy = travelled(error)
    assert isinstance(copy, Derived)
    assert (vars(copy), copy.path) == ({}, "/a")


def test_attributes_that_cannot_be_pickled_are_dropped_and_arguments_become_text() -> None:
    error = Locked()
    error.args = (threading.Lock(), 5)
    error.code = 7
    error.__cause__ = Coded(5, "boom")
    copy: Any = travelled(error)
    assert isinstance(copy, Locked)
    assert vars(copy) == {"code": 7}
    text, number = copy.args
    assert "lock" in text
    assert number == 5
    assert isinstance(copy.__cause__, Coded)


def test_large_attributes_are_dropped() -> None:
    error = Coded(5, "boom")
    error.code = 10**1_000_000  # more than travels
    copy = travelled(error)
    assert (str(copy), vars(copy)) == ("5:boom", {})


def test_an_exception_that_holds_itself_survives() -> None:
    error = Locked()
    error.code = error
    error.__cause__ = Coded(5, "boom")
    error.__cause__.__cause__ = error
    copy = travelled(error)
    assert isinstance(copy, Locked)
    assert copy.__cause__ is not None
    assert copy.__cause__.__cause__ is copy


def test_a_long_message_leaves_room_for_the_last_exception() -> None:
    error = raised(caused)
    error.__cause__ = ValueError("x" * 1_000_000)
    text = user_traceback(error)
    assert len(text) < 50_000
    assert text.endswith("ValueError: high")


def test_an_exception_without_a_message_is_summarized_by_its_class() -> None:
    assert summarize(StopIteration()) == "StopIteration"


def first_of_none(value: int) -> int:
    return next(iter(()))  # the line to be shown


def generated(value: int) -> Iterator[int]:
    yield next(iter(()))  # the line to be shown


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        (MAP, first_of_none),
        (FILTER, first_of_none),
        (FLAT_MAP, first_of_none),
        (FLAT_MAP, generated),
        (PROCESS, lambda value, context: first_of_none(value)),
    ],
)
def test_a_stop_iteration_shows_its_line(kind: OperatorKind, function: Any) -> None:
    with pytest.raises(TaskFailure) as failure:
        items((operator(kind, function, collect()),), [[5, 6]])
    report = failure.value.report
    assert (report.summary, report.element) == ("StopIteration", "5")
    assert "# the line to be shown" in report.trace
