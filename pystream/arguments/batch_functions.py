"""The classes of functions that take batches, for type checkers.

They are told by what they give, so that neither pandas nor pyarrow is imported, and so that a checker that
does not know those libraries still refuses a wrong function of one element. What they take is checked when
the function is added, since it depends on the type of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Never, Protocol, TypeAlias, overload

from typing_extensions import TypeVar

__all__ = ["BATCH", "BatchFunction", "Columns", "FlatBatchFunction"]


class PandasColumns(Protocol):
    """The common interface of ``pd.Series`` and ``pd.DataFrame``."""

    @property
    def iloc(self) -> Any:
        """Access by position."""

    @property
    def __array__(self) -> Callable[..., Any]:
        """Convert to numpy; a ``Row``, whose fields are attributes, is declared without it."""
        ...


class ArrowColumns(Protocol):
    """The common interface of ``pa.Array`` and ``pa.RecordBatch``."""

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        ...

    @property
    def __array__(self) -> Callable[..., Any]:
        """Convert to numpy."""
        ...

    def validate(self, *, full: bool = ...) -> None:
        """Check the buffers."""


Columns: TypeAlias = PandasColumns | ArrowColumns
"""A ``pd.Series``, ``pd.DataFrame``, ``pa.Array`` or ``pa.RecordBatch``."""


# Solved by the function's own parameter: one of single elements, even a generic one, has no such class there.
BATCH = TypeVar("BATCH", bound=Columns, contravariant=True, default=Columns)


# Both have overloads, so that pyright does not take a lambda for one and its parameter for a batch.
class BatchFunction(Protocol[BATCH]):
    """A function from a batch of elements to a batch of results, one for each."""

    @overload
    def __call__(self, batch: Never, /) -> Columns: ...
    @overload
    def __call__(self, batch: BATCH, /) -> Columns: ...


class FlatBatchFunction(Protocol[BATCH]):
    """A function from a batch of elements to batches of any number of results."""

    @overload
    def __call__(self, batch: Never, /) -> Columns | Iterable[Columns] | None: ...
    @overload
    def __call__(self, batch: BATCH, /) -> Columns | Iterable[Columns] | None: ...
