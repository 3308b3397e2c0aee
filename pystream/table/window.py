"""Windows for ``Table.window`` and ``Table.over_window``, under their module name in Flink."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.over_windows import (
    Over,
    OverWindow,
    OverWindowPartitioned,
    OverWindowPartitionedOrdered,
    OverWindowPartitionedOrderedPreceding,
)
from typeinfo.arguments import checks_arguments

__all__ = [
    "GroupWindow",
    "Over",
    "OverWindow",
    "OverWindowPartitioned",
    "OverWindowPartitionedOrdered",
    "OverWindowPartitionedOrderedPreceding",
    "Session",
    "SessionWithGap",
    "SessionWithGapOnTime",
    "Slide",
    "SlideWithSize",
    "SlideWithSizeAndSlide",
    "SlideWithSizeAndSlideOnTime",
    "Tumble",
    "TumbleWithSize",
    "TumbleWithSizeOnTime",
]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class GroupWindow:
    """Windows by which ``Table.window`` groups rows; made by `Tumble`, `Slide` and `Session`.

    Mirrors ``org.apache.flink.table.api.GroupWindow``.

    Attributes:
        function: the window function of SQL.
        lengths: its lengths in milliseconds, or in rows, in the order of SQL.
        time: the name of the column of times.
        name: the name of the window in ``group_by`` and ``select``.
        is_of_rows: whether its lengths are numbers of rows.
    """

    _example: ClassVar[str] = "Tumble.over(lit(10).minutes).on(col('ts')).alias('w')"

    function: str
    lengths: tuple[int, ...]
    time: str = ""
    name: str = ""
    is_of_rows: bool = False


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class _WindowOnTime:
    """Windows of a column of times, to be named."""

    _window: GroupWindow

    def alias(self, alias: str) -> GroupWindow:
        """Return the windows with the name that ``group_by`` and ``select`` use for them."""
        if not alias:
            raise ConfigurationError("alias: the name of the window is empty")
        return replace(self._window, name=alias)


def _on(window: GroupWindow, time_field: Expression[Any]) -> GroupWindow:
    pair = trees().renamed_field(time_field._tree)
    if pair is None:
        raise ConfigurationError(f"on takes a column of times such as col('ts'), not {time_field}")
    return replace(window, time=pair[0])


def _milliseconds(length: Expression[Any], call: str, *, other: str = "") -> int:
    milliseconds = trees().interval_milliseconds(length._tree)
    if milliseconds is None or milliseconds <= 0:
        raise ConfigurationError(
            f"{call} takes a length of time such as lit(10).minutes{other}, not {length}"
        )
    whole: int = milliseconds
    return whole


def _length(length: Expression[Any], call: str) -> tuple[int, bool]:
    """Return a length of windows, and whether it is a number of rows."""
    rows = trees().interval_rows(length._tree)
    if rows:
        return rows, True
    return _milliseconds(length, call, other=" or a number of rows such as row_interval(10)"), False


@checks_arguments(ArgumentTypeError)
class TumbleWithSizeOnTime(_WindowOnTime):
    """Tumbling windows of a column of times, to be named by ``alias``."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class TumbleWithSize:
    """Tumbling windows of a size, without a column of times yet."""

    _window: GroupWindow

    def on(self, time_field: Expression[Any]) -> TumbleWithSizeOnTime:
        """Return the windows of a column of times.

        Raises:
            ConfigurationError: the expression is no column.
        """
        return TumbleWithSizeOnTime(_on(self._window, time_field))


