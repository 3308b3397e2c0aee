"""NumberSequenceSource: a source of consecutive integers."""

from __future__ import annotations

from pystream.datastream.connectors.base import Source
from pystream.datastream.connectors.rate_limiter import RateLimiterStrategy, rate_of
from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.basic import LONG
from typeinfo.info import TypeInformation

__all__ = ["NumberSequenceSource"]


@checks_arguments(ArgumentTypeError)
class NumberSequenceSource(Source[int]):
    """The integers from ``start`` to ``end``, both included, as LONG.

    Each subtask reads one contiguous piece in rising order, so parallelism 1 emits the whole sequence in
    order.

    Args:
        start: the first number.
        end: the last number, not below ``start``.
        rate_limiter_strategy: how many numbers come per second; no limit by default.

    Raises:
        ConfigurationError: a bound is not a LONG, or ``end`` lies below ``start``.
        PlanTypeError: the rate limiter is none.

    Mirrors ``org.apache.flink.api.connector.source.lib.NumberSequenceSource``.

    Examples:
        >>> from pystream.common import WatermarkStrategy
        >>> from pystream.datastream.connectors import NumberSequenceSource
        >>> source = NumberSequenceSource(1, 3)
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").take(3)
        [1, 2, 3]
    """

    def __init__(
        self, start: int, end: int, rate_limiter_strategy: RateLimiterStrategy | None = None
    ) -> None:
        low, high = -(2**63), 2**63 - 1
        for name, bound in (("start", start), ("end", end)):
            if not isinstance(bound, int) or isinstance(bound, bool) or not low <= bound <= high:
                raise ConfigurationError(
                    f"NumberSequenceSource: {name} must be an int of 64 bits, not {bound!r}"
                )
        if end < start:
            raise ConfigurationError(f"NumberSequenceSource: end {end} lies below start {start}")
        self._sequence = NumberSequence(start, end, rate_of(rate_limiter_strategy, "NumberSequenceSource"))

    def is_bounded(self) -> bool:
        """Return True."""
        return True

    def get_produced_type(self) -> TypeInformation[int]:
        """Return LONG."""
        return LONG

    def reader(self) -> NumberSequence:
        """Return the reader of the sequence."""
        return self._sequence
