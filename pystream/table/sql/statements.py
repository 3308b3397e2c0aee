"""The statements that ``execute_sql`` executes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pystream.table.schema import Schema

__all__ = ["CreateTable", "DescribeTable", "DropTable", "InsertAll", "ShowTables", "Statement"]


@dataclass(frozen=True, slots=True)
class CreateTable:
    """``CREATE TABLE``.

    Attributes:
        path: the name of the table.
        schema: its columns, keys and watermarks.
        options: the options of ``WITH``.
        if_not_exists: whether a table of that name may exist, which then stays.
    """

    path: str
    schema: Schema
    options: Mapping[str, str]
    if_not_exists: bool


@dataclass(frozen=True, slots=True)
class DropTable:
    """``DROP TABLE`` and ``DROP VIEW``.

    Attributes:
        path: the name of the table or view.
        if_exists: whether it may be missing.
        is_view: whether a view is dropped.
    """

    path: str
    if_exists: bool
    is_view: bool


@dataclass(frozen=True, slots=True)
class ShowTables:
    """``SHOW TABLES``."""


@dataclass(frozen=True, slots=True)
class DescribeTable:
    """``DESCRIBE``.

    Attributes:
        path: the name of the table.
    """

    path: str


@dataclass(frozen=True, slots=True)
class InsertAll:
    """``INSERT INTO target SELECT * FROM source``.

    Attributes:
        target: the name of the table to write to.
        source: the name of the table to read.
        overwrite: whether it replaces the content of the target.
    """

    target: str
    source: str
    overwrite: bool


Statement: TypeAlias = CreateTable | DropTable | ShowTables | DescribeTable | InsertAll
