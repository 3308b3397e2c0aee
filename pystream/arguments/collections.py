"""Read the elements of Python collections and finite iterators; reject other objects."""

from __future__ import annotations

import itertools
import resource
import sys
from collections.abc import Iterable, Iterator, Sized
from typing import Any, Final

from pystream import machine
from pystream.engine.failure import short_repr
from pystream.engine.results.collections import parts_of
from pystream.errors import PlanTypeError
from pystream.program_warnings import warn_program

__all__ = ["collection_elements"]

_CHUNK: Final = 1_000
_SHARE: Final = 4  # an iterator of unknown length may take 1/4 of this machine's memory

_WARNED_SHARE: Final = 16  # a warning is issued at 1/16 of that

_TAKE_SOME: Final = (
    "take as many as you need with itertools.islice(elements, n), give a list, or read the elements with a "
    "source"
)

# Iterable classes that are not collections of elements: their module, and the alternative to suggest.
_OTHERS: Final = {
    ("pandas", "DataFrame"): "use from_pandas(frame)",
    ("pyspark", "DataFrame"): "use from_data_frame(frame)",
    ("polars", "DataFrame"): "use from_arrow(frame.to_arrow())",
    ("polars", "LazyFrame"): "use from_arrow(frame.collect().to_arrow())",
    ("pyarrow", "Table"): "use from_arrow(table)",
    ("pyarrow", "RecordBatch"): "use from_arrow(pyarrow.Table.from_batches([batch]))",
    ("pyarrow", "RecordBatchReader"): "use from_arrow(reader.read_all())",
    ("pyarrow", "Array"): "use from_collection(array.to_pylist())",
    ("pyarrow", "ChunkedArray"): "use from_collection(array.to_pylist())",
}

_REMEDIES: Final = {
    "characters": "write [text], or list(text)",
    "bytes": "write [data], or list(data)",
    "keys": "write d.items(), or list(d)",
    "fields": "write [row], or list(row)",
    "columns": "make it a pyarrow.Table and use from_arrow(table)",
}


def collection_elements(collection: Any) -> list[Any]:
    """Return the elements of a collection or of a finite iterator, in its order.

    Raises:
        PlanTypeError: it is not a collection of elements, or its iterator does not seem to end.
    """
    _refuse_other(collection)
    if not isinstance(collection, Iterable):
        raise _refusal(collection, "put a single element into a list: [element]")
    if isinstance(collection, Sized) and not isinstance(collection, Iterator):
        return list(collection)
    endless = isinstance(collection, (itertools.count, itertools.cycle))
    if endless or (isinstance(collection, itertools.repeat) and not _is_sized(collection)):
        raise _without_end(f"{short_repr(collection)} never ends")
    return _read_bounded(iter(collection), machine.memory() // _SHARE)


def _read_bounded(elements: Iterator[Any], allowed: int) -> list[Any]:
    """Return the elements of an iterator; fail if reading them makes the process grow by more than a limit.

    Warns once when the process has grown by a share of them.
    """
    taken: list[Any] = []
    before = _peak_memory()
    warned = False
    while chunk := list(itertools.islice(elements, _CHUNK)):
        taken += chunk
        grown = _peak_memory() - before
        if grown > allowed:
            raise _without_end(_so_far(taken, grown))
        if not warned and grown > allowed // _WARNED_SHARE:
            warned = True
            warn_program(
                f"from_collection: {_so_far(taken, grown)}; a job needs all elements before it starts. "
                f"If it never ends, {_TAKE_SOME}"
            )
    return taken


def _so_far(taken: list[Any], grown: int) -> str:
    return f"the iterator has not ended after {len(taken):,} elements, which take {grown >> 20:,} MiB"


def _refuse_other(collection: Any) -> None:
    for cls in type(collection).__mro__:
        remedy = _OTHERS.get((cls.__module__.partition(".")[0], cls.__name__))
        if remedy is not None:
            raise PlanTypeError(
                f"from_collection takes a list or another collection of elements, not a {cls.__name__} of "
                f"{cls.__module__.partition('.')[0]}; {remedy}"
            )
    parts = parts_of(collection)
    if parts is not None:
        raise _refusal(collection, f"its elements would be its {parts}; {_REMEDIES[parts]}")


def _refusal(collection: Any, remedy: str) -> PlanTypeError:
    given = short_repr(collection)
    return PlanTypeError(
        f"from_collection takes a list or another collection of elements, not {given}; {remedy}"
    )


def _without_end(what: str) -> PlanTypeError:
    return PlanTypeError(
        f"from_collection: {what}, but a job needs all elements before it starts; {_TAKE_SOME}"
    )


def _is_sized(elements: itertools.repeat[Any]) -> bool:
    try:
        elements.__length_hint__()
    except TypeError:
        return False
    return True


def _peak_memory() -> int:
    """Return the peak memory use of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
