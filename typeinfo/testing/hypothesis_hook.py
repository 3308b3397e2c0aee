"""Entry point of Hypothesis: registers strategies and printers of the types' own classes.

Nothing but this module is loaded before a strategy is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["register"]


def register() -> None:
    """Register strategies and printers for TypeInformation, Row and Instant."""
    from hypothesis import strategies as st
    from hypothesis.vendor.pretty import for_type_by_name

    st.register_type_strategy(TypeInformation, _type_infos)
    st.register_type_strategy(Row, _rows)
    st.register_type_strategy(Instant, _instants)
    for cls in (Row, Instant, *_classes(TypeInformation)):
        for_type_by_name(cls.__module__, cls.__name__, _print)


def _classes(cls: type[Any]) -> Iterator[type[Any]]:
    for inner in cls.__subclasses__():
        yield inner
        yield from _classes(inner)


def _print(value: Any, printer: Any, cycle: bool) -> None:
    from typeinfo.testing.reproduction import print_own

    print_own(value, printer, cycle)


def _type_infos(cls: Any) -> Any:
    from typeinfo.testing.strategies import type_infos

    return type_infos()


def _rows(cls: Any) -> Any:
    """Return rows with the annotated fields, as in ``Row[tuple[int, str]]``, or with any if none are."""
    from typeinfo.testing.strategies import records, row_types, values

    if get_args(cls) and get_args(cls) != (Any,):
        return records(cls)
    return row_types().flatmap(values)


def _instants(cls: Any) -> Any:
    from typeinfo.testing.strategies import values

    return values(Types.INSTANT())
