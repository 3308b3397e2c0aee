"""One seed: a random unbounded program that crashes gives what it gives undisturbed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.simulation.crashes import Crashes
from tests.simulation.unbounded_job import MEMORY, Outcome, run
from tests.simulation.unbounded_programs import Epochs

__all__ = ["simulate_unbounded"]


def simulate_unbounded(seed: int) -> None:
    """Run the program of a seed undisturbed, and with crashes and savepoints; a plain one also in one epoch.

    Raises:
        AssertionError: the results differ.
    """
    random = Random(f"unbounded {seed}")
    epochs = random.choice([Epochs.SEVERAL, *[Epochs.AND_CLOCK] * 3])
    undisturbed = run(seed, None, Crashes(), epochs)
    crashes = _crashes(random, undisturbed.crashes.steps)
    stops = random.choice([(), (), (random.randrange(4),), (random.randrange(4), random.randrange(4))])
    try:
        if epochs is Epochs.SEVERAL:
            in_one = run(seed, None, Crashes(), Epochs.ONE)
            assert in_one.committed == undisturbed.committed, "one epoch gives something else than several"
        is_durable = crashes.kills or random.random() < 0.5
        with TemporaryDirectory(dir=MEMORY) as directory:
            crashed = run(seed, Path(directory) if is_durable else None, crashes, epochs, stops)
        _compare(undisturbed, crashed, is_moved=epochs is Epochs.AND_CLOCK and bool(stops))
    except BaseException as error:
        error.add_note(f"seed {seed}: {epochs}, {undisturbed.text}\n{crashes}, {stops=}")
        raise


def _crashes(random: Random, steps: int) -> Crashes:
    """Draw the crashes of a job, some of them early, such that few commits lie before them."""
    kills = random.random() < 0.5
    count = random.choice([1, 1, 1, 2, 5, 20])
    early = [int(steps ** random.random()) for _ in range(count // 2)]
    return Crashes([*early, *(random.randint(1, steps) for _ in range(count - count // 2))], kills=kills)


def _compare(undisturbed: Outcome, crashed: Outcome, *, is_moved: bool) -> None:
    """Compare what sinks have committed, in order, and what was collected, which a dead process has lost.

    Args:
        undisturbed: the outcome without crashes.
        crashed: the one with crashes.
        is_moved: whether it also depends on epochs and started from savepoints, after which the watermarks
            of channels come later, and parallel subtasks in another order: only what was read is the same.
    """
    for name, expected in undisturbed.committed.items():
        assert Counter(undisturbed.collected[name]) == Counter(expected), f"{name} collected, undisturbed"
        if is_moved:
            is_same = Counter(crashed.committed[name]) == Counter(expected)
            assert is_same or not name.startswith("read"), f"{name} of sinks"
            continue
        collected = Counter(crashed.collected[name])
        assert crashed.committed[name] == expected, f"{name} of sinks"
        if crashed.crashes.kills:
            assert collected <= Counter(expected), f"{name} collected"
        else:
            assert collected == Counter(expected), f"{name} collected"
