"""DataGeneratorSource: a source that generates its elements with a function of the index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic

from typing_extensions import TypeVar

from pystream.arguments.checks import require_function, require_int
from pystream.datastream.connectors.base import Source
from pystream.datastream.connectors.rate_limiter import RateLimiterStrategy, rate_of
from pystream.datastream.functions import MapFunction
from pystream.engine.connectors.number_sequence import NumberSequence
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation, require_type

__all__ = ["DataGeneratorSource"]

OUT = TypeVar("OUT", covariant=True)
V = TypeVar("V")


@checks_arguments(ArgumentTypeError)
class DataGeneratorSource(Source[OUT], Generic[OUT]):
    """The results of a function for the indexes 0, 1, 2, …

    The function runs on the workers, as that of ``DataStream.map`` does. Indexes are divided among the
    subtasks, each of which reads its own in rising order; parallelism 1 emits all in order. A job that is
    resumed continues after the last index read: with a function that depends on nothing but the index,
    each element is generated exactly once.

    Args:
        generator_function: returns the element for an index.
        count: the number of elements, or `UNBOUNDED` for a source that never ends.
        rate_limiter_strategy: how many elements come per second; no limit by default.
        type_info: type of the elements.

    Raises:
        PlanTypeError: an argument is not a function or not a rate limiter.
        ConfigurationError: the count is not an int within these bounds.

    Mirrors ``org.apache.flink.connector.datagen.source.DataGeneratorSource``; there, a source of
    ``Long.MAX_VALUE`` elements counts as bounded.

    Examples:
        >>> from pystream.common import Types, WatermarkStrategy
        >>> from pystream.datastream.connectors import DataGeneratorSource
        >>> source = DataGeneratorSource(lambda index: f"user {index}", 3, type_info=Types.STRING())
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "users").take(3)
        ['user 0', 'user 1', 'user 2']
    """

    UNBOUNDED: Final = 2**63 - 1
    """The count of a source that never ends, which is ``Long.MAX_VALUE``."""

    def __init__(
        self,
        generator_function: Callable[[int], V] | MapFunction[int, V],
        count: int,
        rate_limiter_strategy: RateLimiterStrategy | None = None,
        *,
        type_info: TypeInformation[OUT, V],
    ) -> None:
        require_function(generator_function, "DataGeneratorSource", MapFunction)
        require_int(count, "DataGeneratorSource: count", 0, self.UNBOUNDED)
        rate = rate_of(rate_limiter_strategy, "DataGeneratorSource")
        self.generator_function = generator_function
        self._indexes = NumberSequence(0, count - 1, rate, is_bounded=count < self.UNBOUNDED)
        self._type = require_type(type_info, "type_info")

    def is_bounded(self) -> bool:
        """Return whether the source is bounded: it is unless its count is `UNBOUNDED`."""
        return self._indexes.is_bounded

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._type

    def reader(self) -> NumberSequence:
        """Return the reader of the indexes, to which the function is applied."""
        return self._indexes
