"""Run seeds: ``python -m tests.simulation.fuzz [unbounded] [how many] [the first]``.

One alone shows its failure.
"""

from __future__ import annotations

import logging
import sys
import traceback

from tests.simulation.simulate import simulate
from tests.simulation.simulate_unbounded import simulate_unbounded

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Return whether a seed failed, as the exit code."""
    is_unbounded = arguments[:1] == ["unbounded"]
    check, kind = (simulate_unbounded, "unbounded ") if is_unbounded else (simulate, "")
    arguments = arguments[is_unbounded:]
    if is_unbounded:
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
            summary = str(error).partition("\n")[0][:100]
            print(f"seed {seed} failed: {type(error).__name__}: {summary}")
            print(f"    alone: python -m tests.simulation.fuzz {kind}1 {seed}", flush=True)
    print(f"{count} {kind}seeds from {first}: {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
