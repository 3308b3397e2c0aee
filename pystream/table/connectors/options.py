"""Options of connectors: their keys, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from pystream.errors import ConfigurationError
from pystream.settings.config_values import STRING, ValueType

__all__ = ["COUNT", "PATTERN", "POSITIVE", "Option", "read_options"]


_RESEMBLANCE = 0.8


def _parse_count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def _parse_positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(text)
    return int(text)


def _parse_pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(text) from error
    return text


COUNT = ValueType("an integer of 0 or more", (int,), _parse_count)
POSITIVE = ValueType("an integer of 1 or more", (int,), _parse_positive)
PATTERN = ValueType("a regular expression", (), _parse_pattern)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a connector.

    Attributes:
        type: the type of its values.
        default: its value where it is left out.
        is_required: whether it must be given.
    """

    type: ValueType[Any]
    default: Any = None
    is_required: bool = False


def read_options(
    given: Mapping[str, str], known: Mapping[str, Option], columns: Sequence[str], owner: str
) -> dict[str, Any]:
    """Return the values of all options, those left out by their default.

    Args:
        given: the texts of ``WITH``.
        known: the options; ``#`` in a key stands for the name of a column. A key that ends in ``*`` is that
            of all other options with that prefix, whose values are a dict by the rest of their keys.
        columns: the names of the columns.
        owner: the table and its connector, for messages.

    Raises:
        ConfigurationError: an option is unknown, has a wrong value, or is missing.
    """
    every = {
        key.replace("#", column): option
        for key, option in known.items()
        for column in (columns if "#" in key else ("",))
    }
    values = {key: {} if key.endswith("*") else option.default for key, option in every.items()}
    prefixes = [key.removesuffix("*") for key in every if key.endswith("*")]
    for key, text in given.items():
        prefix = next((p for p in prefixes if key.startswith(p) and key not in every), "")
        if prefix:
            values[f"{prefix}*"][key.removeprefix(prefix)] = text.strip()
            continue
        if key not in every:
            names = ", with the name of a column for #" if any("#" in name for name in known) else ""
            options = f"the options are {', '.join(known)}{names}" if known else "there are no options"
            close = get_close_matches(key, known, 1, _RESEMBLANCE)
            hint = f"did you mean {close[0]!r}? " if close and "#" not in close[0] else ""
            raise ConfigurationError(f"{owner} has no option {key!r}; {hint}{options}")
        try:
            type = every[key].type
            values[key] = type.parse(text if type is STRING else text.strip())
        except ValueError:
            raise ConfigurationError(
                f"{owner}: {key!r} must be {every[key].type.allowed}, not {text!r}"
            ) from None
    for key, option in every.items():
        if option.is_required and key not in given:
            raise ConfigurationError(f"{owner} needs the option {key!r}")
    return values
