"""The protocol of runners: each line is a JSON object, and each request is answered with one line.

Runners live as long as the suite, so that contenders take turns without starting again.
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
    """A job to measure.

    Attributes:
        contender: name of the contender.
        operator: the operator.
        shape: shape of the records.
        records: number of records.
        path: directory of their Parquet files.
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
    """A contender does not run a job, for the reason in the message."""


def serve(measure: Callable[[Request], dict[str, Any]], versions: dict[str, Any]) -> None:
    """Write the versions, then answer requests until standard input ends.

    Jobs print to standard error.

    Args:
        measure: runs a job and returns its ``seconds``, or its ``begin`` and ``end``.
        versions: versions of the software that runs the jobs.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    print(json.dumps(versions), file=answers)
    for line in sys.stdin:
        try:
            answer = measure(Request(**json.loads(line)))
        except LeftOutError as error:
            answer = {"left_out": str(error)}
        except Exception as error:  # noqa: BLE001 - a job that fails must not end the others
            traceback.print_exc()
            text = f"{type(error).__name__}: {error}".strip().splitlines()
            answer = {"left_out": f"failed: {text[0][:200]}"}
        print(json.dumps(answer), file=answers)
