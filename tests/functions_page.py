"""The tables of functions in docs/sql.md, made from the declarations.

Run ``python -m tests.functions_page`` to write them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declaration import SqlFunction
from pystream.table.functions.declared import FAMILIES
from pystream.table.functions.refused import REFUSED

__all__ = ["PAGE", "with_tables"]

PAGE = Path(__file__).parents[1] / "docs" / "sql.md"


def with_tables(page: str) -> str:
    """Return the page with its tables made anew."""
    tables = {family: table_of(functions) for family, functions in FAMILIES.items()}
    tables["aggregates"] = table_of_aggregates()
    for family, table in tables.items():
        before, start, rest = page.partition(f"<!-- functions: {family} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        page = "".join((before, start, "\n", table, "\n", end, after))
    before, start, rest = page.partition("<!-- functions that are refused -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return "".join((before, start, "\n", table_of_refused(), "\n", end, after))


def table_of_refused() -> str:
    """Return the table of functions of Flink that are refused."""
    lines = ["| function | why |", "|---|---|", *(f"| `{name}` | {why} |" for name, why in REFUSED.items())]
    return "".join(f"{line}\n" for line in lines)


def table_of(functions: Sequence[SqlFunction]) -> str:
    """Return a table of functions with a column for each host."""
    lines = ["| function | result | Spark | local |", "|---|---|---|---|"]
    for one in functions:
        local = "literals only" if one.literals else "yes"
        spark = "in Python" if one.spark is None else "yes"
        signature = one.signature.replace(" or ", "` or `").replace("|", "\\|")
        lines.append(f"| `{signature}` | {one.does} | {spark} | {local} |")
    return "".join(f"{line}\n" for line in lines)


def table_of_aggregates() -> str:
    """Return the table of aggregate functions."""
    lines = ["| function | result | Spark, bounded | operators |", "|---|---|---|---|"]
    for one in AGGREGATE_FUNCTIONS.values():
        spark = "yes" if one.is_in_spark else "in Python"
        operators = "yes" if one.is_in_streams else "bounded only"
        lines.append(f"| `{one.signature.replace(' or ', '` or `')}` | {one.does} | {spark} | {operators} |")
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
