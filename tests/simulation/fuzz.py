"""Run seeds: ``python -m tests.simulation.fuzz [kind] [how many] [the first]``.

Of the kinds, ``unbounded`` runs jobs that crash, ``lateness`` and ``hosts`` programs at several paces,
``hosts`` on Spark, too; ``queries`` runs SQL over changelogs, and ``api`` makes wrong calls. One alone shows
its failure.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from functools import partial

from tests.simulation.api.simulate import simulate_api
from tests.simulation.queries.simulate import simulate_query
from tests.simulation.same_on_hosts import same_on_hosts
from tests.simulation.simulate import simulate
from tests.simulation.simulate_unbounded import simulate_unbounded

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Return whether a seed failed, as the exit code."""
    kinds: dict[str, Callable[[int], object]] = {
        "unbounded": simulate_unbounded,
        "lateness": partial(same_on_hosts, hosts=("local",)),
        "hosts": same_on_hosts,
        "queries": simulate_query,
        "api": simulate_api,
    }
    name = next((name for name in arguments[:1] if name in kinds), "")
    check, kind = (kinds[name], f"{name} ") if name else (simulate, "")
    arguments = arguments[bool(name) :]
    if name == "unbounded":
        logging.disable(logging.ERROR)  # crashes are meant
    count = int(arguments[0]) if arguments else 10_000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    failed = 0
    for seed in range(first, first + count):
        try:
            check(seed)
        except Exception as error:  # noqa: BLE001 - whatever fails is what is looked for
            failed += 1
            if count == 1:
                traceback.print_exception(error)
            summary = str(error).partition("\n")[0][:300]
            print(f"seed {seed} failed: {type(error).__name__}: {summary}")
            print(f"    alone: python -m tests.simulation.fuzz {kind}1 {seed}", flush=True)
    print(f"{count} {kind}seeds from {first}: {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
