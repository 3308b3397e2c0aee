"""One seed: a random program with interval 0 gives the same on the hosts, and in every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from pystream.common import Configuration
from tests.simulation.host_programs import host_program, unbounded_host_program

__all__ = ["same_on_hosts"]


def same_on_hosts(seed: int, hosts: Sequence[str] = ("local", "spark")) -> Counter[str]:
    """Run the program of a seed twice on each host, the second time at another pace; return its results.

    One program in eight is unbounded.

    Raises:
        AssertionError: the results of two runs differ.
    """
    build = unbounded_host_program if seed % 8 == 7 else host_program
    runs = [(host, pauses) for host in hosts for pauses in (False, True)]
    expected: Counter[str] | None = None
    for host, pauses in runs:
        configuration = Configuration.from_dict({"pystream.runner": host})
        try:
            program = build(Random(seed), configuration, pauses=pauses)
            with program.execute_and_collect() as results:
                found = Counter(results)
            expected = found if expected is None else expected
            assert found == expected, (
                f"only here {found - expected}, only in the first run {expected - found}"
            )
        except Exception as error:
            error.add_note(f"seed {seed} on {host}, {pauses=}")
            raise
    assert expected is not None
    return expected
