"""The functions that are declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pystream.table.functions.clocks import CLOCKS
from pystream.table.functions.codes import CODES
from pystream.table.functions.collections import COLLECTIONS
from pystream.table.functions.conditions import CONDITIONS
from pystream.table.functions.declaration import SqlFunction
from pystream.table.functions.json_building import MADE_JSON
from pystream.table.functions.json_reading import READ_JSON
from pystream.table.functions.mathematics import MATHEMATICS
from pystream.table.functions.numbers import NUMBERS
from pystream.table.functions.parts import PARTS
from pystream.table.functions.regular_expressions import REGULAR_EXPRESSIONS
from pystream.table.functions.spans import SPANS
from pystream.table.functions.texts import TEXTS
from pystream.table.functions.times import TIMES

__all__ = ["DECLARED", "FAMILIES"]

FAMILIES: Mapping[str, Sequence[SqlFunction]] = {
    "collections": COLLECTIONS,
    "conditions": CONDITIONS,
    "numbers": NUMBERS,
    "mathematics": MATHEMATICS,
    "texts": TEXTS,
    "regular expressions": REGULAR_EXPRESSIONS,
    "codes": CODES,
    "json": [*READ_JSON, *MADE_JSON],
    "times": TIMES,
    "parts": PARTS,
    "spans": SPANS,
    "clocks": CLOCKS,
}
"""The functions, by what they are about."""

DECLARED: Mapping[str, SqlFunction] = {one.name: one for family in FAMILIES.values() for one in family}
"""The functions, by name."""
