"""The joins of queries: which rows without a partner are results, and the conditions."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from pystream.table.sql.conditions import conjunction, conjuncts
from pystream.table.sql.temporal_tables import system_time

__all__ = ["JoinClause", "join_clause"]

_SIDES = {(False, False): "", (True, False): "LEFT", (False, True): "RIGHT", (True, True): "FULL"}


@dataclass(slots=True)
class JoinClause:
    """A join of the items of FROM before it with the next one.

    Attributes:
        is_left_outer: whether rows of the items before without a partner are results.
        is_right_outer: whether rows of the item without a partner are.
        conditions: the conditions of ON.
        version: the condition that rows of the item are the versions of a time; ``None`` if all rows are
            joined.
    """

    is_left_outer: bool = False
    is_right_outer: bool = False
    conditions: list[exp.Expr] = field(default_factory=list)
    version: exp.Expr | None = None

    @property
    def is_outer(self) -> bool:
        """Whether rows without a partner are results."""
        return self.is_left_outer or self.is_right_outer

    @property
    def time(self) -> exp.Expr | None:
        """The time of the versions that are joined, if not all rows are."""
        return None if self.version is None else system_time(self.version)

    def write(self, join: exp.Join) -> None:
        """Make a node that of the join."""
        conditions = [*self.conditions, *([] if self.version is None else [self.version])]
        join.set("side", _SIDES[self.is_left_outer, self.is_right_outer])
        join.set("kind", None if conditions else "CROSS")
        join.set("on", conjunction(conditions) if conditions else None)


def join_clause(join: exp.Join) -> JoinClause | None:
    """Return a join, ``None`` if it is of a kind that is not supported."""
    if join.side not in _SIDES.values() or join.kind not in ("", "INNER", "OUTER", "CROSS"):
        return None
    conditions = list(conjuncts(join.args.get("on")))
    version = next((one for one in conditions if system_time(one) is not None), None)
    others = [condition for condition in conditions if system_time(condition) is None]
    return JoinClause(join.side in ("LEFT", "FULL"), join.side in ("RIGHT", "FULL"), others, version)
