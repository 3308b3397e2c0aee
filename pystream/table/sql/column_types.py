"""Data types of columns as they are written in SQL."""

from __future__ import annotations

from sqlglot import exp

from pystream.errors import ConfigurationError, SqlError
from pystream.sql_types.data_types import DataType
from pystream.table.sql.syntax import parsed
from pystream.table.sql.type_trees import data_type_of_sql

__all__ = ["parse_data_type"]


def parse_data_type(text: str) -> DataType:
    """Parse the name of a data type, such as ``ARRAY<INT NOT NULL>``.

    Raises:
        SqlError: the text is not the name of a type.
    """
    (tree,) = parsed(text, exp.DataType)
    try:
        return data_type_of_sql(tree)
    except ConfigurationError as error:
        raise SqlError(f"{text!r}: {error}") from None
