"""Vary calls of functions, in arguments and their types; imports neither PyFlink nor pystream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RECORDED = HERE / "recorded"
UNUSUAL = HERE / "unusual.txt"

COLUMNS = {
    "STRING": "a_string STRING",
    "BOOLEAN": "a_boolean BOOLEAN",
    "TINYINT": "a_tinyint TINYINT",
    "INT": "an_int INT",
    "BIGINT": "a_bigint BIGINT",
    "DECIMAL": "a_decimal DECIMAL(10, 2)",
    "DOUBLE": "a_double DOUBLE",
    "BYTES": "some_bytes BYTES",
    "DATE": "a_date DATE",
    "TIME": "a_time TIME(0)",
    "TIMESTAMP": "a_timestamp TIMESTAMP(3)",
    "TIMESTAMP_LTZ": "an_instant TIMESTAMP_LTZ(3)",
    "ARRAY": "an_array ARRAY<INT>",
    "STRINGS": "some_strings ARRAY<STRING>",
    "MAP": "a_map MAP<STRING, INT>",
}
"""A column of each type; there is another one that is NOT NULL, with an underscore at its end."""


class Call(NamedTuple):
    """A function as it is called.

    Attributes:
        template: the call, with places for its arguments.
        types: the types of the arguments.
        least: the least number of arguments; the same as the number of types for a syntax of its own.
        has_syntax: whether it has a syntax of its own, and the template is all of it.
    """

    template: str
    types: tuple[str, ...]
    least: int
    has_syntax: bool = False


def calls(path: Path) -> list[Call]:
    """Read the calls of a file, such as ``LEFT(STRING, INT)``, or in their own syntax, such as
    ``TRIM({STRING})`` and ``CURRENT_DATE``.
    """
    return [_call(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def name_of(text: str) -> str:
    """Return the name of the function that a text calls."""
    own = re.search(r"\b(OVERLAPS|IS JSON|JSON(?=\())", text)
    return own[0] if own else re.split(r"\W", text, maxsplit=1)[0]


def _call(line: str) -> Call:
    if "{" in line or "(" not in line:
        types = tuple(re.findall(r"{(\w+)}", line))
        return Call(re.sub(r"{\w+}", "{}", line), types, len(types), has_syntax=True)
    name, _, arguments = line.rstrip(")").partition("(")
    needed = arguments.partition("[")[0]
    types = tuple(re.findall(r"\w+", arguments))
    return Call(name, types, len(re.findall(r"\w+", needed)))


def variations(call: Call) -> Iterator[str]:
    """Yield a call with each number of arguments, with NOT NULL, with NULL, and with wrong types."""
    counts = [len(call.types)] if call.has_syntax else list(range(len(call.types) + 2))
    for count in counts:
        given = [*call.types, "INT"][:count]
        yield _written(call, [_column(kind) for kind in given])
    full = [_column(kind) for kind in call.types]
    yield _written(call, [f"{column}_" for column in full])
    for position in range(len(full)):
        for other in ["NULL", *(_column(kind) for kind in COLUMNS)]:
            if other != full[position]:
                yield _written(call, [*full[:position], other, *full[position + 1 :]])


def _column(kind: str) -> str:
    return COLUMNS[kind].partition(" ")[0]


def _written(call: Call, arguments: list[str]) -> str:
    if call.has_syntax:
        return call.template.format(*arguments)
    return f"{call.template}({', '.join(arguments)})"


def recorded(name: str) -> dict[str, Any]:
    """Return the recorded outcomes of a file; none if it is not recorded yet."""
    file = RECORDED / f"{name}.json"
    outcomes: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return outcomes
