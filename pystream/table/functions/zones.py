"""The time zone of TIMESTAMP_LTZ in functions of values."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from functools import partial
from typing import Any

from pystream.table.functions.declaration import Arguments
from pystream.table.functions.kinds import Kind, kind_of
from pystream.table.functions.values import moments

__all__ = ["of_local", "zone_of"]


def zone_of(arguments: Arguments) -> tzinfo:
    """Return the time zone of TIMESTAMP_LTZ.

    Raises:
        ValueError: it is not known.
    """
    if arguments.zone is None:
        raise ValueError("it depends on the time zone of TIMESTAMP_LTZ; set table.local-time-zone")
    return arguments.zone


def of_local(function: Callable[..., Any], arguments: Arguments, position: int = 0) -> Callable[..., Any]:
    """Return a function of local times as one of values of the type that an argument has.

    Args:
        function: a function whose first argument is a local time.
        arguments: the arguments of the call.
        position: which of them may be a TIMESTAMP_LTZ.

    Raises:
        ValueError: it is one, and the time zone is not known.
    """
    if kind_of(arguments.types[position]) != Kind.TIMESTAMP_LTZ:
        return function
    return partial(moments.of_local, function, zone_of(arguments))