@checks_arguments(ArgumentTypeError)
class Tumble:
    """Windows of one size that follow one another.

    Mirrors ``org.apache.flink.table.api.Tumble``.

    Examples:
        >>> from pystream.table.expressions import col, lit
        >>> Tumble.over(lit(10).minutes).on(col("ts")).alias("w")
        GroupWindow(function='TUMBLE', lengths=(600000,), time='ts', name='w', is_of_rows=False)
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> TumbleWithSize:
        """Return the windows of a size.

        Args:
            size: a length of time, such as ``lit(10).minutes``, or a number of rows of a group, such as
                ``row_interval(10)``.

        Raises:
            ConfigurationError: it is neither, or zero.
        """
        length, is_of_rows = _length(size, "Tumble.over")
        return TumbleWithSize(GroupWindow("TUMBLE", (length,), is_of_rows=is_of_rows))


@checks_arguments(ArgumentTypeError)
class SlideWithSizeAndSlideOnTime(_WindowOnTime):
    """Sliding windows of a column of times, to be named by ``alias``."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class SlideWithSizeAndSlide:
    """Sliding windows of a size and a slide, without a column of times yet."""

    _window: GroupWindow

    def on(self, time_field: Expression[Any]) -> SlideWithSizeAndSlideOnTime:
        """Return the windows of a column of times.

        Raises:
            ConfigurationError: the expression is no column.
        """
        return SlideWithSizeAndSlideOnTime(_on(self._window, time_field))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class SlideWithSize:
    """Sliding windows of a size, without a slide yet."""

    _window: GroupWindow

    def every(self, slide: Expression[Any]) -> SlideWithSizeAndSlide:
        """Return the windows that begin every so often.

        Args:
            slide: a length of time, such as ``lit(5).minutes``, or a number of rows if the size is one.

        Raises:
            ConfigurationError: it is neither, or zero; only one of slide and size is a number of rows; or a
                length of time is above the size.
        """
        (length, is_of_rows), (size,) = _length(slide, "every"), self._window.lengths
        if is_of_rows is not self._window.is_of_rows:
            raise ConfigurationError(
                "every: size and slide of windows are both lengths of time, or both numbers of rows"
            )
        if length > size and not is_of_rows:
            raise ConfigurationError(f"every: a slide of {length} ms is above the size of {size} ms")
        return SlideWithSizeAndSlide(replace(self._window, lengths=(length, size)))


@checks_arguments(ArgumentTypeError)
class Slide:
    """Windows of one size that begin at regular times; a row is in several of them.

    Mirrors ``org.apache.flink.table.api.Slide``.

    Examples:
        >>> from pystream.table.expressions import col, lit
        >>> Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")
        GroupWindow(function='HOP', lengths=(300000, 600000), time='ts', name='w', is_of_rows=False)
    """

    @classmethod
    def over(cls, size: Expression[Any]) -> SlideWithSize:
        """Return the windows of a size.

        Args:
            size: a length of time, such as ``lit(10).minutes``, or a number of rows of a group, such as
                ``row_interval(10)``.

        Raises:
            ConfigurationError: it is neither, or zero.
        """
        length, is_of_rows = _length(size, "Slide.over")
        return SlideWithSize(GroupWindow("HOP", (length,), is_of_rows=is_of_rows))


@checks_arguments(ArgumentTypeError)
class SessionWithGapOnTime(_WindowOnTime):
    """Sessions of a column of times, to be named by ``alias``."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class SessionWithGap:
    """Sessions that a gap ends, without a column of times yet."""

    _window: GroupWindow

    def on(self, time_field: Expression[Any]) -> SessionWithGapOnTime:
        """Return the windows of a column of times.

        Raises:
            ConfigurationError: the expression is no column.
        """
        return SessionWithGapOnTime(_on(self._window, time_field))


@checks_arguments(ArgumentTypeError)
class Session:
    """Windows of rows that follow one another without a gap; each group has sessions of its own.

    Mirrors ``org.apache.flink.table.api.Session``.
    """

    @classmethod
    def with_gap(cls, gap: Expression[Any]) -> SessionWithGap:
        """Return the sessions that a time without rows ends.

        Args:
            gap: a length of time, such as ``lit(10).minutes``.

        Raises:
            ConfigurationError: it is not a length of time.
        """
        return SessionWithGap(GroupWindow("SESSION", (_milliseconds(gap, "Session.with_gap"),)))
