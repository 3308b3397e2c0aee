"""Kinds of operators are pickled with the specifications that refer to them."""

from __future__ import annotations

import pickle

import pytest

from pystream.engine.operators.assign_watermarks import ASSIGN_WATERMARKS
from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.broadcast.operators import BROADCAST_PROCESS
from pystream.engine.operators.elementwise import (
    CO_FLAT_MAP,
    CO_MAP,
    CO_PROCESS,
    FILTER,
    FLAT_MAP,
    MAP,
    PROCESS,
    PROJECT,
)
from pystream.engine.operators.interval_join import INTERVAL_JOIN
from pystream.engine.operators.iteration import ITERATION
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.windows.factory import WINDOW
from pystream.kinds import Lifting, OperatorKind

BY_ELEMENT = [MAP, FLAT_MAP, FILTER, PROJECT, PROCESS, CO_MAP, CO_FLAT_MAP, CO_PROCESS]
OTHERS = [ASSIGN_WATERMARKS, ASYNC_WAIT, BROADCAST_PROCESS, INTERVAL_JOIN, ITERATION, REDUCE, WINDOW]


@pytest.mark.parametrize("kind", [*BY_ELEMENT, *OTHERS], ids=lambda kind: kind.name)
def test_a_kind_is_pickled_with_its_factory(kind: OperatorKind) -> None:
    unpickled = pickle.loads(pickle.dumps(kind))
    assert unpickled == kind
    assert unpickled.make == kind.make
    assert unpickled.liftable == kind.liftable


@pytest.mark.parametrize("kind", [*BY_ELEMENT, *OTHERS], ids=lambda kind: kind.name)
def test_a_description_made_by_the_engine_tells_what_can_be_lifted(kind: OperatorKind) -> None:
    described = kind.lifting in (Lifting.TIMESTAMP, Lifting.WINDOW_FOLD)
    assert (kind.liftable is not None) is described


def test_names_of_kinds_are_unique() -> None:
    kinds = [*BY_ELEMENT, *OTHERS]
    assert len({kind.name for kind in kinds}) == len(kinds)
