"""The classes of functions that take batches, for type checkers.

They are told by what they give, so that neither pandas nor pyarrow is imported, and so that a checker that
does not know those libraries still refuses a wrong function of one element. What they take is checked when
the function is added, since it depends on the type of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Never, Protocol, TypeAlias

__all__ = ["BatchFunction", "Columns", "FlatBatchFunction"]


class PandasColumns(Protocol):
    """What a ``pd.Series`` and a ``pd.DataFrame`` have in common."""

    @property
    def iloc(self) -> Any:
        """Access by position."""

    @property
    def __array__(self) -> Callable[..., Any]:
        """What numpy calls, and what a ``Row``, whose fields are attributes, is declared not to have."""
        ...


class ArrowColumns(Protocol):
    """What a ``pa.Array`` and a ``pa.RecordBatch`` have in common."""

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        ...

    @property
    def __array__(self) -> Callable[..., Any]:
        """What numpy calls."""
        ...

    def validate(self, *, full: bool = ...) -> None:
        """Check the buffers."""


Columns: TypeAlias = PandasColumns | ArrowColumns
"""A ``pd.Series``, ``pd.DataFrame``, ``pa.Array`` or ``pa.RecordBatch``."""


class BatchFunction(Protocol):
    """A function from a batch of elements to a batch of results, one for each."""

    def __call__(self, batch: Never, /) -> Columns:
        """Return the results."""
        ...


class FlatBatchFunction(Protocol):
    """A function from a batch of elements to batches of any number of results."""

    def __call__(self, batch: Never, /) -> Columns | Iterable[Columns] | None:
        """Return or yield the results."""
        ...
