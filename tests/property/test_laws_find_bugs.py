"""The laws, called as by users, find every broken serializer of a set, and no fault in correct ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.property.broken import BUGS, Bug
from typeinfo.testing.laws import LawViolation, check_all


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_a_bug_is_found_and_reproduced(bug: Bug) -> None:
    with pytest.raises(LawViolation) as caught:
        check_all(bug.subject)
    violation = caught.value
    assert violation.law.name in bug.laws.split()
    assert violation.reproduction() in str(violation).replace("\n    ", "\n")
    with pytest.raises(LawViolation) as again:
        exec(compile(violation.reproduction(), "pasted", "exec"), {})
    assert again.value.law is violation.law
    assert len(violation.values) <= bug.most


@pytest.mark.parametrize("sound", dict.fromkeys(bug.sound for bug in BUGS.values()), ids=str)
def test_nothing_is_found_in_sound_serializers(sound: Any) -> None:
    check_all(sound, examples=30)
