"""Every class and function of the public API refuses arguments that cannot be meant, and says so."""

from __future__ import annotations

import contextlib
import io
from random import Random

import pytest

from tests.simulation.api.refusals import places, refuse
from tests.simulation.api.surface import objects


@pytest.mark.filterwarnings("ignore")
def test_every_wrong_argument_is_refused() -> None:
    pool, random = objects(), Random(0)
    failures = []
    for place in places([]):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                refuse(random, pool, *place)
        except AssertionError as error:
            failures.append(str(error))
    assert not failures
