"""Kinds of operators have unique names, are pickled with specifications, and have tests."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import pytest

from pystream.engine.operators.assign_watermarks import ASSIGN_COLUMN_WATERMARKS, ASSIGN_WATERMARKS
from pystream.engine.operators.operator import Operator
from pystream.kinds import Lifting, keeps_state
from tests.kinds import DefinedKind, defined_kinds

TESTS_OF_OPERATORS = Path(__file__).parent / "engine"


@pytest.mark.parametrize("defined", defined_kinds(), ids=lambda defined: defined.name)
def test_a_kind_is_pickled_with_its_factory(defined: DefinedKind) -> None:
    unpickled = pickle.loads(pickle.dumps(defined.kind))
    assert unpickled == defined.kind
    assert unpickled.make == defined.kind.make
    assert unpickled.liftable == defined.kind.liftable
    assert unpickled.keeps_state == defined.kind.keeps_state


@pytest.mark.parametrize("defined", defined_kinds(), ids=lambda defined: defined.name)
def test_a_kind_with_operators_without_state_has_none_in_their_snapshots(defined: DefinedKind) -> None:
    if defined.kind.keeps_state is keeps_state or defined.kind in (
        ASSIGN_COLUMN_WATERMARKS,
        ASSIGN_WATERMARKS,
    ):
        return
    made = getattr(defined.kind.make, "__self__", defined.kind.make)
    assert isinstance(made, type)
    assert issubclass(made, Operator)
    assert made.snapshot is Operator.snapshot


@pytest.mark.parametrize("defined", defined_kinds(), ids=lambda defined: defined.name)
def test_a_description_made_by_the_engine_tells_what_can_be_lifted(defined: DefinedKind) -> None:
    described = defined.kind.lifting in (Lifting.TIMESTAMP, Lifting.WINDOW_FOLD)
    assert (defined.kind.liftable is not None) is described


def test_names_of_kinds_are_unique() -> None:
    names = [defined.kind.name for defined in defined_kinds()]
    assert len(names) > 10
    assert sorted(names) == sorted(set(names))


def test_each_kind_is_used_in_a_test_of_its_operator() -> None:
    imported = {
        (node.module, alias.name)
        for path in TESTS_OF_OPERATORS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert [kind.name for kind in defined_kinds() if (kind.module, kind.name) not in imported] == []
