"""Run seeds: ``python -m tests.simulation.fuzz [how many] [the first]``; one alone shows its failure."""

from __future__ import annotations

import sys
import traceback

from tests.simulation.simulate import simulate

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Return how many seeds failed."""
    count = int(arguments[0]) if arguments else 10_000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    failed = 0
    for seed in range(first, first + count):
        try:
            simulate(seed)
        except Exception as error:  # noqa: BLE001 - whatever fails is what is looked for
            failed += 1
            if count == 1:
                traceback.print_exception(error)
            summary = str(error).partition("\n")[0][:100]
            print(f"seed {seed} failed: {type(error).__name__}: {summary}")
            print(f"    alone: python -m tests.simulation.fuzz 1 {seed}", flush=True)
    print(f"{count} seeds from {first}: {failed} failed")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
