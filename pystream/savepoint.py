"""The command ``pystream savepoint``: show the content of a savepoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pystream.hosts.unbounded.savepoint import OperatorState
from pystream.hosts.unbounded.savepoint_reader import SavepointReader

__all__ = ["show_savepoint"]

_TITLES = (
    *("uid", "operator", "kind", "parallelism", "keys of type"),
    *("state", "kind", "type", "key groups", "keys", "size"),
)
_NUMBERS = frozenset({3, 8, 9, 10})
_UNITS = ("B", "KiB", "MiB", "GiB")


def show_savepoint(location: str, *, as_json: bool) -> None:
    """Print the operators and states of a savepoint.

    Raises:
        CheckpointError: it does not exist, is incomplete, or one of its files is missing, damaged or of
            another savepoint.
        ConnectorError: no file system is known for the location.
    """
    savepoint = SavepointReader(location)
    savepoint.verify()
    metadata = savepoint.metadata
    if as_json:
        print(metadata.to_json())
        return
    print(f"job {metadata.job_name!r} ({metadata.job_id}), {metadata.created}, after epoch {metadata.epoch}")
    print(f"{_size(sum(state.size for state in metadata.operators))} of state")
    print()
    rows = [row for state in metadata.operators for row in _rows(state)]
    print(*_aligned([_TITLES, *rows]), sep="\n")


def _rows(state: OperatorState) -> Iterator[tuple[str, ...]]:
    """Yield a row per state of an operator, at least one; those of the operator itself only in the first."""
    operator = state.operator
    keys = "" if state.keys is None else str(state.keys)
    groups = f"{state.key_groups} of {operator.max_parallelism}" if operator.key_type else ""
    first, *others = [(info.name, info.kind, info.type) for info in operator.states] or [("", "", "")]
    yield (
        operator.uid,
        operator.name,
        operator.kind,
        str(operator.parallelism),
        operator.key_type,
        *first,
        groups,
        keys,
        _size(state.size),
    )
    for columns in others:
        yield ("", "", "", "", "", *columns, "", "", "")


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if number in _NUMBERS else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _size(size: int) -> str:
    """Return a size in bytes in the largest unit that it fills."""
    unit = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    return f"{size / (1 << 10 * unit):.1f} {_UNITS[unit]}" if unit else f"{size} B"
