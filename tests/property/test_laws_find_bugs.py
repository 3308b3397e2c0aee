"""The laws, as users call them, find each of a set of broken serializers, and nothing in sound ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.property.broken import BUGS, Bug
from typeinfo.testing.laws import LawViolation, check_all


def found(bug: Bug) -> LawViolation:
    with pytest.raises(LawViolation) as caught:
        check_all(bug.subject)
    return caught.value


def test_there_are_enough_bugs_each_of_its_own() -> None:
    assert len(BUGS) >= 30


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_a_bug_is_found_and_shown_so_that_it_can_be_pasted(bug: Bug) -> None:
    violation = found(bug)
    assert violation.law.name in bug.laws.split()
    assert violation.reproduction() in str(violation).replace("\n    ", "\n")
    with pytest.raises(LawViolation) as again:
        exec(compile(violation.reproduction(), "pasted", "exec"), {})
    assert again.value.law is violation.law
    assert len(violation.values) <= bug.most


SOUND = {name: bug.sound for name, bug in BUGS.items()}


@pytest.mark.parametrize("sound", SOUND.values(), ids=SOUND.keys())
def test_nothing_is_found_where_nothing_is_broken(sound: Any) -> None:
    check_all(sound, examples=30)


def test_the_same_bug_is_shown_the_same_each_time() -> None:
    first, second = (str(found(BUGS["loses nested None"])) for _ in range(2))
    assert first == second
