"""What every runner does: read requests, a JSON object a line, and answer each with one line.

Runners live as long as the suite does, so that contenders can take turns without starting anew.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """One job to measure.

    Attributes:
        contender: who runs it.
        operator: what it does.
        shape: what its records are like.
        records: how many there are.
        path: the directory of the Parquet files that hold them.
    """

    contender: str
    operator: str
    shape: str
    records: int
    path: str

    def line(self) -> str:
        """Return the request as a line."""
        return json.dumps(asdict(self)) + "\n"


class LeftOutError(Exception):
    """Report that a contender does not take part, and why."""


def serve(measure: Callable[[Request], dict[str, Any]], about: dict[str, Any]) -> None:
    """Answer requests until standard input ends; the first line written tells about the runner.

    What jobs print goes to standard error.

    Args:
        measure: runs one job and returns what was measured: ``seconds``, or ``begin`` and ``end``.
        about: versions.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    print(json.dumps(about), file=answers)
    for line in sys.stdin:
        try:
            answer = measure(Request(**json.loads(line)))
        except LeftOutError as error:
            answer = {"left_out": str(error)}
        except Exception as error:  # noqa: BLE001 - one job that fails must not end the others
            traceback.print_exc()
            text = f"{type(error).__name__}: {error}".strip().splitlines()
            answer = {"left_out": f"failed: {text[0][:200]}"}
        print(json.dumps(answer), file=answers)
