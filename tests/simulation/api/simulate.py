"""One seed: wrong calls, a wrong statement, wrong files or failing functions."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from random import Random

from tests.simulation.api.calls import call_at_random
from tests.simulation.api.files import read_at_random
from tests.simulation.api.jobs import fail_at_random
from tests.simulation.api.refusals import refuse_at_random
from tests.simulation.api.statements import execute_at_random

__all__ = ["simulate_api"]


def simulate_api(seed: int) -> None:
    """Try what a seed makes.

    Raises:
        AssertionError: an error does not help, or there is no answer.
    """
    random = Random(seed)
    trials = [call_at_random, refuse_at_random, execute_at_random, read_at_random, fail_at_random]
    [trial] = random.choices(trials, [4, 4, 3, 2, 1])
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            trial(random)
    finally:
        logging.disable(logging.NOTSET)
