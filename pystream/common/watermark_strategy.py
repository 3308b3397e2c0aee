"""WatermarkStrategy: how elements get timestamps and how watermarks are generated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, overload

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.durations import Duration
from pystream.engine.time.watermark_generators import BoundedOutOfOrderness, NoWatermarks, WatermarkGenerator
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["TimestampAssigner", "WatermarkAlignment", "WatermarkGenerator", "WatermarkStrategy"]

# Contravariant: a strategy for any object also fits a stream of strings.
T = TypeVar("T", contravariant=True, default=Any)
U = TypeVar("U")
# Any for a lambda that extracts timestamps from elements of unknown type.
V = TypeVar("V", default=Any)
E = TypeVar("E", contravariant=True)


class TimestampAssigner(ABC, Generic[E]):
    """Extracts the event time of an element.

    Mirrors ``org.apache.flink.api.common.eventtime.TimestampAssigner``.
    """

    @abstractmethod
    def extract_timestamp(self, value: E, record_timestamp: int, /) -> int:
        """Return the event time of an element in ms since the Unix epoch.

        Args:
            value: the element.
            record_timestamp: its timestamp so far, -2^63 if it has none.
        """


class _Extracting(Protocol[E]):
    """A TimestampAssigner, or an object with its method."""

    def extract_timestamp(self, value: E, record_timestamp: int, /) -> int: ...


class WatermarkAlignment(NamedTuple):
    """Limit on the drift between the watermarks of a group of sources.

    Attributes:
        group: name of the group.
        max_drift: how far the watermark of a source may be ahead of the lowest of the group.
        update_interval: the interval in which sources report their watermarks.
    """

    group: str
    max_drift: Duration
    update_interval: Duration


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class WatermarkStrategy(Generic[T]):
    """How elements get timestamps and how watermarks are generated.

    Made by the factories; each ``with_…`` returns a new strategy. Watermarks and timestamps matter to
    operators that use event time. Mirrors ``org.apache.flink.api.common.eventtime.WatermarkStrategy``.

    Attributes:
        max_out_of_orderness: how far elements may be out of order, or ``None`` for no watermarks at all.
        timestamp_assigner: extracts timestamps from elements, or ``None`` for those of the source.
        idleness: time without elements after which an input counts as idle, or ``None`` for never.
        generator_supplier: makes a user-defined generator, or ``None``.
        alignment: of the watermarks of sources, or ``None``; stored, but has no effect on bounded input.

    Examples:
        >>> from pystream.common import Duration, WatermarkStrategy
        >>> from pystream.common.watermark_strategy import TimestampAssigner
        >>> class Second(TimestampAssigner):
        ...     def extract_timestamp(self, value, record_timestamp):
        ...         return value[1]
        >>> late = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(5))
        >>> events = env.from_collection([("a", 100)])
        >>> timed = events.assign_timestamps_and_watermarks(late.with_timestamp_assigner(Second()))
    """

    _example: ClassVar[str] = "WatermarkStrategy.no_watermarks()"

    max_out_of_orderness: Duration | None = None
    timestamp_assigner: _Extracting[T] | Callable[[T, int], int] | None = None
    idleness: Duration | None = None
    generator_supplier: Callable[[], WatermarkGenerator[T]] | None = None
    alignment: WatermarkAlignment | None = None

    @staticmethod
    def for_monotonous_timestamps() -> WatermarkStrategy[object]:
        """Return a strategy for timestamps that never decrease."""
        return WatermarkStrategy(Duration.of_millis(0))

    @staticmethod
    def for_bounded_out_of_orderness(max_out_of_orderness: Duration) -> WatermarkStrategy[object]:
        """Return a strategy for timestamps that fall behind the highest one by at most a bound.

        Raises:
            ConfigurationError: the bound is negative.
        """
        _refuse_below(max_out_of_orderness, 0, "max_out_of_orderness")
        return WatermarkStrategy(max_out_of_orderness)

    @staticmethod
    def no_watermarks() -> WatermarkStrategy[object]:
        """Return the strategy that emits no watermarks before the end of the input."""
        return WatermarkStrategy()

    @staticmethod
    def for_generator(generator_supplier: Callable[[], WatermarkGenerator[U]]) -> WatermarkStrategy[U]:
        """Return a strategy with a user-defined watermark generator.

        Args:
            generator_supplier: makes the generator of a subtask, such as its class. PyFlink has no such
                method; Flink's is ``WatermarkStrategy.forGenerator``.
        """
        return WatermarkStrategy(generator_supplier=generator_supplier)

    @property
    def has_watermarks(self) -> bool:
        """Whether it generates watermarks."""
        return self.generator_supplier is not None or self.max_out_of_orderness is not None

    def generator(self) -> Callable[[], WatermarkGenerator[T]]:
        """Return a factory of the generator of a subtask; it can be pickled if the user's own can."""
        if self.generator_supplier is not None:
            return self.generator_supplier
        if self.max_out_of_orderness is None:
            return NoWatermarks
        return partial(BoundedOutOfOrderness, self.max_out_of_orderness.to_millis())

    def extract_timestamp(self) -> Callable[[T, int], int] | None:
        """Return the function that extracts timestamps, or ``None`` for the source's own timestamps."""
        assigner: Any = self.timestamp_assigner
        extract: Callable[[T, int], int] | None = getattr(assigner, "extract_timestamp", assigner)
        return extract

    @overload
    def with_timestamp_assigner(
        self: WatermarkStrategy[object], timestamp_assigner: TimestampAssigner[U]
    ) -> WatermarkStrategy[U]: ...

    @overload
    def with_timestamp_assigner(self, timestamp_assigner: TimestampAssigner[T]) -> WatermarkStrategy[T]: ...

    @overload
    def with_timestamp_assigner(
        self: WatermarkStrategy[object], timestamp_assigner: Callable[[V, int], int]
    ) -> WatermarkStrategy[V]: ...

    @overload
    def with_timestamp_assigner(
        self, timestamp_assigner: Callable[[T, int], int]
    ) -> WatermarkStrategy[T]: ...

    def with_timestamp_assigner(
        self, timestamp_assigner: _Extracting[Any] | Callable[[Any, int], int]
    ) -> WatermarkStrategy[Any]:
        """Return this strategy with another timestamp assigner.

        Args:
            timestamp_assigner: an assigner, or a function such as its ``extract_timestamp``.

        Raises:
            ConfigurationError: it is neither.
        """
        strategy = replace(self, timestamp_assigner=timestamp_assigner)
        if isinstance(timestamp_assigner, type) or not callable(strategy.extract_timestamp()):
            raise ConfigurationError(
                "with_timestamp_assigner takes a TimestampAssigner or a function of an element and its"
                f" timestamp so far, not {short_repr(timestamp_assigner)}"
            )
        return strategy

    def with_idleness(self, idle_timeout: Duration) -> WatermarkStrategy[T]:
        """Return this strategy with an idleness timeout, after which an input does not hold back watermarks.

        Raises:
            ConfigurationError: the time is not positive.
        """
        _refuse_below(idle_timeout, 1, "idle_timeout")
        return replace(self, idleness=idle_timeout)

    def with_watermark_alignment(
        self,
        watermark_group: str,
        max_allowed_watermark_drift: Duration,
        update_interval: Duration | None = None,
    ) -> WatermarkStrategy[T]:
        """Return this strategy with watermark alignment: sources that are ahead of their group pause.

        Stored, but has no effect: the channels of bounded input advance together. Mirrors
        ``WatermarkStrategy.withWatermarkAlignment``.

        Args:
            watermark_group: name of the group.
            max_allowed_watermark_drift: how far a source may be ahead of the group.
            update_interval: the interval in which sources report their watermarks; 1 s by default.

        Raises:
            ConfigurationError: the drift is negative.
        """
        require(watermark_group, str, "with_watermark_alignment", "a str as watermark_group")
        _refuse_below(max_allowed_watermark_drift, 0, "max_allowed_watermark_drift")
        interval = Duration.of_seconds(1) if update_interval is None else update_interval
        return replace(
            self, alignment=WatermarkAlignment(watermark_group, max_allowed_watermark_drift, interval)
        )


def _refuse_below(duration: Duration, minimum: int, name: str) -> None:
    if duration.to_millis() < minimum:
        raise ConfigurationError(f"{name} must be at least {minimum} ms, not {duration.to_millis()} ms")
