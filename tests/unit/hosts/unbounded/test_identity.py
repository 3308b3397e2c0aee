"""Comparison of a program with the one that stored a state."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identity import (
    Compatibility,
    JobIdentity,
    OperatorIdentity,
    StateInfo,
    compare,
)

N = StateInfo("n", "value", "LONG")
SOURCE = OperatorIdentity("s", "Lines", "Source", 0, 2, 128, has_state=True)
UPPER = OperatorIdentity("u", "Upper", "Map", 0, 2, 128)
COUNT = OperatorIdentity("c", "Count", "KeyedProcess", 1, 2, 128, "STRING", True, (N,), "one by one")
JOB = JobIdentity("words", (SOURCE, UPPER, COUNT))


def changed(count: OperatorIdentity) -> Compatibility:
    return compare(JOB, replace(JOB, operators=(SOURCE, UPPER, count)))


def test_the_same_program() -> None:
    assert compare(JOB, JOB).is_same
    assert compare(JOB, JobIdentity.of_json(json.loads(json.dumps(asdict(JOB))))).is_same


def test_names_and_order_do_not_matter() -> None:
    renamed = replace(COUNT, name="Counts")
    assert compare(JOB, replace(JOB, operators=(renamed, SOURCE, UPPER))).is_same


def test_an_added_operator() -> None:
    added = replace(COUNT, uid="d")
    found = compare(JOB, replace(JOB, operators=(*JOB.operators, added)))
    assert found.added == (added,)
    assert not found.is_same
    found.check(allow_non_restored_state=False)


def test_a_removed_operator_without_state() -> None:
    found = compare(JOB, replace(JOB, operators=(SOURCE, COUNT)))
    assert found.removed == (UPPER,)
    assert not found.is_same
    found.check(allow_non_restored_state=False)


def test_a_removed_operator_with_state() -> None:
    found = compare(JOB, replace(JOB, operators=(SOURCE, UPPER)))
    with pytest.raises(CheckpointError, match=r"have state: 'Count' \(uid c\).*--allow-non-restored-state"):
        found.check(allow_non_restored_state=False)
    found.check(allow_non_restored_state=True)


def test_a_moved_and_a_rescaled_operator() -> None:
    found = changed(moved := replace(COUNT, chain=5))
    assert found == Compatibility(moved=(moved,))
    found = changed(rescaled := replace(COUNT, parallelism=3))
    assert found == Compatibility(rescaled=(rescaled,))


def test_a_state_of_another_type_is_left_to_the_host() -> None:
    for other in (replace(N, type="DOUBLE"), replace(N, kind="list")):
        found = changed(count := replace(COUNT, states=(other, StateInfo("new", "map", "MAP"))))
        assert found == Compatibility(retyped=((count, other),))


@pytest.mark.parametrize(
    ("count", "conflict"),
    [
        (replace(COUNT, kind="Window"), r"'Count' \(uid c\) is a Window, but was a KeyedProcess"),
        (replace(COUNT, key_type="LONG"), "has keys of type LONG, but had keys of type STRING"),
        (replace(COUNT, key_type=""), "has no keys, but had keys of type STRING"),
        (
            replace(COUNT, max_parallelism=256),
            "has the maximum parallelism 256, but had 128, which set_max_parallelism restores",
        ),
        (replace(COUNT, layout="as sessions"), "stores windows as sessions, but stored them one by one"),
    ],
)
def test_a_conflict(count: OperatorIdentity, conflict: str) -> None:
    with pytest.raises(CheckpointError, match=conflict):
        changed(count).check(allow_non_restored_state=True)


def test_an_operator_without_state_may_change() -> None:
    found = compare(JOB, replace(JOB, operators=(SOURCE, replace(UPPER, kind="FlatMap"), COUNT)))
    assert found.is_same
