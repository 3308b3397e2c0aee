"""Tables and views as the statements that make them, for SHOW CREATE and DESCRIBE."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pystream.sql_types.data_types import DataType
from pystream.sql_types.names import options_clause, quoted_name, quoted_text
from pystream.table.catalog.objects import CatalogBaseTable
from pystream.table.catalog.paths import ObjectIdentifier
from pystream.table.schema import ComputedColumn, MetadataColumn

__all__ = ["create_table_text", "create_view_text", "option_lines", "shown_expression"]

_LONG_NAMES = {"STRING": "VARCHAR(2147483647)", "BYTES": "VARBINARY(2147483647)"}
_NAME_OR_LONG = re.compile(r"`(?:[^`]|``)*`|\b(?:STRING|BYTES)\b")


def option_lines(options: Mapping[str, str]) -> list[str]:
    """Return the lines of ``WITH``, none without options."""
    return [options_clause(options)] if options else []


def shown_expression(expression: str, table: CatalogBaseTable) -> str:
    """Return an expression of a table with the names of its columns in backticks."""
    from pystream.table.sql.expression_names import with_quoted_names

    return with_quoted_names(expression, {column.name for column in table.schema.columns})


def create_table_text(identifier: ObjectIdentifier, table: CatalogBaseTable, *, is_temporary: bool) -> str:
    """Return the statement that makes a table.

    Args:
        identifier: its name.
        table: the table.
        is_temporary: whether it ends with the program.
    """
    items = []
    for column in table.schema.columns:
        match column:
            case ComputedColumn():
                declared = f"AS {shown_expression(column.expression, table)}"
            case MetadataColumn():
                declared = f"{_type_text(column.data_type)} {column.origin}"
            case _:
                declared = _type_text(column.data_type)
        comment = "" if column.comment is None else f" COMMENT {quoted_text(column.comment)}"
        items.append(f"{quoted_name(column.name)} {declared}{comment}")
    for mark in table.schema.watermarks:
        expression = shown_expression(mark.expression, table)
        items.append(f"WATERMARK FOR {quoted_name(mark.column)} AS {expression}")
    if table.schema.primary_key is not None:
        items.append(str(table.schema.primary_key))
    kind = "TEMPORARY TABLE" if is_temporary else "TABLE"
    lines = [f"CREATE {kind} {identifier} (", ",\n".join(f"  {item}" for item in items), ")"]
    if table.comment:
        lines.append(f"COMMENT {quoted_text(table.comment)}")
    if table.partition_keys:
        lines.append(f"PARTITIONED BY ({', '.join(map(quoted_name, table.partition_keys))})")
    return "\n".join([*lines, *option_lines(table.options), ""])


def create_view_text(identifier: ObjectIdentifier, view: CatalogBaseTable, *, is_temporary: bool) -> str:
    """Return the statement that makes a view.

    Args:
        identifier: its name.
        view: the view.
        is_temporary: whether it ends with the program.
    """
    assert view.view is not None
    names = ",\n".join(f"  {quoted_name(column.name)}" for column in view.schema.columns)
    kind = "TEMPORARY VIEW" if is_temporary else "VIEW"
    lines = [f"CREATE {kind} {identifier} (", names, ")"]
    if view.comment:
        lines.append(f"COMMENT {quoted_text(view.comment)}")
    return "\n".join([*lines, f"AS {view.view.expanded_query}", ""])


def _type_text(data_type: DataType) -> str:
    """Return the text of a type as Flink writes it, with the lengths of text and bytes."""
    return _NAME_OR_LONG.sub(lambda found: _LONG_NAMES.get(found[0], found[0]), str(data_type))
