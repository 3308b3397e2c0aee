"""One seed: a random unbounded program that crashes gives what it gives undisturbed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.simulation.crashes import Crashes
from tests.simulation.unbounded_job import Outcome, run

__all__ = ["simulate_unbounded"]

_MEMORY = Path("/dev/shm")


def simulate_unbounded(seed: int) -> None:
    """Run the program of a seed undisturbed, and with crashes.

    Raises:
        AssertionError: the results differ.
    """
    random = Random(f"unbounded {seed}")
    undisturbed = run(seed, None, Crashes())
    for name, elements in undisturbed.collected.items():
        assert Counter(elements) == Counter(undisturbed.committed[name]), "what is collected is not what sinks get"
    crashed: Outcome | None = None
    kills = random.random() < 0.5
    count = random.choice([1, 1, 2, 5, 20])
    at = [1 + int(undisturbed.crashes.steps ** random.random()) for _ in range(count // 2)]
    at += [random.randint(1, undisturbed.crashes.steps) for _ in range(count - count // 2)]
    crashes = Crashes(at, kills=kills)
    try:
        with TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None) as directory:
            durable = kills or random.random() < 0.5
            crashed = run(seed, Path(directory) if durable else None, crashes)
        _compare(undisturbed, crashed, kills=kills)
    except BaseException as error:
        error.add_note(f"seed {seed}: {undisturbed.text}\n{kills=} {at=} struck: {crashes.struck}")
        raise


def _compare(undisturbed: Outcome, crashed: Outcome, *, kills: bool) -> None:
    for name, expected in undisturbed.committed.items():
        committed, collected = crashed.committed[name], crashed.collected[name]
        assert committed == expected, f"{name} of sinks"
        if not kills:
            assert collected == undisturbed.collected[name], f"{name} collected"
        if kills:
            assert Counter(collected) <= Counter(committed), f"{name} collected"

