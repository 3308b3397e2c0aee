"""Limits on consecutive tasks, which each take a process, and on exchanges, which take planning time."""

from __future__ import annotations

from collections.abc import Iterable

from pystream.errors import PlanError
from pystream.hosts.lowering import Stage

__all__ = ["MOST_EXCHANGES", "MOST_TASKS", "refuse_long_sequences"]

MOST_TASKS = 100
"""Tasks in sequence without an exchange between them run at once, in processes of about 60 MB each."""

MOST_EXCHANGES = 200
"""Spark plans the rest of a program again after each exchange, so planning time is quadratic."""


def refuse_long_sequences(stages: Iterable[Stage]) -> None:
    """Refuse too many consecutive tasks or exchanges.

    Args:
        stages: senders before receivers.

    Raises:
        PlanError: there are more.
    """
    tasks: dict[int, int] = {}
    exchanges: dict[int, int] = {}
    for stage in stages:
        chained = [tasks[edge.source] for edge in stage.inputs if not edge.shuffled]
        tasks[stage.chain] = 1 + max(chained, default=0)
        passed = [exchanges[edge.source] + edge.shuffled for edge in stage.inputs]
        exchanges[stage.chain] = max(passed, default=0)
        where = f"up to {stage.task.name!r}"
        if tasks[stage.chain] > MOST_TASKS:
            raise PlanError(
                f"more than {MOST_TASKS} tasks follow one another without an exchange {where}, each of which "
                "needs a Python process; let operators be chained, without disable_chaining(), "
                "start_new_chain() and disable_operator_chaining()"
            )
        if exchanges[stage.chain] > MOST_EXCHANGES:
            raise PlanError(
                f"more than {MOST_EXCHANGES} exchanges such as key_by() or rebalance() follow one another "
                f"{where}; write the elements of an earlier stream to files and read them in a second job"
            )
