"""Options given when a program is started, such as by ``pystream run``, for the environments it creates."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["submit_options", "submitted_options"]

_options: dict[str, str] = {}


def submit_options(options: Mapping[str, str]) -> None:
    """Set the options of this process, by Flink's keys, instead of those set before."""
    _options.clear()
    _options.update(options)


def submitted_options() -> dict[str, str]:
    """Return the options of this process, by Flink's keys; none unless it was started with some."""
    return dict(_options)
