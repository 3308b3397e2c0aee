"""The statements that ``execute_sql`` executes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pystream.table.schema import Schema

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = [
    "CreateTable",
    "CreateView",
    "DescribeTable",
    "DropTable",
    "Explain",
    "Insert",
    "ParsedQuery",
    "ShowTables",
    "Statement",
]


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
class ParsedQuery:
    """A query.

    Attributes:
        text: the text of the statement that it is part of.
        tree: the query as it was parsed.
        path: the name of a table, if the query is all of that table.
    """

    text: str
    tree: exp.Query
    path: str | None = None


@dataclass(frozen=True, slots=True)
class CreateView:
    """``CREATE VIEW``.

    Attributes:
        path: the name of the view.
        names: names for its columns; those of the query unless given.
        query: its query.
        if_not_exists: whether a view of that name may exist, which then stays.
        replaces: whether a view of that name may exist, which is replaced.
    """

    path: str
    names: tuple[str, ...]
    query: ParsedQuery
    if_not_exists: bool
    replaces: bool


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
    """``SHOW TABLES`` and ``SHOW VIEWS``.

    Attributes:
        only_views: whether only views are shown.
    """

    only_views: bool


@dataclass(frozen=True, slots=True)
class DescribeTable:
    """``DESCRIBE``.

    Attributes:
        path: the name of the table.
    """

    path: str


@dataclass(frozen=True, slots=True)
class Insert:
    """``INSERT INTO target query``.

    Attributes:
        target: the name of the table to write to.
        names: the columns that are written, in the order of those of the query; all unless given.
        query: the query.
        overwrite: whether it replaces the content of the target.
    """

    target: str
    names: tuple[str, ...]
    query: ParsedQuery
    overwrite: bool


@dataclass(frozen=True, slots=True)
class Explain:
    """``EXPLAIN`` of a query or an INSERT.

    Attributes:
        statement: the statement.
    """

    statement: ParsedQuery | Insert


Statement: TypeAlias = (
    CreateTable | CreateView | DropTable | ShowTables | DescribeTable | Insert | Explain | ParsedQuery
)
