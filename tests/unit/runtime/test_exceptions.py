"""An exception with its causes, contexts, notes and members reaches the driver as text and as an object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest

import pystream
from pystream.runtime.exceptions import decode_exception, encode_exception, summarize, user_traceback
from pystream.runtime.failure import TaskFailure
from pystream.runtime.spec import OperatorKind
from tests.unit.runtime.tasks import collect, items, operator


class Locked(Exception):  # noqa: N818 - no matter
    """Cannot be pickled."""

    def __init__(self) -> None:
        super().__init__("locked")
        self.lock = threading.Lock()


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


def test_frames_of_a_neighbour_whose_path_begins_like_the_package_are_shown() -> None:
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


def test_what_cannot_be_pickled_is_told_as_text() -> None:
    error = raised(caused)
    error.__cause__ = Locked()
    assert isinstance(travelled(error), ValueError)
    assert "Locked: locked" in user_traceback(error)
    assert encode_exception(Locked()) == ""


def test_a_long_message_leaves_room_for_the_last_exception() -> None:
    error = raised(caused)
    error.__cause__ = ValueError("x" * 1_000_000)
    text = user_traceback(error)
    assert len(text) < 50_000
    assert text.endswith("ValueError: high")


def test_an_exception_without_a_message_is_told_by_its_class() -> None:
    assert summarize(StopIteration()) == "StopIteration"


def first_of_none(value: int) -> int:
    return next(iter(()))  # the line to be shown


def generated(value: int) -> Iterator[int]:
    yield next(iter(()))  # the line to be shown


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        (OperatorKind.MAP, first_of_none),
        (OperatorKind.FILTER, first_of_none),
        (OperatorKind.FLAT_MAP, first_of_none),
        (OperatorKind.FLAT_MAP, generated),
        (OperatorKind.PROCESS, lambda value, context: first_of_none(value)),
    ],
)
def test_a_stop_iteration_shows_its_line(kind: OperatorKind, function: Any) -> None:
    with pytest.raises(TaskFailure) as failure:
        items((operator(kind, function, collect()),), [[5, 6]])
    report = failure.value.report
    assert (report.summary, report.element) == ("StopIteration", "5")
    assert "# the line to be shown" in report.trace
