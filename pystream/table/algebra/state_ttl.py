"""Times to live of the state of operators, as plans show them."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.durations import Duration
from pystream.settings.config_values import to_text

__all__ = ["ttl_details"]


def ttl_details(*millis: int) -> Sequence[tuple[str, str]]:
    """Return the argument of an operator in a plan that tells its times to live, if it has one.

    Args:
        millis: the time to live of each input, 0 for ever.
    """
    if not any(millis):
        return ()
    return [("stateTtl", ", ".join(to_text(Duration.of_millis(one)) if one else "never" for one in millis))]
