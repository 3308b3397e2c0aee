"""RateLimiterStrategy: limits the rate of a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pystream.arguments.checks import require
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["RateLimiterStrategy", "rate_of"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class RateLimiterStrategy:
    """Limit how many elements a source emits per second, over all its subtasks.

    Attributes:
        records_per_second: the limit; 0 for none.

    Mirrors ``org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy``.
    """

    _example: ClassVar[str] = "RateLimiterStrategy.per_second(10)"

    records_per_second: float

    @staticmethod
    def per_second(records_per_second: float) -> RateLimiterStrategy:
        """Return a strategy that emits this many elements a second, in up to 20 batches.

        Raises:
            ConfigurationError: it is not a positive number.
        """
        is_number = isinstance(records_per_second, (int, float)) and not isinstance(records_per_second, bool)
        if not is_number or not 0 < records_per_second < float("inf"):
            raise ConfigurationError(
                "RateLimiterStrategy.per_second: the rate must be a positive number of elements, not "
                f"{short_repr(records_per_second)}"
            )
        return RateLimiterStrategy(float(records_per_second))

    @staticmethod
    def no_op() -> RateLimiterStrategy:
        """Return a strategy without a limit."""
        return RateLimiterStrategy(0.0)


def rate_of(strategy: RateLimiterStrategy | None, call: str) -> float:
    """Return the elements per second that a strategy allows, 0 without a limit.

    Args:
        strategy: the strategy, ``None`` for no limit.
        call: the user's call, for messages.

    Raises:
        PlanTypeError: it is not a RateLimiterStrategy.
    """
    if strategy is None:
        return 0.0
    wanted = "a RateLimiterStrategy such as RateLimiterStrategy.per_second(10)"
    require(strategy, RateLimiterStrategy, call, wanted)
    return strategy.records_per_second
